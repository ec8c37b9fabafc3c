//! Height maps: a digit is the number of cubes on a square.
//!
//! `67 77` is a map of two rows: towers of 6 and 7, in front of them 7 and 7. The rows are on one line, or on
//! consecutive lines that a blank line ends. Cubes rest on the ground, so a tower of h fills the h lowest layers:
//! the largest z, since z points down.

use super::reader::LineParser;
use super::text::clip;
use super::{Entry, Fault, FaultReason, Item};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use std::collections::VecDeque;

/// The towers collected row by row. Rows without cubes take no memory.
struct HeightMap {
    line: usize,
    name: Option<String>,
    rows: usize,
    width: Option<usize>,
    towers: Vec<(i32, i32, i32)>,
    cells: usize,
    fault: Option<Fault>,
}

impl HeightMap {
    fn new(line: usize, name: Option<String>) -> Self {
        Self { line, name, rows: 0, width: None, towers: Vec::new(), cells: 0, fault: None }
    }

    fn push(&mut self, line: usize, row: impl Iterator<Item = char>) {
        if self.fault.is_none()
            && let Err(fault) = self.try_push(line, row)
        {
            self.fault = Some(fault);
        }
    }

    fn try_push(&mut self, line: usize, row: impl Iterator<Item = char>) -> Result<(), Fault> {
        let out_of_range = || Fault::new(line, FaultReason::TooLarge);
        let y = i32::try_from(self.rows).map_err(|_| out_of_range())?;
        self.rows += 1;
        let mut width = 0;
        for mark in row {
            let height = height(mark).ok_or_else(|| {
                Fault::new(line, FaultReason::NotAHeight(excerpt(&mark.to_string())))
            })?;
            if height > 0 {
                self.cells += height as usize;
                if self.cells > MAX_CELLS {
                    return Err(Fault::new(line, FigureError::TooManyCells));
                }
                self.towers.push((i32::try_from(width).map_err(|_| out_of_range())?, y, height));
            }
            width += 1;
        }
        let expected = *self.width.get_or_insert(width);
        if width != expected {
            let row = self.rows;
            return Err(Fault::new(line, FaultReason::RowWidth { row, width, expected }));
        }
        Ok(())
    }

    fn finish(self) -> Item {
        let top = self.towers.iter().map(|tower| tower.2).max().unwrap_or(0);
        let cubes = self
            .towers
            .iter()
            .flat_map(|&(x, y, height)| (top - height..top).map(move |z| Cell::new(x, y, z)));
        let figure = self
            .fault
            .map_or_else(|| Figure::new(cubes).map_err(|error| Fault::new(self.line, error)), Err);
        match figure {
            Err(fault) => fault.of(self.name),
            Ok(figure) => Item::Entry(Entry::new(self.line, figure).with_names(self.name, [])),
        }
    }
}

/// Returns the height of a mark: 0…9, then a…z for 10…35. `.` and `-` are 0.
fn height(mark: char) -> Option<i32> {
    if matches!(mark, '.' | '-') {
        return Some(0);
    }
    // At most 35.
    mark.to_digit(36).map(|h| h as i32)
}

/// Removes the comment and splits off the name.
fn cut(line: &str) -> (Option<&str>, &str) {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
    if line.starts_with(['#', ';']) {
        return (None, "");
    }
    let line = line.split([';', '#']).next().unwrap_or_default().trim_end();
    match line.rsplit_once(':') {
        Some((name, rows)) => (Some(name.trim()), rows.trim()),
        None => (None, line),
    }
}

/// Splits off a word in front of rows of another, equal width. The word is most likely a name without its colon.
fn word_in_front(rows: &str) -> Option<(&str, &str)> {
    let (word, rest) = rows.split_once(char::is_whitespace)?;
    let wide = |row: &str| row.chars().count();
    let mut rows = rest.split_whitespace();
    let width = wide(rows.next()?);
    let is_name = word.chars().all(char::is_alphabetic) && wide(word) != width;
    let of_digits = rest.contains(|c: char| c.is_ascii_digit());
    let is_map = of_digits
        && rest.split_whitespace().all(|row| {
            wide(row) == width && row.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
        });
    (is_name && is_map).then_some((word, rest))
}

/// Returns `true` if a line may be rows of a height map.
pub(super) fn looks_like_heights(line: &str) -> bool {
    let (_, rows) = cut(line);
    let width = rows.split_whitespace().next().map_or(0, |row| row.chars().count());
    width > 0
        && rows.contains(|c: char| c.is_ascii_digit())
        && rows
            .split_whitespace()
            .all(|row| row.chars().count() == width && row.chars().all(|c| height(c).is_some()))
}

/// Returns `true` if a line has at least two rows of digits. The rows may differ in length.
pub(super) fn looks_like_ragged_heights(line: &str) -> bool {
    let (_, rows) = cut(line);
    let rows = word_in_front(rows).map_or(rows, |(_, rows)| rows);
    rows.split_whitespace().nth(1).is_some()
        && rows.chars().all(|c| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '.' | '-'))
        && rows.contains(|c: char| c.is_ascii_digit())
}

/// A parser that remembers the map so far. Rows may be on consecutive lines.
#[derive(Default)]
pub(super) struct HeightMapParser {
    open: Option<HeightMap>,
    /// A first line such as `3 3 3`: a map of its own, unless another such line follows.
    single: Option<(usize, String)>,
}

impl LineParser for HeightMapParser {
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        let (name, rows) = cut(text);
        let is_comment = name.is_none() && rows.is_empty() && !text.trim().is_empty();
        if is_comment && text.trim() != "\u{1a}" {
            return;
        }
        if name.is_none() && rows.is_empty() {
            self.end(found);
            return;
        }
        let several = rows.split_whitespace().nth(1).is_some();
        if name.is_some() {
            self.end(found);
            let mut map = HeightMap::new(number, name.and_then(clip));
            for row in rows.split_whitespace() {
                map.push(number, row.chars());
            }
            if several {
                found.push_back(map.finish());
            } else {
                self.open = Some(map);
            }
            return;
        }
        if several && rows.split_whitespace().any(|row| row.chars().nth(1).is_some()) {
            self.end(found);
            let mut map = HeightMap::new(number, None);
            if let Some((word, _)) = word_in_front(rows) {
                map.fault = Some(Fault::new(number, FaultReason::NoColon(excerpt(word))));
            }
            rows.split_whitespace().for_each(|row| map.push(number, row.chars()));
            found.push_back(map.finish());
            return;
        }
        // One row: `333`, or `3 3 3` if more such lines follow.
        if let Some((line, first)) = self.single.take() {
            let map = self.open.insert(HeightMap::new(line, None));
            map.push(line, first.chars().filter(|c| !c.is_whitespace()));
        }
        if several && self.open.is_none() {
            self.single = Some((number, rows.to_owned()));
            return;
        }
        let map = self.open.get_or_insert_with(|| HeightMap::new(number, None));
        map.push(number, rows.chars().filter(|c| !c.is_whitespace()));
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        self.end(found);
        let mut map = HeightMap::new(number, None);
        map.fault = Some(Fault::new(number, FaultReason::LineTooLong));
        self.open = Some(map);
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        if let Some((line, rows)) = self.single.take() {
            let mut map = HeightMap::new(line, None);
            rows.split_whitespace().for_each(|row| map.push(line, row.chars()));
            found.push_back(map.finish());
        }
        if let Some(map) = self.open.take() {
            found.push_back(map.finish());
        }
    }
}
