//! The question that a census answers, in one line that is the same on every machine.

use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::pieces::PieceSet;

/// The version of the algorithm that cuts a census into shards: which cells are pattern cells, how many there
/// are in the box and in the boxes within it, which patterns are looked at and in which order, and in
/// which order a shard's figures come. A change of any of these is a new version.
pub(super) const VERSION: u32 = 1;

/// `census/1 box=AxBxC set=… split=N`.
pub(super) fn key(sides: [u32; 3], set: &PieceSet, pattern_cells: usize) -> String {
    let (sides, set) = (sides_text(sides), set.definition());
    format!("census/{VERSION} box={sides} set={set} split={pattern_cells}")
}

/// Box and split of a key.
pub(super) fn split_of(key: &str) -> Option<([u32; 3], usize)> {
    let value = |name: &str| key.split(' ').find_map(|word| word.strip_prefix(name));
    let sides = parse_box(value("box=")?).ok()?;
    Some((sides, value("split=")?.parse().ok()?))
}
