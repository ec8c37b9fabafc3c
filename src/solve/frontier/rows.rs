//! From the last layer back to the first: the number of ways to cover what is still free, for each
//! choice of pieces that may be left.

use super::board::Board;
use super::layers::{Layer, SHARDS, list_bytes, shard, size, table_bytes};
use super::stock::Stock;
use super::{Bounds, Halt};
use crate::solve::word::Word;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::mem::size_of;

/// An unsigned integer as it is stored, and how it is added up.
trait Count: Copy + Send + Sync {
    /// Holds the sum of all counts that can meet in one entry.
    type Sum: Copy + Default + PartialEq;
    /// Whether the sum could still be held.
    fn add(self, sum: &mut Self::Sum) -> bool;
}

impl Count for u32 {
    type Sum = u64;
    #[inline(always)]
    fn add(self, sum: &mut u64) -> bool {
        // Fewer than 2^32 tiles meet in one site.
        *sum += u64::from(self);
        true
    }
}

impl Count for u64 {
    type Sum = u128;
    #[inline(always)]
    fn add(self, sum: &mut u128) -> bool {
        *sum += u128::from(self);
        true
    }
}

impl Count for u128 {
    type Sum = u128;
    #[inline(always)]
    fn add(self, sum: &mut u128) -> bool {
        let (total, over) = sum.overflowing_add(self);
        *sum = total;
        !over
    }
}

/// The rows of a shard one after another, and where they begin.
struct Shard<W, T> {
    begin: FxHashMap<W, usize>,
    counts: Vec<T>,
}

type Table<W, T> = Vec<Shard<W, T>>;

/// The rows of a layer, in the narrowest of three widths that holds all counts.
enum Rows<W> {
    Narrow(Table<W, u32>),
    Middle(Table<W, u64>),
    Wide(Table<W, u128>),
}

/// What a sweep found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Swept {
    pub(super) total: u128,
    /// Sets of sites met.
    pub(super) states: u64,
}

/// Why a layer was not made.
enum Fault {
    /// A count does not fit the width.
    Width,
    Halt(Halt),
}

/// Adds up from the last layer to the first.
pub(super) fn sum<W: Word>(
    board: &Board<W>,
    stock: &Stock,
    mut layers: Vec<Layer<W>>,
    bounds: Bounds<'_>,
) -> Result<Swept, Halt> {
    let states: u64 = layers.iter().map(size).sum();
    let mut rows = Rows::Narrow(Vec::new());
    let mut lists = states;
    while let Some(layer) = layers.pop() {
        let work = Work { board, stock, layer: &layer, bounds };
        let held = list_bytes::<W>(lists) + rows.bytes();
        rows = work.rows(&rows, held)?;
        lists -= size(&layer);
    }
    Ok(Swept { total: rows.only(), states })
}

impl<W> Rows<W> {
    fn bytes(&self) -> u64 {
        fn of<W, T>(table: &Table<W, T>) -> u64 {
            let bytes = |shard: &Shard<W, T>| {
                (shard.counts.len() * size_of::<T>()) as u64
                    + table_bytes::<W, usize>(shard.begin.len() as u64)
            };
            table.iter().map(bytes).sum()
        }
        match self {
            Self::Narrow(table) => of(table),
            Self::Middle(table) => of(table),
            Self::Wide(table) => of(table),
        }
    }

    /// The one count of the first layer, in which nothing is covered and all pieces are left.
    fn only(&self) -> u128 {
        fn of<W, T: Copy + Into<u128>>(table: &Table<W, T>) -> u128 {
            table.iter().flat_map(|shard| &shard.counts).map(|&count| count.into()).sum()
        }
        match self {
            Self::Narrow(table) => of(table),
            Self::Middle(table) => of(table),
            Self::Wide(table) => of(table),
        }
    }
}

/// One layer to be added up.
struct Work<'a, W> {
    board: &'a Board<W>,
    stock: &'a Stock,
    layer: &'a Layer<W>,
    bounds: Bounds<'a>,
}

