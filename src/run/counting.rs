//! Counting on all cores, while one writer keeps what comes of it.

use super::{Progress, Run, RunError, Size, default_limits, try_figure};
use crate::catalog::{FigureId, OutcomeRow, Pending, Recount, Session, SetId};
use crate::outcome::{Outcome, Reason, Report, Verdict};
use crate::pieces::PieceSet;
use crate::solve::{DEFAULT_MEMORY, Limits, Problem, count};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Figures fetched from the catalog at a time.
const BATCH: usize = 20_000;

/// Outcomes that may wait for the writer.
const WAITING: usize = 4096;

/// How figures of a run are counted.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'a> {
    pub(crate) limits: Limits<'a>,
    pub(crate) progress: &'a Progress,
}

/// A count with the time it took.
pub(crate) struct Timed {
    pub(crate) report: Report,
    pub(crate) micros: u64,
}

/// Verdict and reason of a figure, nothing if it was stopped before it was done.
pub(super) type Conclusion = Option<(Verdict, Option<Reason>)>;

impl<'a> Counting<'a> {
    /// Counts with at most so many nodes a figure, and no more memory than there is or than was asked for.
    pub(crate) fn new(
        nodes: Option<u64>,
        memory: Option<u64>,
        stop: &'a AtomicBool,
        progress: &'a Progress,
    ) -> Self {
        let memory = memory.map(|asked| asked.min(DEFAULT_MEMORY));
        let limits = Limits { nodes, memory, ..default_limits(stop) };
        Self { limits, progress }
    }

    /// Counts one figure; nothing if it was stopped before it was done. An error is an outcome too.
    pub(crate) fn count<E: std::fmt::Display>(
        &self,
        work: impl FnOnce(Limits<'_>) -> Result<Report, E>,
    ) -> Option<Timed> {
        let timed = self.count_again(work)?;
        self.progress.advance(1);
        Some(timed)
    }

    /// The same for a figure that was counted before.
    pub(crate) fn count_again<E: std::fmt::Display>(
        &self,
        work: impl FnOnce(Limits<'_>) -> Result<Report, E>,
    ) -> Option<Timed> {
        if self.limits.stopped() {
            return None;
        }
        let begun = Instant::now();
        let report =
            try_figure(|| work(self.limits)).unwrap_or_else(|error| Report::failed(&error));
        let micros = begun.elapsed().as_micros() as u64;
        // A bound found just before the stop would pass for a finished figure.
        let bound = matches!(report.outcome, Outcome::AtLeast(_) | Outcome::Unknown);
        if self.limits.stopped() && bound {
            return None;
        }
        Some(Timed { report, micros })
    }

    /// Counts figures of the catalog on all cores, and writes each outcome down while the next are
    /// counted. Conclusions come in the order of the figures.
    pub(super) fn batch<T: Sync>(
        &self,
        session: &mut Session,
        batch: &[T],
        id: impl Fn(&T) -> (FigureId, SetId) + Sync,
        work: impl Fn(&T, Limits<'_>) -> Result<Report, String> + Sync,
    ) -> Result<Vec<Conclusion>, RunError> {
        let (sink, outcomes) = sync_channel(WAITING);
        let (written, conclusions) = std::thread::scope(|scope| -> io::Result<_> {
            let write = move || session.write_outcomes(&outcomes);
            let writer = std::thread::Builder::new().spawn_scoped(scope, write)?;
            let conclusions = batch
                .par_iter()
                .map_with(sink, |sink, item| {
                    if self.limits.stopped() {
                        return None;
                    }
                    let ((figure, set), begun) = (id(item), Instant::now());
                    let row = match self.count(|limits| work(item, limits)) {
                        Some(Timed { report, micros }) => {
                            OutcomeRow::new(figure, set, Some(report), micros)
                        }
                        None => {
                            let micros = begun.elapsed().as_micros() as u64;
                            OutcomeRow::new(figure, set, None, micros)
                        }
                    };
                    let outcome = row.report.as_ref().map(|report| &report.outcome);
                    let conclusion = outcome.map(|outcome| (outcome.verdict(), outcome.reason()));
                    // If the writer is gone, its error is reported below.
                    let _ = sink.send(row);
                    conclusion
                })
                .collect();
            Ok((writer.join(), conclusions))
        })
        .map_err(RunError::Threads)?;
        match written {
            Ok(written) => written?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok(conclusions)
    }
}

impl<'a> Run<'a> {
    /// How this run counts.
    pub(super) fn counting(&self) -> Counting<'a> {
        Counting::new(self.plan.nodes, None, self.settings.stop, self.progress)
    }

    /// Counts every pending figure of the run; returns when all are done or a stop is asked for.
    pub(super) fn count_pending(&mut self) -> Result<(), RunError> {
        let recount = Recount { limit: self.plan.nodes, failed: self.settings.redo };
        let planned = self.session.list_pending(recount)?;
        self.session.add_expected(planned)?;
        if planned == 0 {
            return Ok(());
        }
        let sets = self.session.catalog().piece_sets()?;
        let counting = self.counting();
        self.progress.begin("counting", Size::Exact(planned));
        let mut from = 0;
        while !counting.limits.stopped() {
            let batch = self.session.pending(from, BATCH)?;
            if batch.is_empty() {
                break;
            }
            from += batch.len() as u64;
            let id = |pending: &Pending| (pending.figure, pending.set);
            let work =
                |pending: &Pending, limits: Limits<'_>| count_pending(pending, &sets, limits);
            let conclusions = counting.batch(&mut self.session, &batch, id, work)?;
            self.summary.counted += conclusions.iter().flatten().count() as u64;
        }
        self.progress.end();
        Ok(())
    }
}

/// Counts a figure that the catalog has, in its canonical position.
fn count_pending(
    pending: &Pending,
    sets: &HashMap<SetId, PieceSet>,
    limits: Limits<'_>,
) -> Result<Report, String> {
    let set = sets.get(&pending.set).ok_or("the catalog does not define the piece set")?;
    let figure = pending.signature.figure().map_err(|error| error.to_string())?;
    count(&Problem::new(&figure, set), limits).map_err(|error| error.to_string())
}
