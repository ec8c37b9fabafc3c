//! `--log`: what long commands leave for whoever looks in the morning.

use super::eprintln;
use super::failure::{Failure, Result};
use crate::run::{EndTotals, Event, Progress, RunLog};
use clap::Args;
use std::path::PathBuf;

// The log of a long command.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct LogArgs {
    /// Append what happens, with the time, one JSON object a line: start, sources, progress each
    /// minute, faults, end.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// The log, if one is wanted and can be written: a missing log is no reason to lose a night.
    pub(crate) fn open(&self) -> Option<RunLog> {
        let path = self.log.as_ref()?;
        let failed = |error| {
            eprintln(&format!("log {}: not written: {error}; the run goes on", path.display()));
        };
        RunLog::append(path).map_err(failed).ok()
    }
}

/// Does `work` and logs its start and its end; `end` tells whether it was stopped, and its totals.
pub(crate) fn logged<T>(
    progress: &Progress,
    command: &str,
    work: impl FnOnce() -> Result<T>,
    end: impl FnOnce(&T) -> (bool, Option<EndTotals>),
) -> Result<T> {
    let (threads, version) = (rayon::current_num_threads(), env!("CARGO_PKG_VERSION"));
    progress.log(&Event::Start { command, version, threads, process: std::process::id() });
    let result = work();
    let failed = |error| Event::End { status: "failed", error: Some(error), totals: None };
    progress.log(&match &result {
        Ok(done) => {
            let (stopped, totals) = end(done);
            let status = if stopped { "stopped" } else { "finished" };
            Event::End { status, error: None, totals }
        }
        Err(Failure::Error(_, error)) => failed(format!("{error:#}")),
        Err(Failure::ClosedPipe) => failed("the output was closed".to_owned()),
    });
    result
}
