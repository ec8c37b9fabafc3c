//! Censuses: all figures of a box, counted at once, one shard after another.

use super::leaders::{Leaders, shorten};
use super::{Batch, ClassRecount, Counted, FigureSink, PlanTable, Question, QuestionKind};
use crate::counting::Counting;
use crate::plan::SetChoice;
use crate::plan_error::PlanFault;
use crate::plan_estimate::WorkEstimate;
use crate::{Progress, RunError, Size, memory_to_use};
use rayon::prelude::*;
use serde::Deserialize;
use somacat_catalog::{Breakdown, Keep};
use somacat_checking::Family;
use somacat_counting::census::{
    Census, CensusError, CensusTotals, FigureCounts, Schedule, ShardCounts, bytes,
};
use somacat_counting::enumerate::{BoxSpec, Enumeration, Place, ShardRange};
use somacat_counting::solve::{Problem, rule_out};
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::Identity;
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows made at a time.
const BATCH_FIGURES: usize = 8192;

/// The most rows that wait for a sink, and a row's bytes.
const WAITING_ROWS: u64 = 1 << 15;
const ROW_BYTES: u64 = 1024;

/// Shards whose totals make one batch, if no figure is passed on: some seconds of work in large boxes.
const BATCH_SHARDS: u64 = 64;

/// Seconds on one core of an ordinary machine: of a figure with its row in a part, of a subset, and to begin a shard.
const FIGURE_SECONDS: f64 = 4.8e-6;
const SUBSET_SECONDS: f64 = 3e-7;
const SHARD_SECONDS: f64 = 1e-3;

/// Seconds if only numbers are wanted: in small boxes, of a figure and of a shard; in larger ones, of a subset and of a
/// packing.
const SMALL_BOX_SECONDS: [f64; 2] = [2.5e-9, 3e-4];
const LARGE_BOX_SECONDS: [f64; 2] = [6e-10, 1.2e-8];

/// The cells of the largest small box: up to it, partial packings are shared by all shards.
const SMALL_BOX_CELLS: u32 = 36;

/// Seconds to list the last pieces' placements in a larger box.
const LISTING_SECONDS: f64 = 0.4;

/// The most bytes that estimates give a census for a faster method.
const USUAL_MEMORY: u64 = 3 << 30;

pub(super) const KIND: QuestionKind = QuestionKind {
    methods: &["census"],
    of_key: |key, set, keep| {
        Ok(Arc::new(CensusQuestion { census: Census::from_key(key, set)?, keep }))
    },
    plan_table: |key, _| {
        let sides = sides_text(Census::sides_in_key(key)?);
        Some(format!("[[census]]\nsides = \"{sides}\"\n"))
    },
    class_recount: recount,
};

fn recount<'a>(key: &str, set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    let set = set?;
    let (cells, bounds) = (set.total_cells(), Some(Census::sides_in_key(key)?));
    let family = Family { cells, bounds, parts: None, towers: false };
    let (classes, identity) = (Class::all().collect(), Identity::for_set(set));
    Some(ClassRecount { family, built_from: None, classes, identity })
}

#[derive(Clone, Debug)]
pub struct CensusReport {
    pub sides: [u32; 3],
    pub set: PieceSet,
    /// Totals of the shards that were counted.
    pub totals: CensusTotals,
    pub subsets: u128,
    pub whole: bool,
}

impl CensusReport {
    pub fn new(census: &Census, totals: CensusTotals, whole: bool) -> Self {
        let (sides, set) = (census.sides(), census.set().clone());
        Self { sides, set, totals, subsets: census.total_subsets(), whole }
    }

    /// Returns whether both sums of a whole census agree.
    pub fn agrees(&self) -> bool {
        let totals = &self.totals;
        !self.whole || totals.direct == totals.packings && totals.subsets == self.subsets
    }
}

/// A pass over shards of a census.
#[derive(Clone, Copy, Debug)]
pub struct CensusRun<'a> {
    /// The census and how it is made.
    pub schedule: &'a Schedule<'a>,
    /// The figures passed on. If it resumes, figures without a packing are passed on as numbers.
    pub keep: Keep,
    /// True if the sink resumes at the position after its last batch. Then a stop may come between the figures of a
    /// shard, and a batch that is not full is dropped.
    pub resumes: bool,
    pub stop: &'a AtomicBool,
    pub progress: &'a Progress,
}

