//! Enumerations and censuses in the catalog: where each goes on, what it came to, what is kept of it.

use super::checksum::{checksum, seal};
use super::plain::plain_class;
use super::rows::{Figures, Outcomes};
use super::totals::Totals;
use super::words::{Code, buildable_verdicts};
use super::{Catalog, CatalogError, EnumerationId, FigureId, RunId, Session, SetId};
use crate::enumerate::Place;
use crate::figure::{Columns, Signature};
use crate::outcome::{Outcome, Reason, Report, Verdict};
use crate::symmetry::Class;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The figures that an enumeration keeps, in plans and work units by their words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Every figure.
    #[default]
    All,
    /// Figures with a packing; the others in numbers.
    #[serde(rename = "solvable")]
    Buildable,
    /// Numbers only, class by class.
    Totals,
}

impl Keep {
    /// The word in the column `keep`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Buildable => "solvable",
            Self::Totals => "totals",
        }
    }

    /// Returns whether a figure with this verdict is kept.
    #[must_use]
    pub const fn keeps(self, verdict: Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Buildable => verdict.is_buildable(),
            Self::Totals => false,
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// Why it begins anew, if what the catalog had of it was not sound.
    pub damage: Option<String>,
}

/// A figure that the catalog has an outcome of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct KnownFigure {
    /// The row of the figure.
    pub figure: FigureId,
    /// The class of its group.
    pub class: Class,
    /// The verdict with the set that was asked about.
    pub verdict: Verdict,
    /// The reason, if it cannot be built.
    pub reason: Option<Reason>,
}

/// Figures of a stretch of an enumeration by class, verdict and reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breakdown(BTreeMap<(Class, Verdict, Option<Reason>), u64>);

impl Breakdown {
    /// Adds a figure.
    pub fn add(&mut self, class: Class, verdict: Verdict, reason: Option<Reason>) {
        self.add_many(class, verdict, reason, 1);
    }

    /// Adds a figure with its outcome.
    pub fn add_outcome(&mut self, class: Class, outcome: &Outcome) {
        self.add(class, outcome.verdict(), outcome.reason());
    }

    /// Adds so many figures.
    pub fn add_many(
        &mut self,
        class: Class,
        verdict: Verdict,
        reason: Option<Reason>,
        figures: u64,
    ) {
        *self.0.entry((class, verdict, reason)).or_default() += figures;
    }

    /// Adds the figures of another stretch.
    pub fn add_all(&mut self, other: &Self) {
        other
            .iter()
            .for_each(|(class, verdict, reason, n)| self.add_many(class, verdict, reason, n));
    }

    /// Class, verdict, reason and number of figures, in this order.
    pub fn iter(&self) -> impl Iterator<Item = (Class, Verdict, Option<Reason>, u64)> {
        self.0.iter().map(|(&(class, verdict, reason), &figures)| (class, verdict, reason, figures))
    }

    /// The figures that an enumeration keeps, if it keeps these.
    #[must_use]
    pub fn kept(&self, keep: Keep) -> Self {
        let kept = self.0.iter().filter(|((_, verdict, _), _)| keep.keeps(*verdict));
        Self(kept.map(|(key, figures)| (*key, *figures)).collect())
    }

    /// The number of figures.
    #[must_use]
    pub fn figures(&self) -> u64 {
        self.0.values().sum()
    }
}

/// A figure with its outcome, on its way in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CountedRow {
    /// The figure.
    pub columns: Columns,
    /// What counting came to.
    pub report: Report,
    /// Wall-clock microseconds, if this figure was counted by itself.
    pub micros: Option<u64>,
}

impl CountedRow {
    /// Makes a row.
    #[must_use]
    pub const fn new(columns: Columns, report: Report, micros: Option<u64>) -> Self {
        Self { columns, report, micros }
    }
}

/// How far an enumeration has come since it was last noted.
#[derive(Debug)]
pub struct Advance<'a> {
    /// Where it goes on.
    pub place: Place,
    /// Totals of the figures up to there; `None` if all of them are kept. Then the catalog's outcomes count, which may
    /// be better than those in `kept`.
    pub breakdown: Option<&'a Breakdown>,
    /// Those of them that are kept and whose outcomes the catalog had before.
    pub known: &'a [KnownFigure],
    /// The other figures that are kept.
    pub kept: &'a [CountedRow],
    /// Figures that the run has not been credited with.
    pub done: u64,
}

