//! How a box is split: which cells make the pattern, and what memory the parts take.

use super::CensusError;
use super::kept::Rings;
use super::layers::Layers;
use super::part::Tables;
use super::placements::Placements;
use super::rank::{MOST_RANKED, Ranking, binomial};
use super::room::{Room, cell_orbits};
use crate::pieces::PieceSet;
use std::sync::OnceLock;

/// How far a box is split, if memory allows.
#[derive(Clone, Copy)]
struct Goal {
    /// Subsets of a part.
    part: u128,
    /// Pattern cells at most: more have too many patterns to go through.
    pattern_cells: usize,
    /// Sets are kept, layer by layer.
    kept: bool,
}

/// Where sets are kept: a table of a part lies within a processor's second cache. With more pattern
/// cells there would be more slices than sets in them.
const KEPT: Goal = Goal { part: 1 << 18, pattern_cells: 16, kept: true };

/// Where packings are searched: a table of a part lies within a processor's last cache. With smaller
/// parts the lists of last pieces get too short.
const SEARCHED: Goal = Goal { part: 1 << 23, pattern_cells: 24, kept: false };

/// A box of more subsets is split even so, for all threads to have work.
const WHOLE: u128 = 10_000;

/// The question.
pub(super) struct Split<'a> {
    pub(super) sides: [u32; 3],
    pub(super) set: &'a PieceSet,
    pub(super) threads: usize,
}

/// A box that is split: its tables, the patterns with their numbers of images, the bytes of memory
/// that its parts take.
type Parted = (Tables, Vec<(u64, u32)>, u64);

impl Split<'_> {
    /// Splits a box within the box; patterns with the most subsets come first.
    pub(super) fn within(&self, own: [i32; 3], allowed: u64) -> Result<Parted, CensusError> {
        let kept = self.with_goal(own, allowed, KEPT);
        kept.or_else(|_| self.with_goal(own, allowed, SEARCHED))
            .map_err(|needed| CensusError::Memory { sides: self.sides, needed, allowed })
    }

    /// Splits a box as far as the goal says, or further; tells what memory is needed if that is more
    /// than allowed.
    fn with_goal(&self, own: [i32; 3], allowed: u64, goal: Goal) -> Result<Parted, u64> {
        let cells = self.set.total_cells();
        let mirrored = self.set.is_mirror_closed();
        let orbits = cell_orbits(own);
        let volume = own.iter().product::<i32>() as usize;
        let mut needed = u64::MAX;
        for used in 0..=orbits.len() {
            let pattern: usize = orbits[..used].iter().map(Vec::len).sum();
            let open = volume - pattern;
            if pattern > goal.pattern_cells {
                break;
            }
            let sizes = (cells.saturating_sub(open)..=cells.min(pattern))
                .map(|ones| binomial(open, cells - ones));
            let largest = sizes.max().unwrap_or(0);
            let last = used == orbits.len() || pattern + orbits[used].len() > goal.pattern_cells;
            let fits = open <= MOST_RANKED && largest <= u128::from(u32::MAX);
            let wanted = largest <= goal.part && (used > 0 || largest <= WHOLE);
            if !fits || !(wanted || last) {
                continue;
            }
            let room = Room::new(own, &orbits[..used], mirrored);
            let placements = Placements::new(&room, self.set);
            let layers = goal.kept.then(|| Layers::new(&room, &placements, cells));
            let layers = match layers {
                Some(None) => continue,
                layers => layers.flatten(),
            };
            let usable = room.usable().skip(1);
            let rings: Vec<Rings> =
                usable.filter_map(|(at, s)| Rings::new(&placements, s, at)).collect();
            let mut patterns = room.patterns(cells);
            let ends = OnceLock::new();
            let tables = Tables { room, placements, ends, layers, rings, cells, mirrored };
            let bytes = self.bytes(&tables, largest as u64);
            needed = needed.min(bytes);
            if bytes <= allowed {
                let subsets = |pattern: u64| binomial(open, cells - pattern.count_ones() as usize);
                patterns.sort_by_key(|&(pattern, _)| std::cmp::Reverse(subsets(pattern)));
                return Ok((tables, patterns, bytes));
            }
        }
        Err(needed)
    }

    /// Each thread has a tally, five times as much if there may be packings kept by symmetries, its
    /// tables of ranks, and room to sort sets or to narrow down lists.
    fn bytes(&self, tables: &Tables, largest: u64) -> u64 {
        let Tables { room, placements, rings, .. } = tables;
        let entry = if rings.is_empty() { 2 } else { 10 };
        let pieces = self.set.piece_count() as u64 + 1;
        let each =
            entry * largest + Ranking::bytes(room.open) + 8 * pieces * placements.words as u64;
        let images = (room.symmetries.len() * room.cells.len().div_ceil(8) * 2048) as u64;
        let (all, each_more) = tables.layers.as_ref().map_or_else(
            || (tables.ends().bytes(), tables.ends().narrowing_bytes()),
            |layers| (layers.kept_bytes(), Layers::sorting_bytes()),
        );
        self.threads as u64 * (each + each_more) + placements.bytes() + images + all
    }
}
