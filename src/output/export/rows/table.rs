//! Tables for people; empty if there are no rows. Columns are as wide as their widest value, so a long table is
//! written in pieces, each a separate table. Output starts at once, and memory is limited to one piece.
//!
//! In a terminal, a table is at most as wide as the terminal. Texts wrap between words. Columns that still do not
//! fit are left out, the least important first. The last line names them.

use crate::export::visible;
use crate::export::{Field, RowSink};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Width, presets};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

const PIECE: usize = 1000;

/// Columns that are left out before any others, the least important first. Then columns go from last to first.
const LEAST_IMPORTANT: &str = "micros nodes engine schoenflies allen box parity rotation order cells raw class title reason \
     stopped missing cpu_seconds bytes damaged";

/// The least width of a text column with short words.
const NARROW: usize = 10;

/// A sink that writes rows as a table fitting the terminal. Empty columns are left out.
pub struct Table<W: Write> {
    out: W,
    columns: Vec<String>,
    width: Option<u16>,
    table: comfy_table::Table,
    /// True for columns with a value in some row.
    filled: Vec<bool>,
    /// The widths of each column's longest word and longest line.
    words: Vec<usize>,
    lines: Vec<usize>,
    /// Columns left out for lack of space.
    left_out: Vec<bool>,
}

impl<W: Write> Table<W> {
    /// Starts a table; `width` is the terminal's, if there is one.
    pub fn new(out: W, columns: &[&str], width: Option<u16>) -> Self {
        let columns: Vec<String> =
            columns.iter().map(|column| visible(column).into_owned()).collect();
        let table = piece(&columns, width);
        let mut all = Self {
            out,
            filled: vec![false; columns.len()],
            words: Vec::new(),
            lines: Vec::new(),
            left_out: vec![false; columns.len()],
            columns,
            width,
            table,
        };
        all.begin_widths();
        all
    }

    fn begin_widths(&mut self) {
        let headers: Vec<usize> = self.columns.iter().map(|column| column.width()).collect();
        (self.words, self.lines) = (headers.clone(), headers);
    }

    /// Returns the columns' widths without padding; `None` for those to leave out.
    fn widths(&self) -> Vec<Option<usize>> {
        let natural = |at: usize| self.filled[at].then_some(self.lines[at]);
        let mut widths: Vec<Option<usize>> = (0..self.columns.len()).map(natural).collect();
        // A blank on each side of a column, a line between two and at the ends.
        let needed = |widths: &[Option<usize>]| {
            widths.iter().flatten().map(|width| width + 3).sum::<usize>() + 1
        };
        let room = match self.width {
            Some(room) if needed(&widths) > usize::from(room) => usize::from(room),
            _ => return widths,
        };
        for (at, width) in widths.iter_mut().enumerate() {
            // A word wider than the terminal has to be broken.
            let least = self.words[at].max(self.lines[at].min(NARROW)).min(room.max(5) - 4);
            *width = width.map(|_| least);
        }
        while needed(&widths) > room && widths.iter().flatten().count() > 1 {
            let shown = |at: &usize| widths[*at].is_some();
            let named = |name: &str| self.columns.iter().position(|column| column == name);
            let next = LEAST_IMPORTANT.split(' ').filter_map(named).find(shown);
            let last = || (0..widths.len()).rev().find(shown).expect("two columns are shown");
            let next = next.unwrap_or_else(last);
            widths[next] = None;
        }
        // Remaining space goes to the narrowest columns that need more.
        while needed(&widths) < room {
            let wants = |(at, width): (usize, &mut Option<usize>)| {
                Some((width.filter(|width| *width < self.lines[at])?, at))
            };
            let Some((width, at)) = widths.iter_mut().enumerate().filter_map(wants).min() else {
                break;
            };
            widths[at] = Some(width + 1);
        }
        widths
    }

