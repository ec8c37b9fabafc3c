//! `somacat run`: runs a plan.

use super::mail_summary::{MailSummary, RunResult};
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::files_read::is_same_file;
use crate::cli::shared::log::{LogArgs, logged};
use crate::cli::shared::output::{OutputArgs, to_file};
use crate::cli::shared::summary::show_summary;
use crate::cli::{
    Exit, Global, eprintln, report_refused, stop_on_signals, stopped_for, unless_stopped,
};
use clap::Args;
use indicatif::{HumanBytes, HumanDuration};
use somacat_catalog::{Catalog, Filter};
use somacat_counting::question::WorkEstimate;
use somacat_formats::count_noun;
use somacat_output::dossier::is_catalog_table;
use somacat_output::export::{
    CATALOG_COLUMNS, Delimited, Field, OutputFile, RowSink, column_names, column_values,
};
use somacat_run::{
    CountMode, EndTotals, Plan, Progress, ProgressMode, RunLog, Settings, Summary, estimate_plan,
    execute, starter_plan,
};
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Without a plan, runs the built-in starter plan, which works in an empty directory. The whole plan is
checked first. Figures that are already counted are skipped, so the same command continues a stopped
run.

A plan is a text file, here with every kind of question; each part may be left out:
  title = \"My figures\"           # the name of the run
  import = [\"my-figures\"]        # files and folders, relative to the plan
  keep = \"solvable\"              # of the figures below: all, solvable or totals
  [[symmetric]]                  # all figures of 27 cells with a 6-fold element
  cells = 27
  fold = 6
  [[box]]                        # all connected figures of 27 cells in a box
  sides = \"2x3x5\"
  cells = 27
  connected = true
  [[buildable]]                  # the figures of a class that can be built
  class = \"D2(face)\"
  exact = true
  [[census]]                     # all figures of a box, counted at once
  sides = \"2x4x4\"
docs/plans.md describes every key; catalog/plans/ has more examples.

With --dry-run no catalog is opened. Samples give the number of figures, the time on one core of an
ordinary machine, memory and disk space; the estimate is the same on every machine.

Examples:
  somacat run
  somacat run my-plan.toml --dry-run
  somacat run my-plan.toml --db my.db --out my.csv")]
pub(crate) struct RunArgs {
    /// The plan file, or - for standard input; see docs/plans.md.
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// Write the whole catalog to this CSV file at the end. By default it has the catalog's name:
    /// somacat.csv beside somacat.db.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Count failed figures again; counts left open by a lower limit are always repeated.
    #[arg(long)]
    redo: bool,
    /// Only estimate figures, time, memory and disk space.
    #[arg(long, conflicts_with_all = ["out", "redo", "LogArgs"])]
    dry_run: bool,
    /// Write at most ten lines about what is new since the last run, to be mailed. The file is written
    /// even if the run fails.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    mail_summary: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
}

/// The time to write the CSV file after a request to stop.
const CSV_AFTER_STOP: Duration = Duration::from_millis(1200);

/// Reads a plan, or the built-in one. A named pipe may have no writer until a stop is requested.
pub(crate) fn read_plan(path: Option<&Path>) -> Result<Plan> {
    let Some(path) = path else { return Ok(starter_plan()?) };
    let owned = path.to_owned();
    let plan = unless_stopped(path, move || Plan::read(&owned))?;
    Ok(plan.ok_or_else(|| Failure::stopped("stopped while the plan was read"))??)
}

pub(crate) fn run(global: &Global, args: &RunArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let plan = read_plan(args.plan.as_deref());
    if args.dry_run {
        return dry_run(global, &plan?, stop);
    }
    let Some(path) = args.mail_summary.as_deref() else {
        return Ok(run_plan(global, args, &plan?)?.exit);
    };
    let csv = out_path(global, args);
    let files = plan.iter().flat_map(Plan::files).chain(args.plan.as_deref());
    if files
        .chain([csv.as_path(), &global.db])
        .any(|other| path == other || is_same_file(path, other))
    {
        let shown = path.display();
        return Err(Failure::failed(format!(
            "the mail summary {shown} is also the catalog, the output or an input of this command; choose another file"
        )));
    }
    let mail = MailSummary::begin(path, &global.db);
    let result = plan.and_then(|plan| run_plan(global, args, &plan));
    let plan = args.plan.as_ref().map(|path| path.display().to_string());
    mail.write(plan.as_deref().unwrap_or("the starter plan"), &result)?;
    result.map(|result| result.exit)
}

fn run_plan(global: &Global, args: &RunArgs, plan: &Plan) -> Result<RunResult> {
    let out = csv_path(global, args, plan)?;
    let counts = if args.redo { CountMode::Redo } else { CountMode::Pending };
    let others = args.plan.iter().chain([&out]).chain(&args.mail_summary);
    let others: Vec<&Path> = others.map(PathBuf::as_path).collect();
    let summary = pipeline(global, plan, counts, &args.log, &others)?;
    if !global.db.exists() {
        // No source was readable, as already reported, or the run was stopped before it read one.
        return Ok(RunResult { exit: exit_of(&summary), summary, csv: None });
    }
    let catalog = Catalog::open_read_only(&global.db)?;
    let csv = write_csv(&catalog, &out)?.then_some(out.as_path());
    show_summary(global, &summary, csv);
    let exit = match csv {
        Some(_) => exit_of(&summary),
        None => {
            let csv = out.display();
            eprintln(&format!("stopped before {csv} was written; the same command writes it"));
            Exit::Stopped
        }
    };
    let csv = csv.map(Path::to_owned);
    Ok(RunResult { exit, summary, csv })
}

fn out_path(global: &Global, args: &RunArgs) -> PathBuf {
    args.out.clone().unwrap_or_else(|| global.db.with_extension("csv"))
}

/// Returns the path of the CSV file, which may replace none of the run's other files.
///
/// A user who gives no `--out` has not agreed to lose a file of their own that happens to have the catalog's name, so
/// only an earlier CSV file of a run is replaced then.
fn csv_path(global: &Global, args: &RunArgs, plan: &Plan) -> Result<PathBuf> {
    let out = out_path(global, args);
    let shown = out.display();
    if is_same_file(&out, &global.db) {
        let text = format!(
            "the CSV file and the catalog would be the same file, {shown}; name another with --out"
        );
        return Err(Failure::failed(text));
    }
    if plan.files().chain(args.plan.as_deref()).any(|file| is_same_file(&out, file)) {
        let text = format!(
            "the CSV file would replace {shown}, which the plan reads; name another with --out"
        );
        return Err(Failure::failed(text));
    }
    let is_foreign = || File::open(&out).and_then(is_catalog_table).map(|is| is == Some(false));
    if args.out.is_none() && out.is_file() && is_foreign().unwrap_or(false) {
        let text = format!(
            "{shown} was not written by a run; to replace it, or to name another file, use --out"
        );
        return Err(Failure::failed(text));
    }
    // Reported before a long run; not kept open during it, because a kill would leave it behind.
    if out != Path::new("-") {
        OutputFile::check(&out).context(format!("output file {shown}"))?;
    }
    Ok(out)
}

/// Writes every row of the catalog. If stopped, returns false and keeps the old file unchanged.
fn write_csv(catalog: &Catalog, path: &Path) -> Result<bool> {
    let written = to_file(path, |out| {
        let mut rows = Delimited::csv(out, &column_names(&CATALOG_COLUMNS))?;
        catalog.select(&Filter::default(), |row| match stopped_for(CSV_AFTER_STOP) {
            true => Err(Failure::stopped("stopped")),
            false => Ok(rows.row(&column_values(&CATALOG_COLUMNS, &row))?),
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
    let mut estimates = Vec::new();
    for estimated in estimate_plan(plan, stop)? {
        match estimated {
            Ok(estimate) => estimates.push(estimate),
            Err(why) => report_refused(&why),
        }
    }
    if estimates.is_empty() && !plan.sources.is_empty() {
        return Ok(Exit::Failed);
    }
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
        let figures = count_noun(sum(|item| item.figures).round() as u64, "figure");
        let threads_noun = count_noun(threads, "thread");
        eprintln(&format!("{about}{figures}; {time} on {threads_noun} of an ordinary machine"));
        eprintln(&space(&estimates, threads));
        let wanted = plan.wanted;
        let analyses = [("map", wanted.map), ("stand", wanted.stand), ("prove", wanted.prove)];
        let analyses: Vec<_> =
            analyses.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
        if !analyses.is_empty() {
            let names = analyses.join(" and ");
            eprintln(&format!("{names} of the plan come after that and are not estimated"));
        }
    }
    Ok(if stop.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Ok })
}

/// Describes a run's memory and the disk space of its results.
pub(crate) fn space(estimates: &[WorkEstimate], threads: usize) -> String {
    let memory = estimates.iter().map(|item| item.memory_on(threads as u64)).max();
    let [parts, catalog, parquet] = std::array::from_fn(|at| {
        HumanBytes(estimates.iter().map(|item| item.disk()[at]).sum::<u64>())
    });
    let memory = HumanBytes(memory.unwrap_or_default());
    format!(
        "memory {memory}; catalog {catalog}; in units, parts {parts}, or {parquet} as Parquet files"
    )
}

/// Runs a plan on the catalog, with progress on standard error. The log must be none of `others`.
pub(crate) fn pipeline(
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
    logged(&progress, &plan.title, work, |summary| (summary.end(), Some(EndTotals::from(summary))))
}

/// Returns the progress display: a bar on a terminal, else occasional lines, or nothing.
pub(crate) fn progress(global: &Global, log: Option<RunLog>) -> Progress {
    let mode = match (global.quiet, std::io::stderr().is_terminal()) {
        (true, _) => ProgressMode::Nothing,
        (_, true) => ProgressMode::Bar,
        (_, false) if stderr_is_file() => ProgressMode::DatedLines,
        (_, false) => ProgressMode::Lines,
    };
    Progress::new(mode, log)
}

/// Returns true if standard error is a regular file. A pipe leads to a program, such as systemd's journal, that adds
/// dates itself.
fn stderr_is_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let file = io::stderr().as_fd().try_clone_to_owned().map(File::from);
        file.and_then(|file| file.metadata()).is_ok_and(|found| found.is_file())
    }
    #[cfg(not(unix))]
    false
}

pub(crate) fn exit_of(summary: &Summary) -> Exit {
    if summary.censuses.iter().any(|census| !census.agrees()) {
        Exit::Mismatch
    } else if summary.stopped {
        Exit::Stopped
    } else if summary.read_nothing {
        Exit::Failed
    } else if summary.has_faults() {
        Exit::Partial
    } else {
        Exit::Ok
    }
}
