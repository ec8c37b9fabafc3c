//! Dynamic programming over sets of cells: counts the ways in which the first pieces fill each set.
//!
//! Very many packings of some of the pieces fill the same set of cells, and the possible continuations are the same for
//! all of them. So pieces are placed in stages, one after the other. Each stage keeps only the sets that its pieces
//! fill, one of each orbit under the box's symmetries. With each it keeps the number of packings of the orbit's sets.
//! With T(O) for that number,
//!
//! > T(O) = Σ T(s) over the sets s that are kept and the placements p disjoint from s with s ∪ p in O:
//!
//! each packing of a set in O is the image of one that extends a kept set, as often as it has images. The last stage is
//! not kept: it is computed slice by slice, and counted by rank. Let t(S) be the sum that arrives at S, and G the group
//! of the box. Then S has f(S) = 1/|G| · Σ t(gS) packings, over the symmetries g that keep the pattern of S.
//!
//! A and B are placed together, because the sets of a stage must have as many packings as their mirror images. Equal
//! pieces are placed one after the other like different ones, so each packing is found in every order of them, and
//! counts are divided at the end.
//!
//! Sets are kept in *slices* by their pattern (`transitions.rs`): a slice of the next stage collects from the few
//! slices and placements whose patterns together give its own. The method needs memory for all sets of a stage, and
//! time for each pair of a set and a placement whose patterns fit. So it suits boxes in which few cells stay empty,
//! which have few sets.
//!
//! For example, two V in the box 1×2×3, with rows ab, cd and ef. The box has four symmetries of its cells. The eight
//! placements of a V form two orbits of four, so the first stage keeps two sets: abc and acd, each with T = 4. In the
//! last stage only def completes abc, and nothing completes acd, so t(all cells) = 4. All four symmetries map all cells
//! to all cells: f = 1/4 · (4 + 4 + 4 + 4) = 4. As the V have two orders, there are two packings.

use super::transitions::{Slices, TRANSITION_BYTES, Transitions};
use crate::census::boxes::grid::Grid;
use crate::census::boxes::placements::BoxPlacements;
use crate::census::boxes::split;
use crate::census::sets::accumulator::{Accumulator, SET_BYTES};
use crate::census::sets::counters::Counters;
use crate::census::sets::disjoint::WeightedSets;
use crate::census::sets::rank::{Ranking, binomial, orbits_at_most};
use crate::in_order::in_order;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of sets that are always allowed. The estimate of [`Stages::most`] is for sets with all pieces but the last,
/// and small boxes can have more sets than that on the way.
const ALWAYS_ALLOWED_SETS: u64 = 1 << 20;

/// Maximum orders of equal pieces: with more, numbers of packings would not fit 32 bits.
const MAX_REPEATS: u64 = 1 << 32;

/// The order in which pieces are placed, and its cost.
#[derive(Debug)]
pub(in crate::census) struct Stages {
    /// The masks of all placements of each stage. A set represents its mirror image too, so a stage places one
    /// piece, or a piece and its mirror image together.
    stages: Vec<Vec<u64>>,
    /// The number of times that each packing is found: the number of orders of equal pieces.
    repeats: u64,
    /// Maximum number of sets that are kept at a time.
    most: u64,
    /// Maximum number of patterns that the placements of a stage can show, over all stages but the first.
    patterns: u64,
}

/// The result of all stages but the last: the sets that their pieces fill.
pub(in crate::census) struct LastStage {
    slices: Slices,
    transitions: Transitions,
    repeats: u64,
}

impl Stages {
    /// Plans the stages for a box. Pieces with most cells come first, since there are fewest sets if few cells are
    /// missing; among equals those with few placements. Returns `None` if some piece does not fit in the box, there
    /// are very many equal pieces, or sets would take more than 32 GiB.
    pub(in crate::census) fn new(
        grid: &Grid,
        placements: &BoxPlacements,
        cells: usize,
    ) -> Option<Self> {
        let mut stages = Vec::new();
        for (number, kind) in placements.kinds.iter().enumerate() {
            let masks = match kind.mirror.filter(|&mirror| mirror != number) {
                Some(mirror) if mirror > number => pairs(placements, number, mirror),
                Some(_) => continue,
                None => placements.masks_of(number).collect(),
            };
            stages.extend(std::iter::repeat_n(masks, kind.copies as usize));
        }
        let size = |masks: &Vec<u64>| masks.first().map(|mask| mask.count_ones() as usize);
        let sizes: Option<Vec<usize>> = stages.iter().map(size).collect();
        let last = sizes?.into_iter().min()?;
        stages.sort_by_key(|masks| (Reverse(size(masks)), masks.len()));
        let subsets = binomial(grid.cells.len(), cells - last);
        let most = orbits_at_most(subsets, grid.usable().count());
        let mut copies = placements.kinds.iter().flat_map(|kind| 1..=u64::from(kind.copies));
        let repeats = copies.try_fold(1_u64, u64::checked_mul);
        let most = u64::from(u32::try_from(most).ok()?).max(ALWAYS_ALLOWED_SETS);
        // There is only one slice before the first stage.
        let patterns = stages.iter().skip(1).map(|masks| patterns(grid, masks)).max().unwrap_or(1);
        Some(Self { repeats: repeats.filter(|&n| n <= MAX_REPEATS)?, most, patterns, stages })
    }

