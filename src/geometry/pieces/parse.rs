//! Piece sets as text: a name, a list of letters, or a file of pieces.

use super::famous::FamousSet;
use super::picture::{Picture, PictureError, is_row, looks_drawn};
use super::piece::MAX_PIECE_NAME_CHARS;
use super::{MAX_COLOR, Piece, PieceError, PieceSet, STANDARD_LETTERS};
use crate::excerpt;
use crate::lattice::Cell;
use std::collections::BTreeMap;

/// The most copies of one piece that a set may have.
pub const MAX_COPIES: usize = 1024;

/// The most cells that all pieces of a set may have together.
///
/// A hundred times as many as a figure may have, and few enough to compute the reachable color differences.
pub const MAX_SET_CELLS: usize = 100_000;

/// The largest absolute value of a coordinate in a set file.
const MAX_REACH: i32 = 1000;

/// The reason why a text is not a piece set.
///
/// ```
/// use somacat_geometry::pieces::parse_set;
///
/// let message = "`X` is not a piece; the pieces are V L T Z A B P, and D I Q S of SOMA+plus";
/// assert_eq!(parse_set("V X").unwrap_err().to_string(), message);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum ParseSetError {
    #[error(
        "`{0}` is not a piece set; write SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a name that \
         `somacat sets` lists, or name a file of lines like `V*2: 0,0,0 1,0,0 0,1,0` or a .xmpuzzle \
         file"
    )]
    Unknown(String),
    #[error("`{0}` is not a piece; the pieces are V L T Z A B P, and D I Q S of SOMA+plus")]
    UnknownPiece(String),
    #[error(
        "`{0}`: write 1 to {MAX_COPIES} copies, or a range such as 0..2 with the smaller number first"
    )]
    Copies(String),
    #[error(
        "the pieces have {0} cells together, more than the {MAX_SET_CELLS} that a set may have"
    )]
    TooLarge(usize),
    #[error("the file has no piece; a piece is a line like `V*2: 0,0,0 1,0,0 0,1,0`")]
    Empty,
    #[error(
        "piece {0} has cells with colors, which only `count`, `solve`, `design` and `takeapart` obey; \
         remove the colors"
    )]
    Colored(String),
    #[error(
        "piece {0} may be used {least} to {most} times, which only `count`, `solve`, `design`, \
         `takeapart`, `prove` and exports for other solvers take; give it one number of copies", least = .1[0], most = .1[1]
    )]
    Range(String, [usize; 2]),
    #[error("line {line}: {reason}")]
    Line { line: usize, reason: PieceLineError },
}

/// The reason why a line of a set file cannot be read.
///
/// ```
/// use somacat_geometry::pieces::parse_piece_lines;
///
/// let error = parse_piece_lines("mine", "V: 0,0,0 1,0,0 0,1,0\nW:").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: the piece has no cells");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum PieceLineError {
    #[error(
        "write a piece as `V: 0,0,0 1,0,0 0,1,0` or `V: xx x.`, with `V*2:` for two copies or `V*0..2:` for up to two"
    )]
    Form,
    #[error(
        "`{0}` is not the name of a piece; a name has 1 to {MAX_PIECE_NAME_CHARS} characters and no blanks"
    )]
    Name(String),
    #[error("`{0}` is not a cell; write x,y,z with whole numbers within ±{MAX_REACH}")]
    Cell(String),
    #[error("`{0}` has no color; a color is a number from 1 to {MAX_COLOR}, as in 0,0,0=1")]
    Color(String),
    #[error(
        "{0} copies: write 1 to {MAX_COPIES}, or a range such as 0..2 with the smaller number first"
    )]
    Copies(String),
    #[error(transparent)]
    Piece(#[from] PieceError),
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("piece {name} is already on line {line}; {}", repair_hint(name, *same_shape))]
    Repeated { name: String, line: usize, same_shape: bool },
}

fn repair_hint(name: &str, same_shape: bool) -> String {
    if same_shape {
        format!("for two copies, write one line that begins with `{name}*2:`")
    } else {
        "give one of them another name".to_owned()
    }
}

