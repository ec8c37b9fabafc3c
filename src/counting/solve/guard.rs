//! Limits the damage of a failing search to the figure that caused it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reason why work on a figure failed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Limits, Problem, SolveError, count, visit};
    use somacat_geometry::pieces::PieceSet;

    #[test]
    fn a_panic_is_an_error_and_the_next_count_is_right() {
        let cells = (0..27).map(|n| somacat_geometry::lattice::Cell::new(n % 3, n / 3 % 3, n / 9));
        let cube = somacat_geometry::figure::Figure::new(cells).unwrap();
        let set = PieceSet::soma(1);
        let problem = Problem::new(&cube, &set);
        let broken = guard(|| visit(&problem, Limits::default(), &mut |_| panic!("on purpose")));
        assert_eq!(broken, Err(FigureFailure::Panic("on purpose".to_owned())));
        let error = SolveError::TooManyParts(17);
        assert_eq!(guard(|| Err::<(), _>(error.clone())), Err(FigureFailure::Error(error)));
        assert_eq!(
            guard(|| count(&problem, Limits::default())).map(|r| r.outcome.raw()),
            Ok(Some(11520))
        );
    }
}
