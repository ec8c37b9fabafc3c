//! Runs: plans and files of figures counted into a catalog.

use crate::catalog::Catalog;
use crate::error::{failed, invalid, require};
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use somacat_catalog::RunEnd;
use somacat_formats::count_noun;
use somacat_run::{
    CountMode, Plan, Progress, SetChoice, Settings, Source, SourceQuestion, execute, starter_plan,
};
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs a plan, by default the starter plan, and returns the catalog, which is created if it does not exist.
///
/// What the catalog has already is not counted again. Ctrl-C stops the run; the same call continues. Entries that are
/// refused are reported on standard error, and their number in a warning.
///
/// >>> catalog = run(catalog="starter.db")
/// >>> len(list(catalog))
/// 46
#[pyfunction]
#[pyo3(signature = (plan=None, catalog=PathBuf::from("somacat.db"), threads=None))]
pub(crate) fn run(
    py: Python<'_>,
    plan: Option<PathBuf>,
    catalog: PathBuf,
    threads: Option<usize>,
) -> PyResult<Catalog> {
    let plan = match plan {
        None => starter_plan(),
        Some(path) => {
            require(&path)?;
            Plan::read(&path)
        }
    };
    executed(py, &plan.map_err(invalid)?, catalog, (threads, CountMode::Pending))
}

/// Imports files of figures and returns the catalog, which is created if it does not exist.
///
/// The figures are counted with `pieces`, by default those for their number of cells, and at most `nodes` nodes each. With
/// `count=False` they are only recognized.
///
/// >>> write_figures("two.cells", [Figure.parse("333 333 333"), Figure.parse("67 77")])
/// >>> catalog = import_figures(["two.cells"], "two.db")
/// >>> [row["unique"] for row in catalog.query()]
/// [760, 240]
#[pyfunction]
#[pyo3(signature = (
    paths, catalog=PathBuf::from("somacat.db"), pieces=None, *, nodes=Some(100_000_000), count=true, threads=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn import_figures(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    catalog: PathBuf,
    pieces: Option<Pieces>,
    nodes: Option<u64>,
    count: bool,
    threads: Option<usize>,
) -> PyResult<Catalog> {
    let set = match pieces {
        None => SetChoice::Auto,
        some => SetChoice::Fixed(Pieces::set(some)?),
    };
    paths.iter().try_for_each(|path| require(path))?;
    let ask = |path| {
        let source = Source::File { path, plan: PathBuf::new() };
        Arc::new(SourceQuestion::new(source, None, set.clone()))
    };
    let sources = paths.into_iter().map(ask).collect();
    let plan = Plan { sources, nodes, ..Plan::new("import") };
    let counts = if count { CountMode::Pending } else { CountMode::None };
    executed(py, &plan, catalog, (threads, counts))
}

/// Executes a plan on a catalog and opens it.
fn executed(
    py: Python<'_>,
    plan: &Plan,
    catalog: PathBuf,
    (threads, counts): (Option<usize>, CountMode),
) -> PyResult<Catalog> {
    let summary = interruptible(py, threads, &|| (), |stop| {
        execute(plan, &catalog, Settings { counts, stop }, &Progress::quiet())
    })?;
    let summary = summary.map_err(failed)?;
    if let RunEnd::Failed(error) = summary.end() {
        return Err(failed(error));
    }
    let warn = |text: String| {
        let text = CString::new(text).map_err(invalid)?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
    };
    if summary.unreadable > 0 {
        let (unreadable, all) = (summary.unreadable, count_noun(plan.sources.len(), "source"));
        warn(format!("{unreadable} of {all} could not be read; `somacat import` has the reasons"))?;
    }
    if summary.refused > 0 {
        let refused = count_noun(summary.refused, "entry");
        warn(format!(
            "{refused} of {} refused; the catalog's table `fault` has the reasons",
            summary.entries
        ))?;
    }
    Catalog::new(py, catalog)
}
