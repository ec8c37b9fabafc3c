//! The levels of a sweep: sets of sites covered by 0, 1, 2 … tiles, one for each class of images.
//!
//! A level is built from the one before: each set with each tile that covers its first free site. Equal sets are merged
//! in hash tables, which are divided into shards by hash, each with a lock. A thread collects some hundred sets for a
//! shard before it locks it. Then sets that lead nowhere are dropped, and each shard becomes a sorted list. So the
//! levels are the same for any number of threads.

use super::board::SweepBoard;
use super::choices::PieceChoices;
use super::limits::{Halt, SweepLimits};
use crate::parallel::{self, Spares, lock};
use crate::solve::word::MaskWord;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::mem::{size_of, take};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Number of shards of a level. It is divided by hash, to be built and read in parallel.
pub(super) const LEVEL_SHARDS: usize = 256;

/// Number of sets that a thread buffers before it locks a shard.
const MAX_BUFFERED_SETS: usize = 256;

/// Number of sets that a thread processes at a time.
const BATCH_SETS: usize = 1024;

/// Returns a set's shard, from hash bits unused by hash tables.
#[inline]
pub(super) fn shard<W: MaskWord>(mask: W) -> usize {
    (FxBuildHasher.hash_one(mask) >> 24) as usize % LEVEL_SHARDS
}

/// By shard, the sets covered by the same number of tiles, ascending.
pub(super) type MaskLevel<W> = Vec<Vec<W>>;

/// Returns the number of sets of a level.
pub(super) fn size<W>(level: &MaskLevel<W>) -> u64 {
    level.iter().map(|shard| shard.len() as u64).sum()
}

/// Returns the bytes of a list of sets.
pub(super) const fn list_bytes<W>(sets: u64) -> u64 {
    sets * size_of::<W>() as u64
}

/// Returns the bytes of a hash table with this number of entries. A slot takes one more byte than a set and a
/// value, and there are 8/7 to 16/7 slots for each entry.
pub(super) const fn table_bytes<W, V>(entries: u64) -> u64 {
    entries * (size_of::<(W, V)>() as u64 + 1) * 16 / 7
}

/// Builds all levels, from the empty set to the last that is not empty. Drops sets that leave a site that no tile can
/// cover, or a volume that no choice of pieces left after so many tiles has. `spent` is the number of states in earlier
/// sweeps.
pub(super) fn levels<W: MaskWord>(
    board: &SweepBoard<W>,
    choices: &PieceChoices,
    bounds: SweepLimits<'_>,
    spent: u64,
) -> Result<Vec<MaskLevel<W>>, Halt> {
    let mut first: MaskLevel<W> = vec![Vec::new(); LEVEL_SHARDS];
    first[shard(W::ZERO)].push(W::ZERO);
    let (mut levels, mut states) = (vec![first], 1);
    loop {
        let tiles = levels.len() as u32;
        let possible = choices.possible_after(tiles);
        let room = bounds.memory.saturating_sub(list_bytes::<W>(states));
        let done = spent + states;
        let next = next_level(board, &levels[levels.len() - 1], &possible, room, done, bounds)?;
        let sets = size(&next);
        if sets == 0 {
            return Ok(levels);
        }
        states += sets;
        bounds.need(list_bytes::<W>(states))?;
        if bounds.most_states().is_some_and(|most| spent + states > most) {
            return Err(Halt::States { states: spent + states });
        }
        levels.push(next);
    }
}

/// Builds the level after `level`. `possible` is, by volume, true if the pieces left can have it. `done` states were
/// found before, and the new table, with the list made of it, may take `room` bytes.
fn next_level<W: MaskWord>(
    board: &SweepBoard<W>,
    level: &MaskLevel<W>,
    possible: &[bool],
    room: u64,
    done: u64,
    bounds: SweepLimits<'_>,
) -> Result<MaskLevel<W>, Halt> {
    let fit = room / (table_bytes::<W, ()>(1) + list_bytes::<W>(1));
    // Sets count as work even if they are dropped afterwards, since finding them took time.
    let most = bounds.work.map_or(fit, |work| fit.min(work.saturating_sub(done)));
    let (number, too_many) = (AtomicU64::new(0), AtomicBool::new(false));
    let refused = AtomicBool::new(false);
    let shards: Vec<Mutex<FxHashSet<W>>> = (0..LEVEL_SHARDS).map(|_| Mutex::default()).collect();
    let flush = |buffer: &mut Vec<W>, shard: usize| {
        let mut set = lock(&shards[shard]);
        if set.try_reserve(buffer.len()).is_err() {
            buffer.clear();
            return refused.store(true, Relaxed);
        }
        let before = set.len();
        buffer.drain(..).for_each(|mask| {
            set.insert(mask);
        });
        let new = (set.len() - before) as u64;
        if number.fetch_add(new, Relaxed) + new > most {
            too_many.store(true, Relaxed);
        }
    };
    let chunks: Vec<&[W]> = level.iter().flat_map(|shard| shard.chunks(BATCH_SETS)).collect();
    let spares = Spares::default();
    parallel::for_each(chunks.len(), &|at| {
        if too_many.load(Relaxed) || refused.load(Relaxed) || bounds.stopped() {
            return;
        }
        let mut buffers = spares.take(|| vec![Vec::new(); LEVEL_SHARDS]);
        for &mask in chunks[at] {
            for step in board.next(mask) {
                let shard = shard(step.mask);
                buffers[shard].push(step.mask);
                if buffers[shard].len() == MAX_BUFFERED_SETS {
                    flush(&mut buffers[shard], shard);
                }
            }
        }
        for (shard, buffer) in buffers.iter_mut().enumerate() {
            if !buffer.is_empty() {
                flush(buffer, shard);
            }
        }
        spares.put_back(buffers);
    });
    if bounds.stopped() {
        return Err(Halt::Stopped);
    }
    if refused.into_inner() {
        return Err(Halt::Allocation);
    }
    if too_many.into_inner() {
        let memory = Halt::Memory { needed: bounds.memory.saturating_add(1) };
        return Err(if most < fit { Halt::States { states: done } } else { memory });
    }
    let all = board.cells(board.full);
    let is_possible = |mask: &W| possible[all - board.cells(*mask)] && board.is_open(*mask);
    let sorted = |at: usize| -> Result<Vec<W>, Halt> {
        let mut set = take(&mut *lock(&shards[at]));
        set.retain(is_possible);
        let mut list: Vec<W> = Vec::new();
        list.try_reserve_exact(set.len())?;
        list.extend(set);
        list.sort_unstable();
        Ok(list)
    };
    parallel::try_map(LEVEL_SHARDS, sorted)
}
