//! The definition of a set by its pieces alone.

use super::set::standard_pieces;
use super::{ColoredShape, Piece, PieceSet};

impl PieceSet {
    /// Returns the pieces as text, independent of their names and their order.
    ///
    /// Known pieces are written by letter and others by their cells. Several copies have a count:
    /// `V+L*2+(0,0,0;0,0,1;0,0,2;0,0,3;0,0,4)`. Question keys contain this text.
    ///
    /// ```
    /// use somacat_geometry::pieces::{PieceSet, parse_piece_lines};
    ///
    /// assert_eq!(PieceSet::soma(1).definition(), "V+L+T+Z+A+B+P");
    /// let set = parse_piece_lines("mine", "x: 5,5,5\nbar*2: 0,0,0 1,0,0").unwrap();
    /// assert_eq!(set.definition(), "D*2+(0,0,0)");
    /// ```
    pub fn definition(&self) -> String {
        let mut pieces: Vec<(usize, &ColoredShape, [usize; 2])> =
            self.ranges().map(|(piece, copies)| (letter(piece), piece.form(), copies)).collect();
        pieces.sort();
        let word = |(letter, form, copies): &(usize, &ColoredShape, [usize; 2])| {
            let cells = || form.words().collect::<Vec<_>>().join(";");
            let known = standard_pieces().get(*letter).map(|piece| piece.name().to_owned());
            let name = known.unwrap_or_else(|| format!("({})", cells()));
            match *copies {
                [1, 1] => name,
                [least, most] if least == most => format!("{name}*{most}"),
                [least, most] => format!("{name}*{least}..{most}"),
            }
        };
        pieces.iter().map(word).collect::<Vec<_>>().join("+")
    }
}

/// Returns the position of a piece among the standard pieces. Other pieces come after the last.
fn letter(piece: &Piece) -> usize {
    let same = standard_pieces().iter().position(|known| known.form() == piece.form());
    same.unwrap_or(usize::MAX)
}
