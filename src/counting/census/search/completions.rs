//! Completions: the sets that the last pieces can fill together, at each level of the search.
//!
//! The last pieces are not placed one by one: most nodes of a search are near its leaves, and they would be visited
//! again for each packing of the first pieces. Instead, lists hold all common placements of the last pieces, by the
//! pattern they show. When the first pieces are placed, the pattern cells that are still missing select a list, and
//! each of its sets that is disjoint from the pieces placed completes a packing.
//!
//! With each piece placed before, the sets that it overlaps are dropped from a copy of the list, so that they are not
//! compared again below. Lists are copied on demand, each from the copy one level up.

use crate::census::boxes::grid::Grid;
use crate::census::boxes::placements::{BoxPlacements, ones};
use crate::census::method_bytes::MethodBytes;
use crate::census::sets::disjoint::disjoint;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of last pieces. With three of them the lists are long enough to compare eight sets at a time, and
/// short enough for a processor's caches.
const MAX_LAST_PIECES: usize = 3;

/// Maximum number of ways to place the last pieces, disjoint or not.
const MAX_COMPLETIONS: u128 = 1 << 24;

const SET_BITS: usize = u32::BITS as usize;

/// Maximum number of bits for the repetitions of a set.
const MAX_REPEAT_BITS: usize = 8;

/// Bytes of a list's pattern and position, apart from its sets.
const LIST_BYTES: u64 = 64;

/// The division into pieces placed one by one and pieces from lists.
#[derive(Debug)]
pub(in crate::census) struct LastPieces {
    /// For each kind, the number of copies that are placed one by one.
    pub(in crate::census) first: Vec<u32>,
    /// The kinds of the last pieces, equal ones next to each other.
    last: Vec<usize>,
    /// The number of times that every packing is visited: the ways to divide equal pieces into first and last ones.
    pub(in crate::census) repeats: u64,
}

/// All common placements of the last pieces: sets of open cells, by the pattern they show.
#[derive(Debug)]
pub(in crate::census) struct Completions {
    /// Maximum number of pattern cells that the last pieces fill.
    pub(in crate::census) reach: u32,
    /// The number of the list for each pattern, as a mask of cells. Patterns that the pieces cannot show are missing.
    numbers: FxHashMap<u64, u32>,
    /// Sets of open cells, ascending. The bits above the open cells hold the number of further equal sets.
    lists: Vec<Vec<u32>>,
}

impl LastPieces {
    /// Chooses as many last pieces as keep the lists short. Kinds with few placements come first.
    pub(in crate::census) fn new(placements: &BoxPlacements) -> Self {
        let pieces = placements.pieces();
        let ways = |&kind: &usize| placements.masks_of(kind).count() as u128;
        let are_few = |&n: &usize| {
            pieces[pieces.len() - n..].iter().map(ways).fold(1, u128::saturating_mul)
                <= MAX_COMPLETIONS
        };
        let most = (pieces.len() / 2).clamp(1, MAX_LAST_PIECES);
        let number = (1..=most).rev().find(are_few).unwrap_or(1);
        let (before, last) = pieces.split_at(pieces.len() - number);
        let first = placements.copies_in(before).into_iter().map(|n| n as u32).collect();
        let repeats = placements.divisions(last).expect("there are few last pieces");
        Self { first, last: last.to_vec(), repeats }
    }

    /// Returns the number of levels of a search: at each, one of the first pieces is placed.
    pub(in crate::census) fn levels(&self) -> usize {
        (self.first.iter().sum::<u32>() as usize).max(1)
    }

