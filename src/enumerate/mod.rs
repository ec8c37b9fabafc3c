//! Enumerates figures: all with a given symmetry, or all in a box.
//!
//! A [`Question`] asks for all figures of N cells whose group is, or contains, a group of given
//! classes ([`SymmetricSpec`]), or for all that fit in a box: connected ones only, towers only
//! ([`BoxSpec`]). An [`Enumeration`] answers it, by one of three methods: growth of connected sets
//! of orbits, orderly generation of subsets, or maps of heights.
//!
//! All stream: a figure is decided by itself whether it is the one to be listed among its images,
//! so there is no index of what was seen, and memory does not grow with the number of figures. The
//! work is cut into shards that depend on the question alone; figures come in the same order
//! whatever the number of threads.
//!
//! ```
//! use somacat::enumerate::{BoxSpec, Enumeration};
//! use std::sync::atomic::AtomicBool;
//!
//! let eight = Enumeration::in_box(BoxSpec::new([2, 2, 3], 8))?;
//! assert_eq!(eight.total(), Some(49));
//! let by_class = eight.count(&AtomicBool::new(false)).expect("nothing stops it");
//! assert_eq!(by_class.total(), 49);
//! # Ok::<(), somacat::enumerate::EnumerateError>(())
//! ```

mod box_orbits;
mod boxes;
mod burnside;
mod counts;
mod draft;
mod effort;
mod enumeration;
mod error;
mod growth;
mod key;
mod limits;
mod question;
mod search;
mod shards;
mod subsets;
mod towers;

pub(crate) use boxes::{boxes_within, cells_of, image, number, symmetries};
pub use counts::{ClassCounts, Estimate, Sample, ShardMeasure};
pub use draft::Draft;
pub use enumeration::Enumeration;
pub use error::{EnumerateError, KeyError, ParseBoxError};
pub use question::{BoxSpec, ClassChoice, Question, Shape, SymmetricSpec, parse_box};
pub use shards::{Place, ShardRange};
