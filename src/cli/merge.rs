//! `somacat merge`: the parts of a plan into a catalog.

use super::failure::Result;
use super::log::{LogArgs, logged};
use super::output::OutputArgs;
use super::run::{exit_of, progress};
use super::summary::show_summary;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::formats::quantity;
use crate::outcome::{Reason, Verdict};
use crate::run::EndTotals;
use crate::symmetry::Class;
use crate::units::Parts;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Merge the parts of a plan into the catalog, which then equals that of `somacat run`
#[derive(Args, Debug)]
#[command(after_help = "\
Every part is looked at before anything is written: missing units are listed; parts that are
damaged, of another plan or version, or do not add up to what is known are refused. A part that is
there twice does no harm. A merge that was stopped or killed is continued by the same command.

With --totals no catalog is written: a row for each class of each question, as in the catalog's view
`enumerations`, in the chosen output.

Examples:
  somacat merge units.txt parts
  somacat merge units.txt parts --db my.db
  somacat merge units.txt parts parts-of-another-machine
  somacat merge units.txt parts --totals --csv")]
pub(crate) struct MergeArgs {
    /// The file of units that `somacat units` wrote.
    #[arg(value_name = "UNITS")]
    units: PathBuf,
    /// The folders with their parts.
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// Only add up the figures by class; write no catalog.
    #[arg(long)]
    totals: bool,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn merge(global: &Global, args: &MergeArgs) -> Result<Exit> {
    if args.totals {
        return totals(args);
    }
    let stop = stop_on_signals()?;
    let progress = progress(global, args.log.open());
    let work = || Ok(Parts::check(&args.units, &args.folders)?.merge(&global.db, stop, &progress)?);
    let merged = logged(&progress, "merge", work, |merged| {
        (merged.summary.stopped, Some(EndTotals::from(&merged.summary)))
    })?;
    if !global.quiet {
        show_summary(&merged.summary, &global.db.display().to_string());
        eprintln(&format!("merged from {}", quantity(merged.units, "unit")));
    }
    Ok(exit_of(&merged.summary))
}

/// Figures of a class: all, blocked by parity, unsolvable otherwise, solvable, undecided.
type Numbers = [u64; 5];

fn totals(args: &MergeArgs) -> Result<Exit> {
    let parts = Parts::check(&args.units, &args.folders)?;
    let columns = [
        "enumeration",
        "set",
        "class",
        "order",
        "figures",
        "parity_blocked",
        "unsolvable",
        "solvable",
        "undecided",
    ];
    let mut rows = args.output.rows(&columns)?;
    for question in parts.totals() {
        let mut classes: BTreeMap<Class, Numbers> = BTreeMap::new();
        for (class, verdict, reason, figures) in question.totals.iter() {
            let at = match (verdict, reason) {
                (Verdict::Unsolvable, Some(Reason::Parity)) => 1,
                (Verdict::Unsolvable, _) => 2,
                (Verdict::Counted | Verdict::AtLeast, _) => 3,
                (Verdict::Unknown | Verdict::Failed, _) => 4,
            };
            let numbers = classes.entry(class).or_default();
            numbers[0] += figures;
            numbers[at] += figures;
        }
        for (class, numbers) in classes {
            let (label, set) = (question.label.as_str(), question.set.name());
            let head = [label.into(), set.into(), class.name().into(), class.order().into()];
            let fields: Vec<_> = head.into_iter().chain(numbers.map(Into::into)).collect();
            rows.row(&fields)?;
        }
    }
    rows.finish()?;
    Ok(Exit::Ok)
}
