//! The sets that some of the pieces fill, with their numbers of packings, one piece after the other.
//!
//! Very many packings of some pieces fill the same set of cells, and what can be added to it is
//! the same for all of them. So sets are kept instead of packings, one of each orbit under the box's
//! symmetries, with the sum of the packings of the orbit's sets. With T(O) for that sum,
//!
//! > T(O) = Σ T(s) over the sets s that are kept and the placements p disjoint from s with s ∪ p in O:
//!
//! each packing of a set in O is the image of one that extends a kept set, as often as it has
//! images. Sets are sorted into slices by their pattern; what comes into a slice is sorted
//! and merged, or in the end tallied by rank.

use super::ordered;
use super::placements::Placements;
use super::rank::{Ranking, binomial, orbits_at_most};
use super::room::{Room, Symmetry};
use super::sift::{Numbered, find_disjoint};
use super::tally::Tally;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many sets are looked at together: they lie in a processor's first cache, and what comes of them
/// lies near each other.
const BLOCK: usize = 1 << 11;

/// Bytes of a set that is kept.
const SET_BYTES: u64 = 8;

/// In small boxes there may be more sets on the way than in the end; so many are always allowed.
const FEW: u64 = 1 << 20;

/// Sets of a pile before equal ones are merged.
const PILE: usize = 1 << 22;

/// In which order pieces are placed, and what that takes.
#[derive(Debug)]
pub(super) struct Layers {
    /// What is placed for each layer, in all ways: a piece or, since the sets that are kept stand for
    /// their mirror images too, a piece and its mirror image together.
    layers: Vec<Vec<u64>>,
    /// How often each packing comes: in so many orders equal pieces are placed.
    repeats: u64,
    /// Sets kept at a time, at most.
    most: u64,
}

/// The sets that all pieces but the last fill.
#[derive(Debug)]
pub(super) struct Stock {
    slices: Slices,
    last: Step,
    /// How often each packing comes.
    repeats: u64,
}

/// Sets of one size with one pattern, one of each orbit under the symmetries that keep the pattern.
#[derive(Debug, Default)]
struct Slice {
    /// Their open cells.
    sets: Vec<u32>,
    /// The packings of the set and its images.
    sums: Vec<u32>,
}

/// Slices by pattern, of patterns that are the least of their images.
type Slices = FxHashMap<u64, Slice>;

/// What is added to sets with some pattern.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// Their pattern.
    pattern: u64,
    /// The pattern of the placements that are added.
    added: u64,
    /// The symmetry, by number, that takes the sum to the slice asked for.
    symmetry: usize,
}

/// Placing one piece.
#[derive(Debug)]
struct Step {
    /// What comes into a slice, by its pattern.
    sources: FxHashMap<u64, Vec<Source>>,
    /// The open cells of the placements, by their pattern.
    lists: FxHashMap<u64, Vec<u32>>,
}

impl Layers {
    /// What has most cells comes first, since there are fewest sets if few cells are missing; among
    /// equals what has few placements. Nothing if the box is too large.
    pub(super) fn new(room: &Room, placements: &Placements, cells: usize) -> Option<Self> {
        let mut layers = Vec::new();
        for (number, kind) in placements.kinds.iter().enumerate() {
            let placed = match kind.mirror.filter(|&mirror| mirror != number) {
                Some(mirror) if mirror > number => pairs(placements, number, mirror),
                Some(_) => continue,
                None => singles(placements, number),
            };
            layers.extend(std::iter::repeat_n(placed, kind.copies as usize));
        }
        layers.sort_by_key(|placed| (Reverse(size(placed)), placed.len()));
        let subsets = binomial(room.cells.len(), cells - size(layers.last()?));
        let most = orbits_at_most(subsets, room.usable().count());
        let orders =
            placements.kinds.iter().map(|kind| (1..=u64::from(kind.copies)).product::<u64>());
        let most = u64::from(u32::try_from(most).ok()?).max(FEW);
        let possible = layers.iter().all(|placed| !placed.is_empty());
        possible.then(|| Self { repeats: orders.product(), most, layers })
    }

    /// Bytes of the sets that are kept, at most.
    pub(super) const fn kept_bytes(&self) -> u64 {
        SET_BYTES * self.most
    }

    /// Bytes that each thread takes to sort sets.
    pub(super) const fn sorting_bytes() -> u64 {
        SET_BYTES * 2 * PILE as u64
    }

