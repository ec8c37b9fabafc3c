//! Estimates of the number of figures, from samples.
//!
//! A sample is the search of a random shard, with one of its first placements, that skips most alternatives. While the
//! figure is incomplete, every choice after the first two placements is a placement or an orbit next to the figure, and
//! each alternative is taken with the same probability. A figure counts with the inverse of the probability of reaching
//! it, divided by the number of ways in which the search reaches it (`figure_owner.rs`). So the expectation of a sample
//! is the number of figures, and the error is the standard error of the mean.
//!
//! This is Knuth's estimate (Estimating the efficiency of backtrack programs, 1975), but with several paths at a
//! time, and spread evenly over the shards. Few samples have large weights. So the mean is more often too low than too
//! high, and its standard error tends to be too small. The probability is chosen to give samples about the same number
//! of nodes for every class. If whole shards take no more nodes, nothing is skipped.
//!
//! Without a required symmetry there are hundreds of thousands of pairs of first placements, of which none has a large
//! share of the figures, and most alternatives are skipped in any case. Then a sample searches 32 pairs, with fewer
//! nodes in each: for the same error that takes a fifth of the time. With a symmetry, few long searches find more.
//!
//! Shards differ by a factor of a thousand. Their third placements are counted, and each stands for the figures and nodes
//! that the samples found behind third placements with as much room and as many uncovered cells.

use super::random::SplitMix;
use super::search::{BoardPlacement, FigureSearch, OnFigure, Third, ThirdSums, Thirds};
use super::{Buildable, SHARDS};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Candidate;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const SAMPLE_NODES: u64 = 20_000;

/// The number of parts searched by a sample without a required symmetry.
const PARTS_OF_ASYMMETRIC: u64 = 32;

/// The number of samples made to choose the probability.
const TRIALS: u64 = 48;

/// The probabilities tried: the smallest, and the factor from each to the next.
const MIN_PROBABILITY: f64 = 1e-3;
const PROBABILITY_FACTOR: f64 = 1.5;

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
    /// The largest share of one sample in the number of figures. If it is large, so is what the samples missed.
    pub largest_share: f64,
}

/// The nodes up to which the third placements of all shards are counted.
const WEIGHING_NODES: f64 = 4e6;

/// The distance of the shards that are tried to find the number of these nodes.
const TRIED_OF_SHARDS: usize = 64;

/// An estimate of a shard.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ShardEstimate {
    /// The number of figures.
    pub figures: f64,
    /// The number of search nodes.
    pub nodes: f64,
}

#[derive(Clone, Default)]
struct SampleResult {
    figures: f64,
    nodes: f64,
    hits: u64,
    thirds: Thirds,
}

impl SampleResult {
    fn times(self, factor: f64) -> Self {
        Self { figures: self.figures * factor, nodes: self.nodes * factor, ..self }
    }

    fn plus(mut self, other: &Self) -> Self {
        add_thirds(&mut self.thirds, &other.thirds);
        Self {
            figures: self.figures + other.figures,
            nodes: self.nodes + other.nodes,
            hits: self.hits + other.hits,
            ..self
        }
    }
}

/// Returns them in an order that does not depend on the map, so that sums are the same everywhere.
fn sorted(thirds: &Thirds) -> Vec<(&Third, &ThirdSums)> {
    let mut sorted: Vec<_> = thirds.iter().collect();
    sorted.sort_unstable_by_key(|(third, _)| **third);
    sorted
}

