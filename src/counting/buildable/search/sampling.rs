//! Random samples of a search.
//!
//! A sample takes each alternative with some probability, and what it reaches counts the more. It also notes what lies
//! behind third placements, from which `estimate.rs` weighs shards.

use super::{BoardPlacement, FigureSearch, OnFigure, Remaining, SHARD_DEPTH};
use crate::buildable::SLICES;
use crate::buildable::random::SplitMix;
use rustc_hash::FxHashMap;

/// The state after a third placement. Searches that begin with equal numbers take about equally long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(in crate::buildable) struct Third {
    /// The number of cells that may come in.
    pub(in crate::buildable) room: u8,
    uncovered: u8,
}

/// The third placements of a sample with one state, and the nodes and figures behind them, by weight.
#[derive(Clone, Copy, Default)]
pub(in crate::buildable) struct ThirdSums {
    pub(in crate::buildable) number: f64,
    pub(in crate::buildable) nodes: f64,
    pub(in crate::buildable) figures: f64,
}

pub(in crate::buildable) type Thirds = FxHashMap<Third, ThirdSums>;

impl ThirdSums {
    pub(in crate::buildable) fn add(&mut self, other: &Self) {
        self.number += other.number;
        self.nodes += other.nodes;
        self.figures += other.figures;
    }
}

pub(super) struct RandomChoices {
    random: SplitMix,
    probability: f64,
    /// The sample ends at third placements.
    ends_at_third: bool,
    present: Third,
    thirds: Thirds,
}

impl RandomChoices {
    fn new(probability: f64, seed: u64) -> Self {
        Self {
            random: SplitMix::new(seed),
            probability,
            ends_at_third: false,
            present: Third::default(),
            thirds: Thirds::default(),
        }
    }
}

impl FigureSearch<'_> {
    /// Reaches a random sample of the figures of a shard. After the placements that determine the shard, while the
    /// figure is incomplete, every alternative is taken with this probability. Returns the third placements by the state
    /// after them, without their figures.
    pub(in crate::buildable) fn sample(
        &mut self,
        probability: f64,
        seed: u64,
        shard: (u64, &[BoardPlacement]),
        on_figure: &mut OnFigure<'_>,
    ) -> Thirds {
        self.sample_with(RandomChoices::new(probability, seed), shard, on_figure)
    }

    /// Returns a random sample of the third placements of a shard by the state after them, without what lies behind.
    pub(in crate::buildable) fn sample_of_thirds(
        &mut self,
        probability: f64,
        shard: (u64, &[BoardPlacement]),
    ) -> Thirds {
        let choices =
            RandomChoices { ends_at_third: true, ..RandomChoices::new(probability, shard.0) };
        self.sample_with(choices, shard, &mut |_| true)
    }

    fn sample_with(
        &mut self,
        choices: RandomChoices,
        (shard, firsts): (u64, &[BoardPlacement]),
        on_figure: &mut OnFigure<'_>,
    ) -> Thirds {
        self.choices = Some(choices);
        self.shard(shard, 0..SLICES, firsts, on_figure);
        self.choices.take().map(|choices| choices.thirds).unwrap_or_default()
    }

    /// Continues a sample behind a third placement.
    pub(super) fn sample_third(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        let (room, uncovered) = (remaining.room as u8, remaining.number_uncovered() as u8);
        let (third, nodes) = (Third { room, uncovered }, self.weighted_steps);
        let ends = self.choices.as_mut().is_some_and(|choices| {
            choices.present = third;
            choices.ends_at_third
        });
        if !ends {
            self.step(remaining, on_figure);
        }
        let (weight, nodes) = (self.weight, self.weighted_steps - nodes);
        if let Some(choices) = &mut self.choices {
            let sums = choices.thirds.entry(third).or_default();
            sums.number += weight;
            sums.nodes += nodes;
        }
    }

    /// Returns the state after the third placement, in a sample.
    pub(super) fn third(&self) -> Third {
        self.choices.as_ref().map(|choices| choices.present).unwrap_or_default()
    }

    /// Takes an alternative. A sample takes it only with its probability.
    #[inline(always)]
    pub(super) fn try_alternative(&mut self, before: &Remaining, take: impl FnOnce(&mut Self)) {
        let is_thinned = before.room > 0 && self.placed >= SHARD_DEPTH;
        let Some(choices) = self.choices.as_mut().filter(|_| is_thinned) else {
            return take(self);
        };
        let probability = choices.probability;
        if choices.random.is_below(probability) {
            let weight = self.weight;
            self.weight /= probability;
            take(self);
            self.weight = weight;
        }
    }
}
