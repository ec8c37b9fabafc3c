//! Counts packings: problem in, visitor for packings, report out. No I/O, no SQL, no printing.

mod report;
mod search;

pub use report::{Limits, Reason, Report, SolveError, Verdict};
pub use search::{count, visit};

use crate::lattice::Cell;

/// The most cells of a figure that is searched.
pub const MAX_SEARCH_CELLS: usize = 128;

/// One piece of a packing: the piece's position in the set and the cells it fills.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// Position in [`crate::pieces::PieceSet::pieces`].
    pub piece: usize,
    /// The cells, ascending, in the figure's own coordinates.
    pub cells: Vec<Cell>,
}
