//! Censuses: the figures of a box, counted all at once, one shard of the census after another.

use super::plan::CensusJob;
use super::{Progress, Run, RunError, Size, unsolvable_reason};
use crate::catalog::{
    Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, Keep, Session,
};
use crate::census::{CensusTotals, FigureCounts, Schedule, ShardCounts};
use crate::enumerate::Place;
use crate::outcome::{Counts, Engine, Outcome, Report};
use crate::pieces::PieceSet;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rows made at a time.
const CHUNK: usize = 8192;

/// Bytes of a row, about.
const ROW: u64 = 1024;

/// The catalog is written to after so many rows or so much time: what a kill may cost.
const BATCH_ROWS: usize = 1 << 15;
const BATCH_TIME: Duration = Duration::from_millis(500);

/// The figures of a census that are handed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// None: only the totals are wanted.
    None,
    /// Every figure.
    All,
    /// Figures with a packing.
    Buildable,
    /// So many figures with the most packings.
    Top(usize),
}

/// What a census came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CensusReport {
    /// The sides of the box.
    pub sides: [u32; 3],
    /// The set.
    pub set: PieceSet,
    /// Totals of the shards that were counted.
    pub totals: CensusTotals,
    /// Subsets of the whole box.
    pub subsets: u128,
    /// All shards were counted.
    pub whole: bool,
}

impl CensusReport {
    /// Whether the totals, found in two ways, agree; of some shards alone they do not.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let totals = &self.totals;
        !self.whole || totals.direct == totals.packings && totals.subsets == self.subsets
    }
}

/// Takes the figures of a census, in its order.
pub trait CensusSink {
    /// Why it cannot take them.
    type Error;

    /// Takes some figures of a shard, the first of which is its `first`-th, from 0.
    ///
    /// # Errors
    /// If they cannot be written.
    fn figures(
        &mut self,
        shard: usize,
        first: u64,
        rows: Vec<CountedRow>,
    ) -> Result<(), Self::Error>;

    /// Hears that all figures of a shard were handed on, and its totals.
    ///
    /// # Errors
    /// If that cannot be noted.
    fn end_of_shard(&mut self, shard: usize, totals: &CensusTotals) -> Result<(), Self::Error>;
}

/// A census with the figures of it that are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The census, and how it is made.
    pub schedule: &'a Schedule<'a>,
    /// The figures that are handed on.
    pub selection: Selection,
    /// A stop is obeyed between the figures of a shard too, instead of after them.
    pub mid_shard: bool,
}

impl<'a> Sweep<'a> {
    /// A census of which every figure is handed on, and which may be stopped at any of them.
    #[must_use]
    pub const fn of_all(schedule: &'a Schedule<'a>) -> Self {
        Self { schedule, selection: Selection::All, mid_shard: true }
    }
}

