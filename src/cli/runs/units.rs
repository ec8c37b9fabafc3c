//! `somacat units`: splits a plan into work units for many machines, and shows their progress.

use super::run::{read_plan, space};
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::output::{OutputArgs, stdout};
use crate::cli::{Exit, Global, report_refused, stop_on_signals, stopped_early};
use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use somacat_formats::count_noun;
use somacat_run::rough;
use somacat_units::UnitState::{Damaged, Done, Failed, Missing, Running, Stopped};
use somacat_units::{Cut, CutPlan, JobStatus, UnfinishedUnit, UnitSurvey, cut};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
#[command(after_help = "\
A unit is a self-contained line of JSON: the question with the version of its algorithm, the pieces,
the selection of figures to keep, and a range of shards or entries. The same plan gives the same
units on every machine. Based on a sample, they are about equal in work. `somacat work` processes a
unit, and `somacat merge` builds a catalog from the results. Without a plan, the built-in starter
plan is split. docs/cluster.md explains the use on one laptop and on a cluster.

With --status a row is shown for each question and file: its units by state, the processor time used
and the time left, in seconds. The time left is estimated from the finished units. A unit is done if
its part has the SHA-256 that its last line states; `somacat merge` also checks every row. A program
that ends notes whether it was stopped or failed; a killed one counts as running for two minutes. On
a terminal, a bar is shown while units run; --table shows the rows at once.

Examples:
  somacat units my-plan.toml > units.txt
  somacat units my-plan.toml --count 64 > units.txt
  somacat units my-plan.toml --seconds 3600 > units.txt
  somacat units --status units.txt parts
  somacat units --status units.txt parts --unfinished")]
pub(crate) struct UnitsArgs {
    /// The plan file; see docs/plans.md.
    #[arg(value_name = "PLAN", conflicts_with = "status")]
    plan: Option<PathBuf>,
    /// Number of units; at least one for each file and question of the plan.
    #[arg(
        long,
        visible_alias = "count",
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
        conflicts_with = "status"
    )]
    cut: Option<u64>,
    /// Approximate work of a unit, in core seconds of an ordinary machine.
    #[arg(long, value_name = "S", default_value_t = 1200.0, conflicts_with_all = ["cut", "status"])]
    seconds: f64,
    /// Show the state of a file's units, whose parts are in folders.
    #[arg(long, num_args = 2.., value_names = ["UNITS", "FOLDER"])]
    status: Option<Vec<PathBuf>>,
    /// With --status: only list the numbers of the units without a valid part, one per line; with --csv or
    /// another format also the memory that they take, the time, calibrated by the finished ones, and the
    /// host and the job that worked on them last.
    #[arg(long, visible_alias = "again", requires = "status")]
    unfinished: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl UnitsArgs {
    /// Returns true if the command only shows the state of units.
    pub(crate) const fn is_status(&self) -> bool {
        self.status.is_some()
    }
}

/// The time between two views on a terminal.
const REFRESH: Duration = Duration::from_secs(2);

pub(crate) fn units(global: &Global, args: &UnitsArgs) -> Result<Exit> {
    if let Some([units, folders @ ..]) = args.status.as_deref() {
        return status(global, args, units, folders);
    }
    if args.output.style().is_some() {
        return Err(Failure::usage("units are lines of JSON; output options need --status"));
    }
    let how = match args.cut {
        Some(count) => Cut::Count(count),
        None if args.seconds >= 0.001 => Cut::Seconds(args.seconds),
        None => return Err(Failure::usage("--seconds must be at least 0.001")),
    };
    let stop = stop_on_signals()?;
    let plan = read_plan(args.plan.as_deref())?;
    let Some(CutPlan { units, estimates, unreadable }) = cut(&plan, how, stop)? else {
        return Ok(stopped_early());
    };
    unreadable.iter().for_each(|why| report_refused(why));
    if units.is_empty() && !unreadable.is_empty() {
        return Ok(Exit::Failed);
    }
    let mut out = stdout();
    for unit in &units {
        writeln!(out, "{}", unit.line())?;
    }
    out.flush()?;
    let longest = units.iter().map(|unit| unit.estimated_ms).max().unwrap_or_default();
    let longest = time((longest as f64 / 1e3).max(1.0));
    let more = if estimates.iter().any(|item| item.longer) { " or more" } else { "" };
    let number = count_noun(units.len(), "unit");
    global.note(&format!("{number}, each up to about {longest}{more} of one core"));
    global.note(&space(&estimates, 1));
    Ok(Exit::Ok)
}

