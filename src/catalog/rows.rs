//! Rows written by the million: statements prepared once for a batch.

use super::checksum::{row_checksum, seal};
use super::codes::{Code, exact_verdicts};
use super::group::{GROUP, Group};
use super::outcomes::count_value;
use super::{EnumerationId, FigureId, RunId, SetId};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, OptionalExtension, ToSql, params};
use somacat_counting::question::CountedRow;
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
    /// Inserts rows, and ignores those that another row excludes or that are not valid.
    group: Group<'a>,
    /// True if the last row existed. The next one then probably does too, and is not tried in a group.
    existed: bool,
}

impl<'a> Upsert<'a> {
    /// Prepares both statements. `insert` must ignore existing keys; `group` begins the same for several rows.
    pub(super) fn new(
        transaction: &'a Connection,
        insert: &str,
        update: &str,
        (group, columns): (&'static str, usize),
    ) -> rusqlite::Result<Self> {
        let group = Group::new(transaction, group, columns);
        let (insert, update) =
            (transaction.prepare_cached(insert)?, transaction.prepare_cached(update)?);
        Ok(Self { insert, update, group, existed: false })
    }

    /// Inserts a row, and returns true if it is new.
    fn insert(&mut self, values: &[&dyn ToSql]) -> rusqlite::Result<bool> {
        self.existed = self.insert.execute(values)? == 0;
        Ok(!self.existed)
    }

    pub(super) fn put(&mut self, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        if !self.insert(values)? {
            self.update.execute(values)?;
        }
        Ok(())
    }

    /// Inserts rows together, if they are a group; `bind` binds each. Returns the number of new rows. If these are not
    /// all, each is to be put by itself.
    pub(super) fn put_group<T>(
        &mut self,
        rows: &[T],
        mut bind: impl FnMut(&T, &mut Group<'a>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<usize> {
        if rows.len() < GROUP || self.existed {
            return Ok(0);
        }
        rows.iter().try_for_each(|row| bind(row, &mut self.group))?;
        self.group.execute()
    }
}

/// Looks up or adds figures.
pub(super) struct FigureStore<'a> {
    insert: CachedStatement<'a>,
    find: CachedStatement<'a>,
    insert_group: Group<'a>,
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
        let group =
            "INSERT OR IGNORE INTO figure (signature, cells, box, class_id, parity, parts) VALUES";
        let insert_group = Group::new(transaction, group, 6);
        Ok(Self { insert, find, insert_group, transaction, known: false })
    }

    /// Returns the id of each figure, and the number of figures that were added.
    pub(super) fn ids(&mut self, figures: &[&Columns]) -> rusqlite::Result<(Vec<FigureId>, u64)> {
        let (mut ids, mut added) = (Vec::with_capacity(figures.len()), 0);
        for group in figures.chunks(GROUP) {
            if group.len() == GROUP && !self.known {
                for figure in group {
                    with_values(figure, |values| self.insert_group.bind(values))?;
                }
                let new = self.insert_group.execute()?;
                added += new as u64;
                let first = FigureId(self.transaction.last_insert_rowid() - GROUP as i64 + 1);
                // Ids are consecutive, unless the largest possible one is taken.
                if new == GROUP && self.find(group[0])? == Some(first) {
                    ids.extend((first.0..).take(GROUP).map(FigureId));
                    continue;
                }
                self.known = true;
            }
            for figure in group {
                let (id, new) = self.id(figure)?;
                ids.push(id);
                added += u64::from(new);
            }
        }
        Ok((ids, added))
    }

    /// Returns the id of a figure, and whether it was added.
    pub(super) fn id(&mut self, figure: &Columns) -> rusqlite::Result<(FigureId, bool)> {
        if self.known
            && let Some(id) = self.find(figure)?
        {
            return Ok((id, false));
        }
        let added = with_values(figure, |values| self.insert.execute(values))?;
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

/// Calls `take` with the values of a figure's row.
fn with_values<T>(figure: &Columns, take: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
    take(params![
        figure.signature.as_str(),
        figure.cells,
        sides_text(figure.extents),
        figure.class.number(),
        figure.parity,
        figure.parts
    ])
}

/// A figure's outcome with one set, to be stored.
pub(super) struct StoredOutcome<'r> {
    pub(super) figure: FigureId,
    pub(super) signature: &'r Signature,
    pub(super) set: SetId,
    pub(super) report: &'r Report,
    /// Wall-clock microseconds, if it was counted just now.
    pub(super) micros: Option<u64>,
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
    /// The number of outcomes that were new or better than those in the catalog.
    pub(super) changed: u64,
}

impl<'a> OutcomeStore<'a> {
    pub(super) fn new(transaction: &'a Connection, run: RunId) -> rusqlite::Result<Self> {
        let outcome = Upsert::new(
            transaction,
            "INSERT INTO outcome VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (figure_id, set_id) DO NOTHING",
            // An exact outcome stays, and so does the bound that took more work. The result therefore does not
            // depend on the order of the counts. An equal row, which a group may have stored just now, is no change.
            &format!(
                "UPDATE outcome SET verdict_id = ?3, reason_id = ?4, error = ?5, raw = ?6,
                    rotation = ?7, \"unique\" = ?8, nodes = ?9, engine_id = ?10, checksum = ?11
                 WHERE figure_id = ?1 AND set_id = ?2 AND verdict_id NOT IN ({exact})
                     AND (?3 IN ({exact}) OR ?9 >= nodes) AND checksum IS NOT ?11",
                exact = exact_verdicts()
            ),
            ("INSERT OR IGNORE INTO outcome VALUES", 11),
        )?;
        let insert_timing =
            "INSERT INTO timing VALUES (?1, ?2, ?3, ?4) ON CONFLICT (figure_id, set_id) DO NOTHING";
        let timing_group = ("INSERT OR IGNORE INTO timing VALUES", 4);
        let timing = Upsert::new(
            transaction,
            insert_timing,
            "UPDATE timing SET run_id = ?3, micros = ?4 WHERE figure_id = ?1 AND set_id = ?2",
            timing_group,
        )?;
        let given_up = Upsert::new(
            transaction,
            insert_timing,
            "UPDATE timing SET run_id = ?3, micros = max(micros, ?4)
             WHERE figure_id = ?1 AND set_id = ?2",
            timing_group,
        )?;
        let known = transaction.prepare_cached(
            "SELECT verdict_id, COALESCE(reason_id, 0) FROM outcome
             WHERE figure_id = ? AND set_id = ?",
        )?;
        let totals = MemberTotals::new(transaction)?;
        let sets = transaction.prepare_cached("SELECT checksum FROM piece_set WHERE id = ?")?;
        Ok(Self { outcome, timing, given_up, known, totals, run, sets, set: None, changed: 0 })
    }

