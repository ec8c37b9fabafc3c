//! Pieces and multisets of pieces: SOMA, several SOMAs, SOMA+plus, or a set from a text file.

mod piece;
mod set;
mod text;

pub use piece::Piece;
pub use set::{PieceSet, color_sums};
pub use text::{ParseSetError, parse_piece_lines, parse_set};
