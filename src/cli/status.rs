//! `somacat status`: how the catalog stands.

use super::output::{OutputArgs, Style};
use super::{Exit, Global};
use crate::catalog::Catalog;
use clap::Args;

/// Show how the catalog stands and what its last run did
#[derive(Args, Debug)]
#[command(after_help = "\
Works while a run is writing to the catalog.

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
    rows.finish()?;
    Ok(Exit::Ok)
}
