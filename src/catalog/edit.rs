//! Manual edits: renaming and removing sources and figures.
//!
//! A lookup on a read-only catalog comes first, so that a mistyped name changes nothing, not even the list of runs.

use super::checksum::{FAULTS, NAMES};
use super::collect::collect_rows;
use super::query::is_label;
use super::sources::id_of_label;
use super::{Catalog, CatalogError, FigureId, NamePattern, Session, SourceId};
use rusqlite::{Connection, OptionalExtension, Row, params};
use somacat_formats::unnamed_label;
use somacat_geometry::figure::Signature;
use std::collections::{BTreeSet, HashMap};

/// The source of names given to figures that had none.
const SOURCE_OF_RENAMED: &str = "catalog rename";

#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("the catalog has no source {label}; its sources are: {}", .sources.join(", "))]
    NoSource { label: String, sources: Vec<String> },
    #[error("the catalog already has a source {0}; choose another label")]
    SourceExists(String),
    #[error("no figure in the catalog has the name or signature {0}")]
    NoFigure(String),
    #[error("{name} is the name of several figures; give the signature of one: {}", .signatures.join(", "))]
    SeveralFigures { name: String, signatures: Vec<String> },
    #[error("{0} is the number or the signature of another figure; choose another name")]
    NameOfAnother(String),
    #[error("{0} has no name yet, so a title or a credit needs a name too")]
    NoName(String),
    #[error(
        "{name} belongs to the enumeration \"{enumeration}\", which would be incomplete without it"
    )]
    Enumerated { name: String, enumeration: String },
    #[error("{list}: lines {first} and {second} both change {name}; keep one")]
    Repeated { list: String, first: u64, second: u64, name: String },
    #[error("{list}: line {line}: {error}")]
    Listed { list: String, line: u64, error: Box<EditError> },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl EditError {
    /// Returns true if a figure or a source is not there.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::NoFigure(_) | Self::NoSource { .. } => true,
            Self::Listed { error, .. } => error.is_missing(),
            _ => false,
        }
    }
}

/// The numbers of removed entries and figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// Entries of sources, with their names.
    pub entries: u64,
    /// Figures, with their outcomes.
    pub figures: u64,
}

/// A figure to edit: one row, or two for up to reflection and up to rotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditedFigure {
    figures: Vec<FigureId>,
    /// The entries with the given name. All entries if the signature was given.
    entries: Vec<NameKey>,
}

/// The key of a row of the table `name`: source, ordinal, one-sided.
type NameKey = (SourceId, u64, bool);

/// New values for the entries of a figure. `None` keeps a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NameEdit<'a> {
    pub label: Option<&'a str>,
    pub title: Option<&'a str>,
    pub credit: Option<&'a str>,
}

impl Session {
    pub fn rename_source(&mut self, source: SourceId, new: &str) -> Result<(), CatalogError> {
        self.catalog.write("rename a source", |transaction| {
            let sql = "UPDATE source SET label = ? WHERE id = ?";
            transaction.execute(sql, params![new, source])?;
            NAMES.renew(transaction, "source_id = ?", [source])?;
            FAULTS.renew(transaction, "source_id = ?", [source]).map(|_| ())
        })
    }

    /// Removes a source with its names. Also removes figures that belong to no other source or enumeration.
    pub fn remove_source(&mut self, source: SourceId) -> Result<Removal, CatalogError> {
        self.catalog.write("remove a source", |transaction| {
            let sql = "SELECT DISTINCT n.figure_id FROM name n WHERE n.source_id = ?1
                 AND NOT EXISTS (SELECT 1 FROM name o
                    WHERE o.figure_id = n.figure_id AND o.source_id <> ?1)
                 AND NOT EXISTS (SELECT 1 FROM enumerated e WHERE e.figure_id = n.figure_id)";
            let figures: Vec<FigureId> =
                collect_rows(transaction, sql, [source], |row| row.get(0))?;
            let sql = "SELECT count(DISTINCT ordinal) FROM name WHERE source_id = ?";
            let entries = transaction.query_row(sql, [source], |row| row.get(0))?;
            for table in ["name", "fault", "place", "request"] {
                let sql = format!("DELETE FROM {table} WHERE source_id = ?");
                transaction.execute(&sql, [source])?;
            }
            transaction.execute("DELETE FROM source WHERE id = ?", [source])?;
            remove_figures(transaction, &figures)?;
            Ok(Removal { entries, figures: figures.len() as u64 })
        })
    }

