//! Pieces that a figure's text shows in place, as placements of a set.

use crate::formats::{Marks, piece_letter};
use crate::pieces::PieceSet;
use crate::solve::Placement;

/// Placements from marks, one piece a mark.
///
/// # Errors
/// If a mark names no piece of the set or does not cover one piece.
pub fn placed_pieces(marks: &Marks, set: &PieceSet) -> Result<Vec<Placement>, String> {
    let placement = |(mark, cells): &(char, Vec<crate::lattice::Cell>)| {
        let letter = piece_letter(*mark).unwrap_or(*mark);
        let piece = set.pieces().iter().position(|(piece, _)| piece.name() == letter);
        let piece = piece.ok_or_else(|| format!("{} has no piece {letter}", set.name()))?;
        let size = set.pieces()[piece].0.size();
        if cells.len() != size {
            let found = cells.len();
            return Err(format!(
                "mark {mark} covers {found} cells, a piece {letter} has {size}; a second {letter} \
                 takes another mark, as 2 and L"
            ));
        }
        Ok(Placement { piece, cells: cells.clone() })
    };
    marks.iter().map(placement).collect()
}
