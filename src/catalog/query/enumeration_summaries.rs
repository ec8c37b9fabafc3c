//! The contents of a catalog: sources, enumerations and censuses.

use super::super::codes::{Code, keep};
use super::super::{Catalog, CatalogError};
use somacat_counting::question::Keep;
use somacat_geometry::outcome::{Reason, Verdict};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumerationSummary {
    pub question: String,
    pub label: String,
    pub set: String,
    pub keep: Keep,
    /// The node limit for each figure; 0 for none. It is also 0 if all figures are kept.
    pub limit: u64,
    pub complete: bool,
    /// Figures so far, kept or not.
    pub figures: u64,
    /// Figures so far that parity rules out.
    pub parity_blocked: u64,
    /// Figures so far with a packing.
    pub buildable: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceSummary {
    pub label: String,
    pub names: u64,
}

impl Catalog {
    /// Returns enumerations and censuses, ordered by label.
    pub fn enumeration_summaries(&self) -> Result<Vec<EnumerationSummary>, CatalogError> {
        let sum = |condition: String| {
            format!(
                "(SELECT COALESCE(sum(t.figures), 0) FROM enumeration_total t WHERE t.enumeration_id = e.id{condition})"
            )
        };
        let sql = format!(
            "SELECT e.question, e.label, p.name, e.keep, e.limited, e.complete, {}, {}, {}
             FROM enumeration e JOIN piece_set p ON p.id = e.set_id
             ORDER BY e.label, p.name, e.question, e.keep, e.limited",
            sum(String::new()),
            sum(format!(" AND t.reason_id = {}", Reason::Parity.code())),
            sum(format!(
                " AND t.verdict_id IN ({}, {})",
                Verdict::Counted.code(),
                Verdict::AtLeast.code()
            ))
        );
        self.rows("list its enumerations", &sql, [], |row| {
            Ok(EnumerationSummary {
                question: row.get(0)?,
                label: row.get(1)?,
                set: row.get(2)?,
                keep: keep(row, 3)?,
                limit: row.get(4)?,
                complete: row.get(5)?,
                figures: row.get(6)?,
                parity_blocked: row.get(7)?,
                buildable: row.get(8)?,
            })
        })
    }

    /// Returns the sources with their numbers of names, in the order of import.
    pub fn source_summaries(&self) -> Result<Vec<SourceSummary>, CatalogError> {
        let sql = "SELECT s.label, (SELECT count(*) FROM name n WHERE n.source_id = s.id) FROM source s ORDER BY s.id";
        self.rows("list its sources", sql, [], |row| {
            Ok(SourceSummary { label: row.get(0)?, names: row.get(1)? })
        })
    }
}
