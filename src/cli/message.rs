//! Messages on standard error.

use super::screen;
use somacat_output::export::visible;
use std::io::{self, Write};

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
