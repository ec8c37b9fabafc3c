//! Enumerations: figures that the program lists and counts one by one.

use super::{
    Batch, CensusReport, ClassRecount, Counted, FigureSink, PlanTable, Question, QuestionKind,
};
use crate::counting::{Counting, Timed, count_canonical};
use crate::plan::SetChoice;
use crate::plan_error::PlanFault;
use crate::plan_estimate::{Trial, WorkEstimate};
use crate::plan_file::Classes;
use crate::{RunError, Size};
use rayon::prelude::*;
use serde::Deserialize;
use somacat_catalog::{Keep, KnownFigure};
use somacat_checking::Family;
use somacat_counting::enumerate::{
    BoxSpec, ClassChoice, Enumeration, EnumerationSpec, FigureShape, FoundFigure, KeyError, Place,
    Sample, ShardGroup, ShardRange, SymmetricSpec,
};
use somacat_counting::solve::{FirstLook, Limits};
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::{Candidate, Identity, Signature};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The time in which figures are counted before the next are listed. A kill may lose as much.
const COUNTING_TIME: Duration = Duration::from_millis(400);

/// The time after which even a few listed figures are counted.
const LISTING_TIME: Duration = Duration::from_secs(2);

/// The most figures that are listed before they are counted.
const MOST_LISTED: usize = 1 << 16;

/// Seconds of a node of the listing search. They are those of one core of an ordinary machine.
const NODE_SECONDS: f64 = 1.5e-7;

/// Seconds to list a figure and rule it out at first look.
const FIGURE_SECONDS: f64 = 1e-6;

/// Seconds to write a figure's row, if every figure is kept.
const ROW_SECONDS: f64 = 1e-5;

/// Seconds of a figure up to which estimates sample every group. They count some figures of each group of shards.
const FAST_SECONDS: f64 = 2e-4;

/// The error's share from which an estimate has a long tail. It is the share in the figures.
const LARGE_ERROR: f64 = 0.25;

/// Bytes of the search and of figures that wait.
const LISTING_MEMORY: u64 = 256 << 20;

pub(super) const KIND: QuestionKind = QuestionKind {
    methods: &["symmetric", "box"],
    of_key: |key, set, keep| {
        let enumeration = Enumeration::new(EnumerationSpec::from_key(key)?)
            .map_err(|error| KeyError::Invalid(error.to_string()))?;
        Ok(Arc::new(EnumerationQuestion { enumeration, set: set.clone(), keep, label: None }))
    },
    plan_table,
    class_recount: recount,
};

fn plan_table(key: &str, label: &str) -> Option<String> {
    Some(match EnumerationSpec::from_key(key).ok()? {
        EnumerationSpec::Symmetric(spec) => {
            let classes: Vec<&str> = spec.exact_classes().into_iter().map(Class::name).collect();
            let mut table = format!(
                "[[symmetric]]\nlabel = {label:?}\ncells = {}\nclass = {classes:?}\nexact = true\n",
                spec.cells
            );
            // The key has a box even if it holds every figure of this size.
            let holds_all =
                |sides: &[u32; 3]| sides.iter().all(|&side| side as usize >= spec.cells);
            if let Some(bounds) = spec.bounds.filter(|sides| !holds_all(sides)) {
                let _ = writeln!(table, "within = \"{}\"", sides_text(bounds));
            }
            if spec.parts > 1 {
                let _ = writeln!(table, "parts = {}", spec.parts);
            }
            table
        }
        EnumerationSpec::Box(spec) => {
            let (sides, cells) = (sides_text(spec.sides), spec.cells);
            let mut table = format!("[[box]]\nsides = \"{sides}\"\ncells = {cells}\n");
            if spec.connected {
                table += "connected = true\n";
            }
            if spec.shape == FigureShape::Towers {
                table += "towers = true\n";
            }
            table
        }
    })
}

