//! The question key of a census: one line that is the same on every machine.

use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::pieces::PieceSet;

/// Version of the algorithm that cuts a census into shards. It covers the choice and number of pattern cells, in the
/// box and in the boxes within it. It also covers the patterns considered and their order, and the order of a shard's
/// figures. A change of any of these is a new version.
pub(super) const CENSUS_KEY_VERSION: u32 = 1;

/// Formats a key: `census/1 box=AxBxC set=… split=N`.
pub(super) fn key(sides: [u32; 3], set: &PieceSet, pattern_cells: usize) -> String {
    let (sides, set) = (sides_text(sides), set.definition());
    format!("census/{CENSUS_KEY_VERSION} box={sides} set={set} split={pattern_cells}")
}

/// Parses a key: returns its sides and its number of pattern cells. Version and set are not checked here.
pub(super) fn split_of(key: &str) -> Option<([u32; 3], usize)> {
    let words = key.strip_prefix("census/")?;
    let value = |name: &str| words.split(' ').find_map(|word| word.strip_prefix(name));
    let sides = parse_box(value("box=")?).ok()?;
    Some((sides, value("split=")?.parse().ok()?))
}
