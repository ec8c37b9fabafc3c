//! The one writer: outcomes arrive from many threads and are committed in batches.

use super::rows::Outcomes;
use super::{Catalog, CatalogError, OutcomeRow};
use rusqlite::{Transaction, params};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// Where workers send outcomes.
pub type OutcomeSink = SyncSender<OutcomeRow>;

/// A batch is committed after so many rows or so much time: what a kill may cost. Large batches
/// write a page of an index once for many rows.
const BATCH_ROWS: usize = 1 << 16;
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
            // What waits is taken without a look at the clock.
            rows.extend(outcomes.try_iter().take(BATCH_ROWS - rows.len()));
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
    put_all(&transaction, run, rows)?;
    transaction
        .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
        .execute(params![rows.len(), run])?;
    transaction.commit()?;
    Ok(())
}

fn put_all(transaction: &Transaction<'_>, run: i64, rows: &[OutcomeRow]) -> rusqlite::Result<()> {
    let mut outcomes = Outcomes::new(transaction, run)?;
    rows.iter().try_for_each(|row| outcomes.put(row))
}
