//! Rows written by the million: statements prepared once for a batch.

use super::checksum::{row_checksum, seal};
use super::codes::{Code, exact_verdicts};
use super::outcomes::count_value;
use super::{EnumerationId, FigureId, RunId, SetId};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, OptionalExtension, ToSql, params};
use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::outcome::{Outcome, Reason, Report, Verdict};
use std::collections::BTreeSet;

/// Inserts a row, or updates the row with its key.
///
/// A single statement that does both makes SQLite keep a journal in a table with foreign keys. It copies every
/// changed page, often to a temporary file, which doubled the total time. Both statements take the same parameters.
pub(super) struct Upsert<'a> {
    insert: CachedStatement<'a>,
    update: CachedStatement<'a>,
}

impl<'a> Upsert<'a> {
    /// Prepares both statements. `insert` must ignore existing keys.
    pub(super) fn new(
        transaction: &'a Connection,
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

/// Looks up or adds figures.
pub(super) struct FigureStore<'a> {
    insert: CachedStatement<'a>,
    find: CachedStatement<'a>,
    transaction: &'a Connection,
    /// True if the last figure was known. The next one then probably is too, and is looked up first.
    known: bool,
}

impl<'a> FigureStore<'a> {
    pub(super) fn new(transaction: &'a Connection) -> rusqlite::Result<Self> {
        let insert = transaction.prepare_cached(
            "INSERT INTO figure (signature, cells, box, class_id, parity, parts)
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (signature) DO NOTHING",
        )?;
        let find = transaction.prepare_cached("SELECT id FROM figure WHERE signature = ?")?;
        Ok(Self { insert, find, transaction, known: false })
    }

