//! `somacat census`: counts every figure of a box at once.

use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::{exit_of, pipeline, progress};
use crate::cli::shared::bytes::parse_bytes;
use crate::cli::shared::input::piece_set;
use crate::cli::shared::log::{LogArgs, end_of, logged};
use crate::cli::shared::output::OutputArgs;
use crate::cli::shared::summary::{show_census, show_summary};
use crate::cli::{Exit, Global, eprintln, stop_on_signals};
use clap::Args;
use somacat_counting::census::{Census, CensusTotals, bytes};
use somacat_counting::enumerate::{Place, ShardRange};
use somacat_counting::question::{
    Batch, CensusQuestion, CountedRow, FigureSink, Keep, Question, Wanted, answer, packings,
    shorten,
};
use somacat_formats::count_noun;
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_output::export::{COUNT_COLUMNS, RowSink, column_names, column_values};
use somacat_run::{CountMode, EndTotals, Plan, work_within};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "\
Visits every packing inside the box once and tallies it by the cells it fills. Totals go to standard
error: figures up to rotation and reflection, and the packings in the box, counted in two ways. The
memory needed is reported first; with less memory the census takes longer. A stopped census reports
the --shards that remain; with --catalog, the same command continues it.

Examples:
  somacat census 2x3x5
  somacat census 2x4x4 --keep top:10 --table
  somacat census 3x3x4 --keep solvable --csv > solvable.csv
  somacat census 3x3x4 --keep all --catalog
  somacat census 2x2x4 --set 'V L T' --keep solvable --unique-count 1 --csv
  somacat census 2x4x5 --keep top:100 --catalog
  somacat census 2x2x4 --set 'V L T' --keep all --csv")]
pub(crate) struct CensusArgs {
    /// The box.
    #[arg(value_name = "AxBxC", value_parser = parse_box)]
    sides: [u32; 3],
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as V L T2, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// The rows to write: `histogram` (figures and subsets by raw count), `classes` (totals by
    /// symmetry class), or figures in the columns of `count`: `all`, `solvable`, `top:N` (the N
    /// with the most packings; with --catalog also those that were among them when their turn came).
    #[arg(long, default_value = "histogram", value_name = "WHAT")]
    keep: RowSelection,
    /// Of the figures that --keep writes, only those with N packings up to rotation and reflection.
    #[arg(long, value_name = "N", conflicts_with = "catalog")]
    unique_count: Option<u64>,
    /// Memory limit, such as 500M or 4GiB; by default three quarters of the available memory.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Only the shards from FROM up to, not including, TO; either may be left out. A census has the
    /// same shards on every machine.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range)]
    shards: Option<ShardBounds>,
    /// Write to the catalog (--db) instead of standard output. The catalog gets the kept figures (all, solvable or
    /// top:N) or only their numbers by class (classes), and the progress of the census.
    #[arg(long, conflicts_with_all = ["shards", "OutputArgs"])]
    catalog: bool,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowSelection {
    Histogram,
    Classes,
    Figures(Keep),
}

impl RowSelection {
    fn columns(self) -> Vec<&'static str> {
        match self {
            Self::Histogram => vec!["raw", "figures", "subsets"],
            Self::Classes => vec!["class", "order", "figures", "solvable", "raw", "most"],
            Self::Figures(_) => column_names(&COUNT_COLUMNS),
        }
    }
}

impl FromStr for RowSelection {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text, Keep::try_from(text.to_owned())) {
            ("histogram", _) => Ok(Self::Histogram),
            ("classes", _) => Ok(Self::Classes),
            (_, Ok(keep)) if keep != Keep::Totals => Ok(Self::Figures(keep)),
            _ => Err(format!("`{text}` is not one of histogram, classes, all, solvable, top:N")),
        }
    }
}

/// A range of shards; `None` is an open end.
type ShardBounds = (Option<usize>, Option<usize>);

/// Parses `3..7`, `3..` or `..7`.
fn parse_range(text: &str) -> std::result::Result<ShardBounds, String> {
    let end = |text: &str| match text {
        "" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| format!("`{text}` is not a shard number")),
    };
    let (from, to) = text.split_once("..").ok_or("write shards as FROM..TO")?;
    Ok((end(from)?, end(to)?))
}

pub(crate) fn census(global: &Global, args: &CensusArgs) -> Result<Exit> {
    if args.catalog { into_catalog(global, args) } else { onto_output(global, args) }
}

/// Runs a plan of only this census and writes to the catalog.
fn into_catalog(global: &Global, args: &CensusArgs) -> Result<Exit> {
    let keep = match args.keep {
        RowSelection::Figures(keep) => keep,
        RowSelection::Classes => Keep::Totals,
        RowSelection::Histogram => {
            return Err(Failure::usage(
                "--catalog stores figures or their numbers by class; add --keep all, solvable, top:N or classes",
            ));
        }
    };
    let set = piece_set(&args.set)?;
    let title = format!("census of {} with {}", sides_text(args.sides), set.name());
    let census = Census::new(args.sides, &set)?;
    let plan = Plan {
        questions: vec![Arc::new(CensusQuestion { census, keep })],
        memory: args.memory,
        ..Plan::new(title)
    };
    let summary = pipeline(global, &plan, CountMode::Pending, &args.log, &[])?;
    show_summary(global, &summary, None);
    Ok(exit_of(&summary))
}

