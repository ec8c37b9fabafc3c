//! Estimates of the number of figures, from samples.
//!
//! A sample is a search that skips most alternatives. While the figure is incomplete, every choice is a placement
//! or an orbit next to the figure, and each alternative is taken with the same probability. A figure counts with
//! the inverse of the probability of reaching it, divided by the number of ways in which the search reaches it
//! (`figure_owner.rs`). So the expectation of a sample is the number of figures, and the error is the standard error of
//! the mean.
//!
//! This is Knuth's estimate (Estimating the efficiency of backtrack programs, 1975), but with several paths at a
//! time. These do not all end in a dead branch if most do. Few samples have large weights. So the mean is more
//! often too low than too high, and its standard error tends to be too small. The probability is chosen to give
//! samples about the same number of nodes for every class. If the whole search takes no more nodes, it is the only
//! sample.

use super::Buildable;
use super::search::FigureSearch;
use rayon::prelude::*;
use somacat_geometry::figure::Candidate;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The approximate number of nodes of a sample.
const SAMPLE_NODES: u64 = 20_000;

/// The number of samples made to choose the probability.
const TRIALS: u64 = 8;

/// The probabilities tried: the smallest, and the factor from each to the next.
const MIN_PROBABILITY: f64 = 1e-3;
const PROBABILITY_FACTOR: f64 = 1.2;

/// The result of a number of samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuildableEstimate {
    /// The number of figures.
    pub figures: f64,
    /// The standard error of that number.
    pub error: f64,
    /// The number of nodes of the whole search.
    pub nodes: f64,
    /// The number of samples.
    pub samples: u64,
    /// The number of times that samples reached a figure. Below some hundreds the error itself is uncertain.
    pub hits: u64,
}

/// The result of a sample.
#[derive(Clone, Copy, Default)]
struct SampleResult {
    figures: f64,
    nodes: f64,
    hits: u64,
}

impl Buildable {
    /// Estimates the number of figures from samples, the same on every machine.
    ///
    /// Returns `None` if `stop` is set. Calls `done` after each sample.
    #[must_use]
    pub fn estimate(
        &self,
        samples: u64,
        stop: &AtomicBool,
        done: &(dyn Fn() + Sync),
    ) -> Option<BuildableEstimate> {
        let probability = self.probability(stop);
        // If a sample is the whole search, all samples are equal.
        let samples = if probability < 1.0 { samples } else { 1 };
        self.estimate_with(probability, samples, stop, done)
    }

    /// Returns the largest probability tried that keeps samples small enough.
    fn probability(&self, stop: &AtomicBool) -> f64 {
        let mut probability = MIN_PROBABILITY;
        loop {
            let next = (probability * PROBABILITY_FACTOR).min(1.0);
            let nodes = |number| {
                let mut search = FigureSearch::new(&self.board, &self.placements, stop);
                search.limit(2 * TRIALS * SAMPLE_NODES);
                search.sample(next, number, &self.firsts, &mut |_, _| true);
                search.steps()
            };
            let nodes: u64 = (0..TRIALS).into_par_iter().map(nodes).sum();
            if nodes > TRIALS * SAMPLE_NODES || stop.load(Relaxed) {
                return probability;
            }
            if next >= 1.0 {
                return next;
            }
            probability = next;
        }
    }

    fn estimate_with(
        &self,
        probability: f64,
        samples: u64,
        stop: &AtomicBool,
        done: &(dyn Fn() + Sync),
    ) -> Option<BuildableEstimate> {
        let sample = |number| {
            let sample = (!stop.load(Relaxed)).then(|| self.sample(probability, number, stop));
            done();
            sample
        };
        // The first samples were used to choose the probability.
        let all: Option<Vec<SampleResult>> =
            (TRIALS..TRIALS + samples).into_par_iter().map(sample).collect();
        let all = all.filter(|_| !stop.load(Relaxed))?;
        let number = samples.max(1) as f64;
        let mean =
            |value: &dyn Fn(&SampleResult) -> f64| all.iter().map(value).sum::<f64>() / number;
        let figures = mean(&|sample| sample.figures);
        let variance = mean(&|sample| (sample.figures - figures).powi(2)) / (number - 1.0).max(1.0);
        let (nodes, hits) =
            (mean(&|sample| sample.nodes), all.iter().map(|sample| sample.hits).sum());
        Some(BuildableEstimate { figures, error: variance.sqrt(), nodes, samples, hits })
    }

    fn sample(&self, probability: f64, number: u64, stop: &AtomicBool) -> SampleResult {
        let mut sample = SampleResult::default();
        let mut search = FigureSearch::new(&self.board, &self.placements, stop);
        search.sample(probability, number, &self.firsts, &mut |figure, weight| {
            let candidate = Candidate::new(self.figure(figure), self.identity);
            if self.is_wanted(&candidate) {
                let mut ways: u64 = 0;
                self.for_each_way(&candidate, stop, &mut |_| {
                    ways += 1;
                    ControlFlow::Continue(())
                });
                sample.figures += weight / ways.max(1) as f64;
                sample.hits += 1;
            }
            true
        });
        sample.nodes = search.weighted_steps();
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buildable::SHARDS;
    use somacat_geometry::pieces::parse_set;
    use somacat_geometry::symmetry::Class;
    use std::ops::ControlFlow;

    #[test]
    fn the_mean_of_samples_is_the_number_of_figures() {
        let go_on = AtomicBool::new(false);
        for (class, set) in [
            ("C1", "V L"),
            ("C1", "V A"),
            ("Ci", "V L T"),
            ("C2(edge)", "V A L"),
            ("C2v(edge)", "V L T Z"),
        ] {
            let class = Class::matching(class).unwrap()[0];
            for exact in [false, true] {
                let search = Buildable::new(class, exact, &parse_set(set).unwrap()).unwrap();
                let mut figures = 0;
                let number = |_, figures: Vec<Candidate>| Some(figures.len());
                let _ = search.for_each_shard(0..SHARDS, &go_on, number, &mut |_, number| {
                    figures += number;
                    ControlFlow::Continue(())
                });
                let figures = figures as f64;
                // The whole search: each figure counts once, divided among the ways to reach it.
                let whole = search.estimate_with(1.0, 2, &go_on, &|| ()).unwrap();
                assert!((whole.figures - figures).abs() < 1e-6 && whole.error < 1e-6, "{whole:?}");
                let part = search.estimate_with(0.4, 200, &go_on, &|| ()).unwrap();
                let nodes = part.nodes / whole.nodes;
                assert!((part.figures - figures).abs() < 4.0 * part.error, "{figures}: {part:?}");
                assert!(part.error < 0.6 * figures && (0.6..1.6).contains(&nodes), "{part:?}");
            }
        }
    }
}
