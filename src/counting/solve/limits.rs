//! Limits of a count, and the choice of its engine.

use crate::parallel::lock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The engine that counts a figure.
///
/// ```
/// use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // Dominoes fill a chessboard in 12,988,816 ways (Kasteleyn 1961), too many to visit quickly.
/// let (board, dominoes) = (Figure::of_box([8, 8, 1])?, parse_set("D32")?);
/// let limits = Limits { engine: EngineChoice::Frontier, ..Limits::default() };
/// let report = count(&Problem::new(&board, &dominoes), limits)?;
/// assert_eq!(report.outcome.raw(), Some(12_988_816));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineChoice {
    /// The search, or the frontier engine for a long search. The frontier engine counts only if bounded work suffices.
    #[default]
    Auto,
    /// The search, which visits the packings.
    Search,
    /// The frontier engine, which sweeps over the figure and counts packings together.
    Frontier,
}

/// Default memory of the frontier engine in bytes. It is the same on every machine, so that the choice of the
/// engine is too.
pub const DEFAULT_MEMORY: u64 = 3 << 30;

/// Limits of a count, and its engine. By default nothing is limited but the memory of the frontier engine.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::outcome::Verdict;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let few = Limits { nodes: Some(500), ..Limits::default() };
/// let report = count(&Problem::new(&cube, &soma), few)?;
/// assert_eq!(report.outcome.verdict(), Verdict::AtLeast);
/// assert_eq!(report.nodes, Some(500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Maximum number of packings.
    pub packings: Option<u128>,
    /// Maximum number of nodes. A report that the limit ended has this number.
    pub nodes: Option<u64>,
    /// Request to stop: the count ends soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// The engine to use.
    pub engine: EngineChoice,
    /// Bytes that the frontier engine may use; [`DEFAULT_MEMORY`] if `None`. Only one figure at a time uses them,
    /// even if several are counted in parallel.
    pub memory: Option<u64>,
    /// Returns the available memory in bytes. The frontier engine does not exceed it. Called only when that engine
    /// starts, because the system takes a while to answer.
    pub available: Option<fn() -> u64>,
    /// Receives the progress of long searches.
    pub searches: Option<&'a LongSearches>,
}

/// The long counts that are running, for a display.
///
/// ```
/// use somacat_counting::solve::LongSearches;
///
/// assert_eq!(LongSearches::default().progress(), None, "no search is running");
/// ```
#[derive(Debug, Default)]
pub struct LongSearches(Mutex<Steps>);

/// Steps of all long counts that are running together: branches of searches, and counts of sweeps.
#[derive(Debug, Default)]
struct Steps {
    all: usize,
    done: usize,
    /// The time at which the first of the running counts began.
    begun: Option<Instant>,
}

impl LongSearches {
    fn steps(&self) -> MutexGuard<'_, Steps> {
        lock(&self.0)
    }

    /// Returns the share of steps done, from 0 to 1, and the time since the first of the running counts began. `None`
    /// if none is running.
    pub fn progress(&self) -> Option<(f64, Duration)> {
        let Steps { all, done, begun } = *self.steps();
        Some((done as f64 / all as f64, begun.filter(|_| all > 0)?.elapsed()))
    }
}

/// A count that displays show until it is dropped.
#[derive(Debug)]
pub(crate) struct ShownCount<'l> {
    searches: &'l LongSearches,
    steps: usize,
    done: AtomicUsize,
}

impl<'l> ShownCount<'l> {
    pub(crate) fn begin(searches: &'l LongSearches, steps: usize) -> Self {
        let mut running = searches.steps();
        if running.all == 0 {
            running.begun = Some(Instant::now());
        }
        running.all += steps;
        Self { searches, steps, done: AtomicUsize::new(0) }
    }

    pub(crate) fn advance(&self, steps: usize) {
        self.done.fetch_add(steps, Ordering::Relaxed);
        self.searches.steps().done += steps;
    }
}

impl Drop for ShownCount<'_> {
    fn drop(&mut self) {
        let mut running = self.searches.steps();
        running.all -= self.steps;
        running.done -= self.done.load(Ordering::Relaxed);
    }
}

/// The state from which a search with a larger limit continues.
#[derive(Debug, Default)]
pub(super) struct SearchProgress<'l> {
    /// True if the search was too long for one thread, and is divided into branches.
    pub(super) long: bool,
    /// The number of packings found so far, weighted as in [`SearchTotal::total`].
    pub(super) found: u128,
    /// The results of the branches, in their order; `None` for branches not searched. Empty before the search is
    /// divided.
    results: Mutex<Vec<Option<BranchResult>>>,
    /// The count on the display, if there is one.
    shown: Option<ShownCount<'l>>,
}

