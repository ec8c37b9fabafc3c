//! Questions about many figures: which exist, and how many packings has each?
//!
//! An enumeration, a search for buildable figures and a census answer the same kind of [`Question`] in three ways, and a
//! source such as a file in a fourth: its figures are listed already and have names. The answer is one stream of
//! [`Batch`]es in a fixed order, the same on every machine and with any number of threads. A question is cut into
//! shards, so that machines can share it, and a [`Place`] in the stream is a shard and a number within it, so that the
//! stream can continue there. [`answer`] passes the batches to a [`FigureSink`]. Programs differ only in their sinks: a
//! catalog, a file of a part, rows on a terminal, a table in memory.
//!
//! A new kind of question is a file here with a line in `KINDS`. Sources are read elsewhere: this crate knows no files.
//!
//! # Examples
//!
//! All figures of eleven cells in a 2×3×3 box, and those that V, L and T build:
//!
//! ```
//! use somacat_counting::census::Census;
//! use somacat_counting::enumerate::{Place, ShardRange};
//! use somacat_counting::question::{Batch, CensusQuestion, Keep, Work, answer};
//! use somacat_geometry::pieces::parse_set;
//! use std::sync::atomic::AtomicBool;
//!
//! let census = Census::new([2, 3, 3], &parse_set("V L T")?)?;
//! let question = CensusQuestion { census, keep: Keep::Buildable };
//! let (mut all, stop) = (Batch::default(), AtomicBool::new(false));
//! answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut all)?;
//! assert_eq!((all.totals.figures(), all.rows.len()), (2108, 404));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakdown;
mod buildable;
mod census;
mod driver;
mod entry;
mod enumeration;
mod estimate;
mod keep;
mod leaders;
mod work;

pub use breakdown::{Breakdown, CountedRow, KnownFigure};
pub use buildable::{BuildableQuestion, NoBuildableQuestion, buildable_class, buildable_question};
pub use census::{CensusQuestion, CensusReport};
pub use driver::{Batches, FigureSink, Wanted, all_counted, answer};
pub use entry::{Entry, EntryFault, EntryName, EntrySource, Origin, SourceEnd};
pub use enumeration::EnumerationQuestion;
pub use estimate::{Trial, WorkEstimate};
pub use keep::Keep;
pub use leaders::{Leaders, packings, shorten};
pub use work::{Size, Timed, Work, count_canonical};

use crate::census::{CensusError, bytes};
use crate::enumerate::{KeyError, Place, ShardRange};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::error::Error;
use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question about many figures: which exist, and how many packings has each?
///
/// The head of this module has an example.
pub trait Question: Debug + Send + Sync {
    /// Returns the question in normal form. The key includes the version of the algorithm that cuts the question into
    /// shards.
    fn key(&self) -> String;

    /// Returns the question in words.
    fn label(&self) -> String;

    /// Returns where the figures come from.
    fn origin(&self) -> Origin<'_>;

    /// Returns the SHA-256 of the content of its source in hexadecimal digits. `None` if it has none, or one that cannot
    /// be read again.
    ///
    /// # Errors
    /// If the source cannot be read.
    fn digest(&self) -> Result<Option<String>, QuestionError> {
        Ok(None)
    }

    /// Returns which figures the answer has; the others are only counted.
    fn keep(&self) -> Keep;

    /// Returns whether a limit of nodes per figure can change outcomes.
    fn obeys_limit(&self) -> bool {
        true
    }

    /// Returns the exact number of figures, if it is known beforehand.
    fn total(&self) -> Option<u128> {
        None
    }

    /// Returns the sum of subsets that the shards must give. `None` if shards have no [`CensusSums`].
    fn total_subsets(&self) -> Option<u128> {
        None
    }

    /// Returns the number of figures, exact or estimated. `None` if only the search can find it.
    fn expected(&self, stop: &AtomicBool) -> Option<u64>;

    /// Returns the progress steps of shards from a place on. `left` is the number of figures expected there, if known.
    fn steps(&self, shards: ShardRange, from: Place, left: Option<u64>) -> Size;

