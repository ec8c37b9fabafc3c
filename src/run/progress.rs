//! Progress: a bar on a terminal, else a plain line a minute, and lines of the log.

use super::log::{Event, RunLog, seconds, stamp};
use super::rate::{Rate, rough};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use somacat_counting::question::Size;
use somacat_counting::solve::LongSearches;
use somacat_output::export::visible;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// Redraws per second: few enough for a slow terminal.
const REDRAWS: u8 = 4;

const LINE_EVERY: Duration = Duration::from_secs(60);

/// The time between two looks at long searches.
const SEARCHES_EVERY: Duration = Duration::from_millis(500);

const SAMPLE_EVERY: Duration = Duration::from_secs(10);

/// The progress that standard error shows besides messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressMode {
    Nothing,
    Bar,
    /// A plain line a minute.
    Lines,
    /// These lines in a file, to which each run appends: lines have dates, and a heading separates runs.
    DatedLines,
}

impl ProgressMode {
    fn has_lines(self) -> bool {
        matches!(self, Self::Lines | Self::DatedLines)
    }
}

/// Shows progress on standard error and writes the log.
#[derive(Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    /// Ends the thread that writes lines when dropped.
    _clock: Option<Sender<()>>,
}

#[derive(Debug)]
struct Shared {
    shown: ProgressMode,
    bar: Option<Mutex<ProgressBar>>,
    log: Mutex<Option<RunLog>>,
    phase: Mutex<Option<Phase>>,
    done: AtomicU64,
    searches: Arc<LongSearches>,
}

#[derive(Debug)]
struct Phase {
    label: String,
    size: Size,
    begun: Instant,
    next_line: Instant,
    rate: Rate,
}

impl Progress {
    pub fn quiet() -> Self {
        Self::new(ProgressMode::Nothing, None)
    }

    pub fn new(shown: ProgressMode, log: Option<RunLog>) -> Self {
        let needs_clock = shown.has_lines() || log.is_some();
        let shared = Arc::new(Shared {
            shown,
            bar: (shown == ProgressMode::Bar).then(|| Mutex::new(ProgressBar::hidden())),
            log: Mutex::new(log),
            phase: Mutex::new(None),
            done: AtomicU64::new(0),
            searches: Arc::default(),
        });
        // A thread of its own writes a line a minute even while a single figure takes hours.
        let clock = needs_clock.then(|| {
            let (end, ended) = channel();
            let shared = Arc::clone(&shared);
            let sample = move || {
                while ended.recv_timeout(SAMPLE_EVERY) == Err(RecvTimeoutError::Timeout) {
                    shared.sample(Instant::now());
                }
            };
            // If no thread starts, no lines are written.
            let _ = std::thread::Builder::new().spawn(sample);
            end
        });
        Self { shared, _clock: clock }
    }

    pub fn begin(&self, label: &str, size: Size) {
        let shared = &self.shared;
        shared.done.store(0, Ordering::Relaxed);
        if let Some(bar) = &shared.bar {
            let fresh = fresh_bar(size, &shared.searches);
            fresh.set_message(visible(label).into_owned());
            *locked(bar) = fresh;
        }
        let now = Instant::now();
        let label = label.to_owned();
        self.log(&Event::Begin { what: &label, total: size.steps() });
        let (rate, next_line) = (Rate::new(now), now + LINE_EVERY);
        *locked(&shared.phase) = Some(Phase { label, size, begun: now, next_line, rate });
    }

    /// Returns the record of long searches, which the display includes.
    pub fn searches(&self) -> &LongSearches {
        &self.shared.searches
    }

    pub fn advance(&self, steps: u64) {
        self.shared.done.fetch_add(steps, Ordering::Relaxed);
        if let Some(bar) = &self.shared.bar {
            locked(bar).inc(steps);
        }
    }

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

    /// Writes a message to standard error and to the log. On standard error it is above the bar.
    pub fn say(&self, text: &str) {
        self.log(&Event::Fault { text });
        self.shared.say(text);
    }

    pub fn log(&self, event: &Event<'_>) {
        self.shared.log(event);
    }
}

