//! `somacat export stl` and `obj`: write figures and pieces for 3D printing.

use super::subject::{SubjectArgs, report_size, set_for};
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::output::{FileArg, require_file, to_file};
use crate::cli::{Exit, Global, stop_on_signals};
use clap::{Args, ValueEnum};
use somacat_counting::solve::Limits;
use somacat_formats::count_noun;
use somacat_geometry::pieces::{Piece, PieceSet, parse_set, with_standard_name};
use somacat_output::dossier::{Packing, Subject};
use somacat_output::export::{Mesh, MeshSize, MeshSizeError, NewFolder};
use somacat_run::default_limits;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The search limit for a packing to export, in nodes.
const NODES: u64 = 100_000_000;

// The options of solids.
#[derive(Args, Debug)]
pub(crate) struct SolidArgs {
    #[command(flatten)]
    file: FileArg,
    /// Content of the file: the figure as one solid, the pieces of a packing in place, or all pieces side by side,
    /// ready to print.
    #[arg(long, value_enum, default_value = "figure")]
    what: SolidContent,
    /// With `--what pieces` or `packing`: FILE is a new folder with a file for each piece, named after it, and one with
    /// all of them.
    #[arg(long)]
    each: bool,
    /// Distance between adjacent cells, in millimeters.
    #[arg(long, value_name = "MM", default_value_t = MeshSize::default().cell)]
    cell_size: f64,
    /// Gap between touching solids, in millimeters; cells that touch only along an edge are kept
    /// apart as well.
    #[arg(long, value_name = "MM", default_value_t = MeshSize::default().clearance)]
    clearance: f64,
    #[command(flatten)]
    subject: SubjectArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum SolidContent {
    Figure,
    Packing,
    Pieces,
}

/// A format of solids: the ending of its files, and what writes them.
type SolidFormat = (&'static str, fn(&[Mesh], &mut dyn Write) -> io::Result<()>);

/// Writes the requested solids.
pub(crate) fn export_solids(
    global: &Global,
    args: &SolidArgs,
    format: SolidFormat,
) -> Result<Exit> {
    if format.0 == "stl" {
        require_file(&args.file.file, "STL")?;
    }
    match args.each {
        true => export_each(global, args, format)?,
        false => to_file(&args.file.file, |out| Ok(format.1(&meshes(global, args)?, out)?))?,
    }
    Ok(Exit::Ok)
}

/// Writes a folder with a file for each piece, numbered in the order of the pieces, and `all` with all of them.
fn export_each(global: &Global, args: &SolidArgs, (ending, write): SolidFormat) -> Result<()> {
    let folder = args.file.file.as_path();
    if args.what == SolidContent::Figure {
        return Err(Failure::usage("--each is for pieces; add --what pieces or --what packing"));
    }
    if folder == Path::new("-") {
        return Err(Failure::usage(
            "--each writes a folder, not to standard output; name the folder in place of FILE",
        ));
    }
    let all = format!("all.{ending}");
    let target = NewFolder::create(folder, |folder| folder.join(&all).is_file())?;
    let meshes = meshes(global, args)?;
    let file = |name: &str, meshes: &[Mesh]| -> Result<()> {
        let path = target.path().join(name);
        let mut out = BufWriter::new(File::create(&path).context(path.display().to_string())?);
        write(meshes, &mut out).context(path.display().to_string())
    };
    file(&all, &meshes)?;
    let (pieces, digits) = (meshes.len(), meshes.len().to_string().len());
    for (number, mesh) in (1..).zip(meshes) {
        // Pieces may have names that differ in case alone, or that no file can have.
        let name: String =
            mesh.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        // A piece of a packing stays in place, any other lies at the origin.
        let mesh = match args.what {
            SolidContent::Packing => mesh,
            _ => {
                let [least, _] = mesh.bounds();
                mesh.moved(least.map(|at| -at))
            }
        };
        file(&format!("{number:0digits$}-{name}.{ending}"), &[mesh])?;
    }
    target.commit()?;
    let pieces = count_noun(pieces, "piece");
    global.note(&format!("{pieces} in {}, and all together in {all}", folder.display()));
    Ok(())
}

fn meshes(global: &Global, args: &SolidArgs) -> Result<Vec<Mesh>> {
    let (what, only_pieces) =
        (args.what, args.what == SolidContent::Pieces && !args.subject.selects_figures());
    let names_pieces = args.subject.has_figure() || only_pieces;
    let set = if names_pieces { args.subject.piece_set()? } else { None };
    let size = MeshSize::new(args.cell_size, args.clearance).map_err(|error| {
        let option = match error {
            MeshSizeError::Cell(_) => "--cell-size",
            MeshSizeError::Clearance(_) => "--clearance",
        };
        Failure::usage(format!("{option}: {error}"))
    })?;
    Ok(match (what, set) {
        (SolidContent::Pieces, Some(set)) => side_by_side(&set, size),
        (SolidContent::Pieces, None) if only_pieces => side_by_side(&PieceSet::soma(1), size),
        (SolidContent::Pieces, None) => {
            // The pieces of a catalog are in canonical position; named ones lie as --set shows them.
            let set = set_for(&args.subject.one(global)?, None)?;
            let named = parse_set(set.name()).ok();
            let named = named.filter(|named| named.definition() == set.definition());
            side_by_side(&named.or_else(|| with_standard_name(&set)).unwrap_or(set), size)
        }
        (SolidContent::Packing, set) => {
            let subject = args.subject.one(global)?;
            let set = set_for(&subject, set)?;
            report_size(&subject, &set);
            packed(&subject, &set, size)?
        }
        (SolidContent::Figure, set) => {
            let subject = args.subject.one(global)?;
            // Of several figures of one name in the catalog, a set selects one.
            let selects = |set: &PieceSet| {
                let name = Some(set.name());
                subject.rows.iter().any(|row| row.set.as_deref() == name)
            };
            if set.is_some_and(|set| !selects(&set)) {
                let text = "--set is for pieces, which --what figure does not export; choose another --what";
                return Err(Failure::usage(text));
            }
            let Subject { name, figure, .. } = subject;
            vec![Mesh::new(&name, figure.cells(), figure.extents()[2], size)]
        }
    })
}

fn packed(subject: &Subject, set: &PieceSet, size: MeshSize) -> Result<Vec<Mesh>> {
    let stop = stop_on_signals()?;
    let limits = Limits { nodes: Some(NODES), ..default_limits(stop) };
    let entry = subject.file.as_ref().map(|file| &file.entry);
    let published = Packing::published(&subject.figure, entry, &subject.origins, set);
    let packing = Packing::find(&subject.figure, published, set, limits);
    let packing = packing.map_err(|why| {
        Failure::failed(format!(
            "no packing of {} with {} to export: {why}",
            subject.name,
            set.name()
        ))
    })?;
    let height = subject.figure.extents()[2];
    let mesh = |(name, cells): &(char, Vec<_>)| Mesh::new(&name.to_string(), cells, height, size);
    Ok(packing.pieces.iter().map(mesh).collect())
}

/// Returns every piece of a set on the ground, in rows.
fn side_by_side(set: &PieceSet, size: MeshSize) -> Vec<Mesh> {
    let copies = |(piece, count): &(Piece, usize)| vec![piece.clone(); *count];
    let pieces: Vec<_> = set.pieces().iter().flat_map(copies).collect();
    let columns = (pieces.len() as f64).sqrt().ceil() as usize;
    let reach = pieces.iter().flat_map(Piece::cells).map(|c| c.x.max(c.y)).max();
    let pitch = (f64::from(reach.unwrap_or(0)) + 1.5) * size.cell;
    let mesh = |(at, piece): (usize, &Piece)| {
        let height = piece.cells().iter().map(|c| c.z as u32 + 1).max().unwrap_or(1);
        let [column, row] = [at % columns, at / columns].map(|v| v as f64 * pitch);
        Mesh::new(piece.name(), piece.cells(), height, size).moved([column, -row, 0.0])
    };
    pieces.iter().enumerate().map(mesh).collect()
}
