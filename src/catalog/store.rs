//! Rows on their way in: sources, names, figures, faults, published counts, runs.

use super::rows::{Figures, Names};
use super::{Catalog, CatalogError};
use crate::figure::Signature;
use crate::pieces::{PieceSet, parse_piece_lines};
use crate::symmetry::Class;
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::HashMap;
use std::path::Path;

/// One sound entry of a source, or a figure that was enumerated.
#[derive(Clone, Debug)]
pub struct EntryRow {
    /// The name it has in its source; none for enumerated figures.
    pub name: Option<NameRow>,
    /// The piece set it is to be counted with, as returned by [`Catalog::set_id`].
    pub set_id: i64,
    /// Its canonical form.
    pub signature: Signature,
    /// Number of cells.
    pub cells: usize,
    /// The extents of its box, ascending.
    pub extents: [u32; 3],
    /// Symmetry class.
    pub class: Class,
    /// |black − white|.
    pub parity: u32,
    /// Number of separate parts.
    pub parts: usize,
}

/// How an entry is called in its source.
#[derive(Clone, Debug)]
pub struct NameRow {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
    /// The name it has there.
    pub label: Option<String>,
    /// 1, 2, … for solutions under one header.
    pub variant: u32,
    /// The comment that goes with it.
    pub title: Option<String>,
    /// The source keeps it as a comment.
    pub commented_out: bool,
}

/// One faulty entry of a source.
#[derive(Clone, Debug)]
pub struct FaultRow {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
    /// The name it has there.
    pub label: Option<String>,
    /// Whether the entry was left out.
    pub refused: bool,
    /// The kind of fault in one word.
    pub kind: String,
    /// What is wrong, in words.
    pub message: String,
}

/// The outcome of one count.
#[derive(Clone, Debug)]
pub struct OutcomeRow {
    /// Which figure.
    pub figure_id: i64,
    /// With which set.
    pub set_id: i64,
    /// The verdict's word.
    pub verdict: &'static str,
    /// The reason's word or the error's text.
    pub reason: Option<String>,
    /// All packings, or at least so many.
    pub raw: Option<u128>,
    /// Packings up to rotation.
    pub rotation: Option<u128>,
    /// Packings up to rotation and reflection.
    pub unique: Option<u128>,
    /// Search nodes.
    pub nodes: u64,
    /// The method that searched, if anything had to be searched.
    pub engine: Option<&'static str>,
    /// Wall-clock microseconds.
    pub micros: u64,
}

/// A count that is published somewhere.
#[derive(Clone, Debug)]
pub struct PublishedRow {
    /// The figure.
    pub signature: Signature,
    /// The set, as returned by [`Catalog::set_id`].
    pub set_id: i64,
    /// `raw`, `rotation` or `unique`.
    pub kind: String,
    /// The published number.
    pub value: u64,
    /// Where.
    pub source: String,
}

/// A count as SQLite keeps it: an integer while it fits, else decimal text.
pub(super) fn count_value(count: Option<u128>) -> rusqlite::types::Value {
    use rusqlite::types::Value;
    match count.map(|n| (n, i64::try_from(n))) {
        None => Value::Null,
        Some((_, Ok(n))) => Value::Integer(n),
        Some((n, Err(_))) => Value::Text(n.to_string()),
    }
}

