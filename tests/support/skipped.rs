//! The note of a test that cannot test everything on this machine.

use std::io::{self, Write as _};

/// Writes a note to standard error. Unlike printed text, it is shown also if the test passes.
pub fn skipped(why: &str) {
    let _ = writeln!(io::stderr(), "skipped: {why}");
}
