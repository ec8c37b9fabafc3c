//! `somacat units`: splits a plan into work units for many machines.

use super::failure::{Failure, Result};
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::formats::count_noun;
use crate::run::{Plan, starter_plan};
use crate::units::{Cut, cut};
use clap::Args;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
A unit is a self-contained line of JSON: the question with the version of its algorithm, the pieces,
the selection of figures to keep, and a range of shards or entries. The same plan gives the same
units on every machine. Based on a sample, they are about equal in work. `somacat work` processes a
unit, and `somacat merge` builds a catalog from the results. Without a plan, the built-in starter
plan is split. docs/cluster.md explains the use on one laptop and on a cluster.

Examples:
  somacat units my-plan.toml > units.txt
  somacat units my-plan.toml --count 64 > units.txt
  somacat units my-plan.toml --seconds 3600 > units.txt")]
pub(crate) struct UnitsArgs {
    /// The plan file; see docs/plans.md.
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// Number of units; at least one for each file and question of the plan.
    #[arg(
        long,
        visible_alias = "count",
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    cut: Option<u64>,
    /// Approximate work of a unit, in seconds of one core of an ordinary machine.
    #[arg(long, value_name = "S", default_value_t = 1200.0, conflicts_with = "cut")]
    seconds: f64,
}

pub(super) fn units(global: &Global, args: &UnitsArgs) -> Result<Exit> {
    let how = match args.cut {
        Some(count) => Cut::Count(count),
        None if args.seconds >= 0.001 => Cut::Seconds(args.seconds),
        None => return Err(Failure::usage("--seconds must be at least 0.001")),
    };
    let plan = match &args.plan {
        Some(path) => Plan::read(path)?,
        None => starter_plan()?,
    };
    let stop = stop_on_signals()?;
    let Some(units) = cut(&plan, how, stop)? else { return Ok(Exit::Stopped) };
    let mut out = BufWriter::new(io::stdout().lock());
    for unit in &units {
        writeln!(out, "{}", unit.line())?;
    }
    out.flush()?;
    if !global.quiet {
        eprintln(&count_noun(units.len(), "unit"));
    }
    Ok(Exit::Ok)
}
