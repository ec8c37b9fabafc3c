//! `somacat prove`: a certificate that a figure cannot be built.

use super::failure::{About, Failure, Result};
use super::input::{Figures, SetArg};
use super::open_figure::OpenFigure;
use super::output::to_file;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::export::Word;
use crate::formats::{Format, quantity};
use crate::outcome::Outcome;
use crate::prove::{ProveError, write_certificate};
use crate::run::default_limits;
use crate::solve::{Limits, first};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
A certificate is plain text: the figure, the pieces, and why there is no packing. Where an exhausted
search is the reason it holds the tree of a search: at each node a cell or a piece, below it every
way to cover it, down to nodes with no way. docs/certificates.md describes the format, so that
anybody can check it with a program of his own; `somacat verify --certificate` does so with code
that shares nothing with the solver but cells and pieces.

The size is told on standard error. Pieces in place are taken out first: the certificate is then
about the cells and the pieces that are left.

Examples:
  somacat prove chaise-lounge chaise-lounge.proof
  somacat prove s1-3x3x5-a5xtzbqma
  somacat verify --certificate chaise-lounge.proof")]
pub(crate) struct ProveArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The file, or - for standard output.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given.
    #[arg(long)]
    set: Option<String>,
    /// The most nodes of the tree, and of the search for a packing before it.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    nodes: u64,
    /// The file's format, soma, cells, heightmap, slices or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

pub(super) fn prove(global: &Global, args: &ProveArgs) -> Result<Exit> {
    let set = SetArg::new(args.set.as_deref())?;
    let stop = stop_on_signals()?;
    let Some(asked) = Figures::one(global, &args.figure, args.format)? else {
        return Ok(Exit::Partial);
    };
    let set = set.of(&asked).map_err(Failure::failed).about(asked.label.clone())?;
    let open = OpenFigure::new(&asked, &set).about(asked.label.clone())?;
    let problem = open.problem();
    let limits = Limits { nodes: Some(args.nodes), ..default_limits(stop) };
    // A search for a packing is faster than a tree, and does not need a file.
    let buildable = first(&problem, limits)
        .is_ok_and(|(_, report)| matches!(report.outcome, Outcome::AtLeast(_)));
    if buildable {
        return Err(Failure::from(ProveError::Buildable)).about(asked.label.clone());
    }
    let mut size = None;
    let written = to_file(&args.file, |out| {
        size = Some(write_certificate(&asked.label, problem.figure(), problem.set(), limits, out)?);
        Ok(())
    });
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    written.about(asked.label.clone())?;
    if let Some(size) = size.filter(|_| !global.quiet) {
        let (nodes, bytes) = (quantity(size.nodes, "node"), quantity(size.bytes, "byte"));
        eprintln(&format!("{}: {}, {nodes}, {bytes}", asked.label, size.reason.word()));
    }
    Ok(Exit::Ok)
}
