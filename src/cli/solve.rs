//! `somacat solve`: the packings themselves.

use super::failure::{About, Result};
use super::input::{Asked, Figures, SetArg};
use super::open_figure::OpenFigure;
use super::output::OutputArgs;
use super::packings::PackingSink;
use super::trace::TraceObject;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::export::Word;
use crate::figure::prefilter;
use crate::formats::{Format, quantity};
use crate::outcome::{Outcome, Reason, Report};
use crate::pieces::PieceSet;
use crate::run::default_limits;
use crate::solve::{Limits, PackingSymmetries, Placement, count_partial, first, trace, visit};
use clap::Args;
use std::ops::ControlFlow;

#[derive(Args, Debug)]
#[command(after_help = "\
The figure is a file (or - for standard input), a signature, or a name in the catalog, which is
solved with the set that the catalog has it with. In SOMA text a figure may show pieces in place:
digits or letters for them, one of * # o O x X + ? @ for free cells. The rest is solved.

With --partial figures are covered with some of the pieces: the packings of every choice that works.

Packings are written as SOMA text, where equal pieces bear different marks or do not touch. With
--json or --jsonl a packing is an object with the cells of each piece; with --csv, --tsv or --table
each piece is a row.

--trace writes one object a figure on one line, for a viewer that steps through the search:
  name, set, cells [[x,y,z],…], placed (pieces in place), complete, packings, and
  steps [{n, depth, piece, cells (positions in the list of cells), solved},…]
A step takes away the pieces at its depth and deeper, then places its own. This is the search that
solve makes: the whole figure, without regard to its symmetry, which count makes use of.

Examples:
  echo '333 333 333' | somacat solve --first -
  somacat solve --unique --jsonl s1-2x2x7-yzzzz7
  somacat solve --limit 10 tower
  somacat solve --trace --steps 500 tower > tower.json")]
pub(crate) struct SolveArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given.
    #[arg(long)]
    set: Option<String>,
    /// Cover figures with some of the pieces.
    #[arg(long, conflicts_with = "trace")]
    partial: bool,
    /// One packing, as fast as one can be found.
    #[arg(long, conflicts_with_all = ["limit", "unique"])]
    first: bool,
    /// Stop after N packings per figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only one packing of each class under the figure's rotations and reflections.
    #[arg(long)]
    unique: bool,
    /// The placements that the search tries, with their number, instead of packings.
    #[arg(long, conflicts_with_all = ["first", "unique", "OutputArgs"])]
    trace: bool,
    /// At most so many steps of a trace.
    #[arg(
        long, value_name = "N", default_value = "10000", requires = "trace",
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    steps: u32,
    /// The file's format, soma, cells, heightmap or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Figures read at a time.
const CHUNK: usize = 1024;

pub(super) fn solve(global: &Global, args: &SolveArgs) -> Result<Exit> {
    let argument = std::slice::from_ref(&args.figure);
    let mut figures = Figures::open(global, argument, args.format)?;
    let set = SetArg::new(args.set.as_deref())?;
    let stop = stop_on_signals()?;
    let mut sink = if args.trace { None } else { Some(PackingSink::new(args.output)?) };
    let limits = default_limits(stop);
    let mut refused = 0;
    loop {
        let chunk = figures.chunk(CHUNK)?;
        if chunk.is_empty() || limits.stopped() {
            break;
        }
        for asked in &chunk {
            let pieces = match set.of(asked) {
                Ok(pieces) => pieces,
                Err(why) => {
                    eprintln(&format!("{}: {why}", asked.label));
                    refused += 1;
                    continue;
                }
            };
            let summary = match &mut sink {
                Some(sink) if args.partial => partial(asked, &pieces, args, limits, sink),
                Some(sink) => whole(asked, &pieces, args, limits, sink),
                None => traced(asked, &pieces, args, limits),
            };
            let summary = summary.about(asked.label.clone())?;
            if !global.quiet {
                eprintln(&format!("{}: {summary}", asked.label));
            }
            if limits.stopped() {
                break;
            }
        }
    }
    if let Some(mut sink) = sink {
        sink.finish()?;
    }
    Ok(match figures.faults() + refused {
        _ if limits.stopped() => Exit::Stopped,
        0 => Exit::Ok,
        _ => Exit::Partial,
    })
}

