//! One shard of a census: the sets with one pattern, with their packings, read out figure by figure.
//!
//! Each method fills counters by rank, and all differ in what a counter means. The search counts packings of the set
//! itself, each once or several times; if it tries only one placement of each orbit, and likewise after stages, the
//! packings of a figure are a sum over the images of its set. [`ShardPackings`] notes which, so that reading is the
//! same for all.

use super::bounding_box::BoundingBox;
use crate::census::boxes::grid::{BoxSymmetry, Multiplicity};
use crate::census::boxes::pattern::PatternSymmetries;
use crate::census::boxes::placements::{BoxPlacements, ones};
use crate::census::dynamic_programming::stages::LastStage;
use crate::census::figures::figure_counts::{FigureCounts, positions};
use crate::census::figures::figure_numbers::figure_numbers;
use crate::census::figures::representatives::{Representative, Representatives};
use crate::census::figures::totals::{CensusTotals, TotalsBuilder};
use crate::census::meet_in_the_middle::join::Join;
use crate::census::search::backtracking::Backtracking;
use crate::census::search::completions::{CompletionLevels, Completions};
use crate::census::sets::counters::Counters;
use crate::census::sets::rank::Ranking;
use crate::parallel::Spares;
use rustc_hash::FxHashMap;
use somacat_geometry::symmetry::Group;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tables built once for all shards of a box, by method.
pub(super) enum MethodTables {
    Stages(LastStage),
    Join(Join),
    Search(SearchTables),
}

/// The lists of completions, and workspaces for copies of them.
pub(super) struct SearchTables {
    completions: Completions,
    workspaces: Spares<CompletionLevels>,
}

impl SearchTables {
    /// Builds the lists for a box; `None` if `stop` is set.
    pub(super) fn new(own: &BoundingBox, stop: &AtomicBool) -> Option<Self> {
        let completions = Completions::new(&own.grid, &own.placements, &own.last_pieces, stop)?;
        Some(Self { completions, workspaces: Spares::default() })
    }
}

/// The counts of all figures of a shard.
///
/// ```
/// use somacat_counting::census::{Census, ShardCounts};
/// use somacat_geometry::pieces::parse_set;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // Of the figures of eleven cells in 2×3×3, this one has the most packings with V, L and T.
/// let census = Census::new([2, 3, 3], &parse_set("V L T").unwrap())?;
/// let (schedule, stop) = (census.schedule(1, 1 << 30)?, AtomicBool::new(false));
/// let best = |shard: usize, counts: &ShardCounts<'_>| {
///     let mut best = None;
///     counts.for_each_solvable(|figure| {
///         let signature = census.candidate(shard, &figure).signature().to_string();
///         best = best.take().max(Some((figure.raw, signature)));
///     });
///     best
/// };
/// let mut best_of_all = None;
/// let _ = schedule.for_each_shard(0..census.shards(), &stop, best, &mut |_, best| {
///     best_of_all = best_of_all.take().max(best);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(best_of_all, Some((6, "s1-2x3x3-cvk5".to_owned())));
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Debug)]
pub struct ShardCounts<'a> {
    own: &'a BoundingBox,
    /// The pattern as a mask of cells.
    pattern: u64,
    /// True if the shard's own box is that of the census.
    is_whole: bool,
    /// The number of positions of the box in the whole one. See [`positions`].
    box_positions: u64,
    ranking: Ranking,
    packings: ShardPackings,
    /// By rank of a set, the sum of the numbers of packings that its symmetries fix, over transforms that move some
    /// cell. Sets without fixed packings are missing.
    fixed: FxHashMap<u32, Multiplicity>,
    stop: &'a AtomicBool,
}

/// The packings of a shard's sets, by rank.
#[derive(Debug)]
struct ShardPackings {
    counters: Counters,
    /// True if the packings of a set are the sum of the counters of the set and its images under the symmetries that
    /// keep the pattern, divided by `times`.
    adds_images: bool,
    /// The number of times that each packing was counted, in one counter or in the sum.
    times: u64,
    /// The packings of all sets of the shard, each counted once.
    total: u128,
}

