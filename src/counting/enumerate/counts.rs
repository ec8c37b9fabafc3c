//! Numbers of figures, counted and estimated.

use somacat_geometry::figure::Candidate;
use somacat_geometry::symmetry::Class;

/// The number of figures of each exact class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassCounts {
    /// The classes of the question, in order, each with the number of figures of exactly this class.
    pub by_class: Vec<(Class, u64)>,
}

impl ClassCounts {
    /// Returns the number of all figures.
    pub fn total(&self) -> u64 {
        self.by_class.iter().map(|(_, n)| n).sum()
    }

    /// Returns the number of figures of exactly one class.
    ///
    /// It is 0 for a class outside the question.
    pub fn of(&self, class: Class) -> u64 {
        self.by_class.iter().filter(|(c, _)| *c == class).map(|(_, n)| n).sum()
    }
}

/// The expected size and cost of a run, from evenly drawn shards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The number of figures.
    pub figures: f64,
    /// The standard error of that number, or 0 if everything was counted.
    pub error: f64,
}

/// An estimate, with some of the figures it is based on.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The estimate.
    pub estimate: Estimate,
    /// Some figures of the sampled shards, evenly drawn.
    pub figures: Vec<Candidate>,
    /// The number of shards of this part of the enumeration.
    pub shards: u64,
    /// The measures of the sampled shards, in their order.
    ///
    /// The shards are divided into ranges of equal length, one for each measure, and one shard is drawn from each
    /// range. If there are few shards, all are measured.
    pub measures: Vec<ShardMeasure>,
}

/// The size and cost of a shard.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ShardMeasure {
    /// The number of figures, estimated for a very large shard.
    pub figures: f64,
    /// The number of search nodes, the same on every machine.
    pub nodes: f64,
}

impl Estimate {
    /// Extrapolates from some shards to all.
    pub(super) fn extrapolate(sample: &[ShardMeasure], shards: usize) -> Self {
        let n = sample.len().max(1) as f64;
        let mean = sample.iter().map(|s| s.figures).sum::<f64>() / n;
        let squares: f64 = sample.iter().map(|s| (s.figures - mean).powi(2)).sum();
        // Sampling is without replacement: the error is 0 if all shards are in the sample.
        let unseen = 1.0 - n / shards.max(1) as f64;
        let variance = squares / (n - 1.0).max(1.0) / n * unseen.max(0.0);
        Self { figures: mean * shards as f64, error: variance.sqrt() * shards as f64 }
    }
}
