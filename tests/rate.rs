//! The time left, from the rate of the last minutes.

use somacat_run::{Rate, rough};
use std::time::{Duration, Instant};

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
    // Old samples are forgotten.
    assert!((2..40).contains(&format!("{rate:?}").matches("Instant").count()));
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
