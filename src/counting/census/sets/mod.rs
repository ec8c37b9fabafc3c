//! What the methods share: sets of cells as masks, and numbers by set.

pub(super) mod accumulator;
pub(super) mod counters;
pub(super) mod disjoint;
pub(super) mod rank;
