//! Count vectors, computed from the last level back to the first.
//!
//! A set's vector has, for each choice of pieces with the volume of its free sites, the number of ways to cover these
//! with exactly these pieces. It is the sum over the tiles that cover the first free site: the tile leads to a set of
//! the next level, and from a choice to the choice without the tile's pieces. Sets of which all numbers are 0 are
//! dropped, which shortens the sums of the level before. The first level has one set, the empty one, and its vector one
//! number, for all pieces: the result.
//!
//! Numbers have 32 bits at first. If one does not fit, its level is computed again with twice the width, in which the
//! levels before it then begin.

use super::board::{SweepBoard, TileStep};
use super::choices::PieceChoices;
use super::levels::{LEVEL_SHARDS, MaskLevel, list_bytes, shard, size, table_bytes};
use super::limits::{Halt, SweepLimits};
use crate::parallel;
use crate::solve::limits::ShownCount;
use crate::solve::word::MaskWord;
use rustc_hash::FxHashMap;
use std::collections::TryReserveError;
use std::mem::size_of;

/// An unsigned integer as it is stored, and its addition.
trait CountWord: Copy + Send + Sync {
    /// Wide enough for all counts that can meet in one entry.
    type Sum: Copy + Default + PartialEq;
    /// Adds to a sum; returns false if the sum overflows.
    fn add(self, sum: &mut Self::Sum) -> bool;
}

impl CountWord for u32 {
    type Sum = u64;
    #[inline(always)]
    fn add(self, sum: &mut u64) -> bool {
        // Fewer than 2^32 tiles begin at one site.
        *sum += u64::from(self);
        true
    }
}

impl CountWord for u64 {
    type Sum = u128;
    #[inline(always)]
    fn add(self, sum: &mut u128) -> bool {
        *sum += u128::from(self);
        true
    }
}

impl CountWord for u128 {
    type Sum = u128;
    #[inline(always)]
    fn add(self, sum: &mut u128) -> bool {
        let (total, over) = sum.overflowing_add(self);
        *sum = total;
        !over
    }
}

/// The vectors of a shard, concatenated.
struct CountShard<W, T> {
    /// For each set, the index in `counts` where its vector starts. The length follows from the number of its free
    /// cells.
    begin: FxHashMap<W, usize>,
    counts: Vec<T>,
}

/// The vectors of a level, by shard.
type CountTable<W, T> = Vec<CountShard<W, T>>;

