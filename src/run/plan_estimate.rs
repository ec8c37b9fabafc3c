//! Estimates of the figures, time and space of a plan. The steps are the same on every machine.

use super::RunError;
use super::counting::work_within;
use super::plan::Plan;
use somacat_counting::question::WorkEstimate;
use std::sync::atomic::AtomicBool;

/// Estimates every source and question of a plan. Ends early if `stop` is set.
pub fn estimate_plan(plan: &Plan, stop: &AtomicBool) -> Result<Vec<WorkEstimate>, RunError> {
    let work = work_within(plan.nodes, None, stop);
    Ok(plan.every_question().map(|question| question.estimate(work)).collect::<Result<_, _>>()?)
}
