//! Plans cut into units of about equal work.
//!
//! Samples give the work in steps that are the same on every machine: search nodes, subsets, figures. So the units are
//! the same everywhere, too.

use super::error::UnitsError;
use super::unit::{EstimatedWork, SetText, Unit, UnitFile, UnitShards, UnitWork};
use somacat_counting::question::{Origin, WorkEstimate};
use somacat_run::{Plan, RunError, Source, estimate};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// This number, but at least one for each source and question.
    Count(u64),
    /// Units of about this many seconds of work. They are seconds of one core of an ordinary machine.
    Seconds(f64),
}

/// A source or question that can be cut between any two steps: shards or entries.
struct DivisibleJob {
    estimate: WorkEstimate,
    whole: UnitWork,
    /// The steps and the work up to each segment's end. The segments are those of the estimate.
    ends: Vec<(u64, f64)>,
}

/// A plan that was cut.
pub struct CutPlan {
    pub units: Vec<Unit>,
    /// The estimates of the sources and questions.
    pub estimates: Vec<WorkEstimate>,
    /// Why sources cannot be read. They have no units, and a run leaves them out too.
    pub unreadable: Vec<String>,
}

/// Cuts a plan into units; `None` if `stop` was set.
pub fn cut(plan: &Plan, how: Cut, stop: &AtomicBool) -> Result<Option<CutPlan>, UnitsError> {
    if plan.wanted.any() {
        return Err(UnitsError::Structures);
    }
    let mut jobs = Vec::new();
    let mut labels: Vec<(String, &Source)> = Vec::new();
    let mut unreadable = Vec::new();
    for asked in &plan.sources {
        let (label, source) = (asked.source().label(), asked.source());
        if labels.iter().any(|(known, other)| *known == label && *other == source) {
            continue;
        }
        if labels.iter().any(|(known, _)| *known == label) {
            return Err(UnitsError::EqualLabels(label));
        }
        let estimated = match estimate(asked.as_ref(), plan, stop)? {
            Ok(estimated) => estimated,
            Err(why) => {
                unreadable.push(why);
                continue;
            }
        };
        let set = asked.set().map(SetText::of);
        let whole =
            UnitWork::Import { file: file(source)?, label: label.clone(), set, entries: [0, 0] };
        labels.push((label, source));
        jobs.push(DivisibleJob::new(estimated, whole));
    }
    for question in &plan.questions {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let question = question.as_ref();
        if let Origin::Search(set) = question.origin() {
            let whole = UnitWork::Question(UnitShards {
                key: question.key(),
                label: question.label(),
                set: SetText::of(set),
                keep: question.keep(),
                shards: [0, 0],
                search: [0, 0],
            });
            // Only a source can be unreadable.
            let estimated = estimate(question, plan, stop)?;
            jobs.extend(estimated.map(|estimated| DivisibleJob::new(estimated, whole)));
        }
    }
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // Published counts are a unit, too.
    let how = match how {
        Cut::Count(wanted) => {
            Cut::Count(wanted.saturating_sub(u64::from(plan.published_source.is_some())))
        }
        Cut::Seconds(_) => how,
    };
    let counts = apportion(&jobs, how);
    let mut work = Vec::new();
    for (job, count) in jobs.iter().zip(counts) {
        let unit = |range: Range<u64>| {
            let work = job.work_before(range.end) - job.work_before(range.start);
            let (seconds, memory) = (job.estimate.begin + work, job.estimate.memory_on(1));
            let rows = job.estimate.kept * work / job.all().1.max(f64::MIN_POSITIVE);
            EstimatedWork { work: job.within(range), seconds, rows, memory }
        };
        work.extend(job.cut(count).into_iter().map(unit));
    }
    if let Some(source) = &plan.published_source {
        let set = plan.set.fixed().map(SetText::of);
        let work_of_file = UnitWork::Published { file: file(source)?, set };
        work.push(EstimatedWork {
            work: work_of_file,
            seconds: 0.0,
            rows: 1.0,
            memory: WorkEstimate::default().memory_on(1),
        });
    }
    let estimates = jobs.into_iter().map(|job| job.estimate).collect();
    Ok(Some(CutPlan { units: Unit::numbered(plan.nodes, work), estimates, unreadable }))
}

