//! Points: the cells of one figure in any list of coordinates, mostly one cell a line.
//!
//! People write `0,0,0`, `0 0 0`, `(0, 0, 0)`, `0.0 0.0 0.0`, or `v 0 0 0` as in OBJ files. The numbers of a line are
//! taken three by three. The whole file is one figure, whatever blank lines it has.

use super::cells::coordinate;
use super::gaps::lacks_first_value;
use super::line_parser::LineParser;
use super::text::clip;
use super::{Entry, Fault, FaultReason, Item};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use std::collections::VecDeque;

/// Brackets around cells and lists.
const BRACKETS: &str = "()[]{}<>";

/// Returns the numbers of a line, without the `v` of an OBJ file. `None` if there is another word.
fn numbers(line: &str) -> Option<Vec<&str>> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
    let list = line.strip_prefix("v ").unwrap_or(line);
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';') || BRACKETS.contains(c);
    let words: Vec<&str> = list.split(separator).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| {
        word.contains(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
    };
    words.iter().all(is_number).then_some(words)
}

/// Returns `true` if a separator has no value before it: `1,,1,1`, or two tabs among single ones. Behind the last value
/// one may stand, as in lists.
fn lacks_value(line: &str) -> bool {
    let mut tabs = line.split(|c: char| c != '\t').filter(|tabs| !tabs.is_empty());
    let first = tabs.next();
    if tabs.any(|tabs| Some(tabs) != first) {
        return true;
    }
    let mut before = ',';
    line.chars().filter(|c| !c.is_whitespace()).any(|c| {
        let above = std::mem::replace(&mut before, c);
        matches!(c, ',' | ';') && matches!(above, ',' | ';' | '(' | '[' | '{' | '<')
    })
}

/// Returns `true` if a line can only be meant as points: brackets, decimals or an OBJ vertex.
pub(super) fn looks_like_points(line: &str) -> bool {
    let own = |c: char| BRACKETS.contains(c) || c == '.';
    let shown = line.trim_start().starts_with("v ") || line.contains(own);
    shown && numbers(line).is_some_and(|list| !list.is_empty() && list.len() % 3 == 0)
}

/// Returns `true` for the header of a table: `x,y,z`, or with a further column, whose rows are not points. In another order
/// it is a fault.
pub(super) fn is_point_header(line: &str) -> bool {
    columns(line).is_some()
}

/// Returns the order of the coordinates in the header of a table: `xyz`.
fn columns(line: &str) -> Option<String> {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_matches('"').to_lowercase())
        .collect();
    let of_coordinates = |three: &&[String]| {
        let mut sorted = three.to_vec();
        sorted.sort_unstable();
        sorted == ["x", "y", "z"]
    };
    words.windows(3).find(of_coordinates).map(<[String]>::concat)
}

#[derive(Default)]
pub(super) struct PointsParser {
    /// The first line with cells, or 0 before it.
    line: usize,
    name: Option<String>,
    title: Option<String>,
    cells: Vec<Cell>,
    fault: Option<Fault>,
}

impl PointsParser {
    fn points(&mut self, number: usize, text: &str) -> Result<(), Fault> {
        let shown = || excerpt(text.trim());
        let list =
            numbers(text).ok_or_else(|| Fault::new(number, FaultReason::NotACell(shown())))?;
        if list.len() == 4 {
            return Err(Fault::new(number, FaultReason::NumberedCell(shown())));
        }
        if lacks_value(text) {
            return Err(Fault::new(number, FaultReason::CoordinateMissing(shown())));
        }
        if list.is_empty() || list.len() % 3 != 0 {
            return Err(Fault::new(number, FaultReason::NotACell(shown())));
        }
        for cell in list.chunks(3) {
            // In `10 0.0 1.0` a point is missing.
            let mut decimals = cell.iter().map(|part| part.split_once('.').map(|it| it.1.len()));
            let first = decimals.next();
            if decimals.any(|other| Some(other) != first) {
                return Err(Fault::new(number, FaultReason::NotACell(shown())));
            }
            if self.cells.len() == MAX_CELLS {
                return Err(Fault::new(number, FigureError::TooManyCells));
            }
            // `0.0` is a whole number, but `0.5` is not.
            let whole = |part: &str| match part.split_once('.') {
                Some((whole, zeros)) if zeros.bytes().all(|b| b == b'0') => {
                    coordinate(number, text.trim(), whole)
                }
                _ => coordinate(number, text.trim(), part),
            };
            let cell = Cell::new(whole(cell[0])?, whole(cell[1])?, whole(cell[2])?);
            if self.cells.contains(&cell) {
                return Err(Fault::new(number, FigureError::RepeatedCell(cell)));
            }
            self.cells.push(cell);
        }
        Ok(())
    }
}

impl LineParser for PointsParser {
    fn line(&mut self, number: usize, text: &str, _: &mut VecDeque<Item>) {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        if let Some(comment) = text.strip_prefix(['#', ';']).filter(|_| !lacks_first_value(text)) {
            self.title = self.title.take().or_else(|| clip(comment).filter(|_| self.line == 0));
            return;
        }
        let text = text.split(" #").next().unwrap_or_default().trim_end();
        let name = text.strip_suffix(':').or_else(|| text.strip_prefix("o "));
        if let Some(name) = name.filter(|_| self.line == 0 && self.name.is_none()) {
            self.name = clip(name);
            return;
        }
        if self.line == 0 && columns(text).as_deref() == Some("xyz") {
            return;
        }
        if text.chars().all(|c| c.is_whitespace() || BRACKETS.contains(c)) {
            return;
        }
        self.line = if self.line == 0 { number } else { self.line };
        if self.fault.is_none() {
            self.fault = self.points(number, text).err();
        }
    }

    fn too_long(&mut self, number: usize, _: &mut VecDeque<Item>) {
        self.line = if self.line == 0 { number } else { self.line };
        self.fault.get_or_insert(Fault::new(number, FaultReason::LineTooLong));
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        let Self { line, name, title, cells, fault } = std::mem::take(self);
        if line == 0 {
            return;
        }
        let figure =
            fault.map_or_else(|| Figure::new(cells).map_err(|error| Fault::new(line, error)), Err);
        found.push_back(match figure {
            Err(fault) => fault.of(name),
            Ok(figure) => Item::Entry(Entry::new(line, figure).with_names(name, [title.into()])),
        });
    }
}
