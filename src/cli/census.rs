//! `somacat census`: every figure of a box counted in one sweep.

use super::input::piece_set;
use super::log::{LogArgs, logged};
use super::output::{OutputArgs, Style};
use super::run::progress;
use super::{Exit, Global, Usage, eprintln, stop_on_signals};
use crate::catalog::{self, Catalog, EntryRow, OutcomeRow, Record, Tallied as Words};
use crate::census::{Census, CensusTotals, FigureCounts, Schedule, ShardCounts, bytes};
use crate::enumerate::{BoxSpec, Place, Shape};
use crate::export::{RowSink, record_fields};
use crate::figure::Figure;
use crate::pieces::PieceSet;
use crate::run::{EndTotals, Enumeration, Progress, figure_row, parse_box, seconds};
use crate::solve::{Limits, Problem, Reason, Verdict, visit};
use clap::Args;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;
use std::time::Instant;

/// Rows made at a time.
const CHUNK: usize = 8192;

/// Bytes of a row, about.
const ROW: u64 = 1024;

/// Bytes allowed where the system does not tell what it has.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// Count the packings of every figure that fits in a box, all at once
#[derive(Args, Debug)]
#[command(after_help = "\
All packings inside the box are gone through once and tallied by the cells they fill. Totals go to
standard error: figures up to rotation and reflection, and the packings in the box, found in two
ways. Memory is stated in advance; with less of it the same parts take longer. A census that
was stopped tells with which --parts it goes on; one that writes to the catalog goes on by itself.

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
    /// Memory to use at most, in MiB; three quarters of what is available if not given.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Only the parts from FROM up to, not including, TO; either may be left out.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range)]
    parts: Option<(Option<usize>, Option<usize>)>,
    /// Write the figures that are kept, all or solvable, to the catalog (--db), not to standard
    /// output. The catalog keeps the totals too, and how far the census is.
    #[arg(long, conflicts_with = "parts")]
    catalog: bool,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Where rows of figures go.
enum Sink {
    Rows(Box<dyn RowSink>),
    Catalog(Box<Kept>),
}

/// The catalog, with the numbers it has given to what this census is.
struct Kept {
    catalog: Catalog,
    run: i64,
    set_id: i64,
    enumeration: i64,
    /// Unsolvable figures are kept in numbers only.
    solvable_only: bool,
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
    let census = Census::new(args.sides, &set)?;
    let schedule = census.schedule(threads, allowed)?;
    let threads = schedule.threads();
    let (from, to) = args.parts.unwrap_or((None, None));
    let to = to.unwrap_or(census.shards());
    let mut parts = from.unwrap_or(0)..to;
    if parts.start > parts.end || to > census.shards() {
        anyhow::bail!("this census has the parts 0..{}", census.shards());
    }
    let needed = schedule.memory() + waiting_bytes(&schedule, args.keep, args.catalog);
    if needed > allowed {
        anyhow::bail!(
            "with the rows that wait to be written it takes {} of memory, and {} are allowed; allow more, use \
             fewer threads, or keep less",
            bytes(needed),
            bytes(allowed)
        );
    }
    if !global.quiet {
        let (need, number) = (bytes(needed), census.shards());
        eprintln(&format!("{number} parts on {threads} threads, {need} of memory"));
    }
    let begun = Instant::now();
    let mut sink = match args.keep {
        Keep::Histogram | Keep::Classes | Keep::Top(_) if args.catalog => {
            return Err(Usage("a catalog keeps figures: --keep all or solvable".to_owned()).into());
        }
        Keep::Histogram => {
            Sink::Rows(args.output.rows(Style::Table, &["raw", "figures", "subsets"])?)
        }
        Keep::Classes => {
            let columns = ["class", "order", "figures", "solvable", "raw", "most"];
            Sink::Rows(args.output.rows(Style::Table, &columns)?)
        }
        _ if args.catalog => {
            let (kept, done) = kept_in(Catalog::open(&global.db)?, &census, args.keep)?;
            if done == census.shards() && !global.quiet {
                eprintln("this census is in the catalog already, whole");
            }
            parts.start = done;
            Sink::Catalog(Box::new(kept))
        }
        _ => Sink::Rows(args.output.rows(Style::Csv, &Record::COLUMNS)?),
    };
    let [a, b, c] = census.sides();
    let progress = progress(global, args.log.open());
    let work = || sweep(&progress, &schedule, args.keep, parts.clone(), &mut sink);
    let (summary, next) =
        logged(&progress, &format!("census of {a}x{b}x{c}"), work, |(summary, next)| {
            (*next < parts.end, Some(end_totals(summary, begun)))
        })?;
    match sink {
        Sink::Rows(mut rows) => {
            totals(args.keep, &summary, &mut *rows)?;
            rows.finish()?;
        }
        Sink::Catalog(mut kept) => {
            if next == parts.end {
                kept.catalog.complete_enumeration(kept.enumeration)?;
            }
            let status = if next == parts.end { "finished" } else { "stopped" };
            kept.catalog.end_run(kept.run, status)?;
        }
    }
    if !global.quiet {
        report(&census, &summary, begun.elapsed().as_secs_f64(), next - parts.start);
    }
    if next == parts.end {
        let whole = parts.len() == census.shards();
        let agree = summary.direct == summary.packings && summary.subsets == census.total_subsets();
        let agree = !whole || agree;
        return Ok(if agree { Exit::Ok } else { Exit::Mismatch });
    }
    if args.catalog {
        eprintln("stopped: the same command goes on");
    } else {
        let rest = match args.keep {
            Keep::All | Keep::Solvable => "",
            Keep::Histogram | Keep::Classes => "; its rows are to be added to these",
            Keep::Top(_) => "; the most of both are the most of all",
        };
        eprintln(&format!("stopped: go on with --parts {next}..{}{rest}", parts.end));
    }
    Ok(Exit::Stopped)
}

