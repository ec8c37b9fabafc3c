//! Moves the items left after a first placement into 32 bits.
//!
//! The cube has 27 cells and 7 types, 34 items. A first piece of four cells covers five of them, and 29 are left. Those
//! above bit 31 move to bits that the placement has set free.

/// A move of bits: all items above bit 31 take places of the placement's bits.
pub(super) struct Narrowing {
    /// The first placement.
    placement: u64,
    /// For each move, the bit in the upper half, counted from bit 32, and the bit in the lower half to which it moves.
    /// The first `used` are in use.
    moves: [(u32, u32); 16],
    used: usize,
}

impl Narrowing {
    /// Chooses the moves for some items without those of a placement; `None` if they do not fit 32 bits.
    pub(super) fn after(placement: u64, items: u64) -> Option<Self> {
        let high = (items & !placement) >> 32;
        let mut room = placement & u64::from(u32::MAX) | !items & u64::from(u32::MAX);
        let mut moves = [(0, 0); 16];
        let mut used = 0;
        let mut rest = high;
        while rest != 0 {
            if room == 0 || used == moves.len() {
                return None;
            }
            moves[used] = (rest.trailing_zeros(), room.trailing_zeros());
            used += 1;
            rest &= rest - 1;
            room &= room - 1;
        }
        Some(Narrowing { placement, moves, used })
    }

    pub(super) fn placement(&self) -> u64 {
        self.placement
    }

    /// Returns the moves. Each is from a bit of the upper half to one of the lower.
    pub(super) fn moves(&self) -> &[(u32, u32)] {
        &self.moves[..self.used]
    }

    /// Moves the bits of a mask, which must be disjoint from the placement.
    #[inline(always)]
    pub(super) fn apply(&self, mask: u64) -> u32 {
        let high = (mask >> 32) as u32;
        self.moves().iter().fold(mask as u32, |m, &(from, to)| m | (high >> from & 1) << to)
    }

    /// Writes the masks of `from`, with their bits moved, to `to`. The masks are disjoint from the placement.
    pub(super) fn list(&self, from: &[u64], to: &mut [u32]) {
        for (to, &mask) in to.iter_mut().zip(from) {
            *to = mask as u32;
        }
        for &(bit, place) in self.moves() {
            for (to, &mask) in to.iter_mut().zip(from) {
                *to |= ((mask >> 32) as u32 >> bit & 1) << place;
            }
        }
    }
}
