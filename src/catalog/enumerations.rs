//! Enumerations and censuses in the catalog: position, totals, and kept figures.

use super::checksum::{MEMBERS, checksum, row_checksum, seal};
use super::codes::{Code, buildable_verdicts};
use super::collect::collect_rows;
use super::group::insert_new;
use super::plain::plain_class;
use super::rows::{FigureStore, OutcomeStore, StoredOutcome};
use super::totals::Totals;
use super::{Catalog, CatalogError, EnumerationId, RunId, Session, SetId};
use rusqlite::{Connection, OptionalExtension, params};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{Breakdown, CountedRow, Keep, KnownFigure};
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::outcome::{Reason, Verdict};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumerationKey<'a> {
    /// The question key, with the version of the algorithm that shards it.
    pub question: &'a str,
    pub label: &'a str,
    pub set: SetId,
    pub keep: Keep,
    /// The node limit for each figure, 0 for none. It matters where the figures themselves are not kept.
    pub limit: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumerationState {
    pub id: EnumerationId,
    pub set: SetId,
    /// Its position, as stored in the catalog.
    pub place: Place,
    pub complete: bool,
    /// The damage of its stored state, if it restarts for that reason.
    pub damage: Option<String>,
}

/// Progress of an enumeration since its last commit.
#[derive(Debug)]
pub struct Advance<'a> {
    pub place: Place,
    /// Totals up to this position. `None` if all figures are kept: then the totals follow the catalog, whose outcomes
    /// may be better than those in `kept`.
    pub breakdown: Option<&'a Breakdown>,
    /// Kept figures whose outcomes the catalog had before.
    pub known: &'a [KnownFigure],
    pub kept: &'a [CountedRow],
    /// Figures not yet credited to the run, known ones included.
    pub done: u64,
}

/// What a step of an enumeration brought.
#[derive(Clone, Copy, Debug)]
pub struct Advanced {
    /// Figures that the catalog did not have.
    pub new: u64,
    /// Figures whose outcomes it did not have, or only with less work.
    pub counted: u64,
}

impl Session {
    /// Looks up an enumeration, or adds it. A damaged enumeration is deleted, except for its figures, and restarts.
    pub fn enumeration(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, CatalogError> {
        self.catalog.write("keep an enumeration", |transaction| {
            let state = look_up(transaction, key)?;
            match check_enumeration(transaction, state.id, Depth::Numbers)? {
                None => Ok(state),
                damage => {
                    delete_enumeration(transaction, state.id)?;
                    Ok(EnumerationState { damage, ..look_up(transaction, key)? })
                }
            }
        })
    }

    /// Deletes enumerations that do not match their checksums, except for their figures. Later they restart.
    /// Returns their labels. An edited question or `keep` is that of no question, so [`Session::enumeration`] does not
    /// find them.
    pub fn delete_edited_enumerations(&mut self) -> Result<Vec<String>, CatalogError> {
        self.catalog.write("check its enumerations", |transaction| {
            let sql = "SELECT id, label, checksum FROM enumeration ORDER BY id";
            let all: Vec<(EnumerationId, String, i64)> =
                collect_rows(transaction, sql, [], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })?;
            let mut deleted = Vec::new();
            for (id, label, stored) in all {
                if checksum(transaction, id)? != stored {
                    delete_enumeration(transaction, id)?;
                    deleted.push(label);
                }
            }
            Ok(deleted)
        })
    }

