//! Exit codes: one table for the whole program.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All went well.
    Ok = 0,
    /// The command could not do its work.
    Failed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Finished, but some figures failed or were refused.
    Partial = 3,
    /// Nothing matched, and `--fail-if-empty` was given.
    Empty = 4,
    /// Verification found a mismatch.
    Mismatch = 5,
    /// Stopped early; the same command continues.
    Stopped = 75,
    /// A second Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// All of them, ascending, with what they mean in a word.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Ok, "ok"),
        (Self::Failed, "failed"),
        (Self::Usage, "usage"),
        (Self::Partial, "finished, but some figures failed or were refused"),
        (Self::Empty, "nothing matched (with --fail-if-empty)"),
        (Self::Mismatch, "verification mismatch"),
        (Self::Stopped, "stopped early and resumable"),
        (Self::Interrupted, "second Ctrl-C"),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
