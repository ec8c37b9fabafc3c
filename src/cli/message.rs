//! Messages on standard error.

use super::screen;
use somacat_output::export::visible;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// True once a figure of the input was reported and left out.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Writes a message to standard error; ignores errors. Escapes control characters and breaks lines to fit a terminal.
pub(super) fn eprintln(text: &str) {
    let text = visible(text);
    let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0);
    let lines = match columns.filter(|&columns| columns > 0) {
        Some(columns) => screen::wrapped(&text, columns.into()).join("\n"),
        None => text.into_owned(),
    };
    let _ = writeln!(io::stderr(), "{lines}");
}

/// Reports a figure of the input that is left out or probably not the one that was meant. The command then ends with
/// [`Exit::Partial`](super::Exit::Partial) where it would end with `Ok`.
pub(super) fn report_refused(text: &str) {
    REFUSED.store(true, Ordering::Relaxed);
    eprintln(text);
}

/// Returns true if [`report_refused`] was called since the last call of this function.
pub(super) fn take_refused() -> bool {
    REFUSED.swap(false, Ordering::Relaxed)
}
