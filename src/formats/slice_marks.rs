//! The marks of pieces in slices.

/// The letters of pieces in slices, and those of SOMA: corner, positive, negative, zee, tee, ell and three. The
/// packings in yass's README show that positive is B and negative is A.
pub(super) const PIECES: [(char, char); 7] =
    [('c', 'P'), ('p', 'B'), ('n', 'A'), ('z', 'Z'), ('t', 'T'), ('l', 'L'), ('3', 'V')];

/// Returns the mark in slices: the letter of a piece, or the mark of any other cell.
pub(super) fn mark_in_text(mark: char) -> char {
    PIECES.iter().find(|(_, letter)| *letter == mark).map_or(mark, |(own, _)| *own)
}
