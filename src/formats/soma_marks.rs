//! The marks of pieces in SOMA text, for reading and writing packings.
//!
//! A piece has a digit, its letter, and that letter in the other case. More than three equal pieces share these marks,
//! but touching pieces never have the same mark. So each connected part of a mark's cells is one piece. If three marks
//! do not suffice, letters of the [`FURTHER`] alphabets are used.

use super::{Marks, WriteError};
use somacat_geometry::lattice::{Cell, is_connected};
use somacat_geometry::pieces::{GAP, STANDARD_LETTERS};
use std::collections::BTreeMap;

/// The digits of the pieces with the [`STANDARD_LETTERS`].
const DIGITS: &str = "1234567089$";

/// The letter A of further alphabets of 26 letters: circled, bold, bold italic, sans-serif bold, and monospace.
/// Upper and lower case.
const FURTHER: [char; 10] = ['Ⓐ', 'ⓐ', '𝐀', '𝐚', '𝑨', '𝒂', '𝗔', '𝗮', '𝙰', '𝚊'];

/// Returns the letter of the piece that a mark represents. The digits `1` to `7` are V L T Z A B P, and `0 8 9 $`
/// are D I Q S of SOMA+plus. Letters are the pieces of the same name, in either case and any of the further
/// alphabets.
///
/// ```
/// use somacat_formats::piece_letter;
///
/// assert_eq!("1234567".chars().filter_map(piece_letter).collect::<String>(), "VLTZABP");
/// assert_eq!((piece_letter('v'), piece_letter('Ⓥ')), (Some('V'), Some('V')));
/// assert_eq!(piece_letter('*'), None);
/// ```
pub fn piece_letter(mark: char) -> Option<char> {
    Some(capital(mark)).filter(|&letter| STANDARD_LETTERS.contains(letter))
}

/// Returns the capital letter that a digit or a letter represents, and any other mark as it is.
pub(super) fn capital(mark: char) -> char {
    if let Some(at) = DIGITS.find(mark) {
        return STANDARD_LETTERS[at..].chars().next().unwrap_or(mark);
    }
    let plain = FURTHER.iter().find_map(|&first| {
        let at = (mark as u32).checked_sub(first as u32).filter(|&at| at < 26)?;
        char::from_u32('A' as u32 + at)
    });
    plain.unwrap_or(mark).to_ascii_uppercase()
}

pub(super) fn piece_digit(letter: char) -> Option<char> {
    STANDARD_LETTERS.find(letter).and_then(|at| DIGITS[at..].chars().next())
}

/// Chooses marks for pieces given by name and cells, for [`super::soma_packing`].
///
/// Equal pieces have equal names.
///
/// ```
/// use somacat_formats::piece_marks;
/// use somacat_geometry::lattice::Cell;
///
/// // Two dominoes that touch need two marks.
/// let domino = |y| ('D', vec![Cell::new(0, y, 0), Cell::new(1, y, 0)]);
/// let marks = piece_marks(&[domino(0), domino(1)]).expect("there are enough marks");
/// assert_eq!(marks.iter().map(|(mark, _)| *mark).collect::<String>(), "Dd");
/// ```
///
/// # Errors
/// If more pieces of one name touch each other than there are marks.
pub fn piece_marks(pieces: &[(char, Vec<Cell>)]) -> Result<Marks, WriteError> {
    let mut by_name: BTreeMap<char, Vec<&[Cell]>> = BTreeMap::new();
    for (name, cells) in pieces {
        by_name.entry(*name).or_default().push(cells);
    }
    // A reader takes 0 as a cell only next to another digit of SOMA+plus, and if there are two zeros.
    let duo = by_name.get(&'D').is_some_and(|copies| matches!(copies.as_slice(), [[_, _]]));
    let zero = duo && "IQS".chars().any(|name| by_name.contains_key(&name));
    let mut marks: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
    for (&name, copies) in &by_name {
        if name == GAP {
            // Empty cells are not told apart.
            marks.insert(GAP, copies.concat());
            continue;
        }
        let mut all = alphabet(name, zero);
        all.retain(|mark| {
            *mark == name || !by_name.contains_key(mark) && !marks.contains_key(mark)
        });
        let colors = colors(copies, all.len()).ok_or(WriteError::Marks(name))?;
        for (cells, color) in copies.iter().zip(colors) {
            marks.entry(all[color]).or_default().extend_from_slice(cells);
        }
    }
    Ok(marks.into_iter().collect())
}

