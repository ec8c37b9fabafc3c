//! Enumerations and censuses in the catalog: where each goes on, what it came to, what is kept of it.

use super::rows::{Figures, Outcomes};
use super::totals::Totals;
use super::words::{Code, buildable_verdicts};
use super::{Catalog, CatalogError, EnumerationId, FigureId, RunId, Session, SetId};
use crate::enumerate::Place;
use crate::figure::Candidate;
use crate::outcome::{Outcome, Reason, Report, Verdict};
use crate::symmetry::Class;
use flate2::Crc;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::BTreeMap;

/// What is kept of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Every figure.
    #[default]
    All,
    /// Figures with a packing; the others in numbers.
    Buildable,
    /// Numbers only, class by class.
    Totals,
}

impl Keep {
    /// The word in the column `keep`.
    const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Buildable => "solvable",
            Self::Totals => "totals",
        }
    }
}

/// What tells an enumeration from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumerationKey<'a> {
    /// The question, normalized, with the version of the algorithm that cuts it into parts.
    pub question: &'a str,
    /// The question in words.
    pub label: &'a str,
    /// The set that the figures are counted with.
    pub set: SetId,
    /// What is kept.
    pub keep: Keep,
    /// The most nodes a figure, 0 for no limit: it matters where the figures themselves are not kept.
    pub limit: u64,
}

/// How far an enumeration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EnumerationState {
    /// Its number.
    pub id: EnumerationId,
    /// The set that its figures are counted with.
    pub set: SetId,
    /// Where it goes on, as the catalog has it.
    pub place: Place,
    /// Whether it came to its end.
    pub complete: bool,
}

/// A figure of an enumeration that the catalog has looked up or added.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Member {
    /// Its number.
    pub figure: FigureId,
    /// Whether the catalog did not know it before.
    pub new: bool,
    /// What is known of it with the enumeration's set.
    pub verdict: Option<(Verdict, Option<Reason>)>,
}

/// Figures of a stretch of an enumeration by class, verdict and reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breakdown(BTreeMap<(Class, Verdict, Option<Reason>), u64>);

impl Breakdown {
    /// Adds a figure.
    pub fn add(&mut self, class: Class, verdict: Verdict, reason: Option<Reason>) {
        *self.0.entry((class, verdict, reason)).or_default() += 1;
    }

    /// Adds a figure with its outcome.
    pub fn add_outcome(&mut self, class: Class, outcome: &Outcome) {
        self.add(class, outcome.verdict(), outcome.reason());
    }

    /// The number of figures.
    #[must_use]
    pub fn figures(&self) -> u64 {
        self.0.values().sum()
    }
}

/// A figure with its outcome, on its way in.
#[derive(Clone, Debug)]
pub struct CountedRow {
    /// The figure.
    pub candidate: Candidate,
    /// What counting came to.
    pub report: Report,
    /// Wall-clock microseconds, if this figure was counted by itself.
    pub micros: Option<u64>,
}

/// How far an enumeration has come since it was last noted.
#[derive(Debug)]
pub struct Advance<'a> {
    /// Where it goes on.
    pub place: Place,
    /// What the figures up to there came to.
    pub breakdown: &'a Breakdown,
    /// Those of them that are kept and not in the catalog yet.
    pub kept: Vec<CountedRow>,
    /// Figures that the run has not been credited with.
    pub done: u64,
}

