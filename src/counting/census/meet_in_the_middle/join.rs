//! Counts the packings of one pattern by joining two halves' sets.
//!
//! [`Halves`] divides the pieces in two, and lists for each half all sets of cells that its pieces fill, with their
//! numbers of packings, by the pattern they show on the pattern cells. A packing of the whole set combines a set of the
//! first half with a disjoint one of the second. To count a shard, the wanted pattern is divided between the halves in
//! every way, and for each division two lists are joined: those that show its two parts. A pair of disjoint sets with m
//! and n packings adds m · n packings to the counter of its union.
//!
//! Among the pairs whose patterns fit, one in two hundred is disjoint, so most of the work is to find these. For the
//! sets of a list of the first half, each open cell has a row of bits that marks the sets with this cell. Or-ing the
//! rows of the cells of a set of the second half shows which sets of the list it overlaps, 256 of them at a time.
//!
//! # Why it is right
//!
//! The open cells and the pattern cells are disjoint. Two sets whose patterns are complementary parts of the wanted
//! pattern are disjoint there, so only the open cells have to be compared. Each packing divides into its two halves in
//! one way, if the pieces are all different. Of several equal pieces, any of the copies may be in the first half: the
//! packing is found [`Join::repeats`] times, and the caller divides.
//!
//! # What it costs
//!
//! A set of the second half costs as many operations for 256 sets of the first as it has open cells, and some more for
//! each disjoint one. The lists and rows stay in memory for all shards of a box ([`Join::bytes`]): for 3×4×4, at most
//! 103 million sets of P, T, Z and A, and 10 million of B, V and L. Two things take time if they are done naively:
//!
//! * The branch predictor cannot learn whether a word has a disjoint set. So the sets are written down before they are
//!   counted, the first [`UNCONDITIONAL_SETS`] of a word even if there are fewer.
//! * Counters are far apart in memory. Some hundred are increased together, when their ranks are known, so that the
//!   processor waits for several at once.
//!
//! # Example
//!
//! Four open cells, and three sets of the first half with 1, 2 and 3 packings. Bit i of a row stands for set i:
//!
//! ```text
//! sets 0: {0,1}  1: {1,2}  2: {0,3}     rows of the cells 0: 101  1: 011  2: 010  3: 100
//! {2,3} with 5 packings   010 | 100 = 110, so it is disjoint from set 0 alone, and their union {0,1,2,3} gets 1 · 5
//! {0,2} with 7 packings   101 | 010 = 111, so it overlaps every set
//! ```

use super::halves::{Half, Halves};
use crate::census::boxes::grid::Grid;
use crate::census::boxes::placements::BoxPlacements;
use crate::census::sets::accumulator::CountedSet;
use crate::census::sets::counters::Counters;
use crate::census::sets::rank::{MAX_RANKED_CELLS, Ranking};
use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of words of a longer row that are processed together: a vector of AVX2.
const ROW_WORDS: usize = 4;

const WORD_SETS: usize = u64::BITS as usize;

/// Maximum length of a list without rows. Such a list is compared set by set.
const MAX_SHORT_LIST: usize = 8;

/// Number of sets of a word that are written down without a test whether the word has as many.
const UNCONDITIONAL_SETS: usize = 2;

/// Approximate number of sets that are written down before they are counted.
const BATCH_SETS: usize = 256;

/// Most increments of counters that wait: fewer than a batch, and then those of one list of disjoint sets. Such a list
/// has fewer entries than a batch and one step along the rows together.
const MAX_INCREMENTS: usize = 2 * BATCH_SETS + ROW_WORDS * WORD_SETS;

/// The sets of the two halves of the pieces, for joining. They serve all shards of a box.
#[derive(Debug)]
pub(in crate::census) struct Join {
    first: Half,
    last: Half,
    /// The rows of the first half's lists that are not short, pattern by pattern: [`row_words`] words for cell 0, then
    /// for cell 1, and so on.
    rows: Vec<u64>,
    /// For each pattern, the index in `rows` where its rows start.
    begins: Vec<u32>,
    /// The number of open cells. Pattern cells have the bits from here on.
    open: usize,
    /// The number of times that every packing is found: the ways to divide equal pieces between the halves.
    pub(in crate::census) repeats: u64,
}

