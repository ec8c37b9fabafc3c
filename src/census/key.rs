//! The question that a census answers, in one line that is the same on every machine.

use crate::enumerate::parse_box;
use crate::lattice::Cell;
use crate::pieces::{Piece, PieceSet};

/// The version of the algorithm that cuts a census into shards: which cells are pattern cells, how many there
/// are in the box and in the boxes within it, which patterns are looked at and in which order, and in
/// which order a shard's figures come. A change of any of these is a new version.
pub(super) const VERSION: u32 = 1;

/// The letters of known pieces, in the order in which a key names them.
const LETTERS: &str = "VLTZABPDIQS";

/// `census/1 box=AxBxC set=… split=N`.
pub(super) fn key([a, b, c]: [u32; 3], set: &PieceSet, pattern_cells: usize) -> String {
    let set = definition(set);
    format!("census/{VERSION} box={a}x{b}x{c} set={set} split={pattern_cells}")
}

/// Box and split of a key.
pub(super) fn split_of(key: &str) -> Option<([u32; 3], usize)> {
    let value = |name: &str| key.split(' ').find_map(|word| word.strip_prefix(name));
    let sides = parse_box(value("box=")?).ok()?;
    Some((sides, value("split=")?.parse().ok()?))
}

/// A set by its pieces, whatever it and they are called and in whatever order they stand: known pieces by
/// letter, others by their cells, each with its number if there are several: `V+L*2+(0,0,0;0,0,1;0,0,2;0,0,3;0,0,4)`.
fn definition(set: &PieceSet) -> String {
    let mut pieces: Vec<(usize, Vec<Cell>, usize)> = set
        .pieces()
        .iter()
        .map(|(piece, copies)| (letter(piece), piece.shape(), *copies))
        .collect();
    pieces.sort();
    let word = |(letter, shape, copies): &(usize, Vec<Cell>, usize)| {
        let cell = |c: &Cell| format!("{},{},{}", c.x, c.y, c.z);
        let cells = || shape.iter().map(cell).collect::<Vec<_>>().join(";");
        let name =
            LETTERS.get(*letter..=*letter).map_or_else(|| format!("({})", cells()), str::to_owned);
        if *copies == 1 { name } else { format!("{name}*{copies}") }
    };
    pieces.iter().map(word).collect::<Vec<_>>().join("+")
}

/// The place of a piece among the letters; for one that has none, the place after the last.
fn letter(piece: &Piece) -> usize {
    let same =
        |letter| PieceSet::standard_piece(letter).is_some_and(|k| k.has_shape(piece.cells()));
    LETTERS.chars().position(same).unwrap_or(LETTERS.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{parse_piece_lines, parse_set};

    #[test]
    fn a_key_depends_on_the_pieces_alone() {
        let soma = key([3, 3, 4], &PieceSet::soma(1), 16);
        assert_eq!(soma, "census/1 box=3x3x4 set=V+L+T+Z+A+B+P split=16");
        let lines =
            "x: 7,7,7 7,7,6 7,7,5 7,7,4 7,7,3\ny*2: 0,0,0 0,1,0 0,2,0 1,2,0\nz: 4,4,4 5,4,4 4,5,4";
        let own = definition(&parse_piece_lines("mine", lines).unwrap());
        let mut reversed: Vec<&str> = lines.lines().rev().collect();
        assert_eq!(own, "V+L*2+(0,0,0;0,0,1;0,0,2;0,0,3;0,0,4)");
        reversed.iter_mut().for_each(|line| *line = line.trim_end());
        assert_eq!(definition(&parse_piece_lines("other", &reversed.join("\n")).unwrap()), own);
        assert_eq!(definition(&parse_set("L2 V").unwrap()), "V+L*2");
    }
}
