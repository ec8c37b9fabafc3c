//! The one writer: outcomes arrive from many threads and are committed in batches.

use super::store::count_value;
use super::words::{engine_id, reason_id, verdict_id};
use super::{Catalog, CatalogError, OutcomeRow};
use rusqlite::{Transaction, params};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// Where workers send outcomes.
pub type OutcomeSink = SyncSender<OutcomeRow>;

/// A batch is committed after so many rows or so much time: what a kill may cost. Large batches
/// write a page of an index once for many rows.
const BATCH_ROWS: usize = 50_000;
const BATCH_TIME: Duration = Duration::from_millis(500);

/// Writes outcomes until every sender is gone; returns how many were written.
///
/// # Errors
/// If SQLite fails; what was committed before stays.
pub fn write_outcomes(
    catalog: &mut Catalog,
    run: i64,
    outcomes: &Receiver<OutcomeRow>,
) -> Result<u64, CatalogError> {
    let mut written = 0;
    loop {
        let Ok(first) = outcomes.recv() else { return Ok(written) };
        let deadline = Instant::now() + BATCH_TIME;
        let mut rows = vec![first];
        let open = loop {
            if rows.len() >= BATCH_ROWS {
                break true;
            }
            match outcomes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(row) => rows.push(row),
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        put(catalog, run, &rows)?;
        written += rows.len() as u64;
        if !open {
            return Ok(written);
        }
    }
}

fn put(catalog: &mut Catalog, run: i64, rows: &[OutcomeRow]) -> Result<(), CatalogError> {
    let transaction = catalog.transaction()?;
    for row in rows {
        put_outcome(&transaction, run, row)?;
    }
    transaction
        .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
        .execute(params![rows.len(), run])?;
    transaction.commit()?;
    Ok(())
}

/// The numbers are those of `words`: counted and unsolvable.
const PUT_OUTCOME: &str = "
    INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (figure_id, set_id) DO UPDATE SET
        verdict_id = excluded.verdict_id, reason_id = excluded.reason_id, error = excluded.error,
        raw = excluded.raw, rotation = excluded.rotation, \"unique\" = excluded.\"unique\",
        nodes = excluded.nodes, engine_id = excluded.engine_id
    WHERE verdict_id NOT IN (1, 2)";

/// One outcome; the time it took is kept where something was searched. An exact outcome stays as it
/// is, so that what a catalog says does not depend on who counted last.
pub(super) fn put_outcome(
    transaction: &Transaction<'_>,
    run: i64,
    row: &OutcomeRow,
) -> rusqlite::Result<()> {
    let reason = row.reason.as_deref().map(|word| (reason_id(word), word));
    transaction.prepare_cached(PUT_OUTCOME)?.execute(params![
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
        transaction
            .prepare_cached("INSERT OR REPLACE INTO timing VALUES (?, ?, ?, ?)")?
            .execute(params![row.figure_id, row.set_id, run, row.micros.cast_signed()])?;
    }
    Ok(())
}
