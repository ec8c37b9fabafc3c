//! The rank of a subset: its position among all subsets of the same size, in the order of their masks.
//!
//! Counters of a shard are indexed by rank, so each subset has one and none is wasted. The rank is the subset's number
//! in the combinatorial number system (E. Pascal 1887, D. H. Lehmer 1964; Knuth, The Art of Computer Programming
//! 7.2.1.3), computed without binomial coefficients. The mask is cut into a lower and an upper half. Subsets with the
//! same upper half follow each other, so the rank is that of the first of them, plus the position of the lower half
//! among those with as many cells: two table lookups and an addition.
//!
//! For 2 of 4 cells the subsets are 0011, 0101, 0110, 1001, 1010 and 1100. The first with upper half 10 has rank 3, and
//! 10 is the second lower half with one cell. So 1010 has rank 3 + 1 = 4.

use std::ops::Range;

/// Maximum number of cells ranked. The tables have two to the power of half as many entries, and a subset fits 32
/// bits.
pub(in crate::census) const MAX_RANKED_CELLS: usize = 32;

/// The ranks of the subsets of `size` of `cells` cells.
#[derive(Debug)]
pub(in crate::census) struct Ranking {
    /// The number of cells of the lower half, at least as many as of the upper.
    half: u32,
    /// The mask of the lower half.
    low: u64,
    /// By upper half, the rank of the first subset with it.
    first: Vec<u32>,
    /// By lower half, its position among those with as many cells.
    within: Vec<u16>,
    /// By number of cells, the lower halves, ascending.
    halves: Vec<Vec<u16>>,
    /// The number of cells of a subset.
    size: usize,
    /// The number of subsets.
    count: usize,
}

/// Returns n choose k.
pub(in crate::census) fn binomial(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k) as u128).fold(1, |product, i| product * (n as u128 - i) / (i + 1))
}

/// Estimated share of symmetric figures: at most one in this many, where there are enough to matter.
const SYMMETRIC_DIVISOR: u128 = 8;

/// Estimates the number of orbits of `subsets` subsets, hardly ever too low. Some subsets are symmetric, so there
/// are more orbits than subsets by symmetries.
pub(in crate::census) fn orbits_at_most(subsets: u128, symmetries: usize) -> u128 {
    let some = subsets / symmetries as u128;
    (some + some / SYMMETRIC_DIVISOR + 1).min(subsets)
}

/// Subsets with successive ranks and the same upper half.
pub(in crate::census) struct RankRun<'a> {
    /// The rank of the first.
    first: usize,
    /// The upper half in its place in the mask; its lower half is empty.
    pub(in crate::census) upper: u64,
    /// Their lower halves, in the order of their ranks.
    lower: &'a [u16],
}

impl RankRun<'_> {
    pub(in crate::census) const fn ranks(&self) -> Range<usize> {
        self.first..self.first + self.lower.len()
    }

    /// Iterates over the subsets, each as its rank and its lower half.
    pub(in crate::census) fn lower(&self) -> impl Iterator<Item = (usize, u16)> {
        (self.first..).zip(self.lower.iter().copied())
    }

    #[inline]
    pub(in crate::census) fn lower_of(&self, rank: usize) -> u16 {
        self.lower[rank - self.first]
    }
}

impl Ranking {
    /// Builds tables for subsets of `size` of `cells` cells: at most [`MAX_RANKED_CELLS`] cells and 2³² subsets.
    pub(in crate::census) fn new(cells: usize, size: usize) -> Self {
        assert!(cells <= MAX_RANKED_CELLS && binomial(cells, size) <= u128::from(u32::MAX));
        let half = cells.div_ceil(2);
        let mut halves = vec![Vec::new(); half + 1];
        let mut within = Vec::with_capacity(1 << half);
        for bits in (0..=u16::MAX).take(1 << half) {
            let same: &mut Vec<u16> = &mut halves[bits.count_ones() as usize];
            within.push(same.len() as u16);
            same.push(bits);
        }
        let mut count = 0;
        let mut first = Vec::with_capacity(1 << (cells - half));
        for bits in 0..1_u32 << (cells - half) {
            first.push(count as u32);
            let rest = size.checked_sub(bits.count_ones() as usize);
            count += rest.and_then(|rest| halves.get(rest)).map_or(0, Vec::len);
        }
        Self { half: half as u32, low: (1 << half) - 1, first, within, halves, size, count }
    }

    /// Returns the number of subsets.
    pub(in crate::census) const fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(in crate::census) fn rank(&self, set: u64) -> usize {
        let upper = self.first[(set >> self.half) as usize];
        upper as usize + self.within[(set & self.low) as usize] as usize
    }

    /// Iterates over all subsets in the order of their ranks, those with the same upper half together.
    pub(in crate::census) fn runs(&self) -> impl Iterator<Item = RankRun<'_>> {
        self.first.iter().enumerate().filter_map(|(upper, &first)| {
            let rest = self.size.checked_sub(upper.count_ones() as usize)?;
            let lower = self.halves.get(rest)?;
            Some(RankRun { first: first as usize, upper: (upper as u64) << self.half, lower })
        })
    }

    /// Returns the bytes of the tables for subsets of `cells` cells.
    pub(in crate::census) const fn bytes(cells: usize) -> u64 {
        let half = cells.div_ceil(2);
        4 * ((1 << (cells - half)) + (1 << half))
    }
}
