//! A second opinion by independent code: checks packings and certificates, and recounts figures.
//!
//! It shares only cells and pieces with the solver. Rotations are composed from quarter turns, placements are found
//! by trying every rotated piece everywhere, the symmetries of a figure by trying all signed permutations of the
//! axes, and packings are counted up to symmetry by comparing each with all its images. It is slow and simple on
//! purpose. Where there are too many packings to visit, they are counted modulo two primes ([`recount_modulo`]); that an
//! enumeration is complete is found by counting the figures of each class another way ([`figures_by_class`]).

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