    /// Estimates figures, time and space, the same on every machine. `work` has the limits of a trial's counts.
    ///
    /// # Errors
    /// If its source cannot be read.
    fn estimate(&self, work: Work<'_>) -> Result<WorkEstimate, QuestionError>;

    /// Checks that the answer can begin: the memory suffices for all shards, the source can be read.
    ///
    /// # Errors
    /// If it cannot.
    fn check(&self, _work: Work<'_>) -> Result<(), QuestionError> {
        Ok(())
    }

    /// Passes on the figures of shards behind a place, in order, and ends when a stop is requested. Only [`answer`]
    /// calls it.
    ///
    /// # Errors
    /// If there is not enough memory, or the source cannot be read.
    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError>;
}

/// An error of a question, not of the sink.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_counting::question::{CensusQuestion, Keep, Question, Work};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::pieces::PieceSet;
/// use std::sync::atomic::AtomicBool;
///
/// let census = Census::new([3, 3, 4], &PieceSet::soma(1))?;
/// let question = CensusQuestion { census, keep: Keep::Totals };
/// let stop = AtomicBool::new(false);
/// let work = Work::limited(Limits::default(), Some(1 << 20), &stop);
/// // Before a census begins, it is known whether the memory suffices.
/// let message = question.check(work).unwrap_err().to_string();
/// let advice = "and 1 MiB are allowed; allow more memory or choose a smaller box";
/// assert!(message.ends_with(advice), "{message}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// The census itself cannot be made.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The census and the rows that wait for the sink need more memory than is allowed.
    #[error(
        "with the rows that wait to be written, the census takes {} of memory, and {} are allowed; allow more memory, use \
         fewer threads, or keep fewer figures", bytes(*needed), bytes(*allowed)
    )]
    Memory {
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// Some figures could not be counted, and the reader needs all of them.
    #[error("{0} figures could not be counted, for example because they have too many cells")]
    Uncounted(u64),
    /// A source cannot be opened or read to its end. The message names it.
    #[error("{0}")]
    Source(Box<dyn Error + Send + Sync>),
    /// The system refuses threads.
    #[error("cannot start the threads of the run: {0}; allow more, or use fewer with --threads")]
    Threads(io::Error),
}

/// Sums over shards of a census: packings, the same number as a sum over figures, and subsets.
pub type CensusSums = [u128; 3];

/// Consecutive figures of an answer.
///
/// As a sink, a batch collects an answer that fits in memory: see the head of this module.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The place after them.
    pub place: Place,
    /// The numbers of figures, kept or not.
    pub totals: Breakdown,
    /// The kept figures.
    pub rows: Vec<CountedRow>,
    /// Kept figures whose outcomes the sink already had.
    pub known: Vec<KnownFigure>,
    /// The sums at the end of a shard of a census.
    pub sums: Option<CensusSums>,
    /// The sound entries of a source.
    pub entries: Vec<Entry>,
    /// Its faults, in their order.
    pub faults: Vec<EntryFault>,
    /// Outcomes of entries with their sets, if the question counts them.
    pub outcomes: Vec<(PieceSet, CountedRow)>,
    /// The end of the source.
    pub source_end: Option<SourceEnd>,
}

pub(crate) enum Counted {
    Row(CountedRow),
    /// A figure that only counts as a number.
    Number(Class, Verdict, Option<Reason>),
    /// A kept figure whose outcome the sink already had.
    Known(KnownFigure),
}

impl Counted {
    /// Makes a row of a figure if it is kept.
    fn new(candidate: Candidate, report: Report, micros: Option<u64>, keep: Keep) -> Self {
        let (verdict, reason) = (report.outcome.verdict(), report.outcome.reason());
        if !keep.keeps(verdict) {
            return Self::Number(candidate.class(), verdict, reason);
        }
        Self::Row(CountedRow { columns: candidate.into_columns(), report, micros })
    }
}

impl Batch {
    /// Returns an empty batch that ends at a place.
    pub fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// Returns the batch of some figures that ends at a place.
    fn of(place: Place, figures: Vec<Counted>) -> Self {
        let mut batch = Self::at(place);
        figures.into_iter().for_each(|figure| batch.add(figure));
        batch
    }

