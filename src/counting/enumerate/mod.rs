//! Enumeration of figures: all with a given symmetry, or all in a box.
//!
//! An [`EnumerationSpec`] selects figures of N cells. A [`SymmetricSpec`] selects all whose group is, or contains, a
//! group of given classes. A [`BoxSpec`] selects all that fit in a box, optionally only connected ones or
//! towers. An [`Enumeration`] answers a question by one of three methods: growth of connected sets of orbits,
//! orderly generation of subsets, or maps of heights.
//!
//! All methods stream. Each figure determines alone whether it is the one listed among its images. So visited figures
//! need no index, and memory does not grow with their number. The question alone determines the shards of the work and
//! the order of the figures, for any number of threads.
//!
//! ```
//! use somacat_counting::enumerate::{BoxSpec, Enumeration};
//! use std::sync::atomic::AtomicBool;
//!
//! let eight = Enumeration::in_box(BoxSpec::new([2, 2, 3], 8))?;
//! assert_eq!(eight.total(), Some(49));
//! let by_class = eight.count(&AtomicBool::new(false)).expect("nothing stops it");
//! assert_eq!(by_class.total(), 49);
//! # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
//! ```

mod box_orbits;
mod burnside;
mod cost;
mod counts;
mod enumeration;
mod error;
mod found_figure;
mod growth;
mod key;
mod known;
mod limits;
mod number;
mod search;
mod shards;
mod spec;
mod stop_check;
mod subsets;
mod towers;

pub use counts::{ClassCounts, Estimate, Sample, ShardGroup, ShardMeasure};
pub use enumeration::Enumeration;
pub use error::{EnumerateError, KeyError};
pub use found_figure::FoundFigure;
pub use number::{FigureNumber, NumberError};
pub use shards::{Place, ShardRange};
pub use spec::{BoxSpec, ClassChoice, EnumerationSpec, FigureShape, SymmetricSpec};
