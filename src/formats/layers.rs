//! Layers: one figure as blocks of rows with blank lines between, in the marks of SOMA text.
//!
//! A block is a layer, the first one on top. Its lines are rows, back to front, of digits, letters, `#`, `x` and the
//! like, perhaps with blanks or commas between them. `0`, `.` and `-` are empty squares.

use super::dash_rows::DashRows;
use super::gaps::{Gaps, lacks_first_value};
use super::layer_blocks::LayerBlocks;
use super::layout::Arrangement;
use super::line_parser::LineParser;
use super::soma_block::item_of_cells;
use super::soma_lines::is_usual_mark;
use super::text::clip;
use super::{Fault, FaultReason, Item};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use std::collections::VecDeque;

/// Returns the marks of a row. `None` for any other line.
fn marks(line: &str) -> Option<Vec<char>> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let mut words = line.split(separator).filter(|word| !word.is_empty());
    let several = words.clone().nth(1).is_some();
    // With blanks between the marks, each word is one mark.
    let is_row =
        |word: &str| word.chars().all(is_usual_mark) && !(several && word.chars().nth(1).is_some());
    let marks: Vec<char> = words.clone().flat_map(str::chars).collect();
    (!marks.is_empty() && words.all(is_row)).then_some(marks)
}

/// Returns `true` if a line may be a row of a layer.
pub(super) fn looks_like_a_row(line: &str) -> bool {
    marks(line).is_some() && !is_hash_with_word(line)
}

/// Returns `true` for `#top` and `#2`. Their characters are marks, too, but free cells and pieces stay apart.
fn is_hash_with_word(line: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() && !matches!(c, '0' | 'o' | 'x');
    line.strip_prefix('#').is_some_and(|word| !word.contains('#') && word.starts_with(is_name))
}

#[derive(Default)]
pub(super) struct LayersParser {
    /// The first line of the figure, or 0 before it.
    line: usize,
    name: Option<String>,
    title: Option<String>,
    cells: Vec<(char, Cell)>,
    /// Layer, row and line of each row with cells.
    rows: Vec<(i32, i32, usize)>,
    blocks: LayerBlocks,
    gaps: Gaps,
    width: Option<usize>,
    /// The line of a comment below a row.
    comment: Option<usize>,
    dashes: DashRows,
    fault: Option<Fault>,
}

impl LayersParser {
    fn row(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        let text = line.trim();
        self.line = if self.line == 0 { number } else { self.line };
        let marks =
            marks(text).ok_or_else(|| Fault::new(number, FaultReason::NotARow(excerpt(text))))?;
        if let Some(reason) = self.gaps.fault(line) {
            return Err(Fault::new(number, reason));
        }
        if let Some(at) = self.comment.take().filter(|_| self.blocks.height() > 0) {
            return Err(Fault::new(at, FaultReason::LineBetweenRows));
        }
        self.dashes.add(number, text);
        let (z, y) = self.blocks.add_row(number)?;
        let (row, width) = (self.blocks.height(), marks.len());
        let expected = *self.width.get_or_insert(width);
        if width != expected {
            return Err(Fault::new(number, FaultReason::RowWidth { row, width, expected }));
        }
        let cells = marks.into_iter().zip(0..).filter(|(mark, _)| !matches!(mark, '0' | '.' | '-'));
        let before = self.cells.len();
        self.cells.extend(cells.map(|(mark, x)| (mark, Cell::new(x, y, z))));
        if self.cells.len() > MAX_CELLS {
            return Err(Fault::new(number, FigureError::TooManyCells));
        }
        if self.cells.len() > before {
            self.rows.push((z, y, number));
        }
        Ok(())
    }
}

impl LineParser for LayersParser {
    fn line(&mut self, number: usize, line: &str, _: &mut VecDeque<Item>) {
        let text = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        let is_comment = (text.starts_with(';') && !lacks_first_value(text))
            || text.starts_with('#') && (marks(text).is_none() || is_hash_with_word(text));
        let result = if is_comment {
            self.comment = (self.blocks.height() > 0).then_some(number);
            self.title = self.title.take().or_else(|| clip(&text[1..]).filter(|_| self.line == 0));
            return;
        } else if text.is_empty() {
            // Dashes that are a layer of their own are a line between layers, too.
            if self.blocks.height() > 1 {
                self.dashes.blank();
            }
            self.blocks.end_layer()
        } else if let Some(name) = text.strip_suffix(':').filter(|_| self.line == 0) {
            self.name = clip(name);
            Ok(())
        } else if self.fault.is_none() {
            self.row(number, line)
        } else {
            Ok(())
        };
        if let Err(fault) = result {
            self.fault.get_or_insert(fault);
        }
    }

    fn too_long(&mut self, number: usize, _: &mut VecDeque<Item>) {
        self.line = if self.line == 0 { number } else { self.line };
        self.fault.get_or_insert(Fault::new(number, FaultReason::LineTooLong));
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        if let Err(fault) = self.blocks.end_layer() {
            self.fault.get_or_insert(fault);
        }
        if let Some((line, row)) = self.dashes.unclear() {
            self.fault.get_or_insert(Fault::new(line, FaultReason::DashRow(row)));
        }
        let Self { line, name, title, cells, rows, fault, .. } = std::mem::take(self);
        if line == 0 {
            return;
        }
        let rows = fault.map_or(Ok(rows), Err);
        found.push_back(item_of_cells(line, cells, Arrangement::Layers, rows, [name, title]));
    }
}
