//! What the benches share: arguments, criterion's settings, comparisons and memory.
//!
//! `cargo bench` runs every bench in its short form, minutes in all. A word after `--` names a long form:
//! `cargo bench --bench solve -- long`. Each bench says which it has.

#![allow(dead_code, reason = "not every bench uses everything")]

use criterion::Criterion;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// The words after `--`, without cargo's and criterion's options.
pub(crate) fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect()
}

/// Criterion with settings for benches of some seconds.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .without_plots()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

/// Passes of a comparison.
const PASSES: usize = 3;

/// A way to do the same work as others, with a name.
pub(crate) type Contender<'a, T, R> = (&'a str, &'a dyn Fn(&T) -> R);

/// Times several ways to do the same work for each of `items` and prints a line: microseconds for an item, and in
/// brackets how many times faster each way is than the first, the yardstick. Times are the best of interleaved
/// passes, because machines are noisy. The results of all ways must agree, item by item; returns them.
pub(crate) fn compare<T, R: PartialEq + Debug>(
    name: &str,
    items: &[T],
    contenders: &[Contender<'_, T, R>],
) -> Vec<R> {
    let mut best = vec![Duration::MAX; contenders.len()];
    let mut first: Option<Vec<R>> = None;
    for _ in 0..PASSES {
        for ((label, work), best) in contenders.iter().zip(&mut best) {
            let begun = Instant::now();
            let results: Vec<R> = items.iter().map(work).collect();
            *best = begun.elapsed().min(*best);
            match &first {
                None => first = Some(results),
                Some(first) => assert!(results == *first, "{name}: {label} disagrees"),
            }
        }
    }
    print!("{name:16} {:5} items", items.len());
    for ((label, _), time) in contenders.iter().zip(&best) {
        let micros = time.as_secs_f64() * 1e6 / items.len() as f64;
        print!("  {label} {micros:.1} ({:.3}x)", best[0].as_secs_f64() / time.as_secs_f64());
    }
    println!();
    first.expect("there are contenders")
}

/// The peak resident memory in KiB since the last call (Linux; elsewhere unknown).
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    // Without this the peak is that of the whole process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    peak.trim().trim_end_matches(" kB").parse().ok()
}
