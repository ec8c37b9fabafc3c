//! SIGHUP, which a closed terminal sends, and which a program started by `nohup` must ignore.

#[cfg(unix)]
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// Ignores SIGHUP from now on. Returns the handler before, if there was one.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the standard library cannot ask how a signal is handled")]
fn replace_by_ignoring() -> Option<SigHandler> {
    let action = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { sigaction(Signal::SIGHUP, &action) }.ok().map(|before| before.handler())
}

/// Returns true unless the program was started with SIGHUP ignored. Until a handler is set, it is ignored in any case.
#[cfg(unix)]
pub(super) fn is_heard() -> bool {
    !matches!(replace_by_ignoring(), Some(SigHandler::SigIgn))
}

/// Ignores SIGHUP again, after a handler was set for all signals.
#[cfg(unix)]
pub(super) fn ignore() {
    replace_by_ignoring();
}

#[cfg(not(unix))]
pub(super) const fn is_heard() -> bool {
    true
}

#[cfg(not(unix))]
pub(super) const fn ignore() {}
