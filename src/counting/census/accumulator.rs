//! Sets of cells with their numbers of packings, merged where equal.

use super::rank::{Ranking, binomial};

pub(super) const SET_BYTES: u64 = size_of::<CountedSet>() as u64;

/// Number of entries of a list before equal sets are merged.
const MAX_UNMERGED_ENTRIES: usize = 1 << 20;

/// A set of cells with its number of packings. The open cells are in the upper half and the number in the lower
/// one, so that words are sorted by set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CountedSet(u64);

impl CountedSet {
    #[inline]
    pub(super) const fn new(cells: u32, packings: u32) -> Self {
        Self((cells as u64) << u32::BITS | packings as u64)
    }

    #[inline]
    pub(super) const fn cells(self) -> u32 {
        (self.0 >> u32::BITS) as u32
    }

    #[inline]
    pub(super) const fn packings(self) -> u32 {
        self.0 as u32
    }
}

/// Maximum number of sets of one size that have a count each.
const MAX_RANKED_SETS: u64 = 1 << 21;

/// Sets are counted by rank once the list has one for every eight possible sets.
const LISTED_SETS_DIVISOR: u64 = 8;

/// A list of sets that is sorted and merged from time to time. Where there are many sets among those possible, they
/// are counted by rank instead, without sorting.
pub(super) struct Accumulator {
    limit: u64,
    list: Vec<CountedSet>,
    /// The length at which the list is merged, or its sets are counted by rank.
    most: usize,
    /// The number of cells, and of those in a set.
    of: Option<(usize, usize)>,
    ranked: Option<RankedSets>,
}

/// All sets of one size, with their numbers of packings by rank.
struct RankedSets {
    ranking: Ranking,
    packings: Vec<u32>,
}

impl RankedSets {
    fn new((cells, size): (usize, usize)) -> Self {
        let ranking = Ranking::new(cells, size);
        let packings = vec![0; ranking.count()];
        Self { ranking, packings }
    }

    /// Adds sets; `None` if a number of packings does not fit 32 bits.
    #[inline]
    fn add(&mut self, sets: impl Iterator<Item = CountedSet>) -> Option<()> {
        for set in sets {
            let packings = &mut self.packings[self.ranking.rank(u64::from(set.cells()))];
            *packings = packings.checked_add(set.packings())?;
        }
        Some(())
    }

    /// Visits all sets, ascending.
    fn for_each(&self, mut visit: impl FnMut(CountedSet)) {
        for run in self.ranking.runs() {
            for (set, &packings) in run.sets().zip(&self.packings[run.ranks()]) {
                if packings > 0 {
                    visit(CountedSet::new(set as u32, packings));
                }
            }
        }
    }
}

impl Accumulator {
    /// Returns the bytes of an accumulator of at most `limit` different sets. A list that grows doubles its memory.
    /// Ranked sets take less than the shortest list.
    pub(super) const fn bytes(limit: u64) -> u64 {
        let most = if limit > MAX_UNMERGED_ENTRIES as u64 / 2 {
            limit.saturating_mul(2)
        } else {
            MAX_UNMERGED_ENTRIES as u64
        };
        most.saturating_mul(2 * SET_BYTES)
    }

    /// Creates an accumulator for at most `limit` different sets.
    pub(super) const fn new(limit: u64) -> Self {
        Self { limit, list: Vec::new(), most: MAX_UNMERGED_ENTRIES, of: None, ranked: None }
    }

    /// Creates an accumulator for at most `limit` different sets of `size` of `cells` cells.
    pub(super) fn of_size(limit: u64, cells: usize, size: usize) -> Self {
        let all = binomial(cells, size);
        match u64::try_from(all).ok().filter(|all| *all <= MAX_RANKED_SETS) {
            Some(all) => Self {
                most: (all / LISTED_SETS_DIVISOR) as usize,
                of: Some((cells, size)),
                ..Self::new(limit)
            },
            None => Self::new(limit),
        }
    }

    /// Adds sets; `None` if there are too many or a number of packings does not fit 32 bits.
    #[inline]
    pub(super) fn add(&mut self, sets: impl Iterator<Item = CountedSet>) -> Option<()> {
        if let Some(ranked) = &mut self.ranked {
            return ranked.add(sets);
        }
        self.list.extend(sets);
        if self.list.len() < self.most {
            return Some(());
        }
        if let Some(of) = self.of {
            let ranked = self.ranked.insert(RankedSets::new(of));
            return ranked.add(self.list.drain(..));
        }
        self.merge()
    }

