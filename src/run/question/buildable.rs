//! Buildable figures of a symmetry class, found together with their packings.

use super::enumeration::EnumerationQuestion;
use super::{
    Batch, CensusReport, ClassRecount, Counted, FigureSink, Kind, PlanTable, Question, Workload,
};
use crate::buildable::{Buildable, SHARDS};
use crate::catalog::Keep;
use crate::enumerate::{Enumeration, Place, ShardRange, SymmetricSpec};
use crate::figure::{Candidate, Identity};
use crate::pieces::PieceSet;
use crate::run::counting::{Counting, Timed, count_canonical};
use crate::run::plan::SetChoice;
use crate::run::plan_error::PlanFault;
use crate::run::plan_estimate::ItemEstimate;
use crate::run::plan_file::Classes;
use crate::run::{RunError, Size, flow_of};
use crate::solve::Limits;
use crate::symmetry::Class;
use crate::verify::Family;
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Samples of an estimate, and nodes that are timed.
const SAMPLES: u64 = 24;
const TIMED_NODES: u64 = 200_000;

/// Seconds of a node of the search, on one core of an ordinary machine.
const NODE_SECONDS: f64 = 1.5e-7;

/// Seconds of a figure: counting it, and finding the shard that it belongs to.
const FIGURE_SECONDS: f64 = 6e-5;

pub(super) const KIND: Kind = Kind {
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

/// Recounts by growing every figure of the class, unless mirror images are distinct.
fn recount<'a>(key: &str, set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    let identity = Identity::Reflections;
    let set = set.filter(|set| Identity::for_set(set) == identity)?;
    let (class, exact) = Buildable::class_in_key(key)?;
    let cells = set.total_cells();
    let all_of_class = SymmetricSpec::containing(class, cells);
    let classes = SymmetricSpec { exact, ..all_of_class }.exact_classes();
    let family = Family { cells, bounds: None, parts: Some(1), towers: false };
    Some(ClassRecount { family, built_from: Some(set), classes, identity })
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

    fn steps(&self, from: Place, _left: Option<u64>) -> Size {
        Size::Exact(SHARDS - from.shard.min(SHARDS))
    }

    /// The time is that of the search.
    fn estimate(&self, _nodes: Option<u64>, stop: &AtomicBool) -> ItemEstimate {
        let unknown = ItemEstimate::of(self.label(), 0.0);
        let Some(estimate) = self.search.estimate(SAMPLES, stop, &|| ()) else { return unknown };
        let begun = Instant::now();
        let nodes = self.search.search_nodes(TIMED_NODES, stop).max(1);
        let each = begun.elapsed().as_secs_f64() / nodes as f64;
        let seconds = estimate.nodes * each / rayon::current_num_threads() as f64;
        let (figures, error) = (estimate.figures, estimate.error);
        ItemEstimate { figures, error, seconds: Some((seconds, 0.0)), ..unknown }
    }

    /// A hash cuts the search into shards, so all shards are about equal.
    fn workload(&self, _nodes: Option<u64>, stop: &AtomicBool) -> Workload {
        // Without an estimate no units are written.
        let work = self.search.estimate(SAMPLES, stop, &|| ()).map_or(1.0, |estimate| {
            estimate.nodes * NODE_SECONDS + estimate.figures * FIGURE_SECONDS
        });
        Workload { segments: vec![(SHARDS, work / SHARDS as f64)], searches: Vec::new() }
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
        let work = |_, figures: Vec<Candidate>| figures.into_iter().map(count).collect();
        let shards = shards.start.max(from.shard)..shards.end.min(SHARDS);
        let mut failed = None;
        let mut emit = |shard, figures: Vec<Counted>| {
            counting.progress.advance(1);
            let batch = Batch::of(Place { shard: shard + 1, figures: 0 }, figures);
            flow_of(sink.take(batch), &mut failed)
        };
        let _ = self.search.for_each_shard(shards, counting.stop, work, &mut emit);
        failed.map_or(Ok(None), Err)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::run) struct BuildableTable {
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

/// Searches figures with their packings; where that is not possible, lists and counts all figures of the class.
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
