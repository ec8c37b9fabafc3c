//! `somacat census`: every figure of a box counted in one sweep.

use super::input::piece_set;
use super::output::{OutputArgs, Style};
use super::run::progress;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::Record;
use crate::census::{Census, Counted, Summary, Tallied, bytes};
use crate::export::{RowSink, record_fields};
use crate::figure::{Identity, prefilter};
use crate::run::parse_box;
use crate::solve::{Reason, Verdict};
use clap::Args;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;
use std::time::Instant;

/// Rows made at a time.
const CHUNK: usize = 8192;

/// Bytes allowed where the system does not tell what it has.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// Count the packings of every figure that fits in a box, all at once
#[derive(Args, Debug)]
#[command(after_help = "\
All packings inside the box are gone through once and tallied by the cells they fill. Totals go to standard
error: figures up to rotation and reflection, and the packings in the box, found in two ways. Memory is
stated in advance; a box that does not fit is split into more parts. A census that was stopped tells
with which --parts it goes on.

Examples:
  somacat census 2x3x5
  somacat census 2x4x4 --keep top:10 --table
  somacat census 3x3x4 --keep solvable --csv > solvable.csv
  somacat census 2x2x4 --set 'V L T' --keep all --csv")]
pub(crate) struct CensusArgs {
    /// The box.
    #[arg(value_name = "AxBxC", value_parser = parse_box)]
    sides: [u32; 3],
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// The rows to write: `histogram` (figures and subsets by raw count), `classes` (totals by
    /// symmetry class), or figures in the columns of `count`: `all`, `solvable`, `top:N` (the N
    /// with the most packings).
    #[arg(long, default_value = "histogram", value_name = "WHAT")]
    keep: Keep,
    /// Memory to use at most, in MiB; three quarters of what is available if not given.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Only the parts from FROM up to, not including, TO; either may be left out.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range)]
    parts: Option<(Option<usize>, Option<usize>)>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Which rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keep {
    Histogram,
    Classes,
    All,
    Solvable,
    Top(usize),
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "histogram" => Ok(Self::Histogram),
            "classes" => Ok(Self::Classes),
            "all" => Ok(Self::All),
            "solvable" => Ok(Self::Solvable),
            _ => {
                let number = text.strip_prefix("top:").and_then(|n| n.parse().ok());
                number.filter(|&n| n > 0).map(Self::Top).ok_or_else(|| {
                    format!("`{text}` is none of histogram, classes, all, solvable, top:N")
                })
            }
        }
    }
}

/// Reads `3..7`, `3..`, `..7`.
fn parse_range(text: &str) -> Result<(Option<usize>, Option<usize>), String> {
    let end = |text: &str| match text {
        "" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| format!("`{text}` is no number of a part")),
    };
    let (from, to) = text.split_once("..").ok_or("parts are written FROM..TO")?;
    Ok((end(from)?, end(to)?))
}

pub(super) fn census(global: &Global, args: &CensusArgs) -> anyhow::Result<Exit> {
    let set = piece_set(&args.set)?;
    let allowed = args.memory.map_or_else(available_memory, |mib| mib.saturating_mul(1 << 20));
    let threads = rayon::current_num_threads();
    let census = Census::new(args.sides, &set, threads, allowed)?;
    let (from, to) = args.parts.unwrap_or((None, None));
    let to = to.unwrap_or(census.parts());
    let parts = from.unwrap_or(0)..to;
    if parts.start > parts.end || to > census.parts() {
        anyhow::bail!("this census has the parts 0..{}", census.parts());
    }
    if !global.quiet {
        let (need, number) = (bytes(census.memory()), census.parts());
        eprintln(&format!("{number} parts on {threads} threads, {need} of memory"));
    }
    let begun = Instant::now();
    let mut rows = match args.keep {
        Keep::Histogram => args.output.rows(Style::Table, &["raw", "figures", "subsets"])?,
        Keep::Classes => {
            let columns = ["class", "order", "figures", "solvable", "raw", "most"];
            args.output.rows(Style::Table, &columns)?
        }
        _ => args.output.rows(Style::Csv, &Record::COLUMNS)?,
    };
    let (summary, next) = sweep(global, &census, args.keep, parts.clone(), &mut *rows)?;
    match args.keep {
        Keep::Histogram => {
            for (raw, (figures, subsets)) in &summary.histogram {
                rows.row(&[(*raw).into(), (*figures).into(), (*subsets).into()])?;
            }
        }
        Keep::Classes => {
            for (class, totals) in &summary.by_class {
                rows.row(&[
                    class.name().into(),
                    class.order().into(),
                    totals.figures.into(),
                    totals.solvable.into(),
                    totals.raw.into(),
                    totals.most.into(),
                ])?;
            }
        }
        _ => {}
    }
    rows.finish()?;
    if !global.quiet {
        report(&census, &summary, begun.elapsed().as_secs_f64(), next - parts.start);
    }
    if next == parts.end {
        let whole = parts.len() == census.parts();
        let agree = !whole || summary.direct == summary.packings;
        return Ok(if agree { Exit::Ok } else { Exit::Mismatch });
    }
    eprintln(&format!("stopped: go on with --parts {next}..{}", parts.end));
    Ok(Exit::Stopped)
}