/// Parses `SOMA`, `3xSOMA`, `SOMA+`, a [`FamousSet`], or letters with numbers: `V L T2`, `VLT2`, `v,l`.
///
/// Case does not matter. A set gets the same name in every spelling.
///
/// ```
/// use somacat_geometry::pieces::{PieceSet, parse_set};
///
/// assert_eq!(parse_set("soma"), Ok(PieceSet::soma(1)));
/// assert_eq!(parse_set("2xSOMA"), Ok(PieceSet::soma(2)));
/// assert_eq!(parse_set("t2 l v").unwrap().name(), "V L T2");
/// ```
///
/// # Errors
/// If the text has none of these forms, names too many pieces, or has ranges of copies.
pub fn parse_set(text: &str) -> Result<PieceSet, ParseSetError> {
    parse_set_with_ranges(text)?.plain()
}

/// Parses a set like [`parse_set`], for uses that obey ranges of copies: `V0..2` is up to two V.
///
/// ```
/// use somacat_geometry::pieces::parse_set_with_ranges;
///
/// let set = parse_set_with_ranges("L V*0..2").unwrap();
/// assert_eq!((set.name(), set.least_cells(), set.total_cells()), ("V0..2 L", 4, 10));
/// ```
///
/// # Errors
/// Like [`parse_set`], which refuses ranges.
pub fn parse_set_with_ranges(text: &str) -> Result<PieceSet, ParseSetError> {
    let upper: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let upper = upper.to_uppercase();
    if let Some(number) = upper.strip_suffix("SOMA") {
        let number = number.strip_suffix(['X', '*', '×']).unwrap_or(number);
        if number.is_empty() && upper == "SOMA" {
            return Ok(PieceSet::soma(1));
        }
        if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
            let copies = number.parse().ok().filter(|n| (1..=MAX_COPIES).contains(n));
            let copies = copies.ok_or_else(|| ParseSetError::Copies(excerpt(text.trim())))?;
            return Ok(PieceSet::soma(copies));
        }
    }
    if matches!(upper.as_str(), "SOMA+" | "SOMA+PLUS" | "SOMAPLUS") {
        return Ok(PieceSet::soma_plus());
    }
    match FamousSet::named(text.trim()) {
        Some(famous) => Ok(famous.pieces()),
        None => letters(text.trim()),
    }
}

fn letters(text: &str) -> Result<PieceSet, ParseSetError> {
    let mut pieces = Vec::new();
    let between = |c: &char| c.is_whitespace() || matches!(c, ',' | '*');
    let mut chars = text.trim_start_matches(|c| between(&c)).chars().peekable();
    while let Some(letter) = chars.next() {
        while chars.next_if(between).is_some() {}
        let mut digits = String::new();
        let is_copies =
            |c: &char, digits: &str| c.is_ascii_digit() || *c == '.' && !digits.is_empty();
        while let Some(digit) = chars.next_if(|c| is_copies(c, &digits)) {
            digits.push(digit);
        }
        while chars.next_if(between).is_some() {}
        let Some(piece) = PieceSet::standard_piece(letter.to_ascii_uppercase()) else {
            // Distinguishes a list with a wrong letter from any other text.
            let listed =
                text.split([' ', ',']).all(|word| word.chars().count() <= 3 || word.contains(".."));
            return Err(if listed {
                ParseSetError::UnknownPiece(excerpt(&letter.to_string()))
            } else {
                ParseSetError::Unknown(excerpt(text))
            });
        };
        let copies = if digits.is_empty() { Some([1; 2]) } else { parse_copies(&digits) };
        let Some(copies) = copies else {
            return Err(ParseSetError::Copies(excerpt(&format!("{letter}{digits}"))));
        };
        pieces.push((piece.clone(), copies));
    }
    if pieces.is_empty() {
        return Err(ParseSetError::Unknown(excerpt(text)));
    }
    pieces.sort_by_key(|(piece, _)| STANDARD_LETTERS.find(piece.letter()));
    let bare = check_limits(PieceSet::with_ranges("", pieces, None))?;
    Ok(with_standard_name(&bare).unwrap_or(bare))
}

/// Parses a number of copies, `2`, or the least and the greatest, `0..2`. `None` unless the greatest is from 1 to
/// [`MAX_COPIES`].
///
/// ```
/// use somacat_geometry::pieces::parse_copies;
///
/// assert_eq!(parse_copies("2"), Some([2, 2]));
/// assert_eq!(parse_copies("0..2"), Some([0, 2]));
/// assert_eq!(parse_copies("3..2"), None);
/// ```
pub fn parse_copies(text: &str) -> Option<[usize; 2]> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let copies = [least.trim().parse().ok()?, most.trim().parse().ok()?];
    (copies[0] <= copies[1] && (1..=MAX_COPIES).contains(&copies[1])).then_some(copies)
}

