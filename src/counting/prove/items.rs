//! What a search for a packing has left: free cells, pieces, and the placements that still fit.
//!
//! Trees and case trees branch in the same way. They choose an *item*, a free cell or a piece that is left, and place a
//! piece there in every way.

use super::choices::{KindLeft, PiecesLeft, all_copies, gap_of};
use super::error::{MAX_PROOF_CELLS, ProveError};
use super::{CellPlacement, placements};
use crate::solve::{CellSymmetry, Problem, symmetries};
use rustc_hash::FxHashSet;
use somacat_geometry::pieces::PieceSet;
use std::fmt;

/// Returns the letter of the piece that covers a cell.
pub(super) fn letter_at(set: &PieceSet, placed: &[&CellPlacement], cell: usize) -> Option<char> {
    let covering = placed.iter().find(|one| one.cells.contains(&cell))?;
    Some(set.pieces()[covering.piece].0.letter())
}

/// Returns `true` if no letter of a piece is a sign that drawings use otherwise: a mark, `o` or `?`.
pub(super) fn are_drawable(set: &PieceSet) -> bool {
    set.pieces().iter().all(|(piece, _)| !matches!(piece.letter(), '0'..='9' | 'o' | '?' | '.'))
}

/// An item that a packing must cover or use.
///
/// ```
/// use somacat_counting::prove::ProofItem;
///
/// assert_eq!(ProofItem::Cell(3).to_string(), "c3");
/// assert_eq!(ProofItem::Piece(0).to_string(), "p1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofItem {
    /// A cell, by its position in [`somacat_geometry::figure::Figure::cells`].
    Cell(usize),
    /// A piece, by its position in [`PieceSet::pieces`].
    Piece(usize),
    /// The free cells together: no choice of the pieces left has as many.
    Size,
}

impl fmt::Display for ProofItem {
    /// Writes the item as in a certificate: cells are numbered from 0, pieces from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(cell) => write!(f, "c{cell}"),
            Self::Piece(piece) => write!(f, "p{}", piece + 1),
            Self::Size => write!(f, "size"),
        }
    }
}

/// A symmetry of a figure: for each of its cells the image, and for each piece itself or its mirror image.
pub(super) struct Symmetry {
    cells: Vec<usize>,
    pieces: Vec<usize>,
}

impl Symmetry {
    /// Returns the image of cells, given as bits.
    fn image(&self, cells: u128) -> u128 {
        let is_one = |at: &usize| cells >> at & 1 == 1;
        (0..self.cells.len()).filter(is_one).fold(0, |image, at| image | 1 << self.cells[at])
    }

    /// Returns what is left in the image: the free cells, and the copies of each piece.
    pub(super) fn left(&self, left: &Left) -> (u128, Vec<usize>) {
        (self.image(left.free), permuted(&left.copies, &self.pieces))
    }

    /// Returns the weights of the image's cells.
    pub(super) fn weights(&self, weights: &[i64]) -> Vec<i64> {
        permuted(weights, &self.cells)
    }
}

/// Moves each value to the place of its image.
fn permuted<T: Copy>(values: &[T], images: &[usize]) -> Vec<T> {
    let mut moved = values.to_vec();
    values.iter().zip(images).for_each(|(value, image)| moved[*image] = *value);
    moved
}

/// All placements in a figure, each with its cells as bits.
pub(super) struct Placements<'a> {
    list: Vec<(CellPlacement, u128)>,
    set: &'a PieceSet,
    /// The piece that stands for a cell left empty.
    pub(super) gap: Option<usize>,
    /// The number of cells of the figure.
    pub(super) cells: usize,
}

/// What is left after some placements.
#[derive(Clone)]
pub(super) struct Left {
    /// The numbers of the placements that still fit, ascending.
    pub(super) fits: Vec<u32>,
    /// The free cells as bits.
    pub(super) free: u128,
    /// For each piece of the set, the number of copies left.
    pub(super) copies: Vec<usize>,
}

impl<'a> Placements<'a> {
    /// Lists the placements. Returns also what is left before the first one: everything.
    pub(super) fn new(problem: &Problem<'a>) -> Result<(Self, Left), ProveError> {
        let (figure, set) = (problem.figure(), problem.set());
        if figure.len() > MAX_PROOF_CELLS {
            return Err(ProveError::TooLarge(figure.len()));
        }
        let mask = |one: &CellPlacement| one.cells.iter().fold(0, |m, c| m | 1_u128 << c);
        let list = placements(problem).into_iter().map(|one| (one.clone(), mask(&one)));
        let all = Self { list: list.collect(), set, gap: gap_of(set), cells: figure.len() };
        let left = Left {
            fits: (0..all.list.len() as u32).collect(),
            free: u128::MAX >> (MAX_PROOF_CELLS - figure.len()),
            copies: all_copies(set),
        };
        Ok((all, left))
    }

