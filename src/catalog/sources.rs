//! Sources: the files and streams that names come from.

use super::{Catalog, CatalogError, Session, SourceId};
use rusqlite::{OptionalExtension, Transaction, params};
use std::path::Path;

impl Session {
    /// The number of a source and the label it has; it is added if it is new. `place` is the absolute path of a
    /// file on this machine: one file is one source, however its path was written, and another file that goes by
    /// the same label becomes a source of its own, under its path, so that neither takes the other's names away.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn source(
        &mut self,
        label: &str,
        place: Option<&Path>,
    ) -> Result<(SourceId, String), CatalogError> {
        let path = place.map(|path| path.to_string_lossy().into_owned());
        self.catalog.write("keep a source", |transaction| match &path {
            None => Ok((id_of_label(transaction, label)?, label.to_owned())),
            Some(path) => {
                let (id, label) = source_of_file(transaction, label, path)?;
                transaction
                    .execute("INSERT OR REPLACE INTO place VALUES (?, ?)", params![id, path])?;
                Ok((id, label))
            }
        })
    }

    /// A source that no later one is taken for, such as what came from standard input: `label 1`,
    /// `label 2`, ….
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn unused_source(&mut self, label: &str) -> Result<(SourceId, String), CatalogError> {
        self.catalog.write("keep a source", |transaction| unused(transaction, label))
    }
}

/// The source of a file.
fn source_of_file(
    transaction: &Transaction<'_>,
    label: &str,
    path: &str,
) -> rusqlite::Result<(SourceId, String)> {
    let of_path = "SELECT s.id, s.label FROM place p JOIN source s ON s.id = p.source_id
                   WHERE p.path = ? ORDER BY s.id LIMIT 1";
    let known =
        transaction.query_row(of_path, [path], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    for label in [label, path] {
        let of_label = "SELECT p.path FROM source s LEFT JOIN place p ON p.source_id = s.id
                        WHERE s.label = ?";
        let place: Option<Option<String>> =
            transaction.query_row(of_label, [label], |row| row.get(0)).optional()?;
        // A file that is gone from its old place was moved.
        if !place.flatten().is_some_and(|place| Path::new(&place).exists()) {
            return Ok((id_of_label(transaction, label)?, label.to_owned()));
        }
    }
    unused(transaction, label)
}

fn id_of_label(transaction: &Transaction<'_>, label: &str) -> rusqlite::Result<SourceId> {
    transaction.execute("INSERT OR IGNORE INTO source (label) VALUES (?)", [label])?;
    transaction.query_row("SELECT id FROM source WHERE label = ?", [label], |row| row.get(0))
}

fn unused(transaction: &Transaction<'_>, label: &str) -> rusqlite::Result<(SourceId, String)> {
    let mut number = 1_u64;
    loop {
        let label = format!("{label} {number}");
        let sql = "INSERT OR IGNORE INTO source (label) VALUES (?)";
        if transaction.execute(sql, [&label])? > 0 {
            return Ok((SourceId(transaction.last_insert_rowid()), label));
        }
        number += 1;
    }
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
