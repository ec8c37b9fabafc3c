//! Divides the pieces into halves and lists the sets that each fills.
//!
//! A packing combines a packing of some pieces with one of the others. Very many packings of half the pieces fill
//! the same cells, and the same sets fit with all of them. So each half is a list of sets, each with its number of
//! packings, and a census joins the two lists (see [`super::join`]). This is a search from both ends that meets in
//! the middle (Horowitz and Sahni 1974; Knuth, The Art of Computer Programming 7.2.1).
//!
//! The list of a half grows piece by piece: each set of the list so far is united with each disjoint placement of the
//! next piece, and equal sets are merged. If the piece is the k-th copy of its kind, every packing then occurs k times,
//! once for each copy that may have come last, and numbers are divided by k. In 3×3×4 the seven pieces of SOMA divide
//! into P, T, Z and A with 7,063,120 packings of 5,826,724 sets, and B, V and L with 2,111,392 packings of 1,817,176
//! sets.

use crate::census::boxes::grid::Grid;
use crate::census::boxes::placements::BoxPlacements;
use crate::census::search::completions::count_unions;
use crate::census::sets::accumulator::{Accumulator, CountedSet, SET_BYTES};
use crate::in_order::in_order;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of ways to place a half without its last piece, disjoint or not. They are tried to count its packings
/// before its sets are built.
const MAX_HALF_WAYS: u128 = 1 << 26;

/// Number of parts of a list, each built by one thread.
const HALF_PARTS: usize = 256;

/// The reason why 32 bits suffice for sets and their numbers.
const PACKINGS_FIT_32_BITS: &str = "a half has fewer than 2^32 packings";

/// The division of the pieces into two halves.
#[derive(Debug)]
pub(in crate::census) struct Halves {
    /// The half with more packings first.
    halves: [HalfPieces; 2],
    /// The number of times that every packing is found: the ways to divide equal pieces between the halves.
    pub(in crate::census) repeats: u64,
}

/// The pieces of a half.
#[derive(Debug)]
struct HalfPieces {
    /// The kind of each piece; equal ones are adjacent.
    kinds: Vec<usize>,
    /// The number of ways to place them all.
    packings: u64,
}

/// All sets of cells that some pieces fill, by their pattern.
#[derive(Debug)]
pub(in crate::census) struct Half {
    /// The number of open cells of the box.
    open: usize,
    /// The number of cells of each set, pattern cells included.
    cells: u32,
    /// The sets, in parts of successive patterns. A thread builds a part at a time.
    parts: Vec<HalfPart>,
    /// Binary logarithm of the number of patterns in a part.
    patterns: u32,
}

/// The sets that show one of a range of patterns.
#[derive(Debug, Default)]
struct HalfPart {
    /// For each pattern of the part, the index in `sets` where its sets start; and the end of the last.
    begins: Vec<u32>,
    /// Open cells and numbers of packings, pattern by pattern, ascending for each. Equal sets are merged.
    sets: Vec<CountedSet>,
}

impl Halves {
    /// Divides the pieces into halves with as few packings as possible. Returns `None` if there are too many.
    pub(in crate::census) fn new(placements: &BoxPlacements) -> Option<Self> {
        let all = placements.avoiding(0);
        let ways = |&kind: &usize| placements.masks_of(kind).count() as u128;
        let product = |kinds: &[usize]| kinds.iter().map(ways).fold(1, u128::saturating_mul);
        let pieces = placements.pieces();
        let cost = |&at: &usize| {
            let (first, last) = pieces.split_at(at);
            product(first).saturating_add(product(last))
        };
        let at = (0..pieces.len()).min_by_key(cost)?;
        let (first, last) = pieces.split_at(at);
        let half = |kinds: &[usize]| {
            let counted = kinds.split_last().map_or(0, |(_, others)| product(others));
            if counted > MAX_HALF_WAYS {
                return None;
            }
            let packings = count_unions(placements, kinds, &all);
            // Each packing of equal pieces occurs once for each choice of the last of them.
            let orders = placements.copies_in(kinds).into_iter().max().unwrap_or(1) as u64;
            let fits = u32::try_from(packings.saturating_mul(orders)).is_ok();
            fits.then(|| HalfPieces { kinds: kinds.to_vec(), packings })
        };
        let mut halves = [half(first)?, half(last)?];
        halves.sort_by_key(|half| std::cmp::Reverse(half.packings));
        Some(Self { halves, repeats: placements.divisions(first)? })
    }

    /// Returns the maximum numbers of sets: of the larger half, and of both halves. These are numbers of packings, of
    /// which some fill the same set.
    pub(in crate::census) fn most_sets(&self) -> (u64, u64) {
        let [more, fewer] = self.halves.each_ref().map(|half| half.packings);
        (more, more + fewer)
    }

