//! Counting.

use crate::error::unsolved;
use crate::figure::Figure;
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::prelude::*;
use somacat_program::export::{Spelling, explanation};
use somacat_program::outcome;
use somacat_program::run::available_memory;
use somacat_program::solve::{self, Limits, Problem};

/// The result of a count.
#[pyclass(frozen, module = "somacat")]
#[derive(Debug)]
pub(crate) struct Report {
    report: outcome::Report,
}

#[pymethods]
impl Report {
    /// `counted`, `unsolvable`, `at-least` (a limit came first) or `unknown` (before the first packing).
    #[getter]
    fn verdict(&self) -> &'static str {
        self.report.outcome.verdict().word()
    }

    /// The reason why there is no packing: `size`, `parity`, `parts`, `no-fit` or `exhausted`.
    #[getter]
    fn reason(&self) -> Option<&str> {
        explanation(&self.report.outcome)
    }

    /// All packings; a lower bound with the verdict `at-least`.
    #[getter]
    fn raw(&self) -> Option<u128> {
        self.report.outcome.raw()
    }

    /// The packings up to the figure's rotations.
    #[getter]
    fn rotation(&self) -> Option<u128> {
        self.report.outcome.rotation()
    }

    /// The packings up to the figure's rotations and reflections.
    #[getter]
    fn unique(&self) -> Option<u128> {
        self.report.outcome.unique()
    }

    /// The nodes of the engine, the same in every run.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.report.nodes
    }

    /// The engine that counted: `search` or `frontier`; `None` if none was needed.
    #[getter]
    fn engine(&self) -> Option<&'static str> {
        self.report.engine.map(Spelling::word)
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<Report {}", self.verdict());
        if let Some(reason) = self.reason() {
            text.push_str(&format!(", reason={reason}"));
        }
        let counts =
            [("raw", self.raw()), ("rotation", self.rotation()), ("unique", self.unique())];
        for (name, count) in counts {
            if let Some(count) = count.filter(|&count| count > 0) {
                text.push_str(&format!(", {name}={count}"));
            }
        }
        text.push('>');
        text
    }
}

/// Counts all packings of a figure with all pieces of a set, by default SOMA.
///
/// Beyond `nodes`, the search stops with a lower bound. `threads` is by default one per core; the counts and nodes
/// do not depend on it.
///
/// >>> count(Figure.parse("67 77"))
/// <Report counted, raw=1520, rotation=1520, unique=760>
/// >>> count(Figure.parse("333333 333333 333333"), "2xSOMA").raw
/// 40443182120
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, nodes=None, threads=None))]
pub(crate) fn count(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    nodes: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Report> {
    let (set, candidate) = (Pieces::set(pieces)?, &figure.get().candidate);
    let report = interruptible(py, threads, &|| (), |stop| {
        let available = Some(available_memory as fn() -> u64);
        let limits = Limits { nodes, stop: Some(stop), available, ..Limits::default() };
        solve::count(&Problem::with_group(candidate.figure(), &set, candidate.group()), limits)
    })?;
    Ok(Report { report: report.map_err(|error| unsolved(&error))? })
}