impl Sweep<'_> {
    /// Bytes that the census takes at most, with the figures that wait to be written.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let each = match self.selection {
            Selection::None => return self.schedule.memory(),
            Selection::All | Selection::Buildable => u64::MAX,
            Selection::Top(number) => 2 * number as u64 + CHUNK as u64,
        };
        let figures = self.schedule.waiting_figures(each);
        let waiting = figures.saturating_mul(size_of::<FigureCounts>() as u64);
        self.schedule.memory() + waiting + (BATCH_ROWS + CHUNK) as u64 * ROW
    }

    /// Counts `shards` from figure `skip` of the first on, and hands the figures that are wanted to `sink`; returns the
    /// totals and the shard after the last that was done.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn run<S: CensusSink>(
        &self,
        shards: Range<usize>,
        skip: u64,
        stop: &AtomicBool,
        progress: &Progress,
        sink: &mut S,
    ) -> Result<(CensusTotals, usize), S::Error> {
        let census = self.schedule.census();
        progress.begin("subsets", Size::Exact(census.subsets_in(shards.clone())));
        let work = |_: usize, counts: &ShardCounts<'_>| (counts.totals(), self.wanted(counts));
        let mut totals = CensusTotals::default();
        let mut best: Vec<(usize, FigureCounts)> = Vec::new();
        let (first, mut next, mut failed) = (shards.start, shards.start, None);
        let mut emit = |shard: usize, (one, figures): (CensusTotals, Vec<FigureCounts>)| {
            if let Selection::Top(number) = self.selection {
                best.extend(figures.into_iter().map(|counts| (shard, counts)));
                shorten(&mut best, number, |(_, counts)| counts.raw);
            } else {
                let skip = if shard == first { skip } else { 0 };
                match self.hand_on(shard, &figures, (skip, &one), stop, sink) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(flow) => return flow,
                    Err(error) => {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                }
            }
            totals.add(&one);
            next = shard + 1;
            progress.advance(census.subsets(shard));
            ControlFlow::Continue(())
        };
        // How it ended is told by `next` and `failed`.
        let _ = self.schedule.for_each_shard(shards, stop, work, &mut emit);
        progress.end();
        match failed {
            Some(error) => Err(error),
            None => {
                let rows = best.par_iter().map(|(shard, counts)| self.row(*shard, counts));
                sink.figures(next, 0, rows.collect())?;
                Ok((totals, next))
            }
        }
    }

    /// The figures of a shard that are wanted.
    fn wanted(&self, counts: &ShardCounts<'_>) -> Vec<FigureCounts> {
        let mut figures: Vec<FigureCounts> = Vec::new();
        match self.selection {
            Selection::None => {}
            Selection::All => counts.for_each(|figure| figures.push(figure)),
            Selection::Buildable => counts.for_each_solvable(|figure| figures.push(figure)),
            Selection::Top(number) => {
                counts.for_each(|figure| {
                    figures.push(figure);
                    if figures.len() >= 2 * number + CHUNK {
                        shorten(&mut figures, number, |figure| figure.raw);
                    }
                });
                shorten(&mut figures, number, |figure| figure.raw);
            }
        }
        figures.shrink_to_fit();
        figures
    }

    /// Hands on the figures of a shard; breaks off if it is to stop in the middle.
    fn hand_on<S: CensusSink>(
        &self,
        shard: usize,
        figures: &[FigureCounts],
        (skip, totals): (u64, &CensusTotals),
        stop: &AtomicBool,
        sink: &mut S,
    ) -> Result<ControlFlow<()>, S::Error> {
        let mut first = skip;
        for some in figures.get(skip as usize..).unwrap_or_default().chunks(CHUNK) {
            if self.mid_shard && stop.load(Ordering::Relaxed) {
                return Ok(ControlFlow::Break(()));
            }
            let rows = some.par_iter().map(|counts| self.row(shard, counts)).collect();
            sink.figures(shard, first, rows)?;
            first += some.len() as u64;
        }
        sink.end_of_shard(shard, totals)?;
        Ok(ControlFlow::Continue(()))
    }

    /// A figure with its outcome.
    fn row(&self, shard: usize, counts: &FigureCounts) -> CountedRow {
        let census = self.schedule.census();
        let candidate = census.candidate(shard, counts);
        let outcome = if counts.raw > 0 {
            Outcome::Counted(Counts {
                raw: counts.raw.into(),
                rotation: counts.rotation.into(),
                unique: counts.unique.into(),
            })
        } else {
            Outcome::Unsolvable(unsolvable_reason(candidate.figure(), census.set()))
        };
        let columns = candidate.into_columns();
        let report = Report { outcome, nodes: None, engine: Some(Engine::Census) };
        CountedRow { columns, report, micros: None }
    }
}

/// Keeps so many with the most packings.
fn shorten<T>(figures: &mut Vec<T>, number: usize, raw: impl Fn(&T) -> u64) {
    figures.sort_by_key(|figure| std::cmp::Reverse(raw(figure)));
    figures.truncate(number);
}

