//! One figure that breaks the search costs that figure only.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does `work` with any failure as text: its error, or a panic. The solver of the thread is thrown
/// away with a panic, so what comes next starts afresh.
///
/// # Errors
/// The text of what went wrong.
pub fn guarded<T, E: Display>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => {
            let text = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("internal error: {}", text.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::PieceSet;
    use crate::solve::{Limits, Problem, SolveError, count, visit};

    #[test]
    fn a_panic_is_an_error_and_the_next_count_is_right() {
        let cells = (0..27).map(|n| crate::lattice::Cell::new(n % 3, n / 3 % 3, n / 9));
        let cube = crate::figure::Figure::new(cells).unwrap();
        let set = PieceSet::soma(1);
        let problem = Problem::new(&cube, &set);
        let broken = guarded(|| visit(&problem, Limits::default(), &mut |_| panic!("on purpose")));
        assert_eq!(broken, Err("internal error: on purpose".to_owned()));
        assert_eq!(
            guarded(|| Err::<(), _>(SolveError::TooManyParts(17))).map_err(|e| e.len() > 9),
            Err(true)
        );
        assert_eq!(
            guarded(|| count(&problem, Limits::default())).map(|r| r.outcome.raw()),
            Ok(Some(11520))
        );
    }
}
