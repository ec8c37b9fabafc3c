//! The cubic lattice: cells, connected components, and the 48 transforms of the cube.

mod cell;
mod parts;
mod transform;

pub use cell::{Cell, MAX_COORDINATE, color_difference, moved_to_origin};
pub use parts::{connected_parts, is_connected, part_count};
pub use transform::Transform;