    /// Returns the symmetries of the figure that turn placements into placements, the identity among them.
    pub(super) fn symmetries(&self, problem: &Problem<'_>) -> Vec<Symmetry> {
        let all: FxHashSet<(usize, u128)> =
            self.list.iter().map(|(one, mask)| (one.piece, *mask)).collect();
        let pieces = 0..self.set.pieces().len();
        let symmetry = |CellSymmetry { map, improper }| {
            let pieces = match improper {
                true => self.set.mirror_map()?.to_vec(),
                false => pieces.clone().collect(),
            };
            let it = Symmetry { cells: map, pieces };
            let keeps = |&(piece, mask): &_| all.contains(&(it.pieces[piece], it.image(mask)));
            all.iter().all(keeps).then_some(it)
        };
        let mut found: Vec<Symmetry> = symmetries(problem.figure(), problem.group())
            .into_iter()
            .filter_map(symmetry)
            .collect();
        // The trivial group has no list.
        if found.is_empty() {
            found.push(Symmetry { cells: (0..self.cells).collect(), pieces: pieces.collect() });
        }
        found
    }

    pub(super) fn get(&self, at: u32) -> &CellPlacement {
        &self.list[at as usize].0
    }

    /// Returns true if a choice of the pieces left may fill the free cells.
    pub(super) fn can_fill(&self, left: &Left) -> bool {
        !self.set.is_choice() || self.pieces_left(left).can_fill()
    }

    fn pieces_left(&self, left: &Left) -> PiecesLeft {
        PiecesLeft::new(self.set, &left.copies, left.free.count_ones() as usize)
    }

    /// Returns the items to branch on, each with the number of its ways. A piece with several copies left is one only
    /// if it has no way: branching on it would visit the same packings several times. A piece that may be left out is
    /// none, nor is a gap.
    pub(super) fn items(&self, left: &Left) -> impl Iterator<Item = (ProofItem, usize)> {
        let (mut cells, mut pieces) = (vec![0; self.cells], vec![0; left.copies.len()]);
        for &at in &left.fits {
            let placement = self.get(at);
            placement.cells.iter().for_each(|&cell| cells[cell] += 1);
            pieces[placement.piece] += 1;
        }
        let free = left.free;
        let open = cells.into_iter().enumerate().filter(move |(cell, _)| free >> cell & 1 == 1);
        let open = open.map(|(cell, ways)| (ProofItem::Cell(cell), ways));
        let single = |((piece, ways), kind): ((usize, usize), KindLeft)| {
            let counts = kind.least > 0 && !kind.is_gap && (kind.most == 1 || ways == 0);
            counts.then_some((ProofItem::Piece(piece), ways))
        };
        let kinds = self.pieces_left(left).kinds;
        let size = (!self.can_fill(left)).then_some((ProofItem::Size, 0));
        open.chain(pieces.into_iter().enumerate().zip(kinds).filter_map(single)).chain(size)
    }

    /// Returns the item with the fewest ways, and their number.
    pub(super) fn scarcest(&self, left: &Left) -> (ProofItem, usize) {
        self.items(left).min_by_key(|(_, ways)| *ways).expect("no packing is complete")
    }

    /// Lists the placements that cover a cell, or those of a piece.
    pub(super) fn ways<'p>(
        &'p self,
        item: ProofItem,
        left: &'p Left,
    ) -> impl Iterator<Item = u32> + 'p {
        left.fits.iter().copied().filter(move |at| {
            let (placement, mask) = &self.list[*at as usize];
            match item {
                ProofItem::Cell(cell) => mask >> cell & 1 == 1,
                ProofItem::Piece(wanted) => placement.piece == wanted,
                ProofItem::Size => false,
            }
        })
    }

    /// Returns what is left after one more placement.
    pub(super) fn after(&self, left: &Left, at: u32) -> Left {
        let (placement, mask) = &self.list[at as usize];
        let mut copies = left.copies.clone();
        copies[placement.piece] -= 1;
        let still = |other: &u32| {
            let (placement, other) = &self.list[*other as usize];
            other & mask == 0 && copies[placement.piece] > 0
        };
        let fits = left.fits.iter().copied().filter(still).collect();
        Left { fits, free: left.free & !mask, copies }
    }
}
