//! The `cells` format: one figure a line, `name: x,y,z x,y,z …`, for programs. A cell with a color is `x,y,z=1`.

use super::line_parser::LineParser;
use super::text::clip;
use super::{Entry, Fault, FaultReason, Item, WriteError};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureColors, FigureError, MAX_CELLS};
use somacat_geometry::lattice::{Cell, MAX_COORDINATE};
use somacat_geometry::pieces::{GAP, OPTIONAL, parse_color};
use std::collections::VecDeque;
use std::fmt::Write as _;

/// Parses line by line. Lines do not depend on each other.
pub(super) struct CellsParser;

/// Finds the start of the comment: a `#` that begins the line or follows a blank.
fn comment_start(line: &str) -> Option<usize> {
    let mut marks = line.match_indices('#').map(|(at, _)| at);
    marks.find(|&at| line[..at].chars().next_back().is_none_or(char::is_whitespace))
}

/// Splits a line into name, cells and comment. Each is trimmed, and missing ones are empty.
fn cut(line: &str) -> (&str, &str, &str) {
    let (content, comment) = match comment_start(line) {
        Some(at) => (&line[..at], &line[at + 1..]),
        None => (line, ""),
    };
    let (name, cells) = split_name(content);
    (name.trim(), cells.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}'), comment.trim())
}

/// Splits off the name, which the last colon ends. Cells in front of that colon are none, so the colon is a fault of them;
/// in `a: 0,0,0 1,0,0 b: 0,0,0` a line end is missing.
fn split_name(content: &str) -> (&str, &str) {
    let last = content.rsplit_once(':').unwrap_or(("", content));
    let (name, before) = last.0.rsplit_once(':').unwrap_or(("", last.0));
    let several = before.split_whitespace().nth(1).is_some();
    let begins = !name.is_empty() && before.split_whitespace().take(2).all(is_cell);
    match several && (begins || before.split_whitespace().all(is_cell)) {
        true if name.is_empty() => ("", content),
        true => (name, &content[name.len() + 1..]),
        false => last,
    }
}

fn is_cell(word: &str) -> bool {
    let position = word.split_once(['=', GAP]).map_or(word, |(position, _)| position);
    let parts = || position.split(',');
    parts().count() == 3 && parts().all(is_whole_number)
}

/// Returns `true` if a line can only be meant as cells.
pub(super) fn looks_like_cells(line: &str) -> bool {
    let (_, cells, _) = cut(line);
    cells.split_whitespace().next().is_some_and(is_cell)
}

/// Returns `true` if a line that looks like cells has one cell: it may be a part of a list of points, or with or without
/// a name a row of three heights.
pub(super) fn looks_like_one_cell(line: &str) -> bool {
    cut(line).1.split_whitespace().nth(1).is_none()
}

/// Splits a line of cells into its name, empty without one, and the cells.
pub(super) fn name_and_cells(line: &str) -> (&str, &str) {
    let (name, cells, _) = cut(line);
    (name, cells)
}

/// Returns `true` for a name with a colon and no cells.
pub(super) fn looks_like_name(line: &str) -> bool {
    let (name, cells, _) = cut(line);
    !name.is_empty() && cells.is_empty()
}

fn is_whole_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Parses a coordinate of the cell `word`.
pub(super) fn coordinate(line: usize, word: &str, text: &str) -> Result<i32, Fault> {
    if !is_whole_number(text) {
        let reason = FaultReason::NotANumber { part: excerpt(text), cell: excerpt(word) };
        return Err(Fault::new(line, reason));
    }
    let in_range = |v: &i32| v.unsigned_abs() <= MAX_COORDINATE.unsigned_abs();
    let value = text.parse().ok().filter(in_range);
    value.ok_or_else(|| Fault::new(line, FaultReason::Coordinate(excerpt(text))))
}

