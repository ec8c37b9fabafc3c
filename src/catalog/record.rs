//! One row of the public face: a figure, a piece set and what is known about them.

use super::StructureNumbers;
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::outcome::Report;
use somacat_geometry::symmetry::Class;

/// The columns of `count` and, with names and set behind them, of exports and of the view `figures`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first name the figure was given, or file and line.
    pub name: Option<String>,
    /// The number of cells.
    pub cells: usize,
    /// The canonical form.
    pub signature: Signature,
    /// The symmetry class.
    pub class: Class,
    /// |black − white| of the checkered figure.
    pub parity: u32,
    /// What counting came to; none if the figure was never counted.
    pub report: Option<Report>,
    /// Wall-clock microseconds of the count; differs from run to run.
    pub micros: Option<u64>,
}

/// A record of the catalog with all names of its figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The columns.
    pub record: Record,
    /// All names, in the order they became known.
    pub names: Vec<String>,
    /// The piece set, if there is an outcome.
    pub set: Option<String>,
    /// The extents of the figure's box, ascending: `3x3x4`.
    pub bounds: String,
    /// The number of separate parts.
    pub parts: usize,
    /// What was found out about its packings, where a plan asked for it.
    pub structure: StructureNumbers,
}

impl Record {
    /// The record of a figure that was counted just now.
    #[must_use]
    pub fn new(
        name: Option<String>,
        columns: &Columns,
        report: Option<Report>,
        micros: Option<u64>,
    ) -> Self {
        Self {
            name,
            cells: columns.cells,
            signature: columns.signature.clone(),
            class: columns.class,
            parity: columns.parity,
            report,
            micros,
        }
    }
}
