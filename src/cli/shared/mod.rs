//! Options, input and output that commands share.

pub(super) mod bytes;
pub(super) mod choice;
pub(super) mod figure_format;
pub(super) mod files_read;
pub(super) mod filter;
pub(super) mod input;
pub(super) mod log;
pub(super) mod mistakes;
pub(super) mod no_match;
pub(super) mod output;
pub(super) mod summary;
