//! `somacat status`: shows the catalog's totals and the last run.

use crate::cli::failure::Result;
use crate::cli::shared::output::{OutputArgs, Style};
use crate::cli::{Exit, Global};
use clap::Args;
use somacat_catalog::{Catalog, LastRun, Status};
use somacat_output::export::{Field, RowSink};
use somacat_run::{rough, time_for};

#[derive(Args, Debug)]
#[command(after_help = "\
Also works while a run is writing to the catalog, and then shows its rate and the estimated time
left. The number of planned figures grows as sources are started. A killed or failed run is marked.

Example:
  somacat status --jsonl")]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn status(global: &Global, args: &StatusArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let status = catalog.status()?;
    let mut rows = args.output.rows(&["what", "value"])?;
    rows.row(&["catalog".into(), global.db.display().to_string().into()])?;
    for (label, number) in numbers(&status) {
        rows.row(&[label.into(), number.into()])?;
    }
    // A table marks estimates with ~; programs read a plain number.
    let about = if args.output.chosen_style() == Style::Table { "~" } else { "" };
    if let Some(run) = &status.last_run {
        for (label, value) in last_run(run, about) {
            rows.row(&[label.into(), value])?;
        }
        if run.status == "running" && run.is_written {
            progress_rows(run, about, &mut *rows)?;
        }
    }
    rows.finish()?;
    Ok(Exit::Ok)
}

fn numbers(status: &Status) -> Vec<(&'static str, u64)> {
    let Status { outcomes, unkept, .. } = status;
    let mut numbers = vec![("figures", status.figures)];
    if outcomes.figures != status.figures {
        numbers.push(("figures with their sets", outcomes.figures));
    }
    numbers.extend([
        ("names", status.names),
        ("sources", status.sources),
        ("refused entries", status.refused),
        ("not counted yet", status.uncounted),
        ("disagreements", status.disagreements),
        ("parity-blocked", outcomes.parity_blocked),
        ("unsolvable otherwise", outcomes.unsolvable),
        ("solvable", outcomes.buildable),
        ("undecided", outcomes.unknown),
        ("failed", outcomes.failed),
    ]);
    if unkept.figures > 0 {
        numbers.extend([
            ("only as numbers", unkept.figures),
            ("  parity-blocked", unkept.parity_blocked),
            ("  unsolvable otherwise", unkept.unsolvable),
            ("  solvable", unkept.buildable),
            ("  undecided", unkept.unknown),
        ]);
    }
    numbers
}

fn last_run<'a>(run: &'a LastRun, about: &str) -> Vec<(&'static str, Field<'a>)> {
    // A killed program could not record its end.
    let status = match run.status.as_str() {
        "running" if !run.is_written => "killed; the same command continues",
        status => status,
    };
    let mut rows = vec![
        ("last run", run.run.to_string().into()),
        ("  command", run.command.as_str().into()),
        ("  version", run.version.as_str().into()),
        ("  started", run.started.as_str().into()),
        ("  ended", run.ended.as_deref().unwrap_or_default().into()),
        ("  status", status.into()),
        ("  planned", run.planned.map(|n| planned(n, run.done, about)).unwrap_or_default().into()),
        ("  done", run.done.to_string().into()),
    ];
    rows.extend(run.error.as_deref().map(|error| ("  error", error.into())));
    rows
}

/// Formats the number of planned figures, an estimate until all are done.
fn planned(planned: u64, done: u64, about: &str) -> String {
    if planned == done { planned.to_string() } else { format!("{about}{planned}") }
}

/// Writes the rate and the remaining time of a run in progress.
fn progress_rows(run: &LastRun, about: &str, rows: &mut dyn RowSink) -> Result<()> {
    // A negative time means that the clock was set back; then there is no rate.
    let rate = (run.seconds >= 0.0).then(|| run.done as f64 / run.seconds.max(1.0));
    let left = run.planned.map(|planned| planned.saturating_sub(run.done));
    let left = left.zip(rate).and_then(|(figures, rate)| time_for(figures, rate)).map(rough);
    let unknown = || "unknown".to_owned();
    if let Some(planned) = run.planned.filter(|planned| *planned > 0) {
        let percent = 100.0 * run.done as f64 / planned as f64;
        rows.row(&["  percent done".into(), format!("{about}{percent:.1}").into()])?;
    }
    let rate = rate.map_or_else(unknown, |rate| format!("{rate:.1}"));
    rows.row(&["  figures a second".into(), rate.into()])?;
    rows.row(&["  time left".into(), left.unwrap_or_else(unknown).into()])?;
    Ok(())
}
