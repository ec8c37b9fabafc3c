//! Enumerations: figures that the program lists and counts one by one.

use super::driver::Batches;
use super::estimate::Trial;
use super::work::{Timed, count_canonical};
use super::{
    Batch, CensusReport, Counted, FigureFamily, Keep, KnownFigure, Question, QuestionError,
    QuestionKind, Size, Wanted, Work, WorkEstimate,
};
use crate::costs;
use crate::enumerate::{
    Enumeration, EnumerationSpec, FigureShape, FoundFigure, KeyError, Place, Sample, ShardGroup,
    ShardRange,
};
use crate::solve::{FirstLook, Limits};
use rayon::prelude::*;
use somacat_geometry::figure::{Candidate, Signature};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
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
    family,
};

fn family(key: &str, _set: Option<&PieceSet>) -> Option<FigureFamily> {
    let question = EnumerationSpec::from_key(key).ok()?;
    let (cells, equivalence, only_buildable) = (question.cells(), question.equivalence(), false);
    Some(match question {
        EnumerationSpec::Symmetric(spec) => {
            let (bounds, parts, towers) = (spec.bounds, Some(spec.parts), false);
            let classes = spec.exact_classes();
            FigureFamily { cells, bounds, parts, towers, only_buildable, classes, equivalence }
        }
        EnumerationSpec::Box(spec) => {
            let (bounds, parts) = (Some(spec.sides), spec.connected.then_some(1));
            let (towers, classes) = (spec.shape == FigureShape::Towers, Class::iter().collect());
            FigureFamily { cells, bounds, parts, towers, only_buildable, classes, equivalence }
        }
    })
}

/// An enumeration whose figures are counted.
#[derive(Debug)]
pub struct EnumerationQuestion {
    /// The figures.
    pub enumeration: Enumeration,
    /// The pieces, which fill as many cells as the figures have.
    pub set: PieceSet,
    /// The figures of the answer.
    pub keep: Keep,
    /// A label of its own, if it has one.
    pub label: Option<String>,
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
        if self.total().is_some() { Size::Exact(left) } else { Size::About(left) }
    }

    fn estimate(&self, work: Work<'_>) -> WorkEstimate {
        // Figures that are not kept without a packing are ruled out as early as in a run.
        let first_look = (self.keep != Keep::All).then(|| FirstLook::new(&self.set));
        let trial = |figures: &[&Candidate]| {
            Trial::of_some(figures, &self.set, first_look.as_ref(), work.limits)
        };
        let (mut all, mut first) =
            (WorkEstimate { label: self.label(), ..WorkEstimate::default() }, 0);
        for Sample { estimate, weights, groups } in self.enumeration.estimate(work.stop) {
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
                let row = if self.keep == Keep::All { costs::LISTED_ROW } else { 0.0 };
                let figure = costs::LISTED_FIGURE + row + trial.seconds();
                let seconds = each.nodes * costs::LISTING_NODE + each.figures * figure;
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
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError> {
        let limits = match to.wanted() {
            Wanted::Figures => Limits { packings: Some(1), ..work.limits },
            Wanted::Rows | Wanted::Batches => work.limits,
        };
        let work = Work { limits, ..work };
        let counter = Counter { question: self, work, first_look: FirstLook::new(&self.set) };
        // Counted figures are written while the next ones are counted.
        let mut counted = Vec::new();
        let listed = counter.list(shards, from, &mut |listed| {
            let known = counter.known(&listed, to)?;
            let before = std::mem::take(&mut counted);
            // The sink stays on this thread.
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| counted = counter.count(listed, &known));
                write(before, to)
            })
        });
        if listed.is_continue() {
            // The driver keeps an error of the sink.
            let _ = write(counted, to);
        }
        Ok(None)
    }
}

fn write(batches: Vec<Batch>, to: &mut dyn Batches) -> ControlFlow<()> {
    batches.into_iter().try_for_each(|batch| to.take(batch))?;
    to.flush()
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
    work: Work<'a>,
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
        work: &mut dyn FnMut(Vec<(Place, FirstLookResult)>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut listed, mut size, mut failed) = (Vec::new(), 64, false);
        let mut ended = Instant::now();
        let mut emit = |place: Place, figure: FirstLookResult| {
            listed.push((place, figure));
            if listed.len() < size && ended.elapsed() < LISTING_TIME {
                return ControlFlow::Continue(());
            }
            let begun = Instant::now();
            let done = work(std::mem::take(&mut listed));
            failed = done.is_break();
            done?;
            ended = Instant::now();
            let took = ended - begun;
            if took < COUNTING_TIME / 2 && size < MOST_LISTED {
                size *= 2;
            } else if took > COUNTING_TIME && size > 1 {
                size /= 2;
            }
            ControlFlow::Continue(())
        };
        let (look, stop) = (|found: FoundFigure<'_>| Some(self.look(&found)), self.work.stop);
        match self.question.enumeration.for_each_in(shards, from, stop, look, &mut emit) {
            _ if failed => ControlFlow::Break(()),
            ControlFlow::Continue(()) => work(listed),
            // A stop. What was counted before is written.
            ControlFlow::Break(()) => ControlFlow::Continue(()),
        }
    }

    /// Takes a first look at a figure. If every figure is kept, only reasons without nodes rule it out.
    fn look(&self, found: &FoundFigure<'_>) -> FirstLookResult {
        let most = self.question.set.total_cells();
        let (mut cells, mut orbits) = (Vec::with_capacity(most), Vec::with_capacity(most));
        found.list_cells(&mut cells);
        found.list_orbits(&mut orbits);
        let (group, nodes) = (found.group(), self.work.limits.nodes);
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
        (self.work.advance)(uncounted as u64);
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
        to: &mut dyn Batches,
    ) -> ControlFlow<(), Vec<Option<KnownFigure>>> {
        if self.question.keep != Keep::All {
            return ControlFlow::Continue(Vec::new());
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
        to.known(&signatures)
    }

    fn one(&self, look: FirstLookResult) -> Option<Counted> {
        let EnumerationQuestion { set, keep, .. } = self.question;
        let candidate = match look {
            FirstLookResult::RuledOut(class, reason) => {
                return Some(Counted::Number(class, Verdict::Unsolvable, Some(reason)));
            }
            FirstLookResult::Unsolvable(candidate, reason) => {
                (self.work.advance)(1);
                return Some(Counted::new(*candidate, Report::without_search(reason), None, *keep));
            }
            FirstLookResult::Open(candidate) => *candidate,
        };
        let work = |limits: Limits<'_>| count_canonical(&candidate, set, limits);
        let Timed { report, micros } = self.work.count(work)?;
        Some(Counted::new(candidate, report, Some(micros), *keep))
    }
}
