//! Height maps: a digit is the number of cubes on a square.
//!
//! `67 77` is a map of two rows: towers of 6 and 7, in front of them 7 and 7. The rows are on one line, or on
//! consecutive lines that a blank line ends. Cubes rest on the ground, so a tower of h fills the h lowest layers:
//! the largest z, since z points down.

use super::dash_rows::is_dashes;
use super::gaps::{Gaps, lacks_first_value};
use super::line_parser::LineParser;
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
    gaps: Gaps,
    /// The line of a comment, or of dashes alone, below the last row.
    comment: Option<usize>,
    fault: Option<Fault>,
}

impl HeightMap {
    fn new(line: usize, name: Option<String>) -> Self {
        let (gaps, towers) = (Gaps::default(), Vec::new());
        Self {
            line,
            name,
            rows: 0,
            width: None,
            towers,
            cells: 0,
            gaps,
            comment: None,
            fault: None,
        }
    }

    /// Adds the row on a line of its own, perhaps behind the name.
    fn push_line(&mut self, line: usize, text: &str) {
        let content = Content::of(text);
        let indent = &text[..text.len() - text.trim_start().len()];
        let row = format!("{indent}{}", content.rows);
        if let Some(at) = self.comment.take() {
            self.fault.get_or_insert(Fault::new(at, FaultReason::LineBetweenRows));
        }
        let is_rule = is_dashes(content.rows);
        self.comment = (is_rule && self.rows > 0).then_some(line);
        if let Some(reason) = content.parted_row(self.width) {
            self.fault.get_or_insert(Fault::new(line, reason));
        }
        self.push(line, content.words().flat_map(str::chars));
        let gaps = if content.name.is_none() { self.gaps.fault(&row) } else { None };
        if let Some(reason) = content.fault().or(gaps) {
            self.fault.get_or_insert(Fault::new(line, reason));
        }
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
    // At most 35. Capital letters are no heights.
    mark.to_digit(36).filter(|_| !mark.is_ascii_uppercase()).map(|h| h as i32)
}

/// Returns `true` for a word of several squares.
fn is_wide(word: &str) -> bool {
    word.chars().nth(1).is_some()
}

/// The signs between the values of a table.
const COLUMN_SEPARATORS: [char; 3] = [',', ';', '\t'];

/// A line without its name and its comment.
#[derive(Clone, Copy)]
struct Content<'a> {
    name: Option<&'a str>,
    rows: &'a str,
    /// With its sign.
    comment: Option<&'a str>,
}

impl<'a> Content<'a> {
    /// Cuts a line. A comment begins at the beginning of a line or after a blank. Elsewhere `;` separates columns.
    fn of(line: &'a str) -> Self {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        let mut marks = line.match_indices(['#', ';']).map(|(at, _)| at);
        let start =
            marks.find(|&at| line[..at].chars().next_back().is_none_or(char::is_whitespace));
        let (content, comment) = match start {
            Some(at) => (line[..at].trim_end(), Some(&line[at..])),
            None => (line, None),
        };
        let (name, rows) = match content.rsplit_once(':') {
            Some((name, rows)) if !name.trim().is_empty() && !are_rows(name, rows) => {
                // In `a: 67 77 b: 77 67` a line end is missing, and the second colon is a fault of the first figure.
                match content.split_once(':').filter(|_| holds_map(name, rows)) {
                    Some((first, all)) => (Some(first.trim()), all.trim()),
                    None => (Some(name.trim()), rows.trim()),
                }
            }
            _ => (None, content),
        };
        Self { name, rows, comment }
    }

    /// Returns `true` for `333:` and `33:3`, if a row has three squares: what looks like a name are digits of the row.
    fn is_row_with_colon(self, squares: usize) -> bool {
        let is_digit = |c: char| c.is_ascii_digit() || c.is_whitespace();
        self.name.is_some_and(|name| {
            let digits = name.chars().filter(|c| !c.is_whitespace()).count();
            name.chars().all(is_digit) && digits + self.squares() == squares
        })
    }

