//! The method for short memory and large numbers.

pub(super) mod backtracking;
pub(super) mod completions;
