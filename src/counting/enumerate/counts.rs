//! Numbers of figures, counted and estimated.

use somacat_geometry::figure::Candidate;
use somacat_geometry::symmetry::Class;
use std::ops::Range;

/// The number of figures of each exact class.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration};
/// use somacat_geometry::symmetry::Class;
/// use std::sync::atomic::AtomicBool;
///
/// let counts = Enumeration::in_box(BoxSpec::new([2, 2, 2], 4))?.count(&AtomicBool::new(false));
/// let counts = counts.expect("no stop");
/// let td = Class::matching("Td").unwrap()[0];
/// // Of six figures, one is the four black cells.
/// assert_eq!((counts.total(), counts.of(td)), (6, 1));
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassCounts {
    /// The question's classes, in order, each with its number of figures.
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

/// The number of figures that a search is expected to list, extrapolated from evenly drawn shards.
///
/// See [`Sample`] for an example.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The number of figures.
    pub figures: f64,
    /// The standard error of that number, or 0 if everything was counted.
    pub error: f64,
}

/// An estimate of a search, with the measures on which it is based.
///
/// ```
/// use somacat_counting::enumerate::{Enumeration, Sample, ShardGroup, SymmetricSpec};
/// use somacat_geometry::symmetry::Class;
/// use std::sync::atomic::AtomicBool;
///
/// // The class C4 has several settings: its axis leads through the centers of cells, or between them.
/// let class = Class::matching("C4").unwrap()[0];
/// let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, 12))?;
/// let samples = figures.estimate(&AtomicBool::new(false));
/// assert_eq!(samples.len(), 2);
/// assert!(samples.iter().all(|sample| sample.estimate.error == 0.0), "all are counted");
/// // The groups distribute the figures among the shards, in proportion to the weights.
/// for Sample { estimate, weights, groups } in samples {
///     let weight = |group: &ShardGroup| weights[group.shards.clone()].iter().sum::<f64>();
///     let figures: f64 = groups.iter().map(|group| weight(group) * group.each.figures).sum();
///     assert!((figures - estimate.figures).abs() < 1e-6);
/// }
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The estimate.
    pub estimate: Estimate,
    /// For each shard of the search, its weight: its nodes down to a depth below the cut, roughly in proportion to its
    /// size.
    pub weights: Vec<f64>,
    /// The shards in groups of consecutive ones, which together are all.
    pub groups: Vec<ShardGroup>,
}

/// Consecutive shards of which some were measured.
///
/// See [`Sample`] for an example.
#[derive(Clone, Debug)]
pub struct ShardGroup {
    /// The numbers of the shards within the search.
    pub shards: Range<usize>,
    /// The size and cost of the measured shards for each unit of their weights.
    pub each: ShardMeasure,
    /// Some figures of the measured shards, evenly drawn.
    pub figures: Vec<Candidate>,
}

/// The size and cost of a shard.
///
/// See [`Sample`] for an example.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ShardMeasure {
    /// The number of figures, estimated for a very large shard.
    pub figures: f64,
    /// The number of search nodes, the same on every machine.
    pub nodes: f64,
}

impl ShardMeasure {
    /// Returns the figures and nodes of some shards, given with their weights, for each unit of weight.
    pub(super) fn by_weight(shards: &[(f64, Self)]) -> Self {
        let weights = shards.iter().map(|(weight, _)| weight).sum::<f64>().max(1.0);
        let mean = |value: fn(&Self) -> f64| {
            shards.iter().map(|(_, shard)| value(shard)).sum::<f64>() / weights
        };
        Self { figures: mean(|shard| shard.figures), nodes: mean(|shard| shard.nodes) }
    }
}

impl Estimate {
    /// Extrapolates from some shards, with their weights, to all.
    pub(super) fn extrapolate(some: &[(f64, ShardMeasure)], weights: &[f64]) -> Self {
        let (n, all) = (some.len() as f64, weights.len() as f64);
        let each = ShardMeasure::by_weight(some).figures;
        let squares: f64 =
            some.iter().map(|(weight, shard)| (shard.figures - weight * each).powi(2)).sum();
        // Sampling is without replacement: the error is 0 if all shards are in the sample.
        let unseen = (1.0 - n / all.max(1.0)).max(0.0);
        let variance = squares / (n - 1.0).max(1.0) / n.max(1.0) * unseen;
        Self { figures: each * weights.iter().sum::<f64>(), error: variance.sqrt() * all }
    }
}
