//! Values of a row.

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
            // Its digits are not exact: written in full, it would look like a count.
            Self::Real(x) if x.abs() >= 1e15 => Cow::Owned(format!("{x:e}")),
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
