//! The recent rate of a phase, and the time left.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which a rate is measured.
///
/// Figures of one source are similar; those of the next may take a thousand times as long.
const WINDOW: Duration = Duration::from_secs(300);

/// Samples of the steps done in the last minutes.
#[derive(Debug)]
pub struct Rate {
    seen: VecDeque<(Instant, u64)>,
}

impl Rate {
    pub fn new(now: Instant) -> Self {
        Self { seen: VecDeque::from([(now, 0)]) }
    }

    /// Adds a sample: the steps done in all.
    pub fn add(&mut self, now: Instant, done: u64) {
        self.seen.push_back((now, done));
        while self.seen.len() > 2 && now.duration_since(self.seen[1].0) >= WINDOW {
            self.seen.pop_front();
        }
    }

    pub fn per_second(&self) -> f64 {
        match (self.seen.front(), self.seen.back()) {
            (Some((begun, first)), Some((now, last))) => {
                let seconds = now.duration_since(*begun).as_secs_f64().max(0.001);
                last.saturating_sub(*first) as f64 / seconds
            }
            _ => 0.0,
        }
    }

    /// Returns the time for further steps; `None` if nothing moves.
    pub fn left(&self, steps: u64) -> Option<Duration> {
        time_for(steps, self.per_second())
    }
}

/// Returns the time for `steps` at `rate` steps per second. `None` if it is not finite.
pub fn time_for(steps: u64, rate: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(steps as f64 / rate).ok()
}

/// Rounds a duration for people: `4days 3h`, `3h 12m`, `12m`, `45s`.
pub fn rough(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let unit = match seconds {
        0..600 => 1,
        600..172_800 => 60,
        _ => 3600,
    };
    humantime::format_duration(Duration::from_secs(seconds / unit * unit)).to_string()
}