/// Returns the most bytes that a census takes. They include the figures that wait for a sink.
pub fn census_memory(schedule: &Schedule<'_>, keep: Keep) -> u64 {
    let (each, rows) = match keep {
        Keep::Totals => return schedule.memory(),
        Keep::All | Keep::Buildable => (u64::MAX, WAITING_ROWS),
        Keep::Top(number) => {
            let number = u64::from(number.get());
            (2 * number + BATCH_FIGURES as u64, number.max(WAITING_ROWS))
        }
    };
    let figures = schedule.waiting_figures(each);
    let waiting = figures.saturating_mul(size_of::<FigureCounts>() as u64);
    schedule.memory() + waiting + (rows + BATCH_FIGURES as u64) * ROW_BYTES
}

impl CensusRun<'_> {
    /// Counts shards and passes the selected figures to `take`. Begins at figure `skip` of the first shard. Of earlier
    /// figures, `before` has the largest numbers of packings.
    ///
    /// Returns the totals and the shard after the last complete one.
    pub fn run<E>(
        &self,
        shards: Range<usize>,
        (skip, before): (u64, Vec<u64>),
        take: &mut dyn FnMut(Batch) -> Result<(), E>,
    ) -> Result<(CensusTotals, usize), E> {
        let census = self.schedule.census();
        let work = |_: usize, counts: &ShardCounts<'_>| (counts.totals(), self.selected(counts));
        let mut totals = CensusTotals::default();
        let mut waiting = Batch::default();
        let mut leaders = self.keep.top().map(|number| Leaders::after(before, number));
        let (Range { start: first, end }, mut next, mut failed) =
            (shards.clone(), shards.start, None);
        let mut emit = |shard: usize, (one, mut figures): (CensusTotals, Vec<FigureCounts>)| {
            let done = Batch {
                sums: Some([one.direct, one.packings, one.subsets]),
                ..Batch::at(Place { shard: shard as u64 + 1, figures: 0 })
            };
            let emitted = match self.keep {
                Keep::Totals | Keep::Top(_) => {
                    if let Some(leaders) = &mut leaders {
                        figures.retain(|counts| leaders.admits(counts.raw));
                    }
                    let Batch { rows, .. } = self.batch(done.place, shard, &figures);
                    waiting.append(Batch { totals: breakdown(&one), rows, ..done });
                    // The end of a batch depends only on the shards. So does the file of a part.
                    let is_due = waiting.place.shard.is_multiple_of(BATCH_SHARDS)
                        || waiting.rows.len() >= BATCH_FIGURES
                        || shard + 1 == end;
                    match is_due {
                        true => take(std::mem::take(&mut waiting)).map(ControlFlow::Continue),
                        false => Ok(ControlFlow::Continue(())),
                    }
                }
                Keep::All | Keep::Buildable => {
                    let skip = if shard == first { skip } else { 0 };
                    self.emit_shard(shard, (&figures, skip), done, take)
                }
            };
            match emitted {
                Ok(ControlFlow::Continue(())) => {}
                Ok(flow) => return flow,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            totals.add(&one);
            next = shard + 1;
            self.progress.advance(census.subsets(shard));
            ControlFlow::Continue(())
        };
        // `next` and `failed` record the result.
        let _ = self.schedule.for_each_shard(shards, self.stop, work, &mut emit);
        if let Some(error) = failed {
            return Err(error);
        }
        if !self.resumes {
            take(waiting)?;
        }
        Ok((totals, next))
    }

    fn selected(&self, counts: &ShardCounts<'_>) -> Vec<FigureCounts> {
        let mut figures: Vec<FigureCounts> = Vec::new();
        match self.keep {
            Keep::Totals => {}
            Keep::Buildable if !self.resumes => {
                counts.for_each_solvable(|figure| figures.push(figure));
            }
            Keep::All | Keep::Buildable => counts.for_each(|figure| figures.push(figure)),
            Keep::Top(number) => {
                let number = number.get() as usize;
                counts.for_each_solvable(|figure| {
                    figures.push(figure);
                    if figures.len() >= 2 * number + BATCH_FIGURES {
                        shorten(&mut figures, number, |figure| figure.raw);
                    }
                });
                shorten(&mut figures, number, |figure| figure.raw);
            }
        }
        figures.shrink_to_fit();
        figures
    }

    /// Passes on the figures of a shard, and then `done`. Breaks on a stop if it may in the middle.
    fn emit_shard<E>(
        &self,
        shard: usize,
        (figures, skip): (&[FigureCounts], u64),
        done: Batch,
        take: &mut dyn FnMut(Batch) -> Result<(), E>,
    ) -> Result<ControlFlow<()>, E> {
        let mut passed = skip;
        for some in figures.get(skip as usize..).unwrap_or_default().chunks(BATCH_FIGURES) {
            if self.resumes && self.stop.load(Ordering::Relaxed) {
                return Ok(ControlFlow::Break(()));
            }
            passed += some.len() as u64;
            take(self.batch(Place { shard: shard as u64, figures: passed }, shard, some))?;
        }
        take(done).map(ControlFlow::Continue)
    }

    /// Returns the batch of a shard's figures that ends at a position.
    fn batch(&self, place: Place, shard: usize, figures: &[FigureCounts]) -> Batch {
        let counted = figures.par_iter().map(|counts| self.counted(shard, counts));
        Batch::of(place, counted.collect())
    }

    fn counted(&self, shard: usize, counts: &FigureCounts) -> Counted {
        let census = self.schedule.census();
        let candidate = census.candidate(shard, counts);
        let outcome = if counts.raw > 0 {
            Outcome::Counted(Counts {
                raw: counts.raw.into(),
                rotation: counts.rotation.into(),
                unique: counts.unique.into(),
            })
        } else {
            // The reason that `count` would report. A figure too large to search is not ruled out.
            let reason = rule_out(&Problem::new(candidate.figure(), census.set()));
            Outcome::Unsolvable(reason.ok().flatten().unwrap_or(Reason::Exhausted))
        };
        let report = Report { outcome, nodes: None, engine: Some(Engine::Census) };
        Counted::new(candidate, report, None, self.keep)
    }
}

