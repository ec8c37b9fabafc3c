//! Limits of what is read.

/// The most characters of a name or a title. A longer one is cut, with a warning.
pub const MAX_NAME_CHARS: usize = 1000;

/// The longest line that is read, in bytes: 1 MiB, thirty times the longest figure in `cells`.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// The most bytes of a JSON value with several lines.
pub(super) const MAX_VALUE_BYTES: usize = 16 * MAX_LINE_BYTES;

/// The most bytes of a puzzle, unpacked.
pub(super) const MAX_PUZZLE_BYTES: u64 = 256 << 20;

/// The memory limit for the shapes and problems of a puzzle and their names, in bytes.
pub(super) const MAX_SHAPE_BYTES: usize = 64 << 20;
