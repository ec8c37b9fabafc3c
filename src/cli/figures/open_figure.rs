//! A figure to solve, with its pieces in place.

use super::packings::NamedPieces;
use crate::cli::failure::Result;
use crate::cli::shared::input::RequestedFigure;
use somacat_counting::solve::{Placement, Problem, Remainder};
use somacat_geometry::pieces::PieceSet;

/// A figure, a set, and the problem that pieces in place leave.
pub(crate) struct OpenFigure<'a> {
    pub(crate) requested: &'a RequestedFigure,
    pub(crate) set: &'a PieceSet,
    pub(crate) placed: Vec<Placement>,
    remainder: Option<Remainder>,
}

impl<'a> OpenFigure<'a> {
    pub(crate) fn new(requested: &'a RequestedFigure, set: &'a PieceSet) -> Result<Self> {
        let placed = requested.pieces_in_place(set)?;
        let remainder =
            placed.as_ref().map(|placed| Remainder::new(&requested.figure, set, placed));
        Ok(Self {
            requested,
            set,
            remainder: remainder.transpose()?,
            placed: placed.unwrap_or_default(),
        })
    }

    pub(crate) fn is_soma_cube(&self) -> bool {
        self.set.name() == PieceSet::soma(1).name() && self.requested.figure.extents() == [3; 3]
    }

    pub(crate) fn problem(&self) -> Problem<'_> {
        let colors = self.requested.colors.as_deref();
        let whole = || Problem::new(&self.requested.figure, self.set).with_colors(colors);
        self.remainder.as_ref().map_or_else(whole, Remainder::problem)
    }

    pub(crate) fn by_name(&self, placements: &[Placement]) -> NamedPieces {
        let by_name = |p: &Placement| (self.set.pieces()[p.piece].0.letter(), p.cells.clone());
        placements.iter().map(by_name).collect()
    }

    /// Returns placements of the search as named pieces in the figure's coordinates.
    pub(crate) fn named(&self, placements: &[Placement]) -> NamedPieces {
        match &self.remainder {
            Some(rest) => rest.in_whole(placements),
            None => self.by_name(placements),
        }
    }

    /// Returns a packing with the pieces in place, in the set's order.
    pub(crate) fn whole(&self, packing: &[Placement]) -> NamedPieces {
        let mut pieces = self.named(packing);
        pieces.extend(self.by_name(&self.placed));
        let position = |name: char| self.set.pieces().iter().position(|(p, _)| p.letter() == name);
        pieces.sort_by_key(|(name, cells)| (position(*name), cells.clone()));
        pieces
    }
}
