//! How far a run is: a bar on a terminal, else one plain line a minute.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Redraws a second: enough to see it move, little enough for a slow terminal.
const REDRAWS: u8 = 4;

/// Shows progress on standard error.
#[derive(Debug)]
pub struct Progress {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Quiet,
    Bar(Mutex<ProgressBar>),
    Lines { every: Duration, phase: Mutex<Phase>, done: AtomicU64 },
}

#[derive(Debug)]
struct Phase {
    label: String,
    total: Option<u64>,
    begun: Instant,
    next: Instant,
}

impl Progress {
    /// Shows nothing but what is said.
    #[must_use]
    pub const fn quiet() -> Self {
        Self { kind: Kind::Quiet }
    }

    /// A bar that redraws in place.
    #[must_use]
    pub fn bar() -> Self {
        Self { kind: Kind::Bar(Mutex::new(ProgressBar::hidden())) }
    }

    /// A plain line now and then.
    #[must_use]
    pub fn lines(every: Duration) -> Self {
        let now = Instant::now();
        let phase = Phase { label: String::new(), total: None, begun: now, next: now + every };
        Self { kind: Kind::Lines { every, phase: Mutex::new(phase), done: AtomicU64::new(0) } }
    }

    /// A new phase begins, of `total` steps if that is known.
    pub fn begin(&self, label: &str, total: Option<u64>) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => {
                let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
                let fresh = ProgressBar::with_draw_target(total, target);
                let template = if total.is_some() {
                    "{msg} {bar:30} {human_pos}/{human_len}  {rate}  ETA {eta}"
                } else {
                    "{msg} {human_pos}  {rate}"
                };
                if let Ok(style) = ProgressStyle::with_template(template) {
                    fresh.set_style(style.with_key("rate", rate));
                }
                fresh.set_message(label.to_owned());
                if let Ok(mut bar) = bar.lock() {
                    *bar = fresh;
                }
            }
            Kind::Lines { every, phase, done } => {
                done.store(0, Ordering::Relaxed);
                if let Ok(mut phase) = phase.lock() {
                    let now = Instant::now();
                    *phase =
                        Phase { label: label.to_owned(), total, begun: now, next: now + *every };
                }
            }
        }
    }

    /// So many more steps of the phase are done.
    pub fn advance(&self, steps: u64) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => {
                if let Ok(bar) = bar.lock() {
                    bar.inc(steps);
                }
            }
            Kind::Lines { every, phase, done } => {
                let done = done.fetch_add(steps, Ordering::Relaxed) + steps;
                let Ok(mut phase) = phase.try_lock() else { return };
                let now = Instant::now();
                if now >= phase.next {
                    phase.next = now + *every;
                    eprint_line(&line(&phase, done));
                }
            }
        }
    }

    /// The phase is over.
    pub fn end(&self) {
        if let Kind::Bar(bar) = &self.kind
            && let Ok(bar) = bar.lock()
        {
            bar.finish_and_clear();
        }
    }

    /// Writes a line to standard error without tearing the bar.
    pub fn say(&self, text: &str) {
        match &self.kind {
            Kind::Bar(bar) => {
                if let Ok(bar) = bar.lock() {
                    bar.suspend(|| eprint_line(text));
                }
            }
            _ => eprint_line(text),
        }
    }
}

/// A line on standard error. A closed standard error is no reason to stop a night's work.
fn eprint_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Steps a second, without the decimals nobody reads.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // Writing to the bar's buffer cannot fail.
    let _ = write!(out, "{:.0}/s", state.per_sec());
}

fn line(phase: &Phase, done: u64) -> String {
    let seconds = phase.begun.elapsed().as_secs_f64().max(0.001);
    let rate = done as f64 / seconds;
    let mut text = format!("{}: {done}", phase.label);
    if let Some(total) = phase.total {
        let percent = 100.0 * done as f64 / total.max(1) as f64;
        let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
        // Writing to a string cannot fail.
        let _ = write!(text, " of {total} ({percent:.1} %), {rate:.0}/s, ETA {left:.0} s");
    } else {
        let _ = write!(text, ", {rate:.0}/s");
    }
    text
}
