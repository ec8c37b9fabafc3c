//! Work that must end.

use std::io::Write as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The time after which a test gives up: no machine is so slow.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Does work that must end. Ends the test program after [`PATIENCE`]: a thread cannot be ended.
pub fn with_deadline<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (_done, waits) = channel::<()>();
    let what = what.to_owned();
    std::thread::spawn(move || {
        if waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = writeln!(std::io::stderr(), "{what}: it does not end");
            std::process::abort();
        }
    });
    work()
}