/// Finds the census in the catalog, or notes it there; tells how many parts are done.
fn kept_in(mut catalog: Catalog, census: &Census, keep: Keep) -> anyhow::Result<(Kept, usize)> {
    let ([a, b, c], set) = (census.sides(), census.set());
    let label = census.key();
    let run = catalog.begin_run(&format!("census of {a}x{b}x{c} with {}", set.name()))?;
    let set_id = catalog.set_id(set)?;
    let solvable_only = keep == Keep::Solvable;
    let keep = if solvable_only { catalog::Keep::Solvable } else { catalog::Keep::All };
    let known = catalog.enumeration(&label, set_id, keep, 0)?;
    let (sides, cells) = (census.sides(), set.total_cells());
    let spec = BoxSpec { sides, cells, connected: false, shape: Shape::Any };
    if let Some(figures) = Enumeration::in_box(spec).ok().and_then(|all| all.total()) {
        let done = catalog.enumeration_totals(known.id)?.figures;
        catalog.plan_run(run, (figures as u64).saturating_sub(done))?;
    }
    let kept = Kept { catalog, run, set_id, enumeration: known.id, solvable_only };
    Ok((kept, known.place.shard as usize))
}

/// The rows of totals that are asked for.
fn totals(keep: Keep, summary: &CensusTotals, rows: &mut dyn RowSink) -> anyhow::Result<()> {
    match keep {
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
    Ok(())
}

/// Goes through the parts and writes rows of figures; returns the totals and the part after the last
/// that was done.
fn sweep(
    progress: &Progress,
    schedule: &Schedule<'_>,
    keep: Keep,
    parts: Range<usize>,
    sink: &mut Sink,
) -> anyhow::Result<(CensusTotals, usize)> {
    let (census, stop) = (schedule.census(), stop_on_signals()?);
    let subsets = census.subsets_in(parts.clone());
    progress.begin("subsets", Some(subsets));
    // In the catalog every figure is looked at: the totals tell by which reason it is unsolvable.
    let wanted = if let Sink::Catalog(_) = sink { Keep::All } else { keep };
    let work = |_: usize, counts: &ShardCounts<'_>| (counts.totals(), kept(wanted, counts));
    let mut summary = CensusTotals::default();
    let mut best: Vec<(usize, FigureCounts)> = Vec::new();
    let (mut next, mut failed) = (parts.start, None);
    let _ = schedule.for_each_shard(parts, stop, work, &mut |part, (one, figures)| {
        summary.add(&one);
        let written = match keep {
            Keep::Top(number) => {
                best.extend(figures.into_iter().map(|counted| (part, counted)));
                best.sort_by_key(|(_, counted)| std::cmp::Reverse(counted.raw));
                best.truncate(number);
                Ok(())
            }
            _ => {
                let mut words = Words::new();
                let mut each = figures.chunks(CHUNK).map(|some| {
                    write(census, sink, some.par_iter().map(|c| (part, c)), &mut words)
                });
                each.try_for_each(|done| done).and_then(|()| part_done(sink, part, &words))
            }
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
    });
    progress.end();
    if let Some(error) = failed {
        return Err(error);
    }
    let best = best.par_iter().map(|(part, counted)| (*part, counted));
    write(census, sink, best, &mut Words::new())?;
    Ok((summary, next))
}

/// The figures of a part that rows are written for.
fn kept(keep: Keep, counts: &ShardCounts<'_>) -> Vec<FigureCounts> {
    let mut figures: Vec<FigureCounts> = Vec::new();
    match keep {
        Keep::Histogram | Keep::Classes => {}
        Keep::All => counts.for_each(|counted| figures.push(counted)),
        Keep::Solvable => {
            counts.for_each(|counted| figures.extend(Some(counted).filter(|c| c.raw > 0)));
        }
        Keep::Top(number) => {
            let shorten = |figures: &mut Vec<FigureCounts>| {
                figures.sort_by_key(|counted| std::cmp::Reverse(counted.raw));
                figures.truncate(number);
            };
            counts.for_each(|counted| {
                figures.push(counted);
                if figures.len() >= 2 * number + CHUNK {
                    shorten(&mut figures);
                }
            });
            shorten(&mut figures);
        }
    }
    figures.shrink_to_fit();
    figures
}

/// Writes rows, made in parallel, in their order, and adds up what they came to.
fn write<'a>(
    census: &Census,
    sink: &mut Sink,
    figures: impl IndexedParallelIterator<Item = (usize, &'a FigureCounts)>,
    words: &mut Words,
) -> anyhow::Result<()> {
    let set_id = if let Sink::Catalog(kept) = sink { kept.set_id } else { 0 };
    let made: anyhow::Result<Vec<(EntryRow, OutcomeRow)>> =
        figures.map(|(part, counted)| row(census, part, counted, set_id)).collect();
    let mut made = made?;
    match sink {
        Sink::Rows(rows) => {
            for (entry, outcome) in &made {
                rows.row(&record_fields(&record(entry, outcome)))?;
            }
        }
        Sink::Catalog(kept) => {
            for (entry, outcome) in &made {
                let word = (outcome.verdict.to_owned(), outcome.reason.clone());
                *words.entry((entry.class, word)).or_default() += 1;
            }
            if kept.solvable_only {
                made.retain(|(_, outcome)| outcome.raw != Some(0));
            }
            kept.catalog.keep(kept.run, kept.enumeration, made)?;
        }
    }
    Ok(())
}

/// Notes in the catalog that a part is done.
fn part_done(sink: &mut Sink, part: usize, words: &Words) -> anyhow::Result<()> {
    if let Sink::Catalog(kept) = sink {
        let next = Place { shard: part as u64 + 1, figures: 0 };
        let done = words.values().sum();
        kept.catalog.advance(kept.run, kept.enumeration, next, words, done, Vec::new())?;
    }
    Ok(())
}

/// A figure as the catalog keeps it.
fn row(
    census: &Census,
    part: usize,
    counted: &FigureCounts,
    set_id: i64,
) -> anyhow::Result<(EntryRow, OutcomeRow)> {
    let figure = census.figure(part, counted);
    let (verdict, reason) = if counted.raw > 0 {
        (Verdict::Counted, None)
    } else {
        (Verdict::Unsolvable, Some(reason(&figure, census.set())))
    };
    let outcome = OutcomeRow {
        figure_id: 0,
        set_id,
        verdict: verdict.as_str(),
        reason: reason.map(|reason| reason.as_str().to_owned()),
        raw: Some(counted.raw.into()),
        rotation: Some(counted.rotation.into()),
        unique: Some(counted.unique.into()),
        nodes: 0,
        engine: Some("census"),
        micros: 0,
    };
    Ok((EntryRow { set_id, ..figure_row(&figure, census.set()) }, outcome))
}

/// Why a figure without packings has none, in the word that `count` has for it: what the search sees
/// before it begins, else that there is nothing to be found.
fn reason(figure: &Figure, set: &PieceSet) -> Reason {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let seen = visit(&Problem::new(figure, set), limits, &mut |_| ControlFlow::Break(()));
    let told = seen.ok().filter(|report| report.verdict == Verdict::Unsolvable);
    told.and_then(|report| report.reason).unwrap_or(Reason::Exhausted)
}

/// The same in the columns of `count`; a sweep has no nodes and no time for a single figure.
fn record(entry: &EntryRow, outcome: &OutcomeRow) -> Record {
    Record {
        name: None,
        cells: entry.cells,
        signature: entry.signature.to_string(),
        class: entry.class.to_string(),
        order: entry.class.order(),
        parity: entry.parity,
        verdict: Some(outcome.verdict.to_owned()),
        reason: outcome.reason.clone(),
        raw: outcome.raw,
        rotation: outcome.rotation,
        unique: outcome.unique,
        nodes: None,
        micros: None,
        engine: outcome.engine.map(str::to_owned),
    }
}

/// The end of the log: only the numbers of this run, which are those of all figures unless parts
/// were done before.
fn end_totals(summary: &CensusTotals, begun: Instant) -> EndTotals {
    let (figures, solvable) = (summary.figures(), summary.solvable());
    EndTotals {
        figures,
        counted: figures,
        solvable,
        unsolvable: figures - solvable,
        seconds: seconds(begun.elapsed()),
        ..EndTotals::default()
    }
}

fn report(census: &Census, summary: &CensusTotals, seconds: f64, parts: usize) {
    let [a, b, c] = census.sides();
    let (figures, solvable, most) = (summary.figures(), summary.solvable(), summary.most());
    eprintln(&format!(
        "{a}x{b}x{c} with {}: {figures} figures, {solvable} of them solvable, at most {most} raw packings; \
         {} of {} subsets",
        census.set().name(),
        summary.subsets,
        census.total_subsets()
    ));
    let again = if parts < census.shards() {
        "some parts only".to_owned()
    } else if summary.direct == summary.packings {
        "the same as the sum over all figures of raw times positions".to_owned()
    } else {
        format!("but the sum over all figures of raw times positions is {}", summary.packings)
    };
    eprintln(&format!("{} packings in the box ({again}) in {seconds:.2} s", summary.direct));
}

/// Bytes that figures take at most while they wait to be written, and the rows made of them.
fn waiting_bytes(schedule: &Schedule<'_>, keep: Keep, in_catalog: bool) -> u64 {
    let each = match keep {
        Keep::Histogram | Keep::Classes => return 0,
        Keep::All | Keep::Solvable => u64::MAX,
        Keep::Top(number) => 2 * number as u64 + CHUNK as u64,
    };
    // What is written at a time, and a transaction's share of it in the catalog.
    let rows = CHUNK as u64 * if in_catalog { 2 * ROW } else { ROW };
    schedule.waiting_figures(each).saturating_mul(size_of::<FigureCounts>() as u64) + rows
}

/// Three quarters of the memory that is available.
fn available_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib: Option<u64> =
        line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    kib.map_or(UNKNOWN_MEMORY, |kib| kib / 4 * 3 * 1024)
}