impl Session {
    /// Looks an enumeration up, or adds it.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumeration(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, CatalogError> {
        let EnumerationKey { question, label, set, keep, limit } = key;
        let limit = limit.cast_signed();
        self.catalog.write("keep an enumeration", |transaction| {
            let added = transaction.execute(
                "INSERT OR IGNORE INTO enumeration (question, label, set_id, keep, limited)
                 VALUES (?, ?, ?, ?, ?)",
                params![question, label, set, keep.word(), limit],
            )?;
            if added > 0 {
                seal(transaction, EnumerationId(transaction.last_insert_rowid()))?;
            }
            transaction.query_row(
                "SELECT id, shard, listed, complete FROM enumeration
                 WHERE question = ? AND set_id = ? AND keep = ? AND limited = ?",
                params![question, set, keep.word(), limit],
                |row| {
                    let place = Place { shard: row.get(1)?, figures: row.get(2)? };
                    Ok(EnumerationState { id: row.get(0)?, set, place, complete: row.get(3)? })
                },
            )
        })
    }

    /// Takes in figures of an enumeration, all to be counted with one set.
    ///
    /// # Errors
    /// If SQLite fails; nothing of the batch is kept then.
    pub fn add_members(
        &mut self,
        enumeration: EnumerationId,
        set: SetId,
        candidates: &[Candidate],
    ) -> Result<Vec<Member>, CatalogError> {
        self.catalog.write("keep figures of an enumeration", |transaction| {
            members(transaction, enumeration, set, candidates)
        })
    }

    /// Notes how far an enumeration has come, in one transaction with what is kept of the figures up to there;
    /// returns how many of these are new.
    ///
    /// # Errors
    /// If another program has moved its place meanwhile, or SQLite fails; nothing is kept then, and the enumeration
    /// goes on from where it was.
    pub fn advance(
        &mut self,
        state: &mut EnumerationState,
        advance: &Advance<'_>,
    ) -> Result<u64, CatalogError> {
        let (run, EnumerationState { id, set, place: from, .. }) = (self.run, *state);
        let to = advance.place;
        let noted = self.catalog.write("note how far an enumeration is", |transaction| {
            let moved = transaction
                .prepare_cached(
                    "UPDATE enumeration SET shard = ?, listed = ?
                     WHERE id = ? AND shard = ? AND listed = ? AND NOT complete",
                )?
                .execute(params![
                    to.shard.cast_signed(),
                    to.figures.cast_signed(),
                    id,
                    from.shard.cast_signed(),
                    from.figures.cast_signed()
                ])?;
            if moved == 0 {
                return Ok(None);
            }
            let new = put_counted(transaction, run, id, set, &advance.kept)?;
            add_totals(transaction, id, advance.breakdown)?;
            seal(transaction, id)?;
            credit(transaction, run, advance.done)?;
            Ok(Some(new))
        })?;
        let new = noted.ok_or_else(|| CatalogError::Overtaken(self.catalog.path().to_owned()))?;
        state.place = to;
        Ok(new)
    }

    /// Notes that an enumeration came to its end.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn complete(&mut self, enumeration: EnumerationId) -> Result<(), CatalogError> {
        self.catalog.write("note the end of an enumeration", |transaction| {
            let sql = "UPDATE enumeration SET complete = 1 WHERE id = ?";
            transaction.execute(sql, [enumeration])?;
            seal(transaction, enumeration)
        })
    }
}

/// Renews the checksum over what an enumeration says of itself: an edited place, flag or total shows.
pub(super) fn seal(connection: &Connection, enumeration: EnumerationId) -> rusqlite::Result<()> {
    let sum = checksum(connection, enumeration)?;
    connection
        .prepare_cached("UPDATE enumeration SET checksum = ? WHERE id = ?")?
        .execute(params![sum, enumeration])
        .map(|_| ())
}

/// The CRC-32 of an enumeration's question, place and totals.
pub(super) fn checksum(
    connection: &Connection,
    enumeration: EnumerationId,
) -> rusqlite::Result<u32> {
    let mut crc = Crc::new();
    for sql in [
        "SELECT e.question, p.definition, e.keep, e.limited, e.shard, e.listed, e.complete
         FROM enumeration e JOIN piece_set p ON p.id = e.set_id WHERE e.id = ?",
        "SELECT class_id, verdict_id, reason_id, figures FROM enumeration_total
         WHERE enumeration_id = ? ORDER BY class_id, verdict_id, reason_id",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([enumeration])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                let value: Value = row.get(column)?;
                crc.update(format!("{value:?} ").as_bytes());
            }
        }
    }
    Ok(crc.sum())
}

impl Catalog {
    /// What an enumeration came to so far.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumeration_totals(&self, enumeration: EnumerationId) -> Result<Totals, CatalogError> {
        self.totals(
            "SELECT verdict_id, nullif(reason_id, 0), sum(figures) FROM enumeration_total
             WHERE enumeration_id = ? GROUP BY verdict_id, reason_id",
            [enumeration],
        )
    }
}

