//! Errors of censuses.

use crate::census::boxes::grid::MAX_CENSUS_CELLS;
use somacat_geometry::boxes::sides_text;

/// An error that prevents a census.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_geometry::pieces::PieceSet;
///
/// let message = "box 2x3x4 has 24 cells, and the pieces fill 27; choose a larger box or fewer pieces";
/// assert_eq!(Census::new([2, 3, 4], &PieceSet::soma(1)).unwrap_err().to_string(), message);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum CensusError {
    #[error(
        "box {} has {volume} cells, and a census takes boxes of 1 to {MAX_CENSUS_CELLS} cells; choose {} box",
        sides_text(*.sides), if *.volume == 0 { "a larger" } else { "a smaller" }
    )]
    Volume { sides: [u32; 3], volume: u128 },
    #[error(
        "box {} has {volume} {}, and the pieces fill {cells}; choose a larger box or fewer pieces",
        sides_text(*.sides), if *.volume == 1 { "cell" } else { "cells" }
    )]
    TooSmall { sides: [u32; 3], volume: u128, cells: usize },
    #[error("a census needs at least one piece")]
    NoPieces,
    #[error(
        "box {} can be split by {least} to {most} pattern cells, not by {pattern_cells}",
        sides_text(*.sides)
    )]
    Split { sides: [u32; 3], pattern_cells: usize, least: usize, most: usize },
    #[error(
        "a census of box {} takes {} of memory on one thread, and {} are allowed; allow more memory or \
         choose a smaller box",
        sides_text(*.sides), bytes(*.needed), bytes(*.allowed)
    )]
    Memory { sides: [u32; 3], needed: u64, allowed: u64 },
}

/// Formats a number of bytes for people.
///
/// ```
/// use somacat_counting::census::bytes;
///
/// assert_eq!(bytes(3 << 30), "3.0 GiB");
/// assert_eq!(bytes(1_500_000), "2 MiB");
/// ```
pub fn bytes(number: u64) -> String {
    match number {
        0..1_048_576 => format!("{} KiB", number.div_ceil(1024)),
        1_048_576..1_073_741_824 => format!("{} MiB", number.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", number as f64 / f64::from(1 << 30)),
    }
}
