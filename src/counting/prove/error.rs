//! Limits of proofs, and why there is none.

use somacat_geometry::figure::Obstruction;
use std::io;

/// Maximum number of cells of a figure in a certificate.
pub const MAX_PROOF_CELLS: usize = 128;

/// Nodes of a search or a count between two checks of the request to stop.
pub(super) const STOP_CHECK_INTERVAL: u64 = 1 << 10;

/// An error that prevents a certificate.
///
/// ```
/// use somacat_counting::prove::{Argument, write_certificate};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let few = Limits { nodes: Some(100), ..Limits::default() };
/// let result = write_certificate("cube", (&cube, &soma), &Argument::Count, few, &mut Vec::new());
/// assert_eq!(result.unwrap_err().to_string(), "the proof exceeds the limit of 100 nodes");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum ProveError {
    #[error("the figure can be built; a proof of its count needs a larger limit of nodes")]
    Buildable,
    #[error("the proof exceeds the limit of {0} nodes")]
    Nodes(u64),
    #[error("the proof of the count needs more than {} MB of memory", .0 / 1_000_000)]
    Memory(u64),
    #[error("the count does not fit 128 bits")]
    Overflow,
    #[error(
        "the numbers of copies are too large for a proof of the count; bound the copies of some pieces"
    )]
    Choices,
    #[error("nothing is left to prove: every piece is in place already")]
    NothingLeft,
    #[error("stopped")]
    Stopped,
    #[error("proofs support figures of up to {MAX_PROOF_CELLS} cells; this figure has {0}")]
    TooLarge(usize),
    #[error("{0}")]
    Size(Obstruction),
    #[error(transparent)]
    Write(#[from] io::Error),
}
