//! `somacat census`: every figure of a box counted at once.

use super::bytes::parse_bytes;
use super::failure::{Failure, Result};
use super::input::piece_set;
use super::log::{LogArgs, logged};
use super::output::OutputArgs;
use super::run::{exit_of, pipeline, progress};
use super::summary::{show_census, show_summary, sides};
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{self, CountedRow, Record};
use crate::census::{Census, CensusTotals, bytes};
use crate::enumerate::parse_box;
use crate::export::{RECORD_COLUMNS, RowSink, record_fields};
use crate::formats::quantity;
use crate::run::{
    Batch, CensusQuestion, CensusReport, CensusRun, CountMode, EndTotals, Plan, Selection, Size,
    census_memory, memory_to_use,
};
use clap::Args;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "\
All packings inside the box are gone through once and tallied by the cells they fill. Totals go to
standard error: figures up to rotation and reflection, and the packings in the box, found in two
ways. Memory is stated in advance; with less of it the census takes longer. A census that was
stopped tells with which --shards it goes on; one that writes to the catalog goes on by itself.

Examples:
  somacat census 2x3x5
  somacat census 2x4x4 --keep top:10 --table
  somacat census 3x3x4 --keep solvable --csv > solvable.csv
  somacat census 3x3x4 --keep all --catalog
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
    /// Memory to use at most, such as 500M or 4GiB; three quarters of what is available if not given.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Only the shards from FROM up to, not including, TO; either may be left out. A census is made of
    /// the same shards on every machine.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range, alias = "parts")]
    shards: Option<ShardRange>,
    /// Write the figures that are kept, all or solvable, to the catalog (--db), not to standard
    /// output. The catalog keeps the totals too, and how far the census is.
    #[arg(long, conflicts_with_all = ["shards", "OutputArgs"])]
    catalog: bool,
    #[command(flatten)]
    log: LogArgs,
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

impl Keep {
    /// The figures that rows are made of.
    const fn selection(self) -> Selection {
        match self {
            Self::Histogram | Self::Classes => Selection::None,
            Self::All => Selection::All,
            Self::Solvable => Selection::Buildable,
            Self::Top(number) => Selection::Top(number),
        }
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "histogram" => Ok(Self::Histogram),
            "classes" => Ok(Self::Classes),
            "all" => Ok(Self::All),
            "solvable" => Ok(Self::Solvable),
            _ => {
                let number = text.strip_prefix("top:").and_then(|n| n.parse().ok());
                number.filter(|&n| n > 0).map(Self::Top).ok_or_else(|| {
                    format!("`{text}` is not one of histogram, classes, all, solvable, top:N")
                })
            }
        }
    }
}

/// A range of shards, either end of which may be left out.
type ShardRange = (Option<usize>, Option<usize>);

/// Reads `3..7`, `3..`, `..7`.
fn parse_range(text: &str) -> std::result::Result<ShardRange, String> {
    let end = |text: &str| match text {
        "" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| format!("`{text}` is not the number of a shard")),
    };
    let (from, to) = text.split_once("..").ok_or("shards are written FROM..TO")?;
    Ok((end(from)?, end(to)?))
}

pub(super) fn census(global: &Global, args: &CensusArgs) -> Result<Exit> {
    if args.catalog { into_catalog(global, args) } else { onto_output(global, args) }
}

/// A plan of this census alone, run on the catalog.
fn into_catalog(global: &Global, args: &CensusArgs) -> Result<Exit> {
    let keep = match args.keep {
        Keep::All => catalog::Keep::All,
        Keep::Solvable => catalog::Keep::Buildable,
        Keep::Histogram | Keep::Classes | Keep::Top(_) => {
            return Err(Failure::usage("a catalog keeps figures: --keep all or solvable"));
        }
    };
    let set = piece_set(&args.set)?;
    let title = format!("census of {} with {}", sides(args.sides), set.name());
    let census = Census::new(args.sides, &set)?;
    let plan = Plan {
        questions: vec![Arc::new(CensusQuestion { census, keep })],
        memory: args.memory,
        ..Plan::new(title)
    };
    let summary = pipeline(global, &plan, CountMode::Pending, &args.log)?;
    if !global.quiet {
        show_summary(&summary, &global.db.display().to_string());
    }
    Ok(exit_of(&summary))
}

