//! `--log`: appends the events of long commands to a file.

use super::eprintln;
use super::failure::{Failure, Result};
use crate::run::{EndTotals, Event, Progress, RunLog};
use clap::Args;
use std::path::PathBuf;

// The log of a long command.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct LogArgs {
    /// Append events with their times, one JSON object per line: start, sources, progress each
    /// minute, faults, end.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// Opens the log if one is given; reports an error without failing the run.
    pub(crate) fn open(&self) -> Option<RunLog> {
        let path = self.log.as_ref()?;
        let failed = |error| {
            eprintln(&format!("log {}: not written: {error}; the run continues", path.display()));
        };
        RunLog::append(path).map_err(failed).ok()
    }
}

/// Runs `work` and logs its start and end; `end` returns whether it was stopped, and its totals.
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