impl Shared {
    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => locked(bar).suspend(|| eprint_line(text)),
            None => self.print(text),
        }
    }

    fn print(&self, text: &str) {
        if self.shown == ProgressMode::DatedLines {
            eprint_line(&format!("{} {text}", stamp(SystemTime::now())));
        } else {
            eprint_line(text);
        }
    }

    /// Writes the lines that separate the runs in a file.
    fn separate_runs(&self, event: &Event<'_>) {
        match event {
            Event::Start { command, version, process, .. } => eprint_line(&format!(
                "──── {} {command}, somacat {version}, process {process}",
                stamp(SystemTime::now())
            )),
            Event::End { status, .. } => self.print(status),
            _ => {}
        }
    }

    /// Closes a log that fails and reports it; the run continues.
    fn log(&self, event: &Event<'_>) {
        if self.shown == ProgressMode::DatedLines {
            self.separate_runs(event);
        }
        let mut log = locked(&self.log);
        let failed = log.as_mut().and_then(|log| log.write(event).err());
        if let Some(error) = failed {
            *log = None;
            drop(log);
            self.say(&format!("the log can no longer be written: {error}; the run continues"));
        }
    }

    /// Samples the rate, and writes a line if one is due.
    fn sample(&self, now: Instant) {
        let mut phase = locked(&self.phase);
        let Some(phase) = phase.as_mut() else { return };
        let done = self.done.load(Ordering::Relaxed);
        phase.rate.add(now, done);
        if now < phase.next_line {
            return;
        }
        phase.next_line = now + LINE_EVERY;
        if self.shown.has_lines() {
            let searches = searched(&self.searches).map(|text| format!("; long figures: {text}"));
            self.print(&(line(phase, done) + &searches.unwrap_or_default()));
        }
        self.log(&Event::Progress {
            what: &phase.label,
            done,
            total: phase.size.steps(),
            rate: (phase.rate.per_second() * 1000.0).round() / 1000.0,
            left_seconds: left(phase, done).map(|left| left.as_secs()),
        });
    }
}

/// Ignores poison: the value is good enough to show.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a line to standard error. A closed standard error does not stop the run.
fn eprint_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}

/// Describes the searches that have run for a second: `34 % searched, about 2m 5s left`.
fn searched(searches: &LongSearches) -> Option<String> {
    let (share, time) = searches.progress().filter(|(_, time)| time.as_secs() > 0)?;
    let left = time.as_secs_f64() * (1.0 - share) / share;
    let left = Duration::try_from_secs_f64(left).map_or_else(|_| "unknown".to_owned(), rough);
    Some(format!("{:.0} % searched, about {left} left", 100.0 * share))
}

/// Shows the progress of long searches on a terminal, until dropped.
pub struct SearchDisplay {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SearchDisplay {
    pub fn begin(searches: Arc<LongSearches>) -> Self {
        let (end, ended) = channel();
        let show = move || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            while ended.recv_timeout(SEARCHES_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Some(text) = searched(&searches) {
                    bar.set_message(text);
                }
            }
            bar.finish_and_clear();
        };
        // If no thread starts, nothing is shown.
        let thread = std::thread::Builder::new().spawn(show).ok();
        Self { end: Some(end), thread }
    }
}

impl Drop for SearchDisplay {
    fn drop(&mut self) {
        self.end = None;
        // The line is cleared before rows are written.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn fresh_bar(size: Size, searches: &Arc<LongSearches>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
    let bar = ProgressBar::with_draw_target(size.steps(), target);
    let template = match size {
        Size::Exact(_) => "{msg} {bar:30} {human_pos}/{human_len}  {rate}  ETA {left}{searched}",
        Size::About(_) => "{msg} {bar:30} {human_pos}/~{human_len}  {rate}  ETA {left}{searched}",
        Size::Unknown => "{msg} {human_pos}  {rate}{searched}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        let searches = Arc::clone(searches);
        let shown = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            if let Some(text) = searched(&searches) {
                let _ = write!(out, "  long figure {text}");
            }
        };
        let style = style.with_key("rate", rate).with_key("left", time_left);
        bar.set_style(style.with_key("searched", shown));
    }
    bar.enable_steady_tick(SEARCHES_EVERY);
    bar
}

/// Formats steps per second for the bar.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // Writing to the bar's buffer cannot fail.
    let _ = out.write_str(&per_second(state.per_sec()));
}

/// Formats the time left for the bar. Before the first step it is unknown.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let known = (state.pos() > 0).then(|| rough(state.eta()));
    let _ = out.write_str(known.as_deref().unwrap_or("unknown"));
}

/// Formats a rate: `1234/s`, `1.5/s`.
fn per_second(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") }
}

fn left(phase: &Phase, done: u64) -> Option<Duration> {
    phase.rate.left(phase.size.steps()?.saturating_sub(done))
}

fn line(phase: &Phase, done: u64) -> String {
    let rate = per_second(phase.rate.per_second());
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
