//! A given figure to solve with a set: the problem that its pieces in place leave.

use super::{GivenFigure, PiecesInPlaceError, pieces_in_place};
use somacat_counting::solve::{Placement, Problem, Remainder, RemainderError};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;

/// A packing: the pieces by letter, each with its cells.
pub type NamedPieces = Vec<(char, Vec<Cell>)>;

/// A figure, a set, and the problem that pieces in place leave.
#[derive(Debug)]
pub struct OpenFigure<'a> {
    pub given: GivenFigure<'a>,
    pub set: &'a PieceSet,
    pub placed: Vec<Placement>,
    remainder: Option<Remainder>,
}

/// The reason why the pieces in place leave no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenFigureError {
    #[error(transparent)]
    Placed(#[from] PiecesInPlaceError),
    #[error(transparent)]
    Remainder(#[from] RemainderError),
}

impl<'a> OpenFigure<'a> {
    /// Opens a figure.
    ///
    /// # Errors
    /// If the pieces in place are not pieces of the set, or overlap.
    pub fn new(given: GivenFigure<'a>, set: &'a PieceSet) -> Result<Self, OpenFigureError> {
        let placed = given.placed.map(|marks| pieces_in_place(marks, set)).transpose()?;
        let remainder = placed.as_ref().map(|placed| {
            let rest = Remainder::new(given.figure, set, placed)?;
            Ok::<_, RemainderError>(rest.with_colors(given.figure, given.colors))
        });
        let (remainder, placed) = (remainder.transpose()?, placed.unwrap_or_default());
        Ok(Self { given, set, placed, remainder })
    }

    /// Returns the problem of the cells that the pieces in place leave free.
    pub fn problem(&self) -> Problem<'_> {
        let GivenFigure { figure, colors, .. } = self.given;
        let whole = || Problem::new(figure, self.set).with_colors(colors);
        self.remainder.as_ref().map_or_else(whole, Remainder::problem)
    }

    /// Returns placements as pieces by letter.
    pub fn by_name(&self, placements: &[Placement]) -> NamedPieces {
        let by_name = |p: &Placement| (self.set.pieces()[p.piece].0.letter(), p.cells.clone());
        placements.iter().map(by_name).collect()
    }

    /// Returns placements of the search as named pieces in the figure's coordinates.
    pub fn named(&self, placements: &[Placement]) -> NamedPieces {
        match &self.remainder {
            Some(rest) => rest.in_whole(placements),
            None => self.by_name(placements),
        }
    }

    /// Returns a packing with the pieces in place, in the set's order.
    pub fn whole(&self, packing: &[Placement]) -> NamedPieces {
        let mut pieces = self.named(packing);
        pieces.extend(self.by_name(&self.placed));
        let position = |name: char| self.set.pieces().iter().position(|(p, _)| p.letter() == name);
        pieces.sort_by_key(|(name, cells)| (position(*name), cells.clone()));
        pieces
    }
}