impl Run<'_> {
    /// Counts the figures of a box into the catalog.
    pub(super) fn census(&mut self, job: &CensusJob) -> Result<(), RunError> {
        let CensusJob { ref census, keep, .. } = *job;
        let set = census.set();
        let schedule = job.schedule(0..census.shards())?;
        let sweep = Sweep::of_all(&schedule);
        let set_id = self.session.set_id(set)?;
        let (question, label) = (census.key(), job.label());
        let key =
            EnumerationKey { question: &question, label: &label, set: set_id, keep, limit: 0 };
        let state = self.begin_question(key)?;
        let id = state.id;
        let before = self.session.catalog().enumeration_totals(id)?.figures;
        if !state.complete {
            self.session.add_expected((job.figures() as u64).saturating_sub(before))?;
            let whole = state.place == Place::default();
            let (first, skip) = (state.place.shard as usize, state.place.figures);
            let mut sink = CatalogSink::new(&mut self.session, state, keep);
            let shards = first..census.shards();
            let (stop, progress) = (self.settings.stop, self.progress);
            let (totals, next) = sweep.run(shards, skip, stop, progress, &mut sink)?;
            sink.flush()?;
            let (new, counted) = (sink.new, sink.counted);
            self.summary.new += new;
            self.summary.counted += counted;
            let done = next == census.shards();
            if done {
                self.session.complete(id, Some(job.figures()))?;
            }
            let whole = whole && done;
            let report = CensusReport {
                sides: census.sides(),
                set: set.clone(),
                totals,
                subsets: census.total_subsets(),
                whole,
            };
            self.summary.censuses.push(report);
        }
        self.end_question(key, id)
    }
}

/// The catalog as the place where figures of a census go.
struct CatalogSink<'a> {
    session: &'a mut Session,
    state: EnumerationState,
    keep: Keep,
    breakdown: Breakdown,
    kept: Vec<CountedRow>,
    place: Place,
    last_flush: Instant,
    new: u64,
    counted: u64,
}

impl<'a> CatalogSink<'a> {
    fn new(session: &'a mut Session, state: EnumerationState, keep: Keep) -> Self {
        let place = state.place;
        Self {
            session,
            state,
            keep,
            breakdown: Breakdown::default(),
            kept: Vec::new(),
            place,
            last_flush: Instant::now(),
            new: 0,
            counted: 0,
        }
    }

    fn flush_if_due(&mut self) -> Result<(), RunError> {
        let due = self.kept.len() >= BATCH_ROWS || self.last_flush.elapsed() >= BATCH_TIME;
        if due { self.flush() } else { Ok(()) }
    }

    /// Writes what has come since the last time, with the place after it.
    fn flush(&mut self) -> Result<(), RunError> {
        let (breakdown, kept) =
            (std::mem::take(&mut self.breakdown), std::mem::take(&mut self.kept));
        let done = breakdown.figures();
        let (place, members) = (self.place, [].as_slice());
        let breakdown = Some(&breakdown);
        let advance = Advance { place, breakdown, members, kept, done };
        self.new += self.session.advance(&mut self.state, &advance)?;
        self.counted += done;
        self.last_flush = Instant::now();
        Ok(())
    }
}

impl CensusSink for CatalogSink<'_> {
    type Error = RunError;

    fn figures(
        &mut self,
        shard: usize,
        first: u64,
        rows: Vec<CountedRow>,
    ) -> Result<(), Self::Error> {
        if rows.is_empty() {
            return Ok(());
        }
        self.place = Place { shard: shard as u64, figures: first + rows.len() as u64 };
        for row in rows {
            let outcome = &row.report.outcome;
            self.breakdown.add_outcome(row.columns.class, outcome);
            if self.keep == Keep::All || outcome.verdict().is_buildable() {
                self.kept.push(row);
            }
        }
        self.flush_if_due()
    }

    fn end_of_shard(&mut self, shard: usize, _: &CensusTotals) -> Result<(), Self::Error> {
        self.place = Place { shard: shard as u64 + 1, figures: 0 };
        self.flush_if_due()
    }
}
