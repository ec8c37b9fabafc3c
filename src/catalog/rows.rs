//! Rows that are written by the million: their statements, prepared once for a batch.

use super::store::{EntryRow, NameRow, OutcomeRow, count_value};
use super::words::{engine_id, reason_id, verdict_id};
use rusqlite::{CachedStatement, OptionalExtension, ToSql, Transaction, params};

/// A row that is inserted, or changed where there is one of its key.
///
/// Two statements, because SQLite keeps a journal for a single one that does both in a table with
/// foreign keys: it first copies every page to be changed, soon to a temporary file, and that took
/// as long as everything else together. Both statements take the same parameters.
pub(super) struct Upsert<'a> {
    insert: CachedStatement<'a>,
    update: CachedStatement<'a>,
}

impl<'a> Upsert<'a> {
    /// `insert` does nothing where there is a row of the key.
    fn new(transaction: &'a Transaction<'_>, insert: &str, update: &str) -> rusqlite::Result<Self> {
        let (insert, update) =
            (transaction.prepare_cached(insert)?, transaction.prepare_cached(update)?);
        Ok(Self { insert, update })
    }

    fn put(&mut self, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        if self.insert.execute(values)? == 0 {
            self.update.execute(values)?;
        }
        Ok(())
    }
}

/// Figures, found or made.
pub(super) struct Figures<'a> {
    insert: CachedStatement<'a>,
    find: CachedStatement<'a>,
    transaction: &'a Transaction<'a>,
    /// The last figure was known: probably the next is too, and is looked up before it is made.
    known: bool,
}

impl<'a> Figures<'a> {
    pub(super) fn new(transaction: &'a Transaction<'a>) -> rusqlite::Result<Self> {
        let insert = transaction.prepare_cached(
            "INSERT INTO figure (signature, cells, box, class_id, parity, parts)
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (signature) DO NOTHING",
        )?;
        let find = transaction.prepare_cached("SELECT id FROM figure WHERE signature = ?")?;
        Ok(Self { insert, find, transaction, known: false })
    }

    /// The id of an entry's figure and whether it had to be made.
    pub(super) fn id(&mut self, entry: &EntryRow) -> rusqlite::Result<(i64, bool)> {
        if self.known
            && let Some(id) = self.find(entry)?
        {
            return Ok((id, false));
        }
        let [x, y, z] = entry.extents;
        let added = self.insert.execute(params![
            entry.signature.as_str(),
            entry.cells,
            format!("{x}x{y}x{z}"),
            entry.class.number(),
            entry.parity,
            entry.parts
        ])?;
        self.known = added == 0;
        if added > 0 {
            return Ok((self.transaction.last_insert_rowid(), true));
        }
        let id = self.find(entry)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        Ok((id, false))
    }

    fn find(&mut self, entry: &EntryRow) -> rusqlite::Result<Option<i64>> {
        self.find.query_row([entry.signature.as_str()], |row| row.get(0)).optional()
    }
}

/// Outcomes, with the times they took.
pub(super) struct Outcomes<'a> {
    outcome: Upsert<'a>,
    timing: Upsert<'a>,
    run: i64,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(transaction: &'a Transaction<'_>, run: i64) -> rusqlite::Result<Self> {
        // The numbers are those of `words`: counted and unsolvable.
        let outcome = Upsert::new(
            transaction,
            "INSERT INTO outcome VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (figure_id, set_id) DO NOTHING",
            "UPDATE outcome SET verdict_id = ?3, reason_id = ?4, error = ?5, raw = ?6,
                rotation = ?7, \"unique\" = ?8, nodes = ?9, engine_id = ?10
             WHERE figure_id = ?1 AND set_id = ?2 AND verdict_id NOT IN (1, 2)",
        )?;
        let timing = Upsert::new(
            transaction,
            "INSERT INTO timing VALUES (?1, ?2, ?3, ?4) ON CONFLICT (figure_id, set_id) DO NOTHING",
            "UPDATE timing SET run_id = ?3, micros = ?4 WHERE figure_id = ?1 AND set_id = ?2",
        )?;
        Ok(Self { outcome, timing, run })
    }

    /// One outcome; the time it took is kept where something was searched. An exact outcome stays
    /// as it is, so that what a catalog says does not depend on who counted last.
    pub(super) fn put(&mut self, row: &OutcomeRow) -> rusqlite::Result<()> {
        let reason = row.reason.as_deref().map(|word| (reason_id(word), word));
        self.outcome.put(params![
            row.figure_id,
            row.set_id,
            verdict_id(row.verdict),
            reason.and_then(|(id, _)| id),
            reason.filter(|(id, _)| id.is_none()).map(|(_, text)| text),
            count_value(row.raw),
            count_value(row.rotation),
            count_value(row.unique),
            row.nodes.cast_signed(),
            row.engine.and_then(engine_id)
        ])?;
        if row.micros > 0 && row.engine.is_some() {
            let micros = row.micros.cast_signed();
            self.timing.put(params![row.figure_id, row.set_id, self.run, micros])?;
        }
        Ok(())
    }
}

/// Names that figures have in a source.
pub(super) struct Names<'a> {
    name: Upsert<'a>,
    source_id: i64,
}

impl<'a> Names<'a> {
    pub(super) fn new(transaction: &'a Transaction<'_>, source_id: i64) -> rusqlite::Result<Self> {
        let name = Upsert::new(
            transaction,
            "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (source_id, ordinal) DO NOTHING",
            "UPDATE name SET figure_id = ?3, label = ?4, variant = ?5, line = ?6, title = ?7,
                commented_out = ?8
             WHERE source_id = ?1 AND ordinal = ?2",
        )?;
        Ok(Self { name, source_id })
    }

    pub(super) fn put(&mut self, figure_id: i64, name: &NameRow) -> rusqlite::Result<()> {
        self.name.put(params![
            self.source_id,
            name.ordinal,
            figure_id,
            name.label,
            name.variant,
            name.line,
            name.title,
            name.commented_out
        ])
    }
}
