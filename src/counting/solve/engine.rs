//! The choice of an engine.
//!
//! The search is faster for figures with few packings, the frontier engine for those with very many. Which one is
//! faster is hardly known before, but a wrong choice can take hours. So both work by turns, each turn longer than the
//! one before: first the search; then, if the search's estimate is long and the frontier engine's prediction is less,
//! the frontier engine, up to a multiple of its prediction; then the search again. The first to finish gives the
//! result.

use super::limits::{EngineChoice, SearchProgress};
use super::partial::{count_by_choice, has_few_choices};
use super::solver::Solver;
use super::{Limits, Problem, SolveError};
use somacat_geometry::outcome::Report;

/// Maximum limit of nodes with which only the search counts.
///
/// It is far more than figures of a single set need, and takes a fraction of a second.
pub const AUTO_SEARCH_NODES: u64 = 200_000;

/// Number of search nodes before an engine is chosen. With different pieces, the search is seldom the slower one, so it
/// gets more.
const FIRST_SEARCH_NODES: u64 = 20_000;
const FIRST_SEARCH_NODES_DIFFERENT_PIECES: u64 = 50_000;

/// Number of random paths for the first estimate of a search.
const PATHS: u32 = 1000;

/// Number of search nodes that take as long as a prediction of the frontier engine's work. A search with fewer nodes
/// left continues without one.
const SHORT_SEARCH_NODES: f64 = 100_000.0;

/// The number of estimated search nodes that justify one unit of the frontier engine's work. The unit takes as long as
/// three nodes, but random paths estimate too few nodes more often than too many.
const NODES_PER_WORK: f64 = 1.5;

/// The most cells of a figure for which searches are estimated.
const MAX_ESTIMATED_CELLS: usize = 191;

/// A search continues to this many times its estimate. After a failed attempt, the frontier engine's work is predicted
/// as this many times that of the attempt.
const ESTIMATE_MARGIN: f64 = 2.0;

/// Maximum work of an attempt of the frontier engine, as a multiple of its prediction.
const WORK_MARGIN: f64 = 4.0;

/// Counts with the given engine, or chooses one as [`super::count`] describes. A limit of nodes applies to either
/// engine. A limit of packings requires the search, the only engine that visits packings one by one.
pub(super) fn count(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    // A search for more cells than the frontier engine takes is not estimated: random paths would take long.
    let only_search = limits.packings.is_some()
        || limits.nodes.is_some_and(|most| most <= AUTO_SEARCH_NODES)
        || problem.figure.len() > MAX_ESTIMATED_CELLS;
    let mut report = match limits.engine {
        EngineChoice::Frontier if problem.set.is_choice() => count_by_choice(problem, limits),
        EngineChoice::Auto if !only_search && problem.set.is_choice() => {
            choose_for_choices(solver, problem, limits)
        }
        EngineChoice::Frontier => solver.frontier(problem, limits, None),
        EngineChoice::Auto if !only_search => choose(solver, problem, limits),
        EngineChoice::Auto | EngineChoice::Search => solver.count(problem, limits),
    }?;
    // A search looks at its limit when it has counted all children of a node. Those beyond the limit were not searched.
    if let (false, Some(most)) = (report.outcome.is_exact(), limits.nodes) {
        report.nodes = report.nodes.map(|nodes| nodes.min(most));
    }
    Ok(report)
}

/// Searches a little. If that does not suffice, counts a few choices of pieces one after another, with either engine.
fn choose_for_choices(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let nodes = limits.nodes.map_or(AUTO_SEARCH_NODES, |most| most.min(AUTO_SEARCH_NODES));
    let short = solver.count(problem, Limits { nodes: Some(nodes), ..limits })?;
    if short.outcome.is_exact() || limits.stopped() || limits.nodes == Some(nodes) {
        return Ok(short);
    }
    match has_few_choices(problem) && limits.nodes.is_none() {
        true => count_by_choice(problem, limits),
        false => solver.count(problem, limits),
    }
}

/// Searches a little, and estimates the time that either engine needs. While the frontier engine needs less, makes
/// attempts of bounded work, each longer than the one before. If they fail, the search continues.
fn choose(
    solver: &mut Solver,
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let different = problem.set.pieces().iter().all(|(_, copies)| *copies == 1);
    let mut nodes =
        if different { FIRST_SEARCH_NODES_DIFFERENT_PIECES } else { FIRST_SEARCH_NODES };
    let (mut progress, mut paths, mut predicted) = (SearchProgress::default(), PATHS, None);
    while limits.nodes.is_none_or(|most| nodes < most) {
        let bounded = Limits { nodes: Some(nodes), ..limits };
        let (beginning, share) = solver.search(problem, bounded, &mut progress)?;
        if beginning.outcome.is_exact() || limits.stopped() {
            return Ok(beginning);
        }
        // The share is unknown only for searches with 32-bit masks, which are short.
        if share.is_none() {
            break;
        }
        // A search that takes longer than estimated may well take as long again.
        let left = (solver.estimated_nodes(problem, paths) - nodes as f64).max(nodes as f64);
        if left > SHORT_SEARCH_NODES {
            let mut work = *predicted.get_or_insert_with(|| solver.predicted_work(problem));
            // A limit of nodes bounds every attempt.
            let worth = (left / NODES_PER_WORK).min(limits.nodes.unwrap_or(u64::MAX) as f64);
            while work < worth {
                let most = (left * 1.5).min(work * WORK_MARGIN);
                match solver.frontier(problem, limits, Some(most as u64)) {
                    Ok(report) if report.outcome.is_exact() => return Ok(report),
                    Ok(_) if limits.stopped() => return Ok(beginning),
                    Ok(_) => work = most * ESTIMATE_MARGIN,
                    // Another attempt would fail in the same way.
                    Err(_) => return Ok(solver.search(problem, limits, &mut progress)?.0),
                }
            }
            predicted = Some(work);
        }
        nodes = ((nodes as f64 + left.max(SHORT_SEARCH_NODES)) * ESTIMATE_MARGIN) as u64;
        paths = paths.saturating_mul(4);
    }
    Ok(solver.search(problem, limits, &mut progress)?.0)
}
