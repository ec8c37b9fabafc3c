//! Numbers of figures, counted and estimated.

use somacat_geometry::figure::Candidate;
use somacat_geometry::symmetry::Class;

/// Numbers of figures by exact class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassCounts {
    /// The classes that were asked for, in order, and how many figures have just that class.
    pub by_class: Vec<(Class, u64)>,
}

impl ClassCounts {
    /// All figures together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_class.iter().map(|(_, n)| n).sum()
    }

    /// The figures of exactly one class; 0 for a class that was not asked for.
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
    /// Nodes of the search; a thread walks some ten million a second.
    pub steps: f64,
    /// Seconds of one thread, on this machine, to find the figures.
    pub seconds: f64,
}

/// An estimate, with some of the figures it rests on.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The estimate.
    pub estimate: Estimate,
    /// A few figures of each shard that was looked at.
    pub figures: Vec<Candidate>,
    /// The shards of this part of the enumeration.
    pub shards: u64,
    /// What was found in the shards that were looked at, in their order: of as many stretches of equal length as there
    /// are measures, one shard each; of all shards, if they are few.
    pub measures: Vec<ShardMeasure>,
}

/// What was found in a shard.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ShardMeasure {
    /// Its figures; of a very large shard an estimate.
    pub figures: f64,
    /// Nodes of the search, the same on every machine.
    pub nodes: f64,
    /// Seconds of one thread, on this machine.
    pub seconds: f64,
}

impl Estimate {
    /// Extrapolates from some shards to all.
    pub(super) fn extrapolate(sample: &[ShardMeasure], shards: usize) -> Self {
        let n = sample.len().max(1) as f64;
        let factor = shards as f64 / n;
        let mean = sample.iter().map(|s| s.figures).sum::<f64>() / n;
        let squares: f64 = sample.iter().map(|s| (s.figures - mean).powi(2)).sum();
        // Sampling without replacement: no error is left when all shards are in the sample.
        let unseen = 1.0 - n / shards.max(1) as f64;
        let variance = squares / (n - 1.0).max(1.0) / n * unseen.max(0.0);
        Self {
            figures: mean * shards as f64,
            error: variance.sqrt() * shards as f64,
            steps: sample.iter().map(|s| s.nodes).sum::<f64>() * factor,
            seconds: sample.iter().map(|s| s.seconds).sum::<f64>() * factor,
        }
    }
}
