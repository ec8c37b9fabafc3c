//! The codes of Conway and Guy for packings of the cube.
//!
//! Their map is the SOMAP (Berlekamp, Conway and Guy, *Winning Ways*, chapter 24). A code such as `U0h` has the
//! deficient piece, the central piece if it is another one, and the dexterity. A final letter distinguishes packings. A
//! packing determines all but the letter. Merv Eberhardt explains the code in SOMA News of 11 July 2017
//! (`www.fam-bundgaard.dk/SOMA/NEWS/N170711.HTM`).

use crate::lattice::{Cell, moved_to_origin};
use std::fmt;
use std::str::FromStr;

/// A piece: its letter, its color in the code, its cells, the most corners of the cube that it can fill, and the bit of
/// its dexterity.
const PIECES: [(char, char, usize, usize, u8); 7] = [
    ('V', 'B', 3, 1, 1),
    ('L', 'Y', 4, 2, 2),
    ('T', 'G', 4, 2, 0),
    ('Z', 'O', 4, 1, 4),
    ('A', 'U', 4, 1, 0),
    ('B', 'R', 4, 1, 0),
    ('P', 'A', 4, 1, 0),
];

/// A code of a packing of the cube, without the letter.
///
/// ```
/// use somacat_geometry::somap::SomapCode;
///
/// let code: SomapCode = "bu2".parse()?;
/// assert_eq!(code.to_string(), "BU2");
/// // A packing does not determine the last letter of a published code.
/// assert_eq!("R7d".parse::<SomapCode>()?, "R7".parse()?);
/// # Ok::<(), somacat_geometry::somap::SomapError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SomapCode {
    /// The color of the deficient piece. It fills one corner less than it could.
    deficient: char,
    center: char,
    /// The bits of pieces that look like L or Z from outside.
    dexterity: u8,
}

/// A text that is not a code.
///
/// ```
/// use somacat_geometry::somap::SomapCode;
///
/// // The dexterity has three bits, so it is at most 7.
/// assert!("R8".parse::<SomapCode>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a SOMAP code; a code is one or two of B Y O U R A and a digit up to 7, as in R7 or \
     BU2"
)]
pub struct SomapError(String);

impl SomapCode {
    /// Returns the code of a packing of the cube. `pieces` has the cells of each piece, which must have the shape of the
    /// piece; this is not checked.
    ///
    /// Returns `None` if it is not a packing of the cube with one SOMA set.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::somap::SomapCode;
    ///
    /// // The layers of a packing, from top to bottom.
    /// let layers = ["PPL PBL ZBB", "PAL ZAV ZTB", "AAL ZVV TTT"];
    /// let mut pieces = "VLTZABP".chars().map(|letter| (letter, Vec::new())).collect::<Vec<_>>();
    /// for (z, layer) in (0..).zip(layers) {
    ///     for (y, row) in (0..).zip(layer.split(' ')) {
    ///         for (x, letter) in (0..).zip(row.chars()) {
    ///             let own = pieces.iter_mut().find(|(piece, _)| *piece == letter).unwrap();
    ///             own.1.push(Cell::new(x, y, z));
    ///         }
    ///     }
    /// }
    /// let code = SomapCode::of(&pieces).expect("a packing of the cube");
    /// assert_eq!(code.to_string(), "BU6", "V touches no corner, and A fills the center");
    /// ```
    pub fn of(pieces: &[(char, Vec<Cell>)]) -> Option<Self> {
        let all: Vec<Cell> = pieces.iter().flat_map(|(_, cells)| cells.iter().copied()).collect();
        let corner = Cell::min_corner(&all);
        let cube = (0..27).map(|n| Cell::new(n / 9, n / 3 % 3, n % 3));
        if pieces.len() != PIECES.len() || !moved_to_origin(all).into_iter().eq(cube) {
            return None;
        }
        let (mut deficient, mut center, mut dexterity) = (None, None, 0);
        for (letter, cells) in pieces {
            let &(_, color, size, most, bit) = PIECES.iter().find(|(piece, ..)| piece == letter)?;
            if cells.len() != size {
                return None;
            }
            let cells: Vec<Cell> = cells.iter().map(|&cell| cell - corner - CENTER).collect();
            if cells.iter().filter(|cell| is_corner(cell)).count() < most {
                deficient = Some(color);
            }
            if cells.contains(&Cell::default()) {
                center = Some(color);
            }
            if bit > 0 && looks_like_its_letter(*letter, cells) {
                dexterity |= bit;
            }
        }
        Some(Self { deficient: deficient?, center: center?, dexterity })
    }

    /// Returns the code of a packing's mirror image.
    ///
    /// Returns `None` if it is not a packing of the cube with one SOMA set.
    pub fn of_mirror_image(pieces: &[(char, Vec<Cell>)]) -> Option<Self> {
        let reflected = |(letter, cells): &(char, Vec<Cell>)| {
            let letter = match letter {
                'A' => 'B',
                'B' => 'A',
                other => *other,
            };
            (letter, cells.iter().map(|cell| Cell { x: -cell.x, ..*cell }).collect())
        };
        Self::of(&pieces.iter().map(reflected).collect::<Vec<_>>())
    }
}

