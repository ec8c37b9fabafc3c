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
Signature, class, order, parity, box, parts and reason of each row are derived again, and counts are
recounted by a second program part that shares nothing with the solver but the cells and the pieces.
What differs is listed, in the order of the catalog, also published counts that ours contradict. The
summary says how many counts were not checked, and why.

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
    let done = verify_catalog(&catalog, args.sample, args.steps, stop, &progress(global, None))?;
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
        let mut left_out = Vec::new();
        if done.too_large > 0 {
            left_out.push(format!(
                "{} would take more than {} placements, see --steps",
                done.too_large, args.steps
            ));
        }
        if done.uncounted > 0 {
            left_out.push(format!("{} have no count to check", done.uncounted));
        }
        let left_out = if left_out.is_empty() {
            String::new()
        } else {
            let number = done.too_large + done.uncounted;
            format!(", {number} not recounted ({})", left_out.join("; "))
        };
        eprintln(&format!(
            "{} rows verified, {} recounted{left_out}, {} mismatches, {disagreements} published \
             counts contradicted",
            done.rows,
            done.recounted,
            done.mismatches.len(),
        ));
        if done.stopped {
            eprintln("stopped early: the other rows were not looked at");
        }
    }
    Ok(if !done.mismatches.is_empty() || disagreements > 0 {
        Exit::Mismatch
    } else if done.stopped {
        Exit::Stopped
    } else {
        Exit::Ok
    })
}
