//! Rows on their way in: sources, names, figures, faults, published counts, runs.

use super::{Catalog, CatalogError};
use crate::figure::Signature;
use crate::pieces::{PieceSet, parse_piece_lines};
use crate::symmetry::Class;
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::HashMap;

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

/// A figure of this run that has no outcome yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Which figure.
    pub figure_id: i64,
    /// With which set.
    pub set_id: i64,
    /// Its canonical form as text.
    pub signature: String,
}

/// What this run's figures came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Different figures (with their sets) among the sources of the run.
    pub figures: u64,
    /// Those that have a proof by parity against them.
    pub parity_blocked: u64,
    /// Those unsolvable for another reason.
    pub unsolvable: u64,
    /// Those with at least one packing.
    pub solvable: u64,
    /// Those left undecided by a limit.
    pub unknown: u64,
    /// Those whose search failed.
    pub failed: u64,
    /// Those not counted yet.
    pub pending: u64,
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
    /// Notes that a run begins and prepares the list of its figures.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn begin_run(&mut self, command: &str) -> Result<i64, CatalogError> {
        self.connection.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS run_figure (
                figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL,
                PRIMARY KEY (figure_id, set_id)) WITHOUT ROWID;
             DELETE FROM temp.run_figure;
             UPDATE run SET status = 'stopped' WHERE status = 'running';",
        )?;
        self.connection.execute(
            "INSERT INTO run (command, version, started, status)
             VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'running')",
            params![command, env!("CARGO_PKG_VERSION")],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Notes how many figures a run is going to count.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn plan_run(&mut self, run: i64, planned: u64) -> Result<(), CatalogError> {
        self.connection
            .execute("UPDATE run SET planned = ? WHERE id = ?", params![planned, run])?;
        Ok(())
    }

    /// Notes how a run ended: `finished` or `stopped`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn end_run(&mut self, run: i64, status: &str) -> Result<(), CatalogError> {
        self.connection.execute(
            "UPDATE run SET status = ?, ended = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?",
            params![status, run],
        )?;
        Ok(())
    }

    /// The id of a source, which is made if it is new.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn source_id(&mut self, label: &str) -> Result<i64, CatalogError> {
        self.connection.execute("INSERT OR IGNORE INTO source (label) VALUES (?)", [label])?;
        let id = "SELECT id FROM source WHERE label = ?";
        Ok(self.connection.query_row(id, [label], |row| row.get(0))?)
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
        let transaction = self.connection.transaction()?;
        let mut new = 0;
        for entry in entries {
            let (figure_id, added) = figure_id(&transaction, entry)?;
            new += u64::from(added);
            if let Some(name) = &entry.name {
                put_name(&transaction, source_id, figure_id, name)?;
            }
            transaction
                .prepare_cached("INSERT OR IGNORE INTO temp.run_figure VALUES (?, ?)")?
                .execute([figure_id, entry.set_id])?;
        }
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
        let transaction = self.connection.transaction()?;
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
        let transaction = self.connection.transaction()?;
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

    /// Figures of this run without an outcome, after the given pair of ids, at most `most`. With
    /// `redo` those whose outcome is not exact count as without.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn pending(
        &self,
        after: (i64, i64),
        most: usize,
        redo: bool,
    ) -> Result<Vec<Pending>, CatalogError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.figure_id, r.set_id, f.signature
             FROM temp.run_figure r
             JOIN figure f ON f.id = r.figure_id
             LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
             WHERE (r.figure_id, r.set_id) > (?, ?)
               AND (o.figure_id IS NULL OR (? AND o.verdict IN ('solvable', 'unknown', 'failed')))
             ORDER BY r.figure_id, r.set_id LIMIT ?",
        )?;
        let rows = statement.query_map(params![after.0, after.1, redo, most], |row| {
            Ok(Pending { figure_id: row.get(0)?, set_id: row.get(1)?, signature: row.get(2)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How many of them there are.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn pending_count(&self, redo: bool) -> Result<u64, CatalogError> {
        Ok(self.connection.query_row(
            "SELECT count(*) FROM temp.run_figure r
             LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
             WHERE o.figure_id IS NULL OR (? AND o.verdict IN ('solvable', 'unknown', 'failed'))",
            [redo],
            |row| row.get(0),
        )?)
    }

    /// What this run's figures came to so far.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn run_totals(&self) -> Result<Totals, CatalogError> {
        Ok(self.connection.query_row(
            "SELECT count(*),
                COALESCE(sum(o.verdict = 'unsolvable' AND o.reason = 'parity'), 0),
                COALESCE(sum(o.verdict = 'unsolvable' AND o.reason <> 'parity'), 0),
                COALESCE(sum(o.verdict IN ('counted', 'solvable')), 0),
                COALESCE(sum(o.verdict = 'unknown'), 0),
                COALESCE(sum(o.verdict = 'failed'), 0),
                COALESCE(sum(o.verdict IS NULL), 0)
             FROM temp.run_figure r
             LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id",
            [],
            |row| {
                Ok(Totals {
                    figures: row.get(0)?,
                    parity_blocked: row.get(1)?,
                    unsolvable: row.get(2)?,
                    solvable: row.get(3)?,
                    unknown: row.get(4)?,
                    failed: row.get(5)?,
                    pending: row.get(6)?,
                })
            },
        )?)
    }
}

/// The id of an entry's figure and whether it had to be made.
pub(super) fn figure_id(
    transaction: &Transaction<'_>,
    entry: &EntryRow,
) -> rusqlite::Result<(i64, bool)> {
    let mut find = transaction.prepare_cached("SELECT id FROM figure WHERE signature = ?")?;
    let known = find.query_row([entry.signature.as_str()], |row| row.get(0)).optional()?;
    if let Some(id) = known {
        return Ok((id, false));
    }
    let [x, y, z] = entry.extents;
    transaction
        .prepare_cached(
            "INSERT INTO figure (signature, cells, box, class_id, parity, parts)
             VALUES (?, ?, ?, (SELECT id FROM symmetry_class WHERE name = ?), ?, ?)",
        )?
        .execute(params![
            entry.signature.as_str(),
            entry.cells,
            format!("{x}x{y}x{z}"),
            entry.class.name(),
            entry.parity,
            entry.parts
        ])?;
    Ok((transaction.last_insert_rowid(), true))
}

fn put_name(
    transaction: &Transaction<'_>,
    source_id: i64,
    figure_id: i64,
    name: &NameRow,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (source_id, ordinal) DO UPDATE SET figure_id = excluded.figure_id,
                label = excluded.label, variant = excluded.variant, line = excluded.line,
                title = excluded.title, commented_out = excluded.commented_out",
        )?
        .execute(params![
            source_id,
            name.ordinal,
            figure_id,
            name.label,
            name.variant,
            name.line,
            name.title,
            name.commented_out
        ])?;
    Ok(())
}
