//! `somacat export dlx`, `cnf` and `xmpuzzle`: write figures and their pieces as problems for other solvers.

use super::subject::{Chosen, SubjectArgs};
use crate::cli::failure::{Failure, Result};
use crate::cli::figures::open_figure::OpenFigure;
use crate::cli::shared::choice::ChoiceArgs;
use crate::cli::shared::output::{FileArg, require_file, to_file};
use crate::cli::{Exit, Global, report_refused};
use clap::Args;
use somacat_counting::solve::Problem;
use somacat_output::export::{PuzzleFigure, write_xmpuzzle};
use std::io::{self, Write};

// The options of problems for other solvers.
#[derive(Args, Debug)]
pub(crate) struct CoverArgs {
    #[command(flatten)]
    file: FileArg,
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Exports the part of a figure that pieces in place leave free. `write` determines the format.
pub(crate) fn export_cover(
    global: &Global,
    args: &CoverArgs,
    write: fn(&str, &Problem<'_>, &mut dyn Write) -> io::Result<()>,
) -> Result<Exit> {
    to_file(&args.file.file, |out| {
        let Chosen { figure, set } = args.subject.one_with_choice(global, args.choice)?;
        let open = OpenFigure::new(&figure, &set)?;
        Ok(write(&figure.label, &open.problem(), out)?)
    })?;
    Ok(Exit::Ok)
}

/// The maximum number of figures in a puzzle file.
const MAX_FIGURES: usize = 1000;

pub(crate) fn export_puzzle(global: &Global, args: &CoverArgs) -> Result<Exit> {
    require_file(&args.file.file, "a compressed puzzle")?;
    to_file(&args.file.file, |mut out| {
        let figures = args.subject.all_fillable(global, MAX_FIGURES, args.choice)?;
        let (mut puzzles, mut refused) = (Vec::new(), Vec::new());
        for Chosen { figure, set } in &figures {
            match somacat_rows::OpenFigure::new(figure.given(), set) {
                Ok(open) => puzzles.push(PuzzleFigure::new(&figure.label, &open.problem())),
                Err(why) => refused.push(format!("{}: {why}", figure.label)),
            }
        }
        if puzzles.is_empty() {
            return Err(Failure::refused(refused.join("\n")));
        }
        refused.iter().for_each(|why| report_refused(why));
        Ok(write_xmpuzzle(&puzzles, &mut out)?)
    })?;
    Ok(Exit::Ok)
}
