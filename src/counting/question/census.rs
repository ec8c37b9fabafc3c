//! Censuses: all figures of a box, counted at once, one shard after another.

use super::driver::Batches;
use super::leaders::{Leaders, shorten};
use super::{
    Batch, Breakdown, Counted, FigureFamily, Keep, Question, QuestionError, QuestionKind, Size,
    Wanted, Work, WorkEstimate,
};
use crate::census::{Census, CensusError, CensusTotals, FigureCounts, Schedule, ShardCounts};
use crate::costs;
use crate::enumerate::{BoxSpec, Enumeration, Place, ShardRange};
use crate::solve::{Problem, rule_out};
use rayon::prelude::*;
use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rows made at a time.
const BATCH_FIGURES: usize = 8192;

/// The most rows that wait for a sink, and a row's bytes.
const WAITING_ROWS: u64 = 1 << 15;
const ROW_BYTES: u64 = 1024;

/// Shards whose totals make one batch, if no figure is passed on: some seconds of work in large boxes.
const BATCH_SHARDS: u64 = 64;

/// The cells of the largest small box: up to it, partial packings are shared by all shards.
const SMALL_BOX_CELLS: u32 = 36;

/// The most bytes that estimates give a census for a faster method.
const USUAL_MEMORY: u64 = 3 << 30;

pub(super) const KIND: QuestionKind = QuestionKind {
    methods: &["census"],
    of_key: |key, set, keep| {
        Ok(Arc::new(CensusQuestion { census: Census::from_key(key, set)?, keep }))
    },
    family,
};

fn family(key: &str, set: Option<&PieceSet>) -> Option<FigureFamily> {
    let bounds = Some(Census::sides_in_key(key)?);
    Some(FigureFamily { bounds, ..FigureFamily::of_set(set?, Class::iter().collect()) })
}

/// The totals of a census, as far as its shards were counted.
#[derive(Clone, Debug)]
pub struct CensusReport {
    /// The sides of the box.
    pub sides: [u32; 3],
    /// The pieces.
    pub set: PieceSet,
    /// Totals of the shards that were counted.
    pub totals: CensusTotals,
    /// The subsets of the box with as many cells as the pieces fill.
    pub subsets: u128,
    /// True if all shards were counted.
    pub whole: bool,
}

impl CensusReport {
    /// Returns whether both sums of a whole census agree.
    pub fn agrees(&self) -> bool {
        let totals = &self.totals;
        !self.whole || totals.direct == totals.packings && totals.subsets == self.subsets
    }
}

/// Returns the most bytes that a census takes. They include the figures that wait for a sink.
fn census_memory(schedule: &Schedule<'_>, keep: Keep) -> u64 {
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

/// A pass over shards of a census.
struct Pass<'a> {
    schedule: &'a Schedule<'a>,
    keep: Keep,
    /// True if the sink takes whole batches and resumes behind the last one. Then figures without a packing are passed on
    /// as numbers, a stop may come between the figures of a shard, and a batch that is not full is dropped.
    resumes: bool,
    work: Work<'a>,
}

impl Pass<'_> {
    /// Counts shards and passes the selected figures on. Begins at figure `skip` of the first shard. Of earlier figures,
    /// `before` has the largest numbers of packings.
    ///
    /// Returns the totals and the shard after the last complete one.
    fn run(
        &self,
        shards: Range<usize>,
        (skip, before): (u64, Vec<u64>),
        to: &mut dyn Batches,
    ) -> (CensusTotals, usize) {
        let census = self.schedule.census();
        let count = |_: usize, counts: &ShardCounts<'_>| (counts.totals(), self.selected(counts));
        let mut totals = CensusTotals::default();
        let mut waiting = Batch::default();
        let mut leaders = self.keep.top().map(|number| Leaders::after(before, number));
        let (Range { start: first, end }, mut next) = (shards.clone(), shards.start);
        let mut emit = |shard: usize, (one, mut figures): (CensusTotals, Vec<FigureCounts>)| {
            let done = Batch {
                sums: Some([one.direct, one.packings, one.subsets]),
                ..Batch::at(Place { shard: shard as u64 + 1, figures: 0 })
            };
            match self.keep {
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
                    if is_due {
                        to.take(std::mem::take(&mut waiting))?;
                    }
                }
                Keep::All | Keep::Buildable => {
                    let skip = if shard == first { skip } else { 0 };
                    self.emit_shard(shard, (&figures, skip), done, to)?;
                }
            }
            totals.add(&one);
            next = shard + 1;
            (self.work.advance)(census.subsets(shard));
            ControlFlow::Continue(())
        };
        // `next` records the result, and the driver keeps an error of the sink.
        let _ = self.schedule.for_each_shard(shards, self.work.stop, count, &mut emit);
        if !self.resumes && waiting.place > Place::default() {
            let _ = to.take(waiting);
        }
        (totals, next)
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
    fn emit_shard(
        &self,
        shard: usize,
        (figures, skip): (&[FigureCounts], u64),
        done: Batch,
        to: &mut dyn Batches,
    ) -> ControlFlow<()> {
        let mut passed = skip;
        for some in figures.get(skip as usize..).unwrap_or_default().chunks(BATCH_FIGURES) {
            if self.resumes && self.work.stopped() {
                return ControlFlow::Break(());
            }
            passed += some.len() as u64;
            to.take(self.batch(Place { shard: shard as u64, figures: passed }, shard, some))?;
        }
        to.take(done)
    }

    /// Returns the batch of a shard's figures that ends at a place.
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
    /// The box and the pieces.
    pub census: Census,
    /// The figures of the answer.
    pub keep: Keep,
}