    /// Returns the words of the rows: rows, or the squares of one row.
    fn words(self) -> impl Iterator<Item = &'a str> {
        let separator = |c: char| c.is_whitespace() || COLUMN_SEPARATORS.contains(&c);
        self.rows.split(separator).filter(|word| !word.is_empty())
    }

    /// Returns the number of squares in all words.
    fn squares(self) -> usize {
        self.words().map(|row| row.chars().count()).sum()
    }

    /// Returns `true` for `67 77` and `33 3`: several words, of which one has several squares.
    fn has_rows(self) -> bool {
        self.words().nth(1).is_some() && self.words().any(is_wide)
    }

    /// Returns why a line is not a row of this width: it has rows itself, or a height such as `10`.
    fn parted_row(self, width: Option<usize>) -> Option<FaultReason> {
        self.words().nth(1)?;
        let wide = self.words().find(|word| is_wide(word))?;
        let is_number = wide.bytes().all(|b| b.is_ascii_digit());
        Some(match width == Some(self.words().count()) && is_number {
            true => FaultReason::RowOrHeight(excerpt(wide)),
            false => FaultReason::MapOrRow(excerpt(self.rows)),
        })
    }

    /// Returns `true` if the line may be meant as a row of so many squares: with a stray blank such as `33 3`, or with a
    /// height such as `10`.
    fn is_like_row_of(self, squares: usize) -> bool {
        let has_square = || !self.words().all(is_wide);
        let is_table = || self.words().count() == squares && has_square();
        self.name.is_none() && (self.squares() == squares || is_table())
    }

    fn is_row_in_comment(self) -> bool {
        self.rows.is_empty() && self.comment.is_some_and(lacks_first_value)
    }

    /// Returns two kinds of separators between single squares, as in `6 7, 7 7`: one of them may end rows.
    fn two_separators(self) -> Option<(&'static str, &'static str)> {
        const KINDS: [(char, &str); 3] = [(',', "`,`"), (';', "`;`"), ('\t', "tabs")];
        if self.words().any(is_wide) {
            return None;
        }
        let kind_of = |between: &str| {
            let sign = KINDS.iter().find(|(sign, _)| between.contains(*sign));
            sign.map_or("blanks", |(_, name)| *name)
        };
        let mut between = self.rows.split(char::is_alphanumeric).filter(|text| !text.is_empty());
        let first = kind_of(between.next()?);
        between.map(kind_of).find(|other| *other != first).map(|other| (first, other))
    }

    /// Returns why the words may be meant in another way.
    fn fault(self) -> Option<FaultReason> {
        let is_height = |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, ';' | '#');
        // `67 # 27` is a remark, but `67 #77` has a row behind a wrong sign.
        let follows = |comment: &&str| {
            comment.starts_with(';') || comment[1..].starts_with(|c: char| c.is_ascii_digit())
        };
        if let Some(comment) = self.comment.filter(follows)
            && !self.rows.is_empty()
            && comment.contains(|c: char| c.is_ascii_digit())
            && comment.chars().all(is_height)
        {
            return Some(FaultReason::HeightsInComment(excerpt(comment)));
        }
        // All its characters are heights, but nobody draws `s1-2x2x9-eqvxeqv1`.
        let is_signature = |word: &&str| {
            let rest = word.strip_prefix("s1-").or_else(|| word.strip_prefix("r1-"));
            rest.is_some_and(|rest| rest.contains('-'))
        };
        if let Some(signature) = self.words().find(is_signature) {
            return Some(FaultReason::SignatureAsHeights(excerpt(signature)));
        }
        if let Some(sides) = self.words().find(|word| is_box(word)) {
            return Some(FaultReason::BoxAsHeights(excerpt(sides)));
        }
        let separator = self.rows.chars().find(|c| COLUMN_SEPARATORS.contains(c))?;
        if self.rows.split(separator).any(|value| value.trim().is_empty()) {
            return Some(FaultReason::EmptyValue);
        }
        if let Some((one, other)) = self.two_separators() {
            return Some(FaultReason::TwoSeparators(one, other));
        }
        // `10;12` may be two rows or two heights, but `67;77` can only be rows: a height is at most 35.
        let is_number = |word: &str| word.parse().is_ok_and(|height: u32| height <= MAX_HEIGHT);
        let wide = self.words().find(|word| is_wide(word))?;
        let numbers = self.words().all(is_number);
        numbers.then(|| FaultReason::RowOrHeight(excerpt(wide)))
    }
}

/// Returns `true` for a mark of a map without letters: a digit, or an empty square.
fn is_digit_mark(mark: char) -> bool {
    mark.is_ascii_digit() || matches!(mark, '.' | '-')
}

/// Returns `true` for `111:111:111`: what looks like a name may be rows as wide as the one behind it.
fn are_rows(name: &str, last: &str) -> bool {
    let is_row = |row: &str| row.len() == last.len() && row.chars().all(is_digit_mark);
    is_row(last) && name.split(':').all(is_row)
}

