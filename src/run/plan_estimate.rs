//! Estimates of the figures, time and space of a plan. The steps are the same on every machine.

use super::counting::work_within;
use super::import::{OpenSource, Recognition, recognize};
use super::plan::{ImportJob, Plan};
use super::{RunError, default_limits};
use rayon::prelude::*;
use somacat_counting::costs;
use somacat_counting::question::{Trial, WorkEstimate};
use somacat_counting::solve::Limits;
use somacat_formats::Item;
use std::sync::atomic::AtomicBool;

/// The least number of a file's entries whose work is estimated. Of a file with fewer entries, all are.
const ENTRIES: usize = 200;

/// Estimates every source and question of a plan. Ends early if `stop` is set.
pub fn estimate_plan(plan: &Plan, stop: &AtomicBool) -> Result<Vec<WorkEstimate>, RunError> {
    let import = |job| estimate_import(job, plan.nodes, stop);
    let mut estimates = plan.imports.iter().map(import).collect::<Result<Vec<_>, _>>()?;
    let work = work_within(plan.nodes, None, stop);
    estimates.extend(plan.questions.iter().map(|question| question.estimate(work)));
    Ok(estimates)
}

/// Estimates the work of a source from entries drawn evenly.
pub fn estimate_import(
    job: &ImportJob,
    nodes: Option<u64>,
    stop: &AtomicBool,
) -> Result<WorkEstimate, RunError> {
    let (mut source, limits) =
        (OpenSource::open(job, stop)?, Limits { nodes, ..default_limits(stop) });
    // One entry of `stride` is drawn. The stride doubles as entries arrive.
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
    let trial = |(entry, item): (u64, Item)| {
        let trial = match recognize(item, entry, &job.set) {
            Recognition::Refusal(_) => Trial::default(),
            Recognition::Figure(figure, _) => {
                Trial::of_some(&[&figure.candidate], &figure.set, None, limits)
            }
        };
        (stride.min(entries - entry), trial)
    };
    let trials: Vec<(u64, Trial)> = drawn.into_par_iter().map(trial).collect();
    Ok(WorkEstimate {
        label: source.label,
        figures: entries as f64,
        kept: entries as f64,
        names: entries as f64,
        longer: trials.iter().any(|(_, trial)| trial.given_up),
        shared_memory: trials.iter().map(|(_, trial)| trial.memory).max().unwrap_or(0),
        // A drawn entry represents those up to the next.
        segments: trials.iter().map(|(n, trial)| (*n, costs::ENTRY + trial.seconds())).collect(),
        ..WorkEstimate::default()
    })
}
