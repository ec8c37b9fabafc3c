//! What figures are called, and where they came from.

use super::{Catalog, CatalogError};
use crate::figure::Signature;
use rusqlite::params;

/// Where a figure of the catalog was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as it was named.
    pub source: String,
    /// The number of the entry in it, counted from 1; entries that were refused count too.
    pub number: u64,
    /// The line, counted from 1.
    pub line: u64,
    /// The name it has there.
    pub name: Option<String>,
    /// The comment that serves as a title.
    pub title: Option<String>,
}

impl Origin {
    /// The name it has there, or file and line.
    #[must_use]
    pub fn called(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}:{}", self.source, self.line))
    }
}

impl Catalog {
    /// Shows every name to `visit`, each once.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn each_name(&self, mut visit: impl FnMut(&str)) -> Result<(), CatalogError> {
        let sql = "SELECT DISTINCT label FROM name WHERE label IS NOT NULL";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(row.get_ref(0)?.as_str().unwrap_or_default());
        }
        Ok(())
    }

    /// All entries that are this figure, in the order they became known; at most `most`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn origins(&self, figure: &Signature, most: usize) -> Result<Vec<Origin>, CatalogError> {
        let sql = "SELECT s.label, n.ordinal, n.line, n.label, n.title FROM figure f
                   JOIN name n ON n.figure_id = f.id JOIN source s ON s.id = n.source_id
                   WHERE f.signature = ? ORDER BY n.source_id, n.ordinal LIMIT ?";
        let mut statement = self.connection.prepare(sql)?;
        let origins = statement.query_map(params![figure.as_str(), most as u64], |row| {
            Ok(Origin {
                source: row.get(0)?,
                number: row.get::<_, u64>(1)? + 1,
                line: row.get(2)?,
                name: row.get(3)?,
                title: row.get(4)?,
            })
        })?;
        Ok(origins.collect::<rusqlite::Result<_>>()?)
    }
    /// The enumerations that list a figure, in words.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumerations_of(&self, figure: &Signature) -> Result<Vec<String>, CatalogError> {
        let sql = "SELECT label FROM enumeration WHERE id IN (
                       SELECT enumeration_id FROM enumerated
                       WHERE enumeration_id IN (SELECT id FROM enumeration)
                         AND figure_id = (SELECT id FROM figure WHERE signature = ?)
                   ) ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        let labels = statement.query_map([figure.as_str()], |row| row.get(0))?;
        Ok(labels.collect::<rusqlite::Result<_>>()?)
    }
}
