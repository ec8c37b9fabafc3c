//! Checks of a stop flag at intervals.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of steps between two checks of the flag.
const STOP_CHECK_INTERVAL: u32 = 1 << 12;

/// A stop flag that is checked at intervals, because each check takes time.
pub(super) struct StopCheck<'a> {
    stop: &'a AtomicBool,
    steps: u32,
}

impl<'a> StopCheck<'a> {
    pub(super) const fn new(stop: &'a AtomicBool) -> Self {
        Self { stop, steps: 0 }
    }

    /// Makes the next step check the flag.
    pub(super) const fn restart(&mut self) {
        self.steps = 0;
    }

    /// Counts a step. Breaks if the flag is checked and set.
    pub(super) fn step(&mut self) -> ControlFlow<()> {
        let is_due = self.steps.is_multiple_of(STOP_CHECK_INTERVAL);
        self.steps = self.steps.wrapping_add(1);
        if is_due && self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
