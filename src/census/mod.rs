//! Counts the packings of every figure of a box at once.
//!
//! Instead of asking, figure by figure, in how many ways it can be built, all ways to place the
//! pieces inside the box are gone through together and counted by the set of cells they fill. The
//! box's subsets are split by the *pattern* they show on some of its cells; of patterns that are images of
//! each other under the box's symmetries one is looked at. The subsets with one pattern are a *shard*:
//! it needs counters for its own subsets only, and depends on no other. docs/census.md has the mathematics
//! and measurements.
//!
//! A figure is counted in its own box: those with sides a ≤ b ≤ c that fit in the box are taken one
//! after the other, and in each the subsets that touch all its faces.
//!
//! A [`Census`] is the question: the box, the set and the split. It is the same on every machine. A
//! [`Schedule`] is how it is answered with the threads and the memory there are.

mod accumulator;
mod backtracking;
mod cell_orbits;
mod completions;
mod counters;
mod disjoint;
mod error;
mod fixed;
mod grid;
mod halves;
mod join;
mod key;
mod own_box;
mod pattern;
mod placements;
mod rank;
mod schedule;
mod shard;
mod split;
mod stages;
mod totals;
mod transitions;

pub use error::{CensusError, bytes};
pub use schedule::{Method, Schedule};
pub use shard::ShardCounts;
pub use totals::{CensusTotals, ClassTotals};

use crate::enumerate::{KeyError, boxes_within};
use crate::figure::{Candidate, Figure, Identity};
use crate::pieces::PieceSet;
use crate::symmetry::Group;
use grid::{Grid, MOST_CELLS};
use own_box::OwnBox;
use placements::Placements;
use rank::binomial;
use rayon::prelude::*;
use shard::Tables;
use split::Split;
use stages::Stages;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A figure of a census with its numbers of packings.
///
/// Counts mean the same as those of [`crate::solve`]: equal pieces are indistinguishable, `rotation`
/// counts packings up to the figure's rotations, `unique` up to its reflections too if the set is
/// closed under them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FigureCounts {
    /// Its cells, by the numbers they have in their box; see [`Census::figure`].
    set: u64,
    /// Its symmetry group, among all 48 transforms, in its given orientation.
    pub group: Group,
    /// All packings.
    pub raw: u64,
    /// Packings up to rotation.
    pub rotation: u64,
    /// Packings up to rotation and reflection.
    pub unique: u64,
}

/// The number of positions in a box of a figure with a group, from that of its own box; see
/// [`Census::positions`].
fn positions(group: Group, shifts: u64, mirrored: bool) -> u64 {
    if mirrored {
        8 * shifts / group.order() as u64
    } else {
        4 * shifts / group.rotation_order() as u64
    }
}

/// The census of a box: which figures are counted, with which pieces, in which shards.
#[derive(Debug)]
pub struct Census {
    sides: [u32; 3],
    set: PieceSet,
    pattern_cells: usize,
    /// Largest first; the first is the box itself.
    boxes: Vec<OwnBox>,
}

impl Census {
    /// The census of all figures in a box that a set's pieces fill, split into shards that are fit for
    /// machines of 4 to 24 GiB and 2 to 16 processors.
    ///
    /// # Errors
    /// If the box has no cell or more than 56, or is too small for the pieces.
    pub fn new(sides: [u32; 3], set: &PieceSet) -> Result<Self, CensusError> {
        let (sides, split) = question(sides, set)?;
        Ok(Self::split(sides, set, default_pattern_cells(split, set)))
    }

    /// The same, split by a number of pattern cells; each further one makes about twice as many shards. If they are not
    /// whole orbits of cells under the box's symmetries, dynamic programming in stages is not possible.
    ///
    /// # Errors
    /// As [`Census::new`], and if the box cannot be split by this number of cells.
    pub fn with_pattern_cells(
        sides: [u32; 3],
        set: &PieceSet,
        pattern_cells: usize,
    ) -> Result<Self, CensusError> {
        let (sides, split) = question(sides, set)?;
        let possible = split.possible();
        if !possible.contains(&pattern_cells) {
            let (least, most) = possible.into_inner();
            return Err(CensusError::Split { sides, pattern_cells, least, most });
        }
        Ok(Self::split(sides, set, pattern_cells))
    }

