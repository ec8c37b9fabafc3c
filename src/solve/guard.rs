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
