//! An independent second opinion: checks packings and recounts figures.
//!
//! Shares with the solver nothing but cells and pieces: rotations are composed from quarter turns,
//! placements are found by trying every turned piece everywhere, the figure's symmetries by trying
//! all signed permutations of the axes, and different packings are told apart by comparing each
//! with all its images. Slow and plain on purpose.

mod packing;
mod recount;
mod turns;

pub use packing::{PackingError, verify_packing};
pub use recount::{RecountError, recount};
