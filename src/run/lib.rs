//! Runs: a plan is executed on a catalog, and worked or merged in units.
//!
//! Imports are first. Then the questions of the plan are answered, and figures of sources are counted on all cores.

mod completeness;
mod counting;
mod import;
mod intake;
mod log;
mod memory;
mod mismatch;
mod pieces_in_place;
mod plan;
mod plan_error;
mod plan_estimate;
mod plan_file;
mod plan_tables;
mod progress;
mod proofs;
mod published;
mod rate;
mod share;
mod source;
mod starter;
mod structures;
mod summary;
mod unkept;
mod user_table;
mod verification;
mod version;

pub use completeness::{ClassRecount, Completeness, class_recount};
pub use counting::{count_signature, try_figure, work_within};
pub use import::{OpenSource, Recognition};
pub use intake::{CatalogSink, FlushAfter, Intake, OpenQuestion, Recognized, SourceRows};
pub use log::{EndTotals, Event, RunLog};
pub use memory::default_limits;
pub use memory::{available_memory, restart_with_one_heap};
pub use mismatch::Mismatch;
pub use pieces_in_place::{PiecesInPlaceError, pieces_in_place};
pub use plan::{ImportJob, Plan, SetChoice};
pub use plan_error::{PlanError, PlanFault};
pub use plan_estimate::{estimate_import, estimate_plan};
pub use plan_tables::plan_table;
pub use progress::{Progress, ProgressMode, SearchDisplay};
pub use proofs::{FoundProofs, find_proofs};
pub use published::PublishedLine;
pub use published::parse as parse_published;
pub use rate::{Rate, rough, time_for};
pub use share::Share;
pub use source::Source;
pub use starter::starter_source;
pub use starter::{starter_plan, starter_sources};
pub use structures::SET_UP;
pub use summary::Summary;
pub use unkept::Unkept;
pub use user_table::{listed_figures, table_rows, without_remark};
pub use verification::{RowChoice, Verification, verify_catalog};
pub use version::{VERSION, full_version};

use somacat_catalog::{CatalogError, RunOptions};
use somacat_counting::enumerate::ShardRange;
use somacat_counting::question::{Keep, Question, QuestionError, Work, answer};
use somacat_formats::{OpenError, ReadError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The figures of sources that a run counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CountMode {
    /// None; figures are only recognized and classified.
    None,
    /// Figures without an exact outcome, unless the limit is unchanged.
    #[default]
    Pending,
    /// These, and figures whose count failed.
    Redo,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    pub counts: CountMode,
    /// Requests a stop; finished work is kept.
    pub stop: &'a AtomicBool,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Question(#[from] QuestionError),
    #[error("cannot start the threads of the run: {0}; allow more, or use fewer with --threads")]
    Threads(io::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{label}: {error}")]
    Source { label: String, error: ReadError },
    #[error("cannot write {path}: {error}")]
    Write { path: PathBuf, error: io::Error },
}

struct Run<'a> {
    plan: &'a Plan,
    settings: Settings<'a>,
    intake: Intake<'a>,
}

/// Executes a plan on a catalog: takes in all figures, and counts those not counted yet.
///
/// Creates the catalog when the first figure arrives. Reports an unreadable source and continues.
///
/// # Errors
/// If the catalog fails or a census cannot be made. The run is recorded as failed.
pub fn execute(
    plan: &Plan,
    catalog: &Path,
    settings: Settings<'_>,
    progress: &Progress,
) -> Result<Summary, RunError> {
    let begun = Instant::now();
    let mut summary = Summary::default();
    let (mut imports, mut open) = (plan.imports.as_slice(), None);
    while let (None, [job, others @ ..]) = (&open, imports) {
        match OpenSource::open(job, settings.stop) {
            Ok(source) => open = Some(source),
            Err(error) => {
                report_unreadable(error, &mut summary, progress)?;
                imports = others;
            }
        }
    }
    let stopped = settings.stop.load(Ordering::Relaxed);
    let nothing = match &open {
        Some(source) => source.items.is_empty(),
        None => stopped || plan.questions.is_empty() && summary.unreadable > 0,
    };
    if nothing && !catalog.exists() {
        (summary.stopped, summary.elapsed) = (stopped, begun.elapsed());
        return Ok(summary);
    }
    let intake = Intake::begin(catalog, &plan.title, settings.stop, progress)?;
    let mut run = Run { plan, settings, intake };
    let counted = settings.counts != CountMode::None;
    run.intake.options = RunOptions { nodes: plan.nodes, counted, wanted: plan.wanted };
    run.intake.summary = summary;
    let done = run.all(imports, open);
    let mut summary = run.intake.end(done)?;
    summary.elapsed = begun.elapsed();
    Ok(summary)
}

impl<'a> Run<'a> {
    /// Does everything; the first of `imports` may be open.
    fn all(&mut self, imports: &[ImportJob], mut open: Option<OpenSource>) -> Result<(), RunError> {
        for job in imports {
            if self.intake.stopped() {
                break;
            }
            let open = match open.take() {
                Some(source) => Ok(source),
                None => OpenSource::open(job, self.settings.stop),
            };
            let done = open.and_then(|source| self.import(job, source));
            done.or_else(|error| {
                report_unreadable(error, &mut self.intake.summary, self.intake.progress)
            })?;
        }
        for question in &self.plan.questions {
            if self.intake.stopped() {
                break;
            }
            self.question(question.as_ref())?;
        }
        // Listing the figures of a large catalog takes seconds, which a stop does not have.
        if self.settings.counts != CountMode::None && !self.intake.stopped() {
            self.count_pending()?;
            self.find_structures()?;
            self.find_proofs()?;
        }
        Ok(self.intake.keep_published(&self.plan.published)?)
    }

    /// Answers a question, from the position that the catalog has.
    fn question(&mut self, question: &dyn Question) -> Result<(), RunError> {
        let (stop, progress, nodes) = (self.intake.stop, self.intake.progress, self.plan.nodes);
        let advance = |steps| progress.advance(steps);
        let work = self.work().watched(&advance);
        question.check_memory(work)?;
        let mut open = self.intake.begin_question(question, question.label(), nodes)?;
        if !open.state.complete {
            let session = &mut self.intake.session;
            let before = session.catalog().enumeration_totals(open.state.id)?.figures;
            let expected = question.expected(stop);
            let left = expected.map(|figures| figures.saturating_sub(before));
            if let Some(left) = left {
                session.add_expected(left)?;
            }
            let from = open.state.place;
            progress.begin(&open.label, question.steps(ShardRange::ALL, from, left));
            let mut sink = CatalogSink::new(&mut self.intake, &mut open, FlushAfter::RUN)
                .adding_expected(left.is_none());
            let answered = answer(question, ShardRange::ALL, from, work, &mut sink);
            progress.end();
            self.intake.summary.censuses.extend(answered?);
        }
        self.intake.end_question(question, &open)?;
        if question.keep() != Keep::All {
            self.intake.session.add_kept(open.state.id, open.state.set)?;
        }
        Ok(())
    }

    fn work(&self) -> Work<'a> {
        let work = work_within(self.plan.nodes, self.plan.memory, self.settings.stop);
        work.showing(self.intake.progress.searches())
    }
}

/// Reports a source that cannot be read; passes on any other error.
fn report_unreadable(
    error: RunError,
    summary: &mut Summary,
    progress: &Progress,
) -> Result<(), RunError> {
    match error {
        RunError::Source { .. } | RunError::Open(_) => {
            progress.say(&error.to_string());
            summary.unreadable += 1;
            Ok(())
        }
        other => Err(other),
    }
}
