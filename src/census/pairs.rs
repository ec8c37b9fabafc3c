//! The cells that two pieces can fill together, by the pattern they show, narrowed down along the
//! search.
//!
//! The last two pieces are not placed one by one: a list holds all their common placements, and
//! with each piece placed before, what it meets is dropped from a copy. Lists are narrowed when they
//! are asked for, each from the one a level up.

use super::placements::Placements;
use super::room::Room;
use super::sift::disjoint;
use rustc_hash::FxHashMap;

/// All common placements of two different kinds, as cells in the open part of the box, by kinds and
/// pattern.
#[derive(Debug)]
pub(super) struct Pairs {
    numbers: FxHashMap<(u8, u8, u64), u32>,
    lists: Vec<Vec<u32>>,
}

impl Pairs {
    pub(super) fn new(room: &Room, placements: &Placements) -> Self {
        let mut pairs = Self { numbers: FxHashMap::default(), lists: Vec::new() };
        let (open, all) = (room.open_cells(), placements.avoiding(0));
        for one in 0..placements.kinds.len() {
            for two in one + 1..placements.kinds.len() {
                for first in placements.of_kind(one, &all) {
                    let row = placements.disjoint(first);
                    for second in placements.of_kind(two, row) {
                        let cells = placements.masks[first] | placements.masks[second];
                        let next = pairs.lists.len() as u32;
                        let key = (one as u8, two as u8, cells & !open);
                        let number = *pairs.numbers.entry(key).or_insert(next);
                        if number == next {
                            pairs.lists.push(Vec::new());
                        }
                        pairs.lists[number as usize].push((cells & open) as u32);
                    }
                }
            }
        }
        pairs
    }

    /// The number of the list of two kinds, the lower first, that fill exactly `missing` of the
    /// pattern cells.
    pub(super) fn number(&self, one: usize, two: usize, missing: u64) -> Option<usize> {
        self.numbers.get(&(one as u8, two as u8, missing)).map(|&n| n as usize)
    }

    /// Bytes of the lists.
    pub(super) fn bytes(&self) -> u64 {
        let entries: usize = self.lists.iter().map(Vec::capacity).sum();
        4 * entries as u64 + 64 * self.lists.len() as u64
    }

    /// Bytes that a thread needs at most to narrow the lists down, with so many levels.
    pub(super) fn narrowing_bytes(&self, levels: usize) -> u64 {
        let entries: usize = self.lists.iter().map(Vec::len).sum();
        levels as u64 * (4 * entries as u64 + 16 * self.lists.len() as u64)
    }
}

/// A list at a level of the search, if it was made since the level was entered.
#[derive(Clone, Copy, Default)]
struct Made {
    entry: u32,
    begin: u32,
    end: u32,
}

/// Lists narrowed down along the search.
pub(super) struct Narrowed<'a> {
    pairs: &'a Pairs,
    levels: Vec<Level>,
}

struct Level {
    /// Counts how often the level was entered.
    entry: u32,
    /// The open cells of the piece placed last.
    placed: u32,
    made: Vec<Made>,
    sets: Vec<u32>,
}

impl<'a> Narrowed<'a> {
    pub(super) fn new(pairs: &'a Pairs, levels: usize) -> Self {
        let level = || Level {
            entry: 0,
            placed: 0,
            made: vec![Made::default(); pairs.lists.len()],
            sets: Vec::new(),
        };
        Self { pairs, levels: (0..levels).map(|_| level()).collect() }
    }

    /// See [`Pairs::number`].
    #[inline]
    pub(super) fn number(&self, one: usize, two: usize, missing: u64) -> Option<usize> {
        self.pairs.number(one, two, missing)
    }

    /// A level is entered by placing a piece on these open cells.
    #[inline]
    pub(super) fn enter(&mut self, level: usize, placed: u32) {
        let level = &mut self.levels[level];
        level.placed = placed;
        level.sets.clear();
        level.entry = level.entry.wrapping_add(1);
        if level.entry == 0 {
            level.made.fill(Made::default());
            level.entry = 1;
        }
    }

    /// The list of a number at a level.
    pub(super) fn list(&mut self, level: usize, number: usize) -> &[u32] {
        if level == 0 {
            return &self.pairs.lists[number];
        }
        let Level { made, entry, .. } = &self.levels[level];
        if made[number].entry != *entry {
            self.narrow(level, number);
        }
        let level = &self.levels[level];
        let Made { begin, end, .. } = level.made[number];
        &level.sets[begin as usize..end as usize]
    }

    fn narrow(&mut self, level: usize, number: usize) {
        self.list(level - 1, number);
        let (above, below) = self.levels.split_at_mut(level);
        let whole = match above {
            [_, .., last] => {
                let Made { begin, end, .. } = last.made[number];
                &last.sets[begin as usize..end as usize]
            }
            _ => &self.pairs.lists[number],
        };
        let level = &mut below[0];
        let begin = level.sets.len() as u32;
        disjoint(whole, level.placed, &mut level.sets);
        let end = level.sets.len() as u32;
        level.made[number] = Made { entry: level.entry, begin, end };
    }
}
