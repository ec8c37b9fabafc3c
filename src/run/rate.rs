//! The recent rate of a phase, and the time left.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which a rate is measured.
///
/// Figures of one source are similar; those of the next may take a thousand times as long.
const WINDOW: Duration = Duration::from_secs(300);

/// Samples of the steps done in the last minutes.
#[derive(Debug)]
pub(super) struct Rate {
    seen: VecDeque<(Instant, u64)>,
}

impl Rate {
    pub(super) fn new(now: Instant) -> Self {
        Self { seen: VecDeque::from([(now, 0)]) }
    }

    /// Adds a sample: the steps done in all.
    pub(super) fn add(&mut self, now: Instant, done: u64) {
        self.seen.push_back((now, done));
        while self.seen.len() > 2 && now.duration_since(self.seen[1].0) >= WINDOW {
            self.seen.pop_front();
        }
    }

    pub(super) fn per_second(&self) -> f64 {
        match (self.seen.front(), self.seen.back()) {
            (Some((begun, first)), Some((now, last))) => {
                let seconds = now.duration_since(*begun).as_secs_f64().max(0.001);
                last.saturating_sub(*first) as f64 / seconds
            }
            _ => 0.0,
        }
    }

    /// Returns the time for further steps; `None` if nothing moves.
    pub(super) fn left(&self, steps: u64) -> Option<Duration> {
        time_for(steps, self.per_second())
    }
}

/// Returns the time for `steps` at `rate` steps per second; `None` if it is not finite.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_minutes() {
        let begun = Instant::now();
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        let mut rate = Rate::new(begun);
        // An hour at 1000 a second, then an hour at one a second.
        for second in (10..=3600).step_by(10) {
            rate.add(at(second), second * 1000);
        }
        assert_eq!(rate.per_second().round(), 1000.0);
        for second in (3610..=7200).step_by(10) {
            rate.add(at(second), 3_600_000 + second - 3600);
        }
        assert_eq!(rate.per_second().round(), 1.0);
        assert_eq!(rate.left(3600).map(rough).as_deref(), Some("1h"));
        assert!(rate.seen.len() < 40);
        // A very long search has no estimate.
        for second in (7210..=7800).step_by(10) {
            rate.add(at(second), 3_603_600);
        }
        assert_eq!(rate.left(3600), None);
    }

    #[test]
    fn durations_are_short() {
        let shown = |seconds| rough(Duration::from_secs(seconds));
        assert_eq!(
            [0, 45, 599, 725, 11_545, 356_405].map(shown),
            ["0s", "45s", "9m 59s", "12m", "3h 12m", "4days 3h"]
        );
    }
}
