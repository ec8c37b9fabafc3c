//! How far a run is: a bar on a terminal, else one plain line a minute; and a line of the log.

use super::log::{Event, RunLog, seconds};
use super::pace::{Pace, rough};
use crate::export::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Redraws a second: enough to see it move, little enough for a slow terminal.
const REDRAWS: u8 = 4;

/// Lines are this far apart.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// How often is looked how much is done, to know the rate.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// What standard error shows besides messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressMode {
    /// Nothing.
    Nothing,
    /// A bar that redraws in place.
    Bar,
    /// A plain line a minute.
    Lines,
}

/// How many steps a phase has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Nobody knows.
    Unknown,
    /// So many.
    Exact(u64),
    /// About so many, by an estimate.
    About(u64),
}

impl Size {
    const fn steps(self) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::Exact(steps) | Self::About(steps) => Some(steps),
        }
    }
}

/// Shows progress on standard error, and keeps the log.
#[derive(Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    /// Ends the thread that writes lines when it is dropped.
    _clock: Option<Sender<()>>,
}

#[derive(Debug)]
struct Shared {
    lines: bool,
    bar: Option<Mutex<ProgressBar>>,
    log: Mutex<Option<RunLog>>,
    phase: Mutex<Option<Phase>>,
    done: AtomicU64,
}

#[derive(Debug)]
struct Phase {
    label: String,
    size: Size,
    begun: Instant,
    next_line: Instant,
    pace: Pace,
}

impl Progress {
    /// Shows nothing but what is said.
    #[must_use]
    pub fn quiet() -> Self {
        Self::new(ProgressMode::Nothing, None)
    }

    /// Shows progress, and writes it to a log if there is one.
    #[must_use]
    pub fn new(shown: ProgressMode, log: Option<RunLog>) -> Self {
        let needs_clock = shown == ProgressMode::Lines || log.is_some();
        let shared = Arc::new(Shared {
            lines: shown == ProgressMode::Lines,
            bar: (shown == ProgressMode::Bar).then(|| Mutex::new(ProgressBar::hidden())),
            log: Mutex::new(log),
            phase: Mutex::new(None),
            done: AtomicU64::new(0),
        });
        // Lines come from a thread of their own: one a minute also while a single figure takes hours.
        let clock = needs_clock.then(|| {
            let (end, ended) = channel();
            let shared = Arc::clone(&shared);
            let look = move || {
                while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                    shared.look(Instant::now());
                }
            };
            // Where the system gives no thread there are no lines.
            let _ = std::thread::Builder::new().spawn(look);
            end
        });
        Self { shared, _clock: clock }
    }

    /// A new phase begins, of so many steps.
    pub fn begin(&self, label: &str, size: Size) {
        let shared = &self.shared;
        shared.done.store(0, Ordering::Relaxed);
        if let Some(bar) = &shared.bar {
            let fresh = fresh_bar(size);
            fresh.set_message(visible(label).into_owned());
            *locked(bar) = fresh;
        }
        let now = Instant::now();
        let label = label.to_owned();
        self.log(&Event::Begin { what: &label, total: size.steps() });
        let (pace, next_line) = (Pace::new(now), now + LINE_EVERY);
        *locked(&shared.phase) = Some(Phase { label, size, begun: now, next_line, pace });
    }

    /// So many more steps of the phase are done.
    pub fn advance(&self, steps: u64) {
        self.shared.done.fetch_add(steps, Ordering::Relaxed);
        if let Some(bar) = &self.shared.bar {
            locked(bar).inc(steps);
        }
    }

    /// The phase is over.
    pub fn end(&self) {
        if let Some(bar) = &self.shared.bar {
            locked(bar).finish_and_clear();
        }
        if let Some(phase) = locked(&self.shared.phase).take() {
            let done = self.shared.done.load(Ordering::Relaxed);
            let seconds = seconds(phase.begun.elapsed());
            self.log(&Event::Done { what: &phase.label, done, seconds });
        }
    }

    /// Writes a line to standard error without tearing the bar, and to the log.
    pub fn say(&self, text: &str) {
        self.log(&Event::Fault { text });
        self.shared.say(text);
    }

    /// Writes to the log, if there is one.
    pub fn log(&self, event: &Event<'_>) {
        self.shared.log(event);
    }
}

impl Shared {
    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => locked(bar).suspend(|| eprint_line(text)),
            None => eprint_line(text),
        }
    }

    /// A log that fails is given up, and that is said; the run goes on.
    fn log(&self, event: &Event<'_>) {
        let mut log = locked(&self.log);
        let failed = log.as_mut().and_then(|log| log.write(event).err());
        if let Some(error) = failed {
            *log = None;
            drop(log);
            self.say(&format!("the log cannot be written any more: {error}; the run goes on"));
        }
    }

    /// Looks how far it is, and tells if it is time.
    fn look(&self, now: Instant) {
        let mut phase = locked(&self.phase);
        let Some(phase) = phase.as_mut() else { return };
        let done = self.done.load(Ordering::Relaxed);
        phase.pace.look(now, done);
        if now < phase.next_line {
            return;
        }
        phase.next_line = now + LINE_EVERY;
        if self.lines {
            eprint_line(&line(phase, done));
        }
        self.log(&Event::Progress {
            what: &phase.label,
            done,
            total: phase.size.steps(),
            rate: (phase.pace.rate() * 1000.0).round() / 1000.0,
            left_seconds: left(phase, done).map(|left| left.as_secs()),
        });
    }
}

/// What a panic elsewhere left is still good enough to be shown.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line on standard error. A closed standard error is no reason to stop a night's work.
fn eprint_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}

fn fresh_bar(size: Size) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
    let bar = ProgressBar::with_draw_target(size.steps(), target);
    let template = match size {
        Size::Exact(_) => "{msg} {bar:30} {human_pos}/{human_len}  {rate}  ETA {eta}",
        Size::About(_) => "{msg} {bar:30} {human_pos}/~{human_len}  {rate}  ETA {eta}",
        Size::Unknown => "{msg} {human_pos}  {rate}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

/// Steps a second, without the decimals nobody reads.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // Writing to the bar's buffer cannot fail.
    let _ = out.write_str(&per_second(state.per_sec()));
}

/// `1234/s`, `1.5/s`.
fn per_second(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") }
}

/// How long the phase has to go.
fn left(phase: &Phase, done: u64) -> Option<Duration> {
    phase.pace.left(phase.size.steps()?.saturating_sub(done))
}

fn line(phase: &Phase, done: u64) -> String {
    let rate = per_second(phase.pace.rate());
    let mut text = format!("{}: {done}", phase.label);
    if let Some(total) = phase.size.steps() {
        let about = if matches!(phase.size, Size::About(_)) { "~" } else { "" };
        let percent = 100.0 * done as f64 / total.max(1) as f64;
        let left = left(phase, done).map_or_else(|| "unknown".to_owned(), rough);
        // Writing to a string cannot fail.
        let _ = write!(text, " of {about}{total} ({percent:.1} %), {rate}, ETA {left}");
    } else {
        let _ = write!(text, ", {rate}");
    }
    text
}
