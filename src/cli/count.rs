//! `somacat count`: figures in, one row each out, without a catalog.

use super::input::{Entries, piece_set};
use super::output::{OutputArgs, Style};
use super::{Exit, Global, stop_on_signals};
use crate::catalog::Record;
use crate::export::record_fields;
use crate::figure::Identity;
use crate::formats::{Entry, Format};
use crate::pieces::PieceSet;
use crate::run::count_figure;
use crate::solve::{Limits, Verdict};
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
name,cells,signature,class,order,parity,verdict,reason,raw,rotation,unique,nodes,micros

With verdict `solvable` the search stopped at a limit and raw means \"at least\".

Examples:
  echo '333 333 333' | somacat count -
  somacat count --set 2xSOMA --limit 1 double.soma
  somacat count --set 'V L T2' --table partial.soma")]
pub(crate) struct CountArgs {
    /// The file, or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// Stop at so many packings of a figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Stop after so many search nodes of a figure.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
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
    let limits =
        Limits { packings: args.limit.map(u128::from), nodes: args.nodes, stop: Some(stop) };
    let mut rows = args.output.rows(Style::Csv, &Record::COLUMNS)?;
    let mut failed = false;
    let mut chunk = entries.chunk(CHUNK)?;
    while !chunk.is_empty() {
        // The next figures are read while these are counted.
        let (records, next) = rayon::join(
            || chunk.par_iter().map(|e| record(e, &set, limits)).collect::<Vec<_>>(),
            || entries.chunk(CHUNK),
        );
        for record in &records {
            failed |= record.verdict.as_deref() == Some(Verdict::Failed.as_str());
            rows.row(&record_fields(record))?;
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

fn record(entry: &Entry, set: &PieceSet, limits: Limits<'_>) -> Record {
    let figure = &entry.figure;
    let canonical = figure.canonical();
    let signature = if set.is_mirror_closed() {
        canonical.signature
    } else {
        figure.canonical_up_to(Identity::Rotations).signature
    };
    let begun = Instant::now();
    let report = count_figure(figure, set, limits);
    let micros = begun.elapsed().as_micros() as u64;
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
    record
}
