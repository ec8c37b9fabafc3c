//! Sources: the files and streams that names come from.

use super::{Catalog, CatalogError, Session, SourceId};
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

impl Session {
    /// Returns the id of a source, adding it if it is new. `place` is the file's absolute path on this machine. One
    /// file is one source, however its path is written. Another file with the same label becomes a separate source,
    /// `label (2)`, so neither replaces the other's names.
    pub fn source(&mut self, label: &str, place: Option<&Path>) -> Result<SourceId, CatalogError> {
        let path = place.map(|path| path.to_string_lossy().into_owned());
        self.catalog.write("keep a source", |transaction| match &path {
            None => id_of_label(transaction, label),
            Some(path) => {
                let id = source_of_file(transaction, label, path)?;
                transaction
                    .execute("INSERT OR REPLACE INTO place VALUES (?, ?)", params![id, path])?;
                Ok(id)
            }
        })
    }

    /// Adds a source with an unused label: `label 1`, `label 2`, …. Standard input uses this.
    pub fn unused_source(&mut self, label: &str) -> Result<SourceId, CatalogError> {
        self.catalog.write("keep a source", |transaction| {
            unused(transaction, (1_u64..).map(|number| format!("{label} {number}")))
        })
    }
}

fn source_of_file(transaction: &Connection, label: &str, path: &str) -> rusqlite::Result<SourceId> {
    let of_path = "SELECT source_id FROM place WHERE path = ? ORDER BY source_id LIMIT 1";
    let known = transaction.query_row(of_path, [path], |row| row.get(0)).optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    let of_label = "SELECT p.path FROM source s LEFT JOIN place p ON p.source_id = s.id
                    WHERE s.label = ?";
    let place: Option<Option<String>> =
        transaction.query_row(of_label, [label], |row| row.get(0)).optional()?;
    // A file that is missing from its old place was moved.
    if place.flatten().is_some_and(|place| Path::new(&place).exists()) {
        return unused(transaction, (2_u64..).map(|number| format!("{label} ({number})")));
    }
    id_of_label(transaction, label)
}

pub(super) fn id_of_label(transaction: &Connection, label: &str) -> rusqlite::Result<SourceId> {
    transaction.execute("INSERT OR IGNORE INTO source (label) VALUES (?)", [label])?;
    transaction.query_row("SELECT id FROM source WHERE label = ?", [label], |row| row.get(0))
}

/// Adds a source under the first unused label.
fn unused(
    transaction: &Connection,
    labels: impl Iterator<Item = String>,
) -> rusqlite::Result<SourceId> {
    for label in labels {
        let sql = "INSERT OR IGNORE INTO source (label) VALUES (?)";
        if transaction.execute(sql, [&label])? > 0 {
            return Ok(SourceId(transaction.last_insert_rowid()));
        }
    }
    unreachable!("the labels are endless")
}

impl Catalog {
    /// Returns the labels of all sources, in the order of import.
    pub fn sources(&self) -> Result<Vec<String>, CatalogError> {
        self.rows("read sources", "SELECT label FROM source ORDER BY id", [], |row| row.get(0))
    }
}
