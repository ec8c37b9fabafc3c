//! Limits and errors of the solver.

use somacat_geometry::figure::FigureError;
use somacat_geometry::lattice::Cell;

/// Maximum number of items of a search: the cells of the figure and the kinds of pieces. They fit 18 words of 64 bits,
/// so that a figure of 1,024 cells may have 127 kinds of pieces.
pub const MAX_ITEMS: usize = 1151;

/// Maximum number of parts: each packing is tried with every choice of parts to reflect.
pub(super) const MAX_PARTS: usize = 16;

/// An error that prevents counting packings.
///
/// ```
/// use somacat_counting::solve::{EngineChoice, Limits, Problem, SolveError, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (block, two_somas) = (Figure::of_box([3, 3, 6])?, PieceSet::soma(2));
/// let little = Limits { engine: EngineChoice::Frontier, memory: Some(1000), ..Limits::default() };
/// let result = count(&Problem::new(&block, &two_somas), little);
/// assert!(matches!(result, Err(SolveError::Memory { limit: 1000, .. })));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum SolveError {
    #[error(
        "the search handles up to {most} cells and kinds of pieces together; these are {cells} + {kinds}",
        most = MAX_ITEMS
    )]
    TooLarge { cells: usize, kinds: usize },
    #[error(transparent)]
    Remainder(#[from] RemainderError),
    #[error(
        "moving each part by itself is counted for figures of up to {most} parts; this has {0}",
        most = MAX_PARTS
    )]
    TooManyParts(usize),
    #[error(
        "the frontier engine needs {} for this figure, and may take {}; give it more memory or let the search count",
        at_least(*needed, *limit),
        in_words(*limit)
    )]
    Memory { needed: u64, limit: u64 },
    #[error(
        "the system refused memory to the frontier engine; allow it less, or let the search count"
    )]
    Allocation,
    #[error(
        "the frontier engine takes sets with {most} choices of pieces at most; let the search count"
    )]
    Choices { most: usize },
    #[error("the frontier engine handles up to {most} cells; let the search count")]
    FrontierCells { most: usize },
    #[error("the number of packings does not fit 128 bits")]
    Overflow,
    #[error("the frontier engine could not start its threads: {0}")]
    Threads(String),
}

/// Writes what was known to be needed when the limit was passed.
fn at_least(needed: u64, limit: u64) -> String {
    match in_words(needed) {
        needed if needed == in_words(limit) => format!("more than {needed}"),
        needed => format!("{needed} or more"),
    }
}

fn in_words(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

/// An error in the pieces given as already in place.
///
/// ```
/// use somacat_counting::solve::{Placement, Remainder};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::PieceSet;
///
/// let cube = Figure::of_box([3, 3, 3])?;
/// let bar = Placement { piece: 0, cells: (0..3).map(|x| Cell::new(x, 0, 0)).collect() };
/// let error = Remainder::new(&cube, &PieceSet::soma(1), &[bar]).unwrap_err();
/// assert_eq!(error.to_string(), "the cells given for piece V do not have its shape");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum RemainderError {
    #[error("piece {0} is in place more often than the set has it")]
    TooMany(char),
    #[error("more pieces are in place, {placed}, than a packing uses, {number}")]
    TooManyPieces { placed: usize, number: usize },
    #[error("the cells given for piece {0} do not have its shape")]
    WrongShape(char),
    #[error("cell {0} is not a free cell of the figure")]
    NotFree(Cell),
    #[error("every piece is in place already")]
    NothingLeft,
    #[error(transparent)]
    Figure(#[from] FigureError),
}
