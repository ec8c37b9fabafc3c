//! Values of a catalog that a verification contradicts.

use crate::outcome::{Counts, Outcome, Reason};
use crate::symmetry::Class;

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
