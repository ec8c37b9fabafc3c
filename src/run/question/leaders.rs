//! The figures of a census that lead: those with the most packings so far.

use super::Batch;
use crate::catalog::CountedRow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU32;

/// The most packings of the figures so far, which decide about the next figure.
///
/// A figure is admitted if fewer than `number` figures before it have as many packings. The admitted figures thus
/// include the leaders of every beginning of the stream, and so of the whole. It makes no difference whether the
/// stream was filtered before, as in parts.
#[derive(Debug)]
pub(crate) struct Leaders {
    number: usize,
    packings: BinaryHeap<Reverse<u64>>,
}

impl Leaders {
    /// Begins after figures with these numbers of packings, of which the largest suffice.
    pub(crate) fn after(before: Vec<u64>, number: NonZeroU32) -> Self {
        let mut leaders = Self { number: number.get() as usize, packings: BinaryHeap::new() };
        for packings in before {
            leaders.admits(packings);
        }
        leaders
    }

    /// Adds the next figure; returns whether it is admitted.
    pub(super) fn admits(&mut self, packings: u64) -> bool {
        if self.packings.len() == self.number {
            if self.packings.peek().is_some_and(|least| packings <= least.0) {
                return false;
            }
            self.packings.pop();
        }
        self.packings.push(Reverse(packings));
        true
    }

    /// Removes the rows of figures that are not admitted. The totals stay.
    pub(crate) fn filter(&mut self, batch: &mut Batch) {
        batch.rows.retain(|row| self.admits(packings(row)));
    }
}

/// Returns the packings of a figure of a census.
pub(crate) fn packings(row: &CountedRow) -> u64 {
    row.report.outcome.raw().map_or(0, |raw| u64::try_from(raw).unwrap_or(u64::MAX))
}

/// Keeps the elements with the most packings; of equal ones, the first.
pub(crate) fn shorten<T>(all: &mut Vec<T>, number: usize, packings: impl Fn(&T) -> u64) {
    all.sort_by_key(|one| Reverse(packings(one)));
    all.truncate(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(stream: &[u64], number: NonZeroU32, before: &[u64]) -> Vec<u64> {
        let mut leaders = Leaders::after(before.to_vec(), number);
        stream.iter().copied().filter(|packings| leaders.admits(*packings)).collect()
    }

    fn largest(stream: &[u64], number: usize) -> Vec<u64> {
        let mut sorted = stream.to_vec();
        shorten(&mut sorted, number, |packings| *packings);
        sorted
    }

    #[test]
    fn leaders_are_the_same_however_the_stream_is_divided() {
        let mut state = 1_u64;
        let mut draw = |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let number = NonZeroU32::new(1 + draw(5) as u32).unwrap();
            let many = number.get() as usize;
            let stream: Vec<u64> = (0..draw(60)).map(|_| draw(12)).collect();
            let whole = admitted(&stream, number, &[]);
            assert_eq!(largest(&whole, many), largest(&stream, many));
            let (first, second) = stream.split_at(draw(1 + stream.len() as u64) as usize);
            let before = admitted(first, number, &[]);
            let resumed = admitted(second, number, &largest(&before, many));
            assert_eq!([before.clone(), resumed].concat(), whole);
            let parts = [before, admitted(second, number, &[])].concat();
            assert_eq!(admitted(&parts, number, &[]), whole);
        }
    }
}
