//! Errors of censuses.

use super::grid::MAX_BOX_CELLS;
use somacat_geometry::boxes::sides_text;

/// An error that prevents a census.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CensusError {
    /// The box has no cell, or more than a census supports.
    #[error(
        "box {} has {volume} cells, and a census takes boxes of 1 to {MAX_BOX_CELLS} cells; choose {} box",
        sides_text(*.sides), if *.volume == 0 { "a larger" } else { "a smaller" }
    )]
    Volume {
        /// The sides of the box, in cells.
        sides: [u32; 3],
        /// The number of its cells.
        volume: u128,
    },
    /// The box has fewer cells than the pieces fill, or there are no pieces.
    #[error(
        "box {} has {volume} cells, and the pieces fill {cells}; choose a larger box or fewer pieces",
        sides_text(*.sides)
    )]
    TooSmall {
        /// The sides of the box, in cells.
        sides: [u32; 3],
        /// The number of its cells.
        volume: u128,
        /// The cells that the pieces fill together.
        cells: usize,
    },
    /// There are no pieces.
    #[error("a census needs at least one piece")]
    NoPieces,
    /// The box cannot be split by this number of pattern cells.
    #[error(
        "box {} can be split by {least} to {most} pattern cells, not by {pattern_cells}",
        sides_text(*.sides)
    )]
    Split {
        /// The sides of the box, in cells.
        sides: [u32; 3],
        /// The requested number of pattern cells.
        pattern_cells: usize,
        /// Minimum number of pattern cells.
        least: usize,
        /// Maximum number of pattern cells.
        most: usize,
    },
    /// The work takes more memory than allowed, even on one thread.
    #[error(
        "a census of box {} takes {} of memory on one thread, and {} are allowed; allow more memory or \
         choose a smaller box",
        sides_text(*.sides), bytes(*.needed), bytes(*.allowed)
    )]
    Memory {
        /// The sides of the box, in cells.
        sides: [u32; 3],
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
}

/// Formats a number of bytes for people.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_048_576 => format!("{} KiB", number.div_ceil(1024)),
        1_048_576..1_073_741_824 => format!("{} MiB", number.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", number as f64 / f64::from(1 << 30)),
    }
}