fn status(global: &Global, args: &UnitsArgs, units: &Path, folders: &[PathBuf]) -> Result<Exit> {
    let mut survey = UnitSurvey::new(units, folders)?;
    if args.unfinished {
        return unfinished(args, &survey.unfinished());
    }
    let on_terminal = io::stdout().is_terminal() && args.output.style().is_none();
    if on_terminal && !global.quiet {
        watch(&mut survey)?;
    }
    let jobs = survey.jobs();
    let mut rows = args.output.rows(&[
        "question",
        "units",
        "done",
        "running",
        "stopped",
        "failed",
        "missing",
        "damaged",
        "cpu_seconds",
        "cpu_seconds_left",
        "eta_seconds",
        "bytes",
    ])?;
    for job in &jobs {
        let states =
            [Done, Running, Stopped, Failed, Missing, Damaged].map(|state| job.number(state));
        let mut fields = vec![job.label.as_str().into()];
        fields.push(job.units().into());
        fields.extend(states.map(Into::into));
        // The end if as many units run at a time as now, or one.
        let eta = job.seconds_left / job.number(Running).max(1) as f64;
        let seconds = [job.seconds_used, job.seconds_left, eta];
        fields.extend(seconds.map(|seconds| (seconds.round() as u64).into()));
        fields.push(job.bytes.into());
        rows.row(&fields)?;
    }
    rows.finish()?;
    global.note(&sentence(&JobStatus::sum(&jobs)));
    Ok(Exit::Ok)
}

/// Lists the unfinished units: their numbers or, in a chosen format, also state, time and memory.
fn unfinished(args: &UnitsArgs, units: &[UnfinishedUnit]) -> Result<Exit> {
    if args.output.style().is_none() {
        let mut out = stdout();
        for unit in units {
            writeln!(out, "{}", unit.number)?;
        }
        return Ok(out.flush().map(|()| Exit::Ok)?);
    }
    let columns = ["unit", "state", "cpu_seconds_left", "memory_mib", "host", "job"];
    let mut rows = args.output.rows(&columns)?;
    for unit in units {
        let state = match unit.state {
            Done => "done",
            Running => "running",
            Stopped => "stopped",
            Failed => "failed",
            Missing => "missing",
            Damaged => "damaged",
        };
        let seconds = unit.seconds.ceil() as u64;
        let numbers = [seconds.into(), unit.memory_mib.into()];
        let worker = [unit.worker.host.as_str().into(), unit.worker.job.as_str().into()];
        rows.row(&[&[unit.number.into(), state.into()][..], &numbers, &worker].concat())?;
    }
    rows.finish()?;
    Ok(Exit::Ok)
}

/// The views without a running unit after which the bar ends. Between two units there may be none.
const IDLE_VIEWS: usize = 3;

/// Shows a bar while units run. Ctrl-C ends the program, which only reads.
fn watch(survey: &mut UnitSurvey) -> Result<()> {
    let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
    let template = ProgressStyle::with_template("{bar:20} {percent:>3} %  {wide_msg}");
    bar.set_style(template.map_err(|error| Failure::failed(error.to_string()))?);
    let (mut first, mut idle) = (None, 0);
    loop {
        let sum = JobStatus::sum(&survey.jobs());
        idle = if sum.number(Running) == 0 { idle + 1 } else { 0 };
        let (begun, used_before) = *first.get_or_insert((Instant::now(), sum.seconds_used));
        if sum.number(Done) == sum.units() || idle == IDLE_VIEWS {
            break;
        }
        let share = sum.seconds_used / (sum.seconds_used + sum.seconds_left).max(1e-9);
        bar.set_position((1000.0 * share) as u64);
        let passed = begun.elapsed();
        let rate = (sum.seconds_used - used_before) / passed.as_secs_f64().max(1e-9);
        let at_present = (passed > 5 * REFRESH && rate > 0.0).then_some(rate);
        bar.set_message(bar_message(&sum, at_present));
        thread::sleep(REFRESH);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Describes the units next to a bar on an 80-column terminal. `cores` is the number of cores at work, if known.
fn bar_message(sum: &JobStatus, cores: Option<f64>) -> String {
    let [done, running] = [Done, Running].map(|state| sum.number(state));
    let left = match cores {
        Some(cores) => format!("ETA {}", time(sum.seconds_left / cores)),
        None => format!("CPU time left {}", time(sum.seconds_left)),
    };
    format!("{done}/{} units, {running} running, {left}", sum.units())
}

fn sentence(sum: &JobStatus) -> String {
    let mut text = format!("{} of {} done", sum.number(Done), count_noun(sum.units(), "unit"));
    let words =
        [(Running, "running"), (Stopped, "stopped"), (Failed, "failed"), (Damaged, "damaged")];
    for (state, word) in words {
        let number = sum.number(state);
        if number > 0 {
            text += &format!(", {number} {word}");
        }
    }
    let [used, left] = [sum.seconds_used, sum.seconds_left].map(time);
    text += &format!("; processor time {used} used, about {left} left");
    let running = sum.number(Running);
    if running > 0 {
        let end = time(sum.seconds_left / running as f64);
        text += &format!(", the end in about {end} if {running} run at a time");
    }
    text + &format!("; {}", HumanBytes(sum.bytes))
}

fn time(seconds: f64) -> String {
    rough(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