/// Returns the numbers of figures of some shards.
fn breakdown(totals: &CensusTotals) -> Breakdown {
    let mut all = Breakdown::default();
    for (&class, totals) in &totals.by_class {
        let (buildable, blocked) = (totals.solvable, totals.parity_blocked);
        // A census tries everything. It does not look for another simple reason.
        for (verdict, reason, figures) in [
            (Verdict::Counted, None, buildable),
            (Verdict::Unsolvable, Some(Reason::Parity), blocked),
            (Verdict::Unsolvable, Some(Reason::Exhausted), totals.figures - buildable - blocked),
        ] {
            if figures > 0 {
                all.add_many(class, verdict, reason, figures);
            }
        }
    }
    all
}

/// Returns the expected number of records in a random order. A record is among the `number` largest elements up to it.
/// The result is about Σ min(1, number / i).
fn records(number: f64, elements: f64) -> f64 {
    if elements <= number { elements } else { number * (1.0 + (elements / number).ln()) }
}

/// A census whose figures are wanted.
#[derive(Debug)]
pub struct CensusQuestion {
    pub census: Census,
    pub keep: Keep,
}

impl CensusQuestion {
    /// Returns whether figures are mere numbers, except for leaders.
    const fn are_tallied(&self) -> bool {
        matches!(self.keep, Keep::Totals | Keep::Top(_))
    }

    /// Chooses how to count shards with the available threads and memory.
    fn schedule(
        &self,
        shards: Range<usize>,
        memory: Option<u64>,
    ) -> Result<Schedule<'_>, RunError> {
        let allowed = memory_to_use(memory);
        let threads = rayon::current_num_threads();
        let schedule = self.census.schedule_of(shards, threads, allowed)?;
        let needed = census_memory(&schedule, self.keep);
        if needed > allowed {
            let (needed, allowed) = (bytes(needed), bytes(allowed));
            return Err(RunError::CensusMemory { needed, allowed });
        }
        Ok(schedule)
    }
}

impl Question for CensusQuestion {
    fn key(&self) -> String {
        self.census.key()
    }

    fn label(&self) -> String {
        format!("census of {}", sides_text(self.census.sides()))
    }