    /// Makes all layers but the last; nothing if it is stopped, or if there are too many sets on the
    /// way.
    pub(super) fn stock(&self, room: &Room, threads: usize, stop: &AtomicBool) -> Option<Stock> {
        let empty = Slice { sets: vec![0], sums: vec![1] };
        let mut slices: Slices = [(0, empty)].into_iter().collect();
        let (last, first) = self.layers.split_last()?;
        for placed in first {
            let step = Step::new(room, placed, slices.keys().copied());
            let mut patterns: Vec<u64> = step.sources.keys().copied().collect();
            patterns
                .sort_unstable_by_key(|&pattern| (Reverse(step.sets(&slices, pattern)), pattern));
            let slice = |at: usize| step.slice(room, &slices, patterns[at], stop);
            let mut next = Slices::default();
            let mut sets: usize = slices.values().map(|slice| slice.sets.len()).sum();
            let flow = ordered::in_order(0..patterns.len(), threads, slice, &mut |at, slice| {
                sets += slice.sets.len();
                next.insert(patterns[at], slice);
                if sets as u64 > self.most {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            if flow.is_break() {
                return None;
            }
            slices = next;
        }
        let last = Step::new(room, last, slices.keys().copied());
        Some(Stock { slices, last, repeats: self.repeats })
    }
}

/// The cells of what is placed.
fn size(placed: &[u64]) -> usize {
    placed.first().map_or(0, |mask| mask.count_ones() as usize)
}

fn singles(placements: &Placements, kind: usize) -> Vec<u64> {
    let all = placements.avoiding(0);
    placements.of_kind(kind, &all).map(|p| placements.masks[p]).collect()
}

fn pairs(placements: &Placements, kind: usize, mirror: usize) -> Vec<u64> {
    let others = singles(placements, mirror);
    let beside = |one: u64| others.iter().filter(move |&o| o & one == 0).map(move |o| o | one);
    singles(placements, kind).into_iter().flat_map(beside).collect()
}

impl Stock {
    /// Tallies the sets that all pieces fill, of a slice: the sum over a set's images is the sum of
    /// their packings, each as often as [`Stock::repeats`] says; also the sum of all.
    pub(super) fn tally(
        &self,
        room: &Room,
        pattern: u64,
        ranking: &Ranking,
        stop: &AtomicBool,
    ) -> Option<(Tally, u64)> {
        self.last.tally(room, &self.slices, pattern, ranking, stop)
    }

    /// How often each packing of a set's images comes, all symmetries taken together.
    pub(super) const fn repeats(&self) -> u64 {
        self.repeats
    }
}

impl Slice {
    /// The sets that stand in a pile, one of each orbit.
    fn new(mut pile: Pile, room: &Room, pattern: u64) -> Option<Self> {
        pile.merge()?;
        let keeping = room.usable_keeping(pattern);
        if keeping.len() > 1 {
            for entry in &mut pile.entries {
                let (set, sum) = parts(*entry);
                let images = keeping[1..].iter().map(|symmetry| symmetry.apply_open(set));
                *entry = word(images.fold(set, u32::min), sum);
            }
            pile.merge()?;
        }
        let (sets, sums) = pile.entries.iter().copied().map(parts).unzip();
        Some(Self { sets, sums })
    }
}

/// A set and its sum in a word, which is sorted by the set.
#[inline]
fn word(set: u32, sum: u32) -> u64 {
    u64::from(set) << u32::BITS | u64::from(sum)
}

/// The set and the sum of a word.
#[inline]
const fn parts(word: u64) -> (u32, u32) {
    ((word >> u32::BITS) as u32, word as u32)
}

/// Sets with sums, as words.
#[derive(Default)]
struct Pile {
    entries: Vec<u64>,
    /// How many there were when equal sets were merged.
    merged: usize,
}

impl Pile {
    /// Whether it is time to merge equal sets.
    const fn is_high(&self) -> bool {
        self.entries.len() >= PILE && self.entries.len() >= 2 * self.merged
    }

    /// Sorts the entries and adds up those of equal sets; nothing if a sum is too large.
    fn merge(&mut self) -> Option<()> {
        self.entries.sort_unstable();
        let mut end: usize = 0;
        for at in 0..self.entries.len() {
            let (set, sum) = parts(self.entries[at]);
            match end.checked_sub(1).map(|last| (last, parts(self.entries[last]))) {
                Some((last, (same, before))) if same == set => {
                    self.entries[last] = word(set, before.checked_add(sum)?);
                }
                _ => {
                    self.entries[end] = word(set, sum);
                    end += 1;
                }
            }
        }
        self.entries.truncate(end);
        self.merged = end;
        Some(())
    }
}

impl Step {
    fn new(room: &Room, placed: &[u64], patterns: impl Iterator<Item = u64>) -> Self {
        let open = room.open_cells();
        let mut lists: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for mask in placed {
            lists.entry(mask & !open).or_default().push((mask & open) as u32);
        }
        let mut sources: FxHashMap<u64, Vec<Source>> = FxHashMap::default();
        let symmetries: Vec<(usize, &Symmetry)> = room.usable().collect();
        for pattern in patterns {
            for added in lists.keys().filter(|&added| added & pattern == 0) {
                let image = |&(at, s): &(usize, &Symmetry)| (s.apply(pattern | added), at);
                let Some((to, symmetry)) = symmetries.iter().map(image).min() else { continue };
                sources.entry(to).or_default().push(Source { pattern, symmetry, added: *added });
            }
        }
        for list in sources.values_mut() {
            list.sort_unstable_by_key(|source| (source.pattern, source.added, source.symmetry));
        }
        Self { sources, lists }
    }

    /// To how many sets something is added that comes into a slice: what is long begins first.
    fn sets(&self, slices: &Slices, pattern: u64) -> usize {
        let sources = self.sources.get(&pattern).into_iter().flatten();
        sources.filter_map(|source| slices.get(&source.pattern)).map(|s| s.sets.len()).sum()
    }

    /// Shows what comes into a slice, some sets and their sums at a time. Nothing if it is stopped.
    #[inline]
    fn for_each(
        &self,
        room: &Room,
        slices: &Slices,
        pattern: u64,
        stop: &AtomicBool,
        mut visit: impl FnMut(&Numbered) -> Option<()>,
    ) -> Option<()> {
        let mut found = Numbered::default();
        for source in self.sources.get(&pattern).into_iter().flatten() {
            let (Some(slice), Some(list)) =
                (slices.get(&source.pattern), self.lists.get(&source.added))
            else {
                continue;
            };
            let symmetry = &room.symmetries[source.symmetry];
            for (sets, sums) in slice.sets.chunks(BLOCK).zip(slice.sums.chunks(BLOCK)) {
                for &added in list {
                    find_disjoint(sets, sums, added, &mut found);
                    for set in &mut found.sets {
                        *set = symmetry.apply_open(*set | added);
                    }
                    visit(&found)?;
                }
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(())
    }

    /// One set of each orbit that comes into a slice; nothing if it is stopped or a sum is too
    /// large.
    fn slice(
        &self,
        room: &Room,
        slices: &Slices,
        pattern: u64,
        stop: &AtomicBool,
    ) -> Option<Slice> {
        let mut pile = Pile::default();
        self.for_each(room, slices, pattern, stop, |found| {
            let words = found.sets.iter().zip(&found.numbers).map(|(&set, &sum)| word(set, sum));
            pile.entries.extend(words);
            if pile.is_high() { pile.merge() } else { Some(()) }
        })?;
        Slice::new(pile, room, pattern)
    }

    /// Tallies what comes into a slice, and the sum of it.
    fn tally(
        &self,
        room: &Room,
        slices: &Slices,
        pattern: u64,
        ranking: &Ranking,
        stop: &AtomicBool,
    ) -> Option<(Tally, u64)> {
        let (mut tally, mut total) = (Tally::new(ranking.count()), 0);
        self.for_each(room, slices, pattern, stop, |found| {
            for (&set, &sum) in found.sets.iter().zip(&found.numbers) {
                tally.add(ranking.rank(u64::from(set)), sum);
                total += u64::from(sum);
            }
            Some(())
        })?;
        Some((tally, total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_merged_and_no_sum_runs_over() {
        let mut pile = Pile { entries: vec![word(7, 2), word(3, 1), word(7, 5)], merged: 0 };
        assert_eq!(pile.merge(), Some(()));
        assert_eq!(pile.entries, [word(3, 1), word(7, 7)]);
        pile.entries.push(word(3, u32::MAX - 1));
        assert_eq!(pile.merge(), Some(()));
        pile.entries.push(word(3, 1));
        assert_eq!(pile.merge(), None);
    }
}
