//! Censuses: the figures of a box, counted all at once, one part of the census after another.

use super::plan::CensusJob;
use super::{Progress, Run, RunError, Size, unsolvable_reason};
use crate::catalog::{
    Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, Keep, Session,
};
use crate::census::{self, Census, Counted, Tallied, bytes};
use crate::enumerate::Place;
use crate::figure::{Candidate, Identity};
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

/// Bytes allowed where the system does not tell what it has.
const UNKNOWN_MEMORY: u64 = 4 << 30;

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
pub struct CensusReport {
    /// The sides of the box.
    pub sides: [u32; 3],
    /// The set.
    pub set: PieceSet,
    /// Totals of the parts that were counted.
    pub totals: census::Summary,
    /// Subsets of the whole box.
    pub subsets: u128,
    /// All parts were counted.
    pub whole: bool,
}

impl CensusReport {
    /// Whether the totals, found in two ways, agree; of some parts alone they do not.
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

    /// Takes some figures of a part, the first of which is its `first`-th, from 0.
    ///
    /// # Errors
    /// If they cannot be written.
    fn figures(
        &mut self,
        part: usize,
        first: u64,
        rows: Vec<CountedRow>,
    ) -> Result<(), Self::Error>;

    /// Hears that all figures of a part were handed on.
    ///
    /// # Errors
    /// If that cannot be noted.
    fn end_of_part(&mut self, part: usize) -> Result<(), Self::Error>;
}

/// A census with the figures of it that are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The census.
    pub census: &'a Census,
    /// The figures that are handed on.
    pub selection: Selection,
    /// A stop is obeyed in the middle of a part too, instead of after it.
    pub mid_part: bool,
}

impl Sweep<'_> {
    /// Bytes that the census takes at most, with the figures that wait to be written.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let each = match self.selection {
            Selection::None => return self.census.memory(),
            Selection::All | Selection::Buildable => u64::MAX,
            Selection::Top(number) => 2 * number as u64 + CHUNK as u64,
        };
        let waiting = self.census.waiting_figures(each).saturating_mul(size_of::<Counted>() as u64);
        self.census.memory() + waiting + (BATCH_ROWS + CHUNK) as u64 * ROW
    }

    /// Counts `parts` from figure `skip` of the first on, and hands the figures that are wanted to `sink`; returns the
    /// totals and the part after the last that was done.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn run<S: CensusSink>(
        &self,
        parts: Range<usize>,
        skip: u64,
        stop: &AtomicBool,
        progress: &Progress,
        sink: &mut S,
    ) -> Result<(census::Summary, usize), S::Error> {
        let census = self.census;
        let subsets = parts.clone().map(|part| census.subsets(part)).sum();
        progress.begin("subsets", Size::Exact(subsets));
        let work = |part: usize, tallied: &Tallied<'_>| {
            (census.part_summary(part, tallied), self.wanted(tallied))
        };
        let mut totals = census::Summary::default();
        let mut best: Vec<(usize, Counted)> = Vec::new();
        let (first, mut next, mut failed) = (parts.start, parts.start, None);
        let mut emit = |part: usize, (one, figures): (census::Summary, Vec<Counted>)| {
            if let Selection::Top(number) = self.selection {
                best.extend(figures.into_iter().map(|counted| (part, counted)));
                shorten(&mut best, number, |(_, counted)| counted.raw);
            } else {
                let skip = if part == first { skip } else { 0 };
                match self.hand_on(part, &figures, skip, stop, sink) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(flow) => return flow,
                    Err(error) => {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                }
            }
            totals.add(&one);
            next = part + 1;
            progress.advance(census.subsets(part));
            ControlFlow::Continue(())
        };
        // How it ended is told by `next` and `failed`.
        let _ = census.for_each_part(parts, stop, work, &mut emit);
        progress.end();
        match failed {
            Some(error) => Err(error),
            None => {
                let rows = best.par_iter().map(|(part, counted)| self.row(*part, counted));
                sink.figures(next, 0, rows.collect())?;
                Ok((totals, next))
            }
        }
    }

    /// The figures of a part that are wanted.
    fn wanted(&self, tallied: &Tallied<'_>) -> Vec<Counted> {
        let mut figures: Vec<Counted> = Vec::new();
        match self.selection {
            Selection::None => {}
            Selection::All => tallied.for_each(|counted| figures.push(counted)),
            Selection::Buildable => {
                tallied.for_each(|counted| figures.extend(Some(counted).filter(|c| c.raw > 0)));
            }
            Selection::Top(number) => {
                tallied.for_each(|counted| {
                    figures.push(counted);
                    if figures.len() >= 2 * number + CHUNK {
                        shorten(&mut figures, number, |counted| counted.raw);
                    }
                });
                shorten(&mut figures, number, |counted| counted.raw);
            }
        }
        figures.shrink_to_fit();
        figures
    }

    /// Hands on the figures of a part; breaks off if it is to stop in the middle.
    fn hand_on<S: CensusSink>(
        &self,
        part: usize,
        figures: &[Counted],
        skip: u64,
        stop: &AtomicBool,
        sink: &mut S,
    ) -> Result<ControlFlow<()>, S::Error> {
        let mut first = skip;
        for some in figures.get(skip as usize..).unwrap_or_default().chunks(CHUNK) {
            if self.mid_part && stop.load(Ordering::Relaxed) {
                return Ok(ControlFlow::Break(()));
            }
            let rows = some.par_iter().map(|counted| self.row(part, counted)).collect();
            sink.figures(part, first, rows)?;
            first += some.len() as u64;
        }
        sink.end_of_part(part)?;
        Ok(ControlFlow::Continue(()))
    }

    /// A figure with its outcome.
    fn row(&self, part: usize, counted: &Counted) -> CountedRow {
        let set = self.census.set();
        let figure = self.census.figure(part, counted);
        let figure = figure.expect("a census counts figures");
        let outcome = if counted.raw > 0 {
            Outcome::Counted(Counts {
                raw: counted.raw.into(),
                rotation: counted.rotation.into(),
                unique: counted.unique.into(),
            })
        } else {
            Outcome::Unsolvable(unsolvable_reason(&figure, set))
        };
        let candidate = Candidate::with_group(figure, counted.group, Identity::for_set(set));
        candidate.columns();
        let report = Report { outcome, nodes: None, engine: Some(Engine::Census) };
        CountedRow { candidate, report, micros: None }
    }
}

