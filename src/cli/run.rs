//! `somacat run`: runs a plan.

use super::failure::{Context, Failure, Result};
use super::log::{LogArgs, logged};
use super::output::{OutputArgs, is_same_file, to_file};
use super::summary::show_summary;
use super::{Exit, Global, eprintln, stop_on_signals, stopped_for, unless_stopped};
use crate::catalog::{Catalog, Filter};
use crate::export::{Delimited, Field, OutputFile, RowSink, row_columns, row_fields};
use crate::formats::count_noun;
use crate::run::{
    CountMode, EndTotals, Plan, Progress, ProgressMode, RunLog, Settings, Summary, WorkEstimate,
    estimate_plan, execute, starter_plan,
};
use clap::Args;
use indicatif::{HumanBytes, HumanDuration};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Without a plan, runs the built-in starter plan, which works in an empty directory. The whole plan is
checked first. Figures that are already counted are skipped, so the same command continues a stopped
run.

With --dry-run no catalog is opened. Samples give the number of figures, the time on one core of an
ordinary machine, memory and disk space; the estimate is the same on every machine.

Examples:
  somacat run
  somacat run my-plan.toml --dry-run
  somacat run my-plan.toml --db my.db --out my.csv")]
pub(crate) struct RunArgs {
    /// The plan file; see docs/plans.md.
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// Write the whole catalog to this CSV file at the end.
    #[arg(long, value_name = "PATH", default_value = "somacat.csv")]
    out: PathBuf,
    /// Count failed figures again; counts left open by a lower limit are always repeated.
    #[arg(long)]
    redo: bool,
    /// Only estimate figures, time, memory and disk space.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    log: LogArgs,
}

/// The time to write the CSV file after a request to stop.
const CSV_AFTER_STOP: Duration = Duration::from_millis(1200);

/// Reads a plan, or the built-in one. A named pipe may have no writer until a stop is requested.
pub(super) fn read_plan(path: Option<&Path>) -> Result<Plan> {
    let Some(path) = path else { return Ok(starter_plan()?) };
    let owned = path.to_owned();
    let plan = unless_stopped(path, move || Plan::read(&owned))?;
    Ok(plan.ok_or_else(|| Failure::stopped("stopped while the plan was read"))??)
}

pub(super) fn run(global: &Global, args: &RunArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let plan = read_plan(args.plan.as_deref())?;
    if args.dry_run {
        return dry_run(global, &plan, stop);
    }
    if is_same_file(&args.out, &global.db) {
        let text = format!("--out and --db name the same file, {}", args.out.display());
        return Err(Failure::failed(text));
    }
    let of_plan =
        plan.files().chain(args.plan.as_deref()).find(|file| is_same_file(&args.out, file));
    if let Some(file) = of_plan {
        let text = format!("--out would replace {}, which the plan reads", file.display());
        return Err(Failure::failed(text));
    }
    // Reported before a long run; not kept open during it, because a kill would leave it behind.
    if args.out != Path::new("-") {
        OutputFile::check(&args.out).context(format!("output file {}", args.out.display()))?;
    }
    let counts = if args.redo { CountMode::Redo } else { CountMode::Pending };
    let others: Vec<&Path> = args.plan.as_deref().into_iter().chain([args.out.as_path()]).collect();
    let summary = pipeline(global, &plan, counts, &args.log, &others)?;
    if !global.db.exists() {
        // No source was readable, as already reported, or the run was stopped before it read one.
        return Ok(if summary.stopped { Exit::Stopped } else { Exit::Failed });
    }
    let catalog = Catalog::open_read_only(&global.db)?;
    let written = write_csv(&catalog, &args.out)?;
    show_summary(global, &summary, Some(args.out.as_path()).filter(|_| written));
    if !written {
        let csv = args.out.display();
        eprintln(&format!("stopped before {csv} was written; the same command writes it"));
        return Ok(Exit::Stopped);
    }
    Ok(exit_of(&summary))
}

