//! The choice of an engine.

use super::limits::EngineChoice;
use super::solver::Solver;
use super::{Limits, Problem, SolveError};
use somacat_geometry::outcome::{Outcome, Report};

/// Maximum number of search nodes before the frontier engine is tried.
///
/// It is far more than figures of a single set need, and takes a fraction of a second.
pub const AUTO_SEARCH_NODES: u64 = 200_000;

/// Counts with the given engine, or chooses one as [`super::count`] describes. A limit of nodes applies to either
/// engine. A limit of packings requires the search, the only engine that visits packings one by one.
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
    let nodes = Some(limits.nodes.map_or(AUTO_SEARCH_NODES, |most| most.min(AUTO_SEARCH_NODES)));
    let beginning = solver.count(problem, Limits { nodes, ..limits })?;
    let spent = limits.nodes.is_some_and(|most| most <= AUTO_SEARCH_NODES);
    if beginning.outcome.is_exact() || spent || limits.stopped() {
        return Ok(beginning);
    }
    match solver.frontier(problem, limits) {
        // A limit came first, but the search may know a lower bound. `nodes` is the limit up to which the result is
        // the same.
        Ok(report) if report.outcome == Outcome::Unknown => {
            Ok(Report { nodes: beginning.nodes.max(report.nodes), ..beginning })
        }
        Ok(report) => Ok(report),
        Err(_) => solver.count(problem, limits),
    }
}
