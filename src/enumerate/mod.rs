//! Enumeration of figures: all with a given symmetry, or all in a box.
//!
//! A [`Question`] asks for all figures of N cells whose group is, or contains, a group of given classes
//! ([`SymmetricSpec`]), or for all figures that fit in a box ([`BoxSpec`]), optionally only connected ones or
//! towers. An [`Enumeration`] answers it by one of three methods: growth of connected sets of orbits, orderly
//! generation of subsets, or maps of heights.
//!
//! All methods stream. A figure alone determines whether it is the one listed among its images, so there is no
//! index of visited figures, and memory does not grow with the number of figures. The question alone determines the
//! shards of the work and the order of the figures, for any number of threads.
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
pub use error::{EnumerateError, ParseBoxError, ParseQuestionError};
pub use question::{BoxSpec, ClassChoice, Question, Shape, SymmetricSpec, parse_box};
pub use shards::{Place, ShardRange};
