//! The pieces in place: which of them are held, and what must still be filled.

use super::bench::{Bench, Part};
use crate::solve::MaskWord;

/// The cells of the pieces in place.
#[derive(Clone, Copy, Default)]
pub(super) struct InPlace<M> {
    pub(super) occupied: M,
    /// For each direction, the cells of the pieces with a chain to the wall.
    held: [M; 6],
}

impl<M: MaskWord> InPlace<M> {
    /// Adds the last of the pieces. Returns, for each direction, the cells behind all pieces that are held now and were
    /// not before: what fills one of them is held, too.
    pub(super) fn add(&mut self, bench: &Bench<'_, M>, pieces: &[u32]) -> [M; 6] {
        let mut behind = [M::ZERO; 6];
        let parts = || pieces.iter().map(|&one| &bench.parts[one as usize]);
        let Some(last) = parts().next_back() else { return behind };
        self.occupied = self.occupied | last.cells;
        for (direction, behind) in behind.iter_mut().enumerate().take(bench.directions) {
            let held = &mut self.held[direction];
            if !last.cells.has(bench.at_wall[direction]) && !last.front[direction].has(*held) {
                continue;
            }
            *held = *held | last.cells;
            *behind = last.behind(direction);
            let mut before = M::ZERO;
            while *held != self.occupied && *held != before {
                before = *held;
                for part in parts() {
                    if !part.cells.has(*held) && part.front[direction].has(*held) {
                        *held = *held | part.cells;
                        *behind = *behind | part.behind(direction);
                    }
                }
            }
        }
        behind
    }

    /// Finds sets of empty cells of which at least one must be filled, the sets that contain no other. There are none
    /// exactly if the pieces are held and all required cells are filled.
    pub(super) fn find_obligations(
        &self,
        bench: &Bench<'_, M>,
        pieces: &[u32],
        found: &mut Vec<M>,
    ) {
        found.clear();
        found.extend(bench.required.without(self.occupied).ones().map(M::bit));
        let parts = || pieces.iter().map(|&one| &bench.parts[one as usize]);
        for direction in 0..bench.directions {
            let unheld = self.occupied.without(self.held[direction]);
            if unheld.is_zero() {
                continue;
            }
            for part in parts().filter(|part| part.cells.has(unheld)) {
                let free = self.front_of_group(bench, pieces, part, direction);
                if found.iter().all(|other| !other.without(free).is_zero()) {
                    found.retain(|other| !free.without(*other).is_zero());
                    found.push(free);
                }
            }
        }
    }
    /// Adds the last of the pieces, after which one more will follow. Returns, for each direction, cells of which that
    /// one must cover one: those behind the pieces that are held now and were not before, or, if the last of the pieces
    /// is not held, those in front of what it leans on.
    pub(super) fn add_last_but_one(&mut self, bench: &Bench<'_, M>, pieces: &[u32]) -> [M; 6] {
        let mut cells = self.add(bench, pieces);
        let Some(part) = pieces.last().map(|&one| &bench.parts[one as usize]) else { return cells };
        for (direction, cells) in cells.iter_mut().enumerate().take(bench.directions) {
            *cells = match part.cells.has(self.held[direction]) {
                true => cells.without(self.occupied),
                false => self.front_of_group(bench, pieces, part, direction),
            };
        }
        cells
    }

    /// Returns the empty cells in front of the pieces that a piece leans on, directly or through others, itself among
    /// them.
    fn front_of_group(
        &self,
        bench: &Bench<'_, M>,
        pieces: &[u32],
        part: &Part<M>,
        direction: usize,
    ) -> M {
        let parts = || pieces.iter().map(|&one| &bench.parts[one as usize]);
        let (mut group, mut front) = (part.cells, part.front[direction]);
        while let Some(next) = parts().find(|next| next.cells.without(group).has(front)) {
            group = group | next.cells;
            front = front | next.front[direction];
        }
        front.without(self.occupied)
    }
}