fn recount<'a>(key: &str, _set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    let question = EnumerationSpec::from_key(key).ok()?;
    let identity = question.identity();
    let (family, classes) = match question {
        EnumerationSpec::Symmetric(spec) => {
            let (cells, bounds, parts) = (spec.cells, spec.bounds, Some(spec.parts));
            (Family { cells, bounds, parts, towers: false }, spec.exact_classes())
        }
        EnumerationSpec::Box(spec) => {
            let (bounds, parts) = (Some(spec.sides), spec.connected.then_some(1));
            let towers = spec.shape == FigureShape::Towers;
            (Family { cells: spec.cells, bounds, parts, towers }, Class::all().collect())
        }
    };
    Some(ClassRecount { family, built_from: None, classes, identity })
}

#[derive(Debug)]
pub(super) struct EnumerationQuestion {
    pub(super) enumeration: Enumeration,
    /// The pieces, which fill as many cells as the figures have.
    pub(super) set: PieceSet,
    pub(super) keep: Keep,
    /// The label of the plan, if it has one.
    pub(super) label: Option<String>,
}

impl Question for EnumerationQuestion {
    fn key(&self) -> String {
        self.enumeration.question().key()
    }

    fn label(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.enumeration.question().label())
    }

    fn set(&self) -> &PieceSet {
        &self.set
    }

    fn keep(&self) -> Keep {
        self.keep
    }

    fn total(&self) -> Option<u128> {
        self.enumeration.total()
    }

    fn expected(&self, stop: &AtomicBool) -> Option<u64> {
        Some(self.enumeration.size(stop) as u64)
    }

    fn steps(&self, _shards: ShardRange, _from: Place, left: Option<u64>) -> Size {
        let Some(left) = left else { return Size::Unknown };
        if self.total().is_some() { Size::Exact(left) } else { Size::Context(left) }
    }

    fn estimate(&self, nodes: Option<u64>, stop: &AtomicBool) -> WorkEstimate {
        // Figures that are not kept without a packing are ruled out as early as in a run.
        let first_look = (self.keep != Keep::All).then(|| FirstLook::new(&self.set));
        let trial = |figures: &[&Candidate]| {
            Trial::of_some(figures, &self.set, first_look.as_ref(), nodes, stop)
        };
        let (mut all, mut first) =
            (WorkEstimate { label: self.label(), ..WorkEstimate::default() }, 0);
        for Sample { estimate, weights, groups } in self.enumeration.estimate(stop) {
            all.searches.push(first);
            first += weights.len() as u64;
            all.figures += estimate.figures;
            all.error = all.error.hypot(estimate.error);
            let drawn: Vec<&Candidate> = groups.iter().flat_map(|group| &group.figures).collect();
            let overall = trial(&drawn);
            all.longer |= overall.given_up;
            all.memory = LISTING_MEMORY;
            all.shared_memory = all.shared_memory.max(overall.memory);
            for ShardGroup { shards, each, figures } in groups {
                let figures: Vec<&Candidate> = figures.iter().collect();
                let is_fast = overall.seconds() < FAST_SECONDS && !figures.is_empty();
                let trial = if is_fast { trial(&figures) } else { overall };
                let row = if self.keep == Keep::All { ROW_SECONDS } else { 0.0 };
                let figure = FIGURE_SECONDS + row + trial.seconds();
                let seconds = each.nodes * NODE_SECONDS + each.figures * figure;
                let weights = &weights[shards];
                all.segments.extend(weights.iter().map(|weight| (1, weight * seconds)));
                let kept = match self.keep {
                    Keep::All => 1.0,
                    Keep::Buildable => trial.buildable,
                    Keep::Totals | Keep::Top(_) => 0.0,
                };
                all.kept += weights.iter().sum::<f64>() * each.figures * kept;
            }
        }
        if let Some(total) = self.total() {
            // The work is in proportion to the figures.
            let factor = total as f64 / all.figures.max(1.0);
            all.kept *= factor;
            all.segments.iter_mut().for_each(|(_, seconds)| *seconds *= factor);
            (all.figures, all.error) = (total as f64, 0.0);
        }
        all.longer |= all.error > LARGE_ERROR * all.figures;
        all
    }

    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        counting: Counting<'_>,
        sink: &mut dyn FigureSink,
    ) -> Result<Option<CensusReport>, RunError> {
        let counter = Counter { question: self, counting, first_look: FirstLook::new(&self.set) };
        // Counted figures are written while the next ones are counted.
        let mut counted = Vec::new();
        let listed = counter.list(shards, from, &mut |listed| {
            let known = counter.known(&listed, sink)?;
            let before = std::mem::take(&mut counted);
            let (written, next) =
                rayon::join(|| write(before, sink), || counter.count(listed, &known));
            counted = next;
            written
        });
        listed.and_then(|()| write(counted, sink))?;
        Ok(None)
    }
}

