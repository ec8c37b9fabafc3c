//! What the last pieces can fill together, narrowed down along the search.
//!
//! The last pieces are not placed one by one: lists hold all their common placements, by the pattern
//! they show, and with each piece placed before, what it meets is dropped from a copy. Lists are
//! narrowed when they are asked for, each from the one a level up.

use super::placements::Placements;
use super::rank::binomial;
use super::room::Room;
use super::sift::disjoint;
use rustc_hash::FxHashMap;

/// Pieces at the end, at most: with three of them the lists are long enough for eight sets at a time,
/// and short enough for a processor's caches.
const MOST_LAST: usize = 3;

/// The ways to place the last pieces, disjoint or not, at most.
const MOST_WAYS: u128 = 1 << 24;

/// The bits of a set in a list.
const SET_BITS: usize = u32::BITS as usize;

/// The bits for how many sets are merged, at most.
const MOST_EXTRA_BITS: usize = 8;

/// All common placements of the last pieces, as cells in the open part of the box, by pattern.
#[derive(Debug)]
pub(super) struct Ends {
    /// Copies of each kind that are placed before.
    pub(super) first: Vec<u32>,
    /// How often every packing comes: in so many ways equal pieces are first or last.
    pub(super) repeats: u64,
    /// The most pattern cells that the last pieces fill.
    pub(super) reach: u32,
    numbers: FxHashMap<u64, u32>,
    lists: Vec<Vec<u32>>,
}

impl Ends {
    pub(super) fn new(room: &Room, placements: &Placements) -> Self {
        let (open, all) = (room.open_cells(), placements.avoiding(0));
        let copies = placements.kinds.iter().enumerate();
        let pieces: Vec<usize> =
            copies.flat_map(|(kind, k)| (0..k.copies).map(move |_| kind)).collect();
        let ways = |kind: &usize| placements.of_kind(*kind, &all).count() as u128;
        let few = |&n: &usize| {
            pieces[pieces.len() - n..].iter().map(ways).fold(1, u128::saturating_mul) <= MOST_WAYS
        };
        let most = (pieces.len() / 2).clamp(1, MOST_LAST);
        let number = (1..=most).rev().find(few).unwrap_or(1);
        let (before, last) = pieces.split_at(pieces.len() - number);
        let times = |pieces: &[usize], kind: usize| pieces.iter().filter(|k| **k == kind).count();
        let kinds = 0..placements.kinds.len();
        let repeats =
            kinds.clone().map(|kind| binomial(times(&pieces, kind), times(last, kind)) as u64);
        let mut ends = Self {
            first: kinds.clone().map(|kind| times(before, kind) as u32).collect(),
            repeats: repeats.product(),
            reach: 0,
            numbers: FxHashMap::default(),
            lists: Vec::new(),
        };
        unions(placements, last, &all, 0, &mut |cells| {
            let next = ends.lists.len() as u32;
            let number = *ends.numbers.entry(cells & !open).or_insert(next);
            if number == next {
                ends.lists.push(Vec::new());
                ends.reach = ends.reach.max((cells & !open).count_ones());
            }
            ends.lists[number as usize].push((cells & open) as u32);
        });
        for list in &mut ends.lists {
            merge(list, room.open);
        }
        ends
    }

    /// The number of the list of ends that fill exactly `missing` of the pattern cells.
    #[inline]
    pub(super) fn number(&self, missing: u64) -> Option<usize> {
        self.numbers.get(&missing).map(|&n| n as usize)
    }

    fn entries(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// Bytes of the lists.
    pub(super) fn bytes(&self) -> u64 {
        4 * self.entries() as u64 + 64 * self.lists.len() as u64
    }

    /// Bytes that a thread needs at most to narrow the lists down.
    pub(super) fn narrowing_bytes(&self) -> u64 {
        let levels = u64::from(self.first.iter().sum::<u32>());
        levels * (4 * (self.entries() as u64 + SPARE as u64) + 16 * self.lists.len() as u64)
    }
}

/// Sorts a list (what is tallied one after the other then lies near each other), and merges equal
/// sets: the bits above the open cells tell how many more there are, as far as there is room.
fn merge(list: &mut Vec<u32>, open: usize) {
    list.sort_unstable();
    let most = 1_usize << (SET_BITS - open).min(MOST_EXTRA_BITS);
    let same = list.chunk_by(|a, b| a == b);
    let merged = same
        .flat_map(|same| same.chunks(most))
        .map(|same| same[0] | (same.len() as u32 - 1).checked_shl(open as u32).unwrap_or(0));
    *list = merged.collect();
    list.shrink_to_fit();
}

/// Shows the cells of all common placements of `pieces` from `row`; equal ones stand together.
fn unions(
    placements: &Placements,
    pieces: &[usize],
    row: &[u64],
    filled: u64,
    visit: &mut impl FnMut(u64),
) {
    let Some((&kind, rest)) = pieces.split_first() else {
        visit(filled);
        return;
    };
    let mut row = row.to_vec();
    let fit: Vec<usize> = placements.of_kind(kind, &row).collect();
    for placement in fit {
        // Of equal pieces, the next comes after this one.
        row[placement / 64] &= !(1 << (placement % 64));
        let disjoint = placements.disjoint(placement);
        let below: Vec<u64> = row.iter().zip(disjoint).map(|(a, b)| a & b).collect();
        unions(placements, rest, &below, filled | placements.masks[placement], visit);
    }
}

/// Room that sifting needs behind the sets.
const SPARE: usize = 8;

/// A list at a level of the search, if it was made since the level was entered.
#[derive(Clone, Copy, Default)]
struct Made {
    entry: u32,
    begin: u32,
    end: u32,
}

/// Lists narrowed down along the search.
pub(super) struct Narrowed<'a> {
    ends: &'a Ends,
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
    /// Room for lists at so many levels; at the first of them no piece is placed.
    pub(super) fn new(ends: &'a Ends, levels: usize) -> Self {
        let level = |number: usize| Level {
            entry: 0,
            placed: 0,
            made: vec![Made::default(); ends.lists.len()],
            sets: Vec::with_capacity(if number == 0 { 0 } else { ends.entries() + SPARE }),
        };
        Self { ends, levels: (0..levels).map(level).collect() }
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
    #[inline]
    pub(super) fn list(&mut self, level: usize, number: usize) -> &[u32] {
        if level == 0 {
            return &self.ends.lists[number];
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
            _ => &self.ends.lists[number],
        };
        let level = &mut below[0];
        let begin = level.sets.len() as u32;
        disjoint(whole, level.placed, &mut level.sets);
        let end = level.sets.len() as u32;
        level.made[number] = Made { entry: level.entry, begin, end };
    }
}
