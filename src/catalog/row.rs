//! A row of the public view: a figure, a piece set, and the results.

use super::{StoredProof, StructureNumbers};
use somacat_geometry::figure::Columns;
use somacat_geometry::outcome::{ProofKind, Report};
use somacat_rows::FigureRow;
use std::sync::Arc;

/// A figure of the catalog with all its names, and the results for one set.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The figure in its canonical position.
    pub figure: Columns,
    /// All names, in the order of import: names, or file and line.
    pub names: Vec<String>,
    /// The piece set, if there is an outcome.
    pub set: Option<Arc<str>>,
    /// The result of counting; `None` if the figure was never counted.
    pub report: Option<Report>,
    /// Wall-clock microseconds of the count; differs from run to run.
    pub micros: Option<u64>,
    /// Results about its packings, if a plan requested them.
    pub structure: StructureNumbers,
    /// The kind of the proof that it has no packing: that of a stored short proof, else the reason.
    pub proof: Option<ProofKind>,
    /// The stored proof, if the filter requests proofs.
    pub stored_proof: Option<StoredProof>,
}

impl Row {
    /// Returns the figure's first name.
    pub fn name(&self) -> Option<&str> {
        self.names.first().map(String::as_str)
    }
}

impl<'a> From<&'a Row> for FigureRow<'a> {
    fn from(row: &'a Row) -> Self {
        let Row { figure, names, set, report, micros, .. } = row;
        let (set, report) = (set.as_deref(), report.as_ref());
        Self { name: row.name(), names, figure, set, report, micros: *micros }
    }
}
