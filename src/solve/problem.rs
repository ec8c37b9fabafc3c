//! What is to be packed: a figure, a set, and perhaps pieces that are already in place.

use super::Placement;
use crate::figure::{Figure, FigureError};
use crate::lattice::{Cell, Transform};
use crate::pieces::PieceSet;
use crate::symmetry::Group;
use std::collections::BTreeSet;

/// A figure and the pieces to build it from.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    pub(super) figure: &'a Figure,
    pub(super) set: &'a PieceSet,
    group: Option<Group>,
}

impl<'a> Problem<'a> {
    /// All pieces of `set` are to fill `figure`.
    #[must_use]
    pub const fn new(figure: &'a Figure, set: &'a PieceSet) -> Self {
        Self { figure, set, group: None }
    }

    /// The same for a caller who knows the figure's symmetry group, or wants packings identified
    /// under a part of it only.
    #[must_use]
    pub const fn with_group(figure: &'a Figure, set: &'a PieceSet, group: Group) -> Self {
        Self { figure, set, group: Some(group) }
    }

    /// The symmetries of the figure that take packings to packings, reflections only if the set is closed under
    /// them: each with the least corner of the figure's image, and for each piece the one of whose shape its image is.
    pub fn symmetries(&self) -> impl Iterator<Item = (Transform, Cell, Vec<usize>)> {
        let same: Vec<usize> = (0..self.set.pieces().len()).collect();
        self.group().iter().filter_map(move |t| {
            let pieces =
                if t.is_rotation() { Some(same.as_slice()) } else { self.set.mirror_map() };
            let moved: Vec<Cell> = self.figure.cells().iter().map(|&c| t.apply(c)).collect();
            Some((t, Cell::min_corner(&moved), pieces?.to_vec()))
        })
    }

    pub(super) fn group(&self) -> Group {
        self.group.unwrap_or_else(|| self.figure.canonical().group)
    }
}

/// Why pieces cannot be in place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixedError {
    /// More pieces than the set has.
    #[error("piece {0} is in place more often than the set has it")]
    TooMany(char),
    /// Not the shape of the piece.
    #[error("the cells given for piece {0} do not have its shape")]
    WrongShape(char),
    /// A cell outside the figure, or used twice.
    #[error("cell {0} is not a free cell of the figure")]
    NotFree(Cell),
    /// No piece is left to place.
    #[error("every piece is in place already")]
    NothingLeft,
    /// The free cells form no figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// What is left of a problem when some pieces are in place.
#[derive(Clone, Debug)]
pub struct Remainder {
    figure: Figure,
    set: PieceSet,
    group: Group,
    corner: Cell,
}

impl Remainder {
    /// Takes pieces that are in place, in the coordinates of `figure`, out of figure and set.
    ///
    /// Packings are then identified only under the symmetries of the figure that leave the pieces in
    /// place where they are (a reflection exchanges A and B).
    ///
    /// # Errors
    /// If the pieces cannot lie so, or nothing is left.
    pub fn new(figure: &Figure, set: &PieceSet, placed: &[Placement]) -> Result<Self, FixedError> {
        let mut free: BTreeSet<Cell> = figure.cells().iter().copied().collect();
        let mut left: Vec<usize> = set.pieces().iter().map(|(_, count)| *count).collect();
        for placement in placed {
            let piece = &set.pieces()[placement.piece].0;
            if !piece.has_shape(&placement.cells) {
                return Err(FixedError::WrongShape(piece.name()));
            }
            let count = &mut left[placement.piece];
            *count = count.checked_sub(1).ok_or(FixedError::TooMany(piece.name()))?;
            for &cell in &placement.cells {
                if !free.remove(&cell) {
                    return Err(FixedError::NotFree(cell));
                }
            }
        }
        if left.iter().all(|&count| count == 0) {
            return Err(FixedError::NothingLeft);
        }
        let pieces = set.pieces().iter().zip(&left).map(|((piece, _), &n)| (piece.clone(), n));
        let stays = |t: &Transform| keeps(*t, figure, set, placed);
        let group = figure.canonical().group.iter().filter(stays);
        let cells: Vec<Cell> = free.into_iter().collect();
        Ok(Self {
            corner: Cell::min_corner(&cells),
            figure: Figure::new(cells)?,
            set: PieceSet::new(format!("rest of {}", set.name()), pieces),
            group: Group::generated_by(group),
        })
    }

    /// The problem that is left.
    #[must_use]
    pub const fn problem(&self) -> Problem<'_> {
        Problem::with_group(&self.figure, &self.set, self.group)
    }

    /// Placements of the remaining problem in the coordinates of the whole figure, by piece name.
    #[must_use]
    pub fn in_whole(&self, packing: &[Placement]) -> Vec<(char, Vec<Cell>)> {
        let name = |p: &Placement| self.set.pieces()[p.piece].0.name();
        let moved = |p: &Placement| p.cells.iter().map(|&c| c + self.corner).collect();
        packing.iter().map(|p| (name(p), moved(p))).collect()
    }
}

/// Whether a symmetry of the figure leaves the pieces in place as they are.
fn keeps(t: Transform, figure: &Figure, set: &PieceSet, placed: &[Placement]) -> bool {
    let moved: Vec<Cell> = figure.cells().iter().map(|&c| t.apply(c)).collect();
    let corner = Cell::min_corner(&moved);
    let same: Vec<usize> = (0..set.pieces().len()).collect();
    let pieces = if t.is_rotation() { Some(same.as_slice()) } else { set.mirror_map() };
    let Some(pieces) = pieces else { return false };
    placed.iter().all(|placement| {
        let mut cells: Vec<Cell> = placement.cells.iter().map(|&c| t.apply(c) - corner).collect();
        cells.sort_unstable();
        let same = |other: &Placement| {
            let mut there = other.cells.clone();
            there.sort_unstable();
            other.piece == pieces[placement.piece] && there == cells
        };
        placed.iter().any(same)
    })
}
