//! A box with all data for its census, by any method.

use super::method_bytes::MethodBytes;
use crate::census::boxes::grid::Grid;
use crate::census::boxes::placements::BoxPlacements;
use crate::census::dynamic_programming::stages::Stages;
use crate::census::figures::fixed::FixedPackings;
use crate::census::meet_in_the_middle::halves::Halves;
use crate::census::meet_in_the_middle::join::Join;
use crate::census::search::completions::LastPieces;
use crate::census::sets::rank::{Ranking, binomial, orbits_at_most};
use somacat_geometry::pieces::PieceSet;
use std::cmp::Reverse;

/// Maximum number of shards whose symmetries are examined to estimate the figures of the largest shard.
const MAX_EXAMINED_SHARDS: usize = 1000;

/// A box whose figures are counted: those that touch all its faces.
#[derive(Debug)]
pub(super) struct BoundingBox {
    pub(super) grid: Grid,
    pub(super) placements: BoxPlacements,
    /// The stages for dynamic programming. `None` if an orbit of cells is cut, so that a symmetry can map pattern cells
    /// to open ones, or if too many sets would have to be kept.
    pub(super) stages: Option<Stages>,
    /// The halves of the pieces, to meet in the middle. `None` if there are stages, or half the pieces have too many
    /// packings.
    pub(super) halves: Option<Halves>,
    /// The pieces that the search takes from lists. The search is always possible.
    pub(super) last_pieces: LastPieces,
    /// The packings that symmetries fix, for each symmetry other than the identity that can fix any.
    pub(super) fixed: Vec<FixedPackings>,
    /// The number of cells of the pieces, and so of each set that is counted.
    pub(super) cells: usize,
    /// The possible differences between the numbers of black and white cells of a packing, ascending.
    pub(super) color_sums: Vec<u32>,
    /// True if mirror images of packings are packings.
    pub(super) mirrored: bool,
    /// The patterns to consider, one for each shard: those with the most subsets first, then ascending.
    patterns: Vec<u32>,
    /// By the number of filled cells of a pattern, the number of subsets that show it.
    subsets: Vec<u64>,
}

impl BoundingBox {
    /// Prepares a box split by a number of pattern cells.
    pub(super) fn new(sides: [i32; 3], set: &PieceSet, pattern_cells: usize) -> Self {
        let (cells, mirrored) = (set.total_cells(), set.is_mirror_closed());
        let grid = Grid::new(sides, pattern_cells, mirrored);
        let placements = BoxPlacements::new(&grid, set);
        let stages = Stages::new(&grid, &placements, cells);
        let stages = stages.filter(|stages| grid.has_whole_orbits() && stages.are_few());
        let halves = if stages.is_some() { None } else { Halves::new(&placements) };
        let others = grid.usable().skip(1);
        let fixed = others.filter_map(|(at, s)| FixedPackings::new(&placements, s, at)).collect();
        let subsets = |filled: usize| {
            let subsets = cells.checked_sub(filled).map_or(0, |rest| binomial(grid.open, rest));
            u64::try_from(subsets).expect("a shard's subsets have ranks of 32 bits")
        };
        let subsets: Vec<u64> = (0..=pattern_cells).map(subsets).collect();
        let mut patterns = grid.patterns(cells);
        patterns.sort_by_key(|&n| (Reverse(subsets[n.count_ones() as usize]), n));
        let last_pieces = LastPieces::new(&placements);
        Self {
            grid,
            placements,
            stages,
            halves,
            last_pieces,
            fixed,
            cells,
            color_sums: set.color_sums().to_vec(),
            mirrored,
            patterns,
            subsets,
        }
    }

    pub(super) const fn shards(&self) -> usize {
        self.patterns.len()
    }

    /// Returns the pattern of a shard as a mask of cells.
    pub(super) fn pattern(&self, shard: usize) -> u64 {
        self.grid.pattern(self.patterns[shard])
    }

    /// Returns the number of subsets of a shard.
    pub(super) fn subsets(&self, shard: usize) -> u64 {
        self.subsets[self.patterns[shard].count_ones() as usize]
    }

