//! Figures and pieces as things to print or to take apart: `export stl`, `obj` and `xmpuzzle`.

use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::input::piece_set;
use super::{Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::dossier::{Packing, Subject, look_up};
use crate::export::{Mesh, MeshSize, write_obj, write_stl, write_xmpuzzle};
use crate::figure::Figure;
use crate::pieces::{Piece, PieceSet};
use crate::run::default_limits;
use crate::solve::Limits;
use clap::{Args, ValueEnum};
use std::collections::HashSet;
use std::io::Write;

/// The most figures one puzzle file takes.
const MOST_FIGURES: usize = 1000;

const EITHER: &str = "filters choose figures, and --figure names one: give either";

/// Search nodes spent on a packing to export.
const NODES: u64 = 100_000_000;

// What is exported as a solid, and how large.
#[derive(Args, Debug)]
pub(super) struct SolidArgs {
    /// The figure: a file, a signature, or a name in the catalog.
    #[arg(long, value_name = "FIGURE", help_heading = "Solids")]
    figure: Option<String>,
    /// For stl and obj: the figure as one solid, the pieces as they fill it, or each piece beside the
    /// next, ready to print.
    #[arg(long, value_enum, help_heading = "Solids")]
    what: Option<What>,
    /// For stl and obj: from cell to cell, in millimeters [default: 20].
    #[arg(long, value_name = "MM", help_heading = "Solids")]
    cell_size: Option<f64>,
    /// For stl and obj: between solids that touch, in millimeters; cells that touch only along an edge
    /// are kept apart as well [default: 0.2].
    #[arg(long, value_name = "MM", help_heading = "Solids")]
    clearance: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug, Default)]
enum What {
    #[default]
    Figure,
    Packing,
    Pieces,
}

/// The formats of solids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SolidFormat {
    Stl,
    Obj,
    Xmpuzzle,
}

impl SolidArgs {
    /// Whether it is said how a solid is made.
    pub(super) fn shapes_solids(&self) -> bool {
        self.what.is_some() || self.cell_size.is_some() || self.clearance.is_some()
    }

    /// An error if one of these options is given where it means nothing.
    pub(super) fn refuse(&self) -> Result<()> {
        let given = [
            ("--figure", self.figure.is_some()),
            ("--what", self.what.is_some()),
            ("--cell-size", self.cell_size.is_some()),
            ("--clearance", self.clearance.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::usage(format!(
                "{name} goes with stl, obj, xmpuzzle, dlx and cnf only"
            ))),
            None => Ok(()),
        }
    }
}

/// The one figure that is asked for, and its pieces.
pub(super) fn one_subject(
    global: &Global,
    args: &SolidArgs,
    filters: &FilterArgs,
) -> Result<(Subject, PieceSet)> {
    if args.figure.is_some() && filters.is_given_beyond_set() {
        return Err(Failure::usage(EITHER));
    }
    let set = filters.set().filter(|_| args.figure.is_some()).map(piece_set).transpose()?;
    let subject = subjects(global, args, &filters.filter()?, 1)?.pop();
    let subject = subject.ok_or_else(|| Failure::failed("no figure to export"))?;
    let set = set_of(&subject, set.as_ref())?;
    Ok((subject, set))
}

/// Writes the figure, the pieces, or the puzzle.
pub(super) fn write_solids(
    global: &Global,
    args: &SolidArgs,
    format: SolidFormat,
    filters: &FilterArgs,
    mut out: &mut dyn Write,
) -> Result<()> {
    if args.figure.is_some() && filters.is_given_beyond_set() {
        return Err(Failure::usage(EITHER));
    }
    // Without filters there is no other use for a set than to say which pieces are meant.
    let alone = args.figure.is_some() || args.what == Some(What::Pieces);
    let set = filters.set().filter(|_| alone).map(piece_set).transpose()?;
    let filter = &filters.filter()?;
    if format == SolidFormat::Xmpuzzle {
        if args.shapes_solids() {
            let text = "--what, --cell-size and --clearance go with stl and obj only";
            return Err(Failure::usage(text));
        }
        let subjects = subjects(global, args, filter, MOST_FIGURES)?;
        let puzzles: Result<Vec<(String, Figure, PieceSet)>> = subjects
            .into_iter()
            .map(|subject| {
                let set = set_of(&subject, set.as_ref())?;
                Ok((subject.name, subject.figure, set))
            })
            .collect();
        return Ok(write_xmpuzzle(&puzzles?, &mut out)?);
    }
    let default = MeshSize::default();
    let size = MeshSize::new(
        args.cell_size.unwrap_or(default.cell),
        args.clearance.unwrap_or(default.clearance),
    )?;
    let what = args.what.unwrap_or_default();
    let meshes = match (what, set) {
        (What::Pieces, Some(set)) => side_by_side(&set, size),
        (What::Pieces, None) if args.figure.is_none() => side_by_side(&PieceSet::soma(1), size),
        (_, set) => {
            let subject = subjects(global, args, filter, 1)?.pop();
            let subject = subject.ok_or_else(|| Failure::failed("no figure to export"))?;
            match what {
                What::Figure => {
                    let figure = &subject.figure;
                    let height = figure.extents()[2];
                    vec![Mesh::new(&subject.name, figure.cells(), height, size)]
                }
                What::Packing => packed(&subject, set.as_ref(), size)?,
                What::Pieces => side_by_side(&set_of(&subject, None)?, size),
            }
        }
    };
    match format {
        SolidFormat::Stl => write_stl(&meshes, &mut out)?,
        _ => write_obj(&meshes, &mut out)?,
    }
    Ok(())
}