/// Renames the set as [`parse_set`] would.
///
/// `None` unless all its pieces are pieces of SOMA or SOMA+plus under their own letters.
///
/// ```
/// use somacat_geometry::pieces::{parse_piece_lines, with_standard_name};
///
/// let corner = parse_piece_lines("mine", "V*2: 7,7,7 8,7,7 7,8,7").unwrap();
/// assert_eq!(with_standard_name(&corner).expect("V twice").name(), "V2");
/// ```
pub fn with_standard_name(set: &PieceSet) -> Option<PieceSet> {
    let is_standard = |(piece, _): &(Piece, usize)| {
        PieceSet::standard_piece(piece.letter())
            .is_some_and(|p| p.name() == piece.name() && p.form() == piece.form())
    };
    if set.pieces().is_empty() || !set.pieces().iter().all(is_standard) {
        return None;
    }
    let counts: BTreeMap<char, [usize; 2]> =
        set.ranges().map(|(piece, copies)| (piece.letter(), copies)).collect();
    let letters = || STANDARD_LETTERS.chars().filter_map(|letter| counts.get_key_value(&letter));
    let equals = |other: &PieceSet| {
        other.pieces().len() == counts.len()
            && other.ranges().all(|(piece, n)| counts.get(&piece.letter()) == Some(&n))
    };
    let soma = counts.get(&'V').map(|copies| PieceSet::soma(copies[1]));
    if let Some(whole) = soma.into_iter().chain([PieceSet::soma_plus()]).find(equals) {
        return Some(whole);
    }
    let word = |(letter, copies): (&char, &[usize; 2])| match copies {
        [1, 1] => letter.to_string(),
        [least, most] if least == most => format!("{letter}{most}"),
        [least, most] => format!("{letter}{least}..{most}"),
    };
    let words: Vec<String> = letters().map(word).collect();
    let piece = |(letter, copies): (&char, &[usize; 2])| {
        PieceSet::standard_piece(*letter).map(|piece| (piece.clone(), *copies))
    };
    Some(PieceSet::with_ranges(words.join(" "), letters().filter_map(piece), set.number()))
}

/// Refuses sets that are too large. Pieces of equal shape on several lines count together.
fn check_limits(set: PieceSet) -> Result<PieceSet, ParseSetError> {
    if let Some((piece, count)) = set.pieces().iter().find(|(_, count)| *count > MAX_COPIES) {
        return Err(ParseSetError::Copies(format!("{}*{count}", piece.name())));
    }
    match set.total_cells() {
        total if total > MAX_SET_CELLS => Err(ParseSetError::TooLarge(total)),
        _ => Ok(set),
    }
}

/// Creates a set of pieces from a file, within the limits, each with the least and the greatest number of copies. Pieces
/// with longer names get letters.
///
/// ```
/// use somacat_geometry::pieces::{PieceSet, set_within_limits};
///
/// let bar = PieceSet::standard_piece('I').expect("a piece of SOMA+plus").clone();
/// assert_eq!(set_within_limits("bars", vec![(bar.clone(), [9, 9])]).unwrap().total_cells(), 27);
/// assert!(set_within_limits("bars", vec![(bar, [0, 1025])]).is_err());
/// ```
///
/// # Errors
/// If there is no piece, there are more than [`MAX_COPIES`] of one shape, or there are more than [`MAX_SET_CELLS`]
/// cells.
pub fn set_within_limits(
    name: &str,
    pieces: Vec<(Piece, [usize; 2])>,
) -> Result<PieceSet, ParseSetError> {
    // Checked before the set is created, which is slow for many pieces.
    let total = pieces.iter().map(|(piece, [_, most])| piece.size().saturating_mul(*most));
    let total = total.fold(0, usize::saturating_add);
    if total > MAX_SET_CELLS {
        return Err(ParseSetError::TooLarge(total));
    }
    let set = PieceSet::with_ranges(name, pieces, None);
    if set.pieces().is_empty() {
        return Err(ParseSetError::Empty);
    }
    check_limits(set.with_letters())
}

/// Returns `true` if a text can be the name of a piece.
///
/// ```
/// use somacat_geometry::pieces::is_piece_name;
///
/// assert!(is_piece_name("L1") && !is_piece_name("L*2") && !is_piece_name("nine char"));
/// ```
pub fn is_piece_name(text: &str) -> bool {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '#' | '*' | ':');
    (1..=MAX_PIECE_NAME_CHARS).contains(&text.chars().count()) && text.chars().all(fits)
}