/// Numbers equal pieces below `most`. Touching pieces get different numbers. Up to three pieces get different
/// numbers. More pieces get the smallest range that a short search finds, at least three.
fn colors(pieces: &[&[Cell]], most: usize) -> Option<Vec<usize>> {
    if pieces.len() <= most.min(USUAL) {
        return Some((0..pieces.len()).collect());
    }
    let touching: Vec<Vec<usize>> = (0..pieces.len())
        .map(|at| (0..at).filter(|&other| !is_apart(pieces[other], pieces[at])).collect())
        .collect();
    (USUAL.min(most)..=most).find_map(|numbers| {
        let mut colors = Vec::new();
        let mut steps = 0;
        color(&touching, numbers, &mut colors, &mut steps).then_some(colors)
    })
}

/// The number of marks used before those of further alphabets: digit, letter, lower-case letter.
const USUAL: usize = 3;

/// The most steps of the search for few marks.
const MAX_COLOR_STEPS: usize = 10_000;

/// Gives the next piece a number that no touching piece has. Starts with the numbers in turn, to use all of them.
fn color(
    touching: &[Vec<usize>],
    numbers: usize,
    colors: &mut Vec<usize>,
    steps: &mut usize,
) -> bool {
    let at = colors.len();
    let Some(earlier) = touching.get(at) else { return true };
    for turn in 0..numbers {
        *steps += 1;
        if *steps > MAX_COLOR_STEPS {
            return false;
        }
        let number = (at + turn) % numbers;
        if earlier.iter().all(|&other| colors[other] != number) {
            colors.push(number);
            if color(touching, numbers, colors, steps) {
                return true;
            }
            colors.pop();
        }
    }
    false
}

/// Returns the marks of a piece, the preferred ones first.
fn alphabet(name: char, zero: bool) -> Vec<char> {
    let digit = piece_digit(name).filter(|&digit| digit != '0' || zero);
    let mut all: Vec<char> = digit.into_iter().chain([name]).collect();
    if name.is_ascii_alphabetic() {
        let (upper, lower) = (name.to_ascii_uppercase(), name.to_ascii_lowercase());
        all.push(if name == upper { lower } else { upper });
        let at = upper as u32 - 'A' as u32;
        all.extend(FURTHER.iter().filter_map(|&first| char::from_u32(first as u32 + at)));
    }
    all
}

/// Returns `true` if both pieces are connected and do not touch.
fn is_apart(one: &[Cell], other: &[Cell]) -> bool {
    let touches = |cell: &Cell| cell.neighbors().iter().any(|next| other.contains(next));
    is_connected(one) && is_connected(other) && !one.iter().any(touches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_every_alphabet_names_its_piece() {
        for name in STANDARD_LETTERS.chars() {
            let all = alphabet(name, true);
            assert_eq!(all.len(), 13, "{name}");
            assert!(all.iter().all(|&mark| piece_letter(mark) == Some(name)), "{all:?}");
        }
        assert_eq!("Ⓒ𝐗xX*#é".chars().filter_map(piece_letter).next(), None);
    }

    #[test]
    fn a_piece_with_a_small_letter_has_as_many_marks() {
        let row = |name| (0..4).map(|x| (name, vec![Cell::new(x, 0, 0)])).collect::<Vec<_>>();
        let marks_of = |pieces: &[_]| {
            let marks = piece_marks(pieces).unwrap();
            marks.iter().map(|(mark, _)| *mark).collect::<String>()
        };
        assert_eq!(marks_of(&row('d')), "DdⒹ");
        // Neither takes the letter of the other.
        assert_eq!(marks_of(&[row('d'), row('D')].concat()), "DdⒹⓓ𝐃𝐝");
    }

    #[test]
    fn only_a_duo_has_the_digit_0() {
        let row = |name, y, length| (name, (0..length).map(|x| Cell::new(x, y, 0)).collect());
        for (length, marks) in [(2, "08"), (5, "8D")] {
            let found = piece_marks(&[row('D', 0, length), row('I', 1, 4)]).unwrap();
            assert_eq!(found.iter().map(|(mark, _)| *mark).collect::<String>(), marks);
        }
    }
}
