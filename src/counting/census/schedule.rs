//! The execution of a census: its method, number of threads, and memory.
//!
//! None of this changes the result: shards, figures, their order and their counts are those of the census.
//!
//! For each box, dynamic programming is preferred, then meeting in the middle, then the search, as far as a method is
//! possible, pays for the wanted shards, and fits in memory. As threads need memory too, up to three quarters of them
//! are given up before a faster method is.

use super::bounding_box::BoundingBox;
use super::method_bytes::MethodBytes;
use super::shard::{MethodTables, SearchTables, ShardCounts};
use super::{Census, CensusError};
use crate::census::dynamic_programming::stages::Stages;
use crate::census::figures::totals::CensusTotals;
use crate::census::meet_in_the_middle::join::Join;
use crate::in_order::{MAX_AHEAD_PER_THREAD, in_order};
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

/// Dynamic programming is started if there is memory for the maximum number of sets divided by this. Usually no more
/// sets occur; if they do, the search takes over.
const USUAL_SETS_DIVISOR: u64 = 8;

/// Methods that take memory are worth giving up threads for: all but one in this many, rounded up.
const FEWER_THREADS_DIVISOR: usize = 4;

/// Stages are computed for a whole box, even if few shards are wanted. They pay if these have at least one in this many
/// of its subsets: all packings of 3×3×4 take a second, and the search for those of one twentieth up to fifteen.
const STAGES_SUBSETS_DIVISOR: u64 = 256;

/// The same divisor for joining halves. Their sets are also built for a whole box, in less time.
const JOIN_SUBSETS_DIVISOR: u64 = 64;

/// In a large box, joining halves also pays if the wanted subsets are this many times as many as the sets of the
/// halves.
const JOIN_SETS_DIVISOR: u64 = 16;

/// A method of counting packings.
///
/// ```
/// use somacat_counting::census::{Census, Method};
/// use somacat_geometry::pieces::PieceSet;
///
/// let census = Census::new([3, 3, 4], &PieceSet::soma(1))?;
/// let schedule = census.schedule(2, 4 << 30)?;
/// assert_eq!((schedule.method(), schedule.threads()), (Method::DynamicProgramming, 2));
/// assert_eq!(schedule.method().to_string(), "dynamic programming");
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Places pieces in stages, keeping only the sets each stage fills. Takes memory. The search takes over if there
    /// are more sets than fit, or a number of packings does not fit 32 bits.
    DynamicProgramming,
    /// Joins the sets that the two halves of the pieces fill. Takes memory for these sets.
    MeetInTheMiddle,
    /// Visits all packings.
    Search,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DynamicProgramming => "dynamic programming",
            Self::MeetInTheMiddle => "meet in the middle",
            Self::Search => "search",
        })
    }
}

/// The method chosen for a box.
#[derive(Clone, Copy, Debug)]
enum BoxMethod {
    /// In stages that keep at most this many sets.
    Stages {
        sets: u64,
    },
    Join,
    Search,
}

/// A census with its methods, threads and memory.
///
/// ```
/// use somacat_counting::census::{Census, CensusError};
/// use somacat_geometry::pieces::PieceSet;
///
/// let census = Census::new([3, 3, 4], &PieceSet::soma(1))?;
/// assert!(census.schedule(8, 4 << 30)?.memory() < 4 << 30);
/// assert!(matches!(census.schedule(1, 1 << 10), Err(CensusError::Memory { .. })));
/// # Ok::<(), CensusError>(())
/// ```
#[derive(Debug)]
pub struct Schedule<'a> {
    census: &'a Census,
    /// For each box within the box, its method.
    work: Vec<BoxMethod>,
    threads: usize,
    /// The maximum bytes of the work, results not included.
    memory: u64,
}

impl Census {
    /// Plans the census for at most `threads` threads and `allowed` bytes of memory.
    ///
    /// # Errors
    /// Fails if the memory does not suffice for one thread.
    pub fn schedule(&self, threads: usize, allowed: u64) -> Result<Schedule<'_>, CensusError> {
        Schedule::new(self, 0..self.shards(), threads, allowed)
    }

    /// Plans some shards only, to finish these soonest.
    ///
    /// # Errors
    /// Fails like [`Census::schedule`].
    pub fn schedule_of(
        &self,
        shards: Range<usize>,
        threads: usize,
        allowed: u64,
    ) -> Result<Schedule<'_>, CensusError> {
        Schedule::new(self, shards, threads, allowed)
    }
}