impl Join {
    /// Builds the sets; `None` if `stop` is set.
    pub(in crate::census) fn new(
        grid: &Grid,
        placements: &BoxPlacements,
        halves: &Halves,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let [first, last] = halves.sets(grid, placements, threads, stop)?;
        let patterns = 0..grid.pattern_count();
        let words: usize =
            patterns.clone().map(|pattern| row_words(first.list(pattern).len())).sum();
        let (mut rows, mut begins) =
            (Vec::with_capacity(words * grid.open), Vec::with_capacity(patterns.len()));
        for pattern in patterns {
            begins.push(rows.len() as u32);
            add_rows(first.list(pattern), grid.open, &mut rows);
        }
        Some(Self { first, last, rows, begins, open: grid.open, repeats: halves.repeats })
    }

    /// Returns the maximum bytes of everything that is built once.
    pub(in crate::census) fn bytes(grid: &Grid, halves: &Halves) -> u64 {
        let (sets, _) = halves.most_sets();
        let lists = (grid.pattern_count() as u64).min(sets / MAX_SHORT_LIST as u64);
        // Lists of `MAX_SHORT_LIST` sets have no rows, and longer ones have a word for more than `MAX_SHORT_LIST`
        // sets.
        let words = (sets.div_ceil(WORD_SETS as u64) + ROW_WORDS as u64 * lists)
            .min(sets / MAX_SHORT_LIST as u64);
        let rows = (grid.open * size_of::<u64>()) as u64 * words;
        halves.bytes(grid) + rows + (size_of::<u32>() * grid.pattern_count()) as u64
    }

    /// Counts the packings of the sets that show a pattern: by the rank of the set's open cells, and in total. Each
    /// packing counts `repeats` times. `pattern` is a mask of cells. Returns `None` if `stop` is set.
    pub(in crate::census) fn count(
        &self,
        pattern: u64,
        ranking: &Ranking,
        stop: &AtomicBool,
    ) -> Option<(Counters, u128)> {
        let pattern = (pattern >> self.open) as usize;
        let mut count = JoinCount::new(ranking);
        // `shown` goes through all subsets of the pattern, the whole of it first: the part that the second half shows.
        let mut shown = pattern;
        loop {
            let (first, last) = (self.first.list(pattern ^ shown), self.last.list(shown));
            if !first.is_empty() && !last.is_empty() {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                // Sets without open cells overlap nothing, not even the padding of a row.
                if first.len() <= MAX_SHORT_LIST || last[0].cells() == 0 {
                    count.join_short(first, last);
                } else {
                    let begin = self.begins[pattern ^ shown] as usize;
                    count.join(first, &self.rows[begin..], last);
                }
            }
            if shown == 0 {
                return Some(count.finish());
            }
            shown = (shown - 1) & pattern;
        }
    }
}

/// Returns the number of words in each row of a list of `sets` sets. It is 0 for a short list.
const fn row_words(sets: usize) -> usize {
    if sets <= MAX_SHORT_LIST {
        0
    } else if sets <= WORD_SETS {
        1
    } else {
        sets.div_ceil(WORD_SETS).next_multiple_of(ROW_WORDS)
    }
}

/// Adds the rows of a list, if it is not short. The bits beyond the list are set in every row, so they are not disjoint
/// from any set with an open cell.
fn add_rows(sets: &[CountedSet], open: usize, rows: &mut Vec<u64>) {
    let (begin, words) = (rows.len(), row_words(sets.len()));
    if words == 0 {
        return;
    }
    rows.resize(begin + words * open, u64::MAX);
    for (cell, row) in rows[begin..].chunks_exact_mut(words).enumerate() {
        for (word, sets) in row.iter_mut().zip(sets.chunks(WORD_SETS)) {
            let lacks = |set: &CountedSet| u64::from(set.cells() >> cell & 1 ^ 1);
            let lacking = sets.iter().enumerate().map(|(at, set)| lacks(set) << at);
            *word = !lacking.fold(0, |all, bit| all | bit);
        }
    }
}

