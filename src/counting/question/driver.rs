//! Passes the answer to a question to a sink.

use super::{Batch, CensusReport, KnownFigure, Question, QuestionError, Work};
use crate::enumerate::{Place, ShardRange};
use somacat_geometry::figure::Signature;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

/// What a sink does with figures. It needs less work if it stores no positions, and still less if it does not need
/// counts.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, Place, ShardRange};
/// use somacat_counting::question::{
///     Batch, EnumerationQuestion, FigureSink, Keep, QuestionError, Wanted, Work, answer,
/// };
/// use somacat_geometry::outcome::Outcome;
/// use somacat_geometry::pieces::parse_set;
/// use std::sync::atomic::AtomicBool;
///
/// /// Outcomes, for a reader that wants only to know which figures are buildable.
/// struct Outcomes(Vec<Outcome>);
///
/// impl FigureSink for Outcomes {
///     type Error = QuestionError;
///     fn wanted(&self) -> Wanted {
///         Wanted::Figures
///     }
///     fn take(&mut self, batch: Batch) -> Result<(), QuestionError> {
///         self.0.extend(batch.rows.into_iter().map(|row| row.report.outcome));
///         Ok(())
///     }
/// }
///
/// // The cube is built from four dominoes in nine ways, of which the first is enough.
/// let enumeration = Enumeration::in_box(BoxSpec::new([2, 2, 2], 8))?;
/// let (set, keep, label) = (parse_set("D4")?, Keep::Buildable, None);
/// let question = EnumerationQuestion { enumeration, set, keep, label };
/// let (mut outcomes, stop) = (Outcomes(Vec::new()), AtomicBool::new(false));
/// answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut outcomes)?;
/// assert_eq!(outcomes.0, [Outcome::AtLeast(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wanted {
    /// Only which figures are kept. Their outcomes may be lower bounds.
    Figures,
    /// The kept figures with their outcomes. Totals may leave out other figures, and after a stop the answer ends with a
    /// whole shard.
    Rows,
    /// All of a batch. The sink can continue behind each place.
    Batches,
}

/// A reader of an answer.
///
/// A [`Batch`] is a sink that collects a small answer. This one recognizes figures that it has counted before:
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, Place, ShardRange};
/// use somacat_counting::question::{
///     Batch, EnumerationQuestion, FigureSink, Keep, KnownFigure, QuestionError, Work, answer,
/// };
/// use somacat_geometry::figure::Signature;
/// use somacat_geometry::pieces::parse_set;
/// use std::collections::HashMap;
/// use std::sync::atomic::AtomicBool;
///
/// #[derive(Default)]
/// struct Memory {
///     outcomes: HashMap<Signature, KnownFigure>,
///     recognized: usize,
/// }
///
/// impl FigureSink for Memory {
///     type Error = QuestionError;
///     fn known(&mut self, figures: &[&Signature]) -> Result<Vec<Option<KnownFigure>>, QuestionError> {
///         Ok(figures.iter().map(|figure| self.outcomes.get(figure).copied()).collect())
///     }
///     fn take(&mut self, batch: Batch) -> Result<(), QuestionError> {
///         self.recognized += batch.known.len();
///         for row in batch.rows {
///             let (outcome, id) = (row.report.outcome, self.outcomes.len() as i64);
///             let (class, verdict, reason) = (row.columns.class, outcome.verdict(), outcome.reason());
///             let known = KnownFigure { id, class, verdict, reason };
///             self.outcomes.insert(row.columns.signature, known);
///         }
///         Ok(())
///     }
/// }
///
/// // The figures of four cells in a cube of side 2 also fit in 2×2×3, which has more.
/// let (mut memory, stop) = (Memory::default(), AtomicBool::new(false));
/// for sides in [[2, 2, 2], [2, 2, 3]] {
///     let enumeration = Enumeration::in_box(BoxSpec::new(sides, 4))?;
///     let (set, keep, label) = (parse_set("D2")?, Keep::All, None);
///     let question = EnumerationQuestion { enumeration, set, keep, label };
///     answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut memory)?;
/// }
/// assert_eq!((memory.outcomes.len(), memory.recognized), (40, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FigureSink {
    /// The sink's own error, or one of the question.
    type Error: From<QuestionError>;

    /// Returns what the sink reads of a batch.
    fn wanted(&self) -> Wanted {
        Wanted::Batches
    }

    /// Looks up outcomes that need no second count. By default there are none.
    ///
    /// # Errors
    /// If the sink fails.
    fn known(&mut self, figures: &[&Signature]) -> Result<Vec<Option<KnownFigure>>, Self::Error> {
        Ok(vec![None; figures.len()])
    }

    /// Returns the largest numbers of packings of figures taken so far. There are at most `number` of them. By default
    /// no figure was taken.
    ///
    /// # Errors
    /// If the sink fails.
    fn most_packings(&mut self, _number: NonZeroU32) -> Result<Vec<u64>, Self::Error> {
        Ok(Vec::new())
    }

    /// Takes the figures that follow.
    ///
    /// # Errors
    /// If the sink fails. The answer then ends.
    fn take(&mut self, batch: Batch) -> Result<(), Self::Error>;

    /// Writes everything taken so far.
    ///
    /// # Errors
    /// If the sink fails.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Collects an answer that fits in memory.