impl<'a> Schedule<'a> {
    fn new(
        census: &'a Census,
        shards: Range<usize>,
        threads: usize,
        allowed: u64,
    ) -> Result<Self, CensusError> {
        let threads = threads.max(1);
        let tables: u64 = census.boxes.iter().map(BoundingBox::bytes).sum();
        let left = allowed.saturating_sub(tables);
        let means = |(own, all): (&'a BoundingBox, Range<usize>)| {
            let wanted = shards.start.max(all.start)..shards.end.min(all.end);
            let subsets = census.subsets_in(wanted);
            MethodNeeds::new(own, subsets)
        };
        let boxes: Vec<MethodNeeds<'_>> =
            census.boxes.iter().zip(census.ranges()).map(means).collect();
        let by_memory =
            (threads.div_ceil(FEWER_THREADS_DIVISOR)..=threads).rev().map(|n| (n, true));
        let by_any = (1..=threads).rev().map(|n| (n, false));
        for (threads, fast_only) in by_memory.chain(by_any) {
            let work = boxes.iter().map(|means| means.work(threads, left, fast_only));
            if let Some(work) = work.collect::<Option<Vec<BoxMethod>>>() {
                let bytes =
                    boxes.iter().zip(&work).map(|(means, work)| means.bytes(*work, threads));
                let most = bytes.max().expect("the box itself is one of the boxes");
                let memory = tables + most;
                return Ok(Self { census, work, threads, memory });
            }
        }
        let needed = boxes.iter().map(|means| means.bytes(BoxMethod::Search, 1)).max();
        let needed = tables + needed.expect("the box itself is one of the boxes");
        Err(CensusError::Memory { sides: census.sides, needed, allowed })
    }

