//! A second opinion by independent code: checks packings and certificates, and recounts figures.
//!
//! It shares only cells and pieces with the solver. Rotations are composed from quarter turns, placements are found
//! by trying every rotated piece everywhere, the symmetries of a figure by trying all signed permutations of the
//! axes, and packings are counted up to symmetry by comparing each with all its images. It is slow and simple on
//! purpose.

mod canonical;
mod certificate;
mod packing;
mod reason;
mod recount;
mod turns;

pub use canonical::plain_signature;
pub use certificate::{CertificateError, CertificateProblem, Certified, check_certificate};
pub use packing::{PackingError, verify_packing};
pub use reason::plain_reason;
pub use recount::{RecountError, recount};
