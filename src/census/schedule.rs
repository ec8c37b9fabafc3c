//! How a census is run: by which method, on how many threads, in how much memory.
//!
//! Nothing of this changes what comes out: shards, figures, their order and their counts are those of the
//! census.

use super::in_order::{AHEAD, in_order};
use super::own_box::{MethodBytes, OwnBox};
use super::shard::{SearchTables, ShardCounts, Tables};
use super::summary::Summary;
use super::{Census, CensusError};
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

/// Dynamic programming is tried with so much less memory than its sets could take at most: as a rule no
/// more of them come.
const USUAL_SHARE: u64 = 8;

/// Dynamic programming is worth giving up threads for: all but one in so many.
const FEWER_THREADS: usize = 4;

/// A way to count packings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Pieces are placed in stages, and of each stage only the sets they fill are kept, with numbers of
    /// packings. Takes memory. Should more sets come than there is room for, or a number of packings
    /// not fit 32 bits, the search takes over.
    DynamicProgramming,
    /// All packings are gone through.
    Search,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DynamicProgramming => "dynamic programming",
            Self::Search => "search",
        })
    }
}

/// How one box is worked on.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// In stages that keep at most so many sets.
    Stages {
        sets: u64,
    },
    Search,
}

/// A census with the means to make it.
#[derive(Debug)]
pub struct Schedule<'a> {
    census: &'a Census,
    /// For each own box.
    work: Vec<Work>,
    threads: usize,
    memory: u64,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(
        census: &'a Census,
        threads: usize,
        allowed: u64,
    ) -> Result<Self, CensusError> {
        let threads = threads.max(1);
        let tables: u64 = census.boxes.iter().map(OwnBox::bytes).sum();
        let left = allowed.saturating_sub(tables);
        let search: Vec<MethodBytes> = census.boxes.iter().map(OwnBox::search_bytes).collect();
        let by_stages = |own: &OwnBox, search: &MethodBytes, threads: usize| {
            own.stages.as_ref()?;
            let sets = stages_within(own, threads, left)?;
            // Should it not succeed, the search is to have room too.
            (search.total(threads) <= left).then_some(Work::Stages { sets })
        };
        let all = |threads: usize, with_search: bool| -> Option<Vec<Work>> {
            let each = census.boxes.iter().zip(&search).map(|(own, search)| {
                let fits = search.total(threads) <= left;
                let searched =
                    (fits && (with_search || own.stages.is_none())).then_some(Work::Search);
                by_stages(own, search, threads).or(searched)
            });
            each.collect()
        };
        let many = (threads.div_ceil(FEWER_THREADS)..=threads).rev();
        let stages = many.map(|n| (n, false)).chain((1..=threads).rev().map(|n| (n, true)));
        let chosen = stages.filter_map(|(n, with_search)| Some((n, all(n, with_search)?))).next();
        let Some((threads, work)) = chosen else {
            let needed =
                tables + search.iter().map(|bytes| bytes.total(1)).max().unwrap_or_default();
            let pattern_cells = census.pattern_cells;
            return Err(CensusError::Memory {
                sides: census.sides,
                pattern_cells,
                needed,
                allowed,
            });
        };
        let bytes =
            census.boxes.iter().zip(&search).zip(&work).map(|((own, search), work)| match work {
                Work::Stages { sets } => own
                    .stages_bytes(*sets)
                    .map_or(0, |bytes| bytes.total(threads))
                    .max(search.total(threads)),
                Work::Search => search.total(threads),
            });
        let memory = tables + bytes.max().unwrap_or_default();
        Ok(Self { census, work, threads, memory })
    }

    /// The census.
    #[must_use]
    pub const fn census(&self) -> &'a Census {
        self.census
    }

    /// How many threads work at once: as many as were asked for, or fewer if memory is short.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// The most bytes that the work takes at any time, results not counted that the caller keeps.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// The method for the figures that span the whole box.
    #[must_use]
    pub fn method(&self) -> Method {
        match self.work.first() {
            Some(Work::Stages { .. }) => Method::DynamicProgramming,
            _ => Method::Search,
        }
    }

    /// How many figures, about, wait at most to be handed on by [`Schedule::for_each_shard`] if so many of
    /// `each` shard are kept.
    #[must_use]
    pub fn waiting_figures(&self, each: u64) -> u64 {
        // One more is being written.
        let waiting = (AHEAD * self.threads + 1).min(self.census.shards()) as u64;
        let most = self.census.boxes.iter().map(|own| own.figures_at_most().min(each)).max();
        waiting.saturating_mul(most.unwrap_or_default())
    }

    /// Counts the figures of `shards`: `read` reads out a shard's counts, on several threads; what it
    /// returns reaches `emit` on this thread, in the order of the shards, until `emit` breaks it off or
    /// `stop` is set, which is obeyed within a second or two. Nothing of a shard that was not counted whole is
    /// handed on.
    pub fn for_each_shard<T: Send>(
        &self,
        shards: Range<usize>,
        stop: &AtomicBool,
        read: impl Fn(usize, &ShardCounts<'_>) -> T + Sync,
        emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (own, all) in self.census.ranges().enumerate() {
            let range = shards.start.max(all.start)..shards.end.min(all.end);
            if range.is_empty() {
                continue;
            }
            let Some(tables) = self.tables(own, stop) else { return ControlFlow::Break(()) };
            let one = |shard: usize| {
                let counts = self.census.count(shard, &tables, stop)?;
                let result = read(shard, &counts);
                // What was read after a stop may not be all.
                (!stop.load(Ordering::Relaxed)).then_some(result)
            };
            in_order(range, self.threads, one, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Totals and histogram of `shards`; nothing if `stop` was set. `done` hears of each shard.
    pub fn summary(
        &self,
        shards: Range<usize>,
        stop: &AtomicBool,
        done: &mut dyn FnMut(usize),
    ) -> Option<Summary> {
        let mut summary = Summary::default();
        let read = |_: usize, counts: &ShardCounts<'_>| counts.summary();
        let flow = self.for_each_shard(shards, stop, read, &mut |shard, one| {
            summary.add(&one);
            done(shard);
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(summary)
    }

    /// What is made once for all shards of a box; nothing if `stop` is set.
    fn tables(&self, own: usize, stop: &AtomicBool) -> Option<Tables> {
        let own_box = &self.census.boxes[own];
        if let (Work::Stages { sets }, Some(stages)) = (self.work[own], &own_box.stages)
            && let Some(last) = stages.run(&own_box.grid, sets, self.threads, stop)
        {
            return Some(Tables::Stages(last));
        }
        Some(Tables::Search(SearchTables::new(own_box, stop)?))
    }
}

/// How many sets dynamic programming may keep on so many threads in so much memory; nothing if it would
/// hardly succeed.
fn stages_within(own: &OwnBox, threads: usize, allowed: u64) -> Option<u64> {
    let most = own.stages.as_ref()?.most();
    let fits =
        |sets: &u64| own.stages_bytes(*sets).is_some_and(|bytes| bytes.total(threads) <= allowed);
    let eighths = (1..=USUAL_SHARE).rev().map(|share| most / USUAL_SHARE * share);
    std::iter::once(most).chain(eighths).find(fits)
}
