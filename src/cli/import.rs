//! `somacat import`: figures of files into the catalog.

use super::input::piece_set;
use super::log::LogArgs;
use super::run::{exit_of, pipeline, show_summary};
use super::{Exit, Global};
use crate::formats::Format;
use crate::run::{Plan, SetChoice, Source};
use clap::Args;
use std::path::{Path, PathBuf};

/// Take the figures of files into the catalog and count them
#[derive(Args, Debug)]
#[command(after_help = "\
Figures are recognized however they are turned or mirrored. A faulty entry is reported with file,
line and reason and left out; the rest goes in. A solution that a file shows is checked. Importing a
file again after it was edited brings the catalog up to date.

Examples:
  somacat import figures.soma page.htm
  somacat import --no-count --set SOMA many.cells
  cat figures.soma | somacat import -")]
pub(crate) struct ImportArgs {
    /// Files, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a file of pieces, or auto: by the
    /// number of cells and the marks.
    #[arg(long, default_value = "auto")]
    set: String,
    /// The files' format, soma, cells, heightmap or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    /// Only recognize and classify.
    #[arg(long)]
    no_count: bool,
    /// Count again what has no exact count: limits, failures.
    #[arg(long)]
    redo: bool,
    /// Most search nodes a figure; what takes longer is kept as "at least". 0 for no limit.
    #[arg(long, value_name = "N", default_value = "100000000")]
    nodes: u64,
    #[command(flatten)]
    log: LogArgs,
}

pub(super) fn import(global: &Global, args: &ImportArgs) -> anyhow::Result<Exit> {
    let source = |path: &PathBuf| {
        if path == Path::new("-") { Source::Stdin } else { Source::File(path.clone()) }
    };
    let set = match args.set.as_str() {
        "auto" => SetChoice::Auto,
        text => SetChoice::Fixed(piece_set(text)?),
    };
    let plan = Plan {
        set,
        format: args.format,
        nodes: (args.nodes > 0).then_some(args.nodes),
        ..Plan::of_sources("import", args.files.iter().map(source).collect())
    };
    let (_, summary) = pipeline(global, &plan, args.redo, !args.no_count, &args.log)?;
    if !global.quiet {
        show_summary(&summary, &global.db.display().to_string());
    }
    Ok(if summary.unreadable == args.files.len() as u64 { Exit::Failed } else { exit_of(&summary) })
}
