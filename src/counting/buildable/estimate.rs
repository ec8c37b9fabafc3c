//! Estimates of the number of figures, from samples.
//!
//! A sample is the search of a random shard, with one of its first placements, that skips most alternatives. While the
//! figure is incomplete, every choice after the first two placements is a placement or an orbit next to the figure.
//! Each alternative is taken with the same probability. A figure counts with the inverse of the probability of reaching
//! it, divided by the number of ways in which the search reaches it (`figure_owner.rs`). So the expectation of a sample
//! is the number of figures, and the error is the standard error of the mean.
//!
//! This is Knuth's estimate (Estimating the efficiency of backtrack programs, 1975), but with several paths at a
//! time, and spread evenly over the shards. Few samples have large weights. So the mean is more often too low than too
//! high, and its standard error tends to be too small. The probability is chosen to give samples about the same number
//! of nodes for every class. If whole shards take no more nodes, nothing is skipped.
//!
//! Without a required symmetry there are hundreds of thousands of pairs of first placements. None has a large share of
//! the figures, and most alternatives are skipped in any case. Then a sample searches 32 pairs, with fewer nodes in
//! each: for the same error that takes a fifth of the time. With a symmetry, few long searches find more.
//!
//! The figures and seconds of single shards are estimated too, since shards differ by a factor of a thousand. For this
//! the third placements of a shard are counted. Each of them represents the average of the figures and seconds that the
//! samples found behind third placements with as much room and as many uncovered cells.
//!
//! Seconds are the sum of the times of two kinds of steps (`search.rs`) and of finding the owners of figures.

use super::search::{
    BoardPlacement, FigureSearch, OnFigure, Third, ThirdSums, Thirds, ThirdsOfShard, add_thirds,
};
use super::{Buildable, SHARDS};
use crate::costs;
use crate::parallel::{self, Spares};
use crate::random::SplitMix;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Candidate;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The nodes of a sample, about.
const SAMPLE_NODES: u64 = 20_000;

/// The number of parts searched by a sample without a required symmetry.
const PARTS_OF_ASYMMETRIC: u64 = 32;

/// The number of samples made to choose the probability.
const TRIALS: u64 = 48;

/// The probabilities tried: the smallest, and the factor from each to the next.
const MIN_PROBABILITY: f64 = 1e-3;
const PROBABILITY_FACTOR: f64 = 1.5;

/// The result of a number of samples.
///
/// ```
/// use somacat_counting::buildable::Buildable;
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
/// use std::sync::atomic::AtomicBool;
///
/// // V, L and T build 21 figures with the inversion as a symmetry.
/// let inversion = Class::matching("Ci").unwrap()[0];
/// let search = Buildable::new(inversion, false, &parse_set("V L T").unwrap())?;
/// let estimate = search.estimate(300, &AtomicBool::new(false), &|| ()).expect("no stop");
/// assert!((estimate.figures - 21.0).abs() < 5.0 * estimate.error.max(1.0));
/// # Ok::<(), somacat_counting::buildable::BuildableError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuildableEstimate {
    /// The number of figures.
    pub figures: f64,
    /// The standard error of that number.
    pub error: f64,
    /// The seconds of the whole search, without counting its figures. They are those of one core of an ordinary
    /// machine.
    pub seconds: f64,
    /// The number of samples.
    pub samples: u64,
    /// The number of times that samples reached a figure. Below some hundreds the error itself is uncertain.
    pub hits: u64,
    /// The largest share of one sample in the number of figures. If it is large, so is the part that the samples
    /// missed.
    pub largest_share: f64,
}

/// The most third placements of all shards that are counted. If there are more, a random sample is counted.
const WEIGHED_THIRDS: f64 = 4e6;

/// An estimate of a shard.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ShardEstimate {
    /// The number of figures.
    pub figures: f64,
    /// The seconds of the search.
    pub seconds: f64,
}

/// The result of a sample, or of several: estimates of the whole search.
#[derive(Clone, Default)]
struct SampleResult {
    figures: f64,
    seconds: f64,
    /// The number of times that a figure was reached.
    hits: u64,
    /// The third placements, with the figures and seconds behind them.
    thirds: Thirds,
}