    /// Returns the maximum number of sets that are kept at a time. It is about the number of orbits of subsets that
    /// lack the cells of the last stage. Usually far fewer occur.
    pub(in crate::census) const fn most(&self) -> u64 {
        self.most
    }

    /// Returns true if few enough sets are kept to use this method.
    pub(in crate::census) const fn are_few(&self) -> bool {
        self.most <= split::MAX_STAGES_SETS
    }

    /// Returns the bytes that all threads share, with at most `sets` sets. They hold the sets, the placements, and
    /// the transitions between at most `slices` slices.
    pub(in crate::census) fn shared_bytes(&self, sets: u64, slices: u64) -> u64 {
        let masks: usize = self.stages.iter().map(Vec::len).sum();
        // A list that grows doubles its memory.
        let transitions = 2 * TRANSITION_BYTES * self.patterns * slices;
        SET_BYTES.saturating_mul(sets) + 2 * SET_BYTES * masks as u64 + transitions
    }

    /// Returns the bytes that each thread needs for slices of `sets` sets.
    pub(in crate::census) const fn thread_bytes(sets: u64) -> u64 {
        Accumulator::bytes(sets)
    }

    /// Computes all stages but the last. Returns `None` if `stop` is set, more than `limit` sets would be kept, or a
    /// number of packings does not fit 32 bits.
    pub(in crate::census) fn run(
        &self,
        grid: &Grid,
        limit: u64,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<LastStage> {
        let nothing_placed = WeightedSets { sets: vec![0], weights: vec![1] };
        let mut slices: Slices = [(0, nothing_placed)].into_iter().collect();
        let (last, first) = self.stages.split_last().expect("a set has a piece");
        for masks in first {
            let transitions = Transitions::new(grid, masks, &slices, stop)?;
            let ends = transitions.ends(&slices);
            let kept = slices.values().map(|slice| slice.sets.len() as u64).sum();
            let kept = AtomicU64::new(kept);
            let slice = |at: usize| {
                let slice = transitions.slice(grid, &slices, ends[at], limit, stop)?;
                let new = slice.sets.len() as u64;
                (kept.fetch_add(new, Ordering::Relaxed) + new <= limit).then_some(slice)
            };
            let mut next = Slices::default();
            let flow = in_order(0..ends.len(), threads, slice, &mut |at, slice| {
                next.insert(ends[at], slice);
                ControlFlow::Continue(())
            });
            flow.continue_value()?;
            slices = next;
        }
        let transitions = Transitions::new(grid, last, &slices, stop)?;
        Some(LastStage { slices, transitions, repeats: self.repeats })
    }
}

/// Returns the number of patterns that some placements show.
fn patterns(grid: &Grid, masks: &[u64]) -> u64 {
    masks.iter().map(|mask| mask & grid.pattern_cells()).collect::<BTreeSet<u64>>().len() as u64
}

/// Lists the cells of all disjoint pairs of a placement of one kind and one of its mirror image.
fn pairs(placements: &BoxPlacements, kind: usize, mirror: usize) -> Vec<u64> {
    let others = |one: u64| placements.masks_of(mirror).filter(move |other| other & one == 0);
    placements.masks_of(kind).flat_map(|one| others(one).map(move |other| other | one)).collect()
}

impl LastStage {
    /// Counts the packings of a pattern's sets, by rank and in total. The counts of a set and its images add up to
    /// the packings of all the set's images under the box's symmetries. Each packing counts [`LastStage::repeats`]
    /// times. Returns `None` if `stop` is set.
    pub(in crate::census) fn count(
        &self,
        grid: &Grid,
        pattern: u64,
        ranking: &Ranking,
        stop: &AtomicBool,
    ) -> Option<(Counters, u128)> {
        let (mut counters, mut total) = (Counters::new(ranking.count()), 0);
        self.transitions.for_each(grid, &self.slices, pattern, stop, |some| {
            let mut sum = 0;
            for (&set, &weight) in some.sets.iter().zip(&some.weights) {
                counters.add(ranking.rank(u64::from(set)), u64::from(weight));
                sum += u64::from(weight);
            }
            total += u128::from(sum);
            Some(())
        })?;
        Some((counters, total))
    }

    /// Returns the number of times that each packing is found: the number of orders of equal pieces.
    pub(in crate::census) const fn repeats(&self) -> u64 {
        self.repeats
    }
}
