//! Slices: the format of Mark R. Rubin's program yass, as described in its README and help.
//!
//! A file is one figure. Its layers, from top to bottom, are blocks of lines with blank lines between them. A line
//! is a row of squares: `.` and blanks are empty, any other character is a cell, and the letters `c p n z t l 3`
//! are pieces in place. `#` begins a comment.

use super::dash_rows::is_dashes;
use super::layer_blocks::LayerBlocks;
use super::layout::Arrangement;
use super::line_parser::LineParser;
use super::slice_marks::PIECES;
use super::soma_block::item_of_cells;
use super::text::clip;
use super::{Fault, FaultReason, Item};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use std::collections::VecDeque;

/// The mark of a cell that is not in a piece.
const FREE: char = '*';

/// Evidence for slices: all lines contain only the characters usual in files of this format.
#[derive(Default)]
pub(super) struct SliceEvidence {
    rows: usize,
    /// All characters of the rows, and those that are not letters: dots, stars, and `o`.
    signs: usize,
    plain: usize,
    width: Option<usize>,
    /// There is a cell that is not in a piece. Most files of this format have one.
    free: bool,
    /// There are dots, stars, a digit, or a row of `o` alone: more than words.
    drawn: bool,
    /// A line is not a row, or has another width.
    other: bool,
    /// The columns of the first row that are blank in every row.
    gaps: Vec<bool>,
}

impl SliceEvidence {
    pub(super) fn add(&mut self, line: &str) {
        let row = line.split('#').next().unwrap_or_default().trim_end();
        if row.trim().is_empty() {
            return;
        }
        let is_plain = |c: char| matches!(c, '.' | 'o' | '*');
        let is_piece = |c: char| PIECES.iter().any(|(own, _)| *own == c);
        let width = row.chars().count();
        if self.rows == 0 {
            self.gaps = vec![true; width];
        }
        for (gap, mark) in self.gaps.iter_mut().zip(row.chars()) {
            *gap &= mark == ' ';
        }
        self.rows += 1;
        self.signs += row.chars().filter(|c| *c != ' ').count();
        self.plain += row.chars().filter(|&c| is_plain(c)).count();
        self.free |= row.contains(['o', '*']);
        self.drawn |= row.contains(['.', '*', '3']) || row.trim().chars().all(|c| c == 'o');
        self.other |= !row.chars().all(|c| c == ' ' || is_plain(c) || is_piece(c));
        self.other |= *self.width.get_or_insert(width) != width;
        // Blanks between all cells may be decoration or empty squares.
        let mut words = row.split_whitespace();
        self.other |= row.trim().contains(' ') && words.all(|word| word.len() == 1);
    }

    /// Returns `true` if all lines are rows.
    pub(super) fn is_possible(&self) -> bool {
        // A blank column between others separates layers side by side.
        let is_split = self.gaps.iter().skip_while(|gap| **gap).any(|gap| *gap);
        let drawn = self.free && self.drawn && 2 * self.plain >= self.signs;
        self.rows > 1 && drawn && !self.other && !is_split
    }
}

#[derive(Default)]
pub(super) struct SlicesParser {
    /// The first line of the figure, or 0 before it.
    line: usize,
    title: Option<String>,
    cells: Vec<(char, Cell)>,
    /// Slice, row and line of each row with cells.
    rows: Vec<(i32, i32, usize)>,
    blocks: LayerBlocks,
    /// The length of the first row.
    width: Option<usize>,
    /// The fault of the first row of another length.
    uneven: Option<Fault>,
    /// The position of the first row's first square that is not blank.
    indent: usize,
    /// Empty squares are written as blanks, so rows may end early.
    blanks: bool,
    /// The line of a comment below the last row.
    comment: Option<usize>,
    fault: Option<Fault>,
}

impl LineParser for SlicesParser {
    fn line(&mut self, number: usize, text: &str, _: &mut VecDeque<Item>) {
        let (content, comment) = match text.split_once('#') {
            Some((content, comment)) => (content, Some(comment)),
            None => (text, None),
        };
        let padded = comment.is_none() && content.ends_with(' ') && !content.contains('.');
        let content = content.trim_end_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        let result = if !content.trim().is_empty() {
            self.blanks |= padded;
            self.row(number, content)
        } else if let Some(comment) = comment {
            if self.line == 0 {
                self.title = self.title.take().or_else(|| clip(comment));
            }
            self.comment = (self.blocks.height() > 0).then_some(number);
            Ok(())
        } else {
            self.end_slice()
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
        if let Err(fault) = self.end_slice() {
            self.fault.get_or_insert(fault);
        }
        let Self { line, title, cells, rows, uneven, blanks, fault, .. } = std::mem::take(self);
        if line == 0 {
            return;
        }
        // If empty squares are blanks, rows may end early. If they are dots, a square is missing.
        let fault = fault.or(uneven.filter(|_| !blanks));
        let rows = fault.map_or(Ok(rows), Err);
        found.push_back(item_of_cells(line, cells, Arrangement::Slices, rows, [None, title]));
    }
}

impl SlicesParser {
    fn row(&mut self, number: usize, content: &str) -> Result<(), Fault> {
        if self.line == 0 {
            self.line = number;
        }
        if is_dashes(content) {
            return Err(Fault::new(number, FaultReason::DashRow(excerpt(content.trim()))));
        }
        let (z, y) = self.blocks.add_row(number)?;
        if let Some(line) = self.comment.take() {
            return Err(Fault::new(line, FaultReason::CommentBetweenRows));
        }
        let too_large = || Fault::new(number, FaultReason::TooLarge);
        let before = self.cells.len();
        let (mut width, mut indent) = (0, None);
        for sign in content.chars() {
            let x = width;
            width += 1;
            match sign {
                '\t' => return Err(Fault::new(number, FaultReason::Tab)),
                ' ' => {
                    self.blanks |= indent.is_some();
                    continue;
                }
                '.' => {}
                _ if self.cells.len() == MAX_CELLS => {
                    return Err(Fault::new(number, FigureError::TooManyCells));
                }
                _ => {
                    let piece = PIECES.iter().find(|(own, _)| *own == sign);
                    let mark = piece.map_or(FREE, |(_, letter)| *letter);
                    let x = i32::try_from(x).map_err(|_| too_large())?;
                    self.cells.push((mark, Cell::new(x, y, z)));
                }
            }
            indent.get_or_insert(x);
        }
        if self.cells.len() > before {
            self.rows.push((z, y, number));
        }
        let indent = indent.unwrap_or(0);
        let expected = *self.width.get_or_insert_with(|| {
            self.indent = indent;
            width
        });
        self.blanks |= indent != self.indent;
        if width != expected {
            let (width, expected) = (width.saturating_sub(self.indent), expected - self.indent);
            let reason = FaultReason::RowWidth { row: self.blocks.height(), width, expected };
            self.uneven.get_or_insert(Fault::new(number, reason));
        }
        Ok(())
    }

    fn end_slice(&mut self) -> Result<(), Fault> {
        self.comment = None;
        self.blocks.end_layer()
    }
}