/// Rows on standard output.
fn onto_output(global: &Global, args: &CensusArgs) -> Result<Exit> {
    let set = piece_set(&args.set)?;
    let allowed = memory_to_use(args.memory);
    let threads = rayon::current_num_threads();
    let census = Census::new(args.sides, &set)?;
    let (from, to) = args.shards.unwrap_or((None, None));
    let to = to.unwrap_or(census.shards());
    let shards = from.unwrap_or(0)..to;
    if shards.start > shards.end || to > census.shards() {
        return Err(Failure::usage(format!("this census has the shards 0..{}", census.shards())));
    }
    let schedule = census.schedule_of(shards.clone(), threads, allowed)?;
    let selection = args.keep.selection();
    let needed = census_memory(&schedule, selection);
    if needed > allowed {
        return Err(Failure::failed(format!(
            "with the rows that wait to be written it takes {} of memory, and {} are allowed; allow \
             more, use fewer threads, or keep less",
            bytes(needed),
            bytes(allowed)
        )));
    }
    if !global.quiet {
        let (need, number, method) = (bytes(needed), census.shards(), schedule.method());
        let threads = schedule.threads();
        let (shards, threads) = (quantity(number, "shard"), quantity(threads, "thread"));
        eprintln(&format!("{method}: {shards} on {threads}, {need} of memory"));
    }
    let begun = Instant::now();
    let mut rows = match args.keep {
        Keep::Histogram => args.output.rows(&["raw", "figures", "subsets"])?,
        Keep::Classes => {
            args.output.rows(&["class", "order", "figures", "solvable", "raw", "most"])?
        }
        Keep::All | Keep::Solvable | Keep::Top(_) => args.output.rows(&RECORD_COLUMNS)?,
    };
    let stop = stop_on_signals()?;
    let progress = progress(global, args.log.open());
    let run = CensusRun {
        schedule: &schedule,
        selection,
        keep: catalog::Keep::All,
        mid_shard: false,
        stop,
        progress: &progress,
    };
    let work = || {
        progress.begin("subsets", Size::Exact(census.subsets_in(shards.clone())));
        let done = run.run(shards.clone(), 0, &mut |batch| write_figures(batch, &mut *rows));
        progress.end();
        done
    };
    let title = format!("census of {}", sides(args.sides));
    let (totals, next) = logged(&progress, &title, work, |(totals, next)| {
        (*next < shards.end, Some(end_totals(totals, begun)))
    })?;
    write_totals(args.keep, &totals, &mut *rows)?;
    rows.finish()?;
    let done = next == shards.end;
    let whole = done && shards.len() == census.shards();
    let report = CensusReport { sides: args.sides, ..CensusReport::new(&census, totals, whole) };
    if !global.quiet {
        show_census(&report, Some(begun.elapsed().as_secs_f64()));
    }
    if done {
        return Ok(if report.agrees() { Exit::Ok } else { Exit::Mismatch });
    }
    let rest = match args.keep {
        Keep::All | Keep::Solvable => "",
        Keep::Histogram | Keep::Classes => "; its rows are to be added to these",
        Keep::Top(_) => "; the most of both are the most of all",
    };
    eprintln(&format!("stopped: go on with --shards {next}..{}{rest}", shards.end));
    Ok(Exit::Stopped)
}

/// Writes figures as rows of `count`.
fn write_figures(batch: Batch, rows: &mut dyn RowSink) -> Result<()> {
    for CountedRow { columns, report, micros } in batch.rows {
        let record = Record::new(None, &columns, Some(report), micros);
        rows.row(&record_fields(&record))?;
    }
    Ok(())
}

/// The rows of totals that are asked for.
fn write_totals(keep: Keep, totals: &CensusTotals, rows: &mut dyn RowSink) -> Result<()> {
    match keep {
        Keep::Histogram => {
            for (raw, (figures, subsets)) in &totals.histogram {
                rows.row(&[(*raw).into(), (*figures).into(), (*subsets).into()])?;
            }
        }
        Keep::Classes => {
            for (class, totals) in &totals.by_class {
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
        Keep::All | Keep::Solvable | Keep::Top(_) => {}
    }
    Ok(())
}

/// The end of the log: only the numbers of this run, which are those of all figures unless shards
/// were done before.
fn end_totals(totals: &CensusTotals, begun: Instant) -> EndTotals {
    let (figures, buildable) = (totals.figures(), totals.solvable());
    EndTotals::of_census(figures, buildable, begun.elapsed())
}