    /// Returns the maximum memory for the lists of these pieces. It includes each thread's copies of lists.
    pub(in crate::census) fn bytes(&self, grid: &Grid, placements: &BoxPlacements) -> MethodBytes {
        let all = placements.avoiding(0);
        let sets = count_unions(placements, &self.last, &all);
        let patterns = |&kind: &usize| {
            let shown = placements.masks_of(kind).map(|mask| mask & grid.pattern_cells());
            shown.collect::<BTreeSet<u64>>().len() as u64
        };
        let every_pattern = 1 << (grid.cells.len() - grid.open);
        let lists = self.last.iter().map(patterns).fold(1, u64::saturating_mul);
        let lists = lists.min(sets).min(every_pattern);
        // A list that grows doubles its memory, and is copied when equal sets are merged.
        let shared = 12 * sets + LIST_BYTES * lists;
        let level = 4 * (sets + SPARE_SETS as u64) + size_of::<ListSpan>() as u64 * lists;
        MethodBytes { shared, thread: self.levels() as u64 * level + 4 * sets }
    }
}

impl Completions {
    /// Builds the lists; `None` if `stop` is set.
    pub(in crate::census) fn new(
        grid: &Grid,
        placements: &BoxPlacements,
        pieces: &LastPieces,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let (open, all) = (grid.open_cells(), placements.avoiding(0));
        let mut completions = Self { reach: 0, numbers: FxHashMap::default(), lists: Vec::new() };
        unions(placements, &pieces.last, &all, 0, stop, &mut |cells| {
            completions.add(cells & !open, (cells & open) as u32);
        })?;
        for list in &mut completions.lists {
            merge(list, grid.open);
        }
        Some(completions)
    }

    /// Appends a set of open cells to the list of a pattern.
    fn add(&mut self, pattern: u64, set: u32) {
        let next = self.lists.len() as u32;
        let number = *self.numbers.entry(pattern).or_insert(next);
        if number == next {
            self.lists.push(Vec::new());
            self.reach = self.reach.max(pattern.count_ones());
        }
        self.lists[number as usize].push(set);
    }

    /// Returns the number of the list whose sets fill exactly the pattern cells `missing`, if there is one.
    #[inline]
    pub(in crate::census) fn number(&self, missing: u64) -> Option<usize> {
        self.numbers.get(&missing).map(|&n| n as usize)
    }
}

/// Sorts a list and merges equal sets. Sorted sets have nearby ranks, so the counters of sets that are counted one
/// after the other are near each other in memory. The bits above the open cells hold the number of further equal sets,
/// as far as there is room.
fn merge(list: &mut Vec<u32>, open: usize) {
    list.sort_unstable();
    let most = 1_usize << (SET_BITS - open).min(MAX_REPEAT_BITS);
    let same = list.chunk_by(|a, b| a == b);
    let merged = same
        .flat_map(|same| same.chunks(most))
        // With 32 open cells no bit is left, and equal sets stay separate.
        .map(|same| same[0] | (same.len() as u32 - 1).checked_shl(open as u32).unwrap_or(0));
    *list = merged.collect();
    list.shrink_to_fit();
}

/// Visits the cells of all common placements of `pieces` from `row`. Returns `None` if `stop` is set.
fn unions(
    placements: &BoxPlacements,
    pieces: &[usize],
    row: &[u64],
    filled: u64,
    stop: &AtomicBool,
    visit: &mut impl FnMut(u64),
) -> Option<()> {
    let Some((&kind, rest)) = pieces.split_first() else {
        visit(filled);
        return Some(());
    };
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut row = row.to_vec();
    let fit: Vec<usize> = placements.of_kind(kind, &row).collect();
    for placement in fit {
        // The next of equal pieces must come after this one.
        row[placement / 64] &= !(1 << (placement % 64));
        let disjoint = placements.disjoint(placement);
        let below: Vec<u64> = row.iter().zip(disjoint).map(|(a, b)| a & b).collect();
        unions(placements, rest, &below, filled | placements.masks[placement], stop, visit)?;
    }
    Some(())
}