fn apportion(jobs: &[DivisibleJob], how: Cut) -> Vec<u64> {
    let bounded = |job: &DivisibleJob, wanted: f64| (wanted as u64).clamp(1, job.all().0.max(1));
    let wanted = match how {
        Cut::Seconds(seconds) => {
            return jobs.iter().map(|job| bounded(job, (job.all().1 / seconds).ceil())).collect();
        }
        Cut::Count(wanted) => wanted,
    };
    let all: f64 = jobs.iter().map(|job| job.all().1).sum();
    let share = |job: &DivisibleJob| job.all().1 / all.max(f64::MIN_POSITIVE) * wanted as f64;
    let mut counts: Vec<u64> = jobs.iter().map(|job| bounded(job, share(job))).collect();
    // The jobs with the largest units get the rest. Each small job has got a unit, so there may be too many: those with the
    // smallest units give some back.
    let size = |at: usize, count: u64| jobs[at].all().1 / count as f64;
    let mut sum: u64 = counts.iter().sum();
    while sum < wanted {
        let can_grow = (0..jobs.len()).filter(|&at| counts[at] < jobs[at].all().0);
        let larger = |&a: &usize, &b: &usize| size(a, counts[a]).total_cmp(&size(b, counts[b]));
        let Some(at) = can_grow.max_by(larger) else { break };
        counts[at] += 1;
        sum += 1;
    }
    while sum > wanted {
        let can_shrink = (0..jobs.len()).filter(|&at| counts[at] > 1);
        let smaller =
            |&a: &usize, &b: &usize| size(a, counts[a] - 1).total_cmp(&size(b, counts[b] - 1));
        let Some(at) = can_shrink.min_by(smaller) else { break };
        counts[at] -= 1;
        sum -= 1;
    }
    counts
}

impl DivisibleJob {
    fn new(estimate: WorkEstimate, whole: UnitWork) -> Self {
        let segments = estimate.segments.iter();
        let ends = segments.scan((0, 0.0), |end, (steps, each)| {
            *end = (end.0 + steps, end.1 + *steps as f64 * each);
            Some(*end)
        });
        Self { ends: ends.collect(), estimate, whole }
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

    /// Returns all steps and their work.
    fn all(&self) -> (u64, f64) {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Returns the steps and the work before a segment. Also returns the work of each of its steps.
    fn segment(&self, at: usize) -> (u64, f64, f64) {
        let (steps, work) = at.checked_sub(1).map_or((0, 0.0), |before| self.ends[before]);
        (steps, work, self.estimate.segments.get(at).map_or(0.0, |(_, each)| *each))
    }

    fn work_before(&self, step: u64) -> f64 {
        let (steps, work, each) = self.segment(self.ends.partition_point(|&(end, _)| end <= step));
        work + (step - steps) as f64 * each
    }

    /// Returns non-empty ranges of about equal work. Without steps, returns one empty range.
    fn cut(&self, count: u64) -> Vec<Range<u64>> {
        let ((all, work), mut start) = (self.all(), 0);
        let range = |number: u64| {
            // A step larger than a unit is not divided. The units after it divide the rest evenly.
            let before = self.work_before(start);
            let wanted = before + (work - before) / (count + 1 - number) as f64;
            let (steps, done, each) =
                self.segment(self.ends.partition_point(|end| end.1 <= wanted));
            let within = if each > 0.0 { ((wanted - done) / each).round() as u64 } else { 0 };
            let most = all - (count - number).min(all);
            let end = if number == count { all } else { (steps + within).max(start + 1).min(most) };
            std::mem::replace(&mut start, end)..end
        };
        (1..=count).map(range).collect()
    }
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
    Ok(UnitFile { file, builtin, sha256: source.sha256().map_err(RunError::from)? })
}