/// Returns `true` for `a: 67 77 b` and `77 67`: between two colons there is a map of as many cells as behind the last.
fn holds_map(name: &str, rows: &str) -> bool {
    // The next name may follow without a blank.
    let marks =
        |word: &str| word.chars().take_while(|c| is_digit_mark(*c)).filter_map(height).sum::<i32>();
    let cells = |text: &str| text.split_whitespace().map(marks).sum::<i32>();
    let is_row = |word: &&str| is_wide(word) && word.chars().all(is_digit_mark);
    name.split(':').skip(1).any(|part| {
        part.split_whitespace().next().is_some_and(|first| is_row(&first))
            && part.split_whitespace().nth(1).is_some()
            && cells(part) == cells(rows)
    })
}

/// Returns `true` for a box such as `3x3x3`, whose letters are heights, too.
fn is_box(word: &str) -> bool {
    let is_side = |side: &str| !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
    word.split('x').count() == 3 && word.split('x').all(is_side)
}

/// The largest height that has a mark.
const MAX_HEIGHT: u32 = 35;

/// Splits off a word in front of rows of another, equal width. The word is most likely a name without its colon.
fn word_in_front(rows: &str) -> Option<(&str, &str)> {
    let (word, rest) = rows.split_once(char::is_whitespace)?;
    let wide = |row: &str| row.chars().count();
    let mut rows = rest.split_whitespace();
    let width = wide(rows.next()?);
    let is_name = word.chars().all(char::is_alphabetic) && wide(word) != width;
    let of_digits = rest.contains(|c: char| c.is_ascii_digit());
    let is_map = of_digits
        && rest.split_whitespace().all(|row| wide(row) == width && row.chars().all(is_digit_mark));
    (is_name && is_map).then_some((word, rest))
}

/// Returns `true` if a line may be rows of a height map.
pub(super) fn looks_like_heights(line: &str) -> bool {
    let content = Content::of(line);
    let width = content.words().next().map_or(0, |row| row.chars().count());
    width > 0
        && content.rows.contains(|c: char| c.is_ascii_digit())
        && content
            .words()
            .all(|row| row.chars().count() == width && row.chars().all(|c| height(c).is_some()))
}

/// Returns `true` if a line of heights has several rows, of several squares each.
pub(super) fn looks_like_a_map(line: &str) -> bool {
    let mut rows = Content::of(line).words();
    rows.next().is_some_and(is_wide) && rows.next().is_some()
}

/// Returns `true` if a line has at least two rows of digits. The rows may differ in length.
pub(super) fn looks_like_ragged_heights(line: &str) -> bool {
    let mut content = Content::of(line);
    content.rows = word_in_front(content.rows).map_or(content.rows, |(_, rows)| rows);
    content.words().nth(1).is_some()
        && content.words().all(|row| row.chars().all(is_digit_mark))
        && content.rows.contains(|c: char| c.is_ascii_digit())
}

/// A parser that remembers the map so far. Rows may be on consecutive lines.
///
/// Some lines are a map of their own, or a row of one, as the next line decides. They are held until then.
#[derive(Default)]
pub(super) struct HeightMapParser {
    open: Option<HeightMap>,
    /// A line such as `3 3 3`, the first row if rows follow.
    single: Option<(usize, String)>,
    /// A line such as `44 44`. If a row of as many squares follows, `4444`, it may be the first row with a stray blank,
    /// and is refused.
    rows: Option<HeldRows>,
}

/// Rows on a line of their own.
struct HeldRows {
    line: usize,
    map: HeightMap,
    text: String,
    /// Rows such as `67;77`, without a name. They are refused if others follow directly: such lines may be rows of layers
    /// side by side.
    is_table: bool,
}

impl HeightMapParser {
    /// Adds rows on a line of their own. Their name may be on the line above.
    fn whole(&mut self, number: usize, content: Content<'_>, found: &mut VecDeque<Item>) {
        let above = self.open.take_if(|map| content.name.is_none() && map.rows == 0);
        self.end(found);
        let new = || HeightMap::new(number, content.name.and_then(clip));
        let mut map = above.unwrap_or_else(new);
        let is_named = map.name.is_some();
        let word = word_in_front(content.rows).filter(|_| !is_named);
        if let Some((word, _)) = word {
            map.fault = Some(Fault::new(number, FaultReason::NoColon(excerpt(word))));
        }
        map.fault = map.fault.or_else(|| content.fault().map(|reason| Fault::new(number, reason)));
        content.words().for_each(|row| map.push(number, row.chars()));
        let mut widths = content.words().map(|row| row.chars().count());
        let first = widths.next();
        let is_ragged = widths.any(|width| Some(width) != first);
        let is_table = !is_named && !is_ragged && content.rows.contains(COLUMN_SEPARATORS);
        self.rows = Some(HeldRows { line: number, map, text: content.rows.to_owned(), is_table });
    }

