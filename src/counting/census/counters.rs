//! Counters of two bytes each that can hold counts of any size.
//!
//! Most figures have few packings, and access to distant memory takes most of the time, so counters are small.
//! Overflow is carried over into a separate table.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// Binary logarithm of the number of counters in a block: few blocks have one that overflowed.
const BLOCK_BITS: u32 = 10;

#[derive(Debug)]
pub(super) struct Counters {
    low: Vec<u16>,
    /// The number of times that a counter overflowed.
    carried: FxHashMap<usize, u64>,
    /// True for each block with such a counter.
    over: Vec<bool>,
}

impl Counters {
    /// Creates a number of counters, all 0.
    pub(super) fn new(count: usize) -> Self {
        let over = vec![false; (count >> BLOCK_BITS) + 1];
        Self { low: vec![0; count], carried: FxHashMap::default(), over }
    }

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
        self.over[at >> BLOCK_BITS] = true;
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> u64 {
        let low = u64::from(self.low[at]);
        if !self.over[at >> BLOCK_BITS] {
            return low;
        }
        low + self.carried.get(&at).map_or(0, |times| times << u16::BITS)
    }

    /// Visits the nonzero counters of a range, with their numbers, ascending. In large boxes nearly all are 0 and
    /// skipping them takes most of the time, so four are examined together as one word.
    #[inline]
    pub(super) fn for_each_above_zero(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(usize, u64),
    ) {
        if !self.carried.is_empty() {
            let numbers = range.map(|at| (at, self.get(at))).filter(|(_, number)| *number > 0);
            return numbers.for_each(|(at, number)| visit(at, number));
        }
        let mut show = |at: usize, four: &[u16; 4]| {
            let [a, b, c, d] = four.map(u64::from);
            let mut word = a | b << 16 | c << 32 | d << 48;
            while word != 0 {
                let shift = word.trailing_zeros() & !15;
                visit(at + shift as usize / 16, word >> shift & 0xffff);
                word &= !(0xffff << shift);
            }
        };
        let (fours, rest) = self.low[range.clone()].as_chunks::<4>();
        for (number, four) in fours.iter().enumerate() {
            show(range.start + 4 * number, four);
        }
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        show(range.end - rest.len(), &last);
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
        let small = [(0, 1), (6, 9), (7, 2), (8, 65535), (11, 3), (14, 5), (4999, 256)];
        for large in [None, Some((3000, 7 << 16))] {
            let mut counters = Counters::new(5000);
            let mut numbers: Vec<(usize, u64)> = small.into_iter().chain(large).collect();
            numbers.sort_unstable();
            for &(at, number) in &numbers {
                counters.add(at, number);
            }
            for range in [0..5000, 0..5, 3..11, 7..8, 8..8, 9..14, 2999..3001, 14..4999, 15..5000] {
                let mut shown = Vec::new();
                counters.for_each_above_zero(range.clone(), |at, number| shown.push((at, number)));
                let within = numbers.iter().filter(|(at, _)| range.contains(at));
                assert_eq!(shown, within.copied().collect::<Vec<_>>(), "{range:?}");
            }
        }
    }
}
