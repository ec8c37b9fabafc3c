//! The method for boxes in which few cells stay empty.

pub(super) mod stages;
pub(super) mod transitions;
