//! A table for people; nothing at all if there is no row. It holds all rows until the end, because columns are as wide as their
//! widest value.

use super::{Field, RowSink};
use comfy_table::{Cell, CellAlignment, ContentArrangement, presets};
use std::io::{self, Write};

/// Rows as a table that fits the terminal.
pub struct Table<W: Write> {
    out: W,
    table: comfy_table::Table,
}

impl<W: Write> Table<W> {
    /// Starts a table; `width` is the terminal's, if there is one.
    pub fn new(out: W, columns: &[&str], width: Option<u16>) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED).set_header(columns);
        if let Some(width) = width {
            table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
        }
        Self { out, table }
    }
}

impl<W: Write> RowSink for Table<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
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
        for line in self.table.lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        self.out.flush()
    }
}
