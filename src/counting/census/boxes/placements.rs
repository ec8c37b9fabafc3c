//! All placements of the pieces in a box, as bits of words.
//!
//! A *row* is a set of placements, with a bit for each placement in the box. Each kind of piece starts a new word, so
//! its placements are whole words of a row. For each placement a row marks the placements disjoint from it. When some
//! pieces are placed, the placements that are still possible are the conjunction of their rows, and every placement
//! tried fits.

use super::grid::{BoxSymmetry, Grid};
use crate::census::sets::rank::binomial;
use crate::random::SplitMix;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// Random packings from which an estimate is made.
const TRIALS: u32 = 2000;

/// A kind of piece in a box.
#[derive(Clone, Debug)]
pub(in crate::census) struct PieceKind {
    /// The number of its copies in the set.
    pub(in crate::census) copies: u32,
    /// The words of a row that hold its placements.
    pub(in crate::census) words: Range<usize>,
    /// The mirror image's kind, if the set is closed under reflection.
    pub(in crate::census) mirror: Option<usize>,
}

/// The placements in a box. Kinds with few of them come first.
#[derive(Debug)]
pub(in crate::census) struct BoxPlacements {
    pub(in crate::census) kinds: Vec<PieceKind>,
    /// The number of words of a row.
    pub(in crate::census) words: usize,
    /// For each bit of a row, the cells of the placement. An entry is 0 where a kind's last word has bits to spare.
    pub(in crate::census) masks: Vec<u64>,
    /// For each bit of a row, the row of the placements disjoint from it: [`BoxPlacements::words`] words each.
    disjoint: Vec<u64>,
}

impl BoxPlacements {
    pub(in crate::census) fn new(grid: &Grid, set: &PieceSet) -> Self {
        let mut lists: Vec<(usize, Vec<u64>)> = Vec::new();
        for (number, (piece, _)) in set.pieces().iter().enumerate() {
            let mut masks = BTreeSet::new();
            for shape in piece.orientations() {
                for &corner in &grid.cells {
                    let bit = |c| grid.cells.iter().position(|&cell| cell == c + corner);
                    let mask = shape.iter().try_fold(0_u64, |m, &c| Some(m | 1 << bit(c)?));
                    masks.extend(mask);
                }
            }
            lists.push((number, masks.into_iter().collect()));
        }
        lists.sort_by_key(|(_, list)| list.len());
        let at = |number: usize| lists.iter().position(|(n, _)| *n == number);
        let mut masks: Vec<u64> = Vec::new();
        let mut kinds = Vec::new();
        for (number, list) in &lists {
            let begin = masks.len() / 64;
            masks.extend(list);
            masks.resize(masks.len().next_multiple_of(64), 0);
            kinds.push(PieceKind {
                copies: set.pieces()[*number].1 as u32,
                words: begin..masks.len() / 64,
                mirror: set.mirror_map().and_then(|map| at(map[*number])),
            });
        }
        let row = |test: &dyn Fn(u64) -> bool| -> Vec<u64> {
            let word = |some: &[u64]| {
                let fit = some.iter().enumerate().filter(|(_, m)| **m != 0 && test(**m));
                fit.fold(0_u64, |word, (bit, _)| word | 1 << bit)
            };
            masks.chunks(64).map(word).collect()
        };
        let disjoint = masks.iter().flat_map(|&mask| row(&|other| other & mask == 0)).collect();
        Self { kinds, words: masks.len() / 64, disjoint, masks }
    }

    /// Returns the row of placements disjoint from one.
    #[inline]
    pub(in crate::census) fn disjoint(&self, placement: usize) -> &[u64] {
        &self.disjoint[placement * self.words..][..self.words]
    }

    /// Returns the row of placements that leave all of these cells free.
    pub(in crate::census) fn avoiding(&self, cells: u64) -> Vec<u64> {
        let free = |m: &&u64| **m != 0 && **m & cells == 0;
        let word = |some: &[u64]| {
            let at = |(bit, m)| if free(&m) { 1_u64 << bit } else { 0 };
            some.iter().enumerate().map(at).fold(0, |word, bit| word | bit)
        };
        self.masks.chunks(64).map(word).collect()
    }