/// A level's vectors, in the narrowest width that fits all counts.
enum CountVectors<W> {
    Narrow(CountTable<W, u32>),
    Middle(CountTable<W, u64>),
    Wide(CountTable<W, u128>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SweepTotal {
    /// The number of covers.
    pub(super) total: u128,
    pub(super) states: u64,
}

/// The reason why the vectors of a level could not be computed.
enum VectorError {
    /// A count does not fit the width of the integers.
    Width,
    Halt(Halt),
}

impl From<TryReserveError> for VectorError {
    fn from(_: TryReserveError) -> Self {
        Self::Halt(Halt::Allocation)
    }
}

/// Returns the number of states in all levels, and of their counts.
pub(super) fn sizes<W: MaskWord>(
    board: &SweepBoard<W>,
    choices: &PieceChoices,
    levels: &[MaskLevel<W>],
) -> (u64, u64) {
    let counts = |mask: &W| choices.len(board.cells(board.full.without(*mask))) as u64;
    let shards: Vec<&Vec<W>> = levels.iter().flatten().collect();
    let all = parallel::map(shards.len(), |at| shards[at].iter().map(counts).sum::<u64>());
    (levels.iter().map(size).sum(), all.into_iter().sum())
}

/// Counts covers from the last level to the first, and drops each level when it is done.
pub(super) fn count<W: MaskWord>(
    board: &SweepBoard<W>,
    choices: &PieceChoices,
    mut levels: Vec<MaskLevel<W>>,
    bounds: SweepLimits<'_>,
    shown: Option<&ShownCount<'_>>,
) -> Result<SweepTotal, Halt> {
    let states: u64 = levels.iter().map(size).sum();
    let mut vectors = CountVectors::Narrow(Vec::new());
    let mut lists = states;
    while let Some(level) = levels.pop() {
        let work = LevelWork { board, choices, level: &level, bounds, shown };
        let held = list_bytes::<W>(lists) + vectors.bytes();
        vectors = work.vectors(&vectors, held)?;
        lists -= size(&level);
    }
    Ok(SweepTotal { total: vectors.only(), states })
}

impl<W> CountVectors<W> {
    fn bytes(&self) -> u64 {
        fn of<W, T>(table: &CountTable<W, T>) -> u64 {
            let bytes = |shard: &CountShard<W, T>| {
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

    /// Returns the single count of the first level, where nothing is covered.
    fn only(&self) -> u128 {
        fn of<W, T: Copy + Into<u128>>(table: &CountTable<W, T>) -> u128 {
            table.iter().flat_map(|shard| &shard.counts).map(|&count| count.into()).sum()
        }
        match self {
            Self::Narrow(table) => of(table),
            Self::Middle(table) => of(table),
            Self::Wide(table) => of(table),
        }
    }
}

/// A term of a sum: a vector of the next level, and the pairs (to, from) of positions in the sum and in the vector.
type CountTerm<'n, T> = (&'n [T], &'n [(u32, u32)]);

/// The work on one level.
struct LevelWork<'a, W> {
    board: &'a SweepBoard<W>,
    choices: &'a PieceChoices,
    level: &'a MaskLevel<W>,
    bounds: SweepLimits<'a>,
    shown: Option<&'a ShownCount<'a>>,
}

impl<W: MaskWord> LevelWork<'_, W> {
    /// Computes the vectors of the level from those of the next. `held` bytes are already in use.
    fn vectors(&self, next: &CountVectors<W>, held: u64) -> Result<CountVectors<W>, Halt> {
        let entries: u64 =
            self.level.iter().flatten().map(|&mask| self.choices.len(self.left(mask)) as u64).sum();
        let tables = table_bytes::<W, usize>(size(self.level));
        let need = |width: usize| held + tables + entries * width as u64;
        let mut width = 4;
        loop {
            self.bounds.need(need(width))?;
            let made = match (next, width) {
                (CountVectors::Narrow(next), 4) => {
                    self.level_vectors(next).map(CountVectors::Narrow)
                }
                (CountVectors::Narrow(next), _) => {
                    self.level_vectors(next).map(CountVectors::Middle)
                }
                (CountVectors::Middle(next), 8) => {
                    self.level_vectors(next).map(CountVectors::Middle)
                }
                (CountVectors::Middle(next), 16) => {
                    self.level_vectors(next).map(CountVectors::Wide)
                }
                (CountVectors::Wide(next), 16) => self.level_vectors(next).map(CountVectors::Wide),
                _ => Err(VectorError::Width),
            };
            match made {
                Ok(vectors) => {
                    self.shown.inspect(|shown| shown.advance(entries as usize));
                    return Ok(vectors);
                }
                Err(VectorError::Halt(halt)) => return Err(halt),
                Err(VectorError::Width) if width == 16 => return Err(Halt::Overflow),
                Err(VectorError::Width) => width *= 2,
            }
        }
    }

    /// Returns the number of free cells of a set.
    #[inline]
    fn left(&self, mask: W) -> usize {
        self.board.cells(self.board.full.without(mask))
    }

    fn level_vectors<T, U>(&self, next: &CountTable<W, T>) -> Result<CountTable<W, U>, VectorError>
    where
        T: CountWord,
        U: CountWord + Default + From<u8> + TryFrom<T::Sum>,
    {
        parallel::try_map(LEVEL_SHARDS, |at| self.shard_vectors(next, at))
    }

    fn shard_vectors<T, U>(
        &self,
        next: &CountTable<W, T>,
        at: usize,
    ) -> Result<CountShard<W, U>, VectorError>
    where
        T: CountWord,
        U: CountWord + Default + From<u8> + TryFrom<T::Sum>,
    {
        if self.bounds.stopped() {
            return Err(VectorError::Halt(Halt::Stopped));
        }
        let masks = &self.level[at];
        let entries = masks.iter().map(|&mask| self.choices.len(self.left(mask))).sum();
        let mut made = CountShard { begin: FxHashMap::default(), counts: Vec::new() };
        made.counts.try_reserve_exact(entries)?;
        made.begin.try_reserve(masks.len())?;
        let (mut terms, mut sums) = (Vec::new(), Vec::new());
        for &mask in masks {
            if mask == self.board.full {
                made.begin.insert(mask, made.counts.len());
                made.counts.push(U::from(1));
                continue;
            }
            if !self.add_up(next, mask, &mut terms, &mut sums).ok_or(VectorError::Width)? {
                continue;
            }
            made.begin.insert(mask, made.counts.len());
            for &sum in &sums {
                made.counts.push(U::try_from(sum).map_err(|_| VectorError::Width)?);
            }
        }
        made.counts.shrink_to_fit();
        Ok(made)
    }

    /// Writes the vector of a set of sites to `sums`. `terms` is a buffer. Returns true if any count is not zero;
    /// `None` if a count overflows.
    fn add_up<'n, T: CountWord>(
        &'n self,
        next: &'n CountTable<W, T>,
        mask: W,
        terms: &mut Vec<CountTerm<'n, T>>,
        sums: &mut Vec<T::Sum>,
    ) -> Option<bool> {
        let left = self.left(mask);
        sums.clear();
        sums.resize(self.choices.len(left), T::Sum::default());
        // All lookups come before the sums, so that the processor can overlap their waits.
        let term = |step: TileStep<W>| {
            let shard = next.get(shard(step.mask))?;
            let &begin = shard.begin.get(&step.mask)?;
            let len = self.choices.len(left - self.choices.cells(step.usage));
            let pairs = self.choices.pairs(step.usage, step.mirrored, left);
            Some((&shard.counts[begin..begin + len], pairs))
        };
        terms.clear();
        terms.extend(self.board.next(mask).filter_map(term));
        let mut fits = true;
        for &(counts, pairs) in terms.iter() {
            for &(to, from) in pairs {
                fits &= counts[from as usize].add(&mut sums[to as usize]);
            }
        }
        fits.then(|| sums.iter().any(|sum| *sum != T::Sum::default()))
    }
}
