//! The single writer: outcomes arrive from many threads and are committed in batches.

use super::enumerations::credit;
use super::rows::{OutcomeStore, StoredOutcome};
use super::{CatalogError, Pending, Session};
use somacat_geometry::outcome::Report;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct OutcomeRow<'a> {
    pub pending: &'a Pending,
    /// The result. `None` if the figure was started and abandoned, because the run was stopping.
    pub report: Option<Report>,
    /// Wall-clock microseconds.
    pub micros: u64,
}

/// Size and age at which a batch is committed: the most that a kill loses. Large batches write each index page once
/// for many rows.
const BATCH_ROWS: usize = 1 << 16;
const BATCH_TIME: Duration = Duration::from_millis(500);

impl Session {
    /// Writes outcomes until every sender is dropped.
    ///
    /// # Errors
    /// If SQLite fails. Earlier commits stay.
    pub fn write_outcomes(
        &mut self,
        outcomes: &Receiver<OutcomeRow<'_>>,
    ) -> Result<(), CatalogError> {
        loop {
            let Ok(first) = outcomes.recv() else { return Ok(()) };
            let deadline = Instant::now() + BATCH_TIME;
            let mut rows = vec![first];
            let open = loop {
                // Takes waiting rows without reading the clock.
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
            if !open {
                return Ok(());
            }
        }
    }

    fn put(&mut self, rows: &[OutcomeRow<'_>]) -> Result<(), CatalogError> {
        let run = self.run;
        self.catalog.write("keep outcomes", |transaction| {
            let mut outcomes = OutcomeStore::new(transaction, run)?;
            let mut counted = 0;
            for &OutcomeRow { pending, ref report, micros } in rows {
                let &Pending { figure, set, ref signature } = pending;
                match report {
                    Some(report) => {
                        let micros = Some(micros);
                        outcomes.put(&StoredOutcome { figure, signature, set, report, micros })?;
                        counted += 1;
                    }
                    None => outcomes.give_up(figure, set, micros)?,
                }
            }
            outcomes.finish()?;
            credit(transaction, run, counted)
        })
    }
}