    /// Returns a kind's placements among those of a row.
    pub(in crate::census) fn of_kind<'a>(
        &'a self,
        kind: usize,
        row: &'a [u64],
    ) -> impl Iterator<Item = usize> + 'a {
        self.kinds[kind]
            .words
            .clone()
            .flat_map(move |word| ones(row[word]).map(move |b| word * 64 + b))
    }

    /// Iterates over the cells of a kind's placements.
    pub(in crate::census) fn masks_of(&self, kind: usize) -> impl Iterator<Item = u64> {
        let PieceKind { words, .. } = &self.kinds[kind];
        let masks = self.masks[words.start * 64..words.end * 64].iter();
        masks.copied().filter(|&mask| mask != 0)
    }

    /// Returns the kind of each piece; equal ones are adjacent.
    pub(in crate::census) fn pieces(&self) -> Vec<usize> {
        let copies = self.kinds.iter().enumerate();
        copies.flat_map(|(number, kind)| (0..kind.copies).map(move |_| number)).collect()
    }

    /// Estimates the number of packings of the set in the box. Pieces are placed at random, one after another; the
    /// product of their numbers of choices is right on average (Knuth 1975). The estimate is rough if few cells stay
    /// empty, since then most trials end without a packing.
    pub(in crate::census) fn estimated_packings(&self) -> f64 {
        let (pieces, mut random) = (self.pieces(), SplitMix::new(0));
        let mut choices = || {
            let (mut row, mut product) = (self.avoiding(0), 1.0);
            for &kind in &pieces {
                let free: Vec<usize> = self.of_kind(kind, &row).collect();
                product *= free.len() as f64;
                let Some(at) = random.next().checked_rem(free.len() as u64) else { return 0.0 };
                let others = self.disjoint(free[at as usize]);
                row.iter_mut().zip(others).for_each(|(word, other)| *word &= other);
            }
            product
        };
        let mean = (0..TRIALS).map(|_| choices()).sum::<f64>() / f64::from(TRIALS);
        let orders = self.kinds.iter().flat_map(|kind| 1..=kind.copies).map(f64::from);
        mean / orders.product::<f64>()
    }

    /// Returns, for each kind, the number of its copies among some pieces.
    pub(in crate::census) fn copies_in(&self, pieces: &[usize]) -> Vec<usize> {
        let mut copies = vec![0; self.kinds.len()];
        for &kind in pieces {
            copies[kind] += 1;
        }
        copies
    }

    /// Counts the ways to divide the pieces into `part` and the others. Returns `None` if the number does not fit 64
    /// bits.
    pub(in crate::census) fn divisions(&self, part: &[usize]) -> Option<u64> {
        let ways = self.kinds.iter().zip(self.copies_in(part));
        let mut ways = ways.map(|(kind, taken)| binomial(kind.copies as usize, taken));
        ways.try_fold(1, |product: u64, ways| product.checked_mul(ways.try_into().ok()?))
    }

    /// Returns the kind of which only one placement of each orbit has to be tried. It has one copy, which is among the
    /// first pieces, and it is its own mirror image if there are reflections among the symmetries. Of several such
    /// kinds, takes the one with the most placements, of which symmetries fix the fewest.
    pub(in crate::census) fn reducible(
        &self,
        symmetries: &[&BoxSymmetry],
        first: &[u32],
    ) -> Option<usize> {
        let proper = symmetries.iter().all(|s| s.transform.is_rotation());
        let fit = |kind: &usize| {
            let PieceKind { copies, mirror, .. } = self.kinds[*kind];
            copies == 1 && first[*kind] == 1 && (proper || mirror == Some(*kind))
        };
        (0..self.kinds.len()).rev().find(fit)
    }

    pub(in crate::census) const fn bytes(&self) -> u64 {
        8 * (self.masks.len() + self.disjoint.len()) as u64
    }
}

/// Iterates over the set bits of a word, ascending.
pub(in crate::census) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
