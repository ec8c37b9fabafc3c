//! Enumerations and censuses in the catalog: where each goes on, what it came to, what is kept of it.

use super::rows::{Figures, Outcomes};
use super::totals::Totals;
use super::words::Code;
use super::{Catalog, CatalogError, EnumerationId, FigureId, RunId, Session, SetId};
use crate::enumerate::Place;
use crate::figure::Candidate;
use crate::outcome::{Outcome, Reason, Report, Verdict};
use crate::symmetry::Class;
use rusqlite::{OptionalExtension, Transaction, params};
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
    /// Where it goes on.
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
            transaction.execute(
                "INSERT OR IGNORE INTO enumeration (question, label, set_id, keep, limited)
                 VALUES (?, ?, ?, ?, ?)",
                params![question, label, set, keep.word(), limit],
            )?;
            transaction.query_row(
                "SELECT id, shard, listed, complete FROM enumeration
                 WHERE question = ? AND set_id = ? AND keep = ? AND limited = ?",
                params![question, set, keep.word(), limit],
                |row| {
                    let place = Place { shard: row.get(1)?, figures: row.get(2)? };
                    Ok(EnumerationState { id: row.get(0)?, place, complete: row.get(3)? })
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
    /// If SQLite fails; nothing is kept then, and the enumeration goes on from where it was.
    pub fn advance(
        &mut self,
        enumeration: EnumerationId,
        set: SetId,
        advance: &Advance<'_>,
    ) -> Result<u64, CatalogError> {
        let run = self.run;
        self.catalog.write("note how far an enumeration is", |transaction| {
            let new = put_counted(transaction, run, enumeration, set, &advance.kept)?;
            add_totals(transaction, enumeration, advance.breakdown)?;
            let Place { shard, figures } = advance.place;
            transaction
                .prepare_cached("UPDATE enumeration SET shard = ?, listed = ? WHERE id = ?")?
                .execute(params![shard.cast_signed(), figures.cast_signed(), enumeration])?;
            credit(transaction, run, advance.done)?;
            Ok(new)
        })
    }

    /// Notes that an enumeration came to its end.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn complete(&mut self, enumeration: EnumerationId) -> Result<(), CatalogError> {
        self.catalog.write("note the end of an enumeration", |transaction| {
            let sql = "UPDATE enumeration SET complete = 1 WHERE id = ?";
            transaction.execute(sql, [enumeration]).map(|_| ())
        })
    }
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