impl CensusQuestion {
    /// Returns whether figures are mere numbers, except for leaders.
    const fn are_tallied(&self) -> bool {
        matches!(self.keep, Keep::Totals | Keep::Top(_))
    }

    /// Chooses how to count shards with the threads and the memory. Returns also the bytes that it takes, with the rows
    /// that wait for a sink.
    ///
    /// # Errors
    /// If that is more than the memory.
    pub fn schedule(
        &self,
        shards: Range<usize>,
        work: Work<'_>,
    ) -> Result<(Schedule<'_>, u64), QuestionError> {
        let allowed = work.allowed_memory();
        let threads = rayon::current_num_threads();
        let schedule = self.census.schedule_of(shards, threads, allowed)?;
        let needed = census_memory(&schedule, self.keep);
        if needed > allowed {
            return Err(QuestionError::Memory { needed, allowed });
        }
        Ok((schedule, needed))
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
        let all = BoxSpec { equivalence: Equivalence::for_set(set), ..all };
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

    fn estimate(&self, _work: Work<'_>) -> WorkEstimate {
        let (census, shards) = (&self.census, self.census.shards());
        let figures = self.total().unwrap_or(0) as f64;
        let is_small = |sides: [u32; 3]| sides.iter().product::<u32>() <= SMALL_BOX_CELLS;
        let seconds = |(shard, packings)| {
            let figures = census.approximate_figures(shard);
            let subsets = census.shard_subsets(shard) as f64;
            match self.are_tallied() {
                true if is_small(census.bounding_box(shard)) => {
                    figures * costs::SMALL_BOX_FIGURE + costs::SMALL_BOX_SHARD
                }
                true => subsets * costs::LARGE_BOX_SUBSET + packings * costs::LARGE_BOX_PACKING,
                false => {
                    let subsets = subsets * costs::CENSUS_SUBSET;
                    figures * costs::CENSUS_FIGURE + subsets + costs::CENSUS_SHARD
                }
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
            begin: if is_small(census.sides()) { 0.0 } else { costs::LARGE_BOX_LISTING },
            segments: (0..shards)
                .zip(census.approximate_packings())
                .map(|of_shard| (1, seconds(of_shard)))
                .collect(),
            ..WorkEstimate::default()
        }
    }

    fn check_memory(&self, work: Work<'_>) -> Result<(), QuestionError> {
        self.schedule(0..self.census.shards(), work).map(drop)
    }

    fn stream(
        &self,
        shards: ShardRange,
        from: Place,
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError> {
        let all = self.census.shards();
        let shards = shards.start as usize..(shards.end as usize).min(all);
        let (schedule, _) = self.schedule(shards.clone(), work)?;
        let begun = from.shard as usize;
        let skip = if begun >= shards.start { from.figures } else { 0 };
        let rest = shards.start.max(begun)..shards.end;
        let before = match self.keep.top().map(|number| to.most_packings(number)) {
            None => Vec::new(),
            Some(ControlFlow::Continue(before)) => before,
            Some(ControlFlow::Break(())) => return Ok(None),
        };
        let resumes = to.wanted() == Wanted::Batches;
        let pass = Pass { schedule: &schedule, keep: self.keep, resumes, work };
        let (totals, next) = pass.run(rest, (skip, before), to);
        let whole = shards == (0..all) && from == Place::default() && next == all;
        let (sides, set) = (self.census.sides(), self.census.set().clone());
        let subsets = self.census.total_subsets();
        Ok(Some(CensusReport { sides, set, totals, subsets, whole }))
    }
}