/// Writes the packings with all pieces; returns what became of it in words.
fn whole(
    asked: &Asked,
    set: &PieceSet,
    args: &SolveArgs,
    limits: Limits<'_>,
    sink: &mut PackingSink,
) -> Result<String> {
    let open = OpenFigure::new(asked, set)?;
    let (written, report) = packings(&open, args, limits, 0, sink)?;
    Ok(in_words(&report, &format!("{written} written"), &open))
}

/// Writes the packings with every choice of pieces that works; returns what became of it in words.
fn partial(
    asked: &Asked,
    set: &PieceSet,
    args: &SolveArgs,
    limits: Limits<'_>,
    sink: &mut PackingSink,
) -> Result<String> {
    let placed = asked.placed(set)?.unwrap_or_default();
    // One packing tells whether a choice works.
    let probe = Limits { packings: Some(1), ..limits };
    let choices = count_partial(&asked.figure, set, &placed, probe)?;
    let (mut written, mut with) = (0, 0);
    for choice in &choices.reports {
        let enough = args.first && written > 0 || args.limit.is_some_and(|most| written >= most);
        if enough || limits.stopped() {
            break;
        }
        let open = OpenFigure::new(asked, &choice.pieces)?;
        let (some, _) = packings(&open, args, limits, written, sink)?;
        written += some;
        with += u64::from(some > 0);
    }
    let choices = choices.choices;
    Ok(format!("{written} written, with {with} of {} of pieces", quantity(choices, "choice")))
}

/// Writes the packings of a figure after `before` others; returns how many, and what the search came to.
fn packings(
    open: &OpenFigure<'_>,
    args: &SolveArgs,
    limits: Limits<'_>,
    before: u64,
    sink: &mut PackingSink,
) -> Result<(u64, Report)> {
    let problem = open.problem();
    let (mut written, mut failed) = (0_u64, None);
    let mut write = |packing: &[Placement]| {
        written += 1;
        let number = before + written;
        failed = sink.packing(&open.asked.label, number, &open.whole(packing)).err();
        let enough = args.limit.is_some_and(|most| number >= most);
        if enough || failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = if args.first {
        let (packing, report) = first(&problem, limits)?;
        if let Some(packing) = packing {
            let _ = write(&packing);
        }
        report
    } else {
        let symmetries = args.unique.then(|| PackingSymmetries::of(&problem));
        visit(&problem, limits, &mut |packing| {
            let wanted = symmetries.as_ref().is_none_or(|all| all.is_least(packing));
            if wanted { write(packing) } else { ControlFlow::Continue(()) }
        })?
    };
    failed.map_or(Ok((written, report)), Err)
}

/// Writes what the search tries; returns what became of it in words.
fn traced(asked: &Asked, set: &PieceSet, args: &SolveArgs, limits: Limits<'_>) -> Result<String> {
    let open = OpenFigure::new(asked, set)?;
    let limits = Limits { packings: args.limit.map(u128::from), ..limits };
    let done = trace(&open.problem(), limits, args.steps as usize)?;
    let in_place = open.by_name(&open.placed);
    let names = (asked.label.as_str(), set.name());
    let named = |placements: &[Placement]| open.named(placements);
    TraceObject::new(names, asked.figure.cells(), &in_place, &done, named).write()?;
    let cut = if done.complete { "the whole search" } else { "the beginning of the search" };
    let written = format!("{} written, {cut}", quantity(done.steps.len(), "step"));
    Ok(in_words(&done.report, &written, &open))
}

/// The result in words.
fn in_words(report: &Report, written: &str, open: &OpenFigure<'_>) -> String {
    match &report.outcome {
        Outcome::Counted(counts) => format!(
            "{written}; {}, {} up to rotation, {} up to rotation and reflection",
            quantity(counts.raw, "packing"),
            counts.rotation,
            counts.unique
        ),
        Outcome::Unsolvable(reason) => match prefilter(&open.asked.figure, open.set) {
            Some(blocked) => {
                let marked = *reason == Reason::Size && open.asked.marks_tell_pieces(open.set);
                let cure =
                    if marked { "; --set auto takes the pieces that the marks show" } else { "" };
                format!("no packing ({}): {blocked}{cure}", reason.word())
            }
            None => format!("no packing ({})", reason.word()),
        },
        Outcome::AtLeast(raw) => format!("{written}; there are at least {raw}"),
        Outcome::Unknown => format!("{written}; stopped before a packing was found"),
        Outcome::Failed(error) => format!("{written}; failed: {error}"),
    }
}
