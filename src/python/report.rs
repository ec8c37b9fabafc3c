//! Counting.

use crate::error::unsolved;
use crate::figure::Figure;
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::prelude::*;
use somacat_counting::solve::{self, Limits, Problem};
use somacat_geometry::outcome;
use somacat_output::export::{Spelling, explanation};
use somacat_run::available_memory;

/// The result of a count.
#[pyclass(frozen, get_all, module = "somacat")]
#[derive(Debug)]
pub(crate) struct Report {
    /// `counted`, `unsolvable`, `at-least` or `unknown`. A limit came first in the last two: `unknown` means before the
    /// first packing.
    verdict: &'static str,
    /// The reason why there is no packing: `size`, `parity`, `parts`, `no-fit` or `exhausted`.
    reason: Option<String>,
    /// All packings; a lower bound with the verdict `at-least`.
    raw: Option<u128>,
    /// The packings up to the figure's rotations.
    rotation: Option<u128>,
    /// The packings up to the figure's rotations and reflections.
    unique: Option<u128>,
    /// The nodes of the engine, the same in every run.
    nodes: Option<u64>,
    /// The engine that counted: `search` or `frontier`; `None` if none was needed.
    engine: Option<&'static str>,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let mut text = format!("<Report {}", self.verdict);
        if let Some(reason) = &self.reason {
            text.push_str(&format!(", reason={reason}"));
        }
        for (name, count) in
            [("raw", self.raw), ("rotation", self.rotation), ("unique", self.unique)]
        {
            if let Some(count) = count.filter(|&count| count > 0) {
                text.push_str(&format!(", {name}={count}"));
            }
        }
        text.push('>');
        text
    }
}

/// Counts all packings of a figure with all pieces of a set. The default set is SOMA.
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
    let candidate = &figure.get().candidate;
    let set = Pieces::set_for(py, pieces, candidate.figure())?;
    let counted = interruptible(py, threads, &|| (), |stop| {
        let available = Some(available_memory as fn() -> u64);
        let limits = Limits { nodes, stop: Some(stop), available, ..Limits::default() };
        solve::count(&Problem::with_group(candidate.figure(), &set, candidate.group()), limits)
    })?;
    let outcome::Report { outcome, nodes, engine } = counted.map_err(|error| unsolved(&error))?;
    Ok(Report {
        verdict: outcome.verdict().word(),
        reason: explanation(&outcome).map(str::to_owned),
        raw: outcome.raw(),
        rotation: outcome.rotation(),
        unique: outcome.unique(),
        nodes,
        engine: engine.map(Spelling::word),
    })
}
