//! Runs: a plan is executed on a catalog, and worked or merged in units.
//!
//! Sources come first, and their figures are counted on all cores. Then come the other questions of the plan.

mod class_recount;
mod completeness;
mod counting;
mod intake;
mod log;
mod memory;
mod mismatch;
mod plan;
mod plan_error;
mod plan_estimate;
mod plan_file;
mod plan_tables;
mod progress;
mod proofs;
mod published;
mod rate;
mod set_choice;
mod share;
mod source;
mod source_question;
mod starter;
mod structures;
mod summary;
mod unkept;
mod user_table;
mod verification;
mod version;

pub use class_recount::{ClassRecount, class_recount};
pub use completeness::Completeness;
pub use counting::{try_figure, work_within};
pub use intake::{CatalogSink, FlushAfter, Intake, OpenQuestion};
pub use log::{EndTotals, Event, RunLog};
pub use memory::default_limits;
pub use memory::{available_memory, restart_with_one_heap};
pub use mismatch::Mismatch;
pub use plan::Plan;
pub use plan_error::{PlanError, PlanFault};
pub use plan_estimate::{Estimated, estimate, estimate_plan};
pub use plan_tables::plan_table;
pub use progress::{Progress, ProgressMode, SearchDisplay};
pub use proofs::{FoundProofs, find_proofs};
pub use published::PublishedLine;
pub use published::parse as parse_published;
pub use rate::{Rate, rough, time_for};
pub use set_choice::SetChoice;
pub use share::Share;
pub use source::Source;
pub use source_question::SourceQuestion;
pub use starter::starter_source;
pub use starter::{starter_plan, starter_sources};
pub use structures::SET_UP;
pub use summary::Summary;
pub use unkept::Unkept;
pub use user_table::{TableError, listed_figures, table_rows, without_remark};
pub use verification::{RowChoice, Verification, verify_catalog};
pub use version::{VERSION, full_version};

use somacat_catalog::{CatalogError, RunOptions};
use somacat_counting::enumerate::ShardRange;
use somacat_counting::question::{Origin, Question, QuestionError, Work, answer};
use somacat_formats::OpenError;
use std::error::Error;
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
    #[error(transparent)]
    Open(#[from] OpenError),
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
    // A catalog is created only if a source can be read, or none is asked first.
    let unreadable = |question: &&dyn Question| {
        // The check of a search comes when its turn has come, and so does any other error of a source.
        let checked = is_source(question).then(|| question.check(plan.work(settings.stop)));
        let Some(Err(QuestionError::Source(error))) = checked else { return false };
        report_unreadable(&*error, &mut summary, progress);
        true
    };
    let questions: Vec<&dyn Question> = plan.every_question().skip_while(unreadable).collect();
    let stopped = settings.stop.load(Ordering::Relaxed);
    if (stopped || questions.is_empty() && summary.unreadable > 0) && !catalog.exists() {
        (summary.stopped, summary.elapsed) = (stopped, begun.elapsed());
        summary.read_nothing = !stopped;
        return Ok(summary);
    }
    let intake = Intake::begin(catalog, &plan.title, settings.stop, progress)?;
    let mut run = Run { plan, settings, intake };
    let counted = settings.counts != CountMode::None;
    run.intake.options = RunOptions { nodes: plan.nodes, counted, wanted: plan.wanted };
    run.intake.summary = summary;
    let done = run.all(&questions);
    let unreadable = run.intake.summary.unreadable;
    let only_sources = plan.questions.is_empty() && plan.published.is_empty();
    run.intake.summary.read_nothing =
        unreadable > 0 && unreadable == plan.sources.len() as u64 && only_sources;
    let mut summary = run.intake.end(done)?;
    summary.elapsed = begun.elapsed();
    Ok(summary)
}

impl<'a> Run<'a> {
    fn all(&mut self, questions: &[&dyn Question]) -> Result<(), RunError> {
        let sources = questions.iter().take_while(|question| is_source(question)).count();
        for (number, question) in questions.iter().enumerate() {
            // Figures that somebody named are counted before a long search begins, and a search counts no figure a
            // second time. A merge takes the counts in the same order.
            if number == sources && sources > 0 && self.settings.counts != CountMode::None {
                self.count_pending()?;
            }
            if self.intake.stopped() {
                break;
            }
            match self.question(*question) {
                Err(RunError::Question(QuestionError::Source(error))) => {
                    let Intake { summary, progress, .. } = &mut self.intake;
                    report_unreadable(&*error, summary, progress);
                }
                done => done?,
            }
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
        let (stop, progress) = (self.intake.stop, self.intake.progress);
        let advance = |steps| progress.advance(steps);
        let work = self.work().watched(&advance);
        question.check(work)?;
        let (label, nodes) = (question.label(), self.plan.nodes);
        let mut open = self.intake.begin_question(question, label.clone(), nodes)?;
        if !open.is_complete() {
            let expected = question.expected(stop);
            let mut left = expected;
            let mut title = format!("reading {label}");
            if let Some(state) = open.enumeration() {
                let session = &mut self.intake.session;
                let before = session.catalog().enumeration_totals(state.id)?.figures;
                left = expected.map(|figures| figures.saturating_sub(before));
                if let Some(left) = left {
                    session.add_expected(left)?;
                }
                title = label;
            }
            let from = open.place();
            progress.begin(&title, question.steps(ShardRange::ALL, from, left));
            let mut sink = CatalogSink::new(&mut self.intake, &mut open, FlushAfter::RUN)
                .adding_expected(left.is_none());
            let answered = answer(question, ShardRange::ALL, from, work, &mut sink);
            progress.end();
            self.intake.summary.censuses.extend(answered?);
        }
        self.intake.end_question(question, &open)
    }

    fn work(&self) -> Work<'a> {
        self.plan.work(self.settings.stop).showing(self.intake.progress.searches())
    }
}

fn is_source(question: &&dyn Question) -> bool {
    matches!(question.origin(), Origin::Source(_))
}

/// Reports a source that cannot be read; others may still be.
fn report_unreadable(error: &dyn Error, summary: &mut Summary, progress: &Progress) {
    progress.say(&error.to_string());
    summary.unreadable += 1;
}