    /// Edits the entries of figures, all or none, and returns their number. A figure without an entry gets one, in a
    /// source of its own.
    pub fn rename_figures(
        &mut self,
        edits: &[(&EditedFigure, NameEdit<'_>)],
    ) -> Result<u64, CatalogError> {
        self.catalog.write("rename figures", |transaction| {
            let mut entries = 0;
            for (edited, edit) in edits {
                entries += rename_figure(transaction, edited, *edit)?;
            }
            Ok(entries)
        })
    }

    pub fn remove_figure(&mut self, edited: &EditedFigure) -> Result<Removal, CatalogError> {
        let figures = &edited.figures;
        self.catalog.write("remove a figure", |transaction| {
            let mut removal = Removal { entries: 0, figures: figures.len() as u64 };
            // An entry may name both kinds of a figure.
            let mut entries = BTreeSet::new();
            for figure in figures {
                let sql = "SELECT source_id, ordinal FROM name WHERE figure_id = ?";
                let of_figure: Vec<(SourceId, u64)> =
                    collect_rows(transaction, sql, [figure], |row| Ok((row.get(0)?, row.get(1)?)))?;
                entries.extend(of_figure);
                transaction.execute("DELETE FROM name WHERE figure_id = ?", [figure])?;
            }
            removal.entries = entries.len() as u64;
            remove_figures(transaction, figures)?;
            Ok(removal)
        })
    }
}

impl Catalog {
    /// Returns whether a run of this command is recorded that did not fail.
    pub fn has_run(&self, command: &str) -> Result<bool, CatalogError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM run WHERE command = ? AND status <> 'failed')";
        self.read("look up a run", |connection| {
            connection.query_row(sql, [command], |row| row.get(0))
        })
    }

    pub fn source_to_edit(&self, label: &str) -> Result<SourceId, EditError> {
        match self.source_called(label)? {
            Some(source) => Ok(source),
            None => Err(EditError::NoSource { label: label.to_owned(), sources: self.sources()? }),
        }
    }

    pub fn source_to_rename(&self, label: &str, new: &str) -> Result<SourceId, EditError> {
        let source = self.source_to_edit(label)?;
        match self.source_called(new)?.filter(|taken| *taken != source) {
            Some(_) => Err(EditError::SourceExists(new.to_owned())),
            None => Ok(source),
        }
    }

    fn source_called(&self, label: &str) -> Result<Option<SourceId>, CatalogError> {
        self.read("look up a source", |connection| {
            let sql = "SELECT id FROM source WHERE label = ?";
            connection.query_row(sql, [label], |row| row.get(0)).optional()
        })
    }

    /// Finds a figure by its signature, its number, or its exact name. The name is the one that other commands show, in
    /// any case.
    pub fn figure_to_edit(&self, name: &str) -> Result<EditedFigure, EditError> {
        let found = self.rows_called(name)?;
        let mut figures: Vec<(FigureId, &str)> =
            found.iter().map(|(id, signature, _)| (*id, signature.as_str())).collect();
        figures.sort_by_key(|(_, signature)| *signature);
        figures.dedup();
        // An entry imported with both kinds of sets, closed under reflection and not, is one figure with two rows.
        let several = |kind: &str| figures.iter().filter(|(_, s)| s.starts_with(kind)).count() > 1;
        if figures.is_empty() {
            return Err(EditError::NoFigure(name.to_owned()));
        }
        if several("s") || several("r") {
            let signatures = figures.into_iter().map(|(_, signature)| signature.to_owned());
            let signatures = signatures.collect();
            return Err(EditError::SeveralFigures { name: name.to_owned(), signatures });
        }
        let figures = figures.into_iter().map(|(id, _)| id).collect();
        Ok(EditedFigure { figures, entries: found.iter().filter_map(|(.., key)| *key).collect() })
    }

