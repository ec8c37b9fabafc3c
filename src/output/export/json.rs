//! JSON: one array of objects, or one object a line. Keys are the column names.

use super::{Field, RowSink};
use serde::ser::{Serialize, SerializeMap, Serializer};
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
    columns: Vec<String>,
    begun: bool,
}

struct Object<'a>(&'a [String], &'a [Field<'a>]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (column, field) in self.0.iter().zip(self.1) {
            match field {
                Field::Empty => map.serialize_entry(column, &())?,
                Field::Text(text) => map.serialize_entry(column, text)?,
                Field::Number(n) => map.serialize_entry(column, n)?,
                Field::Integer(n) => map.serialize_entry(column, n)?,
                Field::Real(x) => map.serialize_entry(column, x)?,
            }
        }
        map.end()
    }
}

impl<W: Write> Json<W> {
    /// Creates a sink for objects with these keys.
    pub fn new(out: W, style: JsonStyle, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&c| c.to_owned()).collect();
        Self { out, style, columns, begun: false }
    }
}

impl<W: Write> RowSink for Json<W> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        if self.style == JsonStyle::Array {
            self.out.write_all(if self.begun { b",\n" } else { b"[\n" })?;
        }
        self.begun = true;
        serde_json::to_writer(&mut self.out, &Object(&self.columns, fields))?;
        if self.style == JsonStyle::Lines {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.style == JsonStyle::Array {
            self.out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })?;
        }
        self.out.flush()
    }
}
