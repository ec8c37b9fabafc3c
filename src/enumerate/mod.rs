//! Sources of candidates: every figure of a symmetry, every figure in a box.
//!
//! * [`Symmetric`]: all figures of N cells whose group is, or contains, a group of given classes.
//! * [`Boxes`]: all figures of N cells that fit in a box; only connected ones, only towers.
//!
//! Both stream: a figure is decided by itself whether it is the one to be listed among its images,
//! so there is no index of what was seen, and memory does not grow with the number of figures. The
//! work is cut into shards that depend on the question alone; figures come in the same order
//! whatever the number of threads.

mod boxes;
mod burnside;
mod error;
mod grow;
mod listed;
mod orbits;
mod setting;
mod shards;
mod subsets;
mod symmetric;
mod towers;

pub(crate) use boxes::boxes_within;
pub use boxes::{BoxSpec, Boxes, Shape};
pub use error::EnumerateError;
pub use shards::{Estimate, Found, Place, Sampled, Tally};
pub(crate) use subsets::{cells_of, image, number, symmetries};
pub use symmetric::{Symmetric, SymmetricSpec};
