//! CSV and TSV: a header line, `\n` line ends, quotes where a value needs them.

use super::{Field, RowSink};
use std::io::{self, Write};

/// Rows separated by commas or tabs.
pub struct Delimited<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> Delimited<W> {
    /// Writes comma-separated values, beginning with the header.
    ///
    /// # Errors
    /// If writing fails.
    pub fn csv(out: W, columns: &[&str]) -> io::Result<Self> {
        Self::new(out, b',', columns)
    }

    /// Writes tab-separated values, beginning with the header.
    ///
    /// # Errors
    /// If writing fails.
    pub fn tsv(out: W, columns: &[&str]) -> io::Result<Self> {
        Self::new(out, b'\t', columns)
    }

    fn new(out: W, delimiter: u8, columns: &[&str]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
        writer.write_record(columns)?;
        Ok(Self { writer })
    }
}

impl<W: Write> RowSink for Delimited<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        for field in fields {
            self.writer.write_field(field.as_text().as_bytes())?;
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
