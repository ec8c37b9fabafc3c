//! The cubic lattice: cells and the 48 transforms of the cube. Knows no puzzle.

mod cell;
mod transform;

pub use cell::Cell;
pub use transform::Transform;
