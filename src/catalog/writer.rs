//! The one writer: outcomes arrive from many threads and are committed in batches.

use super::store::count_value;
use super::{Catalog, CatalogError, OutcomeRow};
use rusqlite::params;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// Where workers send outcomes.
pub type OutcomeSink = SyncSender<OutcomeRow>;

/// A batch is committed after so many rows or so much time: what a kill may cost.
const BATCH_ROWS: usize = 1000;
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
    let transaction = catalog.connection.transaction()?;
    for row in rows {
        transaction
            .prepare_cached("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?
            .execute(params![
                row.figure_id,
                row.set_id,
                row.verdict,
                row.reason,
                count_value(row.raw),
                count_value(row.rotation),
                count_value(row.unique),
                row.nodes.cast_signed()
            ])?;
        transaction
            .prepare_cached("INSERT OR REPLACE INTO timing VALUES (?, ?, ?, ?)")?
            .execute(params![row.figure_id, row.set_id, run, row.micros.cast_signed()])?;
    }
    transaction
        .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
        .execute(params![rows.len(), run])?;
    transaction.commit()?;
    Ok(())
}
