//! One value of a row, and how records become rows.

use crate::catalog::{Called, Record};
use std::borrow::Cow;

/// A value on its way out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field<'a> {
    /// Nothing is known.
    Empty,
    /// A text.
    Text(Cow<'a, str>),
    /// A count or another number; JSON writes it without quotes.
    Number(u128),
}

impl Field<'_> {
    /// The value as plain text, empty if nothing is known.
    #[must_use]
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Empty => Cow::Borrowed(""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(n) => Cow::Owned(n.to_string()),
        }
    }
}

impl<'a> From<&'a str> for Field<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Field<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

macro_rules! from_numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for Field<'_> {
            fn from(n: $number) -> Self {
                Self::Number(n as u128)
            }
        }
    )+};
}
from_numbers!(u32, u64, usize, u128);

impl<'a, T: Into<Field<'a>>> From<Option<T>> for Field<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// A record's values in the order of [`Record::COLUMNS`].
#[must_use]
pub fn record_fields(record: &Record) -> [Field<'_>; 14] {
    [
        record.name.as_deref().into(),
        record.cells.into(),
        record.signature.as_str().into(),
        record.class.as_str().into(),
        record.order.into(),
        record.parity.into(),
        record.verdict.as_deref().into(),
        record.reason.as_deref().into(),
        record.raw.into(),
        record.rotation.into(),
        record.unique.into(),
        record.nodes.into(),
        record.micros.into(),
        record.engine.as_deref().into(),
    ]
}

/// The columns of an exported catalog: those of a record, all names, and the piece set.
#[must_use]
pub fn called_columns() -> Vec<&'static str> {
    Record::COLUMNS.into_iter().chain(["names", "set"]).collect()
}

/// The values under [`called_columns`]. Timings differ from run to run, so they are left empty
/// unless asked for.
#[must_use]
pub fn called_fields(called: &Called, timings: bool) -> Vec<Field<'_>> {
    let mut fields = record_fields(&called.record).to_vec();
    if !timings {
        fields[Record::MICROS] = Field::Empty;
    }
    fields.push(called.names.join("; ").into());
    fields.push(called.set.as_deref().into());
    fields
}
