//! The question that a census answers, in one line that is the same on every machine.

use crate::enumerate::parse_box;
use crate::pieces::PieceSet;

/// The version of the algorithm that cuts a census into shards: which cells are pattern cells, how many there
/// are in the box and in the boxes within it, which patterns are looked at and in which order, and in
/// which order a shard's figures come. A change of any of these is a new version.
pub(super) const VERSION: u32 = 1;

/// `census/1 box=AxBxC set=… split=N`.
pub(super) fn key([a, b, c]: [u32; 3], set: &PieceSet, pattern_cells: usize) -> String {
    let set = set.definition();
    format!("census/{VERSION} box={a}x{b}x{c} set={set} split={pattern_cells}")
}

/// Box and split of a key.
pub(super) fn split_of(key: &str) -> Option<([u32; 3], usize)> {
    let words = key.strip_prefix("census/")?;
    let value = |name: &str| words.split(' ').find_map(|word| word.strip_prefix(name));
    let sides = parse_box(value("box=")?).ok()?;
    Some((sides, value("split=")?.parse().ok()?))
}
