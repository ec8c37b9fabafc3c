//! Entries of a text.

use somacat_formats::{Entry, Fault, Format, Item, Reader};

/// All formats of figures.
pub const FORMATS: [Format; 8] = [
    Format::Soma,
    Format::Cells,
    Format::HeightMap,
    Format::Slices,
    Format::Xmpuzzle,
    Format::Points,
    Format::Layers,
    Format::Json,
];

/// Returns all entries and all faults.
pub fn read_bytes(bytes: &[u8], format: Option<Format>) -> (Vec<Entry>, Vec<Fault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for item in Reader::new(bytes, format).unwrap() {
        match item.unwrap() {
            Item::Entry(entry) => entries.push(entry),
            Item::Fault(fault) => faults.push(fault),
        }
    }
    (entries, faults)
}

pub fn soma(text: &str) -> (Vec<Entry>, Vec<Fault>) {
    read_bytes(text.as_bytes(), Some(Format::Soma))
}

/// Returns the entries of a text without faults.
pub fn sound(text: &str) -> Vec<Entry> {
    let (entries, faults) = soma(text);
    assert_eq!(faults, []);
    entries
}

/// Returns the only entry of a text.
pub fn only(text: &str) -> Entry {
    let mut entries = sound(text);
    assert_eq!(entries.len(), 1, "{entries:#?}");
    entries.remove(0)
}
