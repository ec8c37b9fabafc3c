//! A table for people; nothing at all if there is no row. It holds all rows until the end, because columns are as wide as their
//! widest value.

use super::{Field, RowSink};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, presets};
use std::io::{self, Write};

/// Rows as a table that fits the terminal, without the columns that no row fills.
pub struct Table<W: Write> {
    out: W,
    table: comfy_table::Table,
    /// Which columns some row fills.
    filled: Vec<bool>,
}

impl<W: Write> Table<W> {
    /// Starts a table; `width` is the terminal's, if there is one.
    pub fn new(out: W, columns: &[&str], width: Option<u16>) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED).set_header(columns);
        if let Some(width) = width {
            table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
        }
        Self { out, table, filled: vec![false; columns.len()] }
    }
}

impl<W: Write> RowSink for Table<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        for (filled, field) in self.filled.iter_mut().zip(fields) {
            *filled |= !field.as_text().is_empty();
        }
        self.table.add_row(fields.iter().map(|field| {
            let cell = Cell::new(field.as_text());
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
        if self.table.is_empty() {
            return Ok(());
        }
        for (column, filled) in self.table.column_iter_mut().zip(&self.filled) {
            if !filled {
                column.set_constraint(ColumnConstraint::Hidden);
            }
        }
        for line in self.table.lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        self.out.flush()
    }
}
