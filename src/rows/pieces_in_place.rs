//! Pieces in place in a figure's text, as placements of a set.

use somacat_counting::solve::Placement;
use somacat_formats::{Marks, count_noun, piece_letter};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PiecesInPlaceError {
    #[error("{set} has no piece {letter}")]
    NoPiece { set: String, letter: char },
    #[error(
        "mark {mark} covers {}, a piece {letter} has {size}; a second {letter} takes \
         another mark, as 2 and L",
        count_noun(*cells, "cell")
    )]
    Size { mark: char, cells: usize, letter: char, size: usize },
}

pub fn pieces_in_place(
    marks: &Marks,
    set: &PieceSet,
) -> Result<Vec<Placement>, PiecesInPlaceError> {
    let placement = |(mark, cells): &(char, Vec<Cell>)| {
        let (mark, letter) = (*mark, piece_letter(*mark).unwrap_or(*mark));
        let piece = set.pieces().iter().position(|(piece, _)| piece.letter() == letter);
        let set_name = || set.name().to_owned();
        let piece = piece.ok_or_else(|| PiecesInPlaceError::NoPiece { set: set_name(), letter })?;
        let size = set.pieces()[piece].0.size();
        if cells.len() != size {
            return Err(PiecesInPlaceError::Size { mark, cells: cells.len(), letter, size });
        }
        Ok(Placement { piece, cells: cells.clone() })
    };
    marks.iter().map(placement).collect()
}
