//! Questions about many figures: which exist, and how many packings has each?
//!
//! An enumeration, a search for buildable figures and a census answer the same kind of [`Question`] in three ways. The
//! answer is one stream of [`Batch`]es in a fixed order, the same on every machine and with any number of threads. A
//! question is cut into shards, so that machines can share it, and a [`Place`] in the stream is a shard and a number
//! within it, so that the stream can continue there. [`answer`] passes the batches to a [`FigureSink`]. Programs differ
//! only in their sinks: a catalog, a file of a part, rows on a terminal, a table in memory.
//!
//! A new kind of question is a file here with a line in `KINDS`.
//!
//! # Examples
//!
//! All figures of eleven cells in a 2×3×3 box, and those that V, L and T build:
//!
//! ```
//! use somacat_counting::census::Census;
//! use somacat_counting::enumerate::{Place, ShardRange};
//! use somacat_counting::question::{
//!     Batch, CensusQuestion, FigureSink, Keep, QuestionError, Work, answer,
//! };
//! use somacat_geometry::pieces::parse_set;
//! use std::sync::atomic::AtomicBool;
//!
//! #[derive(Default)]
//! struct Sum(u64, usize);
//!
//! impl FigureSink for Sum {
//!     type Error = QuestionError;
//!     fn take(&mut self, batch: Batch) -> Result<(), QuestionError> {
//!         self.0 += batch.totals.figures();
//!         self.1 += batch.rows.len();
//!         Ok(())
//!     }
//! }
//!
//! let census = Census::new([2, 3, 3], &parse_set("V L T")?)?;
//! let question = CensusQuestion { census, keep: Keep::Buildable };
//! let (mut sum, stop) = (Sum::default(), AtomicBool::new(false));
//! answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut sum)?;
//! assert_eq!((sum.0, sum.1), (2108, 404));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakdown;
mod buildable;
mod census;
mod driver;
mod enumeration;
mod estimate;
mod keep;
mod leaders;
mod work;

pub use breakdown::{Breakdown, CountedRow, KnownFigure};
pub use buildable::{BuildableQuestion, NoBuildableQuestion, buildable_question};
pub use census::{CensusQuestion, CensusReport};
pub use driver::{FigureSink, Wanted, all_counted, answer};
pub use enumeration::EnumerationQuestion;
pub use estimate::{Trial, WorkEstimate};
pub use keep::Keep;
pub use leaders::{Leaders, packings, shorten};
pub use work::{Size, Timed, Work, count_canonical};

use crate::census::{CensusError, bytes};
use crate::enumerate::{KeyError, Place, ShardRange};
use driver::Batches;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question about many figures: which exist, and how many packings has each?
pub trait Question: Debug + Send + Sync {
    /// Returns the question in normal form. The key includes the version of the algorithm that cuts the question into
    /// shards.
    fn key(&self) -> String;

    /// Returns the question in words.
    fn label(&self) -> String;

    /// Returns the pieces that build the figures.
    fn set(&self) -> &PieceSet;

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
    fn estimate(&self, work: Work<'_>) -> WorkEstimate;

    /// Checks that the memory suffices for all shards.
    ///
    /// # Errors
    /// If it does not.
    fn check_memory(&self, _work: Work<'_>) -> Result<(), QuestionError> {
        Ok(())
    }

    /// Passes on the figures of shards behind a place, in order, and ends when a stop is requested. Only [`answer`]
    /// calls it.
    ///
    /// # Errors
    /// If the answer cannot begin, for lack of memory.
    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError>;
}

/// An error of a question, not of the sink.
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
}

/// Sums over shards of a census: packings, the same number as a sum over figures, and subsets.
pub type CensusSums = [u128; 3];

/// Consecutive figures of an answer.
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
