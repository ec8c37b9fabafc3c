//! `somacat run`: the main job.

use super::hurried::{GRACE, Hurried};
use super::log::{LogArgs, logged};
use super::output::{OutputArgs, Style};
use super::{Exit, Global, STOP, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::export::{Delimited, Field, OutputFile, called_columns};
use crate::run::{
    EndTotals, Plan, Progress, RunLog, Settings, Shown, Summary, execute, size_up, starter_plan,
};
use anyhow::Context;
use clap::Args;
use indicatif::HumanDuration;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Execute a plan: take figures in, recognize, classify, filter and count them
#[derive(Args, Debug)]
#[command(after_help = "\
Without a plan the built-in starter plan is run, which works in an empty directory. Figures that are
counted already are not counted again, so a repeated command continues where the last one stopped.

With --dry-run nothing is counted and no catalog is opened: a table says how many figures there are
and how long it would take on this machine, from a sample.

Examples:
  somacat run
  somacat run my-plan.toml --dry-run
  somacat run my-plan.toml --db my.db --csv my.csv")]
pub(crate) struct RunArgs {
    /// The plan file; see docs/plans.md.
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// Where the rows of the whole catalog go in the end.
    #[arg(long, value_name = "FILE", default_value = "somacat.csv")]
    csv: PathBuf,
    /// Count again what has no exact count: limits, failures.
    #[arg(long)]
    redo: bool,
    /// Only say how many figures there are and how long they would take.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    log: LogArgs,
}

pub(super) fn run(global: &Global, args: &RunArgs) -> anyhow::Result<Exit> {
    let plan = match &args.plan {
        Some(path) => Plan::read(path)?,
        None => starter_plan()?,
    };
    if args.dry_run {
        return dry_run(global, &plan);
    }
    let shown = || args.csv.display().to_string();
    if std::path::absolute(&args.csv).ok() == std::path::absolute(&global.db).ok() {
        anyhow::bail!("--csv and --db name the same file, {}", args.csv.display());
    }
    // Told before the night begins; not kept open meanwhile, since a kill would leave it behind.
    drop(OutputFile::create(&args.csv).with_context(shown)?);
    let (catalog, summary) = pipeline(global, &plan, args.redo, true, &args.log)?;
    let written = write_csv(&catalog, &args.csv).with_context(shown)?;
    if !global.quiet {
        let db = global.db.display();
        let results =
            if written { format!("{db}, {}", args.csv.display()) } else { db.to_string() };
        show_summary(&summary, &results);
    }
    if !written {
        let csv = args.csv.display();
        eprintln(&format!("stopped before {csv} was written; the same command writes it"));
        return Ok(Exit::Stopped);
    }
    Ok(exit_of(&summary))
}

/// Writes every row of the catalog; returns whether it came to the end before somebody had enough. If
/// not, the file is as it was.
fn write_csv(catalog: &Catalog, path: &Path) -> anyhow::Result<bool> {
    let mut csv = OutputFile::create(path)?;
    let mut rows = Hurried::new(Delimited::csv(&mut csv, &called_columns())?, &STOP, GRACE);
    let written = super::export::rows(catalog, &Filter::default(), false, &mut rows);
    if rows.gave_up() {
        return Ok(false);
    }
    drop(rows);
    written?;
    csv.commit()?;
    Ok(true)
}

/// Says what a plan would do.
fn dry_run(global: &Global, plan: &Plan) -> anyhow::Result<Exit> {
    let stop = stop_on_signals()?;
    let columns = ["source", "figures", "plus_minus", "list_seconds", "count_seconds"];
    let mut rows = OutputArgs::default().rows(Style::Table, &columns)?;
    let (mut figures, mut seconds, mut longer) = (0.0, 0.0, false);
    for sizing in size_up(plan, stop)? {
        let number = |n: f64| Field::from(n.round() as u64);
        let time = |t: Option<f64>| Field::from(t.map(|t| format!("{t:.1}")));
        rows.row(&[
            sizing.label.as_str().into(),
            number(sizing.figures),
            number(sizing.error),
            time(sizing.seconds.map(|(list, _)| list)),
            time(sizing.seconds.map(|(_, count)| count)),
        ])?;
        figures += sizing.figures;
        seconds += sizing.seconds.map_or(0.0, |(list, count)| list + count);
        longer |= sizing.longer;
    }
    rows.finish()?;
    if !global.quiet {
        let threads = rayon::current_num_threads();
        let more = if longer { "more than " } else { "about " };
        eprintln(&format!(
            "{figures:.0} figures; enumerations take {more}{} on {threads} threads",
            HumanDuration(Duration::from_secs_f64(seconds))
        ));
    }
    Ok(if stop.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Ok })
}