/// Counts the sets that [`unions`] visits. For the last piece it counts bits instead of visiting.
pub(in crate::census) fn count_unions(
    placements: &BoxPlacements,
    pieces: &[usize],
    row: &[u64],
) -> u64 {
    let Some((&kind, rest)) = pieces.split_first() else { return 1 };
    let words = placements.kinds[kind].words.clone();
    if rest.is_empty() {
        return row[words].iter().map(|word| u64::from(word.count_ones())).sum();
    }
    let (mut row, mut sum) = (row.to_vec(), 0);
    for word in words {
        for bit in ones(row[word]) {
            row[word] &= !(1 << bit);
            let disjoint = placements.disjoint(word * 64 + bit);
            let below: Vec<u64> = row.iter().zip(disjoint).map(|(a, b)| a & b).collect();
            sum += count_unions(placements, rest, &below);
        }
    }
    sum
}

/// Number of entries that a level's sets need beyond their end.
const SPARE_SETS: usize = 8;

/// The position of a list's copy among the sets of a level.
#[derive(Clone, Copy, Debug, Default)]
struct ListSpan {
    /// The level's `entry` when the copy was made. The copy is valid only if that has not changed since.
    entry: u32,
    begin: u32,
    end: u32,
}

/// Copies of the lists by level, without sets that overlap placed pieces. They take long to allocate, so they serve one
/// shard after the other.
pub(in crate::census) struct CompletionLevels {
    levels: Vec<CompletionLevel>,
}

struct CompletionLevel {
    /// The number of times that the level was entered, from 1; 0 marks copies that were never made. Counting up makes
    /// all copies of the level invalid at once.
    entry: u32,
    /// The open cells of the piece placed last.
    placed: u32,
    /// The positions of the copies, by the number of the list.
    spans: Vec<ListSpan>,
    sets: Vec<u32>,
}

impl CompletionLevels {
    /// Allocates the levels. At the first of them no piece is placed, and lists are not copied.
    pub(in crate::census) fn new(completions: &Completions, levels: usize) -> Self {
        let sets: usize = completions.lists.iter().map(Vec::len).sum();
        let level = |_| CompletionLevel {
            entry: 0,
            placed: 0,
            spans: vec![ListSpan::default(); completions.lists.len()],
            sets: Vec::with_capacity(sets + SPARE_SETS),
        };
        Self { levels: (1..levels).map(level).collect() }
    }

    /// Enters a level with a piece on these open cells. It must not be the first level.
    #[inline]
    pub(in crate::census) fn enter(&mut self, level: usize, placed: u32) {
        let level = &mut self.levels[level - 1];
        level.placed = placed;
        level.sets.clear();
        level.entry = level.entry.wrapping_add(1);
        if level.entry == 0 {
            level.spans.fill(ListSpan::default());
            level.entry = 1;
        }
    }

    /// Returns a list without the sets that overlap the pieces placed up to a level. Copies it if that was not done
    /// yet.
    #[inline]
    pub(in crate::census) fn list<'a>(
        &'a mut self,
        completions: &'a Completions,
        level: usize,
        number: usize,
    ) -> &'a [u32] {
        let Some(at) = level.checked_sub(1) else { return &completions.lists[number] };
        let CompletionLevel { spans, entry, .. } = &self.levels[at];
        if spans[number].entry != *entry {
            self.copy(completions, at, number);
        }
        self.levels[at].span(number)
    }

    /// Copies a list from the level above, which is copied first if necessary. `at` is an index in `levels`.
    fn copy(&mut self, completions: &Completions, at: usize, number: usize) {
        self.list(completions, at, number);
        let (above, below) = self.levels.split_at_mut(at);
        let from = above.last().map_or(&completions.lists[number][..], |level| level.span(number));
        let level = &mut below[0];
        let begin = level.sets.len() as u32;
        disjoint(from, level.placed, &mut level.sets);
        let end = level.sets.len() as u32;
        level.spans[number] = ListSpan { entry: level.entry, begin, end };
    }
}

impl CompletionLevel {
    #[inline]
    fn span(&self, number: usize) -> &[u32] {
        let ListSpan { begin, end, .. } = self.spans[number];
        &self.sets[begin as usize..end as usize]
    }
}
