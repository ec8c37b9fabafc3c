//! A row of the public view: a figure, a piece set, and the results.

use super::{StoredProof, StructureNumbers};
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::outcome::{ProofKind, Report};
use somacat_geometry::symmetry::Class;
use somacat_rows::FigureRow;
use std::sync::Arc;

/// The columns of `count`. Exports and the view `figures` add names and set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The figure's first name, or file and line.
    pub name: Option<String>,
    pub cells: usize,
    pub signature: Signature,
    pub class: Class,
    /// |black − white| of the checkered figure.
    pub parity: u32,
    /// The result of counting; `None` if the figure was never counted.
    pub report: Option<Report>,
    /// Wall-clock microseconds of the count; differs from run to run.
    pub micros: Option<u64>,
}

/// A record of the catalog with all names of its figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub record: Record,
    /// All names, in the order of import.
    pub names: Vec<String>,
    /// The piece set, if there is an outcome.
    pub set: Option<Arc<str>>,
    /// The extents of the figure's box, ascending: `3x3x4`.
    pub bounds: Arc<str>,
    pub parts: usize,
    /// Results about its packings, if a plan requested them.
    pub structure: StructureNumbers,
    /// The kind of the proof that it has no packing: that of a stored short proof, else the reason.
    pub proof: Option<ProofKind>,
    /// The stored proof, if the filter requests proofs.
    pub stored_proof: Option<StoredProof>,
}

impl Record {
    /// Creates the record of a figure that was just counted.
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

impl<'a> From<&'a Record> for FigureRow<'a> {
    fn from(record: &'a Record) -> Self {
        Self {
            name: record.name.as_deref(),
            names: &[],
            signature: &record.signature,
            cells: record.cells,
            class: record.class,
            parity: record.parity,
            parts: None,
            set: None,
            report: record.report.as_ref(),
            micros: record.micros,
        }
    }
}

impl<'a> From<&'a Row> for FigureRow<'a> {
    fn from(row: &'a Row) -> Self {
        let (names, parts) = (row.names.as_slice(), Some(row.parts));
        Self { names, parts, set: row.set.as_deref(), ..Self::from(&row.record) }
    }
}
