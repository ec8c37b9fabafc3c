//! Which engine counts a figure.

use super::report::words;
use super::solver::Solver;
use super::{Limits, Problem, Report, SolveError, Verdict};
use std::fmt;
use std::str::FromStr;

/// A way to count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Walks through the packings; nodes are placements made.
    Search,
    /// Sweeps over the figure and counts together what looks alike at the frontier; nodes are the
    /// states of all sweeps, sets of covered cells.
    Frontier,
}

words!(Engine, "engine", Search = "search", Frontier = "frontier");

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
    match limits.engine {
        Some(Engine::Search) => return solver.count(problem, limits),
        Some(Engine::Frontier) => return solver.frontier(problem, limits),
        None if limits.packings.is_some() => return solver.count(problem, limits),
        None => {}
    }
    let nodes = Some(limits.nodes.map_or(PATIENCE, |most| most.min(PATIENCE)));
    let begun = solver.count(problem, Limits { nodes, ..limits })?;
    let settled = !matches!(begun.verdict, Verdict::Solvable | Verdict::Unknown);
    let spent = limits.nodes.is_some_and(|most| most <= PATIENCE);
    if settled || spent || limits.stopped() {
        return Ok(begun);
    }
    match solver.frontier(problem, limits) {
        // A limit came; the search knows a bound at least.
        Ok(report) if report.verdict == Verdict::Unknown => Ok(begun),
        Ok(report) => Ok(report),
        Err(_) => solver.count(problem, limits),
    }
}
