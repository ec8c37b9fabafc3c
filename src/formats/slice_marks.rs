//! How slices mark the cells of pieces.

/// The letters of pieces in slices, and those of SOMA. Corner, positive, negative, zee, tee, ell and
/// three; that positive is B and negative A is read off the packings that yass's README shows.
pub(super) const PIECES: [(char, char); 7] =
    [('c', 'P'), ('p', 'B'), ('n', 'A'), ('z', 'Z'), ('t', 'T'), ('l', 'L'), ('3', 'V')];

/// How slices write a mark: the letter of a piece, or a mark for any other cell.
pub(super) fn mark_in_text(mark: char) -> char {
    PIECES.iter().find(|(_, letter)| *letter == mark).map_or(mark, |(own, _)| *own)
}