    /// Finds the figures of a list to rename, given by line and name, in any spelling of the name. Each may be listed
    /// once. `list` is the list's name in messages.
    pub fn figures_to_rename<'a>(
        &self,
        list: &str,
        lines: impl IntoIterator<Item = (u64, &'a str, NameEdit<'a>)>,
    ) -> Result<Vec<EditedFigure>, EditError> {
        let (mut found, mut known) = (Vec::new(), HashMap::new());
        for (line, name, edit) in lines {
            let edited = self.figure_to_rename(name, edit).map_err(|error| EditError::Listed {
                list: list.to_owned(),
                line,
                error: Box::new(error),
            })?;
            let entries = edited.entries.iter().map(|entry| (Some(*entry), None));
            let unnamed = edited.figures.iter().filter(|_| edited.entries.is_empty());
            for key in entries.chain(unnamed.map(|figure| (None, Some(*figure)))) {
                if let Some(first) = known.insert(key, line).filter(|first| *first != line) {
                    let (list, name) = (list.to_owned(), name.to_owned());
                    return Err(EditError::Repeated { list, first, second: line, name });
                }
            }
            found.push(edited);
        }
        Ok(found)
    }

    pub fn figure_to_rename(
        &self,
        name: &str,
        edit: NameEdit<'_>,
    ) -> Result<EditedFigure, EditError> {
        let edited = self.figure_to_edit(name)?;
        // A number or a signature hides a name.
        if let Some(label) = edit.label
            && signature_of(label).is_some()
            && self.rows_called(label)?.iter().all(|(id, ..)| !edited.figures.contains(id))
        {
            return Err(EditError::NameOfAnother(label.to_owned()));
        }
        match (edited.entries.is_empty(), edit.label) {
            (true, None) => Err(EditError::NoName(name.to_owned())),
            _ => Ok(edited),
        }
    }

    /// Returns `true` if a figure other than the one to edit has the name already.
    pub fn names_another(&self, name: &str, edited: &EditedFigure) -> Result<bool, CatalogError> {
        match self.figure_to_edit(name) {
            Ok(named) => Ok(named.figures != edited.figures),
            Err(EditError::SeveralFigures { .. }) => Ok(true),
            Err(EditError::Catalog(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }

    pub fn figure_to_remove(&self, name: &str) -> Result<EditedFigure, EditError> {
        let edited = self.figure_to_edit(name)?;
        let enumeration = self.read("look up enumerations", |connection| {
            let mut statement = connection.prepare(
                "SELECT e.label FROM enumerated x JOIN enumeration e ON e.id = x.enumeration_id
                 WHERE x.figure_id = ?",
            )?;
            let label = |id| statement.query_row([id], |row| row.get(0)).optional().transpose();
            edited.figures.iter().find_map(label).transpose()
        })?;
        match enumeration {
            Some(enumeration) => Err(EditError::Enumerated { name: name.to_owned(), enumeration }),
            None => Ok(edited),
        }
    }

    /// Returns the rows of figures with a name or signature. Each has an entry if there is one.
    fn rows_called(
        &self,
        name: &str,
    ) -> Result<Vec<(FigureId, String, Option<NameKey>)>, CatalogError> {
        let columns = "f.id, f.signature, n.source_id, n.ordinal, n.one_sided";
        let key = |row: &Row<'_>| {
            let source: Option<SourceId> = row.get(2)?;
            let key = match source {
                Some(source) => Some((source, row.get(3)?, row.get(4)?)),
                None => None,
            };
            Ok((row.get(0)?, row.get(1)?, key))
        };
        if let Some(name) = signature_of(name) {
            let sql = format!(
                "SELECT {columns} FROM figure f LEFT JOIN name n ON n.figure_id = f.id
                 WHERE f.signature = ?"
            );
            return self.rows("look up a figure", &sql, [&name], key);
        }
        let names = "FROM name n JOIN figure f ON f.id = n.figure_id";
        let sql = format!("SELECT {columns} {names} WHERE {}", is_label(name));
        let named = self.rows("look up a figure", &sql, [name], key)?;
        if !named.is_empty() {
            return Ok(named);
        }
        // An entry without a label is called by its file and number.
        let sql = format!(
            "SELECT {columns}, s.label {names} JOIN source s ON s.id = n.source_id
             WHERE n.label IS NULL"
        );
        let unnamed = self.rows("look up a figure", &sql, [], |row| {
            let label = unnamed_label(&row.get::<_, String>(5)?, row.get::<_, u64>(3)? + 1);
            Ok((label, key(row)?))
        })?;
        let called = |label: &str| label.to_lowercase() == name.to_lowercase();
        Ok(unnamed.into_iter().filter(|(label, _)| called(label)).map(|(_, row)| row).collect())
    }
}

/// Returns the signature that a text is, or for which its number stands.
fn signature_of(text: &str) -> Option<String> {
    let numbered = NamePattern::exact(text).numbered().map(|signature| signature.to_string());
    numbered.or_else(|| text.parse::<Signature>().ok().map(|_| text.to_owned()))
}

fn rename_figure(
    transaction: &Connection,
    edited: &EditedFigure,
    NameEdit { label, title, credit }: NameEdit<'_>,
) -> rusqlite::Result<u64> {
    if edited.entries.is_empty() {
        let source = id_of_label(transaction, SOURCE_OF_RENAMED)?;
        let mut statement = transaction.prepare(
            "INSERT INTO name
             SELECT ?1, n.next, substr(f.signature, 1, 1) = 'r', f.id, ?3, 1, n.next + 1, ?4, 0,
                 NULL, NULL, ?5, NULL, NULL, 0
             FROM figure f, (SELECT COALESCE(max(ordinal) + 1, 0) AS next FROM name
                 WHERE source_id = ?1) n WHERE f.id = ?2",
        )?;
        for figure in &edited.figures {
            statement.execute(params![source, figure, label, title, credit])?;
        }
        NAMES.renew(transaction, "source_id = ? AND checksum = 0", [source])?;
        return Ok(edited.figures.len() as u64);
    }
    let mut statement = transaction.prepare(
        "UPDATE name SET label = COALESCE(?1, label), title = COALESCE(?2, title),
             credit = COALESCE(?3, credit)
         WHERE source_id = ?4 AND ordinal = ?5 AND one_sided = ?6",
    )?;
    for (source, ordinal, one_sided) in &edited.entries {
        statement.execute(params![label, title, credit, source, ordinal, one_sided])?;
        let row = "source_id = ? AND ordinal = ? AND one_sided = ?";
        NAMES.renew(transaction, row, params![source, ordinal, one_sided])?;
    }
    // An entry may name both kinds of a figure.
    let entries: BTreeSet<_> = edited.entries.iter().map(|(source, at, _)| (source, at)).collect();
    Ok(entries.len() as u64)
}

fn remove_figures(transaction: &Connection, figures: &[FigureId]) -> rusqlite::Result<()> {
    for (table, key) in [
        ("outcome", "figure_id"),
        ("timing", "figure_id"),
        ("published_count", "figure_id"),
        ("structure", "figure_id"),
        ("proof", "figure_id"),
        ("figure", "id"),
    ] {
        let mut statement = transaction.prepare(&format!("DELETE FROM {table} WHERE {key} = ?"))?;
        for figure in figures {
            statement.execute([figure])?;
        }
    }
    Ok(())
}
