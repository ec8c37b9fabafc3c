//! Shards of a search: worked in parallel, handed on in order.
//!
//! A search is cut into shards that depend on the question alone. Figures are handed on shard by
//! shard, in the order of the search within each, so they come in the same order whatever the
//! number of threads. At any time a few shards per thread are held, and nothing else.

use crate::figure::Figure;
use crate::symmetry::{Class, Group};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A figure that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The figure, as it lay when it was found.
    pub figure: Figure,
    /// Its symmetry group, all of it, as it lies.
    pub group: Group,
}

/// A place in an enumeration: so many figures of a shard, and all shards before it. An enumeration
/// that is given such a place goes on after it, without searching the shards before it again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Number of the shard, from 0.
    pub shard: u64,
    /// Figures of it that were handed on.
    pub figures: u64,
}

/// Numbers of figures by exact class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The classes that were looked at, in order, and how many figures have just that class.
    pub by_class: Vec<(Class, u64)>,
}

impl Tally {
    /// All figures together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_class.iter().map(|(_, n)| n).sum()
    }

    /// The figures of exactly one class; 0 for a class that was not looked at.
    #[must_use]
    pub fn of(&self, class: Class) -> u64 {
        self.by_class.iter().filter(|(c, _)| *c == class).map(|(_, n)| n).sum()
    }
}

/// What a run is expected to give, from shards drawn evenly.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The number of figures.
    pub figures: f64,
    /// The standard error of that number; 0 if everything was counted.
    pub error: f64,
    /// Steps of the search; a thread takes some ten million a second.
    pub steps: f64,
    /// Seconds of one thread, on this machine, to find the figures.
    pub seconds: f64,
}

/// An estimate, with some of the figures it rests on.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// The estimate.
    pub estimate: Estimate,
    /// A few figures of each shard that was looked at.
    pub figures: Vec<Found>,
}

impl Sampled {
    /// Keeps the n-th figure of a shard, for n = 1, 8, 64, …: those found one after the other are
    /// much alike.
    pub(super) fn keep(figures: &mut Vec<Found>, n: u64, found: Option<Found>) {
        if n.is_power_of_two() && n.trailing_zeros().is_multiple_of(3) {
            figures.extend(found);
        }
    }
}

impl Estimate {
    /// The sum of estimates made independently.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            figures: self.figures + other.figures,
            error: self.error.hypot(other.error),
            steps: self.steps + other.steps,
            seconds: self.seconds + other.seconds,
        }
    }

    /// Extrapolates from (figures, steps, seconds) of sampled shards to all `shards`.
    pub(super) fn extrapolate(samples: &[(u64, u64, f64)], shards: usize) -> Self {
        let n = samples.len().max(1) as f64;
        let factor = shards as f64 / n;
        let mean = samples.iter().map(|s| s.0 as f64).sum::<f64>() / n;
        let squares: f64 = samples.iter().map(|s| (s.0 as f64 - mean).powi(2)).sum();
        // Sampling without replacement: no error is left when all shards are in the sample.
        let unseen = 1.0 - n / shards.max(1) as f64;
        let variance = squares / (n - 1.0).max(1.0) / n * unseen.max(0.0);
        Self {
            figures: mean * shards as f64,
            error: variance.sqrt() * shards as f64,
            steps: samples.iter().map(|s| s.1 as f64).sum::<f64>() * factor,
            seconds: samples.iter().map(|s| s.2).sum::<f64>() * factor,
        }
    }
}

/// Works on shards in parallel and hands on what they give, in their order.
///
/// `shards` are those from number `first` on; what lies before `from` is passed over. `state` makes
/// what a thread works with; `work` sends the results of a shard to its last argument, unless `stop`
/// is set; `emit` gets them one by one on the calling thread, each with the place after it.
pub(super) fn in_order<S, W, T: Send>(
    (first, shards): (u64, &[S]),
    from: Place,
    stop: &AtomicBool,
    state: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &S, &mut Vec<T>) + Sync,
    emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
) -> ControlFlow<()>
where
    S: Sync,
    W: Send,
{
    let batch = 8 * rayon::current_num_threads().max(1);
    let skipped = from.shard.saturating_sub(first).min(shards.len() as u64);
    let mut shard = first + skipped;
    for some in shards[skipped as usize..].chunks(batch) {
        let results: Vec<Vec<T>> = some
            .par_iter()
            .with_max_len(1)
            .map_init(&state, |worker, shard| {
                let mut found = Vec::new();
                if !stop.load(Ordering::Relaxed) {
                    work(worker, shard, &mut found);
                }
                found
            })
            .collect();
        for found in results {
            let known = if shard == from.shard { from.figures } else { 0 };
            for (figures, item) in (1..).zip(found) {
                if stop.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                if figures > known {
                    emit(Place { shard, figures }, item)?;
                }
            }
            shard += 1;
        }
        if stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(())
}

/// Sums what shards count; nothing if it was stopped before the end.
pub(super) fn summed<S: Sync, W: Send>(
    shards: &[S],
    stop: &AtomicBool,
    state: impl Fn() -> W + Sync + Send,
    count: impl Fn(&mut W, &S) -> u64 + Sync + Send,
) -> Option<u64> {
    let count = |worker: &mut W, shard: &S| {
        if stop.load(Ordering::Relaxed) { 0 } else { count(worker, shard) }
    };
    let sum = shards.par_iter().with_max_len(8).map_init(state, count).sum();
    (!stop.load(Ordering::Relaxed)).then_some(sum)
}

/// Up to `most` of the shards, evenly drawn: one at a pseudo-random place of each stretch.
pub(super) fn sample<S>(shards: &[S], most: usize) -> Vec<&S> {
    if shards.len() <= most {
        return shards.iter().collect();
    }
    let mut random = 20_261_121_u64;
    (0..most)
        .map(|i| {
            let (from, to) = (i * shards.len() / most, (i + 1) * shards.len() / most);
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            &shards[from + (random >> 33) as usize % (to - from)]
        })
        .collect()
}
