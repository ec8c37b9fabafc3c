//! Buildable figures of a symmetry class, found together with their packings.

use super::enumeration::EnumerationQuestion;
use super::{
    Batch, CensusReport, ClassRecount, Counted, FigureSink, PlanTable, Question, QuestionKind,
};
use crate::counting::{Counting, Timed, count_canonical};
use crate::plan::SetChoice;
use crate::plan_error::PlanFault;
use crate::plan_estimate::WorkEstimate;
use crate::plan_file::Classes;
use crate::{RunError, Size, flow_of};
use serde::Deserialize;
use somacat_catalog::Keep;
use somacat_checking::Family;
use somacat_counting::buildable::{Buildable, SHARDS, SLICES, ShardEstimate};
use somacat_counting::enumerate::{Enumeration, Place, ShardRange, SymmetricSpec};
use somacat_counting::solve::Limits;
use somacat_geometry::figure::{Candidate, Identity};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SAMPLES: u64 = 300;

/// The share of one sample that gives an estimate a long tail. It is the sample's share in all figures.
const LARGE_SHARE: f64 = 0.1;

/// Seconds to count a figure on one core of an ordinary machine.
const FIGURE_SECONDS: f64 = 1.8e-5;

/// Bytes of the search and the figures of some shards.
const SEARCH_MEMORY: u64 = 256 << 20;

pub(super) const KIND: QuestionKind = QuestionKind {
    methods: &["buildable"],
    of_key: |key, set, keep| {
        Ok(Arc::new(BuildableQuestion { search: Buildable::from_key(key, set)?, keep }))
    },
    plan_table: |key, _| {
        let (class, exact) = Buildable::class_in_key(key)?;
        Some(format!("[[buildable]]\nclass = {:?}\nexact = {exact}\n", class.name()))
    },
    class_recount: recount,
};

/// Prepares to recount by growing every figure of the class.
fn recount<'a>(key: &str, set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    let set = set?;
    let identity = Identity::for_set(set);
    let (class, exact) = Buildable::class_in_key(key)?;
    let cells = set.total_cells();
    let all_of_class = SymmetricSpec::containing(class, cells);
    let classes = SymmetricSpec { exact, ..all_of_class }.exact_classes();
    let family = Family { cells, bounds: None, parts: Some(1), towers: false };
    Some(ClassRecount { family, built_from: Some(set), classes, identity })
}

/// Returns the slices of shards behind a position. The position's number within a shard is that of a slice.
fn slices(shards: ShardRange, from: Place) -> Range<u64> {
    let start = (from.shard * SLICES + from.figures).max(shards.start * SLICES);
    start..shards.end.min(SHARDS) * SLICES
}

#[derive(Debug)]
struct BuildableQuestion {
    search: Buildable,
    keep: Keep,
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

    fn estimate(&self, _nodes: Option<u64>, stop: &AtomicBool) -> WorkEstimate {
        let unknown = WorkEstimate { label: self.label(), ..WorkEstimate::default() };
        // Stopped.
        let Some((estimate, shards)) = self.search.estimate_shards(SAMPLES, stop) else {
            return unknown;
        };
        let figures = estimate.figures;
        let seconds = |shard: &ShardEstimate| (1, shard.seconds + shard.figures * FIGURE_SECONDS);
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
        counting: Counting<'_>,
        sink: &mut dyn FigureSink,
    ) -> Result<Option<CensusReport>, RunError> {
        let count = |candidate: Candidate| {
            let work = |limits: Limits<'_>| count_canonical(&candidate, self.set(), limits);
            let Timed { report, micros } = counting.count_uncredited(work)?;
            Some(Counted::new(candidate, report, Some(micros), self.keep))
        };
        let work = |figures: Vec<Candidate>| figures.into_iter().map(count).collect();
        let slices = slices(shards, from);
        let (mut done, mut failed) = (slices.start, None);
        let mut emit = |next, figures: Vec<Counted>| {
            counting.progress.advance(next - std::mem::replace(&mut done, next));
            let place = Place { shard: next / SLICES, figures: next % SLICES };
            flow_of(sink.take(Batch::of(place, figures)), &mut failed)
        };
        let _ = self.search.for_each_slice(slices, counting.stop, work, &mut emit);
        failed.map_or(Ok(None), Err)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BuildableTable {
    set: Option<String>,
    class: Classes,
    #[serde(default)]
    exact: bool,
}

impl BuildableTable {
    fn classes(&self) -> Result<Vec<Class>, PlanFault> {
        let class = |name: &String| match Class::matching(name)?.as_slice() {
            &[class] => Ok(class),
            several => {
                let names: Vec<&str> = several.iter().map(|class| class.name()).collect();
                Err(PlanFault::Classes { name: name.clone(), names: names.join(", ") })
            }
        };
        match self.class.names() {
            [] => Err(PlanFault::NoClass),
            names => names.iter().map(class).collect(),
        }
    }
}

impl PlanTable for BuildableTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let set = set.or_soma();
        self.classes()?.into_iter().map(|class| question(class, self.exact, &set, keep)).collect()
    }
}

/// Makes a question that searches figures with their packings. If that is not possible, it lists and counts all figures
/// of the class.
fn question(
    class: Class,
    exact: bool,
    set: &PieceSet,
    keep: Keep,
) -> Result<Arc<dyn Question>, PlanFault> {
    // All figures that the search finds are buildable.
    let kept = |kept| if keep == Keep::Totals { keep } else { kept };
    match Buildable::new(class, exact, set) {
        Ok(search) => Ok(Arc::new(BuildableQuestion { search, keep: kept(Keep::All) })),
        Err(error) if class.order() < 3 => Err(error.into()),
        Err(_) => {
            let all = SymmetricSpec::containing(class, set.total_cells());
            let identity = Identity::for_set(set);
            let enumeration = Enumeration::symmetric(SymmetricSpec { exact, identity, ..all })?;
            let (set, keep) = (set.clone(), kept(Keep::Buildable));
            Ok(Arc::new(EnumerationQuestion { enumeration, set, keep, label: None }))
        }
    }
}