impl Catalog {
    /// The id of a source, which is made if it is new, and the label it has. `place` is the path of
    /// a file on this machine: another file that goes by the same label becomes a source of its own,
    /// under its path, so that neither takes the other's names away.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn source_id(
        &mut self,
        label: &str,
        place: Option<&Path>,
    ) -> Result<(i64, String), CatalogError> {
        let path = place.map(|path| path.to_string_lossy().into_owned());
        for label in [Some(label), path.as_deref()].into_iter().flatten() {
            let sql = "SELECT s.id, p.path FROM source s LEFT JOIN place p ON p.source_id = s.id
                       WHERE s.label = ?";
            let known: Option<(i64, Option<String>)> = self
                .connection
                .query_row(sql, [label], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let id = match known {
                None => {
                    self.connection.execute("INSERT INTO source (label) VALUES (?)", [label])?;
                    self.connection.last_insert_rowid()
                }
                Some((id, was)) => {
                    // A file that is gone from its old place was moved.
                    let elsewhere =
                        |was: String| Some(&was) != path.as_ref() && Path::new(&was).exists();
                    if was.is_some_and(elsewhere) {
                        continue;
                    }
                    id
                }
            };
            if let Some(path) = &path {
                let sql = "INSERT OR REPLACE INTO place VALUES (?, ?)";
                self.connection.execute(sql, params![id, path])?;
            }
            return Ok((id, label.to_owned()));
        }
        self.unused_source(label)
    }

    /// A source that no later one is taken for, such as what came from standard input: `label 1`,
    /// `label 2`, ….
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn unused_source(&mut self, label: &str) -> Result<(i64, String), CatalogError> {
        let mut number = 1_u64;
        loop {
            let label = format!("{label} {number}");
            let sql = "INSERT OR IGNORE INTO source (label) VALUES (?)";
            if self.connection.execute(sql, [&label])? > 0 {
                return Ok((self.connection.last_insert_rowid(), label));
            }
            number += 1;
        }
    }

    /// The id of a piece set, which is made if it is new.
    ///
    /// # Errors
    /// If SQLite fails, or the catalog holds other pieces under the same name.
    pub fn set_id(&mut self, set: &PieceSet) -> Result<i64, CatalogError> {
        let lines: Vec<String> = set
            .pieces()
            .iter()
            .map(|(piece, count)| {
                let cells: Vec<String> = piece.shape().iter().map(ToString::to_string).collect();
                format!("{}*{count}: {}", piece.name(), cells.join(" "))
            })
            .collect();
        let definition = lines.join("\n");
        self.connection.execute(
            "INSERT OR IGNORE INTO piece_set (name, definition) VALUES (?, ?)",
            params![set.name(), definition],
        )?;
        let (id, known): (i64, String) = self.connection.query_row(
            "SELECT id, definition FROM piece_set WHERE name = ?",
            [set.name()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if known == definition {
            Ok(id)
        } else {
            Err(CatalogError::SetChanged(set.name().to_owned()))
        }
    }

    /// The piece sets of the catalog by id.
    ///
    /// # Errors
    /// If SQLite fails or a definition cannot be read.
    pub fn piece_sets(&self) -> Result<HashMap<i64, PieceSet>, CatalogError> {
        let mut statement =
            self.connection.prepare("SELECT id, name, definition FROM piece_set")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut sets = HashMap::new();
        for row in rows {
            let (id, name, definition): (i64, String, String) = row?;
            let set = parse_piece_lines(&name, &definition)
                .map_err(|error| CatalogError::SetUnreadable { name, error })?;
            sets.insert(id, set);
        }
        Ok(sets)
    }

    /// Takes in entries and faults of one source in one transaction; returns how many figures were
    /// new to the catalog.
    ///
    /// # Errors
    /// If SQLite fails; nothing of the batch is kept then.
    pub fn take_in(
        &mut self,
        source_id: i64,
        entries: &[EntryRow],
        faults: &[FaultRow],
    ) -> Result<u64, CatalogError> {
        let transaction = self.transaction()?;
        let new = put_entries(&transaction, source_id, entries)?;
        for fault in faults {
            transaction
                .prepare_cached(
                    "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?)
                     ON CONFLICT (source_id, ordinal) DO UPDATE SET line = excluded.line,
                        label = excluded.label, refused = excluded.refused,
                        kind = excluded.kind, message = excluded.message",
                )?
                .execute(params![
                    source_id,
                    fault.ordinal,
                    fault.line,
                    fault.label,
                    fault.refused,
                    fault.kind,
                    fault.message
                ])?;
        }
        transaction.commit()?;
        Ok(new)
    }

    /// Forgets what a source held beyond its present `ordinals`, and faults that are no more, after
    /// a whole pass over it. `faulty` lists the ordinals of its faults.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn finish_source(
        &mut self,
        source_id: i64,
        ordinals: u64,
        faulty: &[u64],
    ) -> Result<(), CatalogError> {
        let transaction = self.transaction()?;
        for table in ["name", "fault"] {
            transaction.execute(
                &format!("DELETE FROM {table} WHERE source_id = ? AND ordinal >= ?"),
                params![source_id, ordinals],
            )?;
        }
        let known: Vec<u64> = transaction
            .prepare("SELECT ordinal FROM fault WHERE source_id = ?")?
            .query_map([source_id], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for ordinal in known.into_iter().filter(|n| faulty.binary_search(n).is_err()) {
            transaction.execute(
                "DELETE FROM fault WHERE source_id = ? AND ordinal = ?",
                params![source_id, ordinal],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Notes published counts of figures the catalog holds; others are passed over.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn put_published(&mut self, rows: &[PublishedRow]) -> Result<(), CatalogError> {
        let transaction = self.transaction()?;
        for row in rows {
            transaction.execute(
                "INSERT OR REPLACE INTO published_count (figure_id, set_id, kind, value, source)
                 SELECT id, ?, ?, ?, ? FROM figure WHERE signature = ?",
                params![row.set_id, row.kind, row.value, row.source, row.signature.as_str()],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Figures with their names, which become figures of the present run; returns how many are new.
fn put_entries(
    transaction: &Transaction<'_>,
    source_id: i64,
    entries: &[EntryRow],
) -> rusqlite::Result<u64> {
    let (mut figures, mut names) =
        (Figures::new(transaction)?, Names::new(transaction, source_id)?);
    let mut of_run =
        transaction.prepare_cached("INSERT OR IGNORE INTO temp.run_figure VALUES (?, ?)")?;
    let mut new = 0;
    for entry in entries {
        let (figure_id, added) = figures.id(entry)?;
        new += u64::from(added);
        if let Some(name) = &entry.name {
            names.put(figure_id, name)?;
        }
        of_run.execute([figure_id, entry.set_id])?;
    }
    Ok(new)
}
