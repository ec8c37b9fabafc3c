//! The contents of a catalog: sources, enumerations and censuses.

use super::super::{Catalog, CatalogError, Keep};

/// An enumeration or a census.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumerationSummary {
    /// The question key.
    pub question: String,
    /// The question in words.
    pub label: String,
    /// The name of the set used for counting.
    pub set: String,
    pub keep: Keep,
    /// The node limit for each figure, where not all are kept; 0 for none.
    pub limit: u64,
    pub complete: bool,
    /// Figures so far, kept or not.
    pub figures: u64,
}

impl Catalog {
    /// Returns enumerations and censuses, ordered by label.
    pub fn enumeration_summaries(&self) -> Result<Vec<EnumerationSummary>, CatalogError> {
        let sql = "SELECT e.question, e.label, p.name, e.keep, e.limited, e.complete,
                       (SELECT COALESCE(sum(t.figures), 0) FROM enumeration_total t WHERE t.enumeration_id = e.id)
                   FROM enumeration e JOIN piece_set p ON p.id = e.set_id
                   ORDER BY e.label, p.name, e.question, e.keep, e.limited";
        self.rows("list its enumerations", sql, [], |row| {
            let keep: String = row.get(3)?;
            let keeps = [Keep::All, Keep::Buildable, Keep::Totals];
            Ok(EnumerationSummary {
                question: row.get(0)?,
                label: row.get(1)?,
                set: row.get(2)?,
                // The schema allows no other word.
                keep: keeps.into_iter().find(|known| known.word() == keep).unwrap_or_default(),
                limit: row.get(4)?,
                complete: row.get(5)?,
                figures: row.get(6)?,
            })
        })
    }

    /// Returns the labels of the sources with their numbers of names. The order is that of import.
    pub fn source_labels(&self) -> Result<Vec<(String, u64)>, CatalogError> {
        let sql = "SELECT label, (SELECT count(*) FROM name n WHERE n.source_id = s.id) FROM source s ORDER BY id";
        self.rows("list its sources", sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}
