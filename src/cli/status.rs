//! `somacat status`: how the catalog stands.

use super::output::{OutputArgs, Style};
use super::{Exit, Global};
use crate::catalog::{Catalog, Underway};
use crate::export::RowSink;
use crate::run::{rough, time_for};
use clap::Args;

/// Show how the catalog stands and what its last run did
#[derive(Args, Debug)]
#[command(after_help = "\
Works while a run is writing to the catalog, and tells then how fast it has been and how long it
will take if it goes on like that. What is planned grows as sources begin. A run that was killed
is named so.

Example:
  somacat status --jsonl")]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn status(global: &Global, args: &StatusArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let status = catalog.status()?;
    let mut rows = args.output.rows(Style::Table, &["what", "value"])?;
    rows.row(&["catalog".into(), global.db.display().to_string().into()])?;
    for (label, number) in status.numbers {
        rows.row(&[label.into(), number.into()])?;
    }
    for (label, value) in status.last_run.unwrap_or_default() {
        let label = if label == "run" { "last run".to_owned() } else { format!("  {label}") };
        rows.row(&[label.into(), value.into()])?;
    }
    if let Some(underway) = catalog.underway()? {
        how_far(underway, &mut *rows)?;
    }
    rows.finish()?;
    Ok(Exit::Ok)
}

/// Rate and time to go of a run that is writing.
fn how_far(run: Underway, rows: &mut dyn RowSink) -> anyhow::Result<()> {
    if !run.alive {
        rows.row(&[
            "  now".into(),
            "not running: it was killed; the same command continues".into(),
        ])?;
        return Ok(());
    }
    // A run that is yet to begin: the clock was set back meanwhile, and nothing follows from it.
    let rate = (run.seconds >= 0.0).then(|| run.done as f64 / run.seconds.max(1.0));
    let left = run.planned.map(|planned| planned.saturating_sub(run.done));
    let left = left.zip(rate).and_then(|(figures, rate)| time_for(figures, rate)).map(rough);
    let unknown = || "unknown".to_owned();
    rows.row(&["  now".into(), "running".into()])?;
    if let Some(planned) = run.planned.filter(|planned| *planned > 0) {
        let percent = 100.0 * run.done as f64 / planned as f64;
        rows.row(&["  percent done".into(), format!("{percent:.1}").into()])?;
    }
    let rate = rate.map_or_else(unknown, |rate| format!("{rate:.1}"));
    rows.row(&["  figures a second".into(), rate.into()])?;
    rows.row(&["  time left".into(), left.unwrap_or_else(unknown).into()])?;
    Ok(())
}
