//! Buildable figures of a symmetry class, found together with their packings.

use super::driver::Batches;
use super::enumeration::EnumerationQuestion;
use super::work::{Timed, count_canonical};
use super::{
    Batch, CensusReport, Counted, FigureFamily, Keep, Question, QuestionError, QuestionKind, Size,
    Wanted, Work, WorkEstimate,
};
use crate::buildable::{Buildable, BuildableError, SHARDS, SLICES, ShardEstimate};
use crate::costs;
use crate::enumerate::{EnumerateError, Enumeration, Place, ShardRange, SymmetricSpec};
use crate::solve::Limits;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
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

    fn set(&self) -> &PieceSet {
        self.search.set()
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

    fn estimate(&self, work: Work<'_>) -> WorkEstimate {
        let unknown = WorkEstimate { label: self.label(), ..WorkEstimate::default() };
        // Stopped.
        let Some((estimate, shards)) = self.search.estimate_shards(SAMPLES, work.stop) else {
            return unknown;
        };
        let figures = estimate.figures;
        let seconds =
            |shard: &ShardEstimate| (1, shard.seconds + shard.figures * costs::BUILDABLE_FIGURE);
        WorkEstimate {
            figures,
            error: estimate.error,
            kept: if self.keep == Keep::Totals { 0.0 } else { figures },
            longer: estimate.largest_share > LARGE_SHARE && estimate.error > 0.0,
            memory: SEARCH_MEMORY,
            segments: shards.iter().map(seconds).collect(),
            ..unknown
        }
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
                Wanted::Rows | Wanted::Batches => count_canonical(&candidate, self.set(), limits),
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
#[derive(Debug, thiserror::Error)]
pub enum NoBuildableQuestion {
    /// The class is not searched with packings, and has too many figures to list them all.
    #[error(transparent)]
    Search(#[from] BuildableError),
    /// Its figures cannot be listed.
    #[error(transparent)]
    Listing(#[from] EnumerateError),
}

/// Makes the question of a class's buildable figures. They are searched with their packings. If that is not possible,
/// all figures of the class are listed and counted.
///
/// # Errors
/// If the class has too many figures for both.
pub fn buildable_question(
    class: Class,
    exact: bool,
    set: &PieceSet,
    keep: Keep,
) -> Result<Arc<dyn Question>, NoBuildableQuestion> {
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