    /// Returns the census.
    pub const fn census(&self) -> &'a Census {
        self.census
    }

    /// Returns the number of threads that work at once.
    ///
    /// It is the requested number, or less if memory is short.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the maximum bytes of the work.
    ///
    /// Results that the caller keeps are not included.
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the method for the figures that span the whole box.
    pub fn method(&self) -> Method {
        match self.work.first() {
            Some(BoxMethod::Stages { .. }) => Method::DynamicProgramming,
            Some(BoxMethod::Join) => Method::MeetInTheMiddle,
            _ => Method::Search,
        }
    }

    /// Returns about the maximum number of figures that wait in [`Schedule::for_each_shard`] to be passed on, if the
    /// caller keeps at most `each` figures of a shard.
    pub fn waiting_figures(&self, each: u64) -> u64 {
        // One more shard is being written.
        let waiting = (MAX_AHEAD_PER_THREAD * self.threads + 1).min(self.census.shards()) as u64;
        let most = self.census.boxes.iter().map(|own| own.figures_at_most().min(each)).max();
        waiting.saturating_mul(most.expect("the box itself is one of the boxes"))
    }

    /// Counts the figures of `shards` and passes the results on in order.
    ///
    /// `read` reads out a shard's counts, on several threads. `emit` receives its results on this thread, in the
    /// order of the shards, until `emit` breaks or `stop` is set. A stop takes effect within a second or two.
    /// Incomplete shards are not passed on.
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
                // After a stop, the result may be incomplete.
                (!stop.load(Ordering::Relaxed)).then_some(result)
            };
            in_order(range, self.threads, one, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the totals and histogram of `shards`; `None` if `stop` was set. Calls `done` for each shard.
    pub fn totals(
        &self,
        shards: Range<usize>,
        stop: &AtomicBool,
        done: &mut dyn FnMut(usize),
    ) -> Option<CensusTotals> {
        let mut totals = CensusTotals::default();
        let read = |_: usize, counts: &ShardCounts<'_>| counts.totals();
        let flow = self.for_each_shard(shards, stop, read, &mut |shard, one| {
            totals.add(&one);
            done(shard);
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(totals)
    }

    /// Builds the tables for all shards of a box. Returns `None` if `stop` is set.
    fn tables(&self, own: usize, stop: &AtomicBool) -> Option<MethodTables> {
        let bounding_box = &self.census.boxes[own];
        if let (BoxMethod::Stages { sets }, Some(stages)) = (self.work[own], &bounding_box.stages)
            && let Some(last) = stages.run(&bounding_box.grid, sets, self.threads, stop)
        {
            return Some(MethodTables::Stages(last));
        }
        if let (BoxMethod::Join, Some(halves)) = (self.work[own], &bounding_box.halves) {
            let BoundingBox { grid, placements, .. } = bounding_box;
            return Join::new(grid, placements, halves, self.threads, stop).map(MethodTables::Join);
        }
        Some(MethodTables::Search(SearchTables::new(bounding_box, stop)?))
    }
}

/// What each method needs in a box.
struct MethodNeeds<'a> {
    own: &'a BoundingBox,
    /// The stages, if they are possible and pay for the wanted shards.
    stages: Option<&'a Stages>,
    /// The bytes to join halves, if that is possible and pays for the wanted shards.
    join: Option<MethodBytes>,
    /// The bytes to search.
    search: MethodBytes,
}

impl<'a> MethodNeeds<'a> {
    /// Determines the needs for shards that represent `subsets` subsets of the box.
    fn new(own: &'a BoundingBox, subsets: u64) -> Self {
        let reaches = |divisor| subsets.saturating_mul(divisor) >= own.all_subsets();
        let stages = own.stages.as_ref().filter(|_| reaches(STAGES_SUBSETS_DIVISOR));
        let sets = own.halves.as_ref().map_or(0, |halves| halves.most_sets().1);
        let join_pays = reaches(JOIN_SUBSETS_DIVISOR) || subsets / JOIN_SETS_DIVISOR >= sets;
        let join = own.join_bytes().filter(|_| join_pays);
        Self { own, stages, join, search: own.search_bytes() }
    }

    /// Chooses the box's method for `threads` threads and `allowed` bytes. Returns `None` if none fits. Prefers stages,
    /// then joining halves, if there is enough memory for them. With `fast_only`, the search is chosen only if neither
    /// is an option.
    fn work(&self, threads: usize, allowed: u64, fast_only: bool) -> Option<BoxMethod> {
        // If the stages fail, the search takes over.
        if self.search.total(threads) > allowed {
            return None;
        }
        let stages = self.sets(threads, allowed).map(|sets| BoxMethod::Stages { sets });
        let fits = |bytes: &MethodBytes| bytes.total(threads) <= allowed;
        let join = self.join.as_ref().filter(|bytes| fits(bytes)).map(|_| BoxMethod::Join);
        let search = (self.stages.is_none() && self.join.is_none()) || !fast_only;
        stages.or(join).or(search.then_some(BoxMethod::Search))
    }

    /// Returns the number of sets that stages may keep in `allowed` bytes, at most as many as can occur. Returns `None`
    /// if they would hardly suffice.
    fn sets(&self, threads: usize, allowed: u64) -> Option<u64> {
        let most = self.stages?.most();
        let fits = |sets: u64| self.bytes(BoxMethod::Stages { sets }, threads) <= allowed;
        let (mut least, mut beyond) = (most / USUAL_SETS_DIVISOR, most + 1);
        if !fits(least) {
            return None;
        }
        while beyond - least > 1 {
            let middle = least + (beyond - least) / 2;
            if fits(middle) {
                least = middle;
            } else {
                beyond = middle;
            }
        }
        Some(least)
    }

    /// Returns the maximum bytes of a method. The search, which takes over if stages fail, must fit too.
    fn bytes(&self, work: BoxMethod, threads: usize) -> u64 {
        let search = self.search.total(threads);
        let others = match work {
            BoxMethod::Stages { sets } => self.own.stages_bytes(sets),
            BoxMethod::Join => self.join,
            BoxMethod::Search => None,
        };
        others.map_or(0, |bytes| bytes.total(threads)).max(search)
    }
}
