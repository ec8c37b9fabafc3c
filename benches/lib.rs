//! Shared code of the benchmarks: arguments, criterion's settings, comparisons and memory.
//!
//! `cargo bench -p benches` runs the short form of every benchmark, some minutes in total. A word after `--` selects a
//! long form: `cargo bench -p benches --bench solve -- long`. Each benchmark documents its own.

#[path = "../src/counting/tests/support/bench_sets.rs"]
pub mod bench_sets;
#[path = "../src/counting/tests/support/dancing.rs"]
pub mod dancing;
#[path = "../tests/support/figures.rs"]
#[allow(clippy::unwrap_used, reason = "shared with the tests")]
pub mod figures;
#[path = "../tests/support/random.rs"]
pub mod random;

use criterion::Criterion;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Returns the words after `--`, without the options of cargo and criterion.
pub fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect()
}

/// Returns criterion with settings for benchmarks of some seconds.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .without_plots()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

/// The number of passes of a comparison.
const PASSES: usize = 3;

/// A named method of doing the same work as others.
pub type Contender<'a, T, R> = (&'a str, &'a dyn Fn(&T) -> R);

/// Times several methods for each of `items` and prints a line. Returns their common results.
///
/// The line contains microseconds per item and, in brackets, the speed relative to the first method. Times are the
/// best of interleaved passes, because machines are noisy. The results of all methods must agree for every item.
pub fn compare<T, R: PartialEq + Debug>(
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

/// Returns the peak resident memory since the last call, in KiB. Works only on Linux.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    // Resets the peak, which is otherwise that of the whole process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    peak.trim().trim_end_matches(" kB").parse().ok()
}