/// Goes through the parts and writes rows of figures; returns the totals and the part after the last
/// that was done.
fn sweep(
    global: &Global,
    census: &Census,
    keep: Keep,
    parts: Range<usize>,
    rows: &mut dyn RowSink,
) -> anyhow::Result<(Summary, usize)> {
    let stop = stop_on_signals()?;
    let progress = progress(global);
    let subsets = parts.clone().map(|part| census.subsets(part)).sum();
    progress.begin("subsets", Some(subsets));
    let work = |part: usize, tallied: &Tallied<'_>| {
        (census.part_summary(part, tallied), kept(keep, tallied))
    };
    let mut summary = Summary::default();
    let mut best: Vec<(usize, Counted)> = Vec::new();
    let (mut next, mut failed) = (parts.start, None);
    let _ = census.for_each_part(parts, stop, work, &mut |part, (one, figures)| {
        summary.add(&one);
        let written = match keep {
            Keep::Top(number) => {
                best.extend(figures.into_iter().map(|counted| (part, counted)));
                best.sort_by_key(|(_, counted)| std::cmp::Reverse(counted.raw));
                best.truncate(number);
                Ok(())
            }
            _ => figures
                .chunks(CHUNK)
                .try_for_each(|some| write(census, rows, some.par_iter().map(|c| (part, c)))),
        };
        next = part + 1;
        progress.advance(census.subsets(part));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    progress.end();
    if let Some(error) = failed {
        return Err(error);
    }
    write(census, rows, best.par_iter().map(|(part, counted)| (*part, counted)))?;
    Ok((summary, next))
}

/// The figures of a part that rows are written for.
fn kept(keep: Keep, tallied: &Tallied<'_>) -> Vec<Counted> {
    let mut figures: Vec<Counted> = Vec::new();
    match keep {
        Keep::Histogram | Keep::Classes => {}
        Keep::All => tallied.for_each(|counted| figures.push(counted)),
        Keep::Solvable => {
            tallied.for_each(|counted| figures.extend(Some(counted).filter(|c| c.raw > 0)));
        }
        Keep::Top(number) => {
            let shorten = |figures: &mut Vec<Counted>| {
                figures.sort_by_key(|counted| std::cmp::Reverse(counted.raw));
                figures.truncate(number);
            };
            tallied.for_each(|counted| {
                figures.push(counted);
                if figures.len() >= 2 * number + CHUNK {
                    shorten(&mut figures);
                }
            });
            shorten(&mut figures);
        }
    }
    figures
}

/// Writes rows, made in parallel, in their order.
fn write<'a>(
    census: &Census,
    rows: &mut dyn RowSink,
    figures: impl IndexedParallelIterator<Item = (usize, &'a Counted)>,
) -> anyhow::Result<()> {
    let records: Vec<anyhow::Result<Record>> =
        figures.map(|(part, counted)| record(census, part, counted)).collect();
    for one in records {
        rows.row(&record_fields(&one?))?;
    }
    Ok(())
}

/// The row of a figure, in the columns of `count`; the sweep has no nodes and no time of its own.
fn record(census: &Census, part: usize, counted: &Counted) -> anyhow::Result<Record> {
    let figure = census.figure(part, counted)?;
    let set = census.set();
    let identity = if set.is_mirror_closed() { Identity::Mirrored } else { Identity::Rotations };
    let class = counted.group.class();
    let (verdict, reason) = if counted.raw > 0 {
        (Verdict::Counted, None)
    } else {
        let blocked = prefilter(&figure, set);
        (Verdict::Unsolvable, Some(blocked.as_ref().map_or(Reason::Exhausted, Reason::from)))
    };
    Ok(Record {
        name: None,
        cells: figure.len(),
        signature: figure.canonical_up_to(identity).signature.to_string(),
        class: class.to_string(),
        order: class.order(),
        parity: census.color_difference(part, counted),
        verdict: Some(verdict.to_string()),
        reason: reason.map(|reason| reason.to_string()),
        raw: Some(counted.raw.into()),
        rotation: Some(counted.rotation.into()),
        unique: Some(counted.unique.into()),
        nodes: None,
        micros: None,
    })
}

fn report(census: &Census, summary: &Summary, seconds: f64, parts: usize) {
    let [a, b, c] = census.sides();
    let (figures, solvable, most) = (summary.figures(), summary.solvable(), summary.most());
    eprintln(&format!(
        "{a}x{b}x{c} with {}: {figures} figures, {solvable} of them solvable, at most {most} raw packings; \
         {} of {} subsets",
        census.set().name(),
        summary.subsets,
        census.total_subsets()
    ));
    let again = if parts < census.parts() {
        "some parts only".to_owned()
    } else if summary.direct == summary.packings {
        "the same as the sum over all figures of raw times positions".to_owned()
    } else {
        format!("but the sum over all figures of raw times positions is {}", summary.packings)
    };
    eprintln(&format!("{} packings in the box ({again}) in {seconds:.2} s", summary.direct));
}

/// Three quarters of the memory that is available.
fn available_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib: Option<u64> =
        line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    kib.map_or(UNKNOWN_MEMORY, |kib| kib / 4 * 3 * 1024)
}
