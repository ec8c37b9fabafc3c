//! The figures of a shard: which sets represent them, their counts up to symmetry, and totals.

pub(super) mod figure_counts;
pub(super) mod figure_numbers;
pub(super) mod fixed;
pub(super) mod representatives;
pub(super) mod totals;
