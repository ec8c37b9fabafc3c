//! The memory of a method.

/// Bytes that a method needs in a box, apart from results.
#[derive(Clone, Copy, Debug)]
pub(super) struct MethodBytes {
    /// Bytes of what all threads share.
    pub(super) shared: u64,
    /// Bytes of each thread.
    pub(super) thread: u64,
}

impl MethodBytes {
    pub(super) fn total(self, threads: usize) -> u64 {
        self.shared.saturating_add(self.thread.saturating_mul(threads as u64))
    }
}