impl SampleResult {
    fn times(mut self, factor: f64) -> Self {
        self.thirds.values_mut().for_each(|sums| *sums = sums.times(factor));
        Self { figures: self.figures * factor, seconds: self.seconds * factor, ..self }
    }

    fn plus(mut self, other: &Self) -> Self {
        add_thirds(&mut self.thirds, &other.thirds);
        Self {
            figures: self.figures + other.figures,
            seconds: self.seconds + other.seconds,
            hits: self.hits + other.hits,
            ..self
        }
    }
}

/// Returns the third placements in an order that does not depend on the map, so that rounded sums are the same on every
/// machine.
fn sorted(thirds: &Thirds) -> Vec<(&Third, &ThirdSums)> {
    let mut sorted: Vec<_> = thirds.iter().collect();
    sorted.sort_unstable_by_key(|(third, _)| **third);
    sorted
}

/// A shard with one of its first placements.
#[derive(Clone, Copy)]
struct Part<'p> {
    shard: u64,
    first: &'p BoardPlacement,
}

impl Part<'_> {
    fn sample(
        self,
        search: &mut FigureSearch<'_>,
        probability: f64,
        seed: u64,
        on_figure: &mut OnFigure<'_>,
    ) -> Thirds {
        let firsts = std::slice::from_ref(self.first);
        search.sample(probability, seed, (self.shard, firsts), on_figure)
    }
}

/// Returns the random part of draw `number` of `draws`, which are spread evenly over the parts. `None` if there are no
/// parts.
fn random_part<'p>(parts: &[Part<'p>], number: u64, draws: u64) -> Option<Part<'p>> {
    let [from, to] = [number, number + 1].map(|n| n * parts.len() as u64 / draws);
    let part = from + SplitMix::new(!number).next() % (to - from).max(1);
    parts.get(part as usize).copied()
}

impl Buildable {
    /// Estimates the number of figures from samples, the same on every machine.
    ///
    /// Returns `None` if `stop` is set. Calls `done` after each sample.
    pub fn estimate(
        &self,
        samples: u64,
        stop: &AtomicBool,
        done: &(dyn Fn() + Sync),
    ) -> Option<BuildableEstimate> {
        self.estimate_with_thirds(samples, stop, done).map(|(estimate, _)| estimate)
    }

    /// Estimates the number of figures, and each shard's figures and seconds.
    ///
    /// A shard's estimate is a sum of averages that the samples found behind third placements like its own. Returns
    /// `None` if `stop` is set.
    pub fn estimate_shards(
        &self,
        samples: u64,
        stop: &AtomicBool,
    ) -> Option<(BuildableEstimate, Vec<ShardEstimate>)> {
        let (estimate, sampled) = self.estimate_with_thirds(samples, stop, &|| ())?;
        let number: f64 = sorted(&sampled).into_iter().map(|(_, sums)| sums.number).sum();
        let all_thirds = (number / estimate.samples.max(1) as f64).max(1.0);
        let probability = (WEIGHED_THIRDS / all_thirds).min(1.0);
        let shards = self.weigh_by_thirds(&sampled, probability, stop);
        (!stop.load(Relaxed)).then_some((estimate, shards))
    }

    /// Estimates each shard from its third placements, taken with a probability. The estimate includes the seconds to
    /// find them. Each third placement adds the average that was sampled behind those with the same state.
    ///
    /// Sums of these have smaller errors than the mean of the samples, which differ in their third placements.
    fn weigh_by_thirds(
        &self,
        sampled: &Thirds,
        probability: f64,
        stop: &AtomicBool,
    ) -> Vec<ShardEstimate> {
        let (mut of_room, mut all) = (FxHashMap::<u8, ThirdSums>::default(), ThirdSums::default());
        for (third, some) in sorted(sampled) {
            of_room.entry(third.room).or_default().add(some);
            all.add(some);
        }
        let weight = |shard: &ThirdsOfShard| {
            let mut sum = ShardEstimate { figures: 0.0, seconds: shard.seconds };
            for (third, own) in sorted(&shard.thirds) {
                let like = sampled.get(third).or_else(|| of_room.get(&third.room)).unwrap_or(&all);
                let each = own.number / like.number.max(f64::MIN_POSITIVE);
                sum.figures += each * like.figures;
                sum.seconds += each * like.seconds;
            }
            sum
        };
        let firsts = self.search(stop).first_placements();
        let after = |at: usize| {
            let shards = self.search(stop).sample_of_thirds(probability, at as u64, &firsts[at]);
            shards.iter().map(|(&shard, thirds)| (shard, weight(thirds))).collect::<Vec<_>>()
        };
        let mut shards = vec![ShardEstimate::default(); SHARDS as usize];
        for (shard, own) in parallel::map(firsts.len(), after).into_iter().flatten() {
            let sum = &mut shards[shard as usize];
            sum.figures += own.figures;
            sum.seconds += own.seconds;
        }
        shards
    }

