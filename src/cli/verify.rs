//! `somacat verify`: the catalog derived again by independent means.

use super::output::{OutputArgs, Style};
use super::run::progress;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::Catalog;
use crate::run::verify_catalog;
use clap::Args;

/// Derive the catalog's rows again by independent means; exit code 5 if something differs
#[derive(Args, Debug)]
#[command(after_help = "\
Signature, class, order and parity of each row are derived again, and counts are recounted by a second
program part that shares nothing with the solver but the cells and the pieces. What differs is
listed, also published counts that ours contradict.

Examples:
  somacat verify
  somacat verify --sample 1000 --csv")]
pub(crate) struct VerifyArgs {
    /// Only so many rows, spread evenly.
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Give a recount up after so many placements.
    #[arg(long, value_name = "N", default_value = "100000000")]
    steps: u64,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn verify(global: &Global, args: &VerifyArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let stop = stop_on_signals()?;
    let done = verify_catalog(&catalog, args.sample, args.steps, stop, &progress(global))?;
    let mut rows = args.output.rows(Style::Table, &["signature", "what", "catalog", "found"])?;
    for m in &done.mismatches {
        let values = [m.signature.as_str(), m.what, &m.catalog, &m.found];
        rows.row(&values.map(Into::into))?;
    }
    let mut disagreements = 0;
    let published = "SELECT signature, kind || ' published by ' || source, ours, published
                     FROM disagreements ORDER BY signature, kind, source";
    catalog.select_sql::<anyhow::Error>(published, |values| {
        disagreements += 1;
        let fields: Vec<_> = values.into_iter().map(Into::into).collect();
        Ok(rows.row(&fields)?)
    })?;
    rows.finish()?;
    if !global.quiet {
        eprintln(&format!(
            "{} rows verified, {} recounted, {} too large to recount, {} mismatches, {} published \
             counts contradicted",
            done.rows,
            done.recounted,
            done.too_large,
            done.mismatches.len(),
            disagreements
        ));
    }
    Ok(if !done.mismatches.is_empty() || disagreements > 0 {
        Exit::Mismatch
    } else if done.stopped {
        Exit::Stopped
    } else {
        Exit::Ok
    })
}
