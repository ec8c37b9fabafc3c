//! The last two pieces.
//!
//! Nine tenths of all nodes have one or two pieces left, where finding the scarcest cell takes longer than
//! continuing. The last piece covers any two uncovered cells. With two pieces left, at least two of any three
//! uncovered cells are covered by the same piece. So pieces are taken from lists of the placements that cover two
//! given cells. Cells far apart have few or no placements in common.

use super::{BoardPlacement, FigureSearch, OnFigure, Remaining};
use crate::buildable::board::{MASK, cell};
use crate::buildable::placements::Others;
use crate::buildable::sizes::MAX_PIECE;

impl FigureSearch<'_> {
    /// Places the last piece, which covers all uncovered cells: of those, two far apart, which few placements have in
    /// common.
    pub(super) fn place_last(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        let one = self.uncovered(remaining)[0];
        let other = farthest(self.uncovered(remaining), &[one]);
        self.place_on(one, other, None, remaining, on_figure);
    }

    /// Places the last two pieces. One of them covers at least two of any three uncovered cells a, b and c. The three
    /// cases, a and b, a and c without b, b and c without a, exclude each other, so no packing is found twice.
    pub(super) fn place_last_two(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        if self.is_dead(remaining) {
            return;
        }
        let a = self.uncovered(remaining)[0];
        let b = farthest(self.uncovered(remaining), &[a]);
        let c = farthest(self.uncovered(remaining), &[a, b]);
        for (one, other, without) in [(a, b, None), (a, c, Some(b)), (b, c, Some(a))] {
            self.place_on(one, other, without, remaining, on_figure);
        }
    }

    /// Places a piece in each way that covers two cells but not `without`, and continues.
    fn place_on(
        &mut self,
        one: u32,
        other: u32,
        without: Option<u32>,
        remaining: &Remaining,
        on_figure: &mut OnFigure<'_>,
    ) {
        let placements = self.placements;
        for kind in 0..self.left.len() {
            if self.left[kind] == 0 {
                continue;
            }
            for steps in placements.covering(kind, one, other) {
                let placement = self.fit(kind, one, steps, remaining);
                let placement =
                    placement.filter(|p| without.is_none_or(|at| !p.cells().contains(&at)));
                if let Some(placement) = placement {
                    self.try_alternative(remaining, |search| {
                        search.place(&placement, remaining, on_figure);
                    });
                }
            }
        }
    }

    /// Returns a placement if it fits. It must not take a cell that is out or covered, or bring in more cells than
    /// there is room for. The last piece must complete the figure.
    fn fit(
        &self,
        kind: usize,
        one: u32,
        others: &Others,
        remaining: &Remaining,
    ) -> Option<BoardPlacement> {
        let size = self.placements.kinds[kind].size;
        let (mut cells, mut uncovered, mut need) = ([one; MAX_PIECE], 1, 0);
        for (at, step) in others[..size - 1].iter().enumerate() {
            let cell = one.wrapping_add_signed(*step) & MASK;
            let own = i32::from(self.state[cell as usize]);
            if own > remaining.room {
                return None;
            }
            uncovered += usize::from(own == 0);
            let orbit = |cell: u32| self.board.orbit[(cell & MASK) as usize];
            if own > 0 && !cells[..=at].iter().any(|&before| orbit(before) == orbit(cell)) {
                need += own;
            }
            cells[at + 1] = cell;
        }
        let ends = uncovered == remaining.number_uncovered() && need == remaining.room;
        let fits = need <= remaining.room && (ends || self.pieces_left() > 1);
        fits.then_some(BoardPlacement { kind: kind as u8, size: size as u8, cells })
    }
}

/// Returns the cell farthest from the nearest of some others.
fn farthest(cells: &[u32], from: &[u32]) -> u32 {
    let nearest = |at: u32| from.iter().map(|&other| cell(at).distance(cell(other))).min();
    cells.iter().copied().max_by_key(|&at| nearest(at)).expect("some cells")
}