/// Returns true if the processor has the instructions of [`JoinCount::join_wide`].
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
}

#[cfg(all(test, not(target_arch = "x86_64")))]
fn has_avx2() -> bool {
    false
}

/// The packings of one pattern's sets, while they are counted.
struct JoinCount<'a> {
    counters: Counters,
    total: u128,
    ranking: &'a Ranking,
    /// Buffer for disjoint pairs from short lists that are not counted yet; the first `waiting` are in use. It has room
    /// for one more step of `join_short` when a batch is nearly full.
    pairs: Box<[[CountedSet; 2]; BATCH_SETS + MAX_SHORT_LIST]>,
    waiting: usize,
    /// Pending increments of counters, each a rank and the number to add; the first `incremented` are in use.
    increments: Box<[(u32, u64); MAX_INCREMENTS]>,
    incremented: usize,
}

impl<'a> JoinCount<'a> {
    fn new(ranking: &'a Ranking) -> Self {
        let pairs = Box::new([[CountedSet::new(0, 0); 2]; BATCH_SETS + MAX_SHORT_LIST]);
        let counters = Counters::new(ranking.count());
        let increments = Box::new([(0, 0); MAX_INCREMENTS]);
        Self { counters, total: 0, ranking, pairs, waiting: 0, increments, incremented: 0 }
    }

    fn finish(mut self) -> (Counters, u128) {
        self.add_pairs();
        self.increase();
        (self.counters, self.total)
    }

    /// Joins two lists by comparing all pairs. `first` is usually short; it is also used for sets without open cells.
    fn join_short(&mut self, first: &[CountedSet], last: &[CountedSet]) {
        for first in first.chunks(MAX_SHORT_LIST) {
            for &set in last {
                for &other in first {
                    self.pairs[self.waiting] = [set, other];
                    self.waiting += usize::from(other.cells() & set.cells() == 0);
                }
                if self.waiting >= BATCH_SETS {
                    self.add_pairs();
                }
            }
        }
    }

    fn add_pairs(&mut self) {
        let mut sum = 0;
        for at in 0..take(&mut self.waiting) {
            let [one, other] = self.pairs[at];
            sum += self.add(one, other);
        }
        self.total += u128::from(sum);
        self.increase();
    }