/// What is wrong with an enumeration, by its number and its question in words: it says something that nobody wrote, or
/// does not hold the figures that it should.
pub(super) fn unsound(
    connection: &Connection,
) -> rusqlite::Result<Vec<(EnumerationId, String, String)>> {
    let mut statement = connection.prepare(&format!(
        "SELECT e.id, e.label, e.keep, e.complete, e.checksum,
            (SELECT count(*) FROM enumerated x WHERE x.enumeration_id = e.id),
            (SELECT COALESCE(sum(figures), 0) FROM enumeration_total t
             WHERE t.enumeration_id = e.id AND (e.keep = '{}' OR t.verdict_id IN ({})))
         FROM enumeration e",
        Keep::All.word(),
        buildable_verdicts(),
    ))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, label): (EnumerationId, String) = (row.get(0)?, row.get(1)?);
        let (keep, complete): (String, bool) = (row.get(2)?, row.get(3)?);
        let (noted, kept, counted): (u32, u64, u64) = (row.get(4)?, row.get(5)?, row.get(6)?);
        // Figures are listed a little ahead of the place where every one of them is kept.
        let ahead = keep == Keep::All.word() && !complete;
        let right = keep == Keep::Totals.word() || kept == counted || (ahead && kept > counted);
        if checksum(connection, id)? != noted {
            found.push((id, label, "its place and totals do not fit its checksum".to_owned()));
        } else if !right {
            found.push((id, label, format!("{kept} figures kept of {counted}")));
        }
    }
    Ok(found)
}

/// Forgets an enumeration, not its figures: asked again, it begins anew. Returns the rows of each table.
pub(super) fn forget(
    connection: &Connection,
    enumeration: EnumerationId,
) -> rusqlite::Result<[(&'static str, u64); 3]> {
    let mut lost = [("enumerated", 0), ("enumeration_total", 0), ("enumeration", 0)];
    for ((table, rows), key) in lost.iter_mut().zip(["enumeration_id", "enumeration_id", "id"]) {
        let sql = format!("DELETE FROM {table} WHERE {key} = ?");
        *rows = connection.execute(&sql, [enumeration])? as u64;
    }
    Ok(lost)
}

/// The statement that makes a figure one of an enumeration.
const ENUMERATED: &str = "INSERT OR IGNORE INTO enumerated VALUES (?, ?)";

/// Figures of an enumeration, looked up or added, with what is known of them.
fn members(
    transaction: &Transaction<'_>,
    enumeration: EnumerationId,
    set: SetId,
    candidates: &[Candidate],
) -> rusqlite::Result<Vec<Member>> {
    let mut figures = Figures::new(transaction)?;
    let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
    let mut known = transaction.prepare_cached(
        "SELECT verdict_id, reason_id FROM outcome WHERE figure_id = ? AND set_id = ?",
    )?;
    let mut members = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let (figure, new) = figures.id(candidate.columns())?;
        let codes: Option<(i64, Option<i64>)> = match new {
            true => None,
            false => known
                .query_row(params![figure, set], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?,
        };
        let verdict = codes.and_then(|(verdict, reason)| {
            Some((Verdict::of_code(verdict)?, reason.and_then(Reason::of_code)))
        });
        enumerated.execute(params![enumeration, figure])?;
        members.push(Member { figure, new, verdict });
    }
    Ok(members)
}

/// Figures with their outcomes; returns how many are new.
fn put_counted(
    transaction: &Transaction<'_>,
    run: RunId,
    enumeration: EnumerationId,
    set: SetId,
    rows: &[CountedRow],
) -> rusqlite::Result<u64> {
    let (mut figures, mut outcomes) =
        (Figures::new(transaction)?, Outcomes::new(transaction, run)?);
    let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
    let mut added = 0;
    for CountedRow { candidate, report, micros } in rows {
        let (figure, new) = figures.id(candidate.columns())?;
        added += u64::from(new);
        outcomes.put(figure, set, report, *micros)?;
        enumerated.execute(params![enumeration, figure])?;
    }
    Ok(added)
}

/// Adds figures to what an enumeration came to.
fn add_totals(
    transaction: &Transaction<'_>,
    enumeration: EnumerationId,
    breakdown: &Breakdown,
) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO enumeration_total VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET figures = figures + excluded.figures",
    )?;
    for ((class, verdict, reason), figures) in &breakdown.0 {
        // Part of the key, which may not be empty.
        let reason = reason.map_or(0, Code::code);
        let figures = figures.cast_signed();
        statement.execute(params![enumeration, class.number(), verdict.code(), reason, figures])?;
    }
    Ok(())
}

/// Credits the run with figures.
pub(super) fn credit(
    transaction: &Transaction<'_>,
    run: RunId,
    figures: u64,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
        .execute(params![figures.cast_signed(), run])
        .map(|_| ())
}
