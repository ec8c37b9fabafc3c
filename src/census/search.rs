//! All packings whose cells show a given pattern, tallied by the cells they fill.
//!
//! First the pattern's cells are filled, always the lowest one that is still empty, with any piece
//! that is left; then what is left of the set is placed kind by kind, anywhere in the open cells.
//! Every packing comes once. Where the pieces lie makes no dead ends: in the open cells anything
//! goes, so nearly all of the time is spent at the packings themselves.

use super::pairs::{Narrowed, Pairs};
use super::placements::Placements;
use super::rank::Ranking;
use super::sift::disjoint;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search through the packings of one pattern.
pub(super) struct Search<'a> {
    placements: &'a Placements,
    ranking: &'a Ranking,
    open: u64,
    stop: &'a AtomicBool,
    /// What is counted for each packing.
    weight: u32,
    /// For each level, the row of placements that are still possible.
    rows: Vec<u64>,
    /// Copies left of each kind.
    left: Vec<u32>,
    /// The most pattern cells that a placement of each kind fills.
    reach: Vec<u32>,
    /// What the last two pieces can fill.
    narrowed: Narrowed<'a>,
    /// Room for the sets that complete packings.
    completing: Vec<u32>,
    /// By rank. Sums wrap around; `total` tells.
    pub(super) tally: Vec<u32>,
    /// The sum of the tally as it should be.
    pub(super) total: u64,
    pub(super) stopped: bool,
}

impl<'a> Search<'a> {
    /// Prepares a search with placements from `row` that fill the cells `pattern`.
    pub(super) fn new(
        placements: &'a Placements,
        pairs: &'a Pairs,
        ranking: &'a Ranking,
        (open, pattern, row): (u64, u64, Vec<u64>),
        stop: &'a AtomicBool,
    ) -> Self {
        let left: Vec<u32> = placements.kinds.iter().map(|kind| kind.copies).collect();
        let reach = |kind| {
            let fill = |p: usize| (placements.masks[p] & pattern).count_ones();
            placements.of_kind(kind, &row).map(fill).max().unwrap_or(0)
        };
        let levels = left.iter().sum::<u32>() as usize + 1;
        let mut rows = row.clone();
        rows.resize(levels * placements.words, 0);
        Self {
            placements,
            ranking,
            open,
            stop,
            weight: 1,
            rows,
            reach: (0..left.len()).map(reach).collect(),
            left,
            narrowed: Narrowed::new(pairs, levels),
            completing: Vec::new(),
            tally: vec![0; ranking.count()],
            total: 0,
            stopped: false,
        }
    }

    /// Counts all packings, each as one.
    pub(super) fn run(&mut self, pattern: u64) {
        self.fill(0, 0, pattern);
    }

    /// Counts the packings that hold a placement, each as `weight`.
    pub(super) fn run_with(&mut self, pattern: u64, kind: usize, placement: usize, weight: u32) {
        self.weight = weight;
        let pieces = self.left.iter().sum::<u32>();
        if pieces == 1 {
            self.count_one(0, pattern, placement);
        } else {
            self.place(0, 0, pattern, kind, placement);
        }
    }

    fn level(&self, depth: usize, word: usize) -> u64 {
        self.rows[depth * self.placements.words + word]
    }

