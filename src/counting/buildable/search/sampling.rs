//! Random samples of a search.
//!
//! A sample takes each alternative with some probability, and figures that it reaches have more weight. It also records
//! the third placements and the seconds behind them, from which `estimate.rs` weighs shards.

use super::{BoardPlacement, FigureSearch, OnFigure, Remaining, SHARD_DEPTH};
use crate::buildable::hash::shard;
use crate::buildable::sizes::SLICES;
use crate::random::SplitMix;
use rustc_hash::FxHashMap;

/// The state after a third placement. Searches that begin with equal numbers take about equally long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(in crate::buildable) struct Third {
    /// The number of cells that may come in.
    pub(in crate::buildable) room: u8,
    /// The number of uncovered cells.
    uncovered: u8,
}

/// Weighted sums over the third placements of a sample that have the same state.
#[derive(Clone, Copy, Default)]
pub(in crate::buildable) struct ThirdSums {
    /// The number of these placements.
    pub(in crate::buildable) number: f64,
    /// The seconds of the search behind them.
    pub(in crate::buildable) seconds: f64,
    /// The figures behind them.
    pub(in crate::buildable) figures: f64,
}

/// Third placements by the state after them.
pub(in crate::buildable) type Thirds = FxHashMap<Third, ThirdSums>;

impl ThirdSums {
    pub(in crate::buildable) fn times(self, factor: f64) -> Self {
        let Self { number, seconds, figures } = self;
        Self { number: number * factor, seconds: seconds * factor, figures: figures * factor }
    }

    pub(in crate::buildable) fn add(&mut self, other: &Self) {
        self.number += other.number;
        self.seconds += other.seconds;
        self.figures += other.figures;
    }
}

pub(in crate::buildable) fn add_thirds(all: &mut Thirds, some: &Thirds) {
    for (third, some) in some {
        all.entry(*third).or_default().add(some);
    }
}

/// The third placements of a shard, and the seconds to find them.
#[derive(Default)]
pub(in crate::buildable) struct ThirdsOfShard {
    pub(in crate::buildable) seconds: f64,
    pub(in crate::buildable) thirds: Thirds,
}

/// The state of a sample.
pub(super) struct RandomChoices {
    random: SplitMix,
    /// The probability with which each alternative is taken.
    probability: f64,
    /// The state after the third placement that the search is behind.
    present: Third,
    /// The third placements so far.
    thirds: Thirds,
    /// Third placements by shard, if the sample ends at them. Those after the present pair are not included yet.
    by_shard: Option<FxHashMap<u64, ThirdsOfShard>>,
}

impl RandomChoices {
    fn new(probability: f64, seed: u64) -> Self {
        Self {
            random: SplitMix::new(seed),
            probability,
            present: Third::default(),
            thirds: Thirds::default(),
            by_shard: None,
        }
    }
}

impl FigureSearch<'_> {
    /// Reaches a random sample of the figures of a shard. After the placements that determine the shard, while the
    /// figure is incomplete, every alternative is taken with this probability. Returns the third placements by the
    /// state after them, without their figures.
    pub(in crate::buildable) fn sample(
        &mut self,
        probability: f64,
        seed: u64,
        (shard, firsts): (u64, &[BoardPlacement]),
        on_figure: &mut OnFigure<'_>,
    ) -> Thirds {
        self.choices = Some(RandomChoices::new(probability, seed));
        self.weighted_seconds = 0.0;
        self.shard(shard, 0..SLICES, firsts, on_figure);
        self.choices.take().map(|choices| choices.thirds).unwrap_or_default()
    }

    /// Samples the third placements after a first one at random. Returns them by shard and the state after them,
    /// without searching behind them.
    pub(in crate::buildable) fn sample_of_thirds(
        &mut self,
        probability: f64,
        seed: u64,
        first: &BoardPlacement,
    ) -> FxHashMap<u64, ThirdsOfShard> {
        let by_shard = Some(FxHashMap::default());
        self.choices = Some(RandomChoices { by_shard, ..RandomChoices::new(probability, seed) });
        let remaining = self.begin();
        self.place(first, &remaining, &mut |_| true);
        self.shorten(&Remaining::NOTHING);
        self.choices.take().and_then(|choices| choices.by_shard).unwrap_or_default()
    }

    /// Continues a sample behind a placement.
    pub(super) fn sample_step(
        &mut self,
        last: &BoardPlacement,
        remaining: &Remaining,
        on_figure: &mut OnFigure<'_>,
    ) {
        if self.placed == SHARD_DEPTH + 1 {
            return self.sample_third(remaining, on_figure);
        }
        let seconds = self.weighted_seconds;
        self.step(remaining, on_figure);
        let seconds = self.weighted_seconds - seconds;
        if self.placed == SHARD_DEPTH
            && let Some(choices) = &mut self.choices
            && let Some(by_shard) = &mut choices.by_shard
        {
            let own = by_shard.entry(shard(self.first, last.cells())).or_default();
            own.seconds += seconds;
            add_thirds(&mut own.thirds, &choices.thirds);
            choices.thirds.clear();
        }
    }

    fn sample_third(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        let (room, uncovered) = (remaining.room as u8, remaining.number_uncovered() as u8);
        let (third, seconds) = (Third { room, uncovered }, self.weighted_seconds);
        let ends = self.choices.as_mut().is_some_and(|choices| {
            choices.present = third;
            choices.by_shard.is_some()
        });
        if !ends {
            self.step(remaining, on_figure);
        }
        let (weight, seconds) = (self.weight, self.weighted_seconds - seconds);
        if let Some(choices) = &mut self.choices {
            let sums = choices.thirds.entry(third).or_default();
            sums.number += weight;
            sums.seconds += seconds;
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