/// The center of a cube with a corner at the origin.
const CENTER: Cell = Cell::new(1, 1, 1);

/// Returns true for a corner of the cube around the origin.
fn is_corner(cell: &Cell) -> bool {
    cell.to_array().iter().all(|&at| at != 0)
}

/// Returns true if a piece looks like its letter from outside. The letter is L for V and L, and Z for Z. The mirror
/// image of a letter does not count. Cells are around the cube's center.
///
/// V stands on an edge: its stroke comes from a face, and its foot leads to a corner. A piece inside the cube looks
/// like neither.
fn looks_like_its_letter(letter: char, cells: Vec<Cell>) -> bool {
    let mut path = path(cells);
    let step = |path: &[Cell], at: usize| (path[at + 1] - path[at]).to_array();
    let backwards = match letter {
        'V' => is_corner(&path[0]),
        'L' => step(&path, 0) != step(&path, 1),
        _ => false,
    };
    if backwards {
        path.reverse();
    }
    let ([a, b, c], [d, e, f]) = (step(&path, 0), step(&path, if letter == 'L' { 2 } else { 1 }));
    let Cell { x, y, z } = path[0];
    // Positive for a turn to the left, seen from outside; zero in the middle of the cube.
    let left = (b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z;
    if letter == 'Z' { left < 0 } else { left > 0 }
}

/// Orders the cells of an unbranched piece from end to end.
fn path(mut cells: Vec<Cell>) -> Vec<Cell> {
    let neighbors = |cell: &Cell| cells.iter().filter(|other| cell.distance(**other) == 1).count();
    let end = cells.iter().position(|cell| neighbors(cell) == 1).unwrap_or(0);
    cells.swap(0, end);
    for at in 1..cells.len() {
        let before = cells[at - 1];
        let next = cells[at..].iter().position(|cell| before.distance(*cell) == 1).unwrap_or(0);
        cells.swap(at, at + next);
    }
    cells
}

impl fmt::Display for SomapCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { deficient, center, dexterity } = self;
        if deficient == center {
            write!(f, "{deficient}{dexterity}")
        } else {
            write!(f, "{deficient}{center}{dexterity}")
        }
    }
}

impl FromStr for SomapCode {
    type Err = SomapError;

    /// Reads a code. A letter at its end, which no packing determines, is ignored.
    fn from_str(text: &str) -> Result<Self, SomapError> {
        let refuse = || SomapError(text.to_owned());
        let upper = text.to_uppercase();
        let at = upper.find(|c: char| c.is_ascii_digit()).ok_or_else(refuse)?;
        let (colors, rest) = upper.split_at(at);
        let (digit, letter) = rest.split_at(1);
        let color = |c: char| "BYOURA".contains(c).then_some(c).ok_or_else(refuse);
        let colors: Vec<char> = colors.chars().map(color).collect::<Result<_, _>>()?;
        let (deficient, center) = match colors[..] {
            [one] => (one, one),
            [deficient, center] if deficient != center => (deficient, center),
            _ => return Err(refuse()),
        };
        let dexterity = digit.parse().ok().filter(|&digit| digit < 8).ok_or_else(refuse)?;
        if letter.len() > 1 || !letter.chars().all(|c| c.is_ascii_alphabetic()) {
            return Err(refuse());
        }
        Ok(Self { deficient, center, dexterity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_codes_are_read_back() {
        let mut codes = 0;
        for deficient in "BYOURA".chars() {
            for center in "BYOURA".chars() {
                for dexterity in 0..8 {
                    let code = SomapCode { deficient, center, dexterity };
                    let text = code.to_string();
                    assert_eq!(text.parse(), Ok(code));
                    assert_eq!(text.to_lowercase().parse(), Ok(code));
                    assert_eq!(format!("{text}c").parse(), Ok(code));
                    codes += 1;
                }
            }
        }
        assert_eq!(codes, 288);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "7", "R", "R8", "RR7", "RUB7", "G7", "R77", "R7cc", "R-7", "R7é", "R 7"] {
            assert_eq!(text.parse::<SomapCode>(), Err(SomapError(text.to_owned())));
        }
    }

    #[test]
    fn only_the_cube_with_seven_pieces_has_a_code() {
        let bar = |letter, z| (letter, (0..4).map(|x| Cell::new(x, 0, z)).collect());
        let stack: Vec<(char, Vec<Cell>)> =
            "VLTZABP".chars().zip(0..).map(|(c, z)| bar(c, z)).collect();
        assert_eq!(SomapCode::of(&stack), None);
        assert_eq!(SomapCode::of(&[]), None);
    }
}
