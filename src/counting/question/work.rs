//! The limits of a question's work, and its progress.

use crate::solve::{DEFAULT_MEMORY, Limits, LongSearches, Problem, SolveError, count, guard};
use somacat_geometry::figure::Candidate;
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::pieces::PieceSet;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The number of steps of some work, as far as it is known.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, EnumerateError, Place, ShardRange};
/// use somacat_counting::question::{EnumerationQuestion, Keep, Question, Size};
/// use somacat_geometry::pieces::parse_set;
///
/// // The number of all figures in a box is known, and that of connected ones is an estimate.
/// let steps = |connected| -> Result<Size, EnumerateError> {
///     let enumeration = Enumeration::in_box(BoxSpec { connected, ..BoxSpec::new([2, 2, 3], 8) })?;
///     let (set, keep, label) = (parse_set("D4").expect("four dominoes"), Keep::All, None);
///     let question = EnumerationQuestion { enumeration, set, keep, label };
///     Ok(question.steps(ShardRange::ALL, Place::default(), Some(49)))
/// };
/// assert_eq!((steps(false)?, steps(true)?), (Size::Exact(49), Size::About(49)));
/// # Ok::<(), EnumerateError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Unknown.
    Unknown,
    /// The exact number.
    Exact(u64),
    /// An estimate.
    About(u64),
}

impl Size {
    /// Returns the number of steps, exact or not.
    pub const fn steps(self) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::Exact(steps) | Self::About(steps) => Some(steps),
        }
    }
}

/// The limits of a question's work, and the display of its progress.
///
/// ```
/// use somacat_counting::question::Work;
/// use somacat_counting::solve::{Problem, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
/// use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let problem = Problem::new(&cube, &soma);
/// let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
/// let advance = |steps| {
///     done.fetch_add(steps, Ordering::Relaxed);
/// };
/// let work = Work::until(&stop).watched(&advance);
/// let timed = work.count(|limits| count(&problem, limits)).expect("no stop");
/// assert_eq!(timed.report.outcome.unique(), Some(240));
/// // After a stop nothing is counted, and no step is reported.
/// stop.store(true, Ordering::Relaxed);
/// assert!(work.count(|limits| count(&problem, limits)).is_none());
/// assert_eq!(done.load(Ordering::Relaxed), 1);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The limits of each figure's count.
    pub limits: Limits<'a>,
    /// Bytes that all of the work may take; by default all available memory.
    pub memory: Option<u64>,
    /// Requests a stop.
    pub stop: &'a AtomicBool,
    /// Is told the steps that were done.
    pub advance: &'a (dyn Fn(u64) + Sync),
}

/// A report, and the wall-clock time of the count in microseconds.
///
/// See [`Work`] for an example.
pub struct Timed {
    /// The outcome, which may be an error.
    pub report: Report,
    /// The microseconds.
    pub micros: u64,
}

impl Debug for Work<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { limits, memory, stop, .. } = self;
        let mut text = f.debug_struct("Work");
        text.field("limits", limits).field("memory", memory).field("stop", stop);
        text.finish_non_exhaustive()
    }
}

impl<'a> Work<'a> {
    /// Returns work without limits that nobody watches.
    pub fn until(stop: &'a AtomicBool) -> Self {
        Self::limited(Limits { stop: Some(stop), ..Limits::default() }, None, stop)
    }

    /// Returns work with limits for each figure. `memory` bounds the bytes of a count and of the whole.
    pub fn limited(limits: Limits<'a>, memory: Option<u64>, stop: &'a AtomicBool) -> Self {
        let for_counts = memory.map(|asked| asked.min(DEFAULT_MEMORY));
        let limits = Limits { memory: for_counts.or(limits.memory), ..limits };
        Self { limits, memory, stop, advance: &|_| () }
    }

    /// Returns the same work with a display of its progress.
    pub fn watched(self, advance: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { advance, ..self }
    }

    /// Returns the same work, whose long searches are shown.
    pub fn showing(self, searches: &'a LongSearches) -> Self {
        Self { limits: Limits { searches: Some(searches), ..self.limits }, ..self }
    }

    /// Returns whether a stop is requested.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the bytes that the work may take: those allowed, and at most those available.
    pub fn allowed_memory(&self) -> u64 {
        let available = self.limits.available.map_or(u64::MAX, |available| available());
        self.memory.unwrap_or(u64::MAX).min(available)
    }

    /// Counts a figure, a step of the progress. `None` if a stop interrupted it. An error is an outcome too.
    pub fn count<E: Display>(
        &self,
        count: impl FnOnce(Limits<'_>) -> Result<Report, E>,
    ) -> Option<Timed> {
        let timed = self.count_uncredited(count)?;
        (self.advance)(1);
        Some(timed)
    }

    /// Counts a figure that is not a step of the progress.
    pub fn count_uncredited<E: Display>(
        &self,
        count: impl FnOnce(Limits<'_>) -> Result<Report, E>,
    ) -> Option<Timed> {
        if self.limits.stopped() {
            return None;
        }
        let begun = Instant::now();
        let report = guard(|| count(self.limits));
        let report = report.unwrap_or_else(|error| Report::failed(&error.to_string()));
        let micros = begun.elapsed().as_micros() as u64;
        // After a stop, a bound may be lower than the limit of nodes allows.
        let bound = matches!(report.outcome, Outcome::AtLeast(_) | Outcome::Unknown);
        if self.limits.stopped() && bound {
            return None;
        }
        Some(Timed { report, micros })
    }
}

/// Counts a figure in its canonical position. Nodes and limits depend on the position.
///
/// # Errors
/// If the figure cannot be counted, for example because it is too large.
pub fn count_canonical(
    candidate: &Candidate,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let (figure, group) = candidate.canonical();
    count(&Problem::with_group(&figure, set, group), limits)
}
