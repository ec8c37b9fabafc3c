//! A plan cut into units of about equal work.
//!
//! The work is estimated from samples, in steps that are the same on every machine: nodes of searches, subsets,
//! figures. So are the units.

use super::error::UnitsError;
use super::unit::{self, SetText, Unit, UnitFile, Work};
use crate::buildable::SHARDS;
use crate::catalog::Keep;
use crate::census::Census;
use crate::enumerate::Sample;
use crate::formats::{Item, OpenError};
use crate::run::{
    BuildableJob, CensusJob, EnumerationJob, ImportJob, Job, OpenSource, Plan, Recognition,
    RunError, SAMPLES, SetChoice, Source, Trial, recognize,
};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Seconds that things take on one core of an ordinary machine. Units are cut by these and not by the clock, so that
/// they are the same everywhere.
mod nominal {
    use super::Trial;

    /// A node of the search that lists figures.
    pub(super) const LISTED_NODE: f64 = 2e-7;
    /// A figure that is listed, and ruled out at the first look.
    pub(super) const MET: f64 = 1.5e-6;
    /// A figure that is kept whatever it comes to, with its row.
    pub(super) const KEPT: f64 = 3e-6;
    /// A figure that is searched, besides its nodes.
    pub(super) const SEARCHED: f64 = 1e-5;
    /// A node of such a search.
    pub(super) const NODE: f64 = 5e-8;
    /// An entry of a file, read and recognized.
    pub(super) const ENTRY: f64 = 1.5e-5;
    /// A node of the search for figures with their packings.
    pub(super) const JOINT_NODE: f64 = 1.5e-7;
    /// A figure found so, counted, with what shows which shard it belongs to.
    pub(super) const JOINT_FIGURE: f64 = 6e-5;
    /// A subset of a census, with its row.
    pub(super) const SUBSET: f64 = 2.5e-6;
    /// A shard of a census.
    pub(super) const SHARD: f64 = 1e-3;

    /// Counting a figure.
    pub(super) fn counted(trial: &Trial) -> f64 {
        trial.searched * SEARCHED + trial.nodes * NODE
    }
}

/// Entries of a file that are looked at to see how much work they are, at least, if there are so many.
const ENTRIES: usize = 200;

/// Into how many units a plan is cut.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// So many, but one at least for each source and question.
    Count(u64),
    /// As many as it takes for each to be so many seconds of work for one core of an ordinary machine.
    Seconds(f64),
}

/// A job that can be cut between any two of its steps: shards, entries.
struct Pieces {
    /// Stretches of steps, with the work of each of their steps.
    stretches: Vec<(u64, f64)>,
    /// The job itself.
    whole: Work,
    /// Of an enumeration the first shard of each of its searches.
    searches: Vec<u64>,
}

