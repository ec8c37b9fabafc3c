//! Hashes of figures and placements.

use super::SHARDS;
use super::board::{Board, cell, number};
use super::random::SplitMix;
use somacat_geometry::lattice::Transform;

/// The shard of a pair of placements: by a hash of their cells, in any order.
pub(super) fn shard(first: &[u32], second: &[u32]) -> u64 {
    let sum = |cells: &[u32]| cells.iter().fold(0_u128, |sum, &at| sum.wrapping_add(mix(at)));
    (sum(first).wrapping_mul(3).wrapping_add(sum(second)) >> 64) as u64 % SHARDS
}

/// A key of a figure: the same for figures that a transform of the normalizer takes to each other.
pub(super) fn key(board: &Board, figure: &[u32]) -> u128 {
    let key = |t: &Transform| {
        figure.iter().fold(0_u128, |sum, &at| sum.wrapping_add(mix(number(t.apply(cell(at))))))
    };
    board.normalizer.iter().map(key).min().unwrap_or_default()
}

/// A random-looking number for a cell. Sums of them tell sets of cells apart: two of 10⁹ figures have the same by
/// accident with a probability of 10⁻²¹.
fn mix(number: u32) -> u128 {
    let mut random = SplitMix::new(number.into());
    u128::from(random.next()) << 64 | u128::from(random.next())
}
