//! Estimates of the figures and the time of a plan, for a dry run.

use super::import::OpenSource;
use super::plan::{ImportJob, Plan};
use super::{RunError, default_limits};
use crate::figure::Candidate;
use crate::pieces::PieceSet;
use crate::solve::{FirstLook, Limits, Problem, SolveError, count, guard};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Figures counted of each part of an enumeration.
const TRIED: usize = 200;

/// Nodes after which a trial is abandoned. The estimate is then too low and marked as such.
const TRIAL_NODES: u64 = 3_000_000;

/// The estimate of a source or a question.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemEstimate {
    /// The source, or the question in words.
    pub label: String,
    /// Its figures; of files the entries, faulty ones included.
    pub figures: f64,
    /// The standard error of that number; 0 if it is exact.
    pub error: f64,
    /// Seconds to list and to count the figures on all threads, if estimated.
    pub seconds: Option<(f64, f64)>,
    /// Some trials were abandoned: the figures take longer than estimated.
    pub longer: bool,
}

impl ItemEstimate {
    /// Estimates only the number of figures, exactly.
    pub(crate) const fn of(label: String, figures: f64) -> Self {
        Self { label, figures, error: 0.0, seconds: None, longer: false }
    }
}

/// Estimates every source and question of a plan; ends early if `stop` is set.
pub fn estimate_plan(plan: &Plan, stop: &AtomicBool) -> Result<Vec<ItemEstimate>, RunError> {
    let imports: Result<Vec<_>, _> = plan.imports.iter().map(|job| entries(job, stop)).collect();
    let mut estimates = imports?;
    estimates.extend(plan.questions.iter().map(|question| question.estimate(plan.nodes, stop)));
    Ok(estimates)
}

fn entries(job: &ImportJob, stop: &AtomicBool) -> Result<ItemEstimate, RunError> {
    let mut source = OpenSource::open(job, stop)?;
    let mut entries = 0;
    while !source.items.is_empty() {
        entries += source.items.len();
        source.advance(stop)?;
    }
    Ok(ItemEstimate::of(source.label, entries as f64))
}

/// Seconds to begin a search and of a node, on one core of an ordinary machine.
const SEARCH_SECONDS: f64 = 1e-5;
const NODE_SECONDS: f64 = 5e-8;

/// Mean values of counting some figures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trial {
    /// Seconds of one thread for a figure, on this machine.
    pub(crate) seconds: f64,
    /// Nodes of a figure, the same on every machine.
    nodes: f64,
    /// The share of figures that are searched.
    searched: f64,
    /// Some counts were abandoned.
    pub(crate) given_up: bool,
}

impl Trial {
    /// Counts some figures, evenly drawn. With a first look, those that it rules out are not counted.
    pub(crate) fn of_some(
        figures: &[Candidate],
        set: &PieceSet,
        first_look: Option<&FirstLook>,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Self {
        let nodes = limit.unwrap_or(u64::MAX).min(TRIAL_NODES);
        let limits = Limits { nodes: Some(nodes), ..default_limits(stop) };
        let nodes_of = |candidate: &Candidate| -> Result<Option<u64>, SolveError> {
            let (figure, group) = (candidate.figure(), candidate.group());
            let cells = figure.cells();
            let look =
                |look: &FirstLook| look.rule_out_by_short_search(cells, cells, group, limits.nodes);
            if first_look.and_then(look).is_some() {
                return Ok(None);
            }
            Ok(count(&Problem::with_group(figure, set, group), limits)?.nodes)
        };
        let one = |candidate: &Candidate| {
            let begun = Instant::now();
            let nodes_made = guard(|| nodes_of(candidate)).ok().flatten().unwrap_or_default();
            let given_up = nodes_made >= TRIAL_NODES && limit != Some(nodes);
            let (seconds, nodes) = (begun.elapsed().as_secs_f64(), nodes_made as f64);
            Self { seconds, nodes, searched: f64::from(nodes_made > 0), given_up }
        };
        let step = figures.len().div_ceil(TRIED).max(1);
        let tried: Vec<Self> = figures.par_iter().step_by(step).map(one).collect();
        let number = tried.len().max(1) as f64;
        let mean = |value: fn(&Self) -> f64| tried.iter().map(value).sum::<f64>() / number;
        Self {
            seconds: mean(|one| one.seconds),
            nodes: mean(|one| one.nodes),
            searched: mean(|one| one.searched),
            given_up: tried.iter().any(|one| one.given_up),
        }
    }

    /// Returns the seconds of a figure on one core of an ordinary machine, the same everywhere.
    pub(crate) fn nominal_seconds(&self) -> f64 {
        self.searched * SEARCH_SECONDS + self.nodes * NODE_SECONDS
    }
}