    pub(in crate::census) fn bytes(&self, grid: &Grid) -> u64 {
        let tables = 2 * size_of::<u32>() as u64 * (grid.pattern_count() + HALF_PARTS) as u64;
        SET_BYTES * self.most_sets().1 + tables
    }

    /// Returns the bytes that each thread needs to build the sets. At most `sets` of them have one pattern.
    pub(in crate::census) fn thread_bytes(&self, sets: u64) -> u64 {
        Accumulator::bytes(sets.min(self.most_sets().0))
    }

    /// Builds the sets of both halves; `None` if `stop` is set.
    pub(in crate::census) fn sets(
        &self,
        grid: &Grid,
        placements: &BoxPlacements,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<[Half; 2]> {
        let [first, last] = &self.halves;
        let half = |pieces: &HalfPieces| Half::new(grid, placements, &pieces.kinds, threads, stop);
        Some([half(first)?, half(last)?])
    }
}

impl Half {
    /// Builds all sets that pieces of these kinds fill.
    fn new(
        grid: &Grid,
        placements: &BoxPlacements,
        kinds: &[usize],
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let mut half = Self::of_no_piece(grid);
        for same in kinds.chunk_by(|a, b| a == b) {
            let masks: Vec<u64> = placements.masks_of(same[0]).collect();
            for copy in 1..=same.len() as u32 {
                half = half.with_piece(&masks, copy, threads, stop)?;
            }
        }
        Some(half)
    }

    /// Creates the list for no piece, which has only the empty set.
    fn of_no_piece(grid: &Grid) -> Self {
        let all = grid.pattern_count();
        let patterns = all.div_ceil(HALF_PARTS).ilog2();
        let part = |number: usize| {
            let first = number == 0;
            let mut begins = vec![u32::from(first); (1 << patterns) + 1];
            begins[0] = 0;
            let sets = if first { vec![CountedSet::new(0, 1)] } else { Vec::new() };
            HalfPart { begins, sets }
        };
        let parts = (0..all >> patterns).map(part).collect();
        Self { open: grid.open, cells: 0, parts, patterns }
    }

    /// Places one more piece in each of the ways `masks`. It is the `copy`-th of its kind, so every packing occurs
    /// `copy` times.
    fn with_piece(
        &self,
        masks: &[u64],
        copy: u32,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let mut placements: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for mask in masks {
            let shown = (mask >> self.open) as usize;
            placements.entry(shown).or_default().push((mask & ((1 << self.open) - 1)) as u32);
        }
        let placements: Vec<(usize, Vec<u32>)> = placements.into_iter().collect();
        let cells = self.cells + masks.first().map_or(0, |mask| mask.count_ones());
        let part = |number: usize| {
            let patterns = number << self.patterns..(number + 1) << self.patterns;
            self.part(&placements, (patterns, cells), copy, stop)
        };
        let mut parts = Vec::with_capacity(self.parts.len());
        let flow = in_order(0..self.parts.len(), threads, part, &mut |_, part| {
            parts.push(part);
            ControlFlow::Continue(())
        });
        flow.continue_value()?;
        Some(Self { open: self.open, cells, parts, patterns: self.patterns })
    }

    /// Adds a piece and builds the sets that show one of `patterns`. They have `cells` cells.
    fn part(
        &self,
        placements: &[(usize, Vec<u32>)],
        (patterns, cells): (Range<usize>, u32),
        copy: u32,
        stop: &AtomicBool,
    ) -> Option<HalfPart> {
        let mut part = HalfPart { begins: vec![0], ..HalfPart::default() };
        let mut all = Accumulator::new(u64::MAX);
        for pattern in patterns {
            // A few pieces cannot fill most patterns.
            let placements = if pattern.count_ones() <= cells { placements } else { &[] };
            for (shown, masks) in placements.iter().filter(|(shown, _)| shown & !pattern == 0) {
                let sets = self.list(pattern ^ shown);
                if sets.is_empty() {
                    continue;
                }
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                for &set in sets {
                    let free = masks.iter().filter(|&placed| placed & set.cells() == 0);
                    let filled =
                        free.map(|placed| CountedSet::new(set.cells() | placed, set.packings()));
                    all.add(filled).expect(PACKINGS_FIT_32_BITS);
                }
            }
            let sets = all.take().expect(PACKINGS_FIT_32_BITS);
            part.sets.extend(sets.map(|set| CountedSet::new(set.cells(), set.packings() / copy)));
            part.begins.push(u32::try_from(part.sets.len()).expect(PACKINGS_FIT_32_BITS));
        }
        part.sets.shrink_to_fit();
        Some(part)
    }

    /// Returns the sets that show a pattern, given by its number.
    #[inline]
    pub(in crate::census) fn list(&self, pattern: usize) -> &[CountedSet] {
        let part = &self.parts[pattern >> self.patterns];
        let within = pattern & ((1 << self.patterns) - 1);
        &part.sets[part.begins[within] as usize..part.begins[within + 1] as usize]
    }
}
