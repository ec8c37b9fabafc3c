//! Commands that ask for all figures of a kind, or for the pieces that build one.

pub(super) mod census;
mod class_args;
pub(super) mod design;
pub(super) mod enumerate;
pub(super) mod enumerate_b_file;
pub(super) mod enumerate_buildable;
