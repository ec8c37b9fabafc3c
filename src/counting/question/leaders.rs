//! The figures of a census that lead: those with the most packings so far.

use super::Batch;
use super::CountedRow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU32;

/// The most packings of the figures so far. They decide about the next figure.
///
/// A figure is admitted if fewer than `number` figures before it have as many packings. The admitted figures thus
/// include the leaders of every beginning of the stream, and so of the whole. It makes no difference whether the
/// stream was filtered before, as in parts.
///
/// ```
/// use somacat_counting::question::Leaders;
/// use std::num::NonZeroU32;
///
/// // The two largest numbers so far. A later one must be larger than the second, so that equal ones do not pile up.
/// let mut leaders = Leaders::after(Vec::new(), NonZeroU32::new(2).unwrap());
/// let stream = [5, 1, 7, 5, 6, 6, 8];
/// let admitted: Vec<u64> = stream.into_iter().filter(|&packings| leaders.admits(packings)).collect();
/// assert_eq!(admitted, [5, 1, 7, 6, 8]);
/// ```
#[derive(Debug)]
pub struct Leaders {
    number: usize,
    packings: BinaryHeap<Reverse<u64>>,
}

impl Leaders {
    /// Begins after figures with these numbers of packings. The largest numbers suffice.
    pub fn after(before: Vec<u64>, number: NonZeroU32) -> Self {
        let mut leaders = Self { number: number.get() as usize, packings: BinaryHeap::new() };
        for packings in before {
            leaders.admits(packings);
        }
        leaders
    }

    /// Adds the next figure; returns whether it is admitted.
    pub fn admits(&mut self, packings: u64) -> bool {
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
    pub fn filter(&mut self, batch: &mut Batch) {
        batch.rows.retain(|row| self.admits(packings(row)));
    }
}

/// Returns the packings of a figure of a census.
pub fn packings(row: &CountedRow) -> u64 {
    row.report.outcome.raw().map_or(0, |raw| u64::try_from(raw).unwrap_or(u64::MAX))
}

/// Keeps the elements with the most packings; of equal ones, the first.
pub fn shorten<T>(all: &mut Vec<T>, number: usize, packings: impl Fn(&T) -> u64) {
    all.sort_by_key(|one| Reverse(packings(one)));
    all.truncate(number);
}
