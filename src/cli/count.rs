//! `somacat count`: figures in, one row each out, without a catalog.

use super::input::{Entries, piece_set};
use super::output::{OutputArgs, Style};
use super::{Exit, eprintln, stop_on_signals};
use crate::catalog::Record;
use crate::export::{Field, record_fields};
use crate::figure::{Canonical, Identity};
use crate::formats::{Entry, Format, Marks};
use crate::pieces::PieceSet;
use crate::run::placed_pieces;
use crate::solve::{
    self, Engine, Limits, Problem, Reason, Remainder, Report, Verdict, count_partial, guarded,
    unique_by_part,
};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::Instant;

/// Figures counted at a time before their rows are written.
const CHUNK: usize = 2048;

/// Count the packings of every figure of a file; no catalog needed
#[derive(Args, Debug)]
#[command(after_help = "\
Writes CSV unless another output is chosen, one row per figure in the order of the input:
name,cells,signature,class,order,parity,verdict,reason,raw,rotation,unique,nodes,micros,engine

In SOMA text a figure may show pieces in place: digits or letters for them, one of * # o O x X + ? @
for free cells. What is left is counted. With the verdict `solvable` the search stopped at a limit
and raw means \"at least\"; with `unknown` it found nothing before it stopped.

With --partial a choice of pieces without a row has no packing. Limits hold for each choice. A row
without `pieces` speaks of all choices that have no row: none works, or, with the verdict `unknown`,
the program was stopped before they were tried.

Examples:
  echo '333 333 333' | somacat count -
  somacat count --set 2xSOMA --limit 1 double.soma
  somacat count --set 'V L T2' --table eleven-cells.soma
  somacat count --partial --set 2xSOMA figures.soma")]
pub(crate) struct CountArgs {
    /// The file, or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// Cover figures with some of the pieces: one row for each choice of pieces that works, and a
    /// column `pieces` that names it.
    #[arg(long, conflicts_with = "by_part")]
    partial: bool,
    /// Add a column `unique_by_part`: packings up to moving each separate part by itself. For
    /// figures with millions of packings at most.
    #[arg(long)]
    by_part: bool,
    /// Stop at so many packings of a figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Stop after so many search nodes of a figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How to count. The search walks through the packings; the frontier engine counts alike ones
    /// together and holds its states in memory; auto searches first and counts with the frontier
    /// engine what takes long. With frontier, nodes are states.
    #[arg(long, value_name = "auto|search|frontier", default_value = "auto", value_parser = engine)]
    engine: Choice,
    /// Memory for the frontier engine, in bytes or like 500M or 4G: what does not fit is refused, or
    /// with auto left to the search.
    #[arg(long, value_name = "BYTES", default_value = "3GiB", value_parser = bytes)]
    memory: u64,
    /// The file's format, soma, cells, heightmap or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn count(args: &CountArgs) -> anyhow::Result<Exit> {
    let set = piece_set(&args.set)?;
    let mut entries = Entries::open(&args.file, args.format)?;
    let stop = stop_on_signals()?;
    let limits = Limits {
        packings: args.limit.map(u128::from),
        nodes: args.nodes,
        stop: Some(stop),
        engine: args.engine.0,
        memory: Some(args.memory),
    };
    let mut columns = Record::COLUMNS.to_vec();
    columns.extend(args.partial.then_some("pieces"));
    columns.extend(args.by_part.then_some("unique_by_part"));
    let mut rows = args.output.rows(Style::Csv, &columns)?;
    let mut failed = false;
    let mut chunk = entries.chunk(CHUNK)?;
    while !chunk.is_empty() {
        // The next figures are read while these are counted.
        let (all, next) = rayon::join(
            || chunk.par_iter().map(|e| said(e, &set, args, limits)).collect::<Vec<_>>(),
            || entries.chunk(CHUNK),
        );
        for said in &all {
            failed |= said.failed;
            said.note.iter().for_each(|note| eprintln(note));
            for (record, extra) in &said.rows {
                let mut fields = record_fields(record).to_vec();
                fields.extend(extra.clone());
                rows.row(&fields)?;
            }
        }
        if limits.stopped() {
            rows.finish()?;
            return Ok(Exit::Stopped);
        }
        chunk = next?;
    }
    rows.finish()?;
    entries.require_any()?;
    Ok(if failed || entries.faults > 0 { Exit::Partial } else { Exit::Ok })
}

/// What is said of one entry.
#[derive(Default)]
struct Said {
    /// The rows, each with the value of the additional column if there is one.
    rows: Vec<(Record, Option<Field<'static>>)>,
    /// What no column tells.
    note: Option<String>,
    /// Something could not be counted.
    failed: bool,
}

/// An engine, or none for auto.
#[derive(Clone, Copy, Debug)]
struct Choice(Option<Engine>);

fn engine(text: &str) -> Result<Choice, String> {
    if text == "auto" {
        return Ok(Choice(None));
    }
    text.parse().map(|engine| Choice(Some(engine))).map_err(|error| format!("{error}, and auto"))
}

/// A number of bytes, perhaps with a unit: `M` is a million, `MiB` 2^20.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
    ];
    let plain = text.strip_suffix('B').filter(|rest| !rest.ends_with('i')).unwrap_or(text);
    let found = units.iter().find_map(|(name, size)| Some((plain.strip_suffix(name)?, *size)));
    let (number, unit) = found.unwrap_or((plain, 1));
    let number: Option<u64> = number.trim().parse().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| format!("`{text}` is no amount of memory; write bytes, or 500M, 4G, 4GiB"))
}