    /// Adds a figure; the caller moves the place.
    fn add(&mut self, figure: Counted) {
        match figure {
            Counted::Row(row) => {
                self.totals.add_outcome(row.columns.class, &row.report.outcome);
                self.rows.push(row);
            }
            Counted::Number(class, verdict, reason) => self.totals.add(class, verdict, reason),
            Counted::Known(known) => {
                self.totals.add(known.class, known.verdict, known.reason);
                self.known.push(known);
            }
        }
    }

    /// Appends the batch that follows.
    pub fn append(&mut self, next: Self) {
        self.place = next.place;
        self.totals.add_all(&next.totals);
        self.rows.extend(next.rows);
        self.known.extend(next.known);
        self.sums = add_sums(self.sums, next.sums);
        self.entries.extend(next.entries);
        self.faults.extend(next.faults);
        self.outcomes.extend(next.outcomes);
        self.source_end = next.source_end.or(self.source_end.take());
    }
}

/// Adds the sums of parts of a census, where they have any.
pub fn add_sums(one: Option<CensusSums>, other: Option<CensusSums>) -> Option<CensusSums> {
    match (one, other) {
        (Some(a), Some(b)) => Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]]),
        (one, other) => one.or(other),
    }
}

/// The figures that a question lists, for a second count by another method.
///
/// ```
/// use somacat_counting::question::family_of_key;
///
/// let key = "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=C3i; D3d; Th; Oh";
/// let family = family_of_key(key, None).expect("the key of an enumeration");
/// assert_eq!((family.cells, family.parts, family.classes.len()), (27, Some(1), 4));
/// ```
#[derive(Clone, Debug)]
pub struct FigureFamily {
    /// The number of cells of each figure.
    pub cells: usize,
    /// The box in which figures fit in some orientation, if there is one.
    pub bounds: Option<[u32; 3]>,
    /// The number of separate parts, if it is given.
    pub parts: Option<usize>,
    /// True if every column stands solid on the ground. The third side of the box is then the height.
    pub towers: bool,
    /// True if the question lists only figures that its set builds.
    pub only_buildable: bool,
    /// The classes of the figures.
    pub classes: Vec<Class>,
    /// The transforms up to which figures are listed.
    pub equivalence: Equivalence,
}

impl FigureFamily {
    /// Returns all figures of some classes that have as many cells as a set.
    fn of_set(set: &PieceSet, classes: Vec<Class>) -> Self {
        let (cells, equivalence) = (set.total_cells(), Equivalence::for_set(set));
        let (bounds, parts, towers, only_buildable) = (None, None, false, false);
        Self { cells, bounds, parts, towers, only_buildable, classes, equivalence }
    }
}

type ParsedQuestion = Result<Arc<dyn Question>, KeyError>;

/// A kind of question, as its keys show it.
struct QuestionKind {
    /// The words before the slash of its keys.
    methods: &'static [&'static str],
    of_key: fn(&str, &PieceSet, Keep) -> ParsedQuestion,
    family: fn(&str, Option<&PieceSet>) -> Option<FigureFamily>,
}

static KINDS: [QuestionKind; 3] = [enumeration::KIND, buildable::KIND, census::KIND];

fn kind(key: &str) -> Option<&'static QuestionKind> {
    let (method, _) = key.split_once('/')?;
    KINDS.iter().find(|kind| kind.methods.contains(&method))
}

/// Returns the question of a key.
///
/// ```
/// use somacat_counting::question::{Keep, of_key};
/// use somacat_geometry::pieces::parse_set;
/// use std::sync::atomic::AtomicBool;
///
/// // A unit names its question by the key, which is the same on every machine.
/// let key = "box/1 cells=8 sides=2x2x3 connected=no shape=any up-to=reflections";
/// let question = of_key(key, &parse_set("D4")?, Keep::Buildable)?;
/// assert_eq!((question.key().as_str(), question.expected(&AtomicBool::new(false))), (key, Some(49)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the key is not one that this version writes.
pub fn of_key(key: &str, set: &PieceSet, keep: Keep) -> ParsedQuestion {
    let kind = kind(key).ok_or_else(|| KeyError::Malformed(key.to_owned()))?;
    (kind.of_key)(key, set, keep)
}

/// Returns the figures that a key's question lists, without preparing the search. `None` if they depend on a set that
/// is not given.
pub fn family_of_key(key: &str, set: Option<&PieceSet>) -> Option<FigureFamily> {
    (kind(key)?.family)(key, set)
}
