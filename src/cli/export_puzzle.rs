//! `somacat export xmpuzzle`: writes figures and pieces as a puzzle for BurrTools.

use super::export_subject::SubjectArgs;
use super::failure::Result;
use super::output::{FileArg, to_file};
use super::{Exit, Global};
use crate::export::write_xmpuzzle;
use clap::Args;

/// The maximum number of figures in a puzzle file.
const MAX_FIGURES: usize = 1000;

#[derive(Args, Debug)]
#[command(after_help = "\
A file holds up to 1000 figures.

Examples:
  somacat export xmpuzzle puzzle.xmpuzzle --figure my-figure.soma
  somacat export xmpuzzle easiest.xmpuzzle --sort unique --top 100")]
pub(crate) struct PuzzleArgs {
    #[command(flatten)]
    file: FileArg,
    #[command(flatten)]
    subject: SubjectArgs,
}

pub(super) fn export_puzzle(global: &Global, args: &PuzzleArgs) -> Result<Exit> {
    to_file(&args.file.file, |mut out| {
        let subjects = args.subject.all_with_sets(global, MAX_FIGURES)?.into_iter();
        let puzzles: Vec<_> = subjects.map(|(one, set)| (one.name, one.figure, set)).collect();
        Ok(write_xmpuzzle(&puzzles, &mut out)?)
    })?;
    Ok(Exit::Ok)
}
