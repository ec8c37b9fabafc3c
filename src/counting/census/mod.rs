//! Counts the packings of every figure of a box at once.
//!
//! A census does not count figure by figure. It goes through all ways to place the pieces inside the box together
//! and counts them by the set of cells they fill. The box's subsets are split by the *pattern* they show on some of
//! its cells. Of patterns that are images of each other under the box's symmetries, one is considered. The subsets
//! with one pattern are a *shard*. It needs counters for its own subsets only, and depends on no other shard.
//! docs/census.md has an overview and times.
//!
//! A figure is counted in its own box. The census handles the boxes with sides a ≤ b ≤ c that fit in the box one
//! after the other. In each it counts the subsets that touch all its faces.
//!
//! A [`Census`] is the question: the box, the set and the split. It is the same on every machine. A [`Schedule`] is
//! the way to answer it with the available threads and memory.
//!
//! # Three methods
//!
//! Each fills the counters of a shard, one for every subset, and all give the same numbers.
//!
//! *Dynamic programming* (`dynamic_programming/`) places the pieces in stages. Very many packings of the first pieces
//! fill the same cells and continue alike, so a stage keeps only the sets of cells that its pieces fill, with numbers of
//! packings. It is the first choice: a pair of a set and a placement costs one step, and stands for many packings. But
//! all sets of a stage are in memory, at 8 bytes each. So it takes boxes with at most 2^29 of these sets up to symmetry,
//! which are boxes in which few cells stay empty, such as 3×3×4 and 2×3×6.
//!
//! *Meet in the middle* (`meet_in_the_middle/`) lists the sets that one half of the pieces fills, and those of the other
//! half. A packing is a disjoint pair of them. It is the choice for larger boxes, such as 2×4×5 and 3×4×4, if each half
//! has less than 2^32 packings. The pairs are many, but 256 are tested at a time. Memory is that of the two lists, up to
//! 30 bytes for each set, whatever the number of packings in the box is.
//!
//! *Search* (`search/`) visits every packing: the first pieces one after the other, and the last three at once, from
//! lists. It takes a step for each packing and hardly more memory than the counters. It takes over where the other two
//! need more memory than there is, and where dynamic programming meets a number of packings of more than 32 bits.
//!
//! The first two build their tables for a whole box. So they are chosen only if the wanted shards have enough of its
//! subsets: one in 256 for dynamic programming, one in 64 to meet in the middle. `schedule.rs` has these rules. As
//! threads need memory too, it gives up some of them before it gives up a faster method.
//!
//! # Where to find what
//!
//! * `boxes/`: a box with its cells and symmetries, its patterns, the split into shards, and all placements of the
//!   pieces; `bounding_box.rs` joins these with what each method needs.
//! * `sets/`: what the methods share. Sets of open cells are numbered (`rank.rs`) and counted (`counters.rs`), gathered
//!   (`accumulator.rs`), and compared many at a time (`disjoint.rs`).
//! * `shard.rs` counts a shard with any of the methods. `figures/` says which of its sets represent figures, with counts
//!   up to symmetry (`fixed.rs`, `figure_counts.rs`) and totals.
//! * `schedule.rs` chooses method, threads and memory; `key.rs` names the question in a line.
//!
//! # Example
//!
//! V and P have 7 cells. The box 2×2×2 has 8 subsets of 7 cells, each the box without a corner, and all are one figure.
//! It has three packings, so the box has 24.
//!
//! ```
//! use somacat_counting::census::Census;
//! use somacat_geometry::pieces::parse_set;
//! use std::sync::atomic::AtomicBool;
//!
//! let census = Census::new([2, 2, 2], &parse_set("V P").expect("a set"))?;
//! let schedule = census.schedule(1, 1 << 30)?;
//! let stop = AtomicBool::new(false);
//! let totals = schedule.totals(0..census.shards(), &stop, &mut |_| ()).expect("nothing stops it");
//! assert_eq!((totals.subsets, totals.figures(), totals.most()), (8, 1, 3));
//! assert_eq!((totals.packings, totals.direct), (24, 24));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounding_box;
mod boxes;
mod dynamic_programming;
mod error;
mod figures;
mod key;
mod meet_in_the_middle;
mod method_bytes;
mod schedule;
mod search;
mod sets;
mod shard;

pub use error::{CensusError, bytes};
pub use figures::figure_counts::FigureCounts;
pub use figures::totals::{CensusTotals, ClassTotals};
pub use schedule::{Method, Schedule};
pub use shard::ShardCounts;

