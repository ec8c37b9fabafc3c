//! Enumerations in the catalog: where each goes on, what it came to, what is kept of it.

use super::rows::{Figures, Outcomes};
use super::runs::Totals;
use super::store::{EntryRow, OutcomeRow};
use super::words::{reason_id, reason_word, verdict_id, verdict_word};
use super::{Catalog, CatalogError};
use crate::enumerate::Place;
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
    Solvable,
    /// Numbers only, class by class.
    Totals,
}

impl Keep {
    /// The word used in plans and columns.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Solvable => "solvable",
            Self::Totals => "totals",
        }
    }
}

/// An enumeration the catalog knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownEnumeration {
    /// Its number.
    pub id: i64,
    /// Where it goes on.
    pub place: Place,
    /// Whether it came to its end.
    pub complete: bool,
}

/// Verdict and reason of an outcome.
pub type Word = (String, Option<String>);

/// A figure that was identified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identified {
    /// Its number.
    pub figure_id: i64,
    /// Whether the catalog did not know it before.
    pub new: bool,
    /// What is known of it with the enumeration's set.
    pub outcome: Option<Word>,
}

/// Figures of a stretch of an enumeration by class, verdict and reason.
pub type Tallied = BTreeMap<(Class, Word), u64>;

impl Catalog {
    /// Finds an enumeration, or notes a new one. `limited` is the most nodes a figure, 0 for no
    /// limit: it matters where the figures themselves are not kept.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumeration(
        &mut self,
        label: &str,
        set_id: i64,
        keep: Keep,
        limited: u64,
    ) -> Result<KnownEnumeration, CatalogError> {
        let key = params![label, set_id, keep.as_str(), limited.cast_signed()];
        self.connection.execute(
            "INSERT OR IGNORE INTO enumeration (label, set_id, keep, limited) VALUES (?, ?, ?, ?)",
            key,
        )?;
        Ok(self.connection.query_row(
            "SELECT id, shard, listed, complete FROM enumeration
             WHERE label = ? AND set_id = ? AND keep = ? AND limited = ?",
            key,
            |row| {
                let place = Place { shard: row.get(1)?, figures: row.get(2)? };
                Ok(KnownEnumeration { id: row.get(0)?, place, complete: row.get(3)? })
            },
        )?)
    }

    /// Takes in figures of an enumeration, all of one set.
    ///
    /// # Errors
    /// If SQLite fails; nothing of the batch is kept then.
    pub fn identify(
        &mut self,
        enumeration: i64,
        entries: &[EntryRow],
    ) -> Result<Vec<Identified>, CatalogError> {
        let transaction = self.transaction()?;
        let identified = identify(&transaction, enumeration, entries)?;
        transaction.commit()?;
        Ok(identified)
    }

    /// Notes that an enumeration came to `place`, what the figures up to there came to, and those of
    /// them that are kept but not identified yet; returns how many of these are new. `done` are the
    /// figures that the run has not been credited with.
    ///
    /// # Errors
    /// If SQLite fails; nothing is kept then, and the enumeration goes on from where it was.
    pub fn advance(
        &mut self,
        run: i64,
        enumeration: i64,
        place: Place,
        tallied: &Tallied,
        done: u64,
        kept: Vec<(EntryRow, OutcomeRow)>,
    ) -> Result<u64, CatalogError> {
        let transaction = self.transaction()?;
        let added = put_kept(&transaction, run, enumeration, kept)?;
        for ((class, (verdict, reason)), figures) in tallied {
            let reason = reason.as_deref().and_then(reason_id).unwrap_or(0);
            transaction
                .prepare_cached(
                    "INSERT INTO enumeration_total VALUES (?, ?, ?, ?, ?)
                     ON CONFLICT DO UPDATE SET figures = figures + excluded.figures",
                )?
                .execute(params![
                    enumeration,
                    class.number(),
                    verdict_id(verdict),
                    reason,
                    figures.cast_signed()
                ])?;
        }
        transaction
            .prepare_cached("UPDATE enumeration SET shard = ?, listed = ? WHERE id = ?")?
            .execute(params![
                place.shard.cast_signed(),
                place.figures.cast_signed(),
                enumeration
            ])?;
        transaction
            .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
            .execute(params![done.cast_signed(), run])?;
        transaction.commit()?;
        Ok(added)
    }

    /// Keeps figures of an enumeration with their outcomes, without a word on how far it is; returns
    /// how many are new.
    ///
    /// # Errors
    /// If SQLite fails; nothing of it is kept then.
    pub fn keep(
        &mut self,
        run: i64,
        enumeration: i64,
        kept: Vec<(EntryRow, OutcomeRow)>,
    ) -> Result<u64, CatalogError> {
        let transaction = self.transaction()?;
        let added = put_kept(&transaction, run, enumeration, kept)?;
        transaction.commit()?;
        Ok(added)
    }

    /// Notes that an enumeration came to its end.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn complete_enumeration(&mut self, enumeration: i64) -> Result<(), CatalogError> {
        let sql = "UPDATE enumeration SET complete = 1 WHERE id = ?";
        self.connection.execute(sql, [enumeration])?;
        Ok(())
    }

    /// What an enumeration came to so far.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumeration_totals(&self, enumeration: i64) -> Result<Totals, CatalogError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT v.name, r.name, sum(t.figures) FROM enumeration_total t
             JOIN verdict v ON v.id = t.verdict_id LEFT JOIN reason r ON r.id = t.reason_id
             WHERE t.enumeration_id = ? GROUP BY t.verdict_id, t.reason_id",
        )?;
        let mut rows = statement.query([enumeration])?;
        let mut totals = Totals::default();
        while let Some(row) = rows.next()? {
            let (verdict, reason): (String, Option<String>) = (row.get(0)?, row.get(1)?);
            totals.add(Some(&verdict), reason.as_deref(), row.get(2)?);
        }
        Ok(totals)
    }

    /// Makes an enumeration's figures figures of the present run.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn add_to_run(&mut self, enumeration: i64, set_id: i64) -> Result<(), CatalogError> {
        self.connection.execute(
            "INSERT OR IGNORE INTO temp.run_figure
             SELECT figure_id, ? FROM enumerated WHERE enumeration_id = ?",
            [set_id, enumeration],
        )?;
        Ok(())
    }
}

