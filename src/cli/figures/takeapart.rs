//! `somacat takeapart`: whether the pieces of packings come out by straight moves.

use super::open_figure::OpenFigure;
use super::packings::NamedPieces;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::input::{FigureArgs, RequestedFigure, RequestedFigures, SetArg, no_figure};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln, stop_on_signals};
use clap::Args;
use rayon::prelude::*;
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, first, visit};
use somacat_counting::takeapart::{TakenApart, take_apart};
use somacat_formats::{Format, count_noun};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use somacat_output::export::Spelling;
use somacat_run::default_limits;
use std::collections::HashSet;
use std::ops::ControlFlow;

#[derive(Args, Debug)]
#[command(after_help = "\
A move takes one piece, or a group of pieces together, straight in one direction until it is clear
of the pieces that stay. Group and rest are then taken apart by themselves. A packing comes apart if
such moves separate all pieces. Nothing else is in the way: no table, no gravity. The answer is
exact, because a possible move never makes another one impossible.

A row is a packing: one for each class under the figure's rotations and reflections, numbered as by
`solve --unique`; with --limit the first ones that are found, numbered from 1. order lists the
moves: the letters of the pieces, then the direction, in the coordinates of the figure, where -z is
up. With `V -z, L T +x, L -z`, V is lifted out, L and T leave together to the right, and L is lifted
off T. The last piece does not move. Groups move only where no single piece can. Pieces that no move
separates are in parentheses at the end, as in `V -z, (L T)`: they interlock. Copies of a piece are
numbered as `solve` lists them: V1, V2.

With --totals, a row is a figure, of any number of figures: its packings up to symmetry, how many of
them come apart, and how many come apart one piece at a time.

Examples:
  somacat takeapart tower
  somacat takeapart cube --first
  somacat takeapart crystal --limit 20 --csv
  somacat enumerate buildable --class D4h | somacat takeapart --totals -")]
pub(crate) struct TakeApartArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// Only one packing, found as fast as possible.
    #[arg(long, conflicts_with_all = ["limit", "totals"])]
    first: bool,
    /// Stop after N packings.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only the numbers of packings, a row for each figure.
    #[arg(long, conflicts_with = "limit")]
    totals: bool,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The number of figures that are read together.
const BATCH_FIGURES: usize = 1024;