fn write(batches: Vec<Batch>, sink: &mut dyn FigureSink) -> Result<(), RunError> {
    batches.into_iter().try_for_each(|batch| sink.take(batch))?;
    sink.flush()
}

enum FirstLookResult {
    /// A figure without a packing, for this reason. It is not kept.
    RuledOut(Class, Reason),
    /// A figure without a packing, for this reason. It is kept.
    Unsolvable(Box<Candidate>, Reason),
    /// A figure to be counted.
    Open(Box<Candidate>),
}

struct Counter<'a> {
    question: &'a EnumerationQuestion,
    counting: Counting<'a>,
    first_look: FirstLook,
}

impl Counter<'_> {
    /// Lists figures on all cores and passes them to `work`, in turn.
    ///
    /// Each time it passes as many figures as can be counted in about [`COUNTING_TIME`], or fewer after
    /// [`LISTING_TIME`]. After a stop the rest is dropped.
    fn list(
        &self,
        shards: ShardRange,
        from: Place,
        work: &mut dyn FnMut(Vec<(Place, FirstLookResult)>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let (mut listed, mut size, mut failed) = (Vec::new(), 64, None);
        let mut ended = Instant::now();
        let mut emit = |place: Place, figure: FirstLookResult| {
            listed.push((place, figure));
            if listed.len() < size && ended.elapsed() < LISTING_TIME {
                return ControlFlow::Continue(());
            }
            let begun = Instant::now();
            if let Err(error) = work(std::mem::take(&mut listed)) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            ended = Instant::now();
            let took = ended - begun;
            if took < COUNTING_TIME / 2 && size < MOST_LISTED {
                size *= 2;
            } else if took > COUNTING_TIME && size > 1 {
                size /= 2;
            }
            ControlFlow::Continue(())
        };
        let (look, stop) = (|found: FoundFigure<'_>| Some(self.look(&found)), self.counting.stop);
        let flow = self.question.enumeration.for_each_in(shards, from, stop, look, &mut emit);
        match (failed, flow) {
            (Some(error), _) => Err(error),
            (None, ControlFlow::Continue(())) => work(listed),
            (None, ControlFlow::Break(())) => Ok(()),
        }
    }

    /// Takes a first look at a figure. If every figure is kept, only reasons without nodes rule it out.
    fn look(&self, found: &FoundFigure<'_>) -> FirstLookResult {
        let most = self.question.set.total_cells();
        let (mut cells, mut orbits) = (Vec::with_capacity(most), Vec::with_capacity(most));
        found.list_cells(&mut cells);
        found.list_orbits(&mut orbits);
        let (group, nodes) = (found.group(), self.counting.limits.nodes);
        if self.question.keep == Keep::All {
            let parts = self.question.enumeration.question().parts();
            let candidate = Box::new(found.candidate().with_parts(parts));
            candidate.columns();
            return match self.first_look.rule_out(&cells, &orbits, group) {
                Some(reason) => FirstLookResult::Unsolvable(candidate, reason),
                None => FirstLookResult::Open(candidate),
            };
        }
        match self.first_look.rule_out_by_short_search(&cells, &orbits, group, nodes) {
            Some(reason) => FirstLookResult::RuledOut(found.class(), reason),
            None => FirstLookResult::Open(Box::new(found.candidate())),
        }
    }

    /// Counts listed figures, up to the first one that a stop interrupted. Returns a batch for each shard.
    fn count(
        &self,
        listed: Vec<(Place, FirstLookResult)>,
        known: &[Option<KnownFigure>],
    ) -> Vec<Batch> {
        let ruled_out =
            listed.iter().filter(|(_, look)| matches!(look, FirstLookResult::RuledOut(..)));
        let uncounted = ruled_out.count() + known.iter().flatten().count();
        self.counting.progress.advance(uncounted as u64);
        let counted: Vec<Option<(Place, Counted)>> = listed
            .into_par_iter()
            .enumerate()
            .map(|(at, (place, look))| {
                let known = known.get(at).copied().flatten();
                Some((place, known.map_or_else(|| self.one(look), |k| Some(Counted::Known(k)))?))
            })
            .collect();
        let mut batches: Vec<Batch> = Vec::new();
        for (place, figure) in counted.into_iter().map_while(|figure| figure) {
            if batches.last().is_none_or(|batch| batch.place.shard != place.shard) {
                batches.push(Batch::default());
            }
            if let Some(batch) = batches.last_mut() {
                batch.place = place;
                batch.add(figure);
            }
        }
        batches
    }

    /// Looks up listed figures if all are kept. Known ones are not counted a second time.
    fn known(
        &self,
        listed: &[(Place, FirstLookResult)],
        sink: &mut dyn FigureSink,
    ) -> Result<Vec<Option<KnownFigure>>, RunError> {
        if self.question.keep != Keep::All {
            return Ok(Vec::new());
        }
        let signatures: Vec<&Signature> = listed
            .iter()
            .filter_map(|(_, look)| match look {
                FirstLookResult::Open(candidate) | FirstLookResult::Unsolvable(candidate, _) => {
                    Some(candidate.signature())
                }
                FirstLookResult::RuledOut(..) => None,
            })
            .collect();
        sink.known(&signatures)
    }

    fn one(&self, look: FirstLookResult) -> Option<Counted> {
        let EnumerationQuestion { set, keep, .. } = self.question;
        let candidate = match look {
            FirstLookResult::RuledOut(class, reason) => {
                return Some(Counted::Number(class, Verdict::Unsolvable, Some(reason)));
            }
            FirstLookResult::Unsolvable(candidate, reason) => {
                self.counting.progress.advance(1);
                return Some(Counted::new(*candidate, Report::without_search(reason), None, *keep));
            }
            FirstLookResult::Open(candidate) => *candidate,
        };
        let work = |limits: Limits<'_>| count_canonical(&candidate, set, limits);
        let Timed { report, micros } = self.counting.count(work)?;
        Some(Counted::new(candidate, report, Some(micros), *keep))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SymmetricTable {
    set: Option<String>,
    label: Option<String>,
    cells: usize,
    #[serde(default)]
    class: Classes,
    fold: Option<usize>,
    order_at_least: Option<usize>,
    #[serde(default)]
    exact: bool,
    within: Option<String>,
    parts: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoxTable {
    set: Option<String>,
    sides: String,
    cells: usize,
    #[serde(default)]
    connected: bool,
    #[serde(default)]
    towers: bool,
}

impl PlanTable for SymmetricTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let spec = EnumerationSpec::Symmetric(SymmetricSpec {
            classes: ClassChoice::new(self.class.names(), self.fold, self.order_at_least)?,
            exact: self.exact,
            cells: self.cells,
            bounds: self.within.as_deref().map(parse_box).transpose()?,
            parts: self.parts.unwrap_or(1),
            identity: Identity::Reflections,
        });
        of_spec(spec, set, keep, self.label.clone())
    }
}

impl PlanTable for BoxTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let shape = if self.towers { FigureShape::Towers } else { FigureShape::Any };
        let all = BoxSpec::new(parse_box(&self.sides)?, self.cells);
        of_spec(
            EnumerationSpec::Box(BoxSpec { connected: self.connected, shape, ..all }),
            set,
            keep,
            None,
        )
    }
}

/// Makes a question; the set decides whether mirror images are one figure.
fn of_spec(
    spec: EnumerationSpec,
    set: &SetChoice,
    keep: Keep,
    label: Option<String>,
) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
    let set = set.for_cells(spec.cells())?;
    let enumeration = Enumeration::new(spec.with_identity(Identity::for_set(&set)))?;
    Ok(vec![Arc::new(EnumerationQuestion { enumeration, set, keep, label })])
}
