//! The limits of stability, and why it may stay unknown.

/// Maximum number of pieces in a building order: a set of them is a bit mask.
pub const MAX_PIECES: usize = 32;

/// The largest coefficient of friction. No dry material reaches a tenth of it, and much larger ones are inaccurate.
pub(super) const MAX_FRICTION: f64 = 100.0;

/// An error that leaves the stability of pieces unknown.
///
/// ```
/// use somacat_counting::stand::{Assembly, StandError};
///
/// let error = Assembly::new(Vec::new(), -1.0).unwrap_err();
/// assert_eq!(error, StandError::Friction(-1.0));
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum StandError {
    #[error("the coefficient of friction must be a number from 0 to {MAX_FRICTION}, not {0:?}")]
    Friction(f64),
    #[error("up to {MAX_PIECES} pieces are set up; these are {0}")]
    Pieces(usize),
    #[error("no building order was found among {0} stages")]
    Stages(usize),
    #[error("the forces could not be computed accurately enough to decide")]
    Undecided,
}
