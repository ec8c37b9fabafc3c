//! `somacat import`: imports figures from files into the catalog.

use super::run::{exit_of, pipeline};
use crate::cli::failure::{Context, Result};
use crate::cli::shared::input::{announce_waiting, piece_set, require_one_stdin};
use crate::cli::shared::log::LogArgs;
use crate::cli::shared::summary::show_summary;
use crate::cli::{Exit, Global};
use clap::Args;
use somacat_formats::{Format, OpenError};
use somacat_output::dossier::figure_files;
use somacat_run::{CountMode, Plan, SetChoice, Source, SourceQuestion};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "\
Figures are recognized in any orientation and mirrored. A faulty entry is reported with file, line
and reason and skipped; the rest is imported. Solutions in a file are checked. Importing an edited
file again updates the catalog. All files of a folder are imported, in the order of their names.

Examples:
  somacat import figures.soma page.htm
  somacat import my-figures
  somacat import --no-count --set SOMA many.cells
  cat figures.soma | somacat import -")]
pub(crate) struct ImportArgs {
    /// Files or folders, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as V L T2, a file of pieces, or auto: by the
    /// number of cells and the marks.
    #[arg(long, default_value = "auto")]
    set: String,
    /// The files' format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    /// Only identify and classify, do not count.
    #[arg(long, conflicts_with_all = ["redo", "nodes"])]
    no_count: bool,
    /// Count failed figures again; counts left open by a lower limit are always repeated.
    #[arg(long)]
    redo: bool,
    /// Search limit per figure, in nodes; beyond it a lower bound is stored. 0 for no limit.
    #[arg(long, value_name = "N", default_value = "100000000")]
    nodes: u64,
    #[command(flatten)]
    log: LogArgs,
}

pub(crate) fn import(global: &Global, args: &ImportArgs) -> Result<Exit> {
    let set = match args.set.as_str() {
        text if text.eq_ignore_ascii_case("auto") => SetChoice::Auto,
        text => SetChoice::Fixed(piece_set(text)?),
    };
    require_one_stdin(&args.files)?;
    let mut asked = Vec::new();
    for path in &args.files {
        let file = |path| Source::File { path, plan: PathBuf::new() };
        announce_waiting(path);
        let sources = if path == Path::new("-") {
            vec![Source::Stdin]
        } else {
            let files = figure_files(path).context(path.display().to_string())?;
            files.unwrap_or_else(|| vec![path.clone()]).into_iter().map(file).collect()
        };
        if sources.is_empty() {
            return Err(OpenError::EmptyFolder(path.display().to_string()).into());
        }
        let ask = |source| Arc::new(SourceQuestion::new(source, args.format, set.clone()));
        asked.extend(sources.into_iter().map(ask));
    }
    let nodes = (args.nodes > 0).then_some(args.nodes);
    let plan = Plan { sources: asked, nodes, ..Plan::new("import") };
    let counts = match (args.no_count, args.redo) {
        (true, _) => CountMode::None,
        (false, true) => CountMode::Redo,
        (false, false) => CountMode::Pending,
    };
    let summary = pipeline(global, &plan, counts, &args.log, &[])?;
    if !summary.read_nothing && global.db.exists() {
        show_summary(global, &summary, None);
    }
    Ok(exit_of(&summary))
}