/// Writes every row of the catalog. If stopped, returns false and keeps the old file unchanged.
fn write_csv(catalog: &Catalog, path: &Path) -> Result<bool> {
    let written = to_file(path, |out| {
        let mut rows = Delimited::csv(out, &row_columns())?;
        catalog.select(&Filter::default(), |row| match stopped_for(CSV_AFTER_STOP) {
            true => Err(Failure::stopped("stopped")),
            false => Ok(rows.row(&row_fields(&row))?),
        })?;
        Ok(rows.finish()?)
    });
    match written {
        Err(Failure::Error(Exit::Stopped, _)) => Ok(false),
        other => other.map(|()| true),
    }
}

/// Estimates the figures, the time and the space of a plan.
fn dry_run(global: &Global, plan: &Plan, stop: &AtomicBool) -> Result<Exit> {
    let estimates = estimate_plan(plan, stop)?;
    let mut rows =
        OutputArgs::default().rows(&["source", "figures", "plus_minus", "cpu_seconds"])?;
    for item in &estimates {
        let number = |n: f64| Field::from(n.round() as u64);
        rows.row(&[
            item.label.as_str().into(),
            number(item.figures),
            number(item.error),
            Some(format!("{:.1}", item.seconds())).into(),
        ])?;
    }
    rows.finish()?;
    if !global.quiet {
        for item in estimates.iter().filter(|item| item.longer) {
            eprintln(&format!(
                "{}: rather more than estimated: trials were abandoned, or a few samples dominate",
                item.label
            ));
        }
        let threads = rayon::current_num_threads();
        let sum = |value: fn(&WorkEstimate) -> f64| estimates.iter().map(value).sum::<f64>();
        let about = if sum(|item| item.error) > 0.0 { "~" } else { "" };
        let seconds: f64 = estimates.iter().map(|item| item.seconds_on(threads)).sum();
        let longer = estimates.iter().any(|item| item.longer);
        let time = HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let time = match longer {
            true => format!("more than {time}"),
            false if seconds < 1.0 => "less than a second".to_owned(),
            false => format!("about {time}"),
        };
        let figures = count_noun(sum(|item| item.figures).round(), "figure");
        let threads_noun = count_noun(threads, "thread");
        eprintln(&format!("{about}{figures}; {time} on {threads_noun} of an ordinary machine"));
        eprintln(&space(&estimates, threads));
    }
    Ok(if stop.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Ok })
}

/// Describes a run's memory and the disk space of its results.
pub(super) fn space(estimates: &[WorkEstimate], threads: usize) -> String {
    let memory = estimates.iter().map(WorkEstimate::memory).max().unwrap_or_default();
    let [parts, catalog, parquet] = std::array::from_fn(|at| {
        HumanBytes(estimates.iter().map(|item| item.disk()[at]).sum::<u64>())
    });
    let memory = HumanBytes(memory * threads as u64);
    format!(
        "memory {memory}; catalog {catalog}; in units, parts {parts}, or {parquet} as Parquet files"
    )
}

/// Runs a plan on the catalog, with progress on standard error. The log must be none of `others`.
pub(super) fn pipeline(
    global: &Global,
    plan: &Plan,
    counts: CountMode,
    log: &LogArgs,
    others: &[&Path],
) -> Result<Summary> {
    let files: Vec<&Path> =
        plan.files().chain(others.iter().copied()).chain([global.db.as_path()]).collect();
    let progress = progress(global, log.open(&files)?);
    let stop = stop_on_signals()?;
    let settings = Settings { counts, stop };
    let work = || Ok(execute(plan, &global.db, settings, &progress)?);
    logged(&progress, &plan.title, work, |summary| {
        (summary.stopped, Some(EndTotals::from(summary)))
    })
}

/// Returns the progress display: a bar on a terminal, else occasional lines, or nothing.
pub(super) fn progress(global: &Global, log: Option<RunLog>) -> Progress {
    let mode = match (global.quiet, std::io::stderr().is_terminal()) {
        (true, _) => ProgressMode::Nothing,
        (_, true) => ProgressMode::Bar,
        (_, false) => ProgressMode::Lines,
    };
    Progress::new(mode, log)
}

pub(super) fn exit_of(summary: &Summary) -> Exit {
    if summary.censuses.iter().any(|census| !census.agrees()) {
        Exit::Mismatch
    } else if summary.stopped {
        Exit::Stopped
    } else if summary.has_faults() {
        Exit::Partial
    } else {
        Exit::Ok
    }
}
