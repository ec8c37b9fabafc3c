//! Random samples of figures.
//!
//! The search visits each set of orbits once, along one path of smaller sets. A sample keeps a set with a probability
//! that depends only on the numbers of cells before and after the last orbit. The product along the path is the same
//! for every figure. Small sets are all kept, so few figures of a sample share most of their path; those that do are
//! not independent. A hash of the set decides, so a sample depends neither on threads nor on shards.

use super::hashes::scramble;

/// The share of sets kept for each further cell. The number of sets grows by a factor of 1.4 to 2 with each cell. So a
/// sample keeps about as many sets of each size.
const KEPT_PER_CELL: f64 = 0.6;

/// The choice of the sets to keep.
#[derive(Clone, Debug)]
pub(super) struct Sampling {
    seed: u64,
    /// By number of cells, the logarithm of the probability with which a sample reaches a set. It is 0 for small sets
    /// and falls to that of a figure.
    reached: Vec<f64>,
}

impl Sampling {
    pub(super) fn new(cells: usize, one_in: u64, seed: u64) -> Self {
        let least = -(one_in.max(1) as f64).ln();
        let thinned = (least / KEPT_PER_CELL.ln()).min(cells as f64).max(1.0);
        let reached = |n: usize| least * (1.0 - (cells - n) as f64 / thinned).max(0.0);
        Self { seed: scramble(seed), reached: (0..=cells).map(reached).collect() }
    }

    /// Returns `true` if a sample keeps a set. Its last orbit extends it from `before` to `after` cells.
    pub(super) fn keeps(&self, hash: u64, before: u32, after: u32) -> bool {
        let probability = (self.reached[after as usize] - self.reached[before as usize]).exp();
        let random = scramble(hash ^ self.seed) >> 11;
        (random as f64) < probability * (1_u64 << 53) as f64
    }
}