/// The statement that makes a figure one of an enumeration.
const ENUMERATED: &str = "INSERT OR IGNORE INTO enumerated VALUES (?, ?)";

/// Figures of an enumeration, found or made, with what is known of them.
fn identify(
    transaction: &Transaction<'_>,
    enumeration: i64,
    entries: &[EntryRow],
) -> rusqlite::Result<Vec<Identified>> {
    let mut figures = Figures::new(transaction)?;
    let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
    let mut known = transaction.prepare_cached(
        "SELECT verdict_id, reason_id FROM outcome WHERE figure_id = ? AND set_id = ?",
    )?;
    let mut identified = Vec::with_capacity(entries.len());
    for entry in entries {
        let (figure_id, new) = figures.id(entry)?;
        let numbers: Option<(i64, Option<i64>)> = match new {
            true => None,
            false => known
                .query_row([figure_id, entry.set_id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?,
        };
        let outcome = numbers.and_then(|(verdict, reason)| {
            let reason = reason.and_then(reason_word).map(str::to_owned);
            Some((verdict_word(verdict)?.to_owned(), reason))
        });
        enumerated.execute([enumeration, figure_id])?;
        identified.push(Identified { figure_id, new, outcome });
    }
    Ok(identified)
}

/// Figures with their outcomes; returns how many are new.
fn put_kept(
    transaction: &Transaction<'_>,
    run: i64,
    enumeration: i64,
    kept: Vec<(EntryRow, OutcomeRow)>,
) -> rusqlite::Result<u64> {
    let (mut figures, mut outcomes) =
        (Figures::new(transaction)?, Outcomes::new(transaction, run)?);
    let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
    let mut added = 0;
    for (entry, mut outcome) in kept {
        let (figure_id, new) = figures.id(&entry)?;
        added += u64::from(new);
        outcome.figure_id = figure_id;
        outcomes.put(&outcome)?;
        enumerated.execute([enumeration, figure_id])?;
    }
    Ok(added)
}