    /// Joins a list, whose rows are given, with another.
    fn join(&mut self, first: &[CountedSet], rows: &[u64], last: &[CountedSet]) {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            #[allow(unsafe_code, reason = "the processor has the instructions")]
            // SAFETY: the processor has the instructions of `join_wide`.
            unsafe {
                self.join_wide(first, rows, last);
            }
            return;
        }
        self.join_words(first, rows, last);
    }

    /// Joins like [`JoinCount::join_words`], compiled for processors with AVX2, where four words are one register.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn join_wide(&mut self, first: &[CountedSet], rows: &[u64], last: &[CountedSet]) {
        self.join_words(first, rows, last);
    }

    #[inline(always)]
    fn join_words(&mut self, first: &[CountedSet], rows: &[u64], last: &[CountedSet]) {
        if row_words(first.len()) == 1 {
            self.join_rows::<1>(first, rows, last);
        } else {
            self.join_rows::<ROW_WORDS>(first, rows, last);
        }
    }

    /// Joins two lists, `N` words of a row at a time. `rows` begins with the rows of `first`.
    #[inline(always)]
    fn join_rows<const N: usize>(
        &mut self,
        first: &[CountedSet],
        rows: &[u64],
        last: &[CountedSet],
    ) {
        let (rows, _) = rows.as_chunks::<N>();
        let steps = row_words(first.len()) / N;
        let mut disjoint = [0_u32; BATCH_SETS + ROW_WORDS * WORD_SETS + UNCONDITIONAL_SETS];
        let mut begins = [0; MAX_RANKED_CELLS];
        for &set in last {
            let (mut cells, mut rest) = (0, set.cells());
            while rest != 0 {
                begins[cells] = rest.trailing_zeros() as usize * steps;
                cells += 1;
                rest &= rest - 1;
            }
            let begins = &begins[..cells];
            let mut end = 0;
            for step in 0..steps {
                let mut overlapping = [0; N];
                for begin in begins {
                    let words = &rows[begin + step];
                    for lane in 0..N {
                        overlapping[lane] |= words[lane];
                    }
                }
                if overlapping == [u64::MAX; N] {
                    continue;
                }
                for (lane, overlapping) in overlapping.into_iter().enumerate() {
                    let from = ((step * N + lane) * WORD_SETS) as u32;
                    let mut free = !overlapping;
                    let count = free.count_ones() as usize;
                    let mut at = end;
                    for _ in 0..UNCONDITIONAL_SETS {
                        disjoint[at] = from + free.trailing_zeros();
                        free &= free.wrapping_sub(1);
                        at += 1;
                    }
                    while free != 0 {
                        disjoint[at] = from + free.trailing_zeros();
                        free &= free - 1;
                        at += 1;
                    }
                    end += count;
                }
                if end >= BATCH_SETS {
                    self.add_all(set, first, &disjoint[..end]);
                    end = 0;
                }
            }
            self.add_all(set, first, &disjoint[..end]);
        }
    }

    /// Adds the packings of a set combined with others, given by their numbers in a list.
    #[inline(always)]
    fn add_all(&mut self, set: CountedSet, list: &[CountedSet], numbers: &[u32]) {
        let mut sum = 0;
        for &at in numbers {
            sum += self.add(set, list[at as usize]);
        }
        self.total += u128::from(sum);
        if self.incremented >= BATCH_SETS {
            self.increase();
        }
    }

    #[inline(always)]
    fn add(&mut self, one: CountedSet, other: CountedSet) -> u64 {
        let number = u64::from(one.packings()) * u64::from(other.packings());
        let rank = self.ranking.rank(u64::from(one.cells() | other.cells())) as u32;
        self.increments[self.incremented] = (rank, number);
        self.incremented += 1;
        number
    }

    /// Increases the counters.
    #[inline(always)]
    fn increase(&mut self) {
        for &(rank, number) in &self.increments[..take(&mut self.incremented)] {
            self.counters.add(rank as usize, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// Tests lists of every length near those where the method changes.
    #[test]
    fn all_ways_to_join_two_lists_count_the_same() {
        if !has_avx2() {
            crate::skipped("no AVX2 with BMI1 and POPCNT; tested only portable code");
        }
        let (open, size) = (16, 4);
        let mut random = SplitMix::new(1);
        let mut draw = |length: usize| -> Vec<CountedSet> {
            let mut list = Vec::new();
            while list.len() < length {
                let (cells, packings) = (random.next() as u32 >> 16, random.next() as u32 % 4 + 1);
                if cells.count_ones() == size {
                    list.push(CountedSet::new(cells, packings));
                }
            }
            list
        };
        let ranking = Ranking::new(open, 2 * size as usize);
        for length in
            [1, 7, MAX_SHORT_LIST, MAX_SHORT_LIST + 1, 63, 64, 65, 127, 255, 256, 257, 1000, 5000]
        {
            let (first, last) = (draw(length), draw(40));
            let mut rows = Vec::new();
            add_rows(&first, open, &mut rows);
            let joined = |join: &dyn Fn(&mut JoinCount<'_>)| {
                let mut count = JoinCount::new(&ranking);
                join(&mut count);
                let (counters, total) = count.finish();
                ((0..ranking.count()).map(|at| counters.get(at)).collect::<Vec<u64>>(), total)
            };
            let plain = joined(&|count| count.join_short(&first, &last));
            assert_eq!(plain.0.iter().map(|&n| u128::from(n)).sum::<u128>(), plain.1);
            if length > MAX_SHORT_LIST {
                assert_eq!(joined(&|count| count.join(&first, &rows, &last)), plain, "{length}");
                assert_eq!(
                    joined(&|count| count.join_words(&first, &rows, &last)),
                    plain,
                    "{length}"
                );
            }
        }
    }
}
