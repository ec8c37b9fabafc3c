//! Counting what has no outcome yet: rayon workers search, one writer keeps.

use super::plan::Plan;
use super::{Progress, RunError, Summary};
use crate::catalog::{Catalog, OutcomeRow, Pending, Word, write_outcomes};
use crate::figure::Signature;
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, Report, Verdict, count};
use rayon::prelude::*;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Figures fetched from the catalog at a time.
const BATCH: usize = 20_000;

/// Outcomes that may wait for the writer.
const WAITING: usize = 4096;

/// Counts with any failure as text: an error of the solver, or a panic, which must cost one figure
/// only.
///
/// # Errors
/// The text of what went wrong.
pub fn count_guarded(problem: &Problem<'_>, limits: Limits<'_>) -> Result<Report, String> {
    match catch_unwind(AssertUnwindSafe(|| count(problem, limits))) {
        Ok(report) => report.map_err(|error| error.to_string()),
        Err(panic) => {
            let text = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("internal error: {}", text.unwrap_or_default()))
        }
    }
}

/// What counting needs besides the figures.
pub(super) struct Counting<'a> {
    pub(super) run: i64,
    pub(super) sets: HashMap<i64, PieceSet>,
    pub(super) limits: Limits<'a>,
    pub(super) progress: &'a Progress,
}

impl<'a> Counting<'a> {
    /// Counting for a run, with the sets that the catalog knows by now.
    pub(super) fn new(
        run: i64,
        plan: &Plan,
        catalog: &Catalog,
        stop: &'a AtomicBool,
        progress: &'a Progress,
    ) -> Result<Self, RunError> {
        let limits = Limits { nodes: plan.nodes, stop: Some(stop), ..Limits::default() };
        Ok(Self { run, sets: catalog.piece_sets()?, limits, progress })
    }

    /// Counts one figure; nothing if it was stopped before it was done.
    pub(super) fn outcome(&self, pending: &Pending) -> Option<OutcomeRow> {
        if self.limits.stopped() {
            return None;
        }
        let row = outcome(pending, &self.sets, self.limits);
        // A bound found just before the stop would pass for a finished figure.
        let bound = [Verdict::Solvable, Verdict::Unknown].map(Verdict::as_str);
        if self.limits.stopped() && bound.contains(&row.verdict) {
            return None;
        }
        self.progress.advance(1);
        Some(row)
    }

    /// Counts figures of the catalog on all cores, and writes each outcome down while the next are
    /// counted. Verdicts and reasons come in the order of the figures; none where it was stopped.
    pub(super) fn batch(
        &self,
        catalog: &mut Catalog,
        batch: &[Pending],
    ) -> Result<Vec<Option<Word>>, RunError> {
        let (sink, outcomes) = sync_channel(WAITING);
        let run = self.run;
        let (written, words) = std::thread::scope(|scope| {
            let writer = scope.spawn(move || write_outcomes(catalog, run, &outcomes));
            let words = batch
                .par_iter()
                .map_with(sink, |sink, pending| {
                    let row = self.outcome(pending)?;
                    let word = (row.verdict.to_owned(), row.reason.clone());
                    // If the writer is gone, its error is reported below.
                    let _ = sink.send(row);
                    Some(word)
                })
                .collect();
            (writer.join(), words)
        });
        match written {
            Ok(written) => written?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok(words)
    }
}

/// Counts every pending figure of the run; returns when all are done or a stop is asked for.
pub(super) fn count_pending(
    counting: &Counting<'_>,
    catalog: &mut Catalog,
    redo: bool,
    summary: &mut Summary,
) -> Result<(), RunError> {
    let planned = catalog.pending_count(redo)?;
    catalog.plan_run(counting.run, planned)?;
    if planned == 0 {
        return Ok(());
    }
    counting.progress.begin("counting", Some(planned));
    let mut after = (i64::MIN, i64::MIN);
    while !counting.limits.stopped() {
        let batch = catalog.pending(after, BATCH, redo)?;
        let Some(last) = batch.last() else { break };
        after = (last.figure_id, last.set_id);
        summary.counted += counting.batch(catalog, &batch)?.iter().flatten().count() as u64;
    }
    counting.progress.end();
    Ok(())
}

fn outcome(pending: &Pending, sets: &HashMap<i64, PieceSet>, limits: Limits<'_>) -> OutcomeRow {
    let begun = Instant::now();
    let report = sets
        .get(&pending.set_id)
        .ok_or_else(|| "the catalog does not define the piece set".to_owned())
        .and_then(|set| {
            let signature: Signature = pending.signature.parse().map_err(|e| format!("{e}"))?;
            let figure = signature.figure().map_err(|e| e.to_string())?;
            count_guarded(&Problem::new(&figure, set), limits)
        });
    let micros = begun.elapsed().as_micros() as u64;
    let (figure_id, set_id) = (pending.figure_id, pending.set_id);
    match report {
        Ok(report) => OutcomeRow {
            figure_id,
            set_id,
            verdict: report.verdict.as_str(),
            reason: report.reason.map(|reason| reason.as_str().to_owned()),
            raw: Some(report.raw),
            rotation: report.rotation,
            unique: report.unique,
            nodes: report.nodes,
            engine: (report.nodes > 0).then_some("search"),
            micros,
        },
        Err(text) => OutcomeRow {
            figure_id,
            set_id,
            verdict: Verdict::Failed.as_str(),
            reason: Some(text),
            raw: None,
            rotation: None,
            unique: None,
            nodes: 0,
            engine: None,
            micros,
        },
    }
}
