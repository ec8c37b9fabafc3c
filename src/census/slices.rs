//! The sets of one stage of dynamic programming, in slices: one slice for each pattern.

use super::disjoint::WeightedSets;
use super::grid::BoxSymmetry;
use rustc_hash::FxHashMap;

/// Slices by pattern, for patterns that are the least of their images. A slice holds sets of one size, one
/// of each orbit under the symmetries that keep the pattern: their open cells, ascending, and as weight the
/// number of packings of the set and its images under all of the box's symmetries.
pub(super) type Slices = FxHashMap<u64, WeightedSets>;

/// Bytes of a set with its weight.
pub(super) const SET_BYTES: u64 = 8;

/// Entries of an accumulator before equal sets are merged.
const ENTRIES: usize = 1 << 20;

/// Gathers weighted sets, some of which are equal, in a list that is sorted and merged from time to time.
pub(super) struct Accumulator {
    /// The most different sets.
    limit: u64,
    /// Sets with weights, as words that are sorted by the set.
    entries: Vec<u64>,
    /// How many entries there were after equal sets were merged.
    merged: usize,
}

#[inline]
fn entry(set: u32, weight: u32) -> u64 {
    u64::from(set) << u32::BITS | u64::from(weight)
}

/// The set and the weight of an entry.
#[inline]
const fn parts(entry: u64) -> (u32, u32) {
    ((entry >> u32::BITS) as u32, entry as u32)
}

impl Accumulator {
    /// Bytes of an accumulator of at most so many different sets. A list that grows doubles its memory.
    pub(super) const fn bytes(limit: u64) -> u64 {
        let most =
            if limit > ENTRIES as u64 / 2 { limit.saturating_mul(2) } else { ENTRIES as u64 };
        most.saturating_mul(2 * SET_BYTES)
    }

    /// For at most so many different sets.
    pub(super) const fn new(limit: u64) -> Self {
        Self { limit, entries: Vec::new(), merged: 0 }
    }

    /// Adds sets; nothing if they are too many or a weight does not fit 32 bits.
    pub(super) fn add(&mut self, some: &WeightedSets) -> Option<()> {
        let entries = some.sets.iter().zip(&some.weights).map(|(&set, &weight)| entry(set, weight));
        self.entries.extend(entries);
        let is_full = self.entries.len() >= ENTRIES && self.entries.len() >= 2 * self.merged;
        if is_full { self.merge() } else { Some(()) }
    }

    /// Sorts the entries and adds up the weights of equal sets; nothing if there are too many or a
    /// weight does not fit 32 bits.
    fn merge(&mut self) -> Option<()> {
        self.entries.sort_unstable();
        let mut end: usize = 0;
        for at in 0..self.entries.len() {
            let (set, weight) = parts(self.entries[at]);
            match end.checked_sub(1).map(|last| (last, parts(self.entries[last]))) {
                Some((last, (same, before))) if same == set => {
                    self.entries[last] = entry(set, before.checked_add(weight)?);
                }
                _ => {
                    self.entries[end] = entry(set, weight);
                    end += 1;
                }
            }
        }
        self.entries.truncate(end);
        self.merged = end;
        (end as u64 <= self.limit).then_some(())
    }

    /// One set of each orbit under the symmetries that keep the pattern, the identity being the first of
    /// them; nothing if they are too many or a weight does not fit 32 bits.
    pub(super) fn into_slice(mut self, symmetries: &[&BoxSymmetry]) -> Option<WeightedSets> {
        self.merge()?;
        if symmetries.len() > 1 {
            for each in &mut self.entries {
                let (set, weight) = parts(*each);
                let images = symmetries[1..].iter().map(|symmetry| symmetry.apply_open(set));
                *each = entry(images.fold(set, u32::min), weight);
            }
            self.merge()?;
        }
        let (sets, weights) = self.entries.iter().copied().map(parts).unzip();
        Some(WeightedSets { sets, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_merged_within_bounds() {
        let mut all = Accumulator::new(2);
        all.add(&WeightedSets { sets: vec![7, 3, 7], weights: vec![2, 1, 5] }).unwrap();
        assert_eq!(all.merge(), Some(()));
        assert_eq!(all.entries, [entry(3, 1), entry(7, 7)]);
        all.entries.push(entry(3, u32::MAX - 1));
        assert_eq!(all.merge(), Some(()));
        all.entries.push(entry(3, 1));
        assert_eq!(all.merge(), None);
        let mut few = Accumulator::new(2);
        few.add(&WeightedSets { sets: vec![5, 6, 7], weights: vec![1; 3] }).unwrap();
        assert!(few.into_slice(&[]).is_none());
    }
}
