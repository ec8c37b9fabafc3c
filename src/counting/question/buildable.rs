//! Buildable figures of a symmetry class, found together with their packings.

use super::driver::Batches;
use super::enumeration::EnumerationQuestion;
use super::work::{Timed, count_canonical};
use super::{
    Batch, CensusReport, Counted, FigureFamily, Keep, Origin, Question, QuestionError,
    QuestionKind, Size, Wanted, Work, WorkEstimate,
};
use crate::buildable::{Buildable, BuildableError, SHARDS, SLICES, ShardEstimate};
use crate::costs;
use crate::enumerate::{EnumerateError, Enumeration, Place, ShardRange, SymmetricSpec};
use crate::solve::Limits;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::{Class, ParseClassError};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SAMPLES: u64 = 300;

/// The share of one sample that gives an estimate a long tail. It is the sample's share in all figures.
const LARGE_SHARE: f64 = 0.1;

/// Bytes of the search and the figures of some shards.
const SEARCH_MEMORY: u64 = 256 << 20;

pub(super) const KIND: QuestionKind = QuestionKind {
    methods: &["buildable"],
    of_key: |key, set, keep| {
        Ok(Arc::new(BuildableQuestion { search: Buildable::from_key(key, set)?, keep }))
    },
    family,
};

fn family(key: &str, set: Option<&PieceSet>) -> Option<FigureFamily> {
    let (set, (class, exact)) = (set?, Buildable::class_in_key(key)?);
    let all_of_class = SymmetricSpec::containing(class, set.total_cells());
    let classes = SymmetricSpec { exact, ..all_of_class }.exact_classes();
    let all = FigureFamily::of_set(set, classes);
    Some(FigureFamily { parts: Some(1), only_buildable: true, ..all })
}

/// Returns the slices of shards behind a place. The place's number within a shard is that of a slice.
fn slices(shards: ShardRange, from: Place) -> Range<u64> {
    let start = (from.shard * SLICES + from.figures).max(shards.start * SLICES);
    start..shards.end.min(SHARDS) * SLICES
}

/// A search for buildable figures, which are then counted.
///
/// ```
/// use somacat_counting::buildable::Buildable;
/// use somacat_counting::enumerate::{Place, ShardRange};
/// use somacat_counting::question::{Batch, BuildableQuestion, Keep, Work, answer};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
/// use std::sync::atomic::AtomicBool;
///
/// // The figures with an inversion that V, L and T build. No figure without a packing is ever listed.
/// let (inversion, set) = (Class::matching("Ci")?[0], parse_set("V L T")?);
/// let question = BuildableQuestion { search: Buildable::new(inversion, false, &set)?, keep: Keep::All };
/// let (mut all, stop) = (Batch::default(), AtomicBool::new(false));
/// answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut all)?;
/// assert_eq!((all.totals.figures(), all.totals.buildable()), (21, 21));
/// // None of them can be built in two different ways.
/// assert!(all.rows.iter().all(|row| row.report.outcome.unique() == Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BuildableQuestion {
    /// The search.
    pub search: Buildable,
    /// The figures of the answer.
    pub keep: Keep,
}

impl Question for BuildableQuestion {
    fn key(&self) -> String {
        self.search.key()
    }

    fn label(&self) -> String {
        self.search.label()
    }

