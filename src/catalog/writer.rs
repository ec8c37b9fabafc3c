//! The one writer: outcomes arrive from many threads and are committed in batches.

use super::enumerations::credit;
use super::rows::Outcomes;
use super::{CatalogError, FigureId, Session, SetId};
use crate::outcome::Report;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The outcome of one count, on its way to the writer.
#[derive(Clone, Debug)]
pub struct OutcomeRow {
    /// Which figure.
    pub figure: FigureId,
    /// With which set.
    pub set: SetId,
    /// What it came to.
    pub report: Report,
    /// Wall-clock microseconds.
    pub micros: u64,
}

/// A batch is committed after so many rows or so much time: what a kill may cost. Large batches
/// write a page of an index once for many rows.
const BATCH_ROWS: usize = 1 << 16;
const BATCH_TIME: Duration = Duration::from_millis(500);

impl Session {
    /// Writes outcomes until every sender is gone; returns how many were written.
    ///
    /// # Errors
    /// If SQLite fails; what was committed before stays.
    pub fn write_outcomes(&mut self, outcomes: &Receiver<OutcomeRow>) -> Result<u64, CatalogError> {
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
            self.put(&rows)?;
            written += rows.len() as u64;
            if !open {
                return Ok(written);
            }
        }
    }

    fn put(&mut self, rows: &[OutcomeRow]) -> Result<(), CatalogError> {
        let run = self.run;
        self.catalog.write("keep outcomes", |transaction| {
            let mut outcomes = Outcomes::new(transaction, run)?;
            for row in rows {
                outcomes.put(row.figure, row.set, &row.report, Some(row.micros))?;
            }
            credit(transaction, run, rows.len() as u64)
        })
    }
}
