//! Rows that are written by the million: their statements, prepared once for a batch.

use super::outcomes::count_value;
use super::words::{Code, exact_verdicts};
use super::{FigureId, RunId, SetId};
use crate::figure::Columns;
use crate::outcome::{Outcome, Report};
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
    pub(super) fn new(
        transaction: &'a Transaction<'_>,
        insert: &str,
        update: &str,
    ) -> rusqlite::Result<Self> {
        let (insert, update) =
            (transaction.prepare_cached(insert)?, transaction.prepare_cached(update)?);
        Ok(Self { insert, update })
    }

    pub(super) fn put(&mut self, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        if self.insert.execute(values)? == 0 {
            self.update.execute(values)?;
        }
        Ok(())
    }
}

/// Figures, looked up or added.
pub(super) struct Figures<'a> {
    insert: CachedStatement<'a>,
    find: CachedStatement<'a>,
    transaction: &'a Transaction<'a>,
    /// The last figure was known: probably the next is too, and is looked up before it is added.
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

    /// The number of a figure and whether it had to be added.
    pub(super) fn id(&mut self, figure: &Columns) -> rusqlite::Result<(FigureId, bool)> {
        if self.known
            && let Some(id) = self.find(figure)?
        {
            return Ok((id, false));
        }
        let [x, y, z] = figure.extents;
        let added = self.insert.execute(params![
            figure.signature.as_str(),
            figure.cells,
            format!("{x}x{y}x{z}"),
            figure.class.number(),
            figure.parity,
            figure.parts
        ])?;
        self.known = added == 0;
        if added > 0 {
            return Ok((FigureId(self.transaction.last_insert_rowid()), true));
        }
        let id = self.find(figure)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        Ok((id, false))
    }

    fn find(&mut self, figure: &Columns) -> rusqlite::Result<Option<FigureId>> {
        self.find.query_row([figure.signature.as_str()], |row| row.get(0)).optional()
    }
}

/// Outcomes, with the times they took.
pub(super) struct Outcomes<'a> {
    outcome: Upsert<'a>,
    timing: Upsert<'a>,
    run: RunId,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(transaction: &'a Transaction<'_>, run: RunId) -> rusqlite::Result<Self> {
        // An exact outcome stays as it is, so that what a catalog says does not depend on who counted last.
        let outcome = Upsert::new(
            transaction,
            "INSERT INTO outcome VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (figure_id, set_id) DO NOTHING",
            &format!(
                "UPDATE outcome SET verdict_id = ?3, reason_id = ?4, error = ?5, raw = ?6,
                    rotation = ?7, \"unique\" = ?8, nodes = ?9, engine_id = ?10
                 WHERE figure_id = ?1 AND set_id = ?2 AND verdict_id NOT IN ({})",
                exact_verdicts()
            ),
        )?;
        let timing = Upsert::new(
            transaction,
            "INSERT INTO timing VALUES (?1, ?2, ?3, ?4) ON CONFLICT (figure_id, set_id) DO NOTHING",
            "UPDATE timing SET run_id = ?3, micros = ?4 WHERE figure_id = ?1 AND set_id = ?2",
        )?;
        Ok(Self { outcome, timing, run })
    }

    /// One outcome; the time it took is kept where something was searched.
    pub(super) fn put(
        &mut self,
        figure: FigureId,
        set: SetId,
        report: &Report,
        micros: Option<u64>,
    ) -> rusqlite::Result<()> {
        let outcome = &report.outcome;
        let error = if let Outcome::Failed(error) = outcome { Some(error) } else { None };
        self.outcome.put(params![
            figure,
            set,
            outcome.verdict().code(),
            outcome.reason().map(Code::code),
            error,
            count_value(outcome.raw()),
            count_value(outcome.rotation()),
            count_value(outcome.unique()),
            // Where no work belongs to one figure alone.
            report.nodes.unwrap_or(0).cast_signed(),
            report.engine.map(Code::code)
        ])?;
        if let Some(micros) = micros.filter(|&micros| micros > 0 && report.engine.is_some()) {
            self.timing.put(params![figure, set, self.run, micros.cast_signed()])?;
        }
        Ok(())
    }
}
