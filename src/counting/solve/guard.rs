//! Limits a failing search's damage to the figure that caused it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reason why work on a figure failed.
///
/// ```
/// use somacat_counting::solve::{FigureFailure, guard};
///
/// let failed = guard(|| Err::<(), _>("too large"));
/// assert_eq!(failed, Err(FigureFailure::Error("too large")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum FigureFailure<E> {
    #[error("{0}")]
    Error(E),
    #[error("internal error: {0}")]
    Panic(String),
}

/// Runs `work` and turns a panic into an error. A panic drops the thread's solver, so the next call starts with a
/// new one.
///
/// # Errors
/// Returns the error of `work`, or the message of its panic.
pub fn guard<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<T, FigureFailure<E>> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(FigureFailure::Error),
        Err(panic) => Err(FigureFailure::Panic(match panic.downcast::<String>() {
            Ok(message) => *message,
            Err(panic) => panic.downcast_ref::<&str>().unwrap_or(&"no message").to_string(),
        })),
    }
}
