//! How far a count may go, and which engine counts.

use std::sync::atomic::{AtomicBool, Ordering};

/// Which engine counts a figure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineChoice {
    /// The search; if that takes long, the frontier engine, provided that it has enough memory.
    #[default]
    Auto,
    /// The search, which visits the packings.
    Search,
    /// The frontier engine, which sweeps over the figure and counts packings together.
    Frontier,
}

/// Bytes that the frontier engine may use by default. They are the same on every machine, so that the choice
/// of the engine is, too.
pub const DEFAULT_MEMORY: u64 = 3 << 30;

/// How far a count may go, and which engine counts. By default it goes to the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Stop after this many packings.
    pub packings: Option<u128>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Stop soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// The engine.
    pub engine: EngineChoice,
    /// Bytes that the frontier engine may use, [`DEFAULT_MEMORY`] if not given. Only one figure at a time
    /// uses them, however many are counted in parallel.
    pub memory: Option<u64>,
    /// Tells how many bytes there are; the frontier engine asks when it begins, and uses no more. Most counts never need
    /// it, and the system takes a while to answer.
    pub available: Option<fn() -> u64>,
}

impl Limits<'_> {
    /// Bytes that the frontier engine may use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let allowed = self.memory.unwrap_or(DEFAULT_MEMORY);
        self.available.map_or(allowed, |available| allowed.min(available()))
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Counts the nodes of a search and sees to it that the search ends at a limit.
pub(super) struct Budget<'l> {
    limits: Limits<'l>,
    pub(super) nodes: u64,
    /// Whether a limit, or whoever watches the search, has ended it.
    pub(super) halted: bool,
    /// The number of nodes at which to look at the limits again.
    checkpoint: u64,
}

/// Nodes between two looks at the request to stop: some tenths of a millisecond.
const POLL: u64 = 1 << 12;

impl<'l> Budget<'l> {
    pub(super) fn new(limits: Limits<'l>) -> Self {
        let mut budget = Self { limits, nodes: 0, halted: false, checkpoint: 0 };
        budget.set_checkpoint();
        budget
    }

    /// Whether the search is over; looks at the limits from time to time.
    #[inline(always)]
    pub(super) fn is_spent(&mut self) -> bool {
        self.nodes >= self.checkpoint && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let spent = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        self.halted |= spent || self.limits.stopped();
        self.set_checkpoint();
        self.halted
    }

    fn set_checkpoint(&mut self) {
        let next = self.limits.nodes.unwrap_or(u64::MAX).min(self.nodes + POLL);
        self.checkpoint = if self.halted { 0 } else { next };
    }

    /// Ends the search if `total` packings are as many as wanted.
    pub(super) fn check_packings(&mut self, total: u64) {
        self.halted |= self.limits.packings.is_some_and(|most| u128::from(total) >= most);
    }
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchTotal {
    /// The number of packings met.
    pub(super) total: u128,
    pub(super) nodes: u64,
    /// Whether a limit or the visitor ended it.
    pub(super) halted: bool,
}
