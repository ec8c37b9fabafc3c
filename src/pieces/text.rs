//! Sets as people write them: a name, a list of letters, or a small text file.

use super::{Piece, PieceSet};
use crate::lattice::Cell;

/// Why a text names no set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSetError {
    /// Neither a set's name nor a list of letters.
    #[error(
        "`{0}` is no piece set; write SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of \
         lines like `V*2: 0,0,0 1,0,0 0,1,0`"
    )]
    Unknown(String),
    /// A letter that stands for no piece.
    #[error("`{0}` is no piece: the pieces are V L T Z A B P, and D I Q S of SOMA+plus")]
    UnknownPiece(String),
    /// A line of a set file that cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// No piece at all, or more than the program handles.
    #[error("{0}")]
    Size(String),
}

/// The most copies of one piece, and the most cells of one piece, that a set may have.
const LIMIT: usize = 1024;

/// Reads `SOMA`, `3xSOMA`, `SOMA+`, or letters with optional numbers: `V L T2`, `VLT2`, `V,L`.
///
/// # Errors
/// If the text is none of these.
pub fn parse_set(text: &str) -> Result<PieceSet, ParseSetError> {
    let wanted = text.trim();
    let upper = wanted.to_ascii_uppercase();
    let copies = match upper.strip_suffix("XSOMA") {
        Some(number) => number.parse().ok().filter(|n| (1..=LIMIT).contains(n)),
        None => (upper == "SOMA").then_some(1),
    };
    if let Some(copies) = copies {
        return Ok(PieceSet::soma(copies));
    }
    if matches!(upper.as_str(), "SOMA+" | "SOMA+PLUS" | "SOMAPLUS") {
        return Ok(PieceSet::soma_plus());
    }
    letters(wanted)
}

fn letters(text: &str) -> Result<PieceSet, ParseSetError> {
    let mut pieces = Vec::new();
    let between = |c: &char| c.is_whitespace() || matches!(c, ',' | '*');
    let mut chars = text.trim_start_matches(|c| between(&c)).chars().peekable();
    while let Some(letter) = chars.next() {
        while chars.next_if(between).is_some() {}
        let mut digits = String::new();
        while let Some(digit) = chars.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        while chars.next_if(between).is_some() {}
        let piece = PieceSet::known_piece(letter.to_ascii_uppercase());
        let Some(piece) = piece.filter(|_| letter.is_ascii_uppercase()) else {
            let listed = text.split([' ', ',']).all(|word| word.chars().count() <= 3);
            return Err(if listed {
                ParseSetError::UnknownPiece(letter.to_string())
            } else {
                ParseSetError::Unknown(text.to_owned())
            });
        };
        let count = if digits.is_empty() { Some(1) } else { digits.parse().ok() };
        let Some(count) = count.filter(|n| (1..=LIMIT).contains(n)) else {
            let reason = format!("`{letter}{digits}`: a number of pieces lies in 1…{LIMIT}");
            return Err(ParseSetError::Size(reason));
        };
        pieces.push((piece, count));
    }
    if pieces.is_empty() {
        return Err(ParseSetError::Unknown(text.to_owned()));
    }
    // One set, one name, however it was typed.
    let order = "VLTZABPDIQS";
    pieces.sort_by_key(|(piece, _)| order.find(piece.name()));
    let bare = PieceSet::new("", pieces);
    let whole = PieceSet::soma(bare.pieces()[0].1);
    if bare.pieces() == whole.pieces() {
        return Ok(whole);
    }
    let word = |(piece, count): &(Piece, usize)| match count {
        1 => piece.name().to_string(),
        _ => format!("{}{count}", piece.name()),
    };
    let words: Vec<String> = bare.pieces().iter().map(word).collect();
    Ok(PieceSet::new(words.join(" "), bare.pieces().to_vec()))
}

/// Reads a set file: one piece a line, `name: x,y,z x,y,z …` or `name*count: …`, `#` comments.
/// Names are single characters.
///
/// # Errors
/// The first line that cannot be read, or that there is no piece.
pub fn parse_piece_lines(name: &str, text: &str) -> Result<PieceSet, ParseSetError> {
    let mut pieces = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if !content.is_empty() {
            let piece = piece_line(content);
            pieces.push(piece.map_err(|reason| ParseSetError::Line { line: number + 1, reason })?);
        }
    }
    let set = PieceSet::new(name, pieces);
    if set.pieces().is_empty() {
        return Err(ParseSetError::Size("the file names no piece".to_owned()));
    }
    Ok(set)
}

fn piece_line(content: &str) -> Result<(Piece, usize), String> {
    let shape = "a piece is written `V: 0,0,0 1,0,0 0,1,0`, with `V*2` for two of it";
    let (head, cells) = content.split_once(':').ok_or(shape)?;
    let (name, count) = match head.split_once('*') {
        Some((name, count)) => (name.trim(), count.trim().parse().map_err(|_| shape)?),
        None => (head.trim(), 1),
    };
    let mut chars = name.chars();
    let (Some(letter), None) = (chars.next(), chars.next()) else {
        return Err(format!("`{name}` is no piece name: a name is one character"));
    };
    let mut parsed = Vec::new();
    for word in cells.split_whitespace() {
        let numbers: Option<Vec<i32>> =
            word.split(',').map(|n| n.parse().ok().filter(|v: &i32| v.abs() <= 1000)).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => parsed.push(Cell::new(x, y, z)),
            _ => return Err(format!("`{word}` is no cell x,y,z with numbers up to ±1000")),
        }
    }
    if parsed.is_empty() || parsed.len() > LIMIT || !(1..=LIMIT).contains(&count) {
        return Err(format!("a piece has 1…{LIMIT} cells and comes 1…{LIMIT} times"));
    }
    Ok((Piece::new(letter, &parsed), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_are_read() {
        assert_eq!(parse_set("2xSOMA"), Ok(PieceSet::soma(2)));
        assert_eq!(parse_set("soma+"), Ok(PieceSet::soma_plus()));
        let partial = parse_set("L, V T2").unwrap();
        assert_eq!((partial.name(), partial.total_cells()), ("V L T2", 15));
        assert_eq!(parse_set("PBAZTLV"), Ok(PieceSet::soma(1)));
        assert_eq!(parse_set("V, T*2 L 1"), parse_set("V L T2"));
        // A second number after a letter is neither a part of the first nor a piece.
        assert_eq!(parse_set("V3 1 L"), Err(ParseSetError::UnknownPiece("1".to_owned())));
        assert_eq!(parse_set("X"), Err(ParseSetError::UnknownPiece("X".to_owned())));
        assert_eq!(parse_set("pieces.txt"), Err(ParseSetError::Unknown("pieces.txt".to_owned())));
    }

    #[test]
    fn files_name_their_faulty_line() {
        let text = "# two corners and a bar\nV*2: 0,0,0 1,0,0 0,1,0\nI: 5,0,0 6,0,0 7,0,0\n";
        let set = parse_piece_lines("mine", text).unwrap();
        assert_eq!((set.piece_count(), set.total_cells()), (3, 9));
        let faulty = parse_piece_lines("mine", "V: 0,0,0\nW: 1,2").unwrap_err();
        assert_eq!(faulty.to_string(), "line 2: `1,2` is no cell x,y,z with numbers up to ±1000");
    }
}