impl FigureSink for Batch {
    type Error = QuestionError;

    fn take(&mut self, batch: Batch) -> Result<(), QuestionError> {
        self.append(batch);
        Ok(())
    }
}

/// Answers a question from a place on. Returns the report of a census.
///
/// The answer ends early if a stop is requested; the sink knows the place.
///
/// # Errors
/// If the question cannot be answered with the memory, or the sink fails.
pub fn answer<S: FigureSink>(
    question: &dyn Question,
    shards: ShardRange,
    from: Place,
    work: Work<'_>,
    sink: &mut S,
) -> Result<Option<CensusReport>, S::Error> {
    let mut checked = Checked { sink, failed: None };
    let report = question.stream(shards, from, work, &mut checked);
    let Checked { sink, failed } = checked;
    match failed {
        Some(error) => Err(error),
        None => {
            let report = report?;
            sink.flush()?;
            Ok(report)
        }
    }
}

/// Refuses figures whose count failed, for a sink that only shows those with a packing.
///
/// # Errors
/// If there are such figures.
pub fn all_counted(batch: &Batch) -> Result<(), QuestionError> {
    match batch.totals.failed() {
        0 => Ok(()),
        figures => Err(QuestionError::Uncounted(figures)),
    }
}

/// A sink as questions see it: it breaks after an error.
///
/// See [`FigureSink`] for an example.
pub trait Batches {
    /// See [`FigureSink::wanted`].
    fn wanted(&self) -> Wanted;
    /// See [`FigureSink::known`].
    fn known(&mut self, figures: &[&Signature]) -> ControlFlow<(), Vec<Option<KnownFigure>>>;
    /// See [`FigureSink::most_packings`].
    fn most_packings(&mut self, number: NonZeroU32) -> ControlFlow<(), Vec<u64>>;
    /// See [`FigureSink::take`].
    fn take(&mut self, batch: Batch) -> ControlFlow<()>;
    /// See [`FigureSink::flush`].
    fn flush(&mut self) -> ControlFlow<()>;
}

/// A sink and its error.
struct Checked<'a, S: FigureSink> {
    sink: &'a mut S,
    failed: Option<S::Error>,
}

impl<S: FigureSink> Checked<'_, S> {
    fn flow<T>(&mut self, done: Result<T, S::Error>) -> ControlFlow<(), T> {
        match done {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

impl<S: FigureSink> Batches for Checked<'_, S> {
    fn wanted(&self) -> Wanted {
        self.sink.wanted()
    }

    fn known(&mut self, figures: &[&Signature]) -> ControlFlow<(), Vec<Option<KnownFigure>>> {
        let known = self.sink.known(figures);
        self.flow(known)
    }

    fn most_packings(&mut self, number: NonZeroU32) -> ControlFlow<(), Vec<u64>> {
        let most = self.sink.most_packings(number);
        self.flow(most)
    }

    fn take(&mut self, batch: Batch) -> ControlFlow<()> {
        if self.failed.is_some() {
            return ControlFlow::Break(());
        }
        let taken = self.sink.take(batch);
        self.flow(taken)
    }

    fn flush(&mut self) -> ControlFlow<()> {
        let flushed = self.sink.flush();
        self.flow(flushed)
    }
}
