//! What no census can be made of, and why.

use super::room::MOST;

/// Why the figures of a box cannot be counted at once.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CensusError {
    /// More cells than are split into patterns and ranks, or none.
    #[error("box {}x{}x{}: a census takes boxes of 1 to {MOST} cells", .0[0], .0[1], .0[2])]
    Box([u32; 3]),
    /// The box holds fewer cells than the pieces fill.
    #[error("box {}x{}x{} is too small for {cells} cells", .sides[0], .sides[1], .sides[2])]
    TooSmall {
        /// The sides of the box.
        sides: [u32; 3],
        /// What the pieces fill.
        cells: usize,
    },
    /// It takes more memory than allowed, however the box is split.
    #[error(
        "the census of box {}x{}x{} takes {} of memory even in the smallest parts, and {} are \
         allowed; allow more, use fewer threads or take a smaller box",
        .sides[0], .sides[1], .sides[2], bytes(*.needed), bytes(*.allowed)
    )]
    Memory {
        /// The sides of the box.
        sides: [u32; 3],
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
}

/// A number of bytes for people.
#[must_use]
pub fn bytes(number: u64) -> String {
    match number {
        0..1_048_576 => format!("{} KiB", number.div_ceil(1024)),
        1_048_576..1_073_741_824 => format!("{} MiB", number.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", number as f64 / f64::from(1 << 30)),
    }
}
