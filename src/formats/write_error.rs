//! Why a figure cannot be written.

use somacat_geometry::figure::FigureError;

/// The largest bounding box of SOMA text, in cells. Every empty cell takes a dot.
pub const MAX_SOMA_BOX_CELLS: u64 = 100_000;

/// The reason why a figure cannot be written.
///
/// ```
/// use somacat_formats::{WriteError, soma_packing};
/// use somacat_geometry::lattice::Cell;
///
/// // A dot is an empty square.
/// let dots = vec![('.', vec![Cell::new(0, 0, 0)])];
/// assert_eq!(soma_packing(None, None, &dots), Err(WriteError::Mark('.')));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    #[error("the name `{name}` cannot be written in the format {format}")]
    Name { name: String, format: &'static str },
    #[error("the comment `{comment}` cannot be written in the format {format}")]
    Comment { comment: String, format: &'static str },
    #[error(
        "the figure's box has {0} cells, but SOMA text can have at most {MAX_SOMA_BOX_CELLS}; write \
         cells instead"
    )]
    TooLarge(u64),
    #[error("the mark `{0}` cannot represent a piece in SOMA text")]
    Mark(char),
    #[error(
        "more pieces {0} touch each other than SOMA text has marks for; write JSON Lines instead"
    )]
    Marks(char),
    #[error(transparent)]
    Figure(#[from] FigureError),
}