    /// Returns the number of all subsets of the box with as many cells as the pieces.
    pub(super) fn all_subsets(&self) -> u64 {
        let subsets = binomial(self.grid.cells.len(), self.cells);
        u64::try_from(subsets).expect("56 cells have fewer subsets than 64 bits count")
    }

    /// Returns the maximum number of subsets of a shard.
    fn largest_shard(&self) -> u64 {
        self.subsets(0)
    }

    /// Estimates the maximum number of figures of a shard. The estimate is hardly ever too low.
    pub(super) fn figures_at_most(&self) -> u64 {
        let figures = |shard: usize| {
            let keeping = self.grid.pattern_symmetries(self.pattern(shard)).usable.len();
            let orbits = orbits_at_most(u128::from(self.subsets(shard)), keeping);
            u64::try_from(orbits).expect("there are no more orbits than subsets")
        };
        // Among many shards, some of the largest have no symmetry.
        let looked_at = self.shards().min(MAX_EXAMINED_SHARDS);
        let others = (looked_at..self.shards()).next().map(|shard| self.subsets(shard));
        (0..looked_at).map(figures).chain(others).max().unwrap_or_default()
    }

    /// Returns the bytes of the tables that exist before the count.
    pub(super) fn bytes(&self) -> u64 {
        self.grid.bytes() + self.placements.bytes() + (size_of::<u32>() * self.shards()) as u64
    }

    /// Returns the bytes for dynamic programming, if it is possible. At most `sets` sets are kept.
    pub(super) fn stages_bytes(&self, sets: u64) -> Option<MethodBytes> {
        let stages = self.stages.as_ref()?;
        let pattern_cells = self.grid.cells.len() - self.grid.open;
        let patterns = orbits_at_most(1 << pattern_cells, self.grid.usable().count());
        let patterns = u64::try_from(patterns).expect("24 cells have patterns of 24 bits");
        let shared = stages.shared_bytes(sets, patterns);
        // A thread first gathers sets, and then counts.
        let thread = Stages::thread_bytes(self.largest_slice().min(sets));
        Some(MethodBytes { shared, thread: thread.max(self.counting_bytes()) })
    }

    /// Returns the bytes to meet in the middle, if it is possible.
    pub(super) fn join_bytes(&self) -> Option<MethodBytes> {
        let halves = self.halves.as_ref()?;
        // A thread first builds sets, and then counts.
        let thread = halves.thread_bytes(self.largest_slice()).max(self.counting_bytes());
        Some(MethodBytes { shared: Join::bytes(&self.grid, halves), thread })
    }

    /// Returns the bytes to search.
    pub(super) fn search_bytes(&self) -> MethodBytes {
        let lists = self.last_pieces.bytes(&self.grid, &self.placements);
        let levels = self.last_pieces.levels() as u64;
        let rows = 8 * levels * self.placements.words as u64;
        MethodBytes { shared: lists.shared, thread: lists.thread + rows + self.counting_bytes() }
    }

    /// Returns the maximum number of sets of open cells of one size.
    fn largest_slice(&self) -> u64 {
        let half = binomial(self.grid.open, self.grid.open / 2);
        u64::try_from(half).expect("32 open cells have fewer than 2^32 subsets")
    }

    /// Returns the maximum bytes for a shard's counters, ranks and fixed packings, which every method needs. Only sets
    /// that a symmetry fixes have fixed packings.
    fn counting_bytes(&self) -> u64 {
        let symmetric = |fixed: &FixedPackings| {
            let cycles = self.grid.symmetries[fixed.symmetry].open_cycles(self.grid.open);
            FIXED_PACKINGS_BYTES * self.largest_shard().min(1 << cycles)
        };
        2 * self.largest_shard()
            + Ranking::bytes(self.grid.open)
            + self.fixed.iter().map(symmetric).sum::<u64>()
    }
}

/// Bytes of a set's fixed packings, in a table with spare room.
const FIXED_PACKINGS_BYTES: u64 = 64;