    fn origin(&self) -> Origin<'_> {
        Origin::Search(self.search.set())
    }

    fn keep(&self) -> Keep {
        self.keep
    }

    fn expected(&self, _stop: &AtomicBool) -> Option<u64> {
        None
    }

    fn steps(&self, shards: ShardRange, from: Place, _left: Option<u64>) -> Size {
        let slices = slices(shards, from);
        Size::Exact(slices.end.saturating_sub(slices.start))
    }

    fn estimate(&self, work: Work<'_>) -> Result<WorkEstimate, QuestionError> {
        let unknown = WorkEstimate { label: self.label(), ..WorkEstimate::default() };
        // Stopped.
        let Some((estimate, shards)) = self.search.estimate_shards(SAMPLES, work.stop) else {
            return Ok(unknown);
        };
        let figures = estimate.figures;
        let seconds =
            |shard: &ShardEstimate| (1, shard.seconds + shard.figures * costs::BUILDABLE_FIGURE);
        Ok(WorkEstimate {
            figures,
            error: estimate.error,
            kept: if self.keep == Keep::Totals { 0.0 } else { figures },
            longer: estimate.largest_share > LARGE_SHARE && estimate.error > 0.0,
            memory: SEARCH_MEMORY,
            segments: shards.iter().map(seconds).collect(),
            ..unknown
        })
    }

    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError> {
        let wanted = to.wanted();
        let count = |candidate: Candidate| {
            let count = |limits: Limits<'_>| match wanted {
                // The search found a packing.
                Wanted::Figures => {
                    Ok(Report { outcome: Outcome::AtLeast(1), nodes: None, engine: None })
                }
                Wanted::Rows | Wanted::Batches => {
                    count_canonical(&candidate, self.search.set(), limits)
                }
            };
            let Timed { report, micros } = work.count_uncredited(count)?;
            Some(Counted::new(candidate, report, Some(micros), self.keep))
        };
        let count_all = |figures: Vec<Candidate>| figures.into_iter().map(count).collect();
        let slices = slices(shards, from);
        let mut done = slices.start;
        let mut emit = |next, figures: Vec<Counted>| {
            (work.advance)(next - std::mem::replace(&mut done, next));
            let place = Place { shard: next / SLICES, figures: next % SLICES };
            to.take(Batch::of(place, figures))
        };
        // The sink knows where it ended, and the driver keeps an error of the sink.
        let _ = self.search.for_each_slice(slices, work.stop, count_all, &mut emit);
        Ok(None)
    }
}

/// A class without a question of its buildable figures.
///
/// ```
/// use somacat_counting::question::{Keep, buildable_question};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
///
/// // An even number of cells need not have a cell in the middle, where the search would begin.
/// let (inversion, set) = (Class::matching("Ci")?[0], parse_set("L T")?);
/// let error = buildable_question(inversion, false, &set, Keep::All).unwrap_err();
/// let message = "figures and packings are searched together for an odd number of cells; L T fills 8";
/// assert_eq!(error.to_string(), message);
/// // Quarter turns leave few figures, so all of them are listed.
/// let quarter_turn = Class::matching("C4")?[0];
/// assert!(buildable_question(quarter_turn, false, &set, Keep::All).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum NoBuildableQuestion {
    /// The text names no class.
    #[error(transparent)]
    Class(#[from] ParseClassError),
    /// The text names several classes.
    #[error("{name} names several classes; choose one of {}", .classes.join(", "))]
    Several {
        /// The text.
        name: String,
        /// The names of the classes.
        classes: Vec<&'static str>,
    },
    /// The class has all figures.
    #[error(
        "C1 means all figures that the set builds: too many to list; name a class with a symmetry"
    )]
    All,
    /// The class is not searched with packings, and has too many figures to list them all.
    #[error(transparent)]
    Search(#[from] BuildableError),
    /// Its figures cannot be listed.
    #[error(transparent)]
    Listing(#[from] EnumerateError),
}

/// Returns the class that a text names, of whose buildable figures a question asks.
///
/// # Errors
/// If the text names no class, or several.
pub fn buildable_class(text: &str) -> Result<Class, NoBuildableQuestion> {
    match Class::matching(text)?.as_slice() {
        &[class] => Ok(class),
        several => {
            let classes = several.iter().map(|class| class.name()).collect();
            Err(NoBuildableQuestion::Several { name: text.to_owned(), classes })
        }
    }
}

/// Makes the question of a class's buildable figures. They are searched with their packings. If that is not possible,
/// all figures of the class are listed and counted.
///
/// # Errors
/// If the class has too many figures for both, or all.
pub fn buildable_question(
    class: Class,
    exact: bool,
    set: &PieceSet,
    keep: Keep,
) -> Result<Arc<dyn Question>, NoBuildableQuestion> {
    if class.order() == 1 {
        return Err(NoBuildableQuestion::All);
    }
    // All figures that the search finds are buildable.
    let kept = |kept| if keep == Keep::Totals { keep } else { kept };
    match Buildable::new(class, exact, set) {
        Ok(search) => Ok(Arc::new(BuildableQuestion { search, keep: kept(Keep::All) })),
        Err(error) if class.order() < 3 => Err(error.into()),
        Err(_) => {
            let all = SymmetricSpec::containing(class, set.total_cells());
            let equivalence = Equivalence::for_set(set);
            let enumeration = Enumeration::symmetric(SymmetricSpec { exact, equivalence, ..all })?;
            let (set, keep) = (set.clone(), kept(Keep::Buildable));
            Ok(Arc::new(EnumerationQuestion { enumeration, set, keep, label: None }))
        }
    }
}