    /// Stores outcomes, as [`Self::put`] does with each.
    pub(super) fn put_all(
        &mut self,
        rows: &[StoredOutcome<'_>],
    ) -> rusqlite::Result<Vec<StoredReport>> {
        let mut stored = Vec::with_capacity(rows.len());
        for group in rows.chunks(GROUP) {
            let sums = group.iter().map(|row| self.checksum_of_set(row.set));
            let mut sums = sums.collect::<rusqlite::Result<Vec<i64>>>()?.into_iter();
            let new = self.outcome.put_group(group, |row, group| {
                let sum = sums.next().expect("a sum for each row");
                row.with_values(sum, |values| group.bind(values))
            })?;
            self.changed += new as u64;
            for row in group {
                if new == GROUP {
                    self.put_timing(row)?;
                    stored.push((row.report.outcome.verdict(), row.report.outcome.reason()));
                } else {
                    stored.push(self.put(row)?);
                }
            }
        }
        Ok(stored)
    }

    /// Stores one outcome. Keeps the time of searches, and of failures, so that the next attempt comes after other
    /// figures. Returns the resulting verdict and reason in the catalog.
    pub(super) fn put(&mut self, row: &StoredOutcome<'_>) -> rusqlite::Result<StoredReport> {
        let &StoredOutcome { figure, set, report, .. } = row;
        let sum = self.checksum_of_set(set)?;
        let mut known = (report.outcome.verdict(), report.outcome.reason());
        self.changed += 1;
        if !row.with_values(sum, |values| self.outcome.insert(values))? {
            let before: StoredVerdict =
                self.known.query_row(params![figure, set], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let after = (known.0.code(), known.1.map_or(0, Code::code));
            if row.with_values(sum, |values| self.outcome.update.execute(values))? == 0 {
                self.changed -= 1;
                // `catalog check` reports a code that is not valid.
                let verdict = Verdict::of_code(before.0).unwrap_or(known.0);
                known = (verdict, Reason::of_code(before.1));
            } else if before != after {
                self.totals.change(figure, set, before, after)?;
            }
        }
        self.put_timing(row)?;
        Ok(known)
    }

    fn checksum_of_set(&mut self, set: SetId) -> rusqlite::Result<i64> {
        let sum = match self.set {
            Some((last, sum)) if last == set => sum,
            _ => self.sets.query_row([set], |row| row.get(0))?,
        };
        self.set = Some((set, sum));
        Ok(sum)
    }

    fn put_timing(&mut self, row: &StoredOutcome<'_>) -> rusqlite::Result<()> {
        let &StoredOutcome { figure, set, report, micros, .. } = row;
        let tried = report.engine.is_some() || matches!(report.outcome, Outcome::Failed(_));
        match micros.filter(|&micros| micros > 0 && tried) {
            Some(micros) => self.timing.put(params![figure, set, self.run, micros.cast_signed()]),
            None => Ok(()),
        }
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

impl<'r> StoredOutcome<'r> {
    pub(super) const fn of(row: &'r CountedRow, figure: FigureId, set: SetId) -> Self {
        let CountedRow { columns, report, micros } = row;
        Self { figure, signature: &columns.signature, set, report, micros: *micros }
    }

    /// Calls `take` with the values of the row. `set_sum` is the checksum of its set.
    fn with_values<T>(&self, set_sum: i64, take: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        let &StoredOutcome { figure, signature, set, report, .. } = self;
        let outcome = &report.outcome;
        let error = if let Outcome::Failed(error) = outcome { Some(error) } else { None };
        let (verdict, reason) = (outcome.verdict().code(), outcome.reason().map(Code::code));
        let (raw, rotation, unique) = (
            count_value(outcome.raw()),
            count_value(outcome.rotation()),
            count_value(outcome.unique()),
        );
        // 0 if the work was shared by several figures.
        let nodes = report.nodes.unwrap_or(0).cast_signed();
        let engine = report.engine.map(Code::code);
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
        take(params![
            figure, set, verdict, reason, error, raw, rotation, unique, nodes, engine, checksum
        ])
    }
}

/// Verdict and reason in the catalog.
type StoredReport = (Verdict, Option<Reason>);

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