    /// Returns the id of a figure, and whether it was added.
    pub(super) fn id(&mut self, figure: &Columns) -> rusqlite::Result<(FigureId, bool)> {
        if self.known
            && let Some(id) = self.find(figure)?
        {
            return Ok((id, false));
        }
        let added = self.insert.execute(params![
            figure.signature.as_str(),
            figure.cells,
            sides_text(figure.extents),
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

pub(super) struct OutcomeStore<'a> {
    outcome: Upsert<'a>,
    timing: Upsert<'a>,
    given_up: Upsert<'a>,
    known: CachedStatement<'a>,
    totals: MemberTotals<'a>,
    run: RunId,
    sets: CachedStatement<'a>,
    /// The set of the last row, with its checksum.
    set: Option<(SetId, i64)>,
}

impl<'a> OutcomeStore<'a> {
    pub(super) fn new(transaction: &'a Connection, run: RunId) -> rusqlite::Result<Self> {
        let outcome = Upsert::new(
            transaction,
            "INSERT INTO outcome VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (figure_id, set_id) DO NOTHING",
            // An exact outcome stays, and so does the bound that took more work. The result therefore does not
            // depend on the order of the counts.
            &format!(
                "UPDATE outcome SET verdict_id = ?3, reason_id = ?4, error = ?5, raw = ?6,
                    rotation = ?7, \"unique\" = ?8, nodes = ?9, engine_id = ?10, checksum = ?11
                 WHERE figure_id = ?1 AND set_id = ?2 AND verdict_id NOT IN ({exact})
                     AND (?3 IN ({exact}) OR ?9 >= nodes)",
                exact = exact_verdicts()
            ),
        )?;
        let insert_timing =
            "INSERT INTO timing VALUES (?1, ?2, ?3, ?4) ON CONFLICT (figure_id, set_id) DO NOTHING";
        let timing = Upsert::new(
            transaction,
            insert_timing,
            "UPDATE timing SET run_id = ?3, micros = ?4 WHERE figure_id = ?1 AND set_id = ?2",
        )?;
        let given_up = Upsert::new(
            transaction,
            insert_timing,
            "UPDATE timing SET run_id = ?3, micros = max(micros, ?4)
             WHERE figure_id = ?1 AND set_id = ?2",
        )?;
        let known = transaction.prepare_cached(
            "SELECT verdict_id, COALESCE(reason_id, 0) FROM outcome
             WHERE figure_id = ? AND set_id = ?",
        )?;
        let totals = MemberTotals::new(transaction)?;
        let sets = transaction.prepare_cached("SELECT checksum FROM piece_set WHERE id = ?")?;
        Ok(Self { outcome, timing, given_up, known, totals, run, sets, set: None })
    }

    /// Stores one outcome. Keeps the time of searches, and of failures, so that the next attempt comes after other
    /// figures. Returns the resulting verdict and reason in the catalog.
    pub(super) fn put(
        &mut self,
        (figure, signature): (FigureId, &Signature),
        set: SetId,
        report: &Report,
        micros: Option<u64>,
    ) -> rusqlite::Result<(Verdict, Option<Reason>)> {
        let outcome = &report.outcome;
        let error = if let Outcome::Failed(error) = outcome { Some(error) } else { None };
        let (verdict, reason) = (outcome.verdict().code(), outcome.reason().map(Code::code));
        let mut known = (outcome.verdict(), outcome.reason());
        let (raw, rotation, unique) = (
            count_value(outcome.raw()),
            count_value(outcome.rotation()),
            count_value(outcome.unique()),
        );
        // 0 if the work was shared by several figures.
        let nodes = report.nodes.unwrap_or(0).cast_signed();
        let engine = report.engine.map(Code::code);
        let set_sum = match self.set {
            Some((last, sum)) if last == set => sum,
            _ => self.sets.query_row([set], |row| row.get(0))?,
        };
        self.set = Some((set, set_sum));
        let number = |n: Option<i64>| n.map_or(ValueRef::Null, ValueRef::Integer);
        let checksum = row_checksum([
            signature.as_str().into(),
            ValueRef::Integer(set_sum),
            ValueRef::Integer(verdict),
            number(reason),
            error.map_or(ValueRef::Null, |error| error.as_str().into()),
            (&raw).into(),
            (&rotation).into(),
            (&unique).into(),
            ValueRef::Integer(nodes),
            number(engine),
        ]);
        let values = params![
            figure, set, verdict, reason, error, raw, rotation, unique, nodes, engine, checksum
        ];
        if self.outcome.insert.execute(values)? == 0 {
            let before: StoredVerdict =
                self.known.query_row(params![figure, set], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let after = (verdict, reason.unwrap_or(0));
            if self.outcome.update.execute(values)? == 0 {
                // `catalog check` reports a code that is not valid.
                let verdict = Verdict::of_code(before.0).unwrap_or(known.0);
                known = (verdict, Reason::of_code(before.1));
            } else if before != after {
                self.totals.change(figure, set, before, after)?;
            }
        }
        let tried = report.engine.is_some() || error.is_some();
        if let Some(micros) = micros.filter(|&micros| micros > 0 && tried) {
            self.timing.put(params![figure, set, self.run, micros.cast_signed()])?;
        }
        Ok(known)
    }

    /// Records that a figure was started and abandoned.
    pub(super) fn give_up(
        &mut self,
        figure: FigureId,
        set: SetId,
        micros: u64,
    ) -> rusqlite::Result<()> {
        self.given_up.put(params![figure, set, self.run, micros.cast_signed()])
    }

    /// Updates the totals of enumerations. Must be called at the end.
    pub(super) fn finish(self) -> rusqlite::Result<()> {
        self.totals.finish()
    }
}

/// Verdict and reason as stored, 0 for no reason.
type StoredVerdict = (i64, i64);

/// Updates totals of enumerations that keep every figure when an outcome changes.
struct MemberTotals<'a> {
    transaction: &'a Connection,
    enumerations: CachedStatement<'a>,
    changed: BTreeSet<EnumerationId>,
}

impl<'a> MemberTotals<'a> {
    fn new(transaction: &'a Connection) -> rusqlite::Result<Self> {
        let enumerations = transaction.prepare_cached(
            "SELECT e.id FROM enumeration e WHERE e.set_id = ?2 AND e.keep = 'all' AND EXISTS
                (SELECT 1 FROM enumerated x WHERE x.enumeration_id = e.id AND x.figure_id = ?1)",
        )?;
        Ok(Self { transaction, enumerations, changed: BTreeSet::new() })
    }

    fn change(
        &mut self,
        figure: FigureId,
        set: SetId,
        before: StoredVerdict,
        after: StoredVerdict,
    ) -> rusqlite::Result<()> {
        let enumerations: Vec<EnumerationId> = self
            .enumerations
            .query_map(params![figure, set], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for id in enumerations {
            for ((verdict, reason), figures) in [(before, -1), (after, 1)] {
                self.transaction
                    .prepare_cached(
                        "INSERT INTO enumeration_total
                         SELECT ?1, class_id, ?3, ?4, ?5 FROM figure WHERE id = ?2
                         ON CONFLICT DO UPDATE SET figures = figures + excluded.figures",
                    )?
                    .execute(params![id, figure, verdict, reason, figures])?;
            }
            self.changed.insert(id);
        }
        Ok(())
    }

    fn finish(self) -> rusqlite::Result<()> {
        for id in self.changed {
            self.transaction
                .prepare_cached(
                    "DELETE FROM enumeration_total WHERE enumeration_id = ? AND figures = 0",
                )?
                .execute([id])?;
            seal(self.transaction, id)?;
        }
        Ok(())
    }
}
