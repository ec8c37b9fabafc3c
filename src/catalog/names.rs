//! Where a figure's names come from.

use super::{Catalog, CatalogError};

/// One entry of a source that is a certain figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameEntry {
    /// The name it has there, or file and line.
    pub name: String,
    /// The source: the file as it was named.
    pub source: String,
    /// Line of the source, from 1.
    pub line: u64,
    /// The comment that goes with it.
    pub title: Option<String>,
}

impl Catalog {
    /// The entries under which a figure is known, in the order they became known; empty for an
    /// enumerated figure. Further solutions under one header are left out.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn name_entries(&self, signature: &str) -> Result<Vec<NameEntry>, CatalogError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT COALESCE(n.label, s.label || ':' || n.line), s.label, n.line, n.title
             FROM figure f JOIN name n ON n.figure_id = f.id JOIN source s ON s.id = n.source_id
             WHERE f.signature = ? ORDER BY n.source_id, n.ordinal",
        )?;
        let rows = statement.query_map([signature], |row| {
            Ok(NameEntry {
                name: row.get(0)?,
                source: row.get(1)?,
                line: row.get(2)?,
                title: row.get(3)?,
            })
        })?;
        let mut entries: Vec<NameEntry> = Vec::new();
        for row in rows {
            let entry = row?;
            let same = |known: &NameEntry| known.name == entry.name && known.source == entry.source;
            if !entries.iter().any(same) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }
}
