//! The choice of an engine.

use super::limits::EngineChoice;
use super::solver::Solver;
use super::{Limits, Problem, SolveError};
use somacat_geometry::outcome::{Outcome, Report};

/// Nodes of a search before the frontier engine is tried: far more than figures of a single set need, and a
/// fraction of a second.
pub const PATIENCE: u64 = 200_000;

/// Counts with the engine asked for, or chooses as [`super::count`] says. A limit of nodes holds for either
/// engine; a limit of packings is for the search, the only engine that meets them one by one.
pub(super) fn count(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    match limits.engine {
        EngineChoice::Search => return solver.count(problem, limits),
        EngineChoice::Frontier => return solver.frontier(problem, limits),
        EngineChoice::Auto if limits.packings.is_some() => return solver.count(problem, limits),
        EngineChoice::Auto => {}
    }
    let nodes = Some(limits.nodes.map_or(PATIENCE, |most| most.min(PATIENCE)));
    let beginning = solver.count(problem, Limits { nodes, ..limits })?;
    let spent = limits.nodes.is_some_and(|most| most <= PATIENCE);
    if beginning.outcome.is_exact() || spent || limits.stopped() {
        return Ok(beginning);
    }
    match solver.frontier(problem, limits) {
        // A limit came first; the search may know a lower bound. The nodes say up to which limit nothing else comes of it.
        Ok(report) if report.outcome == Outcome::Unknown => {
            Ok(Report { nodes: beginning.nodes.max(report.nodes), ..beginning })
        }
        Ok(report) => Ok(report),
        Err(_) => solver.count(problem, limits),
    }
}