use crate::enumerate::KeyError;
use crate::parallel;
use bounding_box::BoundingBox;
use boxes::grid::{Grid, MAX_CENSUS_CELLS};
use boxes::placements::BoxPlacements;
use boxes::split::Split;
use dynamic_programming::stages::Stages;
use sets::rank::binomial;
use shard::MethodTables;
use somacat_geometry::boxes::{box_volume, boxes_that_hold};
use somacat_geometry::figure::{Candidate, Equivalence, Figure};
use somacat_geometry::pieces::PieceSet;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The census of a box: its figures, pieces and shards.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_geometry::pieces::PieceSet;
///
/// // A census of 3×3×4 counts the packings of all its subsets of 27 cells.
/// let census = Census::new([3, 4, 3], &PieceSet::soma(1))?;
/// assert_eq!(census.total_subsets(), 94_143_280);
/// assert_eq!(census.key(), "census/1 box=3x3x4 set=V+L+T+Z+A+B+P split=16");
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Debug)]
pub struct Census {
    sides: [u32; 3],
    set: PieceSet,
    pattern_cells: usize,
    /// Largest first; the first is the box itself.
    boxes: Vec<BoundingBox>,
}

impl Census {
    /// Prepares the census of a box with the pieces of a set. The sides are in cells, in any order.
    ///
    /// The split into shards suits machines of 4 to 24 GiB and 2 to 16 processors.
    ///
    /// # Errors
    /// Fails if the box has no cell or more than 56, or is too small for the pieces.
    pub fn new(sides: [u32; 3], set: &PieceSet) -> Result<Self, CensusError> {
        let (sides, split) = validate_question(sides, set)?;
        Ok(Self::split(sides, set, default_pattern_cells(split, set)))
    }

    /// Prepares a census with a given number of pattern cells.
    ///
    /// Each further cell makes about twice as many shards. If the cells are not whole orbits under the box's
    /// symmetries, dynamic programming in stages is not possible.
    ///
    /// # Errors
    /// Fails like [`Census::new`], or if the box cannot be split by this number of cells.
    pub fn with_pattern_cells(
        sides: [u32; 3],
        set: &PieceSet,
        pattern_cells: usize,
    ) -> Result<Self, CensusError> {
        let (sides, split) = validate_question(sides, set)?;
        let possible = split.possible();
        if !possible.contains(&pattern_cells) {
            let (least, most) = possible.into_inner();
            return Err(CensusError::Split { sides, pattern_cells, least, most });
        }
        Ok(Self::split(sides, set, pattern_cells))
    }

    /// Splits the boxes that fit in the box. The given number of pattern cells is for the box itself; smaller ones have
    /// their default.
    fn split(sides: [u32; 3], set: &PieceSet, pattern_cells: usize) -> Self {
        let cells = set.total_cells();
        let whole = sides.map(|side| side as i32);
        let mut within: Vec<[i32; 3]> = boxes_that_hold(sides, cells).collect();
        within.sort_by_key(|own| (std::cmp::Reverse(box_volume(*own)), *own));
        let bounding_box = |own: [i32; 3]| {
            let by_default = || default_pattern_cells(Split { sides: own, cells }, set);
            BoundingBox::new(own, set, if own == whole { pattern_cells } else { by_default() })
        };
        let boxes = parallel::map(within.len(), |at| bounding_box(within[at]));
        Self { sides, set: set.clone(), pattern_cells, boxes }
    }

    /// Parses the key of a census with this set.
    ///
    /// # Errors
    /// If the text is not a key, is the key of another version or another set, or the census is not possible.
    pub fn from_key(key: &str, set: &PieceSet) -> Result<Self, KeyError> {
        let malformed = || KeyError::Malformed(key.to_owned());
        let (sides, split) = key::split_of(key).ok_or_else(malformed)?;
        let census = Self::with_pattern_cells(sides, set, split);
        let census = census.map_err(|error| KeyError::Invalid(error.to_string()))?;
        KeyError::check(key, census.key()).map(|()| census)
    }

    /// Parses the sides of the box of a key, ascending.
    pub fn sides_in_key(key: &str) -> Option<[u32; 3]> {
        key::split_of(key).map(|(sides, _)| sides)
    }

    /// Returns the sides of the box, in cells, ascending.
    pub const fn sides(&self) -> [u32; 3] {
        self.sides
    }

    /// Returns the pieces.
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// Returns the question in one line: box, pieces, split and algorithm version.
    ///
    /// An example is `census/1 box=3x3x4 set=V+L+T+Z+A+B+P split=16`. Censuses with the same key have the same
    /// shards with the same figures in the same order, on every machine.
    pub fn key(&self) -> String {
        key::key(self.sides, &self.set, self.pattern_cells)
    }

    /// Returns the number of shards, which are independent of each other. They are numbered from 0, through all boxes
    /// within the box, the largest first.
    pub fn shards(&self) -> usize {
        self.boxes.iter().map(BoundingBox::shards).sum()
    }

    /// Returns the number of subsets of its box that a shard represents.
    ///
    /// These are its own and those of its pattern's images.
    pub fn subsets(&self, shard: usize) -> u64 {
        let (own, within) = self.locate(shard);
        let bounding_box = &self.boxes[own];
        bounding_box.subsets(within) * bounding_box.grid.images(bounding_box.pattern(within))
    }

