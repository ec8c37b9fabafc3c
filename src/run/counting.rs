//! Counting what has no outcome yet: rayon workers search, one writer keeps.

use super::plan::Plan;
use super::{Progress, RunError, Settings, Summary};
use crate::catalog::{Catalog, OutcomeRow, Pending, write_outcomes};
use crate::figure::Signature;
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, Report, Verdict, count};
use rayon::prelude::*;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// Counts every pending figure of the run; returns when all are done or a stop is asked for.
pub(super) fn count_pending(
    plan: &Plan,
    catalog: &mut Catalog,
    run: i64,
    settings: Settings<'_>,
    progress: &Progress,
    summary: &mut Summary,
) -> Result<(), RunError> {
    let sets = catalog.piece_sets()?;
    let planned = catalog.pending_count(settings.redo)?;
    catalog.plan_run(run, planned)?;
    summary.known = catalog.run_totals()?.figures - planned;
    let limits = Limits { nodes: plan.nodes, stop: Some(settings.stop), ..Limits::default() };
    progress.begin("counting", Some(planned));
    let mut after = (i64::MIN, i64::MIN);
    loop {
        let batch = catalog.pending(after, BATCH, settings.redo)?;
        let Some(last) = batch.last() else { break };
        after = (last.figure_id, last.set_id);
        let (sink, outcomes) = sync_channel(WAITING);
        let written = std::thread::scope(|scope| {
            let keeper = &mut *catalog;
            let writer = scope.spawn(move || write_outcomes(keeper, run, &outcomes));
            batch.par_iter().for_each_with(sink, |sink, pending| {
                if limits.stopped() {
                    return;
                }
                let row = outcome(pending, &sets, limits);
                // A bound found just before the stop would pass for a finished figure.
                let bound = [Verdict::Solvable, Verdict::Unknown].map(Verdict::as_str);
                if !(limits.stopped() && bound.contains(&row.verdict)) {
                    // If the writer is gone, its error is reported below.
                    let _ = sink.send(row);
                    progress.advance(1);
                }
            });
            writer.join()
        });
        match written {
            Ok(written) => summary.counted += written?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
        if limits.stopped() {
            break;
        }
    }
    progress.end();
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
            micros,
        },
    }
}
