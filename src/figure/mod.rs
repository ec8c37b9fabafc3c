//! Figures: finite sets of cells to build, what is the same about them however they lie, and what
//! parity says before any search.

mod candidate;
mod canonical;
mod parity;
mod parts;
mod rest;
mod shape;
mod signature;

pub use candidate::{Candidate, Columns};
pub use canonical::{Canonical, Identity};
pub use parity::{Blocked, prefilter};
pub use parts::{connected_parts, is_connected, part_count};
pub use shape::{Figure, FigureError, MAX_CELLS, MAX_COORDINATE};
pub use signature::{ParseSignatureError, SIGNATURE_VERSION, Signature};
