//! Manual edits: renaming and removing sources and figures.

use super::checksum::{FAULTS, NAMES};
use super::open::collect_rows;
use super::{Catalog, CatalogError, FigureId, Session, SourceId};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use somacat_geometry::figure::Signature;

/// An error of an edit. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("the catalog has no source {label}; its sources are: {}", .sources.join(", "))]
    NoSource {
        label: String,
        /// The existing labels.
        sources: Vec<String>,
    },
    #[error("the catalog already has a source {0}; choose another label")]
    SourceExists(String),
    #[error("no figure in the catalog has the name or signature {0}")]
    NoFigure(String),
    #[error("{name} is the name of several figures; give the signature of one: {}", .signatures.join(", "))]
    SeveralFigures { name: String, signatures: Vec<String> },
    #[error(
        "{name} belongs to the enumeration \"{enumeration}\", which would be incomplete without it"
    )]
    Enumerated {
        name: String,
        /// Its label.
        enumeration: String,
    },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// The numbers of removed entries and figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// Entries of sources, with their names.
    pub entries: u64,
    /// Figures, with their outcomes.
    pub figures: u64,
}

impl Session {
    /// Changes the label of a source.
    ///
    /// # Errors
    /// If the source does not exist, or the label is taken.
    pub fn rename_source(&mut self, label: &str, new: &str) -> Result<(), EditError> {
        let source = self.catalog.source_called(label)?;
        let changed = self.catalog.write("rename a source", |transaction| {
            let sql = "UPDATE OR IGNORE source SET label = ? WHERE id = ?";
            let changed = transaction.execute(sql, params![new, source])?;
            NAMES.renew(transaction, "source_id = ?", [source])?;
            FAULTS.renew(transaction, "source_id = ?", [source])?;
            Ok(changed)
        })?;
        if changed == 0 { Err(EditError::SourceExists(new.to_owned())) } else { Ok(()) }
    }

    /// Removes a source with its names. Also removes figures that belong to no other source or enumeration.
    ///
    /// # Errors
    /// If the source does not exist.
    pub fn remove_source(&mut self, label: &str) -> Result<Removal, EditError> {
        let source = self.catalog.source_called(label)?;
        let removal = self.catalog.write("remove a source", |transaction| {
            let sql = "SELECT DISTINCT n.figure_id FROM name n WHERE n.source_id = ?1
                 AND NOT EXISTS (SELECT 1 FROM name o
                    WHERE o.figure_id = n.figure_id AND o.source_id <> ?1)
                 AND NOT EXISTS (SELECT 1 FROM enumerated e WHERE e.figure_id = n.figure_id)";
            let figures: Vec<FigureId> =
                collect_rows(transaction, sql, [source], |row| row.get(0))?;
            let sql = "SELECT count(DISTINCT ordinal) FROM name WHERE source_id = ?";
            let entries = transaction.query_row(sql, [source], |row| row.get(0))?;
            for table in ["name", "fault", "place"] {
                let sql = format!("DELETE FROM {table} WHERE source_id = ?");
                transaction.execute(&sql, [source])?;
            }
            transaction.execute("DELETE FROM source WHERE id = ?", [source])?;
            remove_figures(transaction, &figures)?;
            Ok(Removal { entries, figures: figures.len() as u64 })
        })?;
        Ok(removal)
    }

