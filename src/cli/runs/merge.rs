//! `somacat merge`: merges the parts of a plan into a catalog.

use super::run::{exit_of, progress};
use crate::cli::export::parquet_files::report_files;
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::log::{LogArgs, logged};
use crate::cli::shared::output::{OutputArgs, folder_parser};
use crate::cli::shared::summary::show_summary;
use crate::cli::{Exit, Global, eprintln, is_stopped, stop_on_signals, until_stopped};
use clap::Args;
use somacat_formats::count_noun;
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::symmetry::Class;
use somacat_run::{EndTotals, Progress};
use somacat_units::{Extent, Parts, UnitsError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(Args, Debug)]
#[command(after_help = "\
Every part is checked before anything is written. Missing units are listed. Parts that are damaged,
belong to another plan or version, or contradict known totals are refused. Duplicate parts are
harmless. The same command continues a merge that was stopped or killed.

With --totals no catalog is written, only a row for each class of each question, as in the catalog's
view `enumerations`. With --partial, units may be missing: the rows add up those that are finished,
and state how many of the question's units these are.

With --to parquet the figures go into a new folder of Parquet files, sorted by class and signature,
without a catalog: for results that are too large for one. The files equal those of `somacat export
parquet` from the merged catalog, byte for byte. Sorting takes about 50 bytes per figure on the disk
of the folder, and 256 MB of memory for any number of figures. If the folder already has the same
files, the command ends as when it wrote them; other contents are refused.

Examples:
  somacat merge units.txt parts
  somacat merge units.txt parts --db my.db
  somacat merge units.txt parts parts-of-another-machine
  somacat merge units.txt parts --totals --csv
  somacat merge units.txt parts --totals --partial
  somacat merge units.txt parts --to parquet figures")]
pub(crate) struct MergeArgs {
    /// The file of units that `somacat units` wrote.
    #[arg(value_name = "UNITS")]
    units: PathBuf,
    /// The folders of parts.
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// Only add up the figures by class; write no catalog.
    #[arg(long, conflicts_with = "LogArgs")]
    totals: bool,
    /// With --totals: add up the parts that exist, although others are missing.
    #[arg(long, requires = "totals")]
    partial: bool,
    /// Write the figures as parquet to a new folder; write no catalog.
    #[arg(long, num_args = 2, value_names = ["FORMAT", "DIR"], value_parser = folder_parser(), conflicts_with = "totals")]
    to: Option<Vec<PathBuf>>,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn merge(global: &Global, args: &MergeArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    if args.totals {
        return totals(global, args);
    }
    if args.output.style().is_some() {
        return Err(Failure::usage("output options need --totals"));
    }
    let progress = progress(global, args.log.open(&[&global.db, &args.units])?);
    if let Some(to) = &args.to {
        return to_parquet(global, args, to, stop, &progress);
    }
    let work = || Ok(parts(args)?.merge(&global.db, Extent::Everything, stop, &progress)?);
    let merged = logged(&progress, "merge", work, |merged| {
        (merged.summary.end(), Some(EndTotals::from(&merged.summary)))
    })?;
    show_summary(global, &merged.summary, None);
    global.note(&format!("merged from {}", count_noun(merged.units, "unit")));
    Ok(exit_of(&merged.summary))
}

fn parts(args: &MergeArgs) -> Result<Parts> {
    read_parts(args, Parts::check)
}

/// Reads units and parts, which may take minutes, unless a stop is requested.
fn read_parts<T: Send + 'static>(
    args: &MergeArgs,
    read: fn(&Path, &[PathBuf]) -> std::result::Result<T, UnitsError>,
) -> Result<T> {
    let (units, folders) = (args.units.clone(), args.folders.clone());
    let done = until_stopped(is_stopped, move || read(&units, &folders))?;
    Ok(done.ok_or_else(|| Failure::stopped("stopped while the units were read"))??)
}

fn to_parquet(
    global: &Global,
    args: &MergeArgs,
    to: &[PathBuf],
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Exit> {
    let [format, folder] = to else {
        return Err(Failure::usage("--to takes a format and a folder"));
    };
    if format.as_os_str() != "parquet" {
        let text = format!("--to {} is not a format; use --to parquet DIR", format.display());
        return Err(Failure::usage(text));
    }
    let work = || Ok(parts(args)?.to_parquet(folder, stop, progress)?);
    let merged = logged(progress, "merge", work, |merged| {
        (merged.sources.end(), Some(EndTotals::from(&merged.sources)))
    })?;
    if let Some(files) = &merged.files {
        report_files(global, files, folder);
    }
    global.note(&format!("merged from {}", count_noun(merged.units, "unit")));
    Ok(exit_of(&merged.sources))
}

/// The numbers of a class: figures, blocked by parity, unsolvable otherwise, solvable, undecided.
type Numbers = [u64; 5];

fn totals(global: &Global, args: &MergeArgs) -> Result<Exit> {
    let questions = match args.partial {
        true => read_parts(args, Parts::totals_so_far)?,
        false => parts(args)?.into_totals(),
    };
    let mut columns = vec![
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
    if args.partial {
        columns.extend(["units_done", "units"]);
    }
    let mut rows = args.output.rows(&columns)?;
    for question in &questions {
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
            let mut fields: Vec<_> = head.into_iter().chain(numbers.map(Into::into)).collect();
            if args.partial {
                fields.extend(question.units.map(Into::into));
            }
            rows.row(&fields)?;
        }
    }
    rows.finish()?;
    let sum = |at: usize| questions.iter().map(|question| question.units[at]).sum::<u64>();
    if sum(0) < sum(1) && !global.quiet {
        let of = count_noun(sum(1), "unit");
        eprintln(&format!(
            "{} of {of} of enumerations are finished: these are their totals so far",
            sum(0)
        ));
    }
    Ok(Exit::Ok)
}