/// One row, or with `--partial` one for each choice of pieces.
fn said(entry: &Entry, set: &PieceSet, args: &CountArgs, limits: Limits<'_>) -> Said {
    let canonical = entry.figure.canonical();
    if args.partial {
        return partly(entry, &canonical, set, limits);
    }
    let begun = Instant::now();
    let report = match &entry.placed {
        Some(marks) => guarded(|| count_remainder(entry, marks, set, limits)),
        None => {
            let problem = Problem::with_group(&entry.figure, set, canonical.group);
            guarded(|| solve::count(&problem, limits))
        }
    };
    let micros = begun.elapsed().as_micros() as u64;
    let mut said = Said { failed: report.is_err(), ..Said::default() };
    let by_part = args.by_part.then(|| {
        let unique = match (&entry.placed, &report) {
            (_, Err(_)) => Ok(None),
            (Some(_), _) => {
                Err("moving a part by itself would move the pieces in place".to_owned())
            }
            (None, Ok(_)) => guarded(|| unique_by_part(&entry.figure, set, limits)),
        };
        match unique {
            Ok(unique) => unique.into(),
            Err(why) => {
                said.failed = true;
                said.note = Some(format!("{}: no unique_by_part: {why}", entry.label()));
                Field::Empty
            }
        }
    });
    said.rows.push((described(entry, &canonical, set, report, micros), by_part));
    said
}

/// The rows of all choices of pieces.
fn partly(entry: &Entry, canonical: &Canonical, set: &PieceSet, limits: Limits<'_>) -> Said {
    let begun = Instant::now();
    let done = guarded(|| {
        let placed = entry.placed.as_ref().map(|marks| placed_pieces(marks, set)).transpose()?;
        count_partial(&entry.figure, set, &placed.unwrap_or_default(), limits)
            .map_err(|error| error.to_string())
    });
    let micros = begun.elapsed().as_micros() as u64;
    let row = |pieces: &PieceSet, report, named: bool| {
        let name = named.then(|| pieces.name().to_owned());
        (described(entry, canonical, pieces, report, micros), Some(name.into()))
    };
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            return Said { rows: vec![row(set, Err(error), false)], note: None, failed: true };
        }
    };
    let mut said = Said::default();
    let none = done.reports.is_empty();
    said.rows.extend(done.reports.into_iter().map(|one| row(&one.pieces, Ok(one.report), true)));
    if done.untried > 0 {
        let (label, untried, choices) = (entry.label(), done.untried, done.choices);
        said.note =
            Some(format!("{label}: stopped; {untried} of {choices} choices of pieces not tried"));
        said.rows.push(row(set, Ok(Report::undecided(0, 0)), false));
    } else if none {
        let reason = if done.choices > 0 { Reason::Exhausted } else { Reason::Size };
        said.rows.push(row(set, Ok(Report::unsolvable(reason, done.nodes)), false));
    }
    said
}

/// Counts what is left when the pieces in place are taken out.
fn count_remainder(
    entry: &Entry,
    marks: &Marks,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Report, String> {
    let placed = placed_pieces(marks, set)?;
    let rest = Remainder::new(&entry.figure, set, &placed).map_err(|error| error.to_string())?;
    solve::count(&rest.problem(), limits).map_err(|error| error.to_string())
}

/// The row of an entry with these pieces.
fn described(
    entry: &Entry,
    canonical: &Canonical,
    set: &PieceSet,
    report: Result<Report, String>,
    micros: u64,
) -> Record {
    let figure = &entry.figure;
    let signature = if set.is_mirror_closed() {
        canonical.signature.to_string()
    } else {
        figure.canonical_up_to(Identity::Rotations).signature.to_string()
    };
    let mut record = Record {
        name: Some(entry.label()),
        cells: figure.len(),
        signature,
        class: canonical.group.class().to_string(),
        order: canonical.group.order(),
        parity: figure.color_difference().unsigned_abs(),
        micros: Some(micros),
        ..Record::default()
    };
    match report {
        Ok(report) => {
            record.verdict = Some(report.verdict.to_string());
            record.reason = report.reason.map(|reason| reason.to_string());
            record.raw = Some(report.raw);
            record.rotation = report.rotation;
            record.unique = report.unique;
            record.nodes = Some(report.nodes);
            record.engine = report.engine.map(|engine| engine.as_str().to_owned());
        }
        Err(text) => {
            record.verdict = Some(Verdict::Failed.to_string());
            record.reason = Some(text);
        }
    }
    record
}
