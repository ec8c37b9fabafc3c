//! `somacat prove`: writes a certificate that a figure cannot be built.

use super::failure::{Context, Failure, Result};
use super::input::{FigureArgs, no_figure};
use super::open_figure::OpenFigure;
use super::output::to_file;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::export::Spelling;
use crate::formats::{Format, count_noun};
use crate::outcome::Outcome;
use crate::prove::{ProveError, write_certificate};
use crate::run::default_limits;
use crate::solve::{Limits, first};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
A certificate is plain text: the figure, the pieces, and the reason why there is no packing. If the
reason is an exhausted search, it contains the search tree: each node is a cell or a piece, its
children are all ways to cover it, and a leaf has none. docs/certificates.md describes the format,
so that others can write a checker. `somacat verify --certificate` is a checker that shares only
cells and pieces with the solver.

The size is reported on standard error. Pieces in place are removed first; the certificate is then
about the remaining cells and pieces.

Examples:
  somacat prove chaise-lounge chaise-lounge.proof
  somacat prove s1-3x3x5-a5xtzbqma
  somacat verify --certificate chaise-lounge.proof")]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// The file, or - for standard output.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Node limit for the tree, and for the preceding packing search.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    nodes: u64,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

pub(super) fn prove(global: &Global, args: &ProveArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let Some((requested, set)) = args.subject.read(global, args.format)? else {
        return Ok(no_figure());
    };
    let open = OpenFigure::new(&requested, &set).context(requested.label.clone())?;
    let problem = open.problem();
    let limits = Limits { nodes: Some(args.nodes), ..default_limits(stop) };
    // A search for a packing is faster than a tree and needs no file.
    let buildable = first(&problem, limits)
        .is_ok_and(|(_, report)| matches!(report.outcome, Outcome::AtLeast(_)));
    if buildable {
        return Err(Failure::from(ProveError::Buildable)).context(requested.label.clone());
    }
    let mut size = None;
    let written = to_file(&args.file, |out| {
        size = Some(write_certificate(
            &requested.label,
            problem.figure(),
            problem.set(),
            limits,
            out,
        )?);
        Ok(())
    });
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    written.context(requested.label.clone())?;
    if let Some(size) = size.filter(|_| !global.quiet) {
        let (nodes, bytes) = (count_noun(size.nodes, "node"), count_noun(size.bytes, "byte"));
        eprintln(&format!("{}: {}, {nodes}, {bytes}", requested.label, size.reason.word()));
    }
    Ok(Exit::Ok)
}
