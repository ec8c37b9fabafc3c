//! Which sets of sites a sweep can have covered after 0, 1, 2 … tiles.

use super::board::Board;
use super::stock::Stock;
use super::{Bounds, Halt};
use crate::solve::word::Word;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::mem::size_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A layer is dealt out by hash, so that parts of it can be made and read at the same time.
pub(super) const SHARDS: usize = 256;

/// Sets a thread keeps for a shard before it takes its lock.
const BUFFER: usize = 256;

/// Sets a thread takes on at a time.
const CHUNK: usize = 1024;

/// The shard of a set of sites; by bits that the hash tables do not use.
#[inline]
pub(super) fn shard<W: Word>(mask: W) -> usize {
    (FxBuildHasher.hash_one(mask) >> 24) as usize % SHARDS
}

/// The sets of sites covered by the same number of tiles, by shard, ascending.
pub(super) type Layer<W> = Vec<Vec<W>>;

pub(super) fn size<W>(layer: &Layer<W>) -> u64 {
    layer.iter().map(|shard| shard.len() as u64).sum()
}

/// Bytes of the list of so many sets.
pub(super) const fn list_bytes<W>(sets: u64) -> u64 {
    sets * size_of::<W>() as u64
}

/// Bytes of a hash table of so many entries of a set and a value: a byte of its own for each slot, and
/// between 8/7 and 16/7 slots for each entry.
pub(super) const fn table_bytes<W, V>(entries: u64) -> u64 {
    entries * (size_of::<(W, V)>() as u64 + 1) * 16 / 7
}

/// All layers up to the one where everything is covered, without sets that leave some site that no
/// tile can cover, or a volume that no pieces have. `spent` states were met before.
pub(super) fn layers<W: Word>(
    board: &Board<W>,
    stock: &Stock,
    bounds: Bounds<'_>,
    spent: u64,
) -> Result<Vec<Layer<W>>, Halt> {
    let mut first: Layer<W> = vec![Vec::new(); SHARDS];
    first[shard(W::ZERO)].push(W::ZERO);
    let (mut layers, mut states) = (vec![first], 1);
    loop {
        let tiles = layers.len() as u32;
        let possible = stock.possible_after(tiles);
        let room = bounds.memory.saturating_sub(list_bytes::<W>(states));
        let next = next(board, &layers[layers.len() - 1], &possible, room, bounds)?;
        let found = size(&next);
        if found == 0 {
            return Ok(layers);
        }
        states += found;
        bounds.need(list_bytes::<W>(states))?;
        if bounds.states.is_some_and(|most| spent + states > most) {
            return Err(Halt::States { states: spent + states });
        }
        layers.push(next);
    }
}

/// The sets with one tile more. Their table and then their list may take `room` bytes.
fn next<W: Word>(
    board: &Board<W>,
    layer: &Layer<W>,
    possible: &[bool],
    room: u64,
    bounds: Bounds<'_>,
) -> Result<Layer<W>, Halt> {
    let most = room / (table_bytes::<W, ()>(1) + list_bytes::<W>(1));
    let (found, too_many) = (AtomicU64::new(0), AtomicBool::new(false));
    let shards: Vec<Mutex<FxHashSet<W>>> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let flush = |buffer: &mut Vec<W>, shard: usize| {
        let mut set = shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let before = set.len();
        buffer.drain(..).for_each(|mask| {
            set.insert(mask);
        });
        let new = (set.len() - before) as u64;
        if found.fetch_add(new, Relaxed) + new > most {
            too_many.store(true, Relaxed);
        }
    };
    let chunks: Vec<&[W]> = layer.iter().flat_map(|shard| shard.chunks(CHUNK)).collect();
    chunks.par_iter().for_each_init(
        || vec![Vec::new(); SHARDS],
        |buffers, chunk| {
            if too_many.load(Relaxed) || bounds.stopped() {
                return;
            }
            for &mask in *chunk {
                for tile in board.next(mask) {
                    let after = mask | tile.mask;
                    let shard = shard(after);
                    buffers[shard].push(after);
                    if buffers[shard].len() == BUFFER {
                        flush(&mut buffers[shard], shard);
                    }
                }
            }
            for (shard, buffer) in buffers.iter_mut().enumerate() {
                if !buffer.is_empty() {
                    flush(buffer, shard);
                }
            }
        },
    );
    if bounds.stopped() {
        return Err(Halt::Stopped);
    }
    if too_many.into_inner() {
        return Err(Halt::Memory { needed: bounds.memory.saturating_add(1) });
    }
    let all = board.cells(board.full);
    let keep = |mask: &W| possible[all - board.cells(*mask)] && board.is_open(*mask);
    let sorted = |set: Mutex<FxHashSet<W>>| {
        let set = set.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<W> = set.into_iter().filter(keep).collect();
        list.shrink_to_fit();
        list.sort_unstable();
        list
    };
    Ok(shards.into_par_iter().map(sorted).collect())
}