    /// Restarts an enumeration. Its figures keep their outcomes.
    pub fn restart_enumeration(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, CatalogError> {
        self.catalog.write("restart an enumeration", |transaction| {
            delete_enumeration(transaction, look_up(transaction, key)?.id)?;
            look_up(transaction, key)
        })
    }

    /// Stores outcomes of figures that belong to no enumeration, to be committed with later ones. Returns the number of
    /// those that the catalog did not have.
    pub fn store_outcomes(&mut self, rows: &[(SetId, CountedRow)]) -> Result<u64, CatalogError> {
        let run = self.run;
        self.catalog.write_held("keep outcomes", |transaction| {
            let (mut figures, mut outcomes) =
                (FigureStore::new(transaction)?, OutcomeStore::new(transaction, run)?);
            let columns: Vec<&Columns> = rows.iter().map(|(_, row)| &row.columns).collect();
            let (ids, _) = figures.ids(&columns)?;
            let stored = rows.iter().zip(ids);
            let stored: Vec<_> =
                stored.map(|((set, row), id)| StoredOutcome::of(row, id, *set)).collect();
            outcomes.put_all(&stored)?;
            let changed = outcomes.changed;
            outcomes.finish()?;
            credit(transaction, run, changed)?;
            Ok(changed)
        })
    }

    /// Looks up outcomes of figures with one set. `None` for figures without one.
    pub fn known_figures(
        &self,
        set: SetId,
        figures: &[&Signature],
    ) -> Result<Vec<Option<KnownFigure>>, CatalogError> {
        self.catalog.read("look up figures of an enumeration", |connection| {
            // Outside a transaction, SQLite takes locks for each row.
            let alone = connection.is_autocommit();
            let _transaction = alone.then(|| connection.unchecked_transaction()).transpose()?;
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
                    let id = row.get(0)?;
                    let known = |(class, verdict)| KnownFigure { id, class, verdict, reason };
                    Ok(class.zip(verdict).map(known))
                });
                Ok(row.optional()?.flatten())
            };
            figures.iter().map(&mut find).collect()
        })
    }

    /// Advances an enumeration. Stores its new position and its kept figures in one transaction, to be committed with
    /// later ones.
    ///
    /// # Errors
    /// If another program has moved the position, or SQLite fails. Nothing since the last [`Session::commit`] is kept
    /// then.
    pub fn advance(
        &mut self,
        state: &mut EnumerationState,
        advance: &Advance<'_>,
    ) -> Result<Advanced, CatalogError> {
        let (run, &mut EnumerationState { id, set, place: from, .. }) = (self.run, &mut *state);
        let to = advance.place;
        let moved =
            self.catalog.write_held("record the position of an enumeration", |transaction| {
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
                let PutRows { new, changed, breakdown: mut kept } =
                    put_counted(transaction, run, id, set, advance.kept)?;
                let checksum = MEMBERS.of_parameters();
                let mut enumerated = transaction.prepare_cached(&format!(
                    "INSERT OR IGNORE INTO enumerated VALUES (?1, ?2, {checksum})"
                ))?;
                for known in advance.known {
                    enumerated.execute(params![id, known.id])?;
                    kept.add(known.class, known.verdict, known.reason);
                }
                add_totals(transaction, id, advance.breakdown.unwrap_or(&kept))?;
                seal(transaction, id)?;
                // The run need not count these, or counted them in vain, so it neither plans nor does them.
                let known = (advance.known.len() + advance.kept.len()) as u64 - changed;
                let counted = advance.done.saturating_sub(known);
                credit(transaction, run, counted)?;
                transaction
                    .prepare_cached("UPDATE run SET planned = planned - ? WHERE id = ?")?
                    .execute(params![known.cast_signed(), run])?;
                Ok(Some(Advanced { new, counted }))
            })?;
        let done = moved.ok_or_else(|| CatalogError::Overtaken(self.catalog.path().to_owned()))?;
        state.place = to;
        Ok(done)
    }

    /// Marks an enumeration as complete. `known` is the number of figures, if known beforehand.
    ///
    /// # Errors
    /// If the number of figures differs, which restarts the enumeration, or SQLite fails.
    pub fn complete(
        &mut self,
        enumeration: EnumerationId,
        known: Option<u128>,
    ) -> Result<(), CatalogError> {
        let wrong = self.catalog.write("record the end of an enumeration", |transaction| {
            let (label, figures): (String, u64) = transaction.query_row(
                "SELECT label, (SELECT COALESCE(sum(figures), 0) FROM enumeration_total
                 WHERE enumeration_id = e.id) FROM enumeration e WHERE id = ?",
                [enumeration],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            if let Some(known) = known.filter(|known| *known != u128::from(figures)) {
                delete_enumeration(transaction, enumeration)?;
                return Ok(Some((label, figures, known)));
            }
            // The last position depends on who listed the figures, and in which batches.
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
    transaction: &Connection,
    key: EnumerationKey<'_>,
) -> rusqlite::Result<EnumerationState> {
    let EnumerationKey { question, label, set, keep, limit } = key;
    let limit = limit.cast_signed();
    let added = transaction.execute(
        "INSERT OR IGNORE INTO enumeration (question, label, set_id, keep, limited)
         VALUES (?, ?, ?, ?, ?)",
        params![question, label, set, keep.to_string(), limit],
    )?;
    if added > 0 {
        seal(transaction, EnumerationId(transaction.last_insert_rowid()))?;
    }
    transaction.query_row(
        "SELECT id, shard, listed, complete FROM enumeration
         WHERE question = ? AND set_id = ? AND keep = ? AND limited = ?",
        params![question, set, keep.to_string(), limit],
        |row| {
            // An edited value may be negative. The checksum reveals it.
            let (shard, figures): (i64, i64) = (row.get(1)?, row.get(2)?);
            let place = Place { shard: shard.cast_unsigned(), figures: figures.cast_unsigned() };
            let (id, complete) = (row.get(0)?, row.get(3)?);
            Ok(EnumerationState { id, set, place, complete, damage: None })
        },
    )
}

impl Catalog {
    /// Returns at most `number` raw counts of kept figures, the largest first.
    pub fn most_packings(
        &self,
        enumeration: EnumerationId,
        number: NonZeroU32,
    ) -> Result<Vec<u64>, CatalogError> {
        // Numbers above 2^63 - 1, which are text, become 2^63 - 1.
        let sql = "SELECT CAST(o.raw AS INTEGER) AS packings FROM enumerated x
                   JOIN enumeration e ON e.id = x.enumeration_id
                   JOIN outcome o ON o.figure_id = x.figure_id AND o.set_id = e.set_id
                   WHERE x.enumeration_id = ? ORDER BY packings DESC LIMIT ?";
        let values = params![enumeration, number.get()];
        self.rows("read the figures of an enumeration", sql, values, |row| row.get(0))
    }

    pub fn enumeration_totals(&self, enumeration: EnumerationId) -> Result<Totals, CatalogError> {
        self.totals(
            "SELECT verdict_id, nullif(reason_id, 0), sum(figures) FROM enumeration_total
             WHERE enumeration_id = ? GROUP BY verdict_id, reason_id",
            [enumeration],
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Its checksum and the number of its figures.
    Numbers,
    Figures,
}

/// Finds damaged enumerations, each with its id, label and problem. Either the checksum is wrong, or the figures do
/// not match the totals.
pub(super) fn damaged_enumerations(
    connection: &Connection,
) -> rusqlite::Result<Vec<(EnumerationId, String, String)>> {
    let sql = "SELECT id, label FROM enumeration ORDER BY id";
    let all: Vec<(EnumerationId, String)> =
        collect_rows(connection, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut found = Vec::new();
    for (id, label) in all {
        found.extend(
            check_enumeration(connection, id, Depth::Figures)?.map(|problem| (id, label, problem)),
        );
    }
    Ok(found)
}

/// Checks an enumeration and returns its problem, if any.
fn check_enumeration(
    connection: &Connection,
    id: EnumerationId,
    depth: Depth,
) -> rusqlite::Result<Option<String>> {
    let (keep, set, stored): (String, SetId, i64) = connection.query_row(
        "SELECT keep, set_id, checksum FROM enumeration WHERE id = ?",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if checksum(connection, id)? != stored {
        return Ok(Some("its position and totals do not match its checksum".to_owned()));
    }
    let keep = match Keep::try_from(keep) {
        Ok(keep) => keep,
        Err(error) => return Ok(Some(error)),
    };
    // With totals alone, verdicts never change. Among kept figures, one with a lower bound may have been
    // counted since.
    let buildable = buildable_verdicts();
    let (counted, verdict) = match keep {
        Keep::All => (String::new(), "verdict_id, COALESCE(reason_id, 0)".to_owned()),
        Keep::Buildable | Keep::Top(_) => {
            (format!("AND verdict_id IN ({buildable})"), format!("verdict_id IN ({buildable}), 0"))
        }
        Keep::Totals => return Ok(None),
    };
    let number = |sql: &str| -> rusqlite::Result<u64> {
        connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))
    };
    let kept = number("SELECT count(*) FROM enumerated WHERE enumeration_id = ?")?;
    let stated = number(&format!(
        "SELECT COALESCE(sum(figures), 0) FROM enumeration_total WHERE enumeration_id = ? {counted}"
    ))?;
    let stated = match keep {
        Keep::Top(number) => kept.clamp(stated.min(number.get().into()), stated),
        _ => stated,
    };
    if kept != stated {
        return Ok(Some(format!("{kept} of {stated} kept figures are stored")));
    }
    if depth == Depth::Numbers {
        return Ok(None);
    }
    // Summed here: SQLite would sort the rows first.
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
    let agree = match keep {
        Keep::Top(_) => {
            members.iter().all(|(key, some)| totals.get(key).is_some_and(|all| some <= all))
        }
        _ => totals == members,
    };
    Ok((!agree).then(|| "its figures do not match its totals".to_owned()))
}

/// Deletes damaged enumerations. Returns the number of deleted rows of each table.
pub(super) fn delete_damaged(
    connection: &Connection,
) -> rusqlite::Result<Vec<(&'static str, u64)>> {
    let mut lost = Vec::new();
    for (id, ..) in damaged_enumerations(connection)? {
        lost.extend(delete_enumeration(connection, id)?);
    }
    Ok(lost)
}

/// Deletes an enumeration, but not its figures. When requested again, it restarts. Returns the number of deleted
/// rows of each table.
pub(super) fn delete_enumeration(
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

/// The rows of a batch that were stored.
struct PutRows {
    /// New figures.
    new: u64,
    /// New or better outcomes.
    changed: u64,
    /// All of them, with the outcomes that the catalog has now.
    breakdown: Breakdown,
}

/// Stores figures with their outcomes, as members of an enumeration.
fn put_counted(
    transaction: &Connection,
    run: RunId,
    enumeration: EnumerationId,
    set: SetId,
    rows: &[CountedRow],
) -> rusqlite::Result<PutRows> {
    let (mut figures, mut outcomes) =
        (FigureStore::new(transaction)?, OutcomeStore::new(transaction, run)?);
    let question: String = transaction
        .prepare_cached("SELECT question FROM enumeration WHERE id = ?")?
        .query_row([enumeration], |row| row.get(0))?;
    let columns: Vec<&Columns> = rows.iter().map(|row| &row.columns).collect();
    let (ids, new) = figures.ids(&columns)?;
    let stored = rows.iter().zip(ids).map(|(row, id)| StoredOutcome::of(row, id, set));
    let stored: Vec<StoredOutcome<'_>> = stored.collect();
    let mut breakdown = Breakdown::default();
    for (row, (verdict, reason)) in rows.iter().zip(outcomes.put_all(&stored)?) {
        breakdown.add(row.columns.class, verdict, reason);
    }
    let changed = outcomes.changed;
    outcomes.finish()?;
    let members = stored.iter().map(|row| {
        let checksum = row_checksum([question.as_str().into(), row.signature.as_str().into()]);
        [enumeration.0, row.figure.0, checksum]
    });
    let members: Vec<[i64; 3]> = members.collect();
    insert_new(transaction, "INSERT OR IGNORE INTO enumerated VALUES", &members)?;
    Ok(PutRows { new, changed, breakdown })
}

fn add_totals(
    transaction: &Connection,
    enumeration: EnumerationId,
    breakdown: &Breakdown,
) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO enumeration_total VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET figures = figures + excluded.figures",
    )?;
    for (class, verdict, reason, figures) in breakdown.iter() {
        // Part of the primary key, which cannot be null.
        let reason = reason.map_or(0, Code::code);
        let figures = figures.cast_signed();
        statement.execute(params![enumeration, class.number(), verdict.code(), reason, figures])?;
    }
    Ok(())
}

pub(super) fn credit(transaction: &Connection, run: RunId, figures: u64) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
        .execute(params![figures.cast_signed(), run])
        .map(|_| ())
}
