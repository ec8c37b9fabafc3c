//! Counts all packings that show a pattern, by the cells they fill.
//!
//! This is the method for boxes of which the other two would need too much memory, or have numbers of more than 32
//! bits. The first pieces are placed kind by kind, anywhere outside the bare pattern cells, those that must stay empty.
//! The pattern cells that are then missing select the list of the last pieces, which are placed all at once
//! (`completions.rs`). Every packing is visited once (with equal pieces among the first and the last,
//! [`LastPieces::repeats`] times). There are few dead ends, because nothing restricts the open cells.
//!
//! If symmetries keep the pattern, one piece that comes once is placed first, in one position of each orbit O of its
//! placements. If the symmetries include reflections, the piece is its own mirror image. With t(S) the sum of |O| over
//! the packings of S found this way, the number of packings of S is
//!
//! > f(S) = 1/|H| · Σ t(gS) over g in H, the group of symmetries that keep the pattern:
//!
//! a placement in O is the image of the representative under |H|/|O| elements. A reflection exchanges pieces and
//! their mirror images; for a set not closed under reflection, H has only rotations.

use super::completions::{CompletionLevels, Completions, LastPieces};
use crate::census::boxes::placements::BoxPlacements;
use crate::census::sets::counters::Counters;
use crate::census::sets::disjoint::disjoint;
use crate::census::sets::rank::Ranking;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search through the packings of one pattern.
pub(in crate::census) struct Backtracking<'a> {
    placements: &'a BoxPlacements,
    completions: &'a Completions,
    ranking: &'a Ranking,
    open: u64,
    stop: &'a AtomicBool,
    /// The number to count for each packing.
    weight: u32,
    /// For each level, the row of placements that are still possible: a bit for each placement in the box. At the
    /// present level those tried already are cleared.
    rows: Vec<u64>,
    /// For each kind, the number of copies left among the first pieces.
    left: Vec<u32>,
    /// For each kind, the maximum number of pattern cells that a placement fills.
    reach: Vec<u32>,
    /// The sets that the last pieces can fill, at each level.
    levels: &'a mut CompletionLevels,
    /// Buffer for the sets that complete packings.
    completing: Vec<u32>,
    /// Packings by the rank of the open cells.
    pub(in crate::census) counters: Counters,
    pub(in crate::census) total: u128,
    pub(in crate::census) stopped: bool,
}

impl<'a> Backtracking<'a> {
    /// Prepares a search with placements from `row` that fill the cells `pattern`.
    pub(in crate::census) fn new(
        placements: &'a BoxPlacements,
        last: &LastPieces,
        (completions, levels): (&'a Completions, &'a mut CompletionLevels),
        ranking: &'a Ranking,
        (open, pattern, row): (u64, u64, Vec<u64>),
        stop: &'a AtomicBool,
    ) -> Self {
        let reach = |kind| {
            let fill = |p: usize| (placements.masks[p] & pattern).count_ones();
            placements.of_kind(kind, &row).map(fill).max().unwrap_or(0)
        };
        let reach = (0..placements.kinds.len()).map(reach).collect();
        let mut rows = row;
        rows.resize(last.levels() * placements.words, 0);
        Self {
            placements,
            completions,
            ranking,
            open,
            stop,
            weight: 1,
            rows,
            left: last.first.clone(),
            reach,
            levels,
            completing: Vec::new(),
            counters: Counters::new(ranking.count()),
            total: 0,
            stopped: false,
        }
    }

    /// Counts all packings, each as 1.
    pub(in crate::census) fn run(&mut self, pattern: u64) {
        self.fill(0, 0, pattern);
    }

    /// Counts the packings that contain a first piece's placement, each as `weight`.
    pub(in crate::census) fn run_with(
        &mut self,
        pattern: u64,
        kind: usize,
        placement: usize,
        weight: u32,
    ) {
        self.weight = weight;
        if self.left.iter().sum::<u32>() == 1 {
            let mask = self.placements.masks[placement];
            self.complete(0, mask, mask, self.completions.number(pattern & !mask));
        } else {
            self.place(0, 0, pattern, kind, placement);
        }
    }

    /// Places a piece and continues, if every kind left can still be placed, and the pieces left can reach as many
    /// pattern cells as are missing.
    fn place(&mut self, depth: usize, filled: u64, missing: u64, kind: usize, placement: usize) {
        let placements = self.placements;
        let mask = placements.masks[placement];
        let missing = missing & !mask;
        self.left[kind] -= 1;
        let words = placements.words;
        let (above, below) = self.rows[depth * words..].split_at_mut(words);
        let disjoint = placements.disjoint(placement);
        let mut possible = true;
        let mut reach = self.completions.reach;
        for (other, &left) in self.left.iter().enumerate() {
            if left > 0 {
                let mut any = 0;
                for word in placements.kinds[other].words.clone() {
                    below[word] = above[word] & disjoint[word];
                    any |= below[word];
                }
                possible &= any != 0;
                reach += left * self.reach[other];
            }
        }
        if possible && missing.count_ones() <= reach {
            self.levels.enter(depth + 1, (mask & self.open) as u32);
            self.fill(depth + 1, filled | mask, missing);
        }
        self.left[kind] += 1;
    }

    /// Places a piece of the first kind that is left in every way. Equal pieces are placed in ascending order.
    fn fill(&mut self, depth: usize, filled: u64, missing: u64) {
        if self.stop.load(Ordering::Relaxed) {
            self.stopped = true;
            return;
        }
        let placements = self.placements;
        let Some(kind) = self.left.iter().position(|&left| left > 0) else {
            self.complete(0, 0, 0, self.completions.number(missing));
            return;
        };
        let last = self.left.iter().sum::<u32>() == 1;
        // Most placements leave the same cells missing, so their list is looked up once.
        let (mut of, mut number) = (missing, self.completions.number(missing));
        let row = depth * placements.words;
        for word in placements.kinds[kind].words.clone() {
            while self.rows[row + word] != 0 {
                let bits = self.rows[row + word];
                let placement = word * 64 + bits.trailing_zeros() as usize;
                self.rows[row + word] = bits & (bits - 1);
                if !last {
                    self.place(depth, filled, missing, kind, placement);
                    continue;
                }
                let mask = placements.masks[placement];
                if missing & !mask != of {
                    of = missing & !mask;
                    number = self.completions.number(of);
                }
                self.complete(depth, filled | mask, mask, number);
            }
        }
    }

    /// Counts the packings that a list of the last pieces completes. `filled` are the cells of all pieces placed.
    /// `placed` are those of pieces placed since the list's copy at `depth` was made, and still to be compared.
    /// `number` is the list's.
    fn complete(&mut self, depth: usize, filled: u64, placed: u64, number: Option<usize>) {
        let Some(number) = number else { return };
        let list = self.levels.list(self.completions, depth, number);
        if list.is_empty() {
            return;
        }
        self.completing.clear();
        disjoint(list, (placed & self.open) as u32, &mut self.completing);
        let (open, above) = (self.open, self.open.count_ones());
        let filled = filled & open;
        let mut count = 0;
        for &set in &self.completing {
            let set = u64::from(set);
            let times = (set >> above) as u32 + 1;
            count += u64::from(times);
            let number = u64::from(self.weight * times);
            self.counters.add(self.ranking.rank(filled | (set & open)), number);
        }
        self.total += u128::from(count * u64::from(self.weight));
    }
}