    /// Splits the boxes that fit in the box, smaller ones as by default.
    fn split(sides: [u32; 3], set: &PieceSet, pattern_cells: usize) -> Self {
        let cells = set.total_cells();
        let whole = sides.map(|side| side as i32);
        let volume = |own: &[i32; 3]| own.iter().product::<i32>();
        let mut within: Vec<[i32; 3]> =
            boxes_within(sides).filter(|own| volume(own) as usize >= cells).collect();
        within.sort_by_key(|own| (std::cmp::Reverse(volume(own)), *own));
        let own_box = |own: [i32; 3]| {
            let by_default = || default_pattern_cells(Split { sides: own, cells }, set);
            OwnBox::new(own, set, if own == whole { pattern_cells } else { by_default() })
        };
        let boxes = within.into_par_iter().map(own_box).collect();
        Self { sides, set: set.clone(), pattern_cells, boxes }
    }

    /// Reads a key, for the set that it names.
    ///
    /// # Errors
    /// If the text is not a key, or the census of another version or set, or cannot be made.
    pub fn of_key(key: &str, set: &PieceSet) -> Result<Self, KeyError> {
        let malformed = || KeyError::Malformed(key.to_owned());
        let (sides, split) = key::split_of(key).ok_or_else(malformed)?;
        let census = Self::with_pattern_cells(sides, set, split);
        let census = census.map_err(|error| KeyError::Invalid(error.to_string()))?;
        KeyError::check(key, census.key()).map(|()| census)
    }

    /// Reads the sides of the box from a key, ascending.
    pub(crate) fn sides_in_key(key: &str) -> Option<[u32; 3]> {
        key::split_of(key).map(|(sides, _)| sides)
    }

    /// The sides of the box, in cells, ascending.
    #[must_use]
    pub const fn sides(&self) -> [u32; 3] {
        self.sides
    }

    /// The pieces.
    #[must_use]
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// The number of pattern cells that the box is split by.
    #[must_use]
    pub const fn pattern_cells(&self) -> usize {
        self.pattern_cells
    }

    /// The question in one line: box, pieces and split, and the version of the algorithm that makes the
    /// shards, such as `census/1 box=3x3x4 set=V+L+T+Z+A+B+P split=16`. Censuses with the same key have the
    /// same shards with the same figures in the same order, on every machine.
    #[must_use]
    pub fn key(&self) -> String {
        key::key(self.sides, &self.set, self.pattern_cells)
    }

    /// The number of shards, which are independent of each other.
    #[must_use]
    pub fn shards(&self) -> usize {
        self.boxes.iter().map(OwnBox::shards).sum()
    }

