//! The marks of pieces in SOMA text: what a mark stands for, and which marks a packing is written
//! with.
//!
//! A piece has a digit, its letter, and its small letter. More than three equal pieces share these marks,
//! but pieces with the same mark never touch, so that each connected part of a mark's cells is one
//! piece. Where three marks do not suffice, those of [`FURTHER`] alphabets join in.

use super::{Marks, WriteError};
use somacat_geometry::lattice::{Cell, is_connected};
use std::collections::BTreeMap;

/// The pieces of SOMA+plus, and their digits.
const LETTERS: &str = "DVLTZABPIQS";
const DIGITS: &str = "0123456789$";

/// The letters A of further alphabets of 26 letters: circled, bold, bold italic, sans-serif bold, and
/// monospace, capital and small.
const FURTHER: [char; 10] = ['Ⓐ', 'ⓐ', '𝐀', '𝐚', '𝑨', '𝒂', '𝗔', '𝗮', '𝙰', '𝚊'];

/// The letter of the piece a mark stands for: V L T Z A B P for `1` to `7`, D I Q S for `0 8 9 $`
/// of SOMA+plus, and letters, also small ones and those of further alphabets, for themselves.
#[must_use]
pub fn piece_letter(mark: char) -> Option<char> {
    if let Some(at) = DIGITS.find(mark) {
        return LETTERS[at..].chars().next();
    }
    let plain = FURTHER.iter().find_map(|&first| {
        let at = (mark as u32).checked_sub(first as u32).filter(|&at| at < 26)?;
        char::from_u32('A' as u32 + at)
    });
    let letter = plain.unwrap_or(mark).to_ascii_uppercase();
    LETTERS.contains(letter).then_some(letter)
}

/// The digit of the piece with a letter.
pub(super) fn piece_digit(letter: char) -> Option<char> {
    LETTERS.find(letter).and_then(|at| DIGITS[at..].chars().next())
}

/// Marks for pieces given by name and cells, as [`super::soma_packing`] writes them. Equal pieces
/// have equal names.
///
/// # Errors
/// If more pieces of one name touch each other than there are marks.
pub fn piece_marks(pieces: &[(char, Vec<Cell>)]) -> Result<Marks, WriteError> {
    let mut by_name: BTreeMap<char, Vec<&[Cell]>> = BTreeMap::new();
    for (name, cells) in pieces {
        by_name.entry(*name).or_default().push(cells);
    }
    // 0 is read as a cell only beside another digit of SOMA+plus, and if there are two.
    let copies = |name| by_name.get(&name).map_or(0, Vec::len);
    let zero = copies('D') == 1 && "IQS".chars().any(|name| copies(name) > 0);
    let mut marks: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
    for (&name, copies) in &by_name {
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

/// Numbers below `most` for equal pieces, different ones for pieces that touch. Three pieces get
/// three numbers; more get as few as a short search manages with, three at least.
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

/// The marks that are spent before those of further alphabets: digit, letter, small letter.
const USUAL: usize = 3;

/// Steps of the search for few marks.
const MAX_STEPS: usize = 10_000;

/// Gives the next piece a number that no earlier piece it touches has, beginning with its turn.
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
        if *steps > MAX_STEPS {
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

/// The marks of a piece, first ones first.
fn alphabet(name: char, zero: bool) -> Vec<char> {
    let digit = piece_digit(name).filter(|&digit| digit != '0' || zero);
    let mut all: Vec<char> = digit.into_iter().chain([name]).collect();
    if name.is_ascii_uppercase() {
        all.push(name.to_ascii_lowercase());
        let place = name as u32 - 'A' as u32;
        all.extend(FURTHER.iter().filter_map(|&first| char::from_u32(first as u32 + place)));
    }
    all
}

/// Whether the parts of the cells of both pieces together are the two pieces.
fn is_apart(one: &[Cell], other: &[Cell]) -> bool {
    let touches = |cell: &Cell| cell.neighbors().iter().any(|next| other.contains(next));
    is_connected(one) && is_connected(other) && !one.iter().any(touches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_every_alphabet_names_its_piece() {
        for name in LETTERS.chars() {
            let all = alphabet(name, true);
            assert_eq!(all.len(), 13, "{name}");
            assert!(all.iter().all(|&mark| piece_letter(mark) == Some(name)), "{all:?}");
        }
        assert_eq!("Ⓒ𝐗xX*#é".chars().filter_map(piece_letter).next(), None);
    }
}
