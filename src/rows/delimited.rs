//! CSV and TSV: a header line, `\n` line ends, quotes where a value needs them.

use super::{Field, RowSink};
use itoa::Buffer;
use std::io::{self, Write};

/// Characters that begin a formula in a spreadsheet.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Spreadsheets keep fewer digits of larger integers: Excel 15, others those of a double, which is exact up to 2^53.
const MAX_EXACT: u128 = 1_000_000_000_000_000;

/// A sink for rows separated by commas or tabs.
pub struct Delimited<W: Write> {
    writer: csv::Writer<W>,
    for_spreadsheets: bool,
}

impl<W: Write> Delimited<W> {
    /// Writes comma-separated values, beginning with the header.
    pub fn csv(out: W, columns: &[&str]) -> io::Result<Self> {
        Self::new(out, b',', columns)
    }

    /// Writes tab-separated values, beginning with the header.
    pub fn tsv(out: W, columns: &[&str]) -> io::Result<Self> {
        Self::new(out, b'\t', columns)
    }

    /// Begins with a byte order mark, without which spreadsheets misread letters such as `é`. Puts a `'` before every
    /// text that looks like a formula, because it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and
    /// before integers of more than 15 digits, of which spreadsheets would drop digits.
    pub fn for_spreadsheets(mut out: W, delimiter: u8, columns: &[&str]) -> io::Result<Self> {
        out.write_all("\u{feff}".as_bytes())?;
        Ok(Self { for_spreadsheets: true, ..Self::new(out, delimiter, columns)? })
    }

    fn new(out: W, delimiter: u8, columns: &[&str]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
        writer.write_record(columns).map_err(io_error)?;
        Ok(Self { writer, for_spreadsheets: false })
    }
}

impl<W: Write> RowSink for Delimited<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        for field in fields {
            match field {
                Field::Number(n) if self.for_spreadsheets && *n > MAX_EXACT => {
                    self.writer.write_field(format!("'{n}"))
                }
                Field::Number(n) => self.writer.write_field(Buffer::new().format(*n)),
                Field::Text(text) if self.for_spreadsheets && text.starts_with(FORMULA) => {
                    self.writer.write_field(format!("'{text}"))
                }
                Field::Text(text) => self.writer.write_field(&**text),
                other => self.writer.write_field(&*other.as_text()),
            }
            .map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Unwraps the system's error, so that a closed pipe is recognized.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