    /// Chooses how to make the census on at most `threads` threads with at most `allowed` bytes of memory.
    ///
    /// # Errors
    /// If the memory does not suffice for one thread.
    pub fn schedule(&self, threads: usize, allowed: u64) -> Result<Schedule<'_>, CensusError> {
        Schedule::new(self, 0..self.shards(), threads, allowed)
    }

    /// The same for some shards only: how to do these soonest.
    ///
    /// # Errors
    /// As [`Census::schedule`].
    pub fn schedule_of(
        &self,
        shards: Range<usize>,
        threads: usize,
        allowed: u64,
    ) -> Result<Schedule<'_>, CensusError> {
        Schedule::new(self, shards, threads, allowed)
    }

    /// The number of subsets of its box that a shard stands for: its own and those of its pattern's images.
    #[must_use]
    pub fn subsets(&self, shard: usize) -> u64 {
        let (own, within) = self.locate(shard);
        let own_box = &self.boxes[own];
        own_box.subsets(within) * own_box.grid.images(own_box.pattern(within))
    }

    /// The number of subsets of its box that a shard itself goes through.
    #[must_use]
    pub fn shard_subsets(&self, shard: usize) -> u64 {
        let (own, within) = self.locate(shard);
        self.boxes[own].subsets(within)
    }

    /// The sum of [`Census::subsets`] over shards.
    #[must_use]
    pub fn subsets_in(&self, shards: Range<usize>) -> u64 {
        let sums = self.boxes.iter().zip(self.ranges()).map(|(own_box, all)| {
            let some = shards.start.max(all.start)..shards.end.min(all.end);
            if some == all { own_box.all_subsets() } else { some.map(|n| self.subsets(n)).sum() }
        });
        sums.sum()
    }

    /// The box of a shard's figures, a ≤ b ≤ c.
    #[must_use]
    pub fn own_box(&self, shard: usize) -> [u32; 3] {
        self.own(shard).grid.sides.map(|s| s as u32)
    }

    /// A figure of a shard, in the orientation of its own box.
    #[must_use]
    pub fn figure(&self, shard: usize, counts: &FigureCounts) -> Figure {
        self.own(shard).grid.figure(counts.set)
    }

    /// A figure of a shard with its group, to be told apart from others up to the transforms that matter for
    /// the set; its canonical form is computed when it is needed.
    #[must_use]
    pub fn candidate(&self, shard: usize, counts: &FigureCounts) -> Candidate {
        let figure = self.figure(shard, counts);
        Candidate::with_group(figure, counts.group, Identity::for_set(&self.set))
    }

    /// |black − white| cells of a figure of a shard.
    #[must_use]
    pub fn color_difference(&self, shard: usize, counts: &FigureCounts) -> u32 {
        self.own(shard).grid.color_difference(counts.set)
    }

    /// The number of positions of a figure of a shard in the whole box: of the subsets that are
    /// this figure (for a set that is not closed under reflection, not counting its mirror image).
    #[must_use]
    pub fn positions(&self, shard: usize, counts: &FigureCounts) -> u64 {
        positions(counts.group, self.shifts(shard), self.set.is_mirror_closed())
    }

    /// The number of subsets of the box that have as many cells as the pieces.
    #[must_use]
    pub fn total_subsets(&self) -> u128 {
        let volume: u32 = self.sides.iter().product();
        binomial(volume as usize, self.set.total_cells())
    }

    fn own(&self, shard: usize) -> &OwnBox {
        &self.boxes[self.locate(shard).0]
    }

    /// The shards of each box.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.boxes.iter().scan(0, |end, own| {
            let start = *end;
            *end += own.shards();
            Some(start..*end)
        })
    }

    /// The number of a shard's box, and its number among the shards of this box.
    fn locate(&self, shard: usize) -> (usize, usize) {
        let known = self.ranges().enumerate().find(|(_, range)| range.contains(&shard));
        let (own, range) = known.expect("the number of a shard of this census");
        (own, shard - range.start)
    }

    /// The ways to shift a shard's own box inside the whole one, turned all ways.
    fn shifts(&self, shard: usize) -> u64 {
        let own = self.own_box(shard);
        let orders =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|order| {
                let room = |axis: usize| {
                    u64::from((self.sides[axis] + 1).saturating_sub(own[order[axis]]))
                };
                (0..3).map(room).product::<u64>()
            });
        orders.iter().sum()
    }

    /// Counts a shard; `None` if `stop` is set.
    fn count<'a>(
        &'a self,
        shard: usize,
        tables: &Tables,
        stop: &'a AtomicBool,
    ) -> Option<ShardCounts<'a>> {
        let (own, within) = self.locate(shard);
        let own_box = &self.boxes[own];
        let place = (own == 0, self.shifts(shard));
        ShardCounts::new(own_box, tables, own_box.pattern(within), place, stop)
    }
}

/// The number of pattern cells that suits dynamic programming, if this is an ordinary machine's method for the
/// box, else the search.
fn default_pattern_cells(split: Split, set: &PieceSet) -> usize {
    // How many sets are kept does not depend on the split.
    let grid = Grid::new(split.sides, 0, set.is_mirror_closed());
    let placements = Placements::new(&grid, set);
    let stages = Stages::new(&grid, &placements, split.cells);
    let are_few = stages.is_some_and(|stages| stages.are_few());
    let for_stages = if are_few { split.for_stages() } else { None };
    for_stages.unwrap_or_else(|| split.for_search())
}

/// The sides in ascending order, and what is to be split.
fn question(mut sides: [u32; 3], set: &PieceSet) -> Result<([u32; 3], Split), CensusError> {
    let volume = sides.iter().map(|&s| u128::from(s)).product::<u128>();
    if volume == 0 || volume > MOST_CELLS as u128 {
        return Err(CensusError::Volume { sides, volume });
    }
    sides.sort_unstable();
    let cells = set.total_cells();
    if cells == 0 {
        return Err(CensusError::NoPieces);
    }
    if cells as u128 > volume {
        return Err(CensusError::TooSmall { sides, volume, cells });
    }
    Ok((sides, Split { sides: sides.map(|side| side as i32), cells }))
}
