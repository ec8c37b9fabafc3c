//! Sources: the files and streams that names come from.

use super::{Catalog, CatalogError, Session, SourceId};
use rusqlite::{OptionalExtension, Transaction, params};
use std::path::Path;

impl Session {
    /// The number of a source, which is added if it is new. `place` is the absolute path of a file on this machine:
    /// one file is one source, however its path was written, and another file that goes by the same label becomes a
    /// source of its own, `label (2)`, so that neither takes the other's names away.
    ///
    /// # Errors
    /// If SQLite fails.
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

    /// A source that no later one is taken for, such as what came from standard input: `label 1`,
    /// `label 2`, ….
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn unused_source(&mut self, label: &str) -> Result<SourceId, CatalogError> {
        self.catalog.write("keep a source", |transaction| {
            unused(transaction, (1_u64..).map(|number| format!("{label} {number}")))
        })
    }
}

/// The source of a file.
fn source_of_file(
    transaction: &Transaction<'_>,
    label: &str,
    path: &str,
) -> rusqlite::Result<SourceId> {
    let of_path = "SELECT source_id FROM place WHERE path = ? ORDER BY source_id LIMIT 1";
    let known = transaction.query_row(of_path, [path], |row| row.get(0)).optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    let of_label = "SELECT p.path FROM source s LEFT JOIN place p ON p.source_id = s.id
                    WHERE s.label = ?";
    let place: Option<Option<String>> =
        transaction.query_row(of_label, [label], |row| row.get(0)).optional()?;
    // A file that is gone from its old place was moved.
    if place.flatten().is_some_and(|place| Path::new(&place).exists()) {
        return unused(transaction, (2_u64..).map(|number| format!("{label} ({number})")));
    }
    id_of_label(transaction, label)
}

fn id_of_label(transaction: &Transaction<'_>, label: &str) -> rusqlite::Result<SourceId> {
    transaction.execute("INSERT OR IGNORE INTO source (label) VALUES (?)", [label])?;
    transaction.query_row("SELECT id FROM source WHERE label = ?", [label], |row| row.get(0))
}

/// A new source under the first of these labels that none has.
fn unused(
    transaction: &Transaction<'_>,
    labels: impl Iterator<Item = String>,
) -> rusqlite::Result<SourceId> {
    for label in labels {
        let sql = "INSERT OR IGNORE INTO source (label) VALUES (?)";
        if transaction.execute(sql, [&label])? > 0 {
            return Ok(SourceId(transaction.last_insert_rowid()));
        }
    }
    unreachable!("the labels do not come to an end")
}

impl Catalog {
    /// The labels of all sources, in the order in which they became known.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn sources(&self) -> Result<Vec<String>, CatalogError> {
        self.read("read sources", |connection| {
            let mut statement = connection.prepare("SELECT label FROM source ORDER BY id")?;
            let labels = statement.query_map([], |row| row.get(0))?;
            labels.collect()
        })
    }
}
