//! Limits of enumerations.

/// The most cells of a figure to enumerate: far above any that can be listed.
pub(super) const MAX_ENUMERATED_CELLS: usize = 150;

/// The most bytes of a search's tables.
pub(super) const MAX_TABLE_BYTES: usize = 512 << 20;