fn onto_output(global: &Global, args: &CensusArgs) -> Result<Exit> {
    let set = piece_set(&args.set)?;
    let census = Census::new(args.sides, &set)?;
    let shards = chosen_shards(args, &census)?;
    let keep = match args.keep {
        RowSelection::Figures(keep) => keep,
        RowSelection::Histogram | RowSelection::Classes if args.unique_count.is_some() => {
            let text = "--unique-count selects figures; add --keep all, solvable or top:N";
            return Err(Failure::usage(text));
        }
        RowSelection::Histogram | RowSelection::Classes => Keep::Totals,
    };
    let question = CensusQuestion { census, keep };
    let work = work_within(None, args.memory, stop_on_signals()?);
    let (schedule, need) = question.schedule(shards.clone(), work)?;
    let (need, number, method) = (bytes(need), question.census.shards(), schedule.method());
    let on = count_noun(schedule.threads(), "thread");
    let of = count_noun(number, "shard");
    global.note(&format!("{method}: {of} on {on}, {need} of memory"));
    let begun = Instant::now();
    let (unique_count, rows) = (args.unique_count, args.output.rows(&args.keep.columns())?);
    let (next, leaders) = (shards.start as u64, Vec::new());
    let mut sink = CensusRows { keep, unique_count, rows, next, leaders };
    let progress = progress(global, args.log.open(&[])?);
    let (title, whole) = (
        question.label(),
        ShardRange { start: shards.start as u64, end: shards.end as u64, ..ShardRange::ALL },
    );
    let answered = || {
        progress.begin("subsets", question.steps(whole, Place::default(), None));
        let advance = |steps| progress.advance(steps);
        let report = answer(&question, whole, Place::default(), work.watched(&advance), &mut sink);
        progress.end();
        Ok((report?.expect("a census has a report"), sink.next))
    };
    let (report, next) = logged(&progress, &title, answered, |(report, next)| {
        (end_of(*next < whole.end), Some(end_totals(&report.totals, begun)))
    })?;
    write_totals(args.keep, &report.totals, &mut *sink.rows)?;
    sink.rows.finish()?;
    if !global.quiet {
        show_census(&report, Some(begun.elapsed().as_secs_f64()));
    }
    if next == whole.end {
        return Ok(if report.agrees() { Exit::Ok } else { Exit::Mismatch });
    }
    let rest = match args.keep {
        RowSelection::Figures(Keep::Top(_)) => {
            "; the top rows of both outputs together are the top rows of all"
        }
        RowSelection::Figures(_) => "",
        RowSelection::Histogram | RowSelection::Classes => "; add the numbers of its rows to these",
    };
    eprintln(&format!("stopped; continue with --shards {next}..{}{rest}", shards.end));
    Ok(Exit::Stopped)
}

fn chosen_shards(args: &CensusArgs, census: &Census) -> Result<Range<usize>> {
    let (from, to) = args.shards.unwrap_or((None, None));
    let shards = from.unwrap_or(0)..to.unwrap_or(census.shards());
    if shards.is_empty() && census.shards() > 0 || shards.end > census.shards() {
        return Err(Failure::usage(format!(
            "--shards is out of range; this census has the shards 0..{}",
            census.shards()
        )));
    }
    Ok(shards)
}

/// The rows of figures: all, or those with a unique count.
struct CensusRows {
    keep: Keep,
    unique_count: Option<u64>,
    rows: Box<dyn RowSink>,
    /// The shard after the last whole one.
    next: u64,
    /// The figures with the most packings, which are written last.
    leaders: Vec<CountedRow>,
}

impl FigureSink for CensusRows {
    type Error = Failure;

    fn wanted(&self) -> Wanted {
        Wanted::Rows
    }

    fn take(&mut self, batch: Batch) -> Result<()> {
        self.next = batch.place.shard;
        match self.keep.top() {
            None => self.write(&batch.rows),
            Some(number) => {
                self.leaders.extend(batch.rows);
                shorten(&mut self.leaders, number.get() as usize, packings);
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        let leaders = std::mem::take(&mut self.leaders);
        self.write(&leaders)
    }
}

impl CensusRows {
    fn write(&mut self, figures: &[CountedRow]) -> Result<()> {
        for row in figures {
            let unique = row.report.outcome.unique();
            if self.unique_count.is_none_or(|wanted| unique == Some(wanted.into())) {
                self.rows.row(&column_values(&COUNT_COLUMNS, row))?;
            }
        }
        Ok(())
    }
}

fn write_totals(keep: RowSelection, totals: &CensusTotals, rows: &mut dyn RowSink) -> Result<()> {
    match keep {
        RowSelection::Histogram => {
            for (raw, (figures, subsets)) in &totals.histogram {
                rows.row(&[(*raw).into(), (*figures).into(), (*subsets).into()])?;
            }
        }
        RowSelection::Classes => {
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
        RowSelection::Figures(_) => {}
    }
    Ok(())
}

/// Returns the totals for the log. Shards done by earlier runs are not included.
fn end_totals(totals: &CensusTotals, begun: Instant) -> EndTotals {
    let (figures, buildable) = (totals.figures(), totals.solvable());
    EndTotals::of_census(figures, buildable, begun.elapsed())
}
