//! Counters of two bytes each whose counts may be of any size.
//!
//! Most figures have few packings and the time goes where memory is far away, so counters are small;
//! what does not fit is carried over into a table of its own.

use rustc_hash::FxHashMap;

/// Counters of a block, as a power of two: few blocks hold one that ran over.
const BLOCK: u32 = 10;

/// Many counters, by number.
#[derive(Debug)]
pub(super) struct Counters {
    low: Vec<u16>,
    /// How often a counter ran over.
    carried: FxHashMap<usize, u64>,
    /// Whether a counter of a block did.
    over: Vec<bool>,
}

impl Counters {
    /// A number of counters, all 0.
    pub(super) fn new(count: usize) -> Self {
        let over = vec![false; (count >> BLOCK) + 1];
        Self { low: vec![0; count], carried: FxHashMap::default(), over }
    }

    /// Adds to a counter.
    #[inline]
    pub(super) fn add(&mut self, at: usize, number: u64) {
        let sum = u64::from(self.low[at]) + number;
        self.low[at] = sum as u16;
        let over = sum >> u16::BITS;
        if over > 0 {
            self.carry(at, over);
        }
    }

    #[cold]
    fn carry(&mut self, at: usize, over: u64) {
        *self.carried.entry(at).or_default() += over;
        self.over[at >> BLOCK] = true;
    }

    /// A counter.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u64 {
        let low = u64::from(self.low[at]);
        if !self.over[at >> BLOCK] {
            return low;
        }
        low + self.carried.get(&at).map_or(0, |times| times << u16::BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_run_over_without_loss() {
        let mut counters = Counters::new(3);
        for number in 1..=1000 {
            counters.add(1, number);
            counters.add(2, number % 7);
        }
        let seventh = (1..=1000).map(|n| n % 7).sum();
        assert_eq!([counters.get(0), counters.get(1), counters.get(2)], [0, 500_500, seventh]);
    }
}
