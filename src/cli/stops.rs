//! Requests to stop: signals, and work that one of them leaves behind.

use super::exit::Exit;
use super::failure::{Failure, Result};
use super::hangup;
use super::message::eprintln;
use somacat_formats::STOP_CHECK_TIME;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Becomes true at the first Ctrl-C or SIGTERM.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// True if the command ends at once when it is stopped: [`super::ends_at_once`].
pub(super) static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);

static FIRST_SIGNAL: OnceLock<Instant> = OnceLock::new();

/// The time within which a second signal is a duplicate: `timeout` signals the program and its group.
const SIGNAL_ECHO: Duration = Duration::from_millis(200);

/// The stack of a thread that does a command's work: as large as that of the main thread.
const STACK_BYTES: usize = 8 << 20;

/// Makes writing beyond the `ulimit -f` limit fail like a full disk.
///
/// By default the system ends the program without a message.
pub(super) fn handle_file_size_signal() {
    #[cfg(unix)]
    {
        let heard = std::sync::Arc::new(AtomicBool::new(false));
        // An error here is ignored: the program then ends without a message, as by default.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, heard);
    }
}

/// Makes the first Ctrl-C or SIGTERM request a stop. The second ends the program.
///
/// SIGHUP is heard too, unless `nohup` or another parent let the program begin with that signal ignored.
///
/// Returns what becomes true at the first for this command: [`stop_flag`].
pub(super) fn stop_on_signals() -> Result<&'static AtomicBool> {
    static HANDLED: AtomicBool = AtomicBool::new(false);
    if HANDLED.swap(true, Ordering::Relaxed) {
        return Ok(stop_flag());
    }
    let hears_hangup = hangup::is_heard();
    let listening = ctrlc::set_handler(|| {
        if FIRST_SIGNAL.set(Instant::now()).is_ok() {
            STOP.store(true, Ordering::SeqCst);
            // In its own thread: writing to standard error may block on a full pipe, and the second signal must still
            // work. If no thread can be started, there is no message.
            let _ = std::thread::Builder::new().spawn(|| {
                eprintln("stopping; press Ctrl-C again to quit immediately");
            });
        } else if FIRST_SIGNAL.get().is_none_or(|first| first.elapsed() > SIGNAL_ECHO) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .map_err(|error| Failure::failed(format!("cannot listen for Ctrl-C: {error}")));
    if !hears_hangup {
        hangup::ignore();
    }
    listening.map(|()| stop_flag())
}

/// Reports that a command was stopped before it had a result.
pub(super) fn stopped_early() -> Exit {
    eprintln("stopped early; the same command starts again");
    Exit::Stopped
}

/// Returns what becomes true when a command should stop by itself.
///
/// For a command that ends at once it stays false. Such a command is left behind by a stop, and must not look: it
/// would take a search or a file that was cut short for a complete one, and end with success.
pub(super) fn stop_flag() -> &'static AtomicBool {
    static NEVER: AtomicBool = AtomicBool::new(false);
    if ENDS_AT_ONCE.load(Ordering::Relaxed) { &NEVER } else { &STOP }
}

/// Returns true if a command should stop by itself.
pub(super) fn is_stopped() -> bool {
    stop_flag().load(Ordering::Relaxed)
}

/// Returns true if a stop was requested at least this long ago.
pub(super) fn stopped_for(time: Duration) -> bool {
    FIRST_SIGNAL.get().is_some_and(|first| first.elapsed() >= time)
}

/// Opens or reads a file. Returns `None` after a request to stop while a pipe has no program at its other end.
pub(super) fn unless_stopped<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let waits = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if waits { until_stopped(is_stopped, work) } else { Ok(Some(work())) }
}

/// Does work that only a stop of the program can interrupt. Returns `None` once `stop` returns true.
///
/// The thread that does the work then ends with the program. If the system refuses a thread, the work is done here, and
/// a stop takes effect after it.
pub(super) fn until_stopped<T: Send + 'static>(
    stop: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let (sender, receiver) = sync_channel(1);
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let work = Arc::new(Mutex::new(Some(work)));
    let shared = Arc::clone(&work);
    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = builder.spawn(move || take(&shared).map(|work| sender.send(work()).is_ok()));
    let Ok(thread) = spawned else { return Ok(take(&work).map(|work| work())) };
    loop {
        match receiver.recv_timeout(STOP_CHECK_TIME) {
            Ok(done) => return Ok(Some(done)),
            Err(RecvTimeoutError::Timeout) if stop() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    match thread.join() {
        Err(panic) => std::panic::resume_unwind(panic),
        Ok(_) => Ok(None),
    }
}
