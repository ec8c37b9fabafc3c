//! The questions of a plan: one file for each kind.
//!
//! A [`Question`] requests many figures with their outcomes. Its key is the same on every machine. The answer is one
//! stream of [`Batch`]es, which a run writes to a catalog and a worker to a part.
//!
//! A new kind of question is a file here with a line in [`KINDS`], and a table in `plan_file.rs`.

mod buildable;
mod census;
mod enumeration;
mod leaders;

pub(super) use buildable::BuildableTable;
pub(super) use census::CensusTable;
pub use census::{CensusQuestion, CensusReport, CensusRun, census_memory};
pub(super) use enumeration::{BoxTable, SymmetricTable};
pub use leaders::packings;
pub use leaders::{Leaders, shorten};

use super::counting::Counting;
use super::plan::SetChoice;
use super::plan_error::PlanFault;
use super::plan_estimate::WorkEstimate;
use super::{RunError, Size};
use somacat_catalog::{Breakdown, CountedRow, Keep, KnownFigure};
use somacat_checking::Family;
use somacat_counting::enumerate::{KeyError, Place, ShardRange};
use somacat_geometry::figure::{Candidate, Identity, Signature};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question about many figures: which exist, and how many packings has each?
pub trait Question: Debug + Send + Sync {
    /// Returns the question in normal form. The key includes the version of the algorithm that cuts the question into
    /// shards.
    fn key(&self) -> String;

    fn label(&self) -> String;

    fn set(&self) -> &PieceSet;

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

    /// Returns the progress steps of shards from a position on. `left` is the number of figures expected there, if
    /// known.
    fn steps(&self, shards: ShardRange, from: Place, left: Option<u64>) -> Size;

    /// Estimates figures, time and space, the same on every machine.
    fn estimate(&self, nodes: Option<u64>, stop: &AtomicBool) -> WorkEstimate;

    /// Checks that the question can be answered with this memory.
    fn check_memory(&self, _memory: Option<u64>) -> Result<(), RunError> {
        Ok(())
    }

    /// Passes the figures of shards behind a position to a sink. Keeps their order, and ends when a stop is requested.
    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        counting: Counting<'_>,
        sink: &mut dyn FigureSink,
    ) -> Result<Option<CensusReport>, RunError>;
}

/// Sums over shards of a census: packings, the same number as a sum over figures, and subsets.
pub type CensusSums = [u128; 3];

/// Consecutive figures of a question.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The position after them.
    pub place: Place,
    pub totals: Breakdown,
    pub rows: Vec<CountedRow>,
    /// Kept figures whose outcomes the sink already had.
    pub known: Vec<KnownFigure>,
    /// The sums at the end of a shard of a census.
    pub sums: Option<CensusSums>,
}

pub enum Counted {
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
    /// Returns an empty batch that ends at a position.
    pub fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// Returns the batch of some figures that ends at a position.
    fn of(place: Place, figures: Vec<Counted>) -> Self {
        let mut batch = Self::at(place);
        figures.into_iter().for_each(|figure| batch.add(figure));
        batch
    }

    /// Adds a figure; the caller moves the position.
    pub fn add(&mut self, figure: Counted) {
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

    pub fn append(&mut self, next: Self) {
        self.place = next.place;
        self.totals.add_all(&next.totals);
        self.rows.extend(next.rows);
        self.known.extend(next.known);
        self.sums = add_sums(self.sums, next.sums);
    }
}

pub fn add_sums(one: Option<CensusSums>, other: Option<CensusSums>) -> Option<CensusSums> {
    match (one, other) {
        (Some(a), Some(b)) => Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]]),
        (one, other) => one.or(other),
    }
}

pub trait FigureSink: Send {
    /// Looks up outcomes that need no second count. By default there are none.
    fn known(&mut self, figures: &[&Signature]) -> Result<Vec<Option<KnownFigure>>, RunError> {
        Ok(vec![None; figures.len()])
    }

    /// Returns the largest numbers of packings of figures taken so far. There are at most `number` of them. By default
    /// no figure was taken.
    fn most_packings(&mut self, _number: NonZeroU32) -> Result<Vec<u64>, RunError> {
        Ok(Vec::new())
    }

    fn take(&mut self, batch: Batch) -> Result<(), RunError>;

    /// Writes everything taken so far.
    fn flush(&mut self) -> Result<(), RunError>;
}

/// A second, independent count of a question's figures, class by class.
pub struct ClassRecount<'a> {
    pub family: Family,
    /// The pieces, if the question lists only buildable figures.
    pub built_from: Option<&'a PieceSet>,
    pub classes: Vec<Class>,
    pub identity: Identity,
}

type ParsedQuestion = Result<Arc<dyn Question>, KeyError>;

/// A kind of question, as its keys show it.
struct QuestionKind {
    /// The words before the slash of its keys.
    methods: &'static [&'static str],
    of_key: fn(&str, &PieceSet, Keep) -> ParsedQuestion,
    /// Writes the plan's table for a key's question, with a label.
    plan_table: fn(&str, &str) -> Option<String>,
    /// Prepares a second count of the figures of a key.
    class_recount: for<'a> fn(&str, Option<&'a PieceSet>) -> Option<ClassRecount<'a>>,
}

static KINDS: [QuestionKind; 3] = [enumeration::KIND, buildable::KIND, census::KIND];

fn kind(key: &str) -> Option<&'static QuestionKind> {
    let (method, _) = key.split_once('/')?;
    KINDS.iter().find(|kind| kind.methods.contains(&method))
}

pub fn of_key(key: &str, set: &PieceSet, keep: Keep) -> ParsedQuestion {
    let kind = kind(key).ok_or_else(|| KeyError::Malformed(key.to_owned()))?;
    (kind.of_key)(key, set, keep)
}

pub fn plan_table(key: &str, label: &str) -> Option<String> {
    (kind(key)?.plan_table)(key, label)
}

/// Prepares a second count of the figures of a key. `None` if there is no independent method.
pub fn class_recount<'a>(key: &str, set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    (kind(key)?.class_recount)(key, set)
}

/// A table of a plan file that defines questions.
pub(super) trait PlanTable {
    /// Returns the table's own piece set, if it has one.
    fn set(&self) -> Option<&str>;

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault>;
}
