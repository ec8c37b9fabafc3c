//! Hashes of figures and placements.
//!
//! The hash of a set of cells is the sum of a pseudo-random number for each cell. It is the same in any order of the
//! cells and on every machine, so shards and slices can be named by it.

use super::board::{OrbitBoard, cell, number};
use super::sizes::{SHARDS, SLICE_BITS};
use crate::random::SplitMix;
use somacat_geometry::lattice::Transform;

/// Returns the shard of a pair of placements. `first` is the [`sum`] of the first one's cells, and `second` are the
/// cells of the second.
pub(super) fn shard(first: u128, second: &[u32]) -> u64 {
    (first.wrapping_mul(3).wrapping_add(sum(second)) >> 64) as u64 % SHARDS
}

/// Returns the digit of a slice that a placement determines.
pub(super) fn digit(placement: &[u32]) -> u64 {
    (sum(placement) >> 64) as u64 % (1 << SLICE_BITS)
}

/// Returns a hash of cells, the same in any order.
pub(super) fn sum(cells: &[u32]) -> u128 {
    cells.iter().fold(0, |sum, &at| sum.wrapping_add(mix(at)))
}

/// Returns a key of a figure: the least hash of its images under the transforms of the normalizer, which is the same
/// for all of them.
pub(super) fn key(board: &OrbitBoard, figure: &[u32]) -> u128 {
    let key = |t: &Transform| {
        figure.iter().fold(0_u128, |sum, &at| sum.wrapping_add(mix(number(t.apply(cell(at))))))
    };
    board.normalizer.iter().map(key).min().unwrap_or_default()
}

/// Returns a pseudo-random number for a cell. Sums of these distinguish sets of cells: the probability of a
/// collision among 10⁹ figures is 10⁻²¹.
fn mix(number: u32) -> u128 {
    let mut random = SplitMix::new(number.into());
    u128::from(random.next()) << 64 | u128::from(random.next())
}
