//! The exit codes of the program.

use std::process::ExitCode;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Ok = 0,
    Failed = 1,
    Usage = 2,
    Partial = 3,
    Empty = 4,
    Mismatch = 5,
    Stopped = 75,
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
