//! The split of a box into pattern cells and open cells.
//!
//! With more pattern cells there are more and smaller shards: each further cell about halves the shards and doubles
//! their number. The counters of a small shard fit a processor's caches. But all patterns are examined, and in small
//! shards most pieces that a search places lead nowhere.
//!
//! The choice follows from the box and the set alone: a [`crate::census::Census::key`] names it, and every machine makes
//! the same shards of it. The rules here are part of that key's version; see [`crate::census::key::CENSUS_KEY_VERSION`].

use super::cell_orbits::cell_orbits;
use crate::census::sets::rank::{MAX_RANKED_CELLS, binomial};
use std::ops::RangeInclusive;

/// Maximum number of pattern cells: two to this power of patterns are examined to find the shards.
pub(super) const MAX_PATTERN_CELLS: usize = 24;

/// Maximum number of sets for dynamic programming: 4 GiB of them. Usually far fewer occur.
pub(in crate::census) const MAX_STAGES_SETS: u64 = 1 << 29;

/// Maximum number of subsets of a shard for dynamic programming. The counters of a shard fit a processor's second
/// cache, and most overlapping combinations are excluded by pattern.
const MAX_STAGES_SHARD_SUBSETS: u128 = 1 << 18;

/// Maximum number of pattern cells for dynamic programming. With more there would be more slices than sets in them.
const MAX_STAGES_PATTERN_CELLS: usize = 16;

/// Maximum number of subsets of a shard for the search. The counters of a shard fit a processor's last cache. In
/// smaller shards most pieces that the search places lead nowhere.
const MAX_SEARCH_SHARD_SUBSETS: u128 = 1 << 23;

/// Maximum subsets of an undivided box. Larger boxes are split, so that all threads have work.
const MAX_UNDIVIDED_SUBSETS: u128 = 10_000;

/// Maximum number of subsets of a shard, because ranks have 32 bits.
const MAX_SHARD_SUBSETS: u128 = u32::MAX as u128;

/// A box and the number of cells of a subset.
#[derive(Clone, Copy)]
pub(in crate::census) struct Split {
    pub(in crate::census) sides: [i32; 3],
    pub(in crate::census) cells: usize,
}

impl Split {
    fn volume(self) -> usize {
        self.sides.iter().product::<i32>() as usize
    }

    /// Returns the maximum number of subsets that have the same pattern.
    pub(in crate::census) fn largest_shard(self, pattern_cells: usize) -> u128 {
        let open = self.volume() - pattern_cells;
        let filled = self.cells.saturating_sub(open)..=self.cells.min(pattern_cells);
        let subsets = filled.map(|filled| binomial(open, self.cells - filled));
        subsets.max().expect("the pieces have no more cells than the box")
    }

    /// Returns true if the subsets of every shard have ranks of 32 bits.
    fn is_possible(self, pattern_cells: usize) -> bool {
        self.volume() - pattern_cells <= MAX_RANKED_CELLS
            && self.largest_shard(pattern_cells) <= MAX_SHARD_SUBSETS
    }

    /// Returns the numbers of pattern cells that can split the box.
    pub(in crate::census) fn possible(self) -> RangeInclusive<usize> {
        let most = MAX_PATTERN_CELLS.min(self.volume());
        let least = (0..=most).find(|&n| self.is_possible(n));
        least.expect("24 of at most 56 cells leave 32, whose subsets have ranks of 32 bits")..=most
    }

    /// Returns the numbers of pattern cells that are whole orbits, ascending from 0.
    fn whole_orbits(self) -> Vec<usize> {
        let mut ends = vec![0];
        for orbit in cell_orbits(self.sides) {
            ends.push(ends[ends.len() - 1] + orbit.len());
        }
        ends
    }

    /// Returns the number of pattern cells for dynamic programming: the fewest whole orbits that make small shards, or
    /// as many as are allowed. Returns `None` if not even these split the box far enough.
    pub(in crate::census) fn for_stages(self) -> Option<usize> {
        let mut few = self.whole_orbits();
        few.retain(|&n| n <= MAX_STAGES_PATTERN_CELLS && self.is_possible(n));
        let small = few.iter().find(|&&n| self.suits(n, MAX_STAGES_SHARD_SUBSETS));
        small.or(few.last()).copied()
    }

    /// Returns the number of pattern cells for the search: the fewest that make small shards, or one more if these
    /// are whole orbits. A cut orbit leaves fewer symmetries to profit from.
    pub(in crate::census) fn for_search(self) -> usize {
        let possible = self.possible();
        let fewest = possible.clone().find(|&n| self.suits(n, MAX_SEARCH_SHARD_SUBSETS));
        let fewest = fewest.unwrap_or(*possible.end());
        let whole = self.whole_orbits();
        let is_better = |n: &usize| whole.contains(n) && possible.contains(n);
        [fewest, fewest + 1].into_iter().find(is_better).unwrap_or(fewest)
    }

    /// Returns true if no shard has more than `subsets` subsets, and a large box is divided at all.
    fn suits(self, pattern_cells: usize, subsets: u128) -> bool {
        let largest = self.largest_shard(pattern_cells);
        largest <= subsets && (pattern_cells > 0 || largest <= MAX_UNDIVIDED_SUBSETS)
    }
}