impl<'a> ShardCounts<'a> {
    /// Counts all packings of a shard; `None` if `stop` is set.
    pub(super) fn new(
        own: &'a BoundingBox,
        tables: &MethodTables,
        pattern: u64,
        (is_whole, box_positions): (bool, u64),
        stop: &'a AtomicBool,
    ) -> Option<Self> {
        let filled = own.cells - pattern.count_ones() as usize;
        let ranking = Ranking::new(own.grid.open, filled);
        let symmetries = own.grid.pattern_symmetries(pattern);
        let packings = match tables {
            MethodTables::Stages(last) => {
                let usable = symmetries.usable.len();
                ShardPackings::of_last_stage(own, last, pattern, &ranking, usable, stop)
            }
            MethodTables::Join(join) => ShardPackings::of_join(join, pattern, &ranking, stop),
            MethodTables::Search(tables) => {
                let usable = &symmetries.usable;
                ShardPackings::of_search(own, tables, pattern, &ranking, usable, stop)
            }
        }?;
        let fixed = fixed_packings(own, &symmetries, pattern, &ranking, stop)?;
        Some(Self { own, pattern, is_whole, box_positions, ranking, packings, fixed, stop })
    }

    /// Returns the packings of all sets that the shard represents.
    ///
    /// The number comes from the counting itself, not from the figures, so it can be compared with them. For a smaller
    /// box than that of the census it is 0: these packings are counted in the larger one too.
    pub fn packings(&self) -> u128 {
        let images = || u128::from(self.own.grid.images(self.pattern));
        if self.is_whole { self.packings.total * images() } else { 0 }
    }

    /// Visits every figure whose own box is this one.
    ///
    /// Of the sets that are images of each other, visits the one with the least mask, in the order of the masks.
    /// The result does not depend on the method, the memory or the number of threads. Ends when the census is
    /// stopped.
    pub fn for_each(&self, mut visit: impl FnMut(FigureCounts)) {
        let mut sets = self.representatives();
        for run in self.ranking.runs().take_while(|_| !self.stop.load(Ordering::Relaxed)) {
            sets.begin(run.upper);
            for (rank, lower) in run.lower() {
                if let Some(found) = sets.test(lower) {
                    let mut sum = self.packings.counters.get(rank);
                    if self.packings.adds_images {
                        let of_image = |open| self.packings.counters.get(self.ranking.rank(open));
                        sum += sets.images().map(of_image).sum::<u64>();
                    }
                    visit(self.figure(&sets, found, rank, sum));
                }
            }
        }
    }

    /// Visits the figures with a packing, in the same order.
    pub fn for_each_solvable(&self, mut visit: impl FnMut(FigureCounts)) {
        let mut sets = self.representatives();
        if self.packings.adds_images && sets.images().next().is_some() {
            return self.for_each(|figure| {
                if figure.raw > 0 {
                    visit(figure);
                }
            });
        }
        for run in self.ranking.runs().take_while(|_| !self.stop.load(Ordering::Relaxed)) {
            sets.begin(run.upper);
            self.packings.counters.for_each_above_zero(run.ranks(), |rank, sum| {
                if let Some(found) = sets.test(run.lower_of(rank)) {
                    visit(self.figure(&sets, found, rank, sum));
                }
            });
        }
    }

    fn representatives(&self) -> Representatives<'_> {
        Representatives::new(&self.own.grid, self.pattern)
    }

    /// Returns the counts of a figure whose packings were counted as `sum`.
    #[inline]
    fn figure(
        &self,
        sets: &Representatives<'_>,
        found: Representative,
        rank: usize,
        sum: u64,
    ) -> FigureCounts {
        // The division takes longer than all the rest.
        let raw = if self.packings.times == 1 { sum } else { sum / self.packings.times };
        let group = sets.group(found);
        let mut counts = FigureCounts { set: found.set, group, raw, rotation: raw, unique: raw };
        if found.is_symmetric {
            let identity = self.own.grid.symmetries[0].multiplicity();
            let fixed = self.fixed.get(&(rank as u32)).copied().unwrap_or_default();
            counts.rotation =
                (raw * identity.rotations + fixed.rotations) / group.rotation_order() as u64;
            counts.unique = if self.own.mirrored {
                (raw * identity.all + fixed.all) / group.order() as u64
            } else {
                counts.rotation
            };
        }
        counts
    }

    /// Returns the totals and histogram of the shard.
    pub fn totals(&self) -> CensusTotals {
        let BoundingBox { cells, color_sums, mirrored, .. } = self.own;
        let positions = |group| positions(group, self.box_positions, *mirrored);
        let mut builder = TotalsBuilder::new(self.packings(), positions(Group::TRIVIAL));
        let sets = self.representatives();
        if sets.are_all() {
            self.packings.counters.tally(|sum, figures| {
                let raw = sum / self.packings.times;
                builder.add_figures((sets.asymmetric, raw), figures, positions);
            });
        } else {
            self.for_each_solvable(|figure| {
                builder.add_figures((figure.group, figure.raw), 1, positions);
            });
        }
        for (group, numbers) in figure_numbers(&sets, *cells, color_sums) {
            builder.block(group, numbers.blocked);
            let unsolvable = numbers.figures - builder.figures(group);
            builder.add_figures((group, 0), unsolvable, positions);
        }
        builder.finish()
    }
}