    fn set(&self) -> &PieceSet {
        self.census.set()
    }

    fn keep(&self) -> Keep {
        self.keep
    }

    fn obeys_limit(&self) -> bool {
        false
    }

    fn total(&self) -> Option<u128> {
        let (sides, set) = (self.census.sides(), self.census.set());
        let all = BoxSpec::new(sides, set.total_cells());
        let all = BoxSpec { identity: Identity::for_set(set), ..all };
        Enumeration::in_box(all).ok()?.total()
    }

    fn total_subsets(&self) -> Option<u128> {
        Some(self.census.total_subsets())
    }

    fn expected(&self, _stop: &AtomicBool) -> Option<u64> {
        self.total().map(|total| total as u64)
    }

    /// Counts the subsets of the box as steps.
    fn steps(&self, shards: ShardRange, from: Place, _left: Option<u64>) -> Size {
        let end = (shards.end as usize).min(self.census.shards());
        let start = from.shard.max(shards.start) as usize;
        Size::Exact(self.census.subsets_in(start.min(end)..end))
    }

    fn estimate(&self, _nodes: Option<u64>, _stop: &AtomicBool) -> WorkEstimate {
        let (census, shards) = (&self.census, self.census.shards());
        let figures = self.total().unwrap_or(0) as f64;
        let is_small = |sides: [u32; 3]| sides.iter().product::<u32>() <= SMALL_BOX_CELLS;
        let seconds = |(shard, packings)| {
            let figures = census.approximate_figures(shard);
            let subsets = census.shard_subsets(shard) as f64;
            match self.are_tallied() {
                true if is_small(census.bounding_box(shard)) => {
                    let [figure, begin] = SMALL_BOX_SECONDS;
                    figures * figure + begin
                }
                true => {
                    let [subset, packing] = LARGE_BOX_SECONDS;
                    subsets * subset + packings * packing
                }
                false => figures * FIGURE_SECONDS + subsets * SUBSET_SECONDS + SHARD_SECONDS,
            }
        };
        let memory = match census.schedule_of(0..shards, 1, USUAL_MEMORY) {
            Ok(schedule) => census_memory(&schedule, self.keep),
            Err(CensusError::Memory { needed, .. }) => needed,
            Err(_) => 0,
        };
        WorkEstimate {
            label: self.label(),
            figures,
            kept: match self.keep {
                Keep::All | Keep::Buildable => figures,
                Keep::Totals => 0.0,
                Keep::Top(number) => records(f64::from(number.get()), figures),
            },
            memory,
            begin: if is_small(census.sides()) { 0.0 } else { LISTING_SECONDS },
            segments: (0..shards)
                .zip(census.approximate_packings())
                .map(|of_shard| (1, seconds(of_shard)))
                .collect(),
            ..WorkEstimate::default()
        }
    }

    fn check_memory(&self, memory: Option<u64>) -> Result<(), RunError> {
        self.schedule(0..self.census.shards(), memory).map(drop)
    }

    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        counting: Counting<'_>,
        sink: &mut dyn FigureSink,
    ) -> Result<Option<CensusReport>, RunError> {
        let all = self.census.shards();
        let shards = shards.start as usize..(shards.end as usize).min(all);
        let schedule = self.schedule(shards.clone(), counting.memory)?;
        let begun = from.shard as usize;
        let skip = if begun >= shards.start { from.figures } else { 0 };
        let rest = shards.start.max(begun)..shards.end;
        let run = CensusRun {
            schedule: &schedule,
            keep: self.keep,
            resumes: true,
            stop: counting.stop,
            progress: counting.progress,
        };
        let before = self.keep.top().map(|number| sink.most_packings(number)).transpose()?;
        let before = (skip, before.unwrap_or_default());
        let (totals, next) = run.run(rest, before, &mut |batch| sink.take(batch))?;
        let whole = shards == (0..all) && from == Place::default() && next == all;
        Ok(Some(CensusReport::new(&self.census, totals, whole)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CensusTable {
    set: Option<String>,
    sides: String,
}

impl PlanTable for CensusTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let census = Census::new(parse_box(&self.sides)?, &set.or_soma())?;
        Ok(vec![Arc::new(CensusQuestion { census, keep })])
    }
}
