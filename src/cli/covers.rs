//! A figure with its pieces as a problem for other solvers: `export dlx` and `cnf`.

use super::Global;
use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::input::Asked;
use super::open_figure::OpenFigure;
use super::solids::{SolidArgs, one_subject};
use crate::export::{write_cnf, write_dlx};
use std::io::Write;

/// The formats of problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CoverFormat {
    Dlx,
    Cnf,
}

/// Writes what is left of a figure when the pieces that are in place are taken out.
pub(super) fn write_cover(
    global: &Global,
    args: &SolidArgs,
    format: CoverFormat,
    filters: &FilterArgs,
    out: &mut dyn Write,
) -> Result<()> {
    if args.shapes_solids() {
        let text = "--what, --cell-size and --clearance go with stl and obj only";
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