/// The figure asked for, or those the filter leaves, `most` at most. Of the sets that a figure was counted with, those
/// of rows that the filter leaves out do not count.
fn subjects(
    global: &Global,
    args: &SolidArgs,
    filter: &Filter,
    most: usize,
) -> Result<Vec<Subject>> {
    let subjects = if let Some(figure) = &args.figure {
        look_up(&global.db, figure, None, &eprintln)?
    } else {
        let catalog = Catalog::open_read_only(&global.db)?;
        let sets = catalog.sets_by_name()?;
        let mut known = HashSet::new();
        let mut figures = Vec::new();
        catalog.select::<Failure>(filter, |row| {
            if figures.len() <= most && known.insert(row.record.signature.clone()) {
                figures.push(row);
            }
            Ok(())
        })?;
        let subject = |row| Ok(Subject::of_rows(&catalog, vec![row], &sets, filter.name.as_ref())?);
        figures.into_iter().map(subject).collect::<Result<_>>()?
    };
    let failed = |text: String| Err(Failure::failed(text));
    match subjects.len() {
        0 => failed(format!("nothing in {} matches", global.db.display())),
        n if n > most && most == 1 => {
            failed(format!("{n} figures or more; name one with --figure, by signature if need be"))
        }
        n if n > most => failed(format!("{n} figures or more; a puzzle file takes up to {most}")),
        _ => Ok(subjects),
    }
}

/// The pieces to speak of with a figure.
fn set_of(subject: &Subject, set: Option<&PieceSet>) -> Result<PieceSet> {
    let set = set.cloned().or_else(|| subject.likely_set());
    set.ok_or_else(|| {
        let (name, cells) = (&subject.name, subject.figure.len());
        let text = format!("{name}: no standard set has {cells} cells; choose one with --set");
        Failure::failed(text)
    })
}

/// The pieces where some packing has them.
fn packed(subject: &Subject, set: Option<&PieceSet>, size: MeshSize) -> Result<Vec<Mesh>> {
    let set = set_of(subject, set)?;
    let stop = stop_on_signals()?;
    let limits = Limits { nodes: Some(NODES), ..default_limits(stop) };
    let entry = subject.file.as_ref().map(|file| &file.entry);
    let published = Packing::published(&subject.figure, entry, &subject.origins, &set);
    let packing = Packing::find(&subject.figure, published, &set, limits);
    let packing = packing.map_err(|why| Failure::failed(format!("no packing to export: {why}")))?;
    let height = subject.figure.extents()[2];
    let mesh = |(name, cells): &(char, Vec<_>)| Mesh::new(&name.to_string(), cells, height, size);
    Ok(packing.pieces.iter().map(mesh).collect())
}

/// Every piece of a set on the ground, in rows.
fn side_by_side(set: &PieceSet, size: MeshSize) -> Vec<Mesh> {
    let copies = |(piece, count): &(Piece, usize)| vec![piece.clone(); *count];
    let pieces: Vec<_> = set.pieces().iter().flat_map(copies).collect();
    let columns = (pieces.len() as f64).sqrt().ceil() as usize;
    let reach = pieces.iter().flat_map(Piece::cells).map(|c| c.x.max(c.y)).max();
    let pitch = (f64::from(reach.unwrap_or(0)) + 1.5) * size.cell;
    let mesh = |(at, piece): (usize, &Piece)| {
        let height = piece.cells().iter().map(|c| c.z as u32 + 1).max().unwrap_or(1);
        let [column, row] = [at % columns, at / columns].map(|v| v as f64 * pitch);
        Mesh::new(&piece.name().to_string(), piece.cells(), height, size).moved([column, -row, 0.0])
    };
    pieces.iter().enumerate().map(mesh).collect()
}
