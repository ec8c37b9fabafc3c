//! Figures with their pieces as problems for other programs.

pub(super) mod cover;
pub(super) mod xmpuzzle;
