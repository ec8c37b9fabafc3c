//! Checks a packing.

use super::turns::{image, normalized, rotations};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeMap;

/// The reason why placements are not a packing of a figure.
///
/// ```
/// use somacat_checking::{PackingError, verify_packing};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::parse_set;
///
/// let (bar, set) = (Figure::of_box([3, 1, 1])?, parse_set("V")?);
/// let error = verify_packing(&bar, &set, &[(0, bar.cells().to_vec())]);
/// assert_eq!(error, Err(PackingError::WrongShape('V')));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
/// ```
/// use somacat_checking::verify_packing;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::parse_set;
///
/// // Two V fill a rectangle of 2×3.
/// let (rectangle, set) = (Figure::of_box([2, 3, 1])?, parse_set("V2")?);
/// let first = (0, [[0, 0, 0], [0, 1, 0], [1, 0, 0]].map(Cell::from).to_vec());
/// let second = (0, [[1, 1, 0], [0, 2, 0], [1, 2, 0]].map(Cell::from).to_vec());
/// assert!(verify_packing(&rectangle, &set, &[first.clone(), second]).is_ok());
/// assert!(verify_packing(&rectangle, &set, &[first.clone(), first]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves each cell of a packing of two V in a 2×3 rectangle to each place around it: none is a packing.
    #[test]
    fn no_packing_with_a_moved_cell_passes() {
        let figure = Figure::of_box([2, 3, 1]).unwrap();
        let set = somacat_geometry::pieces::parse_set("V2").unwrap();
        let cells = |cells: [[i32; 3]; 3]| (0, cells.map(Cell::from).to_vec());
        let packing =
            [cells([[0, 0, 0], [0, 1, 0], [1, 0, 0]]), cells([[1, 1, 0], [0, 2, 0], [1, 2, 0]])];
        assert_eq!(verify_packing(&figure, &set, &packing), Ok(()));
        for (piece, at) in (0..2).flat_map(|piece| (0..3).map(move |at| (piece, at))) {
            for next in packing[piece].1[at].neighbors() {
                let mut other = packing.clone();
                other[piece].1[at] = next;
                assert!(verify_packing(&figure, &set, &other).is_err(), "{other:?}");
            }
        }
        assert_eq!(
            verify_packing(&figure, &set, &packing[..1]),
            Err(PackingError::Uncovered(Cell::new(0, 2, 0)))
        );
        let twice = [packing[0].clone(), packing[0].clone()];
        let overlap = verify_packing(&figure, &set, &twice);
        assert_eq!(overlap, Err(PackingError::Overlap(Cell::new(0, 0, 0))));
        let unknown = [(1, packing[0].1.clone())];
        assert_eq!(verify_packing(&figure, &set, &unknown), Err(PackingError::UnknownPiece(1)));
    }
}
