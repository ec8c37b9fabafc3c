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
        writer.write_record(columns).map_err(io_error)?;
        Ok(Self { writer })
    }
}

impl<W: Write> RowSink for Delimited<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        for field in fields {
            self.writer.write_field(field.as_text().as_bytes()).map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The system's error inside, with its kind: a closed pipe is to be known as one.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
