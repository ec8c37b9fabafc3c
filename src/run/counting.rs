//! Counting on all cores, while one writer keeps the outcomes.

use super::{CountMode, Run, RunError, default_limits};
use rayon::prelude::*;
use somacat_catalog::{OutcomeRow, Pending, Recount, SetId};
use somacat_counting::question::{QuestionError, Size, Work};
use somacat_counting::solve::{Limits, Problem, count, guard};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::Report;
use somacat_geometry::pieces::PieceSet;
use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Figures fetched from the catalog at a time.
const BATCH: usize = 20_000;

/// Outcomes that may wait for the writer.
const WAITING: usize = 4096;

/// Runs `work` and turns a panic into an error.
pub fn try_figure<T, E: Display>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    guard(work).map_err(|failure| failure.to_string())
}

/// Returns work with limits of nodes for each figure, and of memory. It uses at most the available memory.
pub fn work_within(nodes: Option<u64>, memory: Option<u64>, stop: &AtomicBool) -> Work<'_> {
    Work::limited(Limits { nodes, ..default_limits(stop) }, memory, stop)
}

impl Run<'_> {
    /// Counts every pending figure of the run, until a stop is requested.
    pub(super) fn count_pending(&mut self) -> Result<(), RunError> {
        let recount =
            Recount { limit: self.plan.nodes, failed: self.settings.counts == CountMode::Redo };
        let expected = self.intake.session.list_pending(recount)?;
        self.intake.session.add_expected(expected)?;
        if expected == 0 {
            return Ok(());
        }
        let sets = self.intake.session.catalog().piece_sets()?;
        let progress = self.intake.progress;
        let advance = |steps| progress.advance(steps);
        let work = self.work().watched(&advance);
        progress.begin("counting", Size::Exact(expected));
        let mut from = 0;
        while !work.stopped() {
            let batch = self.intake.session.pending(from, BATCH)?;
            if batch.is_empty() {
                break;
            }
            from += batch.len() as u64;
            self.intake.summary.counted += self.count_batch(&batch, &sets, work)?;
        }
        progress.end();
        Ok(())
    }

    /// Counts figures on all cores and writes outcomes meanwhile. Returns the number of outcomes.
    fn count_batch(
        &mut self,
        batch: &[Pending],
        sets: &HashMap<SetId, PieceSet>,
        work: Work<'_>,
    ) -> Result<u64, RunError> {
        let session = &mut self.intake.session;
        let (sink, outcomes) = sync_channel(WAITING);
        let (written, counted) = std::thread::scope(|scope| -> io::Result<_> {
            let write = move || session.write_outcomes(&outcomes);
            let writer = std::thread::Builder::new().spawn_scoped(scope, write)?;
            let counted: usize = batch
                .par_iter()
                .map_with(sink, |sink, pending| {
                    if work.stopped() {
                        return 0;
                    }
                    let begun = Instant::now();
                    let timed = work.count(|limits| {
                        let set = sets.get(&pending.set);
                        let set = set.ok_or("the catalog does not define the piece set")?;
                        count_signature(&pending.signature, set, limits)
                    });
                    let micros =
                        timed.as_ref().map_or(begun.elapsed().as_micros() as u64, |t| t.micros);
                    let report = timed.map(|timed| timed.report);
                    let counted = usize::from(report.is_some());
                    // If the writer ended, its error is reported below.
                    let _ = sink.send(OutcomeRow { pending, report, micros });
                    counted
                })
                .sum();
            Ok((writer.join(), counted as u64))
        })
        .map_err(QuestionError::Threads)?;
        match written {
            Ok(written) => written?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok(counted)
    }
}

/// Counts the figure of a signature in its canonical position.
fn count_signature(
    signature: &Signature,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Report, String> {
    let figure = signature.figure().map_err(|error| error.to_string())?;
    count(&Problem::new(&figure, set), limits).map_err(|error| error.to_string())
}