    /// Goes one level down with a placement, if every kind left can still be placed.
    fn place(&mut self, depth: usize, filled: u64, missing: u64, kind: usize, placement: usize) {
        let placements = self.placements;
        let mask = placements.masks[placement];
        let missing = missing & !mask;
        self.left[kind] -= 1;
        let words = placements.words;
        let (above, below) = self.rows[depth * words..].split_at_mut(words);
        let disjoint = placements.disjoint(placement);
        let mut possible = true;
        let mut reach = 0;
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
            self.narrowed.enter(depth + 1, (mask & self.open) as u32);
            self.fill(depth + 1, filled | mask, missing);
        }
        self.left[kind] += 1;
    }

    /// Places what is left.
    fn fill(&mut self, depth: usize, filled: u64, missing: u64) {
        let pieces: u32 = self.left.iter().sum();
        if pieces > 3 && self.stop.load(Ordering::Relaxed) {
            self.stopped = true;
            return;
        }
        match (pieces, missing) {
            (0, _) => {}
            (1, _) => self.last(depth, filled, missing),
            (3, _) if self.left.iter().all(|&left| left < 2) => {
                self.last_three(depth, filled, missing);
            }
            (2, 0) => self.last_two(depth, filled),
            (_, 0) => self.fill_open(depth, filled),
            _ => self.fill_pattern(depth, filled, missing),
        }
    }

    /// Fills the lowest pattern cell.
    fn fill_pattern(&mut self, depth: usize, filled: u64, missing: u64) {
        let placements = self.placements;
        let filling = placements.filling(missing.trailing_zeros());
        for kind in 0..placements.kinds.len() {
            if self.left[kind] == 0 {
                continue;
            }
            for word in placements.kinds[kind].words.clone() {
                let mut bits = self.level(depth, word) & filling[word];
                while bits != 0 {
                    let placement = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    self.place(depth, filled, missing, kind, placement);
                }
            }
        }
    }

    /// Places the first kind that is left. Equal pieces are placed in ascending order.
    fn fill_open(&mut self, depth: usize, filled: u64) {
        let placements = self.placements;
        let Some(kind) = self.left.iter().position(|&left| left > 0) else { return };
        let row = depth * placements.words;
        for word in placements.kinds[kind].words.clone() {
            while self.rows[row + word] != 0 {
                let bits = self.rows[row + word];
                let placement = word * 64 + bits.trailing_zeros() as usize;
                self.rows[row + word] = bits & (bits - 1);
                self.place(depth, filled, 0, kind, placement);
            }
        }
    }

    /// Places one of three different pieces, and completes packings from the list of what the other
    /// two can fill.
    fn last_three(&mut self, depth: usize, filled: u64, missing: u64) {
        let placements = self.placements;
        let mut three = [0; 3];
        let left = self.left.iter().enumerate().filter(|(_, left)| **left > 0);
        three.iter_mut().zip(left).for_each(|(to, (kind, _))| *to = kind);
        let [a, b, c] = three;
        let choices = [(a, b, c), (b, a, c), (c, a, b)];
        let filling = (missing != 0).then(|| placements.filling(missing.trailing_zeros()));
        for &(kind, one, two) in &choices[..if missing == 0 { 1 } else { 3 }] {
            // The list for what is missing; most placements leave the same.
            let (mut of, mut number) = (missing, self.narrowed.number(one, two, missing));
            for word in placements.kinds[kind].words.clone() {
                let mut bits = self.level(depth, word) & filling.map_or(u64::MAX, |f| f[word]);
                while bits != 0 {
                    let placement = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let mask = placements.masks[placement];
                    if missing & !mask != of {
                        of = missing & !mask;
                        number = self.narrowed.number(one, two, of);
                    }
                    if let Some(number) = number {
                        self.complete(depth, filled | mask, mask, number);
                    }
                }
            }
        }
    }

    /// Counts the packings that two pieces from a list complete.
    fn complete(&mut self, depth: usize, filled: u64, placed: u64, number: usize) {
        let list = self.narrowed.list(depth, number);
        if list.is_empty() {
            return;
        }
        self.completing.clear();
        disjoint(list, (placed & self.open) as u32, &mut self.completing);
        let filled = filled & self.open;
        for &set in &self.completing {
            let tally = &mut self.tally[self.ranking.rank(filled | u64::from(set))];
            *tally = tally.wrapping_add(self.weight);
        }
        self.total += self.completing.len() as u64 * u64::from(self.weight);
    }

    /// Places the last two pieces in the open cells.
    fn last_two(&mut self, depth: usize, filled: u64) {
        let placements = self.placements;
        let mut kinds = self.left.iter().enumerate().filter(|(_, left)| **left > 0);
        let Some((one, _)) = kinds.next() else { return };
        let two = kinds.next().map_or(one, |(kind, _)| kind);
        let words = placements.kinds[two].words.clone();
        for word in placements.kinds[one].words.clone() {
            let mut bits = self.level(depth, word);
            while bits != 0 {
                let placement = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let filled = filled | placements.masks[placement];
                let disjoint = placements.disjoint(placement);
                for second in words.clone() {
                    let mut fit = self.level(depth, second) & disjoint[second];
                    if one == two {
                        fit &= match second.cmp(&word) {
                            std::cmp::Ordering::Less => 0,
                            std::cmp::Ordering::Equal => bits,
                            std::cmp::Ordering::Greater => u64::MAX,
                        };
                    }
                    self.count(second, fit, filled);
                }
            }
        }
    }

    /// Places the last piece, which must fill what is missing.
    fn last(&mut self, depth: usize, filled: u64, missing: u64) {
        let placements = self.placements;
        let Some(kind) = self.left.iter().position(|&left| left > 0) else { return };
        for word in placements.kinds[kind].words.clone() {
            let mut fit = self.level(depth, word);
            let mut rest = missing;
            while rest != 0 {
                fit &= placements.filling(rest.trailing_zeros())[word];
                rest &= rest - 1;
            }
            self.count(word, fit, filled);
        }
    }

    /// Counts the packings that the placements `fit` of a word complete.
    #[inline(always)]
    fn count(&mut self, word: usize, mut fit: u64, filled: u64) {
        self.total += u64::from(fit.count_ones()) * u64::from(self.weight);
        let masks = &self.placements.masks[word * 64..][..64];
        while fit != 0 {
            let set = filled | masks[fit.trailing_zeros() as usize];
            fit &= fit - 1;
            let tally = &mut self.tally[self.ranking.rank(set & self.open)];
            *tally = tally.wrapping_add(self.weight);
        }
    }

    /// Counts a packing of a single piece.
    fn count_one(&mut self, filled: u64, missing: u64, placement: usize) {
        if missing & !self.placements.masks[placement] == 0 {
            self.count(placement / 64, 1 << (placement % 64), filled);
        }
    }
}