impl Session {
    /// Looks an enumeration up, or adds it. One that is damaged is forgotten, not its figures, and begins anew.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn enumeration(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, CatalogError> {
        self.catalog.write("keep an enumeration", |transaction| {
            let state = look_up(transaction, key)?;
            match problem(transaction, state.id, Depth::Numbers)? {
                None => Ok(state),
                damage => {
                    forget(transaction, state.id)?;
                    Ok(EnumerationState { damage, ..look_up(transaction, key)? })
                }
            }
        })
    }

    /// Lets an enumeration begin anew. What the catalog knows of its figures stays.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn begin_anew(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, CatalogError> {
        self.catalog.write("let an enumeration begin anew", |transaction| {
            forget(transaction, look_up(transaction, key)?.id)?;
            look_up(transaction, key)
        })
    }

    /// Keeps what figures came to that belong to no enumeration.
    ///
    /// # Errors
    /// If SQLite fails; nothing of the batch is kept then.
    pub fn keep_counted(&mut self, rows: &[(SetId, CountedRow)]) -> Result<(), CatalogError> {
        let run = self.run;
        self.catalog.write("keep outcomes", |transaction| {
            let (mut figures, mut outcomes) =
                (Figures::new(transaction)?, Outcomes::new(transaction, run)?);
            for (set, CountedRow { columns, report, micros }) in rows {
                let (figure, _) = figures.id(columns)?;
                outcomes.put(figure, *set, report, *micros)?;
            }
            outcomes.finish()?;
            credit(transaction, run, rows.len() as u64)
        })
    }

    /// Looks up outcomes of figures with one set; `None` for figures without one.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn known_figures(
        &self,
        set: SetId,
        figures: &[&Signature],
    ) -> Result<Vec<Option<KnownFigure>>, CatalogError> {
        self.catalog.read("look up figures of an enumeration", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT f.id, f.class_id, o.verdict_id, o.reason_id FROM figure f
                 JOIN outcome o ON o.figure_id = f.id AND o.set_id = ?2 WHERE f.signature = ?1",
            )?;
            let mut find = |signature: &&Signature| {
                let row = statement.query_row(params![signature.as_str(), set], |row| {
                    let class = plain_class(row.get(1)?).ok();
                    let verdict = Verdict::of_code(row.get(2)?);
                    let reason: Option<i64> = row.get(3)?;
                    let reason = reason.and_then(Reason::of_code);
                    let figure = row.get(0)?;
                    let known = |(class, verdict)| KnownFigure { figure, class, verdict, reason };
                    Ok(class.zip(verdict).map(known))
                });
                Ok(row.optional()?.flatten())
            };
            figures.iter().map(&mut find).collect()
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
        let (run, &mut EnumerationState { id, set, place: from, .. }) = (self.run, &mut *state);
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
            let (new, mut kept) = put_counted(transaction, run, id, set, advance.kept)?;
            let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
            for known in advance.known {
                enumerated.execute(params![id, known.figure])?;
                kept.add(known.class, known.verdict, known.reason);
            }
            add_totals(transaction, id, advance.breakdown.unwrap_or(&kept))?;
            seal(transaction, id)?;
            credit(transaction, run, advance.done)?;
            Ok(Some(new))
        })?;
        let new = noted.ok_or_else(|| CatalogError::Overtaken(self.catalog.path().to_owned()))?;
        state.place = to;
        Ok(new)
    }

    /// Notes that an enumeration came to its end, with so many figures if their number is known beforehand.
    ///
    /// # Errors
    /// If it has another number of figures, and then begins anew, or SQLite fails.
    pub fn complete(
        &mut self,
        enumeration: EnumerationId,
        known: Option<u128>,
    ) -> Result<(), CatalogError> {
        let wrong = self.catalog.write("note the end of an enumeration", |transaction| {
            let (label, figures): (String, u64) = transaction.query_row(
                "SELECT label, (SELECT COALESCE(sum(figures), 0) FROM enumeration_total
                 WHERE enumeration_id = e.id) FROM enumeration e WHERE id = ?",
                [enumeration],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            if let Some(known) = known.filter(|known| *known != u128::from(figures)) {
                forget(transaction, enumeration)?;
                return Ok(Some((label, figures, known)));
            }
            // The last place depends on who listed the figures, and in how many stretches.
            let sql = "UPDATE enumeration SET complete = 1, shard = 0, listed = 0 WHERE id = ?";
            transaction.execute(sql, [enumeration])?;
            seal(transaction, enumeration)?;
            Ok(None)
        })?;
        match wrong {
            None => Ok(()),
            Some((label, figures, known)) => {
                Err(CatalogError::WrongTotal { label, figures, known })
            }
        }
    }
}

fn look_up(
    transaction: &Transaction<'_>,
    key: EnumerationKey<'_>,
) -> rusqlite::Result<EnumerationState> {
    let EnumerationKey { question, label, set, keep, limit } = key;
    let limit = limit.cast_signed();
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
            // An edited one may be negative: the checksum tells.
            let (shard, figures): (i64, i64) = (row.get(1)?, row.get(2)?);
            let place = Place { shard: shard.cast_unsigned(), figures: figures.cast_unsigned() };
            let (id, complete) = (row.get(0)?, row.get(3)?);
            Ok(EnumerationState { id, set, place, complete, damage: None })
        },
    )
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

