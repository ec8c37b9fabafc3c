//! The exit codes of the program.

use std::process::ExitCode;

/// The exit code of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command succeeded.
    Ok = 0,
    /// The command failed.
    Failed = 1,
    /// The command line is not valid.
    Usage = 2,
    /// Finished, but some figures failed or were refused.
    Partial = 3,
    /// Nothing matched, and `--fail-if-empty` was given.
    Empty = 4,
    /// Verification found a mismatch.
    Mismatch = 5,
    /// Stopped early; the same command continues.
    Stopped = 75,
    /// A second Ctrl-C ended the program.
    Interrupted = 130,
}

impl Exit {
    /// All exit codes in ascending order, with their meanings.
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
