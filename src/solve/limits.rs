//! How far a count may go, and which engine counts.

use super::engine::{DEFAULT_MEMORY, EngineChoice};
use std::sync::atomic::{AtomicBool, Ordering};

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
}

impl Limits<'_> {
    /// Bytes that the frontier engine may use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