/// The units of a plan; nothing if `stop` was set.
///
/// # Errors
/// If a file of the plan cannot be read, its name cannot stand in a unit, or the plan asks for `map` or `stand`.
pub fn cut(plan: &Plan, how: Cut, stop: &AtomicBool) -> Result<Option<Vec<Unit>>, UnitsError> {
    if plan.wanted.any() {
        return Err(UnitsError::Structures);
    }
    let mut jobs = Vec::new();
    let mut labels: Vec<(String, &Source)> = Vec::new();
    for job in &plan.jobs {
        jobs.push(match job {
            Job::Import(job) => {
                let label = job.source.label();
                if labels.iter().any(|(known, source)| *known == label && **source == job.source) {
                    continue;
                }
                if labels.iter().any(|(known, _)| *known == label) {
                    return Err(UnitsError::EqualLabels(label));
                }
                labels.push((label, &job.source));
                import(job, plan, stop)?
            }
            Job::Enumerate(job) => enumeration(job, plan, stop),
            Job::Buildable(job) => buildable(job, stop),
            Job::Census(job) => census(job),
        });
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    let counts = apportion(&jobs, how);
    let mut work = Vec::new();
    for (job, count) in jobs.iter().zip(counts) {
        work.extend(job.cut(count).into_iter().map(|range| job.within(range)));
    }
    if let Some(source) = &plan.published_source {
        let set = plan.set.fixed().map(SetText::of);
        work.push(Work::Published { file: file(source)?, set });
    }
    Ok(Some(Unit::numbered(plan.nodes, work)))
}

/// How many units each job gets.
fn apportion(jobs: &[Pieces], how: Cut) -> Vec<u64> {
    let bounded = |job: &Pieces, wanted: f64| (wanted as u64).clamp(1, job.steps().max(1));
    let wanted = match how {
        Cut::Seconds(seconds) => {
            return jobs.iter().map(|job| bounded(job, (job.work() / seconds).ceil())).collect();
        }
        Cut::Count(wanted) => wanted,
    };
    let all: f64 = jobs.iter().map(Pieces::work).sum();
    let share = |job: &Pieces| job.work() / all.max(f64::MIN_POSITIVE) * wanted as f64;
    let mut counts: Vec<u64> = jobs.iter().map(|job| bounded(job, share(job))).collect();
    // What is left goes to those whose units would be the largest.
    let mut left = wanted.saturating_sub(counts.iter().sum());
    while left > 0 {
        let can_grow = (0..jobs.len()).filter(|&at| counts[at] < jobs[at].steps());
        let size = |at: usize| jobs[at].work() / counts[at] as f64;
        let Some(at) = can_grow.max_by(|&a, &b| size(a).total_cmp(&size(b))) else { break };
        counts[at] += 1;
        left -= 1;
    }
    counts
}

impl Pieces {
    fn new(stretches: Vec<(u64, f64)>, whole: Work) -> Self {
        Self { stretches, whole, searches: Vec::new() }
    }

    /// What there is to be done in a range of steps.
    fn within(&self, steps: Range<u64>) -> Work {
        let mut work = self.whole.clone();
        let steps = [steps.start, steps.end];
        match &mut work {
            Work::Enumerate { shards, search, .. } => {
                let begun = self.searches.partition_point(|&first| first <= steps[0]);
                let number = begun.saturating_sub(1);
                let first = self.searches.get(number).copied().unwrap_or_default();
                (*shards, *search) = (steps, [number as u64, first]);
            }
            Work::Buildable { shards, .. } | Work::Census { shards, .. } => *shards = steps,
            Work::Import { entries, .. } => *entries = steps,
            Work::Published { .. } => {}
        }
        work
    }

    fn steps(&self) -> u64 {
        self.stretches.iter().map(|(steps, _)| steps).sum()
    }

    fn work(&self) -> f64 {
        self.stretches.iter().map(|(steps, each)| *steps as f64 * each).sum()
    }

    /// So many ranges of about equal work, none of them empty; one if there are no steps.
    fn cut(&self, count: u64) -> Vec<Range<u64>> {
        let (steps, work) = (self.steps(), self.work());
        let (mut ranges, mut start) = (Vec::new(), 0);
        // The stretches before `stretch` have `passed` steps and `done` work.
        let (mut stretch, mut passed, mut done) = (0, 0, 0.0);
        for number in 1..=count {
            let wanted = work * number as f64 / count as f64;
            while let Some((length, each)) = self.stretches.get(stretch)
                && done + *length as f64 * each <= wanted
            {
                (stretch, passed, done) =
                    (stretch + 1, passed + length, done + *length as f64 * each);
            }
            let within = match self.stretches.get(stretch) {
                Some((length, each)) if *each > 0.0 => {
                    (((wanted - done) / each).round() as u64).min(*length)
                }
                _ => 0,
            };
            let most = steps - (count - number).min(steps);
            let end = (passed + within).max(start + 1).min(most);
            let end = if number == count { steps } else { end };
            ranges.push(start..end);
            start = end;
        }
        ranges
    }
}

fn enumeration(job: &EnumerationJob, plan: &Plan, stop: &AtomicBool) -> Pieces {
    let EnumerationJob { enumeration, set, keep } = job;
    let samples = enumeration.estimate(stop);
    let (mut stretches, mut starts, mut first) = (Vec::new(), Vec::new(), 0);
    for sample in &samples {
        let Sample { figures, shards, measures, .. } = sample;
        starts.push(first);
        first += shards;
        let trial = Trial::as_in_a_run(figures, set, *keep, plan.nodes, stop);
        let kept = if *keep == Keep::All { nominal::KEPT } else { 0.0 };
        let figure = nominal::MET + kept + nominal::counted(&trial);
        let number = measures.len() as u64;
        for (at, measure) in (0..).zip(measures) {
            // The shard stands for this stretch of all of them.
            let length = (at + 1) * shards / number - at * shards / number;
            let listing = measure.nodes * nominal::LISTED_NODE;
            stretches.push((length, listing + measure.figures * figure));
        }
    }
    let question = enumeration.question();
    let whole = Work::Enumerate {
        question: question.key(),
        label: question.label(),
        set: SetText::of(set),
        keep: (*keep).into(),
        shards: [0, first],
        search: [0, 0],
    };
    Pieces { stretches, whole, searches: starts }
}

fn buildable(job: &BuildableJob, stop: &AtomicBool) -> Pieces {
    let search = &job.search;
    // Shards are cut by a hash, so they are alike. Without an estimate the units are not written.
    let estimate = search.estimate(SAMPLES, stop, &|| ());
    let work = estimate.map_or(1.0, |estimate| {
        estimate.nodes * nominal::JOINT_NODE + estimate.figures * nominal::JOINT_FIGURE
    });
    let whole = Work::Buildable {
        question: search.key(),
        label: search.label(),
        set: SetText::of(search.set()),
        keep: job.keep.into(),
        shards: [0, SHARDS],
    };
    Pieces::new(vec![(SHARDS, work / SHARDS as f64)], whole)
}

fn census(job: &CensusJob) -> Pieces {
    let census: &Census = &job.census;
    let work = |shard| census.shard_subsets(shard) as f64 * nominal::SUBSET + nominal::SHARD;
    let stretches = (0..census.shards()).map(|shard| (1, work(shard))).collect();
    let whole = Work::Census {
        question: census.key(),
        label: job.label(),
        set: SetText::of(census.set()),
        keep: job.keep.into(),
        shards: [0, census.shards() as u64],
    };
    Pieces::new(stretches, whole)
}

fn import(job: &ImportJob, plan: &Plan, stop: &AtomicBool) -> Result<Pieces, UnitsError> {
    let file = file(&job.source)?;
    let mut source = OpenSource::open(job, stop)?;
    // Every so many entries one is kept, and more seldom the more there are.
    let (mut drawn, mut stride, mut entries): (Vec<(u64, Item)>, u64, u64) = (Vec::new(), 1, 0);
    while !source.items.is_empty() {
        for item in std::mem::take(&mut source.items) {
            if entries.is_multiple_of(stride) {
                drawn.push((entries, item));
            }
            entries += 1;
            if drawn.len() >= 2 * ENTRIES {
                stride *= 2;
                drawn.retain(|(entry, _)| entry.is_multiple_of(stride));
            }
        }
        source.advance(stop)?;
    }
    let seconds = |(entry, item): (u64, Item)| match recognize(item, entry, &job.set) {
        Recognition::Refusal(_) => 0.0,
        Recognition::Figure(figure, _) => {
            nominal::counted(&Trial::of_some(&[figure.candidate], &figure.set, plan.nodes, stop))
        }
    };
    let number = drawn.len().max(1) as f64;
    let each = nominal::ENTRY + drawn.into_iter().map(seconds).sum::<f64>() / number;
    let set = match &job.set {
        SetChoice::Auto => None,
        SetChoice::Fixed(set) => Some(SetText::of(set)),
    };
    let label = job.source.label();
    let whole = Work::Import { file, label, set, entries: [0, entries] };
    Ok(Pieces::new(vec![(entries, each)], whole))
}

/// A source as a unit names it.
fn file(source: &Source) -> Result<UnitFile, UnitsError> {
    let (file, builtin) = match source {
        Source::File { path, .. } => {
            let text = path.to_str().ok_or_else(|| UnitsError::Path(path.clone()))?;
            (text.to_owned(), false)
        }
        Source::Text(label, _) => (label.clone(), true),
        Source::Stdin => return Err(UnitsError::Stream),
    };
    Ok(UnitFile { file, builtin, sha256: digest(source)? })
}

/// The SHA-256 of the content of a source.
pub(super) fn digest(source: &Source) -> Result<String, RunError> {
    let failed = |error: io::Error| OpenError::Io { file: source.shown(), error };
    let (digest, _) = unit::digest(&mut source.open()?).map_err(failed)?;
    Ok(digest)
}