fn add_thirds(all: &mut Thirds, some: &Thirds) {
    for (third, some) in some {
        all.entry(*third).or_default().add(some);
    }
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

/// Returns the random part of one of `draws` draws; `None` if there are no parts. Draws are spread evenly.
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

    /// Estimates the number of figures, and the figures and nodes of each shard.
    ///
    /// A shard gets those that the samples found on average behind third placements like its own; without a required
    /// symmetry, in proportion to its first placements. Returns `None` if `stop` is set.
    pub fn estimate_shards(
        &self,
        samples: u64,
        stop: &AtomicBool,
    ) -> Option<(BuildableEstimate, Vec<ShardEstimate>)> {
        let (estimate, sampled) = self.estimate_with_thirds(samples, stop, &|| ())?;
        // Without a required symmetry a shard has many pairs of first placements, and their third placements would take
        // minutes to count.
        let mut shards = if self.class.order() == 1 {
            let number = |firsts: &Vec<BoardPlacement>| firsts.len() as f64;
            let weight = |firsts| ShardEstimate { figures: number(firsts), nodes: number(firsts) };
            self.shards.iter().map(weight).collect()
        } else {
            self.weigh_by_thirds(&sampled, stop)
        };
        let scale = |all: f64, value: fn(&ShardEstimate) -> f64| {
            let sum = shards.iter().map(value).sum::<f64>();
            if sum > 0.0 { all / sum } else { 0.0 }
        };
        let figures = scale(estimate.figures, |shard| shard.figures);
        let nodes = scale(estimate.nodes, |shard| shard.nodes);
        for shard in &mut shards {
            shard.figures *= figures;
            shard.nodes *= nodes;
        }
        (!stop.load(Relaxed)).then_some((estimate, shards))
    }

    /// Returns numbers in proportion to the figures and the nodes of each shard: for each of its third placements what
    /// was sampled on average behind one with the same state.
    fn weigh_by_thirds(&self, sampled: &Thirds, stop: &AtomicBool) -> Vec<ShardEstimate> {
        let count = |shard: u64, probability| {
            let mut search = FigureSearch::new(&self.board, &self.placements, stop);
            let firsts = &self.shards[shard as usize][..];
            let thirds = search.sample_of_thirds(probability, (shard, firsts));
            (thirds, search.steps() as f64)
        };
        let tried = (0..SHARDS as usize).into_par_iter().step_by(TRIED_OF_SHARDS);
        let nodes: f64 = tried.map(|shard| count(shard as u64, 1.0).1).sum();
        let all_nodes = (nodes * TRIED_OF_SHARDS as f64).max(1.0);
        let probability = (WEIGHING_NODES / all_nodes).min(1.0);
        let (mut of_room, mut all) = (FxHashMap::<u8, ThirdSums>::default(), ThirdSums::default());
        for (third, some) in sorted(sampled) {
            of_room.entry(third.room).or_default().add(some);
            all.add(some);
        }
        let shard = |shard: u64| {
            let mut sum = ShardEstimate::default();
            for (third, own) in sorted(&count(shard, probability).0) {
                let like = sampled.get(third).or_else(|| of_room.get(&third.room)).unwrap_or(&all);
                let each = own.number / like.number.max(f64::MIN_POSITIVE);
                sum.figures += each * like.figures;
                sum.nodes += each * like.nodes;
            }
            sum
        };
        (0..SHARDS).into_par_iter().map(shard).collect()
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

    /// Returns the largest probability tried with which a part takes at most `most` nodes, and the nodes it takes.
    fn probability(&self, parts: &[Part<'_>], most: u64, stop: &AtomicBool) -> (f64, u64) {
        let (mut probability, mut before) = (MIN_PROBABILITY, 0);
        loop {
            let next = (probability * PROBABILITY_FACTOR).min(1.0);
            let nodes = |number| {
                let mut search = FigureSearch::new(&self.board, &self.placements, stop);
                search.limit(2 * TRIALS * most);
                if let Some(part) = random_part(parts, number, TRIALS) {
                    part.sample(&mut search, next, number, &mut |_| true);
                }
                search.steps()
            };
            let nodes: u64 = (0..TRIALS).into_par_iter().map(nodes).sum();
            if nodes > TRIALS * most || stop.load(Relaxed) {
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
        let sample = |number| {
            let mut sum = SampleResult::default();
            for draw in number * of_sample..(number + 1) * of_sample {
                let part = random_part(parts, draw, draws)?;
                if stop.load(Relaxed) {
                    return None;
                }
                sum = sum.plus(&self.sample(probability, draw, part, stop));
            }
            done();
            Some(sum.times(parts.len() as f64 / of_sample as f64))
        };
        let all: Option<Vec<SampleResult>> = (0..samples).into_par_iter().map(sample).collect();
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
        let (nodes, hits) =
            (mean(&|sample| sample.nodes), all.iter().map(|sample| sample.hits).sum());
        let most = all.iter().map(|sample| sample.figures).fold(0.0, f64::max);
        let largest_share = if figures > 0.0 { most / (figures * number) } else { 0.0 };
        let mut thirds = Thirds::default();
        all.iter().for_each(|sample| add_thirds(&mut thirds, &sample.thirds));
        Some((BuildableEstimate { figures, error, nodes, samples, hits, largest_share }, thirds))
    }

    fn sample(
        &self,
        probability: f64,
        number: u64,
        part: Part<'_>,
        stop: &AtomicBool,
    ) -> SampleResult {
        let mut sample = SampleResult::default();
        let mut search = FigureSearch::new(&self.board, &self.placements, stop);
        let mut figures: FxHashMap<Third, f64> = FxHashMap::default();
        let mut thirds = part.sample(&mut search, probability, number, &mut |reached| {
            let candidate = Candidate::new(self.figure(reached.cells), self.identity);
            if self.is_wanted(&candidate) {
                let mut ways: u64 = 0;
                self.for_each_way(&candidate, stop, &mut |_| {
                    ways += 1;
                    ControlFlow::Continue(())
                });
                let share = reached.weight / ways.max(1) as f64;
                *figures.entry(reached.third).or_default() += share;
                sample.figures += share;
                sample.hits += 1;
            }
            true
        });
        for (third, figures) in figures {
            thirds.entry(third).or_default().figures += figures;
        }
        sample.nodes = search.weighted_steps();
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
            [("C1", "V L"), ("Ci", "V L T"), ("C2(edge)", "V A L"), ("C2v(edge)", "V L T Z")]
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
                let nodes = part.nodes / whole.nodes;
                assert!((part.figures - figures).abs() < 4.0 * part.error, "{figures}: {part:?}");
                assert!(part.error < 0.6 * figures && (0.6..1.6).contains(&nodes), "{part:?}");
            }
        }
    }
}
