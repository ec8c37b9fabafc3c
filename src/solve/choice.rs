//! Which engine counts a figure.

use super::report::words;
use super::{Limits, Problem, Report, SolveError, Verdict, with_solver};
use std::fmt;
use std::str::FromStr;

/// A way to count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Walks through the packings; nodes are placements made.
    Search,
    /// Sweeps over the figure and counts packings that look alike at the frontier together; nodes
    /// are the states of all sweeps, sets of covered cells.
    Frontier,
}

words!(Engine, "engine", Search = "search", Frontier = "frontier");

/// What a count may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// The engine; chosen by itself if there is none.
    pub engine: Option<Engine>,
    /// Bytes the frontier engine may take. One figure at a time has them, whatever the threads.
    pub memory: u64,
}

impl Means {
    /// The same on every machine, so that the choice of engine is.
    pub const MEMORY: u64 = 3 << 30;
}

impl Default for Means {
    fn default() -> Self {
        Self { engine: None, memory: Self::MEMORY }
    }
}

/// Nodes of a search before the frontier engine is tried: far more than any figure of a single set
/// takes, and a fraction of a second.
pub const PATIENCE: u64 = 200_000;

/// Counts all packings like [`super::count`], with a choice of means, and says which engine did.
///
/// Without a choice the search begins. If [`PATIENCE`] nodes do not settle the figure, the frontier
/// engine counts it; if that needs too much memory, the search goes on to the end. A limit of nodes
/// holds for either engine; a limit of packings is for the search, which alone meets them one by one.
///
/// # Errors
/// As for [`super::count`]; and if the frontier engine, when asked for, has not enough memory.
pub fn count_by(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    means: Means,
) -> Result<(Report, Engine), SolveError> {
    with_solver(problem, |solver| {
        let mut search = |nodes| {
            let report = solver.count(problem, Limits { nodes, ..limits })?;
            Ok((report, Engine::Search))
        };
        match means.engine {
            Some(Engine::Search) => search(limits.nodes),
            Some(Engine::Frontier) => {
                Ok((solver.frontier(problem, limits, means.memory)?, Engine::Frontier))
            }
            None if limits.packings.is_some() => search(limits.nodes),
            None => {
                let first = search(Some(limits.nodes.map_or(PATIENCE, |most| most.min(PATIENCE))))?;
                let settled = !matches!(first.0.verdict, Verdict::Solvable | Verdict::Unknown);
                let spent = limits.nodes.is_some_and(|most| most <= PATIENCE);
                if settled || spent || limits.stopped() {
                    return Ok(first);
                }
                match solver.frontier(problem, limits, means.memory) {
                    // A limit came; the search knows a bound at least.
                    Ok(report) if report.verdict == Verdict::Unknown => Ok(first),
                    Ok(report) => Ok((report, Engine::Frontier)),
                    Err(_) => {
                        let report = solver.count(problem, limits)?;
                        Ok((report, Engine::Search))
                    }
                }
            }
        }
    })
}
