//! A requested figure to solve, with its pieces in place.

use crate::cli::failure::Result;
use crate::cli::shared::input::RequestedFigure;
use somacat_geometry::pieces::PieceSet;
use std::ops::Deref;

/// A requested figure, opened with a set.
pub(crate) struct OpenFigure<'a> {
    pub(crate) requested: &'a RequestedFigure,
    open: somacat_rows::OpenFigure<'a>,
}

impl<'a> OpenFigure<'a> {
    pub(crate) fn new(requested: &'a RequestedFigure, set: &'a PieceSet) -> Result<Self> {
        Ok(Self { requested, open: somacat_rows::OpenFigure::new(requested.given(), set)? })
    }

    pub(crate) fn is_soma_cube(&self) -> bool {
        self.set.name() == PieceSet::soma(1).name() && self.requested.figure.extents() == [3; 3]
    }
}

impl<'a> Deref for OpenFigure<'a> {
    type Target = somacat_rows::OpenFigure<'a>;

    fn deref(&self) -> &Self::Target {
        &self.open
    }
}
