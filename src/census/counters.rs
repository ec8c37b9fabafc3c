//! Counters of two bytes each whose counts may be of any size.
//!
//! Most figures have few packings and the time goes where memory is far away, so counters are small;
//! what does not fit is carried over into a table of its own.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// Counters of a block, as a power of two: few blocks hold one that ran over.
const BLOCK: u32 = 10;

/// Counters that are looked at together, a multiple of what a processor compares at once.
const AT_ONCE: usize = 64;

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

    /// Shows the counters of a range that are not 0, with their numbers, ascending.
    #[inline]
    pub(super) fn for_each_above_zero(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(usize, u64),
    ) {
        let mut begin = range.start;
        for some in self.low[range].chunks(AT_ONCE) {
            let end = begin + some.len();
            // In large boxes nearly all are 0, and to pass over them is what takes time.
            let is_over = self.over[begin >> BLOCK] || self.over[(end - 1) >> BLOCK];
            if is_over || some.iter().fold(0, |bits, low| bits | low) > 0 {
                for at in begin..end {
                    let number = self.get(at);
                    if number > 0 {
                        visit(at, number);
                    }
                }
            }
            begin = end;
        }
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

    #[test]
    fn counters_above_zero_are_shown_even_if_they_ran_over() {
        let mut counters = Counters::new(5000);
        let numbers = [(0, 1), (63, 9), (64, 2), (1023, 1 << 16), (1024, 5), (3000, 7 << 16)];
        for (at, number) in numbers {
            counters.add(at, number);
        }
        for range in [0..5000, 63..1024, 1..63, 1023..1023, 1024..5000, 2999..3001, 4000..5000] {
            let mut shown = Vec::new();
            counters.for_each_above_zero(range.clone(), |at, number| shown.push((at, number)));
            let wanted: Vec<_> = numbers.into_iter().filter(|(at, _)| range.contains(at)).collect();
            assert_eq!(shown, wanted, "{range:?}");
        }
    }
}