/// Parses a set file.
///
/// It has a line `name: x,y,z x,y,z …` or `name*count: …` for each piece, and `#` comments. A piece may be drawn instead:
/// `name: xxx ..x`, with its layers side by side, and further rows below. A count may be a range
/// from the least to the greatest number of copies, `0..2`. A name
/// ([`is_piece_name`]) is on one line only. Pieces of equal shape with different names are equal pieces, under the
/// first of the names.
///
/// ```
/// use somacat_geometry::pieces::parse_piece_lines;
///
/// let text = "# three pieces\nV*2: 0,0,0 1,0,0 0,1,0\nbar: 0,0,0 1,0,0 2,0,0";
/// let set = parse_piece_lines("mine", text)?;
/// assert_eq!((set.piece_count(), set.total_cells()), (3, 9));
/// let drawn = parse_piece_lines("mine", "V*2: xx x.\nbar:\nxxx")?;
/// assert_eq!(drawn.definition(), set.definition());
/// # Ok::<(), somacat_geometry::pieces::ParseSetError>(())
/// ```
///
/// # Errors
/// The first line that cannot be read, whose cells are not a connected piece, or that repeats a name. Also if there
/// is no piece, if there are too many, or if a cell has a color.
pub fn parse_piece_lines(name: &str, text: &str) -> Result<PieceSet, ParseSetError> {
    parse_colored_piece_lines(name, text)?.plain()
}

/// Parses a set file whose cells may have colors, `x,y,z=1`, for uses that obey them.
///
/// ```
/// use somacat_geometry::pieces::{parse_colored_piece_lines, parse_piece_lines};
///
/// let text = "D: 0,0,0=1 1,0,0=2";
/// assert!(parse_colored_piece_lines("mine", text)?.is_colored());
/// assert!(parse_piece_lines("mine", text).is_err());
/// # Ok::<(), somacat_geometry::pieces::ParseSetError>(())
/// ```
///
/// # Errors
/// Like [`parse_piece_lines`], which refuses colors.
pub fn parse_colored_piece_lines(name: &str, text: &str) -> Result<PieceSet, ParseSetError> {
    let mut lines = PieceLines::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        lines.add(number, line)?;
    }
    lines.end_piece()?;
    set_within_limits(name, lines.pieces)
}

/// Returns true if a set file draws a piece: a name with a colon and a picture behind it, or in the next line. A name in
/// front of cells counts, too: its colon was forgotten.
///
/// ```
/// use somacat_geometry::pieces::draws_pieces;
///
/// assert!(draws_pieces("V: 0,0,0 1,0,0 0,1,0\nL: xxx x..\n") && draws_pieces("V:\nxx\nx.\n"));
/// assert!(draws_pieces("V 0,0,0 1,0,0 0,1,0\n"));
/// assert!(!draws_pieces("V: 11 10\n"), "these are heights");
/// ```
pub fn draws_pieces(text: &str) -> bool {
    let mut is_begun = false;
    text.trim_start_matches('\u{feff}').lines().map(without_comment).any(|line| {
        let rest = piece_head(line).ok().map(|(.., rest)| rest);
        let without_colon = line.split_once(' ').is_some_and(|(name, cells)| {
            is_piece_name(name) && cells.split_whitespace().all(|word| cell(word).is_some())
        });
        let found = rest.map_or(is_begun && is_row(line) || without_colon, is_row);
        is_begun = !line.is_empty() && rest == Some("");
        found
    })
}

/// Returns a line of a set file without blanks around it and without its comment.
fn without_comment(line: &str) -> &str {
    let mut marks = line.match_indices('#').map(|(at, _)| at);
    // In `0,0,0#1,0,0` a sign is missing, and no comment begins.
    let begins = |at: &usize| !line[..*at].ends_with(|c: char| c.is_ascii_digit());
    marks.find(begins).map_or(line, |at| &line[..at]).trim()
}

/// The pieces of a set file, read line by line.
#[derive(Default)]
struct PieceLines {
    pieces: Vec<(Piece, [usize; 2])>,
    /// For each name, its line and its position in the list.
    at_name: BTreeMap<String, (usize, usize)>,
    /// The piece whose picture may have further rows.
    drawn: Option<DrawnPiece>,
}

struct DrawnPiece {
    /// The line of the name.
    line: usize,
    name: String,
    copies: [usize; 2],
    picture: Picture,
}

