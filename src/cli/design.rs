//! `somacat design`: finds the choices of pieces that build a figure.

use super::failure::Result;
use super::input::{Figures, SetArg, no_figure, piece_set};
use super::output::OutputArgs;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::formats::{Format, count_noun};
use crate::outcome::{Counts, Outcome};
use crate::pieces::PieceSet;
use crate::run::default_limits;
use crate::solve::{EngineChoice, Limits, Problem, count, for_each_choice};
use clap::Args;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The number of choices that are counted before their rows are written.
const BATCH_CHOICES: usize = 1024;

#[derive(Args, Debug)]
#[command(after_help = "\
Writes one row for each choice of N pieces that builds the figure: the pieces, their packings (raw,
up to rotation, unique), and the nodes of the search that counted them, a measure of difficulty.
A choice has each piece at most as often as the universe has it, or with --repeat any number of
times. A choice and its mirror image are different choices.

Rows are written during the search, in the order of the universe: more of its first pieces first.
After Ctrl-C they are complete up to some choice.

Examples:
  somacat design cube --from 2xSOMA --pieces 7
  somacat design cube --from pentacubes.txt --pieces 6 --unique 1 --csv > cubes.csv
  echo '44 44' | somacat design - --from tetracubes --pieces 4 --repeat")]
pub(crate) struct DesignArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The universe of pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a set of `somacat
    /// sets`, or a file of pieces.
    #[arg(long, value_name = "SET")]
    from: String,
    /// The number of pieces of a choice.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pieces: u32,
    /// Use each piece any number of times.
    #[arg(long)]
    repeat: bool,
    /// Only choices with K unique packings.
    #[arg(long, value_name = "K")]
    unique: Option<u64>,
    /// The file's format, soma, cells, heightmap, slices or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// A choice of pieces that builds the figure.
struct Design {
    pieces: String,
    counts: Counts,
    nodes: Option<u64>,
}

pub(super) fn design(global: &Global, args: &DesignArgs) -> Result<Exit> {
    let universe = piece_set(&args.from)?;
    let stop = stop_on_signals()?;
    let Some(requested) = Figures::one(global, &args.figure, args.format, &SetArg::Auto)? else {
        return Ok(no_figure());
    };
    let figure = &requested.figure;
    let universe = if args.repeat { repeated(&universe, figure.len()) } else { universe };
    let limits = Limits { engine: EngineChoice::Search, ..default_limits(stop) };
    let group = figure.canonical().group;
    let counted = |choice: &PieceSet| -> Result<Option<Design>> {
        let report = count(&Problem::with_group(figure, choice, group), limits)?;
        let Outcome::Counted(counts) = report.outcome else { return Ok(None) };
        Ok(Some(Design { pieces: choice.name().to_owned(), counts, nodes: report.nodes }))
    };
    let mut rows = args.output.rows(&["pieces", "raw", "rotation", "unique", "nodes"])?;
    let (mut tried, mut found, mut unique) = (0_usize, 0_usize, 0_usize);
    let mut write = |batch: Vec<PieceSet>| -> Result<()> {
        let results: Vec<_> = batch.par_iter().map(counted).collect();
        for design in results {
            let Some(Design { pieces, counts, nodes }) = design? else { continue };
            found += 1;
            unique += usize::from(counts.unique == 1);
            if args.unique.is_some_and(|wanted| u128::from(wanted) != counts.unique) {
                continue;
            }
            rows.row(&[
                pieces.into(),
                counts.raw.into(),
                counts.rotation.into(),
                counts.unique.into(),
                nodes.into(),
            ])?;
        }
        tried += batch.len();
        Ok(())
    };
    let (mut batch, mut failed) = (Vec::new(), None);
    let whole =
        for_each_choice(&universe, figure.len(), Some(args.pieces as usize), &mut |choice| {
            batch.push(choice);
            if batch.len() == BATCH_CHOICES {
                failed = write(std::mem::take(&mut batch)).err();
            }
            if failed.is_some() || limits.stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    if let Some(error) = failed {
        return Err(error);
    }
    if whole.is_continue() {
        write(batch)?;
    }
    rows.finish()?;
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    if !global.quiet {
        let choices = count_noun(tried, "choice");
        let name = &requested.label;
        eprintln(&format!("{name}: {found} of {choices} build it, {unique} in one way"));
    }
    Ok(Exit::Ok)
}

/// Returns the pieces with as many copies as the figure's cells allow.
fn repeated(universe: &PieceSet, cells: usize) -> PieceSet {
    let copies = |(piece, _): &(crate::pieces::Piece, usize)| (piece.clone(), cells / piece.size());
    PieceSet::new(universe.name(), universe.pieces().iter().map(copies))
}