    /// Decides about the line above, now that a line that is not blank follows. Returns `true` if both are of one table.
    fn decide(&mut self, number: usize, content: Content<'_>, found: &mut VecDeque<Item>) -> bool {
        let is_row = content.name.is_none() && !content.has_rows();
        if let Some(mut held) = self.rows.take() {
            let (above, squares) = (Content::of(&held.text), content.squares());
            let is_table_row = content.words().nth(1).is_some() && above.is_like_row_of(squares);
            if is_row && (is_table_row || above.squares() == squares) {
                let reason = above.parted_row(Some(squares));
                let fault = reason.map(|reason| Fault::new(held.line, reason));
                held.map.fault = fault.or(held.map.fault);
                self.open = Some(held.map);
            } else if held.is_table && !is_row && content.rows.contains(COLUMN_SEPARATORS) {
                held.map.fault.get_or_insert(Fault::new(number, FaultReason::TableOfRows));
                self.rows = Some(held);
                return true;
            } else {
                found.push_back(held.map.finish());
            }
        }
        let is_next = |(_, first): &mut (usize, String)| {
            is_row || content.is_like_row_of(Content::of(first).squares())
        };
        if let Some((line, first)) = self.single.take_if(is_next) {
            let name = Content::of(&first).name.and_then(clip);
            self.open.insert(HeightMap::new(line, name)).push_line(line, &first);
        }
        false
    }
}

impl LineParser for HeightMapParser {
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        let content = Content::of(text);
        if content.is_row_in_comment() {
            self.decide(number, content, found);
            let map = self.open.get_or_insert_with(|| HeightMap::new(number, None));
            map.fault.get_or_insert(Fault::new(number, FaultReason::EmptyValue));
            return;
        }
        if content.name.is_none() && content.rows.is_empty() {
            if content.comment.is_none() {
                self.end(found);
            } else if let Some(map) = &mut self.open {
                map.comment = (map.rows > 0).then_some(number);
            }
            return;
        }
        let width = self.open.as_ref().filter(|map| map.rows > 0).and_then(|map| map.width);
        if let Some(map) = &mut self.open
            && width.is_some_and(|width| content.is_row_with_colon(width))
        {
            map.fault.get_or_insert(Fault::new(number, FaultReason::NotAHeight(excerpt(":"))));
            return;
        }
        if self.decide(number, content, found) {
            return;
        }
        let several = content.words().nth(1).is_some();
        let width = self.open.as_ref().filter(|map| map.rows > 0).and_then(|map| map.width);
        let is_next_row = width.is_some_and(|width| content.is_like_row_of(width));
        if content.name.is_some() || content.has_rows() && !is_next_row {
            if content.has_rows() {
                self.whole(number, content, found);
                return;
            }
            self.end(found);
            if content.rows.is_empty() {
                self.open = Some(HeightMap::new(number, content.name.and_then(clip)));
                return;
            }
        }
        // One row: `333`, or `3 3 3` if more such lines follow.
        if several && self.open.is_none() && content.fault().is_none() {
            self.single = Some((number, text.to_owned()));
            return;
        }
        let name = content.name.and_then(clip);
        let map = self.open.get_or_insert_with(|| HeightMap::new(number, name));
        map.push_line(number, text);
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        self.end(found);
        let mut map = HeightMap::new(number, None);
        map.fault = Some(Fault::new(number, FaultReason::LineTooLong));
        self.open = Some(map);
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        if let Some((line, text)) = self.single.take() {
            let content = Content::of(&text);
            let mut map = HeightMap::new(line, content.name.and_then(clip));
            content.words().for_each(|row| map.push(line, row.chars()));
            found.push_back(map.finish());
        }
        let rows = self.rows.take().map(|held| held.map);
        for map in [rows, self.open.take()].into_iter().flatten() {
            found.push_back(map.finish());
        }
    }
}