impl<W: Word> Work<'_, W> {
    /// The rows of the layer from those of the next; `held` bytes are in use already.
    fn rows(&self, next: &Rows<W>, held: u64) -> Result<Rows<W>, Halt> {
        let entries: u64 =
            self.layer.iter().flatten().map(|&mask| self.stock.len(self.left(mask)) as u64).sum();
        let tables = table_bytes::<W, usize>(size(self.layer));
        let need = |width: usize| held + tables + entries * width as u64;
        let mut width = 4;
        loop {
            self.bounds.need(need(width))?;
            let made = match (next, width) {
                (Rows::Narrow(next), 4) => self.pull(next).map(Rows::Narrow),
                (Rows::Narrow(next), _) => self.pull(next).map(Rows::Middle),
                (Rows::Middle(next), 8) => self.pull(next).map(Rows::Middle),
                (Rows::Middle(next), 16) => self.pull(next).map(Rows::Wide),
                (Rows::Wide(next), 16) => self.pull(next).map(Rows::Wide),
                _ => Err(Fault::Width),
            };
            match made {
                Ok(rows) => return Ok(rows),
                Err(Fault::Halt(halt)) => return Err(halt),
                Err(Fault::Width) if width == 16 => return Err(Halt::Overflow),
                Err(Fault::Width) => width *= 2,
            }
        }
    }

    /// Cells left to cover.
    #[inline]
    fn left(&self, mask: W) -> usize {
        self.board.cells(self.board.full.without(mask))
    }

    fn pull<T, U>(&self, next: &Table<W, T>) -> Result<Table<W, U>, Fault>
    where
        T: Count,
        U: Count + Default + From<u8> + TryFrom<T::Sum>,
    {
        (0..SHARDS).into_par_iter().map(|at| self.pull_shard(next, at)).collect()
    }

    fn pull_shard<T, U>(&self, next: &Table<W, T>, at: usize) -> Result<Shard<W, U>, Fault>
    where
        T: Count,
        U: Count + Default + From<u8> + TryFrom<T::Sum>,
    {
        if self.bounds.stopped() {
            return Err(Fault::Halt(Halt::Stopped));
        }
        let masks = &self.layer[at];
        let entries = masks.iter().map(|&mask| self.stock.len(self.left(mask))).sum();
        let mut made = Shard { begin: FxHashMap::default(), counts: Vec::with_capacity(entries) };
        made.begin.reserve(masks.len());
        let mut sums = Vec::new();
        for &mask in masks {
            if mask == self.board.full {
                made.begin.insert(mask, made.counts.len());
                made.counts.push(U::from(1));
                continue;
            }
            if !self.add_up(next, mask, &mut sums).ok_or(Fault::Width)? {
                continue;
            }
            made.begin.insert(mask, made.counts.len());
            for &sum in &sums {
                made.counts.push(U::try_from(sum).map_err(|_| Fault::Width)?);
            }
        }
        made.counts.shrink_to_fit();
        Ok(made)
    }

    /// The row of one set of sites: whether any count is not zero, nothing if one is too large.
    fn add_up<T: Count>(
        &self,
        next: &Table<W, T>,
        mask: W,
        sums: &mut Vec<T::Sum>,
    ) -> Option<bool> {
        let left = self.left(mask);
        sums.clear();
        sums.resize(self.stock.len(left), T::Sum::default());
        let mut good = true;
        for tile in self.board.next(mask) {
            let after = mask | tile.mask;
            let Some(shard) = next.get(shard(after)) else { continue };
            let Some(&begin) = shard.begin.get(&after) else { continue };
            let len = self.stock.len(left - self.stock.taken(tile.step));
            let row = &shard.counts[begin..begin + len];
            for &(to, from) in self.stock.pairs(tile.step, left) {
                good &= row[from as usize].add(&mut sums[to as usize]);
            }
        }
        good.then(|| sums.iter().any(|sum| *sum != T::Sum::default()))
    }
}