    /// Renames a figure in every entry that has the old name. Returns the number of entries.
    ///
    /// # Errors
    /// If no figure has the name, or several have it.
    pub fn rename_figure(&mut self, name: &str, new: &str) -> Result<u64, EditError> {
        let figures = self.catalog.figures_called(name)?;
        let entries = self.catalog.write("rename a figure", |transaction| {
            let mut statement = transaction.prepare(
                "UPDATE name SET label = ?1 WHERE figure_id = ?2 AND (label = ?3 COLLATE NOCASE
                 OR EXISTS (SELECT 1 FROM figure f WHERE f.id = ?2 AND f.signature = ?3))",
            )?;
            figures.iter().try_fold(0, |entries, figure| {
                let renamed = statement.execute(params![new, figure, name])?;
                NAMES.renew(transaction, "figure_id = ?", [figure])?;
                Ok(entries + renamed as u64)
            })
        })?;
        if entries == 0 { Err(EditError::NoFigure(name.to_owned())) } else { Ok(entries) }
    }

    /// Removes a figure with its names and outcomes.
    ///
    /// # Errors
    /// If no figure has the name, several have it, or it belongs to an enumeration.
    pub fn remove_figure(&mut self, name: &str) -> Result<Removal, EditError> {
        let figures = self.catalog.figures_called(name)?;
        let enumeration = self.catalog.read("look up enumerations", |connection| {
            let mut statement = connection.prepare(
                "SELECT e.label FROM enumerated x JOIN enumeration e ON e.id = x.enumeration_id
                 WHERE x.figure_id = ?",
            )?;
            figures
                .iter()
                .find_map(|id| statement.query_row([id], |row| row.get(0)).optional().transpose())
                .transpose()
        })?;
        if let Some(enumeration) = enumeration {
            return Err(EditError::Enumerated { name: name.to_owned(), enumeration });
        }
        let removal = self.catalog.write("remove a figure", |transaction| {
            let mut removal = Removal { entries: 0, figures: figures.len() as u64 };
            for figure in &figures {
                let sql = "DELETE FROM name WHERE figure_id = ?";
                removal.entries += transaction.execute(sql, [figure])? as u64;
            }
            remove_figures(transaction, &figures)?;
            Ok(removal)
        })?;
        Ok(removal)
    }
}

impl Catalog {
    fn source_called(&self, label: &str) -> Result<SourceId, EditError> {
        let source = self.read("look up a source", |connection| {
            let sql = "SELECT id FROM source WHERE label = ?";
            connection.query_row(sql, [label], |row| row.get(0)).optional()
        })?;
        match source {
            Some(source) => Ok(source),
            None => Err(EditError::NoSource { label: label.to_owned(), sources: self.sources()? }),
        }
    }

    /// Finds the figure of a signature or name: one row, or two for up to reflection and up to rotation.
    fn figures_called(&self, name: &str) -> Result<Vec<FigureId>, EditError> {
        let figures =
            self.read("look up a figure", |connection| figures_called(connection, name))?;
        // An entry imported with both kinds of sets, closed under reflection and not, is one figure with two rows.
        let several = |kind: &str| figures.iter().filter(|(_, s)| s.starts_with(kind)).count() > 1;
        if figures.is_empty() {
            return Err(EditError::NoFigure(name.to_owned()));
        }
        if several("s") || several("r") {
            let signatures = figures.into_iter().map(|(_, signature)| signature).collect();
            return Err(EditError::SeveralFigures { name: name.to_owned(), signatures });
        }
        Ok(figures.into_iter().map(|(id, _)| id).collect())
    }
}

fn figures_called(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<Vec<(FigureId, String)>> {
    let sql = match name.parse::<Signature>() {
        Ok(_) => "SELECT id, signature FROM figure WHERE signature = ?",
        Err(_) => {
            "SELECT DISTINCT f.id, f.signature FROM name n JOIN figure f ON f.id = n.figure_id
             WHERE n.label = ? COLLATE NOCASE ORDER BY f.signature"
        }
    };
    collect_rows(connection, sql, [name], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn remove_figures(transaction: &Transaction<'_>, figures: &[FigureId]) -> rusqlite::Result<()> {
    for (table, key) in [
        ("outcome", "figure_id"),
        ("timing", "figure_id"),
        ("published_count", "figure_id"),
        ("structure", "figure_id"),
        ("figure", "id"),
    ] {
        let mut statement = transaction.prepare(&format!("DELETE FROM {table} WHERE {key} = ?"))?;
        for figure in figures {
            statement.execute([figure])?;
        }
    }
    Ok(())
}
