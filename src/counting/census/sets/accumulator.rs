//! Sets of cells with their numbers of packings, merged where equal.
//!
//! Very many packings fill the same set, so numbers per set are summed. A hash table would do that with a jump to
//! distant memory for each packing. Here sets are appended to a list, which is sorted from time to time, and equal
//! neighbors are merged: the same sum with memory read and written in order. A set and its number are one word, so
//! sorting compares and moves single words.

pub(in crate::census) const SET_BYTES: u64 = size_of::<CountedSet>() as u64;

/// Number of entries of a list before equal sets are merged.
const MAX_UNMERGED_ENTRIES: usize = 1 << 20;

/// A set of open cells with its number of packings. The cells are the upper half of the word and the number is the
/// lower one, so that words sort by set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::census) struct CountedSet(u64);

impl CountedSet {
    #[inline]
    pub(in crate::census) const fn new(cells: u32, packings: u32) -> Self {
        Self((cells as u64) << u32::BITS | packings as u64)
    }

    #[inline]
    pub(in crate::census) const fn cells(self) -> u32 {
        (self.0 >> u32::BITS) as u32
    }

    #[inline]
    pub(in crate::census) const fn packings(self) -> u32 {
        self.0 as u32
    }
}

/// A list of sets, sorted and merged from time to time.
pub(in crate::census) struct Accumulator {
    limit: u64,
    list: Vec<CountedSet>,
    /// The length of the list after equal sets were last merged.
    merged: usize,
}

impl Accumulator {
    /// Returns the bytes of an accumulator of at most `limit` different sets. A list that grows doubles its memory.
    pub(in crate::census) const fn bytes(limit: u64) -> u64 {
        let most = if limit > MAX_UNMERGED_ENTRIES as u64 / 2 {
            limit.saturating_mul(2)
        } else {
            MAX_UNMERGED_ENTRIES as u64
        };
        most.saturating_mul(2 * SET_BYTES)
    }

    /// Creates an accumulator for at most `limit` different sets.
    pub(in crate::census) const fn new(limit: u64) -> Self {
        Self { limit, list: Vec::new(), merged: 0 }
    }

    /// Adds sets. Returns `None` if there are too many or a number of packings does not fit 32 bits.
    #[inline]
    pub(in crate::census) fn add(&mut self, sets: impl Iterator<Item = CountedSet>) -> Option<()> {
        self.list.extend(sets);
        if self.list.len() >= MAX_UNMERGED_ENTRIES.max(2 * self.merged) {
            self.merge()
        } else {
            Some(())
        }
    }

    /// Replaces every set by its image; `None` as for [`Accumulator::add`].
    pub(in crate::census) fn map(&mut self, image: impl Fn(u32) -> u32) -> Option<()> {
        self.merge()?;
        for set in &mut self.list {
            *set = CountedSet::new(image(set.cells()), set.packings());
        }
        self.merge()
    }

    /// Removes and returns all sets, ascending, each once; `None` as for [`Accumulator::add`].
    pub(in crate::census) fn take(&mut self) -> Option<impl Iterator<Item = CountedSet>> {
        self.merge()?;
        self.merged = 0;
        Some(self.list.drain(..))
    }

    /// Sorts the sets and adds up the packings of equal ones. Returns `None` as for [`Accumulator::add`].
    fn merge(&mut self) -> Option<()> {
        self.list.sort_unstable();
        let mut end: usize = 0;
        for at in 0..self.list.len() {
            let set = self.list[at];
            match end.checked_sub(1).map(|last| (last, self.list[last])) {
                Some((last, same)) if same.cells() == set.cells() => {
                    let packings = same.packings().checked_add(set.packings())?;
                    self.list[last] = CountedSet::new(set.cells(), packings);
                }
                _ => {
                    self.list[end] = set;
                    end += 1;
                }
            }
        }
        self.list.truncate(end);
        self.merged = end;
        (end as u64 <= self.limit).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(list: &[(u32, u32)]) -> impl Iterator<Item = CountedSet> {
        list.iter().map(|&(cells, packings)| CountedSet::new(cells, packings))
    }

    #[test]
    fn equal_sets_are_merged_within_bounds() {
        let mut all = Accumulator::new(2);
        all.add(sets(&[(7, 2), (3, 1), (7, 5)])).unwrap();
        assert_eq!(all.merge(), Some(()));
        assert_eq!(all.list, Vec::from_iter(sets(&[(3, 1), (7, 7)])));
        all.add(sets(&[(3, u32::MAX - 1)])).unwrap();
        assert!(all.take().unwrap().eq(sets(&[(3, u32::MAX), (7, 7)])));
        all.add(sets(&[(3, 1), (3, u32::MAX)])).unwrap();
        assert!(all.take().is_none());
        let mut few = Accumulator::new(2);
        few.add(sets(&[(5, 1), (6, 1), (7, 1)])).unwrap();
        assert!(few.take().is_none());
    }

    #[test]
    fn images_that_are_equal_are_merged() {
        let mut all = Accumulator::new(3);
        all.add(sets(&[(2, 1), (3, 4), (4, 10)])).unwrap();
        all.map(|set| set & !1).unwrap();
        assert!(all.take().unwrap().eq(sets(&[(2, 5), (4, 10)])));
    }
}
