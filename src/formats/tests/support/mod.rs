//! Shared code of the tests.

#[path = "../../../../tests/support/entries.rs"]
mod shared;

use somacat_formats::{Entry, Format, Reader};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

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

/// Returns what is said of the faults of a text.
pub fn messages(text: &str, format: Format) -> Vec<String> {
    let (_, faults) = read_bytes(text.as_bytes(), Some(format));
    faults.iter().map(ToString::to_string).collect()
}

pub fn cells(list: &[[i32; 3]]) -> Figure {
    Figure::new(list.iter().copied().map(Cell::from)).unwrap()
}
