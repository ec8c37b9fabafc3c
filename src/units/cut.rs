//! Plans cut into units of about equal work.
//!
//! Samples give the work in steps that are the same on every machine: search nodes, subsets, figures. So the units are
//! the same everywhere, too.

use super::error::UnitsError;
use super::unit::{self, EstimatedWork, SetText, Unit, UnitFile, UnitShards, UnitWork};
use crate::formats::OpenError;
use crate::run::{
    Estimate, ImportJob, Plan, Question, RunError, SetChoice, Source, estimate_import,
};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// This number, but at least one for each source and question.
    Count(u64),
    /// Units of about this many seconds of work for one core of an ordinary machine.
    Seconds(f64),
}

/// A source or question that can be cut between any two steps: shards or entries.
struct DivisibleJob {
    estimate: Estimate,
    whole: UnitWork,
}

/// The units of a plan, and the estimates of its sources and questions.
type CutPlan = (Vec<Unit>, Vec<Estimate>);

/// Cuts a plan into units; `None` if `stop` was set.
pub fn cut(plan: &Plan, how: Cut, stop: &AtomicBool) -> Result<Option<CutPlan>, UnitsError> {
    if plan.wanted.any() {
        return Err(UnitsError::Structures);
    }
    let mut jobs = Vec::new();
    let mut labels: Vec<(String, &Source)> = Vec::new();
    for job in &plan.imports {
        let label = job.source.label();
        if labels.iter().any(|(known, source)| *known == label && **source == job.source) {
            continue;
        }
        if labels.iter().any(|(known, _)| *known == label) {
            return Err(UnitsError::EqualLabels(label));
        }
        labels.push((label, &job.source));
        jobs.push(import(job, plan, stop)?);
    }
    for question in &plan.questions {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        jobs.push(DivisibleJob::asking(question.as_ref(), plan.nodes, stop));
    }
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let counts = apportion(&jobs, how);
    let mut work = Vec::new();
    for (job, count) in jobs.iter().zip(counts) {
        let unit = |range: Range<u64>| {
            let (seconds, memory) = (job.work_within(range.clone()), job.estimate.memory());
            EstimatedWork { work: job.within(range), seconds, memory }
        };
        work.extend(job.cut(count).into_iter().map(unit));
    }
    if let Some(source) = &plan.published_source {
        let set = plan.set.fixed().map(SetText::of);
        let work_of_file = UnitWork::Published { file: file(source)?, set };
        work.push(EstimatedWork {
            work: work_of_file,
            seconds: 0.0,
            memory: Estimate::default().memory(),
        });
    }
    let estimates = jobs.into_iter().map(|job| job.estimate).collect();
    Ok(Some((Unit::numbered(plan.nodes, work), estimates)))
}

fn apportion(jobs: &[DivisibleJob], how: Cut) -> Vec<u64> {
    let bounded = |job: &DivisibleJob, wanted: f64| (wanted as u64).clamp(1, job.steps().max(1));
    let wanted = match how {
        Cut::Seconds(seconds) => {
            return jobs.iter().map(|job| bounded(job, (job.work() / seconds).ceil())).collect();
        }
        Cut::Count(wanted) => wanted,
    };
    let all: f64 = jobs.iter().map(DivisibleJob::work).sum();
    let share = |job: &DivisibleJob| job.work() / all.max(f64::MIN_POSITIVE) * wanted as f64;
    let mut counts: Vec<u64> = jobs.iter().map(|job| bounded(job, share(job))).collect();
    // The jobs with the largest units get the rest.
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

impl DivisibleJob {
    fn asking(question: &dyn Question, nodes: Option<u64>, stop: &AtomicBool) -> Self {
        let whole = UnitWork::Question(UnitShards {
            key: question.key(),
            label: question.label(),
            set: SetText::of(question.set()),
            keep: question.keep(),
            shards: [0, 0],
            search: [0, 0],
        });
        Self { estimate: question.estimate(nodes, stop), whole }
    }

    fn within(&self, steps: Range<u64>) -> UnitWork {
        let mut work = self.whole.clone();
        let steps = [steps.start, steps.end];
        match &mut work {
            UnitWork::Question(work) => {
                let searches = &self.estimate.searches;
                let begun = searches.partition_point(|&first| first <= steps[0]);
                let number = begun.saturating_sub(1);
                let first = searches.get(number).copied().unwrap_or_default();
                (work.shards, work.search) = (steps, [number as u64, first]);
            }
            UnitWork::Import { entries, .. } => *entries = steps,
            UnitWork::Published { .. } => {}
        }
        work
    }

    fn steps(&self) -> u64 {
        self.estimate.segments.iter().map(|(steps, _)| steps).sum()
    }

    fn work(&self) -> f64 {
        self.estimate.seconds()
    }

    fn work_within(&self, steps: Range<u64>) -> f64 {
        let (mut work, mut start) = (0.0, 0);
        for (length, each) in &self.estimate.segments {
            let end = start + length;
            work += steps.end.min(end).saturating_sub(steps.start.max(start)) as f64 * each;
            start = end;
        }
        work
    }

    /// Returns ranges of about equal work, none of them empty; one if there are no steps.
    fn cut(&self, count: u64) -> Vec<Range<u64>> {
        let (steps, work, segments) = (self.steps(), self.work(), &self.estimate.segments);
        let (mut ranges, mut start) = (Vec::new(), 0);
        // The segments before `segment` have `passed` steps and `done` work.
        let (mut segment, mut passed, mut done) = (0, 0, 0.0);
        for number in 1..=count {
            let wanted = work * number as f64 / count as f64;
            while let Some((length, each)) = segments.get(segment)
                && done + *length as f64 * each <= wanted
            {
                (segment, passed, done) =
                    (segment + 1, passed + length, done + *length as f64 * each);
            }
            let within = match segments.get(segment) {
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

fn import(job: &ImportJob, plan: &Plan, stop: &AtomicBool) -> Result<DivisibleJob, UnitsError> {
    let file = file(&job.source)?;
    let estimate = estimate_import(job, plan.nodes, stop)?;
    let set = match &job.set {
        SetChoice::Auto => None,
        SetChoice::Fixed(set) => Some(SetText::of(set)),
    };
    let label = job.source.label();
    let whole = UnitWork::Import { file, label, set, entries: [0, 0] };
    Ok(DivisibleJob { estimate, whole })
}

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

/// Returns the SHA-256 of the content of a source.
pub(super) fn digest(source: &Source) -> Result<String, RunError> {
    let failed = |error: io::Error| OpenError::Io { file: source.shown(), error };
    let (digest, _) = unit::digest(&mut source.open()?).map_err(failed)?;
    Ok(digest)
}
