//! The marks of pieces in SOMA text: what a mark stands for, and which marks a packing is written
//! with.
//!
//! A piece has a digit, its letter, and its small letter. Of four equal pieces the fourth bears the mark
//! of the first again, and so on, unless equal pieces with the same mark would touch: then the piece
//! takes another of the three, or one of the letters in [`FURTHER`]. So pieces of one mark never touch,
//! and each connected part of its cells is one piece.

use super::{Marks, WriteError};
use crate::figure::is_connected;
use crate::lattice::Cell;
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

/// Marks for pieces given by name and cells, as [`super::soma_solution`] writes them. Equal pieces
/// have equal names.
///
/// # Errors
/// If more pieces of one name touch each other than there are marks.
pub fn piece_marks(pieces: &[(char, Vec<Cell>)]) -> Result<Marks, WriteError> {
    let mut sorted: Vec<(char, Vec<Cell>)> = pieces.to_vec();
    sorted.iter_mut().for_each(|(_, cells)| cells.sort_unstable());
    // 0 is read as a cell only beside another digit of SOMA+plus, and if there are two.
    let named = |name| pieces.iter().filter(|(other, _)| *other == name).count();
    let zero = named('D') == 1 && "IQS".chars().any(|name| named(name) > 0);
    let mut marks: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    let mut copies: BTreeMap<char, usize> = BTreeMap::new();
    for (at, (name, cells)) in sorted.iter().enumerate() {
        let copy = copies.entry(*name).or_default();
        let all = alphabet(*name, zero);
        let (usual, further) = all.split_at(all.len().min(3));
        let mut turn = usual.to_vec();
        turn.rotate_left(*copy % usual.len());
        *copy += 1;
        let fits = |mark: &char| {
            let another = |(other, _): &(char, Vec<Cell>)| other == mark && other != name;
            let taken = marks.get(mark).is_some_and(|here| {
                here.iter().any(|&i| sorted[i].0 != *name || !is_apart(&sorted[i].1, cells))
            });
            !taken && !sorted.iter().any(another)
        };
        let mark = turn.into_iter().chain(further.iter().copied()).find(fits);
        marks.entry(mark.ok_or(WriteError::Marks(*name))?).or_default().push(at);
    }
    let cells = |list: Vec<usize>| list.iter().flat_map(|&at| sorted[at].1.clone()).collect();
    Ok(marks.into_iter().map(|(mark, list)| (mark, cells(list))).collect())
}

/// The marks of a piece, first ones first.
fn alphabet(name: char, zero: bool) -> Vec<char> {
    let digit = LETTERS.find(name).and_then(|at| DIGITS[at..].chars().next());
    let digit = digit.filter(|&digit| digit != '0' || zero);
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
