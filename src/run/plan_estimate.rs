//! Estimates of the figures, time and space of a plan. The steps are the same on every machine.

use super::counting::work_within;
use super::plan::Plan;
use super::{RunError, is_source};
use somacat_counting::question::{Question, QuestionError, WorkEstimate};
use std::sync::atomic::AtomicBool;

/// The estimate of a source or question, or why a source cannot be read. A run reports such a source and leaves it out.
pub type Estimated = Result<WorkEstimate, String>;

/// Estimates every source and question of a plan. Ends early if `stop` is set.
pub fn estimate_plan(plan: &Plan, stop: &AtomicBool) -> Result<Vec<Estimated>, RunError> {
    plan.every_question().map(|question| estimate(question, plan, stop)).collect()
}

/// Estimates a source or question of a plan.
///
/// # Errors
/// If a source breaks off. A run would keep its beginning.
pub fn estimate(
    question: &dyn Question,
    plan: &Plan,
    stop: &AtomicBool,
) -> Result<Estimated, RunError> {
    let work = work_within(plan.nodes, None, stop);
    let begun = if is_source(&question) { question.check(work) } else { Ok(()) };
    match begun {
        Err(QuestionError::Source(error)) => Ok(Err(error.to_string())),
        begun => Ok(begun.and_then(|()| question.estimate(work)).map(Ok)?),
    }
}
