//! A table for people; nothing at all if there is no row. Columns are as wide as their widest value, so a long table is written
//! in pieces, each a table of its own: it begins at once, and takes no more memory than a piece.

use super::{Field, RowSink, visible};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, presets};
use std::io::{self, Write};

/// Rows of a piece.
const PIECE: usize = 1000;

/// Rows as a table that fits the terminal, without the columns that no row fills.
pub struct Table<W: Write> {
    out: W,
    columns: Vec<String>,
    width: Option<u16>,
    table: comfy_table::Table,
    /// Which columns some row fills.
    filled: Vec<bool>,
}

impl<W: Write> Table<W> {
    /// Starts a table; `width` is the terminal's, if there is one.
    pub fn new(out: W, columns: &[&str], width: Option<u16>) -> Self {
        let columns: Vec<String> =
            columns.iter().map(|column| visible(column).into_owned()).collect();
        let table = piece(&columns, width);
        Self { out, filled: vec![false; columns.len()], columns, width, table }
    }

    /// Writes the rows so far, and begins another piece.
    fn write_piece(&mut self) -> io::Result<()> {
        let mut table = std::mem::replace(&mut self.table, piece(&self.columns, self.width));
        if table.is_empty() {
            return Ok(());
        }
        for (column, filled) in table.column_iter_mut().zip(&self.filled) {
            if !filled {
                column.set_constraint(ColumnConstraint::Hidden);
            }
        }
        self.filled.fill(false);
        for line in table.lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A table without rows.
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
        for (filled, field) in self.filled.iter_mut().zip(fields) {
            *filled |= !field.as_text().is_empty();
        }
        self.table.add_row(fields.iter().map(|field| {
            let cell = Cell::new(visible(&field.as_text()));
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
}