/// Reads cells as programs write them: digits, and one blank between two cells. `None` for any other text.
fn plain_cells(text: &str) -> Option<Vec<Cell>> {
    let (mut list, mut numbers, mut at, mut digits) = (Vec::with_capacity(32), [0; 3], 0, 0);
    for &byte in text.as_bytes().iter().chain(b" ") {
        match byte {
            b'0'..=b'9' if digits < 8 => {
                numbers[at] = 10 * numbers[at] + i32::from(byte - b'0');
                digits += 1;
            }
            b',' if digits > 0 && at < 2 => (at, digits) = (at + 1, 0),
            b' ' if digits > 0 && at == 2 && list.len() < MAX_CELLS => {
                list.push(Cell::from(numbers));
                (numbers, at, digits) = ([0; 3], 0, 0);
            }
            _ => return None,
        }
    }
    Some(list)
}

fn figure(line: usize, cells: &str) -> Result<(Figure, Option<FigureColors>), Fault> {
    let whole = |list| Figure::new(list).map_err(|error| Fault::new(line, error));
    if let Some(list) = plain_cells(cells) {
        return Ok((whole(list)?, None));
    }
    let mut list: Vec<(Cell, u8)> = Vec::new();
    for word in cells.split_whitespace() {
        if list.len() == MAX_CELLS {
            return Err(Fault::new(line, FigureError::TooManyCells));
        }
        let (position, color) = match word.split_once('=') {
            Some((position, color)) => (position, parse_color(color)),
            None => match word.strip_suffix(GAP) {
                Some(position) => (position, Some(OPTIONAL)),
                None => (word, Some(0)),
            },
        };
        let color = color.ok_or_else(|| {
            let reason = match word.contains(GAP) {
                true => FaultReason::ColoredGap(excerpt(word)),
                false => FaultReason::Color(excerpt(word)),
            };
            Fault::new(line, reason)
        })?;
        let mut parts = position.split(',');
        let (Some(x), Some(y), Some(z), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            let is_numbered = word.split(',').count() == 4 && !word.contains(",,");
            let reason = match is_numbered {
                true => FaultReason::NumberedCell(excerpt(word)),
                false => FaultReason::NotACell(excerpt(word)),
            };
            return Err(Fault::new(line, reason));
        };
        let number = |text| coordinate(line, word, text);
        list.push((Cell::new(number(x)?, number(y)?, number(z)?), color));
    }
    list.sort_unstable();
    let (cells, colors): (Vec<Cell>, Vec<u8>) = list.into_iter().unzip();
    Ok((whole(cells)?, FigureColors::new(&colors)))
}

impl LineParser for CellsParser {
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        let (name, cells, comment) = cut(text);
        let content = &text[..comment_start(text).unwrap_or(text.len())];
        if cells.is_empty() && !content.contains(':') {
            return;
        }
        let name = clip(name);
        found.push_back(match figure(number, cells) {
            Err(fault) => fault.of(name),
            Ok((figure, colors)) => {
                let entry = Entry { colors: colors.map(Box::new), ..Entry::new(number, figure) };
                Item::Entry(entry.with_title(name, clip(comment)))
            }
        });
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        found.push_back(Fault::new(number, FaultReason::LineTooLong).of(None));
    }
}

/// Writes a figure in the `cells` format, without a line end.
///
/// Cells are ascending, with smallest coordinates 0.
///
/// ```
/// use somacat_formats::cells_line;
/// use somacat_geometry::figure::Figure;
///
/// let bar = Figure::of_box([3, 1, 1]).expect("three cells");
/// assert_eq!(cells_line(Some("bar"), &bar), Ok("bar: 0,0,0 1,0,0 2,0,0".to_owned()));
/// assert!(cells_line(Some("#1"), &bar).is_err(), "it would be read as a comment");
/// ```
///
/// # Errors
/// If the name cannot be read back: it contains a control character such as a line end, or a `#` at its beginning
/// or after a blank.
pub fn cells_line(name: Option<&str>, figure: &Figure) -> Result<String, WriteError> {
    let mut line = String::new();
    if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) {
        if comment_start(name).is_some() || name.contains(char::is_control) {
            return Err(WriteError::Name { name: excerpt(name), format: "cells" });
        }
        line.push_str(name);
        line.push(':');
    }
    for cell in figure.cells() {
        if !line.is_empty() {
            line.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = write!(line, "{cell}");
    }
    Ok(line)
}
