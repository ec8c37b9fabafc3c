//! The method for larger boxes.

pub(super) mod halves;
pub(super) mod join;
