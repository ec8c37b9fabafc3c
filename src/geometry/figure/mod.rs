//! Figures: finite sets of cells to build, with their canonical form, signature, symmetry group and parity proofs.

mod candidate;
mod canonical;
mod canonical_check;
mod colors;
mod hull;
mod parity;
mod resting_position;
mod shape;
mod signature;

pub use candidate::{Candidate, Columns};
pub use canonical::{Canonical, Equivalence};
pub use colors::FigureColors;
pub use hull::{convex_hull, turn};
pub use parity::{Obstruction, prefilter, prefilter_with_colors};
pub use resting_position::support_hull;
pub use shape::{Figure, FigureError, MAX_CELLS};
pub use signature::{ParseSignatureError, SIGNATURE_VERSION, Signature};
