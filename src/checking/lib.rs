//! Independent checks of packings, certificates and numbers of figures.
//!
//! With the solver, this module shares only cells, figures, groups and pieces. It composes rotations from
//! quarter turns, and finds placements by trying every rotated piece everywhere. It finds the symmetries of a
//! figure by trying all signed permutations of the axes. It counts packings up to symmetry by comparing each with
//! all its images. It is slow and simple on purpose. If there are too many packings to visit, [`recount_modulo`]
//! counts them modulo two primes. [`figures_by_class`] checks that an enumeration is complete by counting the
//! figures of each class another way.

#![warn(missing_docs, clippy::missing_errors_doc)]

mod boxes;
mod canonical;
mod certificate;
mod columns;
mod fill;
mod grown;
mod marks;
mod packing;
mod reason;
mod recount;
mod seam;
mod stacks;
mod subsets;
mod sweep;
mod towers;
mod turns;

pub use canonical::plain_signature;
pub use certificate::{CertificateError, CertificateProblem, Certified, check_certificate};
pub use columns::{plain_bounds, plain_class, plain_parity, plain_parts};
pub use marks::{ByClass, Family, buildable_by_class, figures_by_class};
pub use packing::{PackingError, verify_packing};
pub use reason::plain_reason;
pub use recount::{RecountError, recount};
pub use sweep::{PRIMES, Remainders, recount_modulo};
pub use towers::is_tower;
