//! A piece in place.

use somacat_geometry::lattice::Cell;

/// A piece in place: its position in the set and the cells it fills.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, first};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let (brick, set) = (Figure::of_box([2, 2, 2])?, parse_set("P2")?);
/// let (packing, _) = first(&Problem::new(&brick, &set), Limits::default())?;
/// let packing = packing.expect("two P fill a cube of side 2");
/// assert!(packing.iter().all(|placed| set.pieces()[placed.piece].0.has_shape(&placed.cells)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// Position in [`somacat_geometry::pieces::PieceSet::pieces`].
    pub piece: usize,
    /// The cells, ascending, in the figure's own coordinates.
    pub cells: Vec<Cell>,
}
