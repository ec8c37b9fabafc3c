//! What a picture writes on a piece, and colors it by.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceLabel {
    pub(super) name: char,
    /// The number among pieces of that name, from 1. The only piece of a name has 0.
    pub(super) copy: usize,
    /// True to write that number beside the letter.
    pub(super) numbered: bool,
}
