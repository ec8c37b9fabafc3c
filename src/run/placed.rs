//! Pieces that a figure's text shows in place, as placements of a set.

use crate::formats::{Marks, piece_letter};
use crate::lattice::Cell;
use crate::pieces::PieceSet;
use crate::solve::Placement;

/// Why marks are no pieces in place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacedError {
    /// The set lacks the piece.
    #[error("{set} has no piece {letter}")]
    NoPiece {
        /// The set.
        set: String,
        /// The piece.
        letter: char,
    },
    /// A mark does not cover one piece.
    #[error(
        "mark {mark} covers {cells} cells, a piece {letter} has {size}; a second {letter} takes \
         another mark, as 2 and L"
    )]
    Size {
        /// The mark.
        mark: char,
        /// The cells that bear it.
        cells: usize,
        /// The piece that it stands for.
        letter: char,
        /// Cells of the piece.
        size: usize,
    },
}

/// Placements from marks, one piece a mark.
///
/// # Errors
/// If a mark names no piece of the set or does not cover one piece.
pub fn placed_pieces(marks: &Marks, set: &PieceSet) -> Result<Vec<Placement>, PlacedError> {
    let placement = |(mark, cells): &(char, Vec<Cell>)| {
        let (mark, letter) = (*mark, piece_letter(*mark).unwrap_or(*mark));
        let piece = set.pieces().iter().position(|(piece, _)| piece.name() == letter);
        let set_name = || set.name().to_owned();
        let piece = piece.ok_or_else(|| PlacedError::NoPiece { set: set_name(), letter })?;
        let size = set.pieces()[piece].0.size();
        if cells.len() != size {
            return Err(PlacedError::Size { mark, cells: cells.len(), letter, size });
        }
        Ok(Placement { piece, cells: cells.clone() })
    };
    marks.iter().map(placement).collect()
}
