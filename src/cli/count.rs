//! `somacat count`: figures in, one row each out, without a catalog.

use super::input::{Entries, piece_set};
use super::output::{OutputArgs, Style};
use super::{Exit, Global, stop_on_signals};
use crate::catalog::Record;
use crate::export::{Field, record_fields};
use crate::figure::{Canonical, Identity};
use crate::formats::{Entry, Format, Marks};
use crate::pieces::PieceSet;
use crate::run::{count_guarded, placed_pieces};
use crate::solve::{
    Engine, Limits, Problem, Reason, Remainder, Report, Verdict, choices, count_partial,
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

In SOMA text a figure may show pieces in place (digits or letters for them, one of * # o x + ? for
free cells): what is left is counted. With verdict `solvable` the search stopped at a limit and raw means \"at least\".

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
    #[arg(long, value_name = "N")]
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
    /// The file's format, soma, cells or heightmap; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn count(_global: &Global, args: &CountArgs) -> anyhow::Result<Exit> {
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
    columns.push("engine");
    columns.extend(args.partial.then_some("pieces"));
    columns.extend(args.by_part.then_some("unique_by_part"));
    let mut rows = args.output.rows(Style::Csv, &columns)?;
    let mut failed = false;
    let mut chunk = entries.chunk(CHUNK)?;
    while !chunk.is_empty() {
        // The next figures are read while these are counted.
        let (records, next) = rayon::join(
            || chunk.par_iter().map(|e| records(e, &set, args, limits)).collect::<Vec<_>>(),
            || entries.chunk(CHUNK),
        );
        for ((record, engine), extra) in records.iter().flatten() {
            failed |= record.verdict.as_deref() == Some(Verdict::Failed.as_str());
            let mut fields = record_fields(record).to_vec();
            fields.push(engine.map(Engine::as_str).into());
            fields.extend(extra.clone());
            rows.row(&fields)?;
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

/// A row with the engine that counted, and the value of the additional column if there is one.
type Row = ((Record, Option<Engine>), Option<Field<'static>>);

/// The rows of an entry: one, or with `--partial` one for each choice of pieces.
fn records(entry: &Entry, set: &PieceSet, args: &CountArgs, limits: Limits<'_>) -> Vec<Row> {
    let canonical = entry.figure.canonical();
    if args.partial {
        let begun = Instant::now();
        let reports = count_partial(&entry.figure, set, limits);
        let micros = begun.elapsed().as_micros() as u64;
        let row = |pieces: &PieceSet, report| {
            let row = described(entry, canonical.clone(), pieces, report, micros);
            (row, Some(pieces.name().to_owned().into()))
        };
        return match reports {
            Ok(reports) if !reports.is_empty() => {
                reports.into_iter().map(|one| row(&one.pieces, Ok(one.report))).collect()
            }
            Ok(_) => {
                let any = !choices(set, entry.figure.len()).is_empty();
                let reason = if any { Reason::Exhausted } else { Reason::Size };
                let report = Ok(Report::unsolvable(reason, 0));
                vec![(described(entry, canonical, set, report, micros), Some(Field::Empty))]
            }
            Err(error) => vec![row(set, Err(error.to_string()))],
        };
    }
    let begun = Instant::now();
    let report = match &entry.placed {
        Some(marks) => count_remainder(entry, marks, set, limits),
        None => count_guarded(&Problem::with_group(&entry.figure, set, canonical.group), limits),
    };
    let micros = begun.elapsed().as_micros() as u64;
    let by_part = args.by_part.then(|| {
        let unique = unique_by_part(&entry.figure, set, limits);
        unique.ok().flatten().into()
    });
    vec![(described(entry, canonical, set, report, micros), by_part)]
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
    count_guarded(&rest.problem(), limits)
}

/// The row of an entry with these pieces.
fn described(
    entry: &Entry,
    canonical: Canonical,
    set: &PieceSet,
    report: Result<Report, String>,
    micros: u64,
) -> (Record, Option<Engine>) {
    let engine = report.as_ref().ok().and_then(|report| report.engine);
    let figure = &entry.figure;
    let signature = if set.is_mirror_closed() {
        canonical.signature
    } else {
        figure.canonical_up_to(Identity::Rotations).signature
    };
    let mut record = Record {
        name: Some(entry.label()),
        cells: figure.len(),
        signature: signature.to_string(),
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
        }
        Err(text) => {
            record.verdict = Some(Verdict::Failed.to_string());
            record.reason = Some(text);
        }
    }
    (record, engine)
}
