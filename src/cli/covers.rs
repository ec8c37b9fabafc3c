//! `somacat export dlx` and `cnf`: write a figure and its pieces as a problem for other solvers.

use super::Global;
use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::input::Asked;
use super::open_figure::OpenFigure;
use super::solids::{SolidArgs, one_subject};
use crate::export::{write_cnf, write_dlx};
use std::io::Write;

/// A format of problems for other solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CoverFormat {
    Dlx,
    Cnf,
}

/// Writes the part of a figure that the pieces in place leave free.
pub(super) fn write_cover(
    global: &Global,
    args: &SolidArgs,
    format: CoverFormat,
    filters: &FilterArgs,
    out: &mut dyn Write,
) -> Result<()> {
    if args.shapes_solids() {
        let text = "--what, --cell-size and --clearance work only with stl and obj";
        return Err(Failure::usage(text));
    }
    let (subject, set) = one_subject(global, args, filters)?;
    let asked = Asked::from(subject);
    let open = OpenFigure::new(&asked, &set)?;
    let problem = open.problem();
    let write = match format {
        CoverFormat::Dlx => write_dlx,
        CoverFormat::Cnf => write_cnf,
    };
    Ok(write(&asked.label, problem.figure(), problem.set(), out)?)
}
