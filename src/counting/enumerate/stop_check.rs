//! Checks of a stop flag at intervals.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of steps between two checks of the flag.
const STOP_CHECK_INTERVAL: u32 = 1 << 12;

/// A stop flag and a limit of steps, checked at intervals. Each check takes time.
pub(super) struct StopCheck<'a> {
    stop: &'a AtomicBool,
    steps: u32,
    most: u32,
}

impl<'a> StopCheck<'a> {
    pub(super) const fn new(stop: &'a AtomicBool) -> Self {
        Self { stop, steps: 0, most: u32::MAX }
    }

    /// Breaks after about this many steps from now and from each restart.
    pub(super) const fn limit(&mut self, most: u32) {
        self.most = most;
    }

    /// Counts from 0, and makes the next step check the flag.
    pub(super) const fn restart(&mut self) {
        self.steps = 0;
    }

    /// Counts a step. Breaks if a check is due and the flag is set or the limit reached.
    pub(super) fn step(&mut self) -> ControlFlow<()> {
        let is_due = self.steps.is_multiple_of(STOP_CHECK_INTERVAL);
        self.steps = self.steps.wrapping_add(1);
        if is_due && (self.steps > self.most || self.stop.load(Ordering::Relaxed)) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
