//! Errors of the solver.

use super::RemainderError;

/// An error that prevents counting packings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// More cells and kinds of pieces than the search handles.
    #[error(
        "the search handles up to {most} cells and kinds of pieces together; these are {cells} + {kinds}",
        most = super::MAX_ITEMS
    )]
    TooLarge {
        /// Cells of the figure.
        cells: usize,
        /// Kinds of pieces of the set.
        kinds: usize,
    },
    /// The pieces in place do not fit the problem.
    #[error(transparent)]
    Remainder(#[from] RemainderError),
    /// Too many separate parts to reflect one by one.
    #[error(
        "moving each part by itself is counted for figures of up to {most} parts; this has {0}",
        most = super::by_part::MAX_PARTS
    )]
    TooManyParts(usize),
    /// The frontier engine would need too much memory.
    #[error(
        "the frontier engine needs {} for this figure, or more, and may take {}; give it more memory \
         or let the search count",
        in_words(*needed),
        in_words(*limit)
    )]
    Memory {
        /// Bytes known to be needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The system refused memory that the frontier engine was allowed to take.
    #[error(
        "the system refused memory to the frontier engine; allow it less, or let the search count"
    )]
    Allocation,
    /// The frontier engine would have to list too many choices of pieces.
    #[error(
        "the frontier engine takes sets with {most} choices of pieces at most; let the search count"
    )]
    Choices {
        /// The most choices it lists.
        most: usize,
    },
    /// The figure has more cells than the frontier engine handles.
    #[error("the frontier engine handles up to {most} cells; let the search count")]
    FrontierCells {
        /// The most cells it handles.
        most: usize,
    },
    /// An exact count does not fit 128 bits.
    #[error("the number of packings does not fit 128 bits")]
    Overflow,
    /// The operating system refused threads.
    #[error("the frontier engine could not start its threads: {0}")]
    Threads(String),
}

fn in_words(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
