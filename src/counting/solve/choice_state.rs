//! The choice of pieces at a node of a search, for sets of which a packing uses only some.
//!
//! Of each type a packing uses at least some copies and at most as many as the set has. So the copies left are *needed*
//! first, until the least number is placed, and *optional* then. The needed copies leave some of the uncovered cells,
//! the *spare* cells, which optional copies must fill. A type is closed when no copy is left, or when only optional
//! ones are and they are larger than the spare cells. A node is dropped if no optional copies fill the spare cells: a
//! bounded subset sum of their sizes.
//!
//! For example, one of three L and up to two V fill 11 cells. One L is needed, so seven cells are spare. If a V lies
//! there, four are left: L may follow, a second V may not, because one cell would be left.

use super::prepared_set::PreparedPiece;
use somacat_geometry::figure::MAX_CELLS;

/// What is left to choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceState<'k> {
    kinds: &'k [PreparedPiece],
    /// The number of uncovered cells that optional copies must fill.
    spare: usize,
    /// The number of optional pieces that must follow, gaps not included; `None` if any number may.
    pieces: Option<usize>,
}

impl<'k> ChoiceState<'k> {
    /// Begins with nothing placed in a figure of `cells` cells, which some choice of the pieces fills. A packing uses
    /// `number` pieces, if given.
    pub(super) fn new(kinds: &'k [PreparedPiece], cells: usize, number: Option<usize>) -> Self {
        let needed = kinds.iter().map(|kind| kind.least as usize * kind.size).sum::<usize>();
        let pieces = kinds.iter().filter(|kind| !kind.is_gap).map(|kind| kind.least as usize);
        let pieces = number.map(|number| number.saturating_sub(pieces.sum()));
        Self { kinds, spare: cells.saturating_sub(needed), pieces }
    }

    /// Takes over what is left to choose from another search for the same pieces.
    pub(super) fn continue_from(&mut self, other: &ChoiceState<'_>) {
        (self.spare, self.pieces) = (other.spare, other.pieces);
    }

    /// Returns true if of `left` copies of a type some are needed.
    pub(super) fn needs(&self, kind: usize, left: u32) -> bool {
        left > self.optional(kind)
    }

    /// Returns the number of optional copies of a type before any are placed.
    fn optional(&self, kind: usize) -> u32 {
        self.kinds[kind].count - self.kinds[kind].least
    }

    /// Places a copy of a type, of which `left` are left then.
    pub(super) fn place(&mut self, kind: usize, left: u32) {
        if left < self.optional(kind) {
            self.spare -= self.kinds[kind].size;
            self.pieces = self.pieces.map(|n| n - usize::from(!self.kinds[kind].is_gap));
        }
    }

    /// Takes back a copy of a type, of which `left` were left.
    pub(super) fn take_back(&mut self, kind: usize, left: u32) {
        if left < self.optional(kind) {
            self.spare += self.kinds[kind].size;
            self.pieces = self.pieces.map(|n| n + usize::from(!self.kinds[kind].is_gap));
        }
    }

    /// Returns true if no copy of a type may follow.
    pub(super) fn is_closed(&self, kind: usize, left: u32) -> bool {
        let too_many = || self.pieces == Some(0) && !self.kinds[kind].is_gap;
        left == 0 || !self.needs(kind, left) && (self.kinds[kind].size > self.spare || too_many())
    }

    /// Returns true if the optional copies left can fill the spare cells. With a number of pieces, only the smallest and
    /// the largest of them are compared with it.
    pub(super) fn can_be_filled(&self, left: &[u32]) -> bool {
        if self.spare == 0 {
            return self.pieces.is_none_or(|pieces| pieces == 0);
        }
        let copies = |kind: usize| left[kind].min(self.optional(kind)) as usize;
        let follow = (0..left.len()).filter(|&kind| copies(kind) > 0);
        let follow = follow.map(|kind| (&self.kinds[kind], copies(kind)));
        if let Some(pieces) = self.pieces {
            let gaps = follow.clone().filter(|(kind, _)| kind.is_gap).map(|(_, copies)| copies);
            let others = || follow.clone().filter(|(kind, _)| !kind.is_gap);
            let sizes = || others().map(|(kind, _)| kind.size);
            let [least, most] = [sizes().min(), sizes().max()].map(Option::unwrap_or_default);
            if others().map(|(_, copies)| copies).sum::<usize>() < pieces
                || self.spare < pieces * least
                || self.spare > pieces * most + gaps.sum::<usize>()
            {
                return false;
            }
        }
        let cells = follow.clone().map(|(kind, copies)| kind.size * copies).sum::<usize>();
        let mut sizes = follow.clone().map(|(kind, _)| kind.size);
        let first = sizes.next().unwrap_or(1);
        if sizes.all(|size| size == first) {
            return cells >= self.spare && self.spare.is_multiple_of(first);
        }
        cells >= self.spare && self.is_sum(follow)
    }

    /// Returns true if the spare cells are a sum of sizes, each as often as there are copies.
    fn is_sum<'a>(&self, copies: impl Iterator<Item = (&'a PreparedPiece, usize)>) -> bool {
        let mut sums = [0_u64; MAX_CELLS / 64 + 1];
        let words = self.spare / 64 + 1;
        sums[0] = 1;
        for (kind, copies) in copies {
            // Any number of copies is a sum of some of 1, 2, 4, … and a rest.
            let (mut left, mut step) = (copies.min(self.spare / kind.size), 1);
            while left > 0 {
                let together = left.min(step);
                let (by, bits) = (together * kind.size / 64, together * kind.size % 64);
                for to in (by..words).rev() {
                    let carried = if to > by { (sums[to - by - 1] >> 1) >> (63 - bits) } else { 0 };
                    sums[to] |= sums[to - by] << bits | carried;
                }
                left -= together;
                step *= 2;
            }
        }
        sums[self.spare / 64] >> (self.spare % 64) & 1 == 1
    }
}
