//! One execution: a plan says what to take in, the pipeline recognizes and counts it on all cores,
//! the catalog keeps it.

mod counting;
mod intake;
mod listing;
mod log;
mod pace;
mod placed;
mod plan;
mod progress;
mod sizing;
mod starter;
mod summary;
mod verification;

pub use crate::enumerate::{Enumeration, parse_box};
pub(crate) use intake::figure_row;
pub(crate) use log::seconds;
pub use log::{EndTotals, Event, RunLog};
pub use pace::{rough, time_for};
pub use placed::placed_pieces;
pub use plan::{Plan, PlanError, PublishedLine, SetChoice, Source};
pub use progress::{Progress, Shown};
pub use sizing::{Sizing, size_up};
pub use starter::{starter_plan, starter_sources};
pub use summary::Summary;
pub use verification::{Mismatch, Verification, verify_catalog};

use crate::catalog::{Catalog, CatalogError};
use crate::formats::{OpenError, ReadError};
use counting::Counting;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How a plan is executed.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Count packings too, not only recognize and classify.
    pub count: bool,
    /// Count figures again whose count is not exact.
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
    /// It is not known with which pieces figures of so many cells are to be built.
    #[error("{label}: no whole set fills {cells} cells; the plan must name a set")]
    NoSet {
        /// The enumeration.
        label: String,
        /// The number of cells.
        cells: usize,
    },
    /// The plan's set is not of the enumeration's size.
    #[error("{label}: figures of {cells} cells cannot be counted with {set}")]
    OtherSize {
        /// The enumeration.
        label: String,
        /// The number of cells.
        cells: usize,
        /// The set.
        set: String,
    },
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

/// Executes a plan: takes in all sources, then counts what is not counted yet.
///
/// # Errors
/// If the catalog fails. A source that cannot be read is noted in the summary, and the run goes on.
pub fn execute(
    plan: &Plan,
    catalog: &mut Catalog,
    settings: Settings<'_>,
    progress: &Progress,
) -> Result<Summary, RunError> {
    let begun = Instant::now();
    let run = catalog.begin_run(&plan.title)?;
    let mut summary = Summary::default();
    for source in &plan.sources {
        if let Source::Enumerated(..) = source {
            continue;
        }
        match intake::take_in(source, plan, catalog, settings.stop, progress, &mut summary) {
            Err(error @ (RunError::Source { .. } | RunError::Open(_))) => {
                progress.say(&error.to_string());
                summary.unreadable += 1;
            }
            other => other?,
        }
    }
    for source in &plan.sources {
        if let Source::Enumerated(label, enumeration) = source
            && !settings.stop.load(Ordering::Relaxed)
        {
            let run = (run, settings);
            listing::take_in(enumeration, label, plan, catalog, run, progress, &mut summary)?;
        }
    }
    if settings.count {
        let counting = Counting::new(run, plan, catalog, settings.stop, progress)?;
        counting::count_pending(&counting, catalog, settings.redo, &mut summary)?;
    }
    let published = plan.published_rows(catalog)?;
    catalog.put_published(&published)?;
    summary.totals = catalog.run_totals()?;
    summary.figures = catalog.run_figures()? + summary.in_numbers.figures;
    summary.totals.add_all(&summary.in_numbers);
    summary.stopped = settings.stop.load(Ordering::Relaxed);
    catalog.end_run(run, if summary.stopped { "stopped" } else { "finished" })?;
    summary.elapsed = begun.elapsed();
    Ok(summary)
}
