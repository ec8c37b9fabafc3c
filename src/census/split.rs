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

/// Subsets of a part, if memory allows: a table of them lies within a processor's last cache.
const PART: u128 = 1 << 23;

/// A box of more subsets is split even so, for all threads to have work.
const WHOLE: u128 = 10_000;

/// More pattern cells than this have too many patterns to go through.
const MOST_PATTERN_CELLS: usize = 24;

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
        let cells = self.set.total_cells();
        let mirrored = self.set.is_mirror_closed();
        let orbits = cell_orbits(own);
        let volume = own.iter().product::<i32>() as usize;
        let mut needed = u64::MAX;
        for used in 0..=orbits.len() {
            let pattern: usize = orbits[..used].iter().map(Vec::len).sum();
            let open = volume - pattern;
            if pattern > MOST_PATTERN_CELLS {
                break;
            }
            let sizes = (cells.saturating_sub(open)..=cells.min(pattern))
                .map(|ones| binomial(open, cells - ones));
            let largest = sizes.max().unwrap_or(0);
            let last = used == orbits.len() || pattern + orbits[used].len() > MOST_PATTERN_CELLS;
            let fits = open <= MOST_RANKED && largest <= u128::from(u32::MAX);
            let wanted = largest <= PART && (used > 0 || largest <= WHOLE);
            if !fits || !(wanted || last) {
                continue;
            }
            let room = Room::new(own, &orbits[..used], mirrored);
            let placements = Placements::new(&room, self.set);
            let usable = room.symmetries.iter().enumerate().filter(|(_, s)| s.usable).skip(1);
            let rings: Vec<Rings> =
                usable.filter_map(|(at, s)| Rings::new(&placements, s, at)).collect();
            let patterns = room.patterns(cells);
            let ends = OnceLock::new();
            let mut tables =
                Tables { room, placements, ends, layers: None, rings, cells, mirrored };
            let mut bytes = self.bytes(&tables, largest as u64);
            let layers = Layers::new(&tables.room, &tables.placements, cells);
            let more = |l: &Layers| l.kept_bytes() + self.threads as u64 * Layers::sorting_bytes();
            tables.layers = layers.filter(|layers| more(layers) <= allowed.saturating_sub(bytes));
            if let Some(layers) = &tables.layers {
                bytes += more(layers);
            } else {
                let ends = tables.ends();
                bytes += self.threads as u64 * ends.narrowing_bytes() + ends.bytes();
                needed = needed.min(bytes);
            }
            if bytes <= allowed {
                let mut patterns = patterns;
                let subsets = |pattern: u64| binomial(open, cells - pattern.count_ones() as usize);
                patterns.sort_by_key(|&(pattern, _)| std::cmp::Reverse(subsets(pattern)));
                return Ok((tables, patterns, bytes));
            }
        }
        Err(CensusError::Memory { sides: self.sides, needed, allowed })
    }

    /// Each thread has a tally, twice as much for packings kept by symmetries if there are any, and
    /// its tables of ranks; four results for each thread wait to be handed on.
    fn bytes(&self, tables: &Tables, largest: u64) -> u64 {
        let Tables { room, placements, rings, .. } = tables;
        let entry = if rings.is_empty() { 2 } else { 10 };
        let pieces = self.set.piece_count() as u64 + 1;
        let each =
            entry * largest + Ranking::bytes(room.open) + 8 * pieces * placements.words as u64;
        let images = (room.symmetries.len() * room.cells.len().div_ceil(8) * 2048) as u64;
        self.threads as u64 * each + placements.bytes() + images
    }
}
