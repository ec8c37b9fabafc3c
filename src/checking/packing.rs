//! Checks a packing.

use super::turns::{image, normalized, rotations};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeMap;

/// The reason why placements are not a packing of a figure.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum PackingError {
    #[error("there is no piece number {0} in the set")]
    UnknownPiece(usize),
    #[error("the cells given for piece {0} do not have its shape")]
    WrongShape(char),
    #[error("cell {0} is filled twice")]
    Overlap(Cell),
    #[error("cell {0} lies outside the figure")]
    Outside(Cell),
    #[error("cell {0} is left empty")]
    Uncovered(Cell),
    #[error("piece {piece} is used {used} times, the set has it {copies} times")]
    Count { piece: char, used: usize, copies: usize },
}

/// Checks that placements are a packing of the figure.
///
/// A placement is the position of the piece in the set, and cells in the figure's coordinates. The placements must
/// fill the figure exactly, have the shapes of their pieces, and use all pieces of the set.
///
/// # Errors
/// Returns the first error found.
pub fn verify_packing(
    figure: &Figure,
    set: &PieceSet,
    placements: &[(usize, Vec<Cell>)],
) -> Result<(), PackingError> {
    let mut filled: BTreeMap<Cell, usize> = BTreeMap::new();
    let mut used = vec![0; set.pieces().len()];
    let turns = rotations();
    for (number, cells) in placements {
        let (piece, _) = set.pieces().get(*number).ok_or(PackingError::UnknownPiece(*number))?;
        used[*number] += 1;
        let given = normalized(cells.clone());
        if !turns.iter().any(|turn| image(turn, piece.cells()) == given) {
            return Err(PackingError::WrongShape(piece.letter()));
        }
        for &cell in cells {
            if filled.insert(cell, *number).is_some() {
                return Err(PackingError::Overlap(cell));
            }
        }
    }
    for &cell in figure.cells() {
        if filled.remove(&cell).is_none() {
            return Err(PackingError::Uncovered(cell));
        }
    }
    if let Some((&cell, _)) = filled.first_key_value() {
        return Err(PackingError::Outside(cell));
    }
    for ((piece, copies), used) in set.pieces().iter().zip(used) {
        if used != *copies {
            return Err(PackingError::Count { piece: piece.letter(), used, copies: *copies });
        }
    }
    Ok(())
}
