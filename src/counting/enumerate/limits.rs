//! How far enumerations go.

/// The most cells of a figure to enumerate; the largest anyone could list are far below.
pub(super) const MAX_CELLS: usize = 150;

/// The most bytes that the tables of a search may take.
pub(super) const MOST_MEMORY: usize = 512 << 20;
