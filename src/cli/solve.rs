//! `somacat solve`: the packings themselves.

use super::input::{Entries, piece_set};
use super::nearest::Nearest;
use super::output::OutputArgs;
use super::packings::{PackingSink, Pieces};
use super::trace::TraceObject;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::figure::{Figure, Signature, prefilter};
use crate::formats::{Format, Marks, OpenError};
use crate::pieces::PieceSet;
use crate::run::placed_pieces;
use crate::solve::{
    Images, Limits, Placement, Problem, Remainder, Report, Verdict, first, trace, visit,
};
use anyhow::{Context, anyhow};
use clap::Args;
use std::ops::ControlFlow;
use std::path::Path;

/// Write the packings of a figure
#[derive(Args, Debug)]
#[command(after_help = "\
The figure is a file (or - for standard input), a signature, or a name in the catalog. In SOMA text
a figure may show pieces in place: digits or letters for them, one of * # o O x X + ? @ for free
cells. The rest is solved.

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
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// One packing, as fast as one can be found.
    #[arg(long, conflicts_with_all = ["limit", "unique"])]
    first: bool,
    /// At most so many packings of a figure.
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

/// A figure to solve.
struct Asked {
    name: String,
    figure: Figure,
    placed: Option<Marks>,
}

pub(super) fn solve(global: &Global, args: &SolveArgs) -> anyhow::Result<Exit> {
    let set = piece_set(&args.set)?;
    let stop = stop_on_signals()?;
    let (asked, faults) = asked(global, args)?;
    let mut sink = if args.trace { None } else { Some(PackingSink::new(args.output)?) };
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    for one in &asked {
        let open = Open::new(one, &set).with_context(|| one.name.clone())?;
        let told = match &mut sink {
            Some(sink) => packings(&open, args, limits, sink),
            None => traced(&open, args, limits),
        };
        let told = told.with_context(|| one.name.clone())?;
        if !global.quiet {
            eprintln(&format!("{}: {told}", one.name));
        }
        if limits.stopped() {
            break;
        }
    }
    if let Some(mut sink) = sink {
        sink.finish()?;
    }
    Ok(match faults {
        _ if limits.stopped() => Exit::Stopped,
        0 => Exit::Ok,
        _ => Exit::Partial,
    })
}

/// The figures meant by the argument, and the number of faulty entries beside them.
fn asked(global: &Global, args: &SolveArgs) -> anyhow::Result<(Vec<Asked>, u64)> {
    let text = args.figure.as_str();
    if text == "-" || Path::new(text).exists() {
        let mut entries = Entries::open(Path::new(text), args.format)?;
        let list = entries.chunk(usize::MAX)?;
        entries.require_any()?;
        let ask = |e: crate::formats::Entry| Asked {
            name: e.label(),
            figure: e.figure,
            placed: e.placed,
        };
        return Ok((list.into_iter().map(ask).collect(), entries.faults));
    }
    if let Ok(signature) = text.parse::<Signature>() {
        let figure = signature.figure()?;
        return Ok((vec![Asked { name: text.to_owned(), figure, placed: None }], 0));
    }
    let unknown = || {
        let path = Path::new(text);
        if path.extension().is_some() || path.components().nth(1).is_some() {
            return OpenError::Missing(text.to_owned()).into();
        }
        anyhow!("`{text}` is no file, no signature (s1-…) and no name in {}", global.db.display())
    };
    let catalog = Catalog::open_read_only(&global.db).map_err(|_| unknown())?;
    let filter = Filter { name: Some(text.to_owned()), ..Filter::default() };
    let mut found = Vec::new();
    catalog.select::<anyhow::Error>(&filter, |called| {
        let signature: Signature = called.record.signature.parse()?;
        let name = called.record.name.unwrap_or_else(|| signature.to_string());
        found.push(Asked { name, figure: signature.figure()?, placed: None });
        Ok(())
    })?;
    if found.is_empty() {
        let mut nearest = Nearest::to(text, 5);
        catalog.each_name(|name| nearest.consider(name))?;
        return Err(anyhow!("{}{}", unknown(), nearest.suggestion()));
    }
    Ok((found, 0))
}

/// A figure with the pieces in place taken out.
struct Open<'a> {
    asked: &'a Asked,
    set: &'a PieceSet,
    placed: Vec<Placement>,
    remainder: Option<Remainder>,
}