    /// Writes the rows so far, and begins another piece.
    fn write_piece(&mut self) -> io::Result<()> {
        let mut table = std::mem::replace(&mut self.table, piece(&self.columns, self.width));
        if table.is_empty() {
            return Ok(());
        }
        for (at, width) in self.widths().into_iter().enumerate() {
            let Some(column) = table.column_mut(at) else { continue };
            let padded = |width: usize| Width::Fixed(u16::try_from(width + 2).unwrap_or(u16::MAX));
            column.set_constraint(match width {
                Some(width) => ColumnConstraint::Absolute(padded(width)),
                None => ColumnConstraint::Hidden,
            });
            self.left_out[at] |= width.is_none() && self.filled[at];
        }
        self.filled.fill(false);
        self.begin_widths();
        for line in table.lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn piece(columns: &[String], width: Option<u16>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(columns);
    if let Some(width) = width {
        table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
    }
    table
}

impl<W: Write> RowSink for Table<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        if self.table.row_count() == PIECE {
            self.write_piece()?;
        }
        let texts: Vec<_> = fields.iter().map(|field| field.as_text()).collect();
        let texts: Vec<_> = texts.iter().map(|text| visible(text)).collect();
        for (at, text) in texts.iter().enumerate() {
            self.filled[at] |= !text.is_empty();
            let longest =
                |parts: &mut dyn Iterator<Item = &str>| parts.map(UnicodeWidthStr::width).max();
            self.words[at] = self.words[at].max(longest(&mut text.split_whitespace()).unwrap_or(0));
            self.lines[at] = self.lines[at].max(longest(&mut text.lines()).unwrap_or(0));
        }
        self.table.add_row(fields.iter().zip(&texts).map(|(field, text)| {
            let cell = Cell::new(text);
            match field {
                Field::Number(_) | Field::Integer(_) | Field::Real(_) => {
                    cell.set_alignment(CellAlignment::Right)
                }
                _ => cell,
            }
        }));
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_piece()?;
        let left_out = self.columns.iter().zip(&self.left_out).filter(|(_, left_out)| **left_out);
        let left_out: Vec<&str> = left_out.map(|(column, _)| column.as_str()).collect();
        if !left_out.is_empty() {
            let text = format!("No room for {}: --csv shows all.", left_out.join(", "));
            let mut used = 0;
            for word in text.split(' ') {
                let wide = word.width() + 1;
                let end = if used + wide > usize::from(self.width.unwrap_or(u16::MAX)) {
                    used = 0;
                    "\n"
                } else if used > 0 {
                    " "
                } else {
                    ""
                };
                write!(self.out, "{end}{word}")?;
                used += wide;
            }
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_comes_in_pieces_and_loses_no_row() {
        for rows in [0, 1, PIECE, PIECE + 1, 2 * PIECE + 500] {
            let mut text = Vec::new();
            let mut table = Table::new(&mut text, &["n", "empty"], None);
            for n in 0..rows {
                table.row(&[n.into(), Field::Empty]).unwrap();
            }
            table.finish().unwrap();
            drop(table);
            let text = String::from_utf8(text).unwrap();
            let cells = text.lines().filter_map(|line| line.split('│').nth(1)?.trim().parse().ok());
            assert_eq!(cells.collect::<Vec<usize>>(), (0..rows).collect::<Vec<_>>());
            assert_eq!(text.matches("│ n").count(), rows.div_ceil(PIECE));
            assert!(!text.contains("empty"));
        }
    }

    fn table_of(width: u16, columns: &[&str], rows: &[Vec<Field<'_>>]) -> String {
        let mut text = Vec::new();
        let mut table = Table::new(&mut text, columns, Some(width));
        for row in rows {
            table.row(row).unwrap();
        }
        table.finish().unwrap();
        drop(table);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_table_is_as_wide_as_the_screen_and_breaks_no_word() {
        let columns = ["name", "title", "cells", "class", "verdict", "signature"];
        let row = |name: &'static str, title: &'static str| {
            let signature = "s1-5x5x5-0004004yc02eee806f4004000";
            let verdict = "unsolvable: exhausted";
            vec![
                name.into(),
                title.into(),
                27_u32.into(),
                "C2v(edge)".into(),
                verdict.into(),
                signature.into(),
            ]
        };
        let rows = [row("SOMA-tower-1", "A leaning tower by Emily"), row("三つの塔", "")];
        let mut before = 0;
        for width in 1..140 {
            let text = table_of(width, &columns, &rows);
            let shown =
                columns.iter().filter(|column| text.contains(&format!(" {column} "))).count();
            assert!(shown >= before, "{width}: {text}");
            before = shown;
            if width < 20 {
                continue;
            }
            assert!(
                text.lines().all(|line| line.width() <= usize::from(width)),
                "{width}:\n{text}"
            );
            assert!(text.contains("│ SOMA-tower-1 "), "{width}:\n{text}");
            assert_eq!(text.contains("No room for"), shown < columns.len(), "{width}:\n{text}");
            // Columns without space are named, and shown words are whole.
            for (column, word) in
                [("signature", "s1-5x5x5-0004004yc02eee806f4004000"), ("title", "leaning")]
            {
                let has_column = text.contains(&format!(" {column} "));
                assert_eq!(has_column, text.contains(word), "{width}:\n{text}");
            }
        }
        assert_eq!(before, columns.len());
    }
}