    /// Returns the number of subsets that a shard itself contains.
    pub fn shard_subsets(&self, shard: usize) -> u64 {
        let (own, within) = self.locate(shard);
        self.boxes[own].subsets(within)
    }

    /// Estimates the number of figures of a shard: its subsets divided by the number of the box's symmetries.
    ///
    /// The estimate neglects that some figures have symmetries, and that some subsets do not touch all faces of the
    /// box.
    pub fn approximate_figures(&self, shard: usize) -> f64 {
        self.subsets(shard) as f64 / self.own(shard).grid.usable().count() as f64
    }

    /// Estimates the packings of each shard's own sets, in the order of the shards. Each box's packings are estimated
    /// and spread evenly over its subsets.
    pub fn approximate_packings(&self) -> impl Iterator<Item = f64> + '_ {
        self.boxes.iter().flat_map(|own| {
            let share = own.placements.estimated_packings() / own.all_subsets() as f64;
            (0..own.shards()).map(move |shard| share * own.subsets(shard) as f64)
        })
    }

    /// Returns the sum of [`Census::subsets`] over a range of shards. It is fast for whole boxes.
    pub fn subsets_in(&self, shards: Range<usize>) -> u64 {
        let sums = self.boxes.iter().zip(self.ranges()).map(|(bounding_box, all)| {
            let some = shards.start.max(all.start)..shards.end.min(all.end);
            if some == all {
                bounding_box.all_subsets()
            } else {
                some.map(|n| self.subsets(n)).sum()
            }
        });
        sums.sum()
    }

    /// Returns the box of a shard's figures, a ≤ b ≤ c.
    pub fn bounding_box(&self, shard: usize) -> [u32; 3] {
        self.own(shard).grid.sides.map(|s| s as u32)
    }

    /// Returns a figure of a shard, oriented as its own box.
    pub fn figure(&self, shard: usize, counts: &FigureCounts) -> Figure {
        self.own(shard).grid.figure(counts.set)
    }

    /// Returns a figure of a shard as a candidate, with its group.
    ///
    /// It is compared with others up to the transforms that matter for the set. Its canonical form is computed on
    /// demand.
    pub fn candidate(&self, shard: usize, counts: &FigureCounts) -> Candidate {
        let figure = self.figure(shard, counts);
        Candidate::with_group(figure, counts.group, Equivalence::for_set(&self.set))
    }

    /// Returns the number of the box's subsets that have as many cells as the pieces, whether they are buildable or
    /// not.
    pub fn total_subsets(&self) -> u128 {
        let volume: u32 = self.sides.iter().product();
        binomial(volume as usize, self.set.total_cells())
    }

    fn own(&self, shard: usize) -> &BoundingBox {
        &self.boxes[self.locate(shard).0]
    }

    /// Returns the range of shards of each box, in order.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.boxes.iter().scan(0, |end, own| {
            let start = *end;
            *end += own.shards();
            Some(start..*end)
        })
    }

    /// Returns the number of a shard's box, and the shard's number within this box.
    fn locate(&self, shard: usize) -> (usize, usize) {
        let known = self.ranges().enumerate().find(|(_, range)| range.contains(&shard));
        let (own, range) = known.expect("the number of a shard of this census");
        (own, shard - range.start)
    }

    /// Counts the positions of a shard's own box in the whole one, summed over the six orders of the axes. See
    /// [`figure_counts::positions`].
    fn box_positions(&self, shard: usize) -> u64 {
        let own = self.bounding_box(shard);
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
        tables: &MethodTables,
        stop: &'a AtomicBool,
    ) -> Option<ShardCounts<'a>> {
        let (own, within) = self.locate(shard);
        let bounding_box = &self.boxes[own];
        let place = (own == 0, self.box_positions(shard));
        ShardCounts::new(bounding_box, tables, bounding_box.pattern(within), place, stop)
    }
}

/// Returns the default number of pattern cells. It suits dynamic programming if an ordinary machine uses that for
/// the box, else the search.
fn default_pattern_cells(split: Split, set: &PieceSet) -> usize {
    // The number of sets kept does not depend on the split.
    let grid = Grid::new(split.sides, 0, set.is_mirror_closed());
    let placements = BoxPlacements::new(&grid, set);
    let stages = Stages::new(&grid, &placements, split.cells);
    let are_few = stages.is_some_and(|stages| stages.are_few());
    let for_stages = if are_few { split.for_stages() } else { None };
    for_stages.unwrap_or_else(|| split.for_search())
}

/// Checks the question. Returns the sides in ascending order and the split.
fn validate_question(
    mut sides: [u32; 3],
    set: &PieceSet,
) -> Result<([u32; 3], Split), CensusError> {
    let volume = sides.iter().map(|&s| u128::from(s)).product::<u128>();
    if volume == 0 || volume > MAX_CENSUS_CELLS as u128 {
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