impl<'a> Open<'a> {
    fn new(asked: &'a Asked, set: &'a PieceSet) -> anyhow::Result<Self> {
        let placed = asked.placed.as_ref().map(|marks| placed_pieces(marks, set));
        let placed = placed.transpose().map_err(anyhow::Error::msg)?;
        let remainder = placed.as_ref().map(|placed| Remainder::new(&asked.figure, set, placed));
        Ok(Self {
            asked,
            set,
            remainder: remainder.transpose()?,
            placed: placed.unwrap_or_default(),
        })
    }

    fn problem(&self) -> Problem<'_> {
        let whole = || Problem::new(&self.asked.figure, self.set);
        self.remainder.as_ref().map_or_else(whole, Remainder::problem)
    }

    fn by_name(&self, placements: &[Placement]) -> Pieces {
        let by_name = |p: &Placement| (self.set.pieces()[p.piece].0.name(), p.cells.clone());
        placements.iter().map(by_name).collect()
    }

    /// Placements of the search by name, in the figure's coordinates.
    fn found(&self, placements: &[Placement]) -> Pieces {
        match &self.remainder {
            Some(rest) => rest.in_whole(placements),
            None => self.by_name(placements),
        }
    }

    /// A packing with the pieces that were in place, in the order of the set.
    fn whole(&self, packing: &[Placement]) -> Pieces {
        let mut pieces = self.found(packing);
        pieces.extend(self.by_name(&self.placed));
        let position = |name: char| self.set.pieces().iter().position(|(p, _)| p.name() == name);
        pieces.sort_by_key(|(name, cells)| (position(*name), cells.clone()));
        pieces
    }
}

/// Writes the packings of a figure; returns what became of it in words.
fn packings(
    open: &Open<'_>,
    args: &SolveArgs,
    limits: Limits<'_>,
    sink: &mut PackingSink,
) -> anyhow::Result<String> {
    let problem = open.problem();
    let (mut written, mut failed) = (0_u64, None);
    let mut write = |packing: &[Placement]| {
        written += 1;
        failed = sink.packing(&open.asked.name, written, &open.whole(packing)).err();
        let enough = args.limit.is_some_and(|most| written >= most);
        if enough || failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = if args.first {
        let (packing, report) = first(&problem, limits)?;
        if let Some(packing) = packing {
            let _ = write(&packing);
        }
        report
    } else {
        let images = args.unique.then(|| Images::of(&problem));
        visit(&problem, limits, &mut |packing| {
            let wanted = images.as_ref().is_none_or(|images| images.is_least(packing));
            if wanted { write(packing) } else { ControlFlow::Continue(()) }
        })?
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(told(&report, &format!("{written} written"), open)),
    }
}

/// Writes what the search tries; returns what became of it in words.
fn traced(open: &Open<'_>, args: &SolveArgs, limits: Limits<'_>) -> anyhow::Result<String> {
    let limits = Limits { packings: args.limit.map(u128::from), ..limits };
    let done = trace(&open.problem(), limits, args.steps as usize)?;
    let asked = open.asked;
    let in_place = open.by_name(&open.placed);
    let names = (asked.name.as_str(), open.set.name());
    let found = |placements: &[Placement]| open.found(placements);
    TraceObject::new(names, asked.figure.cells(), &in_place, &done, found).write()?;
    let cut = if done.complete { "the whole search" } else { "the beginning of the search" };
    let written = format!("{} steps written, {cut}", done.steps.len());
    Ok(told(&done.report, &written, open))
}

/// The result in words.
fn told(report: &Report, written: &str, open: &Open<'_>) -> String {
    match (report.verdict, report.reason) {
        (Verdict::Counted, _) => {
            let number = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
            format!(
                "{written}; {} packings, {} up to rotation, {} up to rotation and reflection",
                report.raw,
                number(report.rotation),
                number(report.unique)
            )
        }
        (Verdict::Unsolvable, Some(reason)) => match prefilter(&open.asked.figure, open.set) {
            Some(blocked) => format!("no packing ({reason}): {blocked}"),
            None => format!("no packing ({reason})"),
        },
        (Verdict::Unknown, _) => format!("{written}; stopped before a packing was found"),
        _ => format!("{written}; there are at least {}", report.raw),
    }
}
