//! Values of a catalog that a verification contradicts.

use crate::export::{Field, Spelling};
use crate::outcome::{Counts, Outcome, Reason};
use crate::symmetry::Class;
use crate::verify::PRIMES;

/// A value of the catalog that a second derivation contradicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The figure; empty for an enumeration.
    pub signature: String,
    pub value: MismatchValue,
}

/// A value that differs: first as in the catalog, then as derived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MismatchValue {
    /// The row contradicts itself.
    Row(String),
    /// The signature does not spell a figure.
    Signature(String),
    /// The number of cells.
    Cells(usize, usize),
    Class(&'static str, &'static str),
    Parity(u32, u32),
    /// The extents of the bounding box.
    Bounds(String, String),
    /// The number of separate parts.
    Parts(usize, usize),
    /// The piece set is not defined.
    Set(String),
    /// Why there is no packing.
    Reason(Reason, Reason),
    /// The outcome of the catalog, and the derived counts.
    Outcome(Outcome, Counts),
    /// All packings, and the remainders of another number by [`crate::verify::PRIMES`].
    Modulo(u128, [u64; 2]),
    /// Figures of a class in an enumeration: its totals and a second count.
    Figures {
        enumeration: String,
        class: Class,
        total: i64,
        found: u128,
    },
    /// Figures of a class in an enumeration: its totals and the figures that it keeps.
    Kept {
        enumeration: String,
        class: Class,
        total: i64,
        kept: i64,
    },
    /// Figures in an enumeration that its question excludes.
    Foreign {
        enumeration: String,
        figures: i64,
    },
}

impl MismatchValue {
    /// Returns a mismatch as rows: the column, the value in the catalog, and the value found.
    pub fn differences(&self) -> Vec<[Field<'_>; 3]> {
        match self {
            Self::Row(problem) => one("row", Field::Empty, problem.as_str().into()),
            Self::Signature(problem) => one("signature", Field::Empty, problem.as_str().into()),
            Self::Cells(is, should) => one("cells", (*is).into(), (*should).into()),
            Self::Class(is, should) => one("class", (*is).into(), (*should).into()),
            Self::Parity(is, should) => one("parity", (*is).into(), (*should).into()),
            Self::Bounds(is, should) => one("box", is.as_str().into(), should.as_str().into()),
            Self::Parts(is, should) => one("parts", (*is).into(), (*should).into()),
            Self::Set(name) => one("set", name.as_str().into(), "not defined".into()),
            Self::Reason(is, should) => one("reason", is.word().into(), should.word().into()),
            Self::Modulo(raw, rests) => {
                let rests: Vec<String> = rests
                    .iter()
                    .zip(PRIMES)
                    .map(|(rest, prime)| format!("{rest} modulo {prime}"))
                    .collect();
                one("raw", (*raw).into(), rests.join(", ").into())
            }
            Self::Figures { enumeration, class, total, found } => {
                let what = format!("figures of class {class}: {enumeration}");
                vec![[what.into(), total.to_string().into(), (*found).into()]]
            }
            Self::Kept { enumeration, class, total, kept } => {
                let what = format!("figures kept of class {class}: {enumeration}");
                vec![[what.into(), total.to_string().into(), kept.to_string().into()]]
            }
            Self::Foreign { enumeration, figures } => {
                let what = format!("figures: {enumeration}");
                vec![[what.into(), figures.to_string().into(), "not asked for".into()]]
            }
            Self::Outcome(Outcome::AtLeast(least), counts) => {
                one("raw", format!("at least {least}").into(), counts.raw.into())
            }
            Self::Outcome(outcome, Counts { raw, rotation, unique }) => {
                let pairs = [
                    ("raw", outcome.raw(), *raw),
                    ("rotation", outcome.rotation(), *rotation),
                    ("unique", outcome.unique(), *unique),
                ];
                let differ = pairs.into_iter().filter(|(_, is, should)| *is != Some(*should));
                differ.map(|(what, is, should)| [what.into(), is.into(), should.into()]).collect()
            }
        }
    }
}

fn one<'a>(what: &'static str, catalog: Field<'a>, found: Field<'a>) -> Vec<[Field<'a>; 3]> {
    vec![[what.into(), catalog, found]]
}