/// Keeps so many with the most packings.
fn shorten<T>(figures: &mut Vec<T>, number: usize, raw: impl Fn(&T) -> u64) {
    figures.sort_by_key(|figure| std::cmp::Reverse(raw(figure)));
    figures.truncate(number);
}

/// Three quarters of the memory that is available.
#[must_use]
pub fn available_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib: Option<u64> =
        line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    kib.map_or(UNKNOWN_MEMORY, |kib| kib / 4 * 3 * 1024)
}

impl Run<'_> {
    /// Counts the figures of a box into the catalog.
    pub(super) fn census(&mut self, job: &CensusJob) -> Result<(), RunError> {
        let CensusJob { ref set, keep, memory, .. } = *job;
        let allowed = memory.unwrap_or_else(available_memory);
        let threads = rayon::current_num_threads();
        let census = Census::new(job.sides, set, threads, allowed)?;
        let sweep = Sweep { census: &census, selection: Selection::All, mid_part: true };
        let needed = sweep.memory();
        if needed > allowed {
            return Err(RunError::CensusMemory { needed: bytes(needed), allowed: bytes(allowed) });
        }
        let set_id = self.session.set_id(set)?;
        let label = job.label();
        let question = format!("{label} in {} parts", census.parts());
        let key =
            EnumerationKey { question: &question, label: &label, set: set_id, keep, limit: 0 };
        let state = self.session.enumeration(key)?;
        let before = self.session.catalog().enumeration_totals(state.id)?.figures;
        if !state.complete {
            self.session.plan((job.figures() as u64).saturating_sub(before))?;
            let whole = state.place == Place::default();
            let mut sink = CatalogSink::new(&mut self.session, state, keep);
            let (first, skip) = (state.place.shard as usize, state.place.figures);
            let parts = first..census.parts();
            let (stop, progress) = (self.settings.stop, self.progress);
            let (totals, next) = sweep.run(parts, skip, stop, progress, &mut sink)?;
            sink.flush()?;
            let (new, counted) = (sink.new, sink.counted);
            self.summary.new += new;
            self.summary.counted += counted;
            let done = next == census.parts();
            if done {
                self.session.complete(state.id)?;
            }
            let whole = whole && done;
            let report = CensusReport {
                sides: job.sides,
                set: set.clone(),
                totals,
                subsets: census.total_subsets(),
                whole,
            };
            self.summary.censuses.push(report);
        }
        let totals = self.session.catalog().enumeration_totals(state.id)?;
        self.summary.entries += totals.figures;
        if keep == Keep::All {
            self.session.add_enumeration(state.id, set_id)?;
        } else {
            self.summary.in_numbers.add_all(&totals);
        }
        Ok(())
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
        Self {
            session,
            state,
            keep,
            breakdown: Breakdown::default(),
            kept: Vec::new(),
            place: state.place,
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
        let advance = Advance { place: self.place, breakdown: &breakdown, kept, done };
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
        part: usize,
        first: u64,
        rows: Vec<CountedRow>,
    ) -> Result<(), Self::Error> {
        if rows.is_empty() {
            return Ok(());
        }
        self.place = Place { shard: part as u64, figures: first + rows.len() as u64 };
        for row in rows {
            let outcome = &row.report.outcome;
            self.breakdown.add_outcome(row.candidate.class(), outcome);
            if self.keep == Keep::All || outcome.verdict().is_buildable() {
                self.kept.push(row);
            }
        }
        self.flush_if_due()
    }

    fn end_of_part(&mut self, part: usize) -> Result<(), Self::Error> {
        self.place = Place { shard: part as u64 + 1, figures: 0 };
        self.flush_if_due()
    }
}