impl ShardPackings {
    /// Counts with the last stage of dynamic programming. `keeping` is the number of symmetries that keep the pattern.
    fn of_last_stage(
        own: &BoundingBox,
        last: &LastStage,
        pattern: u64,
        ranking: &Ranking,
        keeping: usize,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let (counters, total) = last.count(&own.grid, pattern, ranking, stop)?;
        let times = last.repeats() * own.grid.usable().count() as u64;
        // The sum is that of the packings of all sets whose pattern is an image of this one.
        let total = total * keeping as u128 / u128::from(times);
        Some(Self { counters, adds_images: true, times, total })
    }

    /// Joins the sets of two halves of the pieces.
    fn of_join(join: &Join, pattern: u64, ranking: &Ranking, stop: &AtomicBool) -> Option<Self> {
        let (counters, total) = join.count(pattern, ranking, stop)?;
        let total = total / u128::from(join.repeats);
        Some(Self { counters, adds_images: false, times: join.repeats, total })
    }

    /// Visits all packings. If symmetries keep the pattern, one piece is placed in only one position of each orbit of
    /// its placements. It occurs once and, with reflections, is its own mirror image. Packings then count as often as
    /// the orbit has placements. So the sum over a set's images is the number of packings of all of them.
    fn of_search(
        own: &BoundingBox,
        tables: &SearchTables,
        pattern: u64,
        ranking: &Ranking,
        keeping: &[&BoxSymmetry],
        stop: &AtomicBool,
    ) -> Option<Self> {
        let BoundingBox { grid, placements, last_pieces, .. } = own;
        let row = placements.avoiding(grid.pattern_cells() & !pattern);
        let place = (grid.open_cells(), pattern, row.clone());
        let completions = &tables.completions;
        let new = || CompletionLevels::new(completions, last_pieces.levels());
        let mut levels = tables.workspaces.take(new);
        let lists = (completions, &mut levels);
        let mut search = Backtracking::new(placements, last_pieces, lists, ranking, place, stop);
        let kind = placements.reducible(keeping, &last_pieces.first);
        let kind = kind.filter(|_| keeping.len() > 1);
        if let Some(kind) = kind {
            for (placement, images) in orbits(placements, kind, &row, keeping) {
                search.run_with(pattern, kind, placement, images);
            }
        } else {
            search.run(pattern);
        }
        let Backtracking { counters, total, stopped, .. } = search;
        tables.workspaces.put_back(levels);
        let images = if kind.is_some() { keeping.len() as u64 } else { 1 };
        let repeats = last_pieces.repeats;
        let total = total / u128::from(repeats);
        let packings =
            Self { counters, total, adds_images: kind.is_some(), times: repeats * images };
        (!stopped).then_some(packings)
    }
}

/// Returns representatives of a kind's placements, with their numbers of images.
fn orbits(
    placements: &BoxPlacements,
    kind: usize,
    row: &[u64],
    symmetries: &[&BoxSymmetry],
) -> Vec<(usize, u32)> {
    let mut representatives = Vec::new();
    for word in placements.kinds[kind].words.clone() {
        for placement in ones(row[word]).map(|bit| word * 64 + bit) {
            let mask = placements.masks[placement];
            let mut images: Vec<u64> = symmetries.iter().map(|s| s.apply(mask)).collect();
            images.sort_unstable();
            images.dedup();
            if images[0] == mask {
                representatives.push((placement, images.len() as u32));
            }
        }
    }
    representatives
}

/// Counts the fixed packings of a shard's sets, by rank. Returns `None` if `stop` is set.
fn fixed_packings(
    own: &BoundingBox,
    symmetries: &PatternSymmetries<'_>,
    pattern: u64,
    ranking: &Ranking,
    stop: &AtomicBool,
) -> Option<FxHashMap<u32, Multiplicity>> {
    let bare = own.grid.pattern_cells() & !pattern;
    let open = own.grid.open_cells();
    let mut sums: FxHashMap<u32, Multiplicity> = FxHashMap::default();
    for packings in &own.fixed {
        let symmetry = &own.grid.symmetries[packings.symmetry];
        let mut matter = symmetries.usable.iter().chain(&symmetries.crossing);
        if !matter.any(|s| s.transform == symmetry.transform) {
            continue;
        }
        let transforms = symmetry.multiplicity();
        let flow = packings.for_each(pattern, bare, stop, &mut |set| {
            let sum = sums.entry(ranking.rank(set & open) as u32).or_default();
            sum.rotations += transforms.rotations;
            sum.all += transforms.all;
        });
        flow.continue_value()?;
    }
    Some(sums)
}