impl PieceLines {
    fn add(&mut self, line: usize, text: &str) -> Result<(), ParseSetError> {
        let failed = |reason| ParseSetError::Line { line, reason };
        let content = without_comment(text);
        match &mut self.drawn {
            Some(DrawnPiece { picture, .. }) if text.trim().is_empty() => {
                return picture.end_block().map_err(|error| failed(error.into()));
            }
            _ if content.is_empty() => return Ok(()),
            Some(DrawnPiece { picture, .. }) if !content.contains(':') => {
                return picture.add_row(content).map_err(|error| failed(error.into()));
            }
            _ => self.end_piece()?,
        }
        let (name, copies, rest) = piece_head(content).map_err(failed)?;
        if rest.is_empty() || looks_drawn(rest) {
            let mut picture = Picture::default();
            if !rest.is_empty() {
                picture.add_row(rest).map_err(|error| failed(error.into()))?;
            }
            self.drawn = Some(DrawnPiece { line, name: name.to_owned(), copies, picture });
            return Ok(());
        }
        let (cells, colors) = piece_cells(rest).map_err(failed)?;
        self.add_piece(line, (name, copies), &cells, &colors)
    }

    /// Adds the drawn piece, if there is one.
    fn end_piece(&mut self) -> Result<(), ParseSetError> {
        let Some(DrawnPiece { line, name, copies, mut picture }) = self.drawn.take() else {
            return Ok(());
        };
        picture.end_block().map_err(|error| ParseSetError::Line { line, reason: error.into() })?;
        let colors = vec![0; picture.cells.len()];
        self.add_piece(line, (&name, copies), &picture.cells, &colors)
    }

    fn add_piece(
        &mut self,
        line: usize,
        (name, copies): (&str, [usize; 2]),
        cells: &[Cell],
        colors: &[u8],
    ) -> Result<(), ParseSetError> {
        let failed = |reason| ParseSetError::Line { line, reason };
        let letter = name.chars().next().expect("a name is not empty");
        let piece = Piece::colored(letter, cells, colors).map_err(|error| failed(error.into()))?;
        if let Some(&(first, at)) = self.at_name.get(name) {
            let same_shape = self.pieces[at].0.form() == piece.form();
            let name = name.to_owned();
            return Err(failed(PieceLineError::Repeated { name, line: first, same_shape }));
        }
        self.at_name.insert(name.to_owned(), (line, self.pieces.len()));
        self.pieces.push((piece.with_name(letter, name), copies));
        Ok(())
    }
}

/// Splits a line of a set file into the name of the piece, its numbers of copies, and what is behind the colon.
fn piece_head(content: &str) -> Result<(&str, [usize; 2], &str), PieceLineError> {
    let (head, rest) = content.split_once(':').ok_or(PieceLineError::Form)?;
    let (name, count) = match head.split_once('*') {
        Some((name, count)) => (name.trim(), count.trim()),
        None => (head.trim(), "1"),
    };
    if !is_piece_name(name) {
        return Err(PieceLineError::Name(excerpt(name)));
    }
    if !count.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(PieceLineError::Form);
    }
    let copies = parse_copies(count).ok_or_else(|| PieceLineError::Copies(excerpt(count)))?;
    Ok((name, copies, rest.trim()))
}

/// Parses the cells of a piece and their colors.
fn piece_cells(text: &str) -> Result<(Vec<Cell>, Vec<u8>), PieceLineError> {
    let (mut parsed, mut colors) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        if parsed.len() == super::MAX_PIECE_CELLS {
            return Err(PieceError::TooManyCells.into());
        }
        let (position, color) = match word.split_once('=') {
            Some((position, color)) => (position, parse_color(color)),
            None => (word, Some(0)),
        };
        parsed.push(cell(position).ok_or_else(|| PieceLineError::Cell(excerpt(word)))?);
        colors.push(color.ok_or_else(|| PieceLineError::Color(excerpt(word)))?);
    }
    Ok((parsed, colors))
}

/// Parses the color of a cell, a number from 1 to [`MAX_COLOR`].
///
/// ```
/// use somacat_geometry::pieces::parse_color;
///
/// assert_eq!(parse_color("63"), Some(63));
/// assert_eq!(parse_color("64"), None);
/// ```
pub fn parse_color(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|color| digits && (1..=MAX_COLOR).contains(color))
}

fn cell(word: &str) -> Option<Cell> {
    let mut numbers = word.split(',').map(|number| {
        number.parse().ok().filter(|value: &i32| value.unsigned_abs() <= MAX_REACH.unsigned_abs())
    });
    let cell = Cell::new(numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(cell)
}
