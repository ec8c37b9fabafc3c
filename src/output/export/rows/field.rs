//! Values of a row, and the conversion of records to rows.

use somacat_catalog::{Record, Row};
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::spelling::Spelling;
use std::borrow::Cow;

#[derive(Clone, PartialEq, Debug)]
pub enum Field<'a> {
    /// An unknown value.
    Empty,
    Text(Cow<'a, str>),
    /// A count or another number from 0 up. JSON writes it without quotes.
    Number(u128),
    /// A number that may be negative.
    Integer(i64),
    Real(f64),
}

impl Field<'_> {
    /// Returns the value as plain text, empty if unknown.
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Empty => Cow::Borrowed(""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(n) => Cow::Owned(n.to_string()),
            Self::Integer(n) => Cow::Owned(n.to_string()),
            Self::Real(x) => Cow::Owned(x.to_string()),
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

pub const RECORD_COLUMNS: [&str; 14] = [
    "name",
    "cells",
    "signature",
    "class",
    "order",
    "parity",
    "verdict",
    "reason",
    "raw",
    "rotation",
    "unique",
    "nodes",
    "micros",
    "engine",
];

/// Returns a record's values in the order of [`RECORD_COLUMNS`].
pub fn record_fields(record: &Record) -> [Field<'_>; 14] {
    let report = record.report.as_ref();
    let outcome = report.map(|report| &report.outcome);
    [
        record.name.as_deref().into(),
        record.cells.into(),
        record.signature.as_str().into(),
        record.class.name().into(),
        record.class.order().into(),
        record.parity.into(),
        outcome.map(|outcome| outcome.verdict().word()).into(),
        outcome.and_then(explanation).into(),
        outcome.and_then(Outcome::raw).into(),
        outcome.and_then(Outcome::rotation).into(),
        outcome.and_then(Outcome::unique).into(),
        report.and_then(|report: &Report| report.nodes).into(),
        record.micros.into(),
        report.and_then(|report| report.engine).map(Spelling::word).into(),
    ]
}

/// Returns the column `reason`: the reason for having no packing, or for a failed count.
pub fn explanation(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Unsolvable(reason) => Some(reason.word()),
        Outcome::Failed(error) => Some(error),
        Outcome::Counted(_) | Outcome::AtLeast(_) | Outcome::Unknown => None,
    }
}

/// Returns the columns of an exported catalog: those of a record, all names, and the piece set.
pub fn row_columns() -> Vec<&'static str> {
    RECORD_COLUMNS.into_iter().chain(["names", "set"]).collect()
}

pub fn row_fields(row: &Row) -> Vec<Field<'_>> {
    let names = match &row.names[..] {
        [name] => name.as_str().into(),
        names => names.join("; ").into(),
    };
    record_fields(&row.record).into_iter().chain([names, row.set.as_deref().into()]).collect()
}
