//! The choice of an engine.

use super::limits::{EngineChoice, SearchProgress};
use super::solver::Solver;
use super::{Limits, Problem, SolveError};
use somacat_geometry::outcome::Report;

/// With a limit of up to this number of nodes, only the search counts.
///
/// It is far more than figures of a single set need, and takes a fraction of a second.
pub const AUTO_SEARCH_NODES: u64 = 200_000;

/// Number of search nodes before the first attempt of the frontier engine.
const FIRST_SEARCH_NODES: u64 = 20_000;

/// Growth of the search from one attempt to the next.
const SEARCH_GROWTH: u64 = 10;

/// Maximum work of an attempt for each node of the search before it.
const ATTEMPT_GROWTH: u64 = 4;

/// Maximum work of an attempt, as a share of the nodes that the search has left: if it fails, little is lost. A state
/// takes as long as some nodes.
const ATTEMPT_SHARE: f64 = 0.03;

/// A search that has fewer nodes left is worth no attempt.
const SHORT_SEARCH_NODES: f64 = 500_000.0;

/// Margin of the estimate of a search. A search that exceeds it is estimated again.
const ESTIMATE_MARGIN: f64 = 4.0;

/// Counts with the given engine, or chooses one as [`super::count`] describes. A limit of nodes applies to either
/// engine. A limit of packings requires the search, the only engine that visits packings one by one.
pub(super) fn count(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let only_search =
        limits.packings.is_some() || limits.nodes.is_some_and(|most| most <= AUTO_SEARCH_NODES);
    match limits.engine {
        EngineChoice::Frontier => solver.frontier(problem, limits, None),
        EngineChoice::Auto if !only_search => choose(solver, problem, limits),
        EngineChoice::Auto | EngineChoice::Search => solver.count(problem, limits),
    }
}

/// Searches, and estimates from the share that is finished how much is left. If that is much more than a bounded
/// attempt of the frontier engine, makes the attempt. If it fails, the search continues.
fn choose(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let mut nodes = FIRST_SEARCH_NODES;
    let mut progress = SearchProgress::default();
    while limits.nodes.is_none_or(|most| nodes < most) {
        let bounded = Limits { nodes: Some(nodes), ..limits };
        let (beginning, share) = solver.search(problem, bounded, &mut progress)?;
        if beginning.outcome.is_exact() || limits.stopped() {
            return Ok(beginning);
        }
        // Unknown for searches with 32-bit masks only, which are short.
        let Some(share) = share else { break };
        let left = nodes as f64 * (1.0 - share) / share;
        let (most, worth) = (nodes.saturating_mul(ATTEMPT_GROWTH), (left * ATTEMPT_SHARE) as u64);
        if left >= SHORT_SEARCH_NODES {
            match solver.frontier(problem, limits, Some(most.min(worth))) {
                Ok(report) if report.outcome.is_exact() => return Ok(report),
                Ok(_) if limits.stopped() => return Ok(beginning),
                Ok(_) => {}
                // With more work, too, the engine would need more than it has.
                Err(_) => break,
            }
        }
        nodes = match left >= SHORT_SEARCH_NODES && most < worth {
            true => nodes.saturating_mul(SEARCH_GROWTH),
            false => ((nodes as f64 + left.max(SHORT_SEARCH_NODES)) * ESTIMATE_MARGIN) as u64,
        };
    }
    Ok(solver.search(problem, limits, &mut progress)?.0)
}
