//! Errors of the solver.

use super::RemainderError;

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
        most = super::MAX_ITEMS
    )]
    TooLarge { cells: usize, kinds: usize },
    #[error(transparent)]
    Remainder(#[from] RemainderError),
    #[error(
        "moving each part by itself is counted for figures of up to {most} parts; this has {0}",
        most = super::by_part::MAX_PARTS
    )]
    TooManyParts(usize),
    #[error(
        "the frontier engine needs {} for this figure, or more, and may take {}; give it more memory \
         or let the search count",
        in_words(*needed),
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

fn in_words(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
