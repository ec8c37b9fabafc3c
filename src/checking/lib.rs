//! Independent checks of packings, certificates and numbers of figures.
//!
//! This crate shares no code with the solver, the enumeration and the census. From `somacat-geometry` it takes:
//!
//! * cells, and figures as sorted lists of cells with their extents,
//! * pieces and sets of pieces, with the parser of their names,
//! * the parser of signatures, for the signature that a certificate names,
//! * the types of counts and reasons,
//! * transforms, groups and classes, for the tables of marks in [`figures_by_class`] and [`outcomes_of_class`].
//!
//! It derives everything else itself. It composes rotations from quarter turns, and finds placements by trying every
//! rotated piece everywhere. It finds the symmetries of a figure, and so its class, by trying all signed permutations
//! of the axes. It derives parity, bounds and parts from the cells. It counts packings up to symmetry by comparing
//! each with all its images. It is simple on purpose. If there are too many packings to visit,
//! [`recount_modulo`] counts them modulo two primes. [`figures_by_class`] checks that an enumeration is complete by
//! counting the figures of each class another way, and [`outcomes_of_class`] visits them to find those that the pieces
//! build. [`box_packings_modulo`] counts the packings of all figures of a box at once.

#![warn(missing_docs, clippy::missing_errors_doc)]

mod boxes;
mod canonical;
mod certificate;
mod certificate_lines;
mod claim;
mod columns;
mod count_certificate;
mod family;
mod fill;
mod growth;
mod item_set;
mod marks;
mod outcomes;
mod packing;
mod placements;
mod reason;
mod recount;
mod seam;
mod stacks;
mod subsets;
mod sweep;
mod towers;
mod turns;

pub use boxes::positions;
pub use canonical::plain_signature;
pub use certificate::check_certificate;
pub use certificate_lines::{CertificateError, CertificateProblem};
pub use claim::Certified;
pub use columns::{plain_bounds, plain_class, plain_parity, plain_parts};
pub use family::Family;
pub use marks::{ByClass, ClassNumbers, colored_by_class, figures_by_class};
pub use outcomes::{ClassOutcomes, outcomes_of_class, visited_figures};
pub use packing::{PackingError, verify_packing};
pub use reason::plain_reason;
pub use recount::{RecountError, recount, recount_at_least};
pub use sweep::{PRIMES, Remainders, box_packings_modulo, recount_modulo};
pub use towers::is_tower;