pub(crate) fn takeapart(global: &Global, args: &TakeApartArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let limits = default_limits(stop);
    if args.totals {
        return totals(global, args, limits);
    }
    let Some((requested, set)) = args.subject.read(global, args.format)? else {
        return Ok(no_figure());
    };
    let mut rows = args.output.rows(&["packing", "comes_apart", "order"])?;
    let selection = match args.limit {
        _ if args.first => Selection::First,
        Some(_) => Selection::Met,
        None => Selection::Least,
    };
    let mut failed = None;
    let found =
        take_all_apart(&requested, &set, selection, limits, &mut |number, pieces, taken| {
            let apart = if taken.comes_apart() { "yes" } else { "no" };
            let order = order_text(&taken, pieces);
            failed = rows.row(&[number.into(), apart.into(), order.as_str().into()]).err();
            let goes_on = failed.is_none() && args.limit.is_none_or(|most| number < most);
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .context(requested.label.clone())?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    rows.finish()?;
    global.note(&format!(
        "{}: {}",
        requested.label,
        found.summary(&format!(" with {}", set.name()))
    ));
    Ok(if limits.stopped() { Exit::Stopped } else { Exit::Ok })
}

/// The numbers of packings of a figure, up to symmetry.
#[derive(Default)]
struct Totals {
    packings: u64,
    come_apart: u64,
    one_at_a_time: u64,
    /// True if these are not all packings.
    cut: bool,
}

impl Totals {
    fn summary(&self, with: &str) -> String {
        let number = match self.packings {
            0 if self.cut => return format!("stopped before a packing{with} was found"),
            0 => return format!("no packing{with}"),
            1 if self.cut => "the first packing".to_owned(),
            number if self.cut => format!("the first {}", count_noun(number, "packing")),
            number => count_noun(number, "packing"),
        };
        format!(
            "{number}{with}: {} apart by straight moves, {} of these one piece at a time; {} with interlocked pieces",
            self.come_apart,
            self.one_at_a_time,
            self.packings - self.come_apart,
        )
    }
}

/// The packings that are taken apart.
#[derive(Clone, Copy)]
enum Selection {
    /// One packing, found as fast as possible.
    First,
    /// The first packing found of each class. Those found are kept: in a large search that ends early, few packings are
    /// the least of their classes.
    Met,
    /// The least packing of each class.
    Least,
}

/// Takes packings of a figure apart and passes each on with its number from 1.
fn take_all_apart(
    requested: &RequestedFigure,
    set: &PieceSet,
    selection: Selection,
    limits: Limits<'_>,
    each: &mut dyn FnMut(u64, &NamedPieces, TakenApart) -> ControlFlow<()>,
) -> Result<Totals> {
    let open = OpenFigure::new(requested, set)?;
    let problem = open.problem();
    let mut found = Totals::default();
    let mut take = |packing: &[Placement]| {
        let pieces = open.whole(packing);
        let cells: Vec<Vec<Cell>> = pieces.iter().map(|(_, cells)| cells.clone()).collect();
        let taken = take_apart(&cells);
        found.packings += 1;
        found.come_apart += u64::from(taken.comes_apart());
        found.one_at_a_time += u64::from(taken.is_one_at_a_time());
        each(found.packings, &pieces, taken)
    };
    let report = if matches!(selection, Selection::First) {
        let (packing, report) = first(&problem, limits)?;
        packing.iter().for_each(|packing| _ = take(packing));
        report
    } else {
        let (symmetries, mut met) = (PackingSymmetries::of(&problem), HashSet::new());
        let mut is_new = |packing: &[Placement]| match selection {
            Selection::Met => met.insert(symmetries.least(packing)),
            _ => symmetries.is_least(packing),
        };
        visit(&problem, limits, &mut |packing| match is_new(packing) {
            true => take(packing),
            false => ControlFlow::Continue(()),
        })?
    };
    found.cut = !report.outcome.is_exact();
    Ok(found)
}

/// Writes the totals of any number of figures.
fn totals(global: &Global, args: &TakeApartArgs, limits: Limits<'_>) -> Result<Exit> {
    let set = SetArg::new(args.subject.set.as_deref())?;
    let figure = std::slice::from_ref(&args.subject.figure);
    let mut figures = RequestedFigures::open(global, figure, args.format, Some(&set))?;
    let columns = ["name", "packings", "come_apart", "one_at_a_time"];
    let mut rows = args.output.rows(&columns)?;
    let (mut all, mut number, mut refused) = (Totals::default(), 0_u64, 0);
    while let chunk = figures.chunk(BATCH_FIGURES)?
        && !chunk.is_empty()
        && !limits.stopped()
    {
        let total = |requested: &RequestedFigure| -> Result<Totals> {
            let set = set.for_figure(requested).map_err(Failure::failed)?;
            take_all_apart(requested, &set, Selection::Least, limits, &mut |_, _, _| {
                ControlFlow::Continue(())
            })
        };
        let found: Vec<Result<Totals>> = chunk.par_iter().map(total).collect();
        for (requested, found) in chunk.iter().zip(found) {
            match found {
                // Packings that a stop cut off would be missing.
                Ok(found) if found.cut => {}
                Ok(found) => {
                    let Totals { packings, come_apart, one_at_a_time, .. } = found;
                    let numbers = [packings, come_apart, one_at_a_time].map(Into::into);
                    let name = std::iter::once(requested.label.as_str().into());
                    rows.row(&name.chain(numbers).collect::<Vec<_>>())?;
                    number += 1;
                    all.packings += packings;
                    all.come_apart += come_apart;
                    all.one_at_a_time += one_at_a_time;
                }
                Err(Failure::Error(_, error)) => {
                    eprintln(&format!("{}: {error:#}", requested.label));
                    refused += 1;
                }
                Err(closed) => return Err(closed),
            }
        }
    }
    rows.finish()?;
    let with = set.fixed().map_or_else(String::new, |set| format!(" with {}", set.name()));
    let figures_text = count_noun(number, "figure");
    match number {
        0 => global.note(&figures_text),
        _ => global.note(&format!("{figures_text}: {}", all.summary(&with))),
    }
    Ok(match figures.faults() + refused {
        _ if limits.stopped() => Exit::Stopped,
        0 => Exit::Ok,
        _ => Exit::Partial,
    })
}

/// Writes moves and interlocked groups in words: `V -z, L T +x, (A B)`. Copies of a piece have numbers.
fn order_text(taken: &TakenApart, pieces: &NamedPieces) -> String {
    let name = |&at: &usize| {
        let letter = pieces[at].0;
        let is_copy = |(other, _): &&(char, Vec<Cell>)| *other == letter;
        match pieces.iter().filter(is_copy).count() {
            1 => letter.to_string(),
            _ => format!("{letter}{}", pieces[..=at].iter().filter(is_copy).count()),
        }
    };
    let names = |group: &[usize]| group.iter().map(name).collect::<Vec<_>>().join(" ");
    let moves =
        taken.moves.iter().map(|one| format!("{} {}", names(&one.pieces), one.direction.word()));
    let interlocked = taken.interlocked.iter().map(|group| format!("({})", names(group)));
    moves.chain(interlocked).collect::<Vec<_>>().join(", ")
}
