//! The texts of a data release.

pub(super) mod contents;
pub(super) mod credits;
pub(super) mod metadata;
