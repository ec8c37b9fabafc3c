//! Counters of two bytes each that can hold counts of any size.
//!
//! Most figures have few packings, and access to distant memory takes most of the time, so counters are small: more of
//! them fit the caches. When a counter passes 65,535, it keeps the lower 16 bits, and the carry is added to a table,
//! which is looked up only for counters of blocks in which that has happened.

use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::mem::take;
use std::ops::Range;

/// Binary logarithm of the number of counters in a block: few blocks have one that overflowed.
const BLOCK_BITS: u32 = 10;

/// Numbers below this are tallied in tables. A power of two.
const TALLIED: usize = 4096;

/// Mask of the bits of four counters from [`TALLIED`] up. If any of these is set in a word, one of its counters holds a
/// number that is not tallied.
const LARGE: u64 = (u16::MAX as u64 - (TALLIED as u64 - 1)) * 0x0001_0001_0001_0001;

/// Number of counters that are examined together to skip zeros.
const TALLY_STEP: usize = 16;

/// A number of counters, each with the value low + 65,536 · carried.
#[derive(Debug)]
pub(in crate::census) struct Counters {
    /// The lower 16 bits of each counter.
    low: Vec<u16>,
    /// The number of times that a counter overflowed; counters that did not are missing.
    carried: FxHashMap<usize, u64>,
    /// True for each block with a counter that overflowed.
    over: Vec<bool>,
}

/// Maximum number of counters whose memory a thread keeps.
const MAX_SPARE: usize = 1 << 24;

thread_local! {
    /// The memory of counters that a thread dropped, for its next shard: new memory would be mapped page by page.
    static SPARE: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
}

impl Drop for Counters {
    fn drop(&mut self) {
        if self.low.len() <= MAX_SPARE {
            SPARE.set(take(&mut self.low));
        }
    }
}

/// Four counters as one word.
#[inline]
fn word(four: [u16; 4]) -> u64 {
    let [a, b, c, d] = four.map(u64::from);
    a | b << 16 | c << 32 | d << 48
}

impl Counters {
    /// Creates a number of counters, all 0.
    pub(in crate::census) fn new(count: usize) -> Self {
        let over = vec![false; (count >> BLOCK_BITS) + 1];
        let mut low = SPARE.take();
        low.clear();
        low.resize(count, 0);
        Self { low, carried: FxHashMap::default(), over }
    }

    #[inline]
    pub(in crate::census) fn add(&mut self, at: usize, number: u64) {
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
    pub(in crate::census) fn get(&self, at: usize) -> u64 {
        let low = u64::from(self.low[at]);
        if !self.over[at >> BLOCK_BITS] {
            return low;
        }
        low + self.carried.get(&at).map_or(0, |times| times << u16::BITS)
    }

    /// Calls `visit` with each number that counters hold, except 0, and a number of counters that hold it. A number can
    /// be visited several times, each time for other counters.
    ///
    /// Numbers below [`TALLIED`] are tallied in tables. Four tables take turns, because an increment waits for the
    /// one before it if both are of the same entry.
    pub(in crate::census) fn tally(&self, mut visit: impl FnMut(u64, u64)) {
        if !self.carried.is_empty() {
            return self.for_each_above_zero(0..self.low.len(), |_, number| visit(number, 1));
        }
        let mut tables = vec![[0_u32; TALLIED]; 4];
        let (parts, rest) = self.low.as_chunks::<TALLY_STEP>();
        let mut last = [0; TALLY_STEP];
        last[..rest.len()].copy_from_slice(rest);
        for part in parts.iter().chain([&last]) {
            let all = part.as_chunks::<4>().0.iter().fold(0, |all, four| all | word(*four));
            if all == 0 {
                continue;
            }
            if all & LARGE == 0 {
                for four in part.as_chunks::<4>().0 {
                    for (table, number) in tables.iter_mut().zip(four) {
                        table[usize::from(*number) % TALLIED] += 1;
                    }
                }
            } else {
                part.iter().filter(|number| **number > 0).for_each(|n| visit(u64::from(*n), 1));
            }
        }
        for number in 1..TALLIED {
            let counters = tables.iter().map(|table| u64::from(table[number])).sum();
            if counters > 0 {
                visit(number as u64, counters);
            }
        }
    }

    /// Visits the counters of a range that are not 0, in order, each with its number. In large boxes nearly all are 0
    /// and skipping them takes most of the time, so four are examined together as one word.
    #[inline]
    pub(in crate::census) fn for_each_above_zero(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(usize, u64),
    ) {
        if !self.carried.is_empty() {
            let numbers = range.map(|at| (at, self.get(at))).filter(|(_, number)| *number > 0);
            return numbers.for_each(|(at, number)| visit(at, number));
        }
        let mut show = |at: usize, four: &[u16; 4]| {
            let mut word = word(*four);
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
            let mut tally = Vec::new();
            counters.tally(|number, times| tally.extend((0..times).map(|_| number)));
            tally.sort_unstable();
            let mut expected: Vec<u64> = numbers.iter().map(|(_, number)| *number).collect();
            expected.sort_unstable();
            assert_eq!(tally, expected);
        }
    }
}
