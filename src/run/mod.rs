//! One execution: a plan says what to do, and its jobs do it: import, enumerate, count a box at once. Figures are
//! counted on all cores, the catalog keeps them.

mod buildable;
mod census;
mod completeness;
mod counting;
mod enumerate;
mod import;
mod log;
mod memory;
mod pace;
mod placed;
mod plan;
mod plan_error;
mod plan_file;
mod progress;
mod published;
mod question;
mod reserve;
mod sizing;
mod source;
mod starter;
mod structures;
mod summary;
mod verification;

pub(crate) use buildable::count_shards;
pub use census::{CensusReport, CensusSink, Selection, Sweep};
pub use completeness::Completeness;
pub(crate) use counting::Counting;
pub(crate) use enumerate::{CountedFigure, Counter, in_stretches};
pub(crate) use import::{OpenSource, Recognition, Recognized, Sets, recognize, tell};
pub use log::{EndTotals, Event, RunLog};
pub(crate) use memory::default_limits;
pub use memory::{available_memory, memory_to_use};
pub use pace::{rough, time_for};
pub use placed::{PlacedError, placed_pieces};
pub use plan::{BuildableJob, CensusJob, EnumerationJob, ImportJob, Job, Plan, SetChoice, files};
pub use plan_error::{PlanError, PlanFault};
pub use plan_file::KeepWord;
pub use progress::{Progress, ProgressMode, Size};
pub use published::PublishedLine;
pub(crate) use published::{keep as keep_published, parse as parse_published};
pub use reserve::Reserve;
pub(crate) use reserve::{restore, try_figure};
pub(crate) use sizing::{SAMPLES, Trial};
pub use sizing::{Sizing, size_up};
pub use source::Source;
pub(crate) use starter::starter_source;
pub use starter::{starter_plan, starter_sources};
pub use structures::SET_UP;
pub use summary::Summary;
pub use verification::{Mismatch, MismatchValue, Verification, verify_catalog};

use crate::catalog::{CatalogError, RunEnd, Session};
use crate::census::CensusError;
use crate::figure::Figure;
use crate::formats::{OpenError, ReadError};
use crate::outcome::Reason;
use crate::pieces::PieceSet;
use crate::solve::{Problem, rule_out};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How a plan is executed.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Count packings too, not only recognize and classify.
    pub count: bool,
    /// Count figures again whose count failed. Those that a lower limit left open are always counted again.
    pub redo: bool,
    /// Stop soon after this becomes true; what is done stays done.
    pub stop: &'a AtomicBool,
}

/// Why an execution ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A box cannot be counted at once.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// A census needs more memory than it may use.
    #[error(
        "with the rows that wait to be written the census takes {needed} of memory, and {allowed} are \
         allowed; allow more with --memory, or use fewer threads"
    )]
    CensusMemory {
        /// What it needs.
        needed: String,
        /// What is allowed.
        allowed: String,
    },
    /// The system gives no threads.
    #[error("cannot start the threads of the run: {0}; allow more, or use fewer with --threads")]
    Threads(std::io::Error),
    /// A source cannot be opened, or holds no figure.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A source cannot be read on.
    #[error("{label}: {error}")]
    Source {
        /// The source as it was named.
        label: String,
        /// What the reader says.
        error: ReadError,
    },
}

/// A run at work: what every job needs.
struct Run<'a> {
    session: Session,
    plan: &'a Plan,
    settings: Settings<'a>,
    progress: &'a Progress,
    summary: Summary,
}

/// Executes a plan on a catalog, which is made if there is none: takes in all figures, and counts what is not counted
/// yet.
///
/// # Errors
/// If the catalog fails or a box cannot be counted at once; the run is then noted as failed. A source that cannot be
/// read is noted in the summary, and the run goes on.
pub fn execute(
    plan: &Plan,
    catalog: &Path,
    settings: Settings<'_>,
    progress: &Progress,
) -> Result<Summary, RunError> {
    let begun = Instant::now();
    let mut summary = Summary::default();
    // A catalog is made when there is something to put into it.
    let (mut jobs, mut open) = (plan.jobs.as_slice(), None);
    while let (None, [Job::Import(job), others @ ..]) = (&open, jobs) {
        match OpenSource::open(job, settings.stop) {
            Ok(source) => open = Some(source),
            Err(error) => {
                unreadable(error, &mut summary, progress)?;
                jobs = others;
            }
        }
    }
    let stopped = settings.stop.load(Ordering::Relaxed);
    let nothing = match &open {
        Some(source) => source.items.is_empty(),
        None => stopped || jobs.is_empty() && summary.unreadable > 0,
    };
    if nothing && !catalog.exists() {
        (summary.stopped, summary.elapsed) = (stopped, begun.elapsed());
        return Ok(summary);
    }
    let session = Session::begin(catalog, &plan.title)?;
    let mut run = Run { session, plan, settings, progress, summary };
    let done = run.all(jobs, open);
    let Run { session, mut summary, .. } = run;
    match done {
        Ok(()) => {
            session.end(if summary.stopped { RunEnd::Stopped } else { RunEnd::Finished })?;
            summary.elapsed = begun.elapsed();
            Ok(summary)
        }
        Err(error) => {
            // The error itself says more than that its end cannot be noted either.
            let _ = session.end(RunEnd::Failed(&error.to_string()));
            Err(error)
        }
    }
}

impl Run<'_> {
    fn stopped(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
    }

    /// Does `jobs`; the source of the first is open already if it is an import.
    fn all(&mut self, jobs: &[Job], mut open: Option<OpenSource>) -> Result<(), RunError> {
        for job in jobs {
            if self.stopped() {
                break;
            }
            match job {
                Job::Import(job) => {
                    let open = match open.take() {
                        Some(source) => Ok(source),
                        None => OpenSource::open(job, self.settings.stop),
                    };
                    let done = open.and_then(|source| self.import(job, source));
                    done.or_else(|error| unreadable(error, &mut self.summary, self.progress))?;
                }
                Job::Enumerate(job) => self.enumerate(job)?,
                Job::Buildable(job) => self.buildable(job)?,
                Job::Census(job) => self.census(job)?,
            }
        }
        if self.settings.count {
            self.count_pending()?;
            self.find_structures()?;
        }
        let tell = |text: &str| self.progress.say(text);
        let matches = published::keep(&self.plan.published, &mut self.session, &tell)?;
        self.summary.published_known = matches.known;
        self.summary.published_faults = matches.faults;
        self.summary.published_unknown = matches.unknown;
        self.summary.stopped = self.stopped();
        Ok(self.summary.add_up(&self.session)?)
    }
}

/// A source that cannot be read is told and noted, and the run goes on; any other error ends it.
fn unreadable(error: RunError, summary: &mut Summary, progress: &Progress) -> Result<(), RunError> {
    match error {
        RunError::Source { .. } | RunError::Open(_) => {
            progress.say(&error.to_string());
            summary.unreadable += 1;
            Ok(())
        }
        other => Err(other),
    }
}

/// Why a figure without packings has none, in the word that a count of the figure alone has for it: what is seen
/// before a search, else that there is nothing to be found.
fn unsolvable_reason(figure: &Figure, set: &PieceSet) -> Reason {
    let seen = rule_out(&Problem::new(figure, set));
    // Of a figure too large to search nothing is seen.
    seen.ok().flatten().unwrap_or(Reason::Exhausted)
}
