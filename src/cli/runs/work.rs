//! `somacat work`: processes a unit of a plan without a catalog.

use super::run::progress;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::bytes::parse_bytes;
use crate::cli::shared::log::{LogArgs, end_of, logged};
use crate::cli::shared::output::folder_parser;
use crate::cli::{Exit, Global, stop_on_signals, unless_stopped};
use clap::Args;
use somacat_units::{Unit, UnitList, WorkEnd, work};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
A finished unit is skipped. A unit that was stopped (exit code 75) or killed resumes. No catalog is
opened; many units can be processed at once, on machines that share the folder or not. A unit of
another plan or another version of somacat is refused.

Examples:
  somacat work units.txt --unit 3 --out parts
  somacat work --text \"$(sed -n 3p units.txt)\" --out parts")]
pub(crate) struct WorkArgs {
    /// The file of units that `somacat units` wrote.
    #[arg(value_name = "UNITS", required_unless_present = "text")]
    units: Option<PathBuf>,
    /// The number of the unit: its line.
    #[arg(long, value_name = "I", required_unless_present = "text")]
    unit: Option<u64>,
    /// The unit itself, instead of a file and a number.
    #[arg(long, value_name = "LINE", conflicts_with_all = ["units", "unit"])]
    text: Option<String>,
    /// The folder for the parts; created if missing.
    #[arg(long, value_name = "PATH", default_value = "parts", value_parser = folder_parser())]
    out: PathBuf,
    /// Memory limit, such as 500M or 4GiB; by default three quarters of the available memory.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    #[command(flatten)]
    log: LogArgs,
}

pub(crate) fn work_unit(global: &Global, args: &WorkArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let unit = match (&args.text, &args.units, args.unit) {
        (Some(text), ..) => Unit::of_line(text)
            .map_err(|fault| Failure::failed(fault.to_string()))
            .context("--text")?,
        (None, Some(path), Some(number)) => {
            let owned = path.clone();
            let unit = unless_stopped(path, move || UnitList::read_unit(&owned, number))?;
            unit.ok_or_else(|| Failure::stopped("stopped while the units were read"))??
        }
        _ => return Err(Failure::usage("name a file of units and --unit, or give --text")),
    };
    let inputs: Vec<&Path> = args.units.iter().map(PathBuf::as_path).collect();
    let progress = progress(global, args.log.open(&inputs)?);
    let name = unit.name();
    let work = || Ok(work(&unit, &args.out, args.memory, stop, &progress)?);
    let end = logged(&progress, &name, work, |end| (end_of(*end == WorkEnd::Stopped), None))?;
    let (text, exit) = match end {
        WorkEnd::Known => ("finished before", Exit::Ok),
        WorkEnd::Finished => ("finished", Exit::Ok),
        WorkEnd::Stopped => ("stopped; the same command continues", Exit::Stopped),
    };
    global.note(&format!("{name}: {text}"));
    Ok(exit)
}