/// The result of one branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchResult {
    pub(super) end: SearchTotal,
    /// The limit of nodes with which the branch was searched.
    pub(super) most: Option<u64>,
}

impl BranchResult {
    /// Returns true if a search of the branch with this limit of nodes would have the same result.
    pub(super) fn is_for(&self, most: Option<u64>) -> bool {
        match self.end.halted {
            true => self.most == most,
            false => most.is_none_or(|most| self.end.nodes < most),
        }
    }
}

impl<'l> SearchProgress<'l> {
    pub(super) fn results(&self) -> MutexGuard<'_, Vec<Option<BranchResult>>> {
        lock(&self.results)
    }

    /// Divides the search, if that was not done before.
    pub(super) fn divide(&mut self, branches: usize, searches: Option<&'l LongSearches>) {
        if self.results().is_empty() {
            self.results().resize(branches, None);
            self.shown = searches.map(|searches| ShownCount::begin(searches, branches));
        }
    }

    /// Returns the number of nodes left of `most` after the known results of the branches before one.
    pub(super) fn nodes_left(&self, branch: usize, most: Option<u64>) -> Option<u64> {
        let results = self.results();
        let used = || results[..branch].iter().flatten().map(|result| result.end.nodes).sum();
        most.map(|most| most.saturating_sub(used()))
    }

    /// Keeps the result of a branch, searched with at most `most` nodes.
    pub(super) fn keep(&self, branch: usize, end: SearchTotal, most: Option<u64>) {
        self.results()[branch] = Some(BranchResult { end, most });
        if !end.halted {
            self.shown.iter().for_each(|shown| shown.advance(1));
        }
    }

    /// Drops the results of branches that are not done.
    pub(super) fn drop_halted(&self) {
        self.results().iter_mut().for_each(|result| *result = result.filter(|r| !r.end.halted));
    }
}

impl Limits<'_> {
    /// Returns the number of bytes that the frontier engine may use.
    pub fn bytes(&self) -> u64 {
        let allowed = self.memory.unwrap_or(DEFAULT_MEMORY);
        self.available.map_or(allowed, |available| allowed.min(available()))
    }

    /// Returns true if the caller asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The node counter of a search. It ends the search at a limit.
pub(super) struct NodeBudget<'l> {
    limits: Limits<'l>,
    pub(super) nodes: u64,
    /// True if a limit or the visitor has ended the search.
    pub(super) halted: bool,
    /// The number of nodes at which to check the limits again.
    checkpoint: u64,
    /// Nodes between two checks of the request to stop: some tenths of a millisecond.
    interval: u64,
}

impl<'l> NodeBudget<'l> {
    /// Creates the budget of a search with masks of `bits` bits. A node of the longest masks takes up to a hundred
    /// milliseconds, one of short masks less than a microsecond.
    pub(super) fn new(limits: Limits<'l>, bits: usize) -> Self {
        let interval = match bits {
            ..=192 => 1 << 12,
            193..=320 => 1 << 5,
            _ => 1,
        };
        let mut budget = Self { limits, nodes: 0, halted: false, checkpoint: 0, interval };
        budget.set_checkpoint();
        budget
    }

    /// Returns true if the search must end. Reads the limits from time to time only: most calls compare two numbers.
    #[inline(always)]
    pub(super) fn is_spent(&mut self) -> bool {
        self.nodes >= self.checkpoint && self.check_limits()
    }

    #[cold]
    fn check_limits(&mut self) -> bool {
        let spent = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        self.halted |= spent || self.limits.stopped();
        self.set_checkpoint();
        self.halted
    }

    fn set_checkpoint(&mut self) {
        let next = self.limits.nodes.unwrap_or(u64::MAX).min(self.nodes + self.interval);
        self.checkpoint = if self.halted { 0 } else { next };
    }

    /// Ends the search if `total` reaches the limit of packings.
    pub(super) fn check_packings(&mut self, total: u64) {
        self.halted |= self.limits.packings.is_some_and(|most| u128::from(total) >= most);
    }
}

/// The result of a search, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SearchTotal {
    /// The number of packings, each counted with the weight of its first placement.
    pub(super) total: u128,
    pub(super) nodes: u64,
    /// True if a limit, a stop or the visitor ended it.
    pub(super) halted: bool,
    /// The finished share of the search tree, if known. The children of a node have equal shares.
    pub(super) share: Option<f64>,
}
