//! Pieces and multisets of pieces: SOMA, several SOMAs, SOMA+plus, famous sets, or a set from a file.
//!
//! Every [`Piece`] is connected: the arguments from sizes and colors of parts hold for connected pieces only.

mod choice;
mod definition;
mod famous;
mod parse;
mod picture;
mod piece;
mod set;

pub use choice::{is_own_set_name, reads_as_choice};
pub use famous::{FAMOUS_SETS, FamousSet};
pub use parse::{
    MAX_COPIES, MAX_SET_CELLS, ParseSetError, PieceLineError, draws_pieces, is_piece_name,
    parse_color, parse_colored_piece_lines, parse_copies, parse_piece_lines, parse_set,
    parse_set_with_ranges, set_within_limits, with_standard_name,
};
pub use picture::PictureError;
pub use piece::{
    ColoredShape, GAP, MAX_COLOR, MAX_PIECE_CELLS, MAX_PIECE_NAME_CHARS, OPTIONAL, Piece,
    PieceError,
};
pub(crate) use set::signed_sums;
pub use set::{PieceSet, STANDARD_LETTERS};
