//! What a plan would do, before it is done: how many figures, how long.

use super::import::OpenSource;
use super::plan::{BuildableJob, CensusJob, EnumerationJob, ImportJob, Job, Plan};
use super::{RunError, default_limits};
use crate::catalog::Keep;
use crate::figure::Candidate;
use crate::pieces::PieceSet;
use crate::solve::{FirstLook, Limits, Problem, SolveError, count, guard};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Figures of each part of an enumeration that are counted to see how long it takes.
const TRIED: usize = 200;

/// Samples of a search for figures that can be built, and nodes of it that are timed.
pub(crate) const SAMPLES: u64 = 24;
const TRIED_NODES: u64 = 200_000;

/// Nodes after which such a trial is given up; the estimate is then too low, and says so.
const TRIAL_NODES: u64 = 3_000_000;

/// What one job of a plan is expected to give.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sizing {
    /// The source, or the question in words.
    pub label: String,
    /// Its figures; of files the entries, faulty ones included.
    pub figures: f64,
    /// The standard error of that number; 0 if it is exact.
    pub error: f64,
    /// Seconds to list and to count them on all threads, if that was tried.
    pub seconds: Option<(f64, f64)>,
    /// Some trials were given up: the figures take longer than estimated.
    pub longer: bool,
}

/// Sizes every job of a plan; ends early if `stop` is set.
///
/// # Errors
/// If a source cannot be read.
pub fn size_up(plan: &Plan, stop: &AtomicBool) -> Result<Vec<Sizing>, RunError> {
    let size = |job: &Job| match job {
        Job::Import(job) => entries(job, stop),
        Job::Enumerate(job) => Ok(enumerated(job, plan, stop)),
        Job::Buildable(job) => Ok(buildable(job, stop)),
        Job::Census(job) => Ok(boxed(job)),
    };
    plan.jobs.iter().map(size).collect()
}

fn enumerated(job: &EnumerationJob, plan: &Plan, stop: &AtomicBool) -> Sizing {
    let EnumerationJob { enumeration, set, keep } = job;
    let threads = rayon::current_num_threads() as f64;
    let parts = enumeration.estimate(stop);
    let mut sizing = Sizing {
        label: enumeration.question().label(),
        figures: parts.iter().map(|part| part.estimate.figures).sum(),
        error: parts.iter().map(|part| part.estimate.error).fold(0.0, f64::hypot),
        seconds: None,
        longer: false,
    };
    if let Some(total) = enumeration.total() {
        (sizing.figures, sizing.error) = (total as f64, 0.0);
    }
    let (mut listing, mut counting) = (0.0, 0.0);
    for part in &parts {
        let trial = Trial::as_in_a_run(&part.figures, set, *keep, plan.nodes, stop);
        listing += part.estimate.seconds / threads;
        counting += trial.seconds * part.estimate.figures / threads;
        sizing.longer |= trial.given_up;
    }
    sizing.seconds = Some((listing, counting));
    sizing
}

/// The figures of a class that can be built; the time is that of the search.
fn buildable(job: &BuildableJob, stop: &AtomicBool) -> Sizing {
    let search = &job.search;
    let label = search.label();
    let nothing = Sizing { label, figures: 0.0, error: 0.0, seconds: None, longer: false };
    let Some(estimate) = search.estimate(SAMPLES, stop, &|| ()) else { return nothing };
    let begun = Instant::now();
    let nodes = search.search_nodes(TRIED_NODES, stop).max(1);
    let each = begun.elapsed().as_secs_f64() / nodes as f64;
    let seconds = estimate.nodes * each / rayon::current_num_threads() as f64;
    let (figures, error) = (estimate.figures, estimate.error);
    Sizing { figures, error, seconds: Some((seconds, 0.0)), ..nothing }
}

/// The figures of a box; how long they take all at once is not tried.
fn boxed(job: &CensusJob) -> Sizing {
    Sizing {
        label: job.label(),
        figures: job.figures() as f64,
        error: 0.0,
        seconds: None,
        longer: false,
    }
}

/// What counting some figures came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trial {
    /// Mean seconds of one thread for a figure, on this machine.
    pub(crate) seconds: f64,
    /// Mean nodes of a figure, the same on every machine.
    pub(crate) nodes: f64,
    /// The share of figures that are searched.
    pub(crate) searched: f64,
    /// Some were given up.
    pub(crate) given_up: bool,
}

impl Trial {
    /// Counts some of these figures, evenly drawn.
    pub(crate) fn of_some(
        figures: &[Candidate],
        set: &PieceSet,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Self {
        Self::new(figures, limit, stop, |candidate, limits| {
            count(&Problem::new(candidate.figure(), set), limits).map(|report| report.nodes)
        })
    }

    /// Does with some figures of an enumeration what a run does: what is not kept without a packing is ruled out as
    /// soon as possible.
    pub(crate) fn as_in_a_run(
        figures: &[Candidate],
        set: &PieceSet,
        keep: Keep,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Self {
        let first_look = (keep != Keep::All).then(|| FirstLook::new(set));
        Self::new(figures, limit, stop, |candidate, limits| {
            let (figure, group) = (candidate.figure(), candidate.group());
            let cells = figure.cells();
            if let Some(look) = &first_look
                && look.rule_out_by_short_search(cells, cells, group, limit).is_some()
            {
                return Ok(None);
            }
            Ok(count(&Problem::with_group(figure, set, group), limits)?.nodes)
        })
    }

    /// The same, counting as `count` does, which returns the nodes if there was a search.
    fn new(
        figures: &[Candidate],
        limit: Option<u64>,
        stop: &AtomicBool,
        count: impl Fn(&Candidate, Limits<'_>) -> Result<Option<u64>, SolveError> + Sync,
    ) -> Self {
        let nodes = limit.unwrap_or(u64::MAX).min(TRIAL_NODES);
        let limits = Limits { nodes: Some(nodes), ..default_limits(stop) };
        let step = figures.len().div_ceil(TRIED).max(1);
        let one = |candidate: &Candidate| {
            let begun = Instant::now();
            let nodes_made = guard(|| count(candidate, limits)).ok().flatten().unwrap_or_default();
            let given_up = nodes_made >= TRIAL_NODES && limit != Some(nodes);
            let (seconds, nodes) = (begun.elapsed().as_secs_f64(), nodes_made as f64);
            Self { seconds, nodes, searched: f64::from(nodes_made > 0), given_up }
        };
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
}

fn entries(job: &ImportJob, stop: &AtomicBool) -> Result<Sizing, RunError> {
    let mut source = OpenSource::open(job, stop)?;
    let mut entries = 0;
    while !source.items.is_empty() {
        entries += source.items.len();
        source.advance(stop)?;
    }
    let (label, figures) = (source.label, entries as f64);
    Ok(Sizing { figures, label, error: 0.0, seconds: None, longer: false })
}