    fn estimate_with_thirds(
        &self,
        samples: u64,
        stop: &AtomicBool,
        done: &(dyn Fn() + Sync),
    ) -> Option<(BuildableEstimate, Thirds)> {
        let parts = self.parts();
        let of_sample = if self.class.order() == 1 { PARTS_OF_ASYMMETRIC } else { 1 };
        let (probability, nodes) = self.probability(&parts, SAMPLE_NODES / of_sample, stop);
        // The whole search, if it takes no longer.
        let is_small = probability >= 1.0 && nodes * parts.len() as u64 <= samples * SAMPLE_NODES;
        let (samples, of_sample) =
            if is_small { (parts.len() as u64, 1) } else { (samples, of_sample) };
        self.estimate_with(probability, (samples, of_sample), &parts, stop, done)
    }

    /// Returns the parts of the search from which samples are drawn: the shards, with one first placement each.
    fn parts(&self) -> Vec<Part<'_>> {
        let shards = (0..).zip(&self.shards);
        shards
            .flat_map(|(shard, firsts)| firsts.iter().map(move |first| Part { shard, first }))
            .collect()
    }

    /// Returns the largest probability tried with which a part takes at most `most` nodes on average, and its nodes.
    fn probability(&self, parts: &[Part<'_>], most: u64, stop: &AtomicBool) -> (f64, u64) {
        let (mut probability, mut before) = (MIN_PROBABILITY, 0);
        let enough = TRIALS * most + 1;
        loop {
            let next = (probability * PROBABILITY_FACTOR).min(1.0);
            // Trials that exceed the nodes together end early; when is not the same on every machine.
            let nodes = AtomicU64::new(0);
            let trial = |at| {
                let number = at as u64;
                let mut search = self.search(stop);
                search.limit(enough.saturating_sub(nodes.load(Relaxed)));
                if let Some(part) = random_part(parts, number, TRIALS) {
                    part.sample(&mut search, next, number, &mut |_| true);
                }
                nodes.fetch_add(search.steps(), Relaxed);
            };
            parallel::for_each(TRIALS as usize, &trial);
            let nodes = nodes.into_inner();
            if nodes >= enough || stop.load(Relaxed) {
                return (probability, before);
            }
            (probability, before) = (next, nodes / TRIALS);
            if next >= 1.0 {
                return (probability, before);
            }
        }
    }

    fn estimate_with(
        &self,
        probability: f64,
        (samples, of_sample): (u64, u64),
        parts: &[Part<'_>],
        stop: &AtomicBool,
        done: &(dyn Fn() + Sync),
    ) -> Option<(BuildableEstimate, Thirds)> {
        let draws = samples * of_sample;
        let searches = Spares::default();
        let sample = |at: usize| {
            let (number, mut search) = (at as u64, searches.take(|| self.search(stop)));
            let mut sum = SampleResult::default();
            for draw in number * of_sample..(number + 1) * of_sample {
                let part = random_part(parts, draw, draws)?;
                if stop.load(Relaxed) {
                    return None;
                }
                sum = sum.plus(&self.sample(probability, draw, part, &mut search, stop));
            }
            done();
            searches.put_back(search);
            Some(sum.times(parts.len() as f64 / of_sample as f64))
        };
        let all: Option<Vec<SampleResult>> =
            parallel::map(samples as usize, sample).into_iter().collect();
        let all = all.filter(|_| !stop.load(Relaxed))?;
        let number = samples.max(1) as f64;
        let mean =
            |value: &dyn Fn(&SampleResult) -> f64| all.iter().map(value).sum::<f64>() / number;
        let figures = mean(&|sample| sample.figures);
        let variance = mean(&|sample| (sample.figures - figures).powi(2)) / (number - 1.0).max(1.0);
        // Samples without omissions differ only where parts are left out.
        let left_out =
            if probability < 1.0 { 1.0 } else { 1.0 - draws as f64 / parts.len() as f64 };
        let error = (variance * left_out.max(0.0)).sqrt();
        let (seconds, hits) =
            (mean(&|sample| sample.seconds), all.iter().map(|sample| sample.hits).sum());
        let most = all.iter().map(|sample| sample.figures).fold(0.0, f64::max);
        let largest_share = if figures > 0.0 { most / (figures * number) } else { 0.0 };
        let mut thirds = Thirds::default();
        all.iter().for_each(|sample| add_thirds(&mut thirds, &sample.thirds));
        Some((BuildableEstimate { figures, error, seconds, samples, hits, largest_share }, thirds))
    }

    fn sample(
        &self,
        probability: f64,
        number: u64,
        part: Part<'_>,
        search: &mut FigureSearch<'_>,
        stop: &AtomicBool,
    ) -> SampleResult {
        let mut sample = SampleResult::default();
        let mut figures: FxHashMap<Third, ThirdSums> = FxHashMap::default();
        let mut thirds = part.sample(search, probability, number, &mut |reached| {
            let candidate = Candidate::new(self.figure(reached.cells), self.equivalence);
            if self.is_wanted(&candidate) {
                let (mut ways, mut ways_here): (u64, u64) = (0, 0);
                self.for_each_way(&candidate, stop, &mut |way| {
                    ways += 1;
                    ways_here += u64::from(way.shard == part.shard);
                    ControlFlow::Continue(())
                });
                let share = reached.weight / ways.max(1) as f64;
                let seconds = reached.weight / ways_here.max(1) as f64 * costs::BUILDABLE_OWNER;
                let sums = ThirdSums { figures: share, seconds, number: 0.0 };
                figures.entry(reached.third).or_default().add(&sums);
                sample.figures += share;
                sample.seconds += seconds;
                sample.hits += 1;
            }
            true
        });
        add_thirds(&mut thirds, &figures);
        sample.seconds += search.weighted_seconds();
        SampleResult { thirds, ..sample }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::pieces::parse_set;
    use somacat_geometry::symmetry::Class;
    use std::ops::ControlFlow;

    #[test]
    fn the_mean_of_samples_is_the_number_of_figures() {
        let go_on = AtomicBool::new(false);
        for (class, set) in
            [("C1", "V D"), ("Ci", "V L T"), ("C2(edge)", "V A L"), ("C2v(edge)", "V L T Z")]
        {
            let class = Class::matching(class).unwrap()[0];
            for exact in [false, true] {
                let search = Buildable::new(class, exact, &parse_set(set).unwrap()).unwrap();
                let mut figures = 0;
                let number = |figures: Vec<Candidate>| Some(figures.len());
                let _ = search.for_each_slice(Buildable::ALL, &go_on, number, &mut |_, number| {
                    figures += number;
                    ControlFlow::Continue(())
                });
                let figures = figures as f64;
                // The whole search: each figure counts once, divided among the ways to reach it.
                let parts = search.parts();
                let all = parts.len() as u64;
                let whole = search.estimate_with(1.0, (all, 1), &parts, &go_on, &|| ()).unwrap().0;
                assert!((whole.figures - figures).abs() < 1e-6 && whole.error < 1e-6, "{whole:?}");
                let part = search
                    .estimate_with(0.4, (all.div_ceil(4), 4), &parts, &go_on, &|| ())
                    .unwrap()
                    .0;
                let seconds = part.seconds / whole.seconds;
                assert!((part.figures - figures).abs() < 4.0 * part.error, "{figures}: {part:?}");
                assert!(part.error < 0.6 * figures && (0.6..1.6).contains(&seconds), "{part:?}");
            }
        }
    }
}
