//! Shared code of the tests.

#[path = "../../../../tests/support/entries.rs"]
mod shared;

use somacat_formats::{Entry, Format, Reader};

pub use shared::{FORMATS, only, read_bytes, soma, sound};

/// Returns the format of a text, unless it is unknown or ambiguous.
pub fn detect(text: &str) -> Option<Format> {
    Reader::new(text.as_bytes(), None).ok().map(|reader| reader.format())
}

pub fn labels(entries: &[Entry]) -> Vec<String> {
    let label = |entry: &Entry| match &entry.name {
        None => format!("line {}", entry.line),
        Some(_) => entry.label("", 0),
    };
    entries.iter().map(label).collect()
}