/// How closely an enumeration is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// What it says of itself, and the number of its figures.
    Numbers,
    /// Every figure of it.
    Figures,
}

/// What is wrong with enumerations, by number and question in words: one says something that nobody wrote, or its
/// figures are not those that it counted.
pub(super) fn unsound(
    connection: &Connection,
) -> rusqlite::Result<Vec<(EnumerationId, String, String)>> {
    let mut statement = connection.prepare("SELECT id, label FROM enumeration ORDER BY id")?;
    let all = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let all: Vec<(EnumerationId, String)> = all.collect::<rusqlite::Result<_>>()?;
    let mut found = Vec::new();
    for (id, label) in all {
        found.extend(problem(connection, id, Depth::Figures)?.map(|problem| (id, label, problem)));
    }
    Ok(found)
}

/// What is wrong with an enumeration, if anything is.
fn problem(
    connection: &Connection,
    id: EnumerationId,
    depth: Depth,
) -> rusqlite::Result<Option<String>> {
    let (keep, set, noted): (String, SetId, i64) = connection.query_row(
        "SELECT keep, set_id, checksum FROM enumeration WHERE id = ?",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if i64::from(checksum(connection, id)?) != noted {
        return Ok(Some("its place and totals do not fit its checksum".to_owned()));
    }
    // With numbers alone every verdict stands for itself; of figures with a packing one that was a bound may have
    // been counted since.
    let buildable = buildable_verdicts();
    let (counted, verdict) = match keep {
        keep if keep == Keep::All.word() => {
            (String::new(), "verdict_id, COALESCE(reason_id, 0)".to_owned())
        }
        keep if keep == Keep::Buildable.word() => {
            (format!("AND verdict_id IN ({buildable})"), format!("verdict_id IN ({buildable}), 0"))
        }
        _ => return Ok(None),
    };
    let number = |sql: &str| -> rusqlite::Result<u64> {
        connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))
    };
    let kept = number("SELECT count(*) FROM enumerated WHERE enumeration_id = ?")?;
    let stated = number(&format!(
        "SELECT COALESCE(sum(figures), 0) FROM enumeration_total WHERE enumeration_id = ? {counted}"
    ))?;
    if kept != stated {
        return Ok(Some(format!("{kept} figures kept of {stated}")));
    }
    if depth == Depth::Numbers {
        return Ok(None);
    }
    // Summed up here: SQLite would sort the rows first.
    let sums = |sql: &str, parameters: &[&dyn rusqlite::ToSql]| -> rusqlite::Result<_> {
        let mut sums: BTreeMap<[Option<i64>; 3], i64> = BTreeMap::new();
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            *sums.entry([row.get(0)?, row.get(1)?, row.get(2)?]).or_default() +=
                row.get::<_, i64>(3)?;
        }
        Ok(sums)
    };
    let totals = sums(
        &format!(
            "SELECT class_id, {verdict}, figures FROM enumeration_total
             WHERE enumeration_id = ? {counted}"
        ),
        &[&id],
    )?;
    let members = sums(
        &format!(
            "SELECT f.class_id, {verdict}, 1 FROM enumerated x LEFT JOIN figure f ON f.id = x.figure_id
             LEFT JOIN outcome o ON o.figure_id = x.figure_id AND o.set_id = ?2
             WHERE x.enumeration_id = ?1"
        ),
        &[&id, &set],
    )?;
    Ok((totals != members)
        .then(|| "its figures came to something else than its totals say".to_owned()))
}

/// Forgets enumerations that are not sound. Returns the rows of each table.
pub(super) fn forget_unsound(
    connection: &Connection,
) -> rusqlite::Result<Vec<(&'static str, u64)>> {
    let mut lost = Vec::new();
    for (id, ..) in unsound(connection)? {
        lost.extend(forget(connection, id)?);
    }
    Ok(lost)
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

/// Figures with their outcomes; returns how many are new, and what the catalog says of all of them afterwards.
fn put_counted(
    transaction: &Transaction<'_>,
    run: RunId,
    enumeration: EnumerationId,
    set: SetId,
    rows: &[CountedRow],
) -> rusqlite::Result<(u64, Breakdown)> {
    let (mut figures, mut outcomes) =
        (Figures::new(transaction)?, Outcomes::new(transaction, run)?);
    let mut enumerated = transaction.prepare_cached(ENUMERATED)?;
    let (mut added, mut known) = (0, Breakdown::default());
    for CountedRow { columns, report, micros } in rows {
        let (figure, new) = figures.id(columns)?;
        added += u64::from(new);
        let (verdict, reason) = outcomes.put(figure, set, report, *micros)?;
        known.add(columns.class, verdict, reason);
        enumerated.execute(params![enumeration, figure])?;
    }
    outcomes.finish()?;
    Ok((added, known))
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
