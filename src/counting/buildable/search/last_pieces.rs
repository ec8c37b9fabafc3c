//! The last two pieces.
//!
//! Nine tenths of all nodes have one or two pieces left, and to look for the scarcest cell there takes longer than to go
//! on. With two pieces left, two at least of any three uncovered cells are covered by the same piece, and the last piece
//! covers any two: so pieces are taken from lists of the placements that cover two given cells. Far apart, such cells
//! have few or none in common.

use super::{Placement, Reach, Rest, Search, distance};
use crate::buildable::MAX_PIECE;
use crate::buildable::board::{MASK, digits};
use crate::buildable::placements::Others;

impl Search<'_> {
    /// Places the last piece. It covers two cells far apart.
    pub(super) fn place_last(&mut self, rest: &Rest, reach: &mut Reach<'_>) {
        let one = self.uncovered(rest)[0];
        let other = farthest(self.uncovered(rest), &[one]);
        self.place_on(one, other, None, rest, reach);
    }

    /// Places the last but one piece, and then the last. Of three cells two at least are covered by the same piece.
    pub(super) fn place_last_two(&mut self, rest: &Rest, reach: &mut Reach<'_>) {
        if self.is_dead(rest) {
            return;
        }
        let a = self.uncovered(rest)[0];
        let b = farthest(self.uncovered(rest), &[a]);
        let c = farthest(self.uncovered(rest), &[a, b]);
        for (one, other, without) in [(a, b, None), (a, c, Some(b)), (b, c, Some(a))] {
            self.place_on(one, other, without, rest, reach);
        }
    }

    /// Goes on with each placement that covers two cells, and `without` not.
    fn place_on(
        &mut self,
        one: u32,
        other: u32,
        without: Option<u32>,
        rest: &Rest,
        reach: &mut Reach<'_>,
    ) {
        let placements = self.placements;
        for kind in 0..self.left.len() {
            if self.left[kind] == 0 {
                continue;
            }
            for steps in placements.covering(kind, one, other) {
                let placement = self.fit(kind, one, steps, rest);
                let placement =
                    placement.filter(|p| without.is_none_or(|at| !p.cells().contains(&at)));
                if let Some(placement) = placement {
                    self.take_chance(rest, |search| search.place(&placement, rest, reach));
                }
            }
        }
    }

    /// A placement if it takes no cell that is out or covered, brings in no more than there is room for and, if it is
    /// the last, leaves nothing to do.
    fn fit(&self, kind: usize, one: u32, others: &Others, rest: &Rest) -> Option<Placement> {
        let size = self.placements.kinds[kind].size;
        let (mut cells, mut uncovered, mut need) = ([one; MAX_PIECE], 1, 0);
        for (at, step) in others[..size - 1].iter().enumerate() {
            let cell = one.wrapping_add_signed(*step) & MASK;
            let own = i32::from(self.state[cell as usize]);
            if own > rest.room {
                return None;
            }
            uncovered += usize::from(own == 0);
            let orbit = |cell: u32| self.board.orbit[(cell & MASK) as usize];
            if own > 0 && !cells[..=at].iter().any(|&before| orbit(before) == orbit(cell)) {
                need += own;
            }
            cells[at + 1] = cell;
        }
        let ends = uncovered == rest.number_uncovered() && need == rest.room;
        let fits = need <= rest.room && (ends || self.pieces_left() > 1);
        fits.then_some(Placement { kind: kind as u8, size: size as u8, cells })
    }
}

/// The cell that is farthest from the nearest of some others.
fn farthest(cells: &[u32], from: &[u32]) -> u32 {
    let nearest = |at: u32| from.iter().map(|&other| distance(digits(at), digits(other))).min();
    cells.iter().copied().max_by_key(|&at| nearest(at)).expect("some cells")
}