    /// Replaces every set by its image, which is not above it; `None` as for [`Accumulator::add`].
    pub(super) fn map(&mut self, image: impl Fn(u32) -> u32) -> Option<()> {
        let to_image = |set: CountedSet| CountedSet::new(image(set.cells()), set.packings());
        if let Some(ranked) = &mut self.ranked {
            let mut all = Vec::new();
            ranked.for_each(|set| all.push(to_image(set)));
            ranked.packings.fill(0);
            return ranked.add(all.into_iter());
        }
        self.merge()?;
        for set in &mut self.list {
            *set = to_image(*set);
        }
        self.merge()
    }

    /// Removes and visits all sets, ascending, each once; `None` as for [`Accumulator::add`].
    pub(super) fn take(&mut self, mut visit: impl FnMut(CountedSet)) -> Option<()> {
        if let Some(ranked) = self.ranked.take() {
            let mut sets = 0;
            ranked.for_each(|set| {
                sets += 1;
                visit(set);
            });
            return (sets <= self.limit).then_some(());
        }
        self.merge()?;
        self.most = MAX_UNMERGED_ENTRIES;
        self.list.drain(..).for_each(visit);
        Some(())
    }

    /// Sorts the sets and adds up the packings of equal ones; `None` as for [`Accumulator::add`].
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
        self.most = MAX_UNMERGED_ENTRIES.max(2 * end);
        (end as u64 <= self.limit).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(all: &mut Accumulator) -> Option<Vec<CountedSet>> {
        let mut sets = Vec::new();
        all.take(|set| sets.push(set)).map(|()| sets)
    }

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
        assert_eq!(taken(&mut all), Some(sets(&[(3, u32::MAX), (7, 7)]).collect()));
        all.add(sets(&[(3, 1), (3, u32::MAX)])).unwrap();
        assert!(taken(&mut all).is_none());
        let mut few = Accumulator::new(2);
        few.add(sets(&[(5, 1), (6, 1), (7, 1)])).unwrap();
        assert!(taken(&mut few).is_none());
    }

    #[test]
    fn images_that_are_equal_are_merged() {
        let mut all = Accumulator::new(3);
        all.add(sets(&[(2, 1), (3, 4), (4, 10)])).unwrap();
        all.map(|set| set & !1).unwrap();
        assert_eq!(taken(&mut all), Some(sets(&[(2, 5), (4, 10)]).collect()));
    }

    /// Of eight cells, 56 sets have three: from the seventh set on they are counted by rank.
    #[test]
    fn ranked_sets_are_the_same() {
        let all: Vec<u32> = (0..256_u32).filter(|set| set.count_ones() == 3).collect();
        for length in [6, 7, 8, 200] {
            let list = (0..length).map(|n| CountedSet::new(all[n * n % all.len()], n as u32 + 1));
            let list: Vec<CountedSet> = list.collect();
            let result = |mut of: Accumulator, mapped: bool| {
                for some in list.chunks(5) {
                    of.add(some.iter().copied()).unwrap();
                }
                if mapped {
                    // Mirror images: of two, the one with the lower number.
                    of.map(|set| set.min(set.reverse_bits() >> 24)).unwrap();
                }
                taken(&mut of).unwrap()
            };
            for mapped in [false, true] {
                let ranked = result(Accumulator::of_size(100, 8, 3), mapped);
                assert_eq!(ranked, result(Accumulator::new(100), mapped), "{length}");
            }
            let mut few = Accumulator::of_size(5, 8, 3);
            few.add(list.iter().copied()).unwrap();
            assert!(taken(&mut few).is_none());
        }
        let mut much = Accumulator::of_size(5, 8, 3);
        let eight = [CountedSet::new(7, u32::MAX / 8); 8];
        much.add(eight.into_iter()).unwrap();
        much.add([CountedSet::new(7, 7)].into_iter()).unwrap();
        assert!(much.add([CountedSet::new(7, 1)].into_iter()).is_none());
    }
}
