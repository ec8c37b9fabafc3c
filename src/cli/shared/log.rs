//! `--log`: appends the events of long commands to a file.

use super::files_read::is_same_file;
use crate::cli::failure::{Failure, Result, with_causes};
use crate::cli::{eprintln, stop_on_signals, unless_stopped};
use clap::Args;
use somacat_catalog::{RunEnd, database_of};
use somacat_run::VERSION;
use somacat_run::{EndTotals, Event, Progress, RunLog};
use std::path::{Path, PathBuf};

// The log of a long command.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct LogArgs {
    /// Append events with their times, one JSON object per line: start, sources, progress each
    /// minute, faults, end.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// Opens the log if given; reports errors without failing the run.
    ///
    /// Refuses one of the command's other files, and any file that is not a log.
    pub(crate) fn open(&self, others: &[&Path]) -> Result<Option<RunLog>> {
        let Some(path) = &self.log else { return Ok(None) };
        let shown = path.display();
        let refused =
            |why: String| Err(Failure::failed(format!("log {shown}: {why}; choose another file")));
        if path == Path::new("-") {
            return refused("a log is a file, which is appended to".to_owned());
        }
        if others.iter().any(|other| is_same_file(path, other)) {
            return refused(
                "is also the catalog, the output or an input of this command".to_owned(),
            );
        }
        if let Some(database) = database_of(path) {
            return refused(format!("belongs to the database {}", database.display()));
        }
        // A named pipe may have no reader until a stop is requested.
        stop_on_signals()?;
        let owned = path.clone();
        let opened =
            unless_stopped(path, move || RunLog::accepts(&owned).then(|| RunLog::append(&owned)))?;
        let opened = opened.ok_or_else(|| Failure::stopped("stopped; no program reads the log"))?;
        let Some(opened) = opened else {
            return refused("is not a log, which begins with {\"time\":".to_owned());
        };
        let failed = |error| {
            eprintln(&format!("log {shown}: not written: {error}; the run continues"));
        };
        Ok(opened.map_err(failed).ok())
    }
}

/// Returns the end of work that did not fail.
pub(crate) const fn end_of(stopped: bool) -> RunEnd<'static> {
    if stopped { RunEnd::Stopped } else { RunEnd::Finished }
}

/// Runs `work` and logs its start and end. `end` returns how it ended, and its totals.
pub(crate) fn logged<T>(
    progress: &Progress,
    command: &str,
    work: impl FnOnce() -> Result<T>,
    end: impl FnOnce(&T) -> (RunEnd<'static>, Option<EndTotals>),
) -> Result<T> {
    let (threads, version) = (rayon::current_num_threads(), VERSION.as_str());
    progress.log(&Event::Start { command, version, threads, process: std::process::id() });
    let result = work();
    let failed = |error| Event::End { status: "failed", error: Some(error), totals: None };
    progress.log(&match &result {
        Ok(done) => {
            let (end, totals) = end(done);
            let (status, error) = end.status();
            Event::End { status, error: error.map(str::to_owned), totals }
        }
        Err(Failure::Error(_, error)) => failed(with_causes(error)),
        Err(Failure::ClosedPipe) => failed("the output was closed".to_owned()),
    });
    result
}
