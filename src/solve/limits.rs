//! How far a count may go, and by which means.

use super::engine::{DEFAULT_MEMORY, EngineChoice};
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a count may go, and by which means. The default is to the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Stop after so many packings.
    pub packings: Option<u128>,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// Stop soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// How to count.
    pub engine: EngineChoice,
    /// Bytes the frontier engine may take, [`DEFAULT_MEMORY`] if not given. One figure at a time has
    /// them, however many are counted.
    pub memory: Option<u64>,
}

impl Limits<'_> {
    /// Bytes the frontier engine may take.
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
