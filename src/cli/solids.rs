//! Figures and pieces as things to print or to take apart: `export stl`, `obj` and `xmpuzzle`.

use super::facts::{likely_set, solution};
use super::input::piece_set;
use super::lookup::{Found, look_up};
use super::{Global, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::export::{Mesh, MeshSize, write_obj, write_stl, write_xmpuzzle};
use crate::figure::Figure;
use crate::pieces::{Piece, PieceSet};
use crate::solve::Limits;
use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::io::Write;

/// The most figures one puzzle file takes.
const MOST_FIGURES: usize = 1000;

/// Search nodes spent on a packing to export.
const NODES: u64 = 100_000_000;

/// What is exported as a solid, and how large.
#[derive(Args, Debug)]
pub(super) struct SolidArgs {
    /// The figure: a file, a signature, or a name in the catalog.
    #[arg(long, value_name = "FIGURE", conflicts_with = "FilterArgs", help_heading = "Solids")]
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
    /// The pieces, as for `count`; if not given, those of the catalog, else whole sets of so many cells.
    #[arg(long = "pieces", value_name = "SET", help_heading = "Solids")]
    pieces: Option<String>,
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
    /// An error if one of these options is given where it means nothing.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        let given = [
            ("--figure", self.figure.is_some()),
            ("--what", self.what.is_some()),
            ("--cell-size", self.cell_size.is_some()),
            ("--clearance", self.clearance.is_some()),
            ("--pieces", self.pieces.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => bail!("{name} goes with stl, obj and xmpuzzle only"),
            None => Ok(()),
        }
    }
}

/// Writes the figure, the pieces, or the puzzle.
pub(super) fn write_solids(
    global: &Global,
    args: &SolidArgs,
    format: SolidFormat,
    filter: &Filter,
    mut out: &mut dyn Write,
) -> anyhow::Result<()> {
    let set = args.pieces.as_deref().map(piece_set).transpose()?;
    if format == SolidFormat::Xmpuzzle {
        if args.what.is_some() || args.cell_size.is_some() || args.clearance.is_some() {
            bail!("--what, --cell-size and --clearance go with stl and obj only");
        }
        let figures = figures(global, args, filter, MOST_FIGURES)?;
        let puzzles: anyhow::Result<Vec<(String, Figure, PieceSet)>> =
            figures.into_iter().map(|found| with_set(found, set.as_ref())).collect();
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
            let mut found = figures(global, args, filter, 1)?;
            let Some(found) = found.pop() else { bail!("no figure to export") };
            match what {
                What::Figure => {
                    let figure = &found.figure;
                    let height = figure.extents()[2];
                    vec![Mesh::new(&found.name, figure.cells(), height, size)]
                }
                What::Packing => packed(&found, set.as_ref(), size)?,
                What::Pieces => side_by_side(&with_set(found, None)?.2, size),
            }
        }
    };
    match format {
        SolidFormat::Stl => write_stl(&meshes, &mut out)?,
        _ => write_obj(&meshes, &mut out)?,
    }
    Ok(())
}

/// The figure asked for, or those the filter leaves, `most` at most.
fn figures(
    global: &Global,
    args: &SolidArgs,
    filter: &Filter,
    most: usize,
) -> anyhow::Result<Vec<Found>> {
    let found = if let Some(figure) = &args.figure {
        look_up(global, figure, None)?
    } else {
        let catalog = Catalog::open_read_only(&global.db)?;
        let mut signatures = BTreeSet::new();
        let mut names = Vec::new();
        catalog.select::<anyhow::Error>(filter, |called| {
            if names.len() <= most && signatures.insert(called.record.signature.clone()) {
                names.push((called.record.name, called.record.signature));
            }
            Ok(())
        })?;
        let mut all = Vec::new();
        for (name, signature) in names {
            for mut found in look_up(global, &signature, None)? {
                found.name = name.clone().unwrap_or(found.name);
                all.push(found);
            }
        }
        all
    };
    match found.len() {
        0 => bail!("nothing in {} matches", global.db.display()),
        n if n > most && most == 1 => {
            bail!("{n} figures or more; name one with --figure, by signature if need be")
        }
        n if n > most => bail!("{n} figures or more; a puzzle file takes up to {most}"),
        _ => Ok(found),
    }
}

fn with_set(found: Found, set: Option<&PieceSet>) -> anyhow::Result<(String, Figure, PieceSet)> {
    let set = set.cloned().or_else(|| likely_set(&found));
    let set = set.ok_or_else(|| {
        anyhow!(
            "{}: no whole set fills {} cells; name one with --pieces",
            found.name,
            found.figure.len()
        )
    })?;
    Ok((found.name, found.figure, set))
}

/// The pieces where some packing has them.
fn packed(found: &Found, set: Option<&PieceSet>, size: MeshSize) -> anyhow::Result<Vec<Mesh>> {
    let set = set.cloned().or_else(|| likely_set(found));
    let set = set.ok_or_else(|| anyhow!("no whole set fills it; name one with --pieces"))?;
    let stop = stop_on_signals()?;
    let limits = Limits { nodes: Some(NODES), stop: Some(stop), ..Limits::default() };
    let (solution, why) = solution(found, &set, limits)?;
    let Some(solution) = solution else {
        bail!("no packing to export: {}", why.unwrap_or_default());
    };
    let height = found.figure.extents()[2];
    let mesh = |(name, cells): &(char, Vec<_>)| Mesh::new(&name.to_string(), cells, height, size);
    Ok(solution.pieces.iter().map(mesh).collect())
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
