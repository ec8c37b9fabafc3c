//! Transitions from one stage's slices to the next, by placing one piece.
//!
//! A slice has the sets of a stage that show one pattern. A placement shows a pattern as well, and if the two are
//! disjoint, their union is the pattern of the new sets. Some symmetry of the box maps it to the least of its images,
//! which names a slice of the next stage. So all sets of a slice and all placements with one pattern make the same
//! *transition*. A slice is built from all transitions that end in it, independently of the others, which lets threads
//! share the work.

use crate::census::boxes::grid::{BoxSymmetry, Grid};
use crate::census::sets::accumulator::{Accumulator, CountedSet};
use crate::census::sets::disjoint::{WeightedSets, find_disjoint};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Slices by pattern, for patterns that are the least of their images. A slice has sets of one size, one of each
/// orbit under the symmetries that keep the pattern: their open cells, ascending. The weight of a set is the number of
/// packings of the set and its images, all together, under all of the box's symmetries.
pub(super) type Slices = FxHashMap<u64, WeightedSets>;

/// Number of sets that are processed together, with one placement after the other: they fit a processor's first cache.
const BATCH_SETS: usize = 1 << 11;

/// A step from slice to slice, by placements that show one pattern.
#[derive(Clone, Copy, Debug)]
struct Transition {
    /// The pattern of the slice where it starts.
    from: u64,
    /// The pattern of the placements.
    placed: u64,
    /// The number of a symmetry of the box. It maps the union of `from` and `placed` to the end's pattern.
    symmetry: usize,
}

/// The transitions of one stage.
pub(super) struct Transitions {
    /// The transitions by the pattern where they end.
    into: FxHashMap<u64, Vec<Transition>>,
    /// The open cells of the placements, by their pattern.
    placements: FxHashMap<u64, Vec<u32>>,
}

pub(super) const TRANSITION_BYTES: u64 = size_of::<Transition>() as u64;

impl Transitions {
    /// Lists the transitions from `slices` by one of `placements`. Returns `None` if `stop` is set.
    pub(in crate::census) fn new(
        grid: &Grid,
        placements: &[u64],
        slices: &Slices,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let open = grid.open_cells();
        let mut lists: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for mask in placements {
            lists.entry(mask & !open).or_default().push((mask & open) as u32);
        }
        let mut into: FxHashMap<u64, Vec<Transition>> = FxHashMap::default();
        let symmetries: Vec<(usize, &BoxSymmetry)> = grid.usable().collect();
        for &from in slices.keys() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for &placed in lists.keys().filter(|&placed| placed & from == 0) {
                let image = |&(at, s): &(usize, &BoxSymmetry)| (s.apply(from | placed), at);
                let least = symmetries.iter().map(image).min();
                let (to, symmetry) = least.expect("the identity is a symmetry");
                into.entry(to).or_default().push(Transition { from, placed, symmetry });
            }
        }
        for list in into.values_mut() {
            list.sort_unstable_by_key(|t| (t.from, t.placed, t.symmetry));
        }
        Some(Self { into, placements: lists })
    }

    /// Returns the patterns of the next stage's slices. Those that most sets lead to come first, so that long work
    /// starts early.
    pub(in crate::census) fn ends(&self, slices: &Slices) -> Vec<u64> {
        let sets = |end: &u64| -> usize {
            self.into[end].iter().map(|transition| slices[&transition.from].sets.len()).sum()
        };
        let mut ends: Vec<u64> = self.into.keys().copied().collect();
        ends.sort_by_cached_key(|end| (std::cmp::Reverse(sets(end)), *end));
        ends
    }

    /// Visits the sets that enter the slice with pattern `end`, with the weights that they bring, some at a time. A set
    /// enters once for each set and placement that lead to it. Returns `None` if `stop` is set or `visit` returns
    /// `None`.
    #[inline]
    pub(in crate::census) fn for_each(
        &self,
        grid: &Grid,
        slices: &Slices,
        end: u64,
        stop: &AtomicBool,
        mut visit: impl FnMut(&WeightedSets) -> Option<()>,
    ) -> Option<()> {
        let mut found = WeightedSets::default();
        for transition in self.into.get(&end).into_iter().flatten() {
            let slice = &slices[&transition.from];
            let placements = &self.placements[&transition.placed];
            let symmetry = &grid.symmetries[transition.symmetry];
            for (sets, weights) in
                slice.sets.chunks(BATCH_SETS).zip(slice.weights.chunks(BATCH_SETS))
            {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                for &placed in placements {
                    find_disjoint(sets, weights, placed, &mut found);
                    for set in &mut found.sets {
                        *set = symmetry.apply_open(*set | placed);
                    }
                    visit(&found)?;
                }
            }
        }
        Some(())
    }

    /// Builds the next stage's slice with pattern `end`: adds up the weights of equal sets, and replaces each set by
    /// the least of its images under the symmetries that keep the pattern. Returns `None` if it has more than `limit`
    /// sets, a weight does not fit 32 bits, or `stop` is set.
    pub(super) fn slice(
        &self,
        grid: &Grid,
        slices: &Slices,
        end: u64,
        limit: u64,
        stop: &AtomicBool,
    ) -> Option<WeightedSets> {
        let mut all = Accumulator::new(limit);
        self.for_each(grid, slices, end, stop, |some| {
            let sets = some.sets.iter().zip(&some.weights);
            all.add(sets.map(|(&set, &weight)| CountedSet::new(set, weight)))
        })?;
        let symmetries = grid.pattern_symmetries(end).usable;
        if let [_identity, others @ ..] = &symmetries[..]
            && !others.is_empty()
        {
            let images = |set: u32| others.iter().map(move |symmetry| symmetry.apply_open(set));
            all.map(|set| images(set).fold(set, u32::min))?;
        }
        let (sets, weights) = all.take()?.map(|set| (set.cells(), set.packings())).unzip();
        Some(WeightedSets { sets, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_a_transition_after_a_block_of_sets() {
        let grid = Grid::new([1, 4, 8], 0, true);
        let sets: Vec<u32> = (0..4 * BATCH_SETS as u32).collect();
        let weights = vec![1; sets.len()];
        let slices: Slices = [(0, WeightedSets { sets, weights })].into_iter().collect();
        let stop = AtomicBool::new(false);
        let placements = [3 << 30, 3 << 28, 3 << 26];
        let transitions = Transitions::new(&grid, &placements, &slices, &stop).unwrap();
        assert_eq!(transitions.ends(&slices), [0]);
        let mut visits = 0;
        let flow = transitions.for_each(&grid, &slices, 0, &stop, |some| {
            assert_eq!(some.sets.len(), BATCH_SETS);
            visits += 1;
            stop.store(true, Ordering::Relaxed);
            Some(())
        });
        assert_eq!((flow, visits), (None, placements.len()));
        assert!(Transitions::new(&grid, &placements, &slices, &stop).is_none());
    }
}
