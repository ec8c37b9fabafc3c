//! The sizes that the search handles, and of its shards and slices.

/// The most cells of a figure. This bounds the distance of a connected figure's cells from the root.
pub(super) const MAX_BUILDABLE_CELLS: usize = 31;

/// The most kinds of pieces: there is a tree of placements for every subset of kinds.
pub(super) const MAX_KINDS: usize = 10;

/// The most cells of a piece.
pub(super) const MAX_PIECE: usize = 8;

/// The number of shards of a search: about one for each pair of first placements of a large class.
pub const SHARDS: u64 = 1 << 14;

/// The number of digits of a slice, the first one highest. The third placement determines the first, and so on. A set
/// of few pieces has fewer such placements, and its other digits are 0.
pub(super) const SLICE_DIGITS: u8 = 3;

/// The number of bits of a digit.
pub(super) const SLICE_BITS: u32 = 8;

/// The number of slices of a shard. The largest shards of order 2 take minutes, the largest slices milliseconds.
pub const SLICES: u64 = 1 << (SLICE_BITS * SLICE_DIGITS as u32);
