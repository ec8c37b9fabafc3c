//! JSON: one array of objects, or one object a line. Keys are the column names.

use super::{Field, RowSink};
use std::io::{self, Write};

/// The separation of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonStyle {
    /// `[`, objects, `]`.
    Array,
    /// JSON Lines.
    Lines,
}

pub struct Json<W: Write> {
    out: W,
    style: JsonStyle,
    /// The keys with their separators from the previous field and the value.
    keys: Vec<Vec<u8>>,
    object: Vec<u8>,
    begun: bool,
}

impl<W: Write> Json<W> {
    /// Creates a sink for objects with these keys.
    pub fn new(out: W, style: JsonStyle, columns: &[&str]) -> Self {
        let separators = std::iter::once("").chain(std::iter::repeat(","));
        let key = |(separator, column): (&str, &&str)| {
            format!("{separator}{}:", serde_json::Value::from(*column)).into_bytes()
        };
        let keys = separators.zip(columns).map(key).collect();
        Self { out, style, keys, object: Vec::new(), begun: false }
    }
}

impl<W: Write> RowSink for Json<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        let object = &mut self.object;
        object.clear();
        if self.style == JsonStyle::Array {
            object.extend_from_slice(if self.begun { b",\n" } else { b"[\n" });
        }
        self.begun = true;
        object.push(b'{');
        for (key, field) in self.keys.iter().zip(fields) {
            object.extend_from_slice(key);
            match field {
                Field::Empty => object.extend_from_slice(b"null"),
                Field::Text(text) => serde_json::to_writer(&mut *object, text)?,
                Field::Number(n) => serde_json::to_writer(&mut *object, n)?,
                Field::Integer(n) => serde_json::to_writer(&mut *object, n)?,
                Field::Real(x) => serde_json::to_writer(&mut *object, x)?,
            }
        }
        object.push(b'}');
        if self.style == JsonStyle::Lines {
            object.push(b'\n');
        }
        self.out.write_all(object)?;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.style == JsonStyle::Array {
            self.out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })?;
        }
        self.out.flush()
    }
}