/// Runs a plan on the catalog, with progress on standard error.
pub(super) fn pipeline(
    global: &Global,
    plan: &Plan,
    redo: bool,
    count: bool,
    log: &LogArgs,
) -> anyhow::Result<(Catalog, Summary)> {
    let progress = progress(global, log.open());
    let stop = stop_on_signals()?;
    let work = || {
        let mut catalog = Catalog::open(&global.db)?;
        let summary = execute(plan, &mut catalog, Settings { count, redo, stop }, &progress)?;
        Ok((catalog, summary))
    };
    logged(&progress, &plan.title, work, |(_, summary)| {
        (summary.stopped, Some(EndTotals::from(summary)))
    })
}

/// A bar on a terminal, else a line now and then, or nothing.
pub(super) fn progress(global: &Global, log: Option<RunLog>) -> Progress {
    let shown = match (global.quiet, std::io::stderr().is_terminal()) {
        (true, _) => Shown::Nothing,
        (_, true) => Shown::Bar,
        (_, false) => Shown::Lines,
    };
    Progress::new(shown, log)
}

/// The exit code of a finished run.
pub(super) const fn exit_of(summary: &Summary) -> Exit {
    if summary.stopped {
        Exit::Stopped
    } else if summary.has_faults() {
        Exit::Partial
    } else {
        Exit::Ok
    }
}

/// The table at the end, on standard error.
pub(super) fn show_summary(summary: &Summary, results: &str) {
    let totals = &summary.totals;
    let figures = match totals.figures - summary.figures {
        0 => summary.figures.to_string(),
        _ => format!("{} ({} with their sets)", summary.figures, totals.figures),
    };
    let mut lines = vec![
        ("figures", figures),
        ("  new", summary.new.to_string()),
        ("  duplicates", format!("{} (entries that repeat a figure)", summary.duplicates())),
        ("parity-blocked", totals.parity_blocked.to_string()),
        ("unsolvable", format!("{} (for another reason than parity)", totals.unsolvable)),
        ("solvable", totals.solvable.to_string()),
    ];
    let mut if_any = |label, number: u64, note: &str| {
        if number > 0 {
            lines.push((label, format!("{number}{note}")));
        }
    };
    if_any("undecided", totals.unknown, " (the limit of nodes came first; --redo tries again)");
    if_any("failed", totals.failed, " (see the column reason)");
    if_any("not counted", totals.pending, "");
    if_any("refused", summary.refused, " (entries with a fault, listed above)");
    if_any("remarks", summary.remarks, " (entries imported all the same, listed above)");
    if_any("unreadable", summary.unreadable, " (sources, listed above)");
    let counted = match (summary.counted, summary.known()) {
        (0, 0) => "nothing".to_owned(),
        (0, known) => format!("nothing: all {known} figures were counted before"),
        (counted, 0) => counted.to_string(),
        (counted, known) => format!("{counted}, {known} were counted before"),
    };
    lines.push(("counted now", counted));
    lines.push(("time", format!("{:.2} s", summary.elapsed.as_secs_f64())));
    lines.push(("results", results.to_owned()));
    for (label, value) in lines {
        eprintln(&format!("{label:<16}{value}"));
    }
    if summary.stopped {
        eprintln("stopped early; the same command continues");
    }
}
