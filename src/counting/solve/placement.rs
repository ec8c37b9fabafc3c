//! A piece in place.

use somacat_geometry::lattice::Cell;

/// A piece in place: its position in the set and the cells it fills.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// Position in [`somacat_geometry::pieces::PieceSet::pieces`].
    pub piece: usize,
    /// The cells, ascending, in the figure's own coordinates.
    pub cells: Vec<Cell>,
}
