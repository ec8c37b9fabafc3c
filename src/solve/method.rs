//! Which engine counts a figure.

use super::solver::Solver;
use super::{Limits, Problem, SolveError};
use crate::outcome::{Outcome, Report};

/// How to count a figure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Search first; what takes long is counted by the frontier engine, if that has memory enough.
    #[default]
    Auto,
    /// Walk through the packings.
    Search,
    /// Sweep over the figure and count together what looks alike at the frontier.
    Frontier,
}

/// Bytes the frontier engine may take unless told otherwise. The same on every machine, so that the
/// choice of engine is.
pub const DEFAULT_MEMORY: u64 = 3 << 30;

/// Nodes of a search before the frontier engine is tried: far more than figures of a single set take,
/// and a fraction of a second.
pub const PATIENCE: u64 = 200_000;

/// Counts with the engine asked for, or chooses: the search begins; if [`PATIENCE`] nodes do not
/// settle the figure, the frontier engine counts it; if that needs too much memory, the search goes
/// on to the end. A limit of nodes holds for either engine; a limit of packings is for the search,
/// which alone meets them one by one.
pub(super) fn count(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    match limits.method {
        Method::Search => return solver.count(problem, limits),
        Method::Frontier => return solver.frontier(problem, limits),
        Method::Auto if limits.packings.is_some() => return solver.count(problem, limits),
        Method::Auto => {}
    }
    let nodes = Some(limits.nodes.map_or(PATIENCE, |most| most.min(PATIENCE)));
    let begun = solver.count(problem, Limits { nodes, ..limits })?;
    let spent = limits.nodes.is_some_and(|most| most <= PATIENCE);
    if begun.outcome.is_exact() || spent || limits.stopped() {
        return Ok(begun);
    }
    match solver.frontier(problem, limits) {
        // A limit came; the search knows a bound at least. The nodes say up to which limit nothing else comes of it.
        Ok(report) if report.outcome == Outcome::Unknown => {
            Ok(Report { nodes: begun.nodes.max(report.nodes), ..begun })
        }
        Ok(report) => Ok(report),
        Err(_) => solver.count(problem, limits),
    }
}
