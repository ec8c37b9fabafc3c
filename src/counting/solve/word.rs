//! Item masks: one bit for each cell and each piece type.
//!
//! `u64` has room for all items of a figure of one SOMA, `u32` for those left after its first piece, and [`Wide`]
//! for more. The search is generic over them, so each width has its own compiled loops.
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A fixed-size bit set used as an item mask.
pub(crate) trait MaskWord:
    Copy
    + Ord
    + Debug
    + Default
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    const BITS: usize;
    const ZERO: Self;
    /// The set of all bits, which pads lists: it intersects every other but the empty one.
    const FULL: Self;

    /// Returns the set of one bit.
    fn bit(index: usize) -> Self;
    /// Returns the index of the lowest set bit (BITS when empty).
    fn index(self) -> usize;
    /// Returns the lowest set bit alone.
    fn lowest(self) -> Self;
    /// Returns the number of set bits.
    fn count(self) -> usize;
    /// Returns bits 8 `at` … 8 `at` + 7.
    fn byte(self, at: usize) -> u8;

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }
    /// Returns true if the sets have a bit in common.
    #[inline(always)]
    fn has(self, other: Self) -> bool {
        !(self & other).is_zero()
    }
    /// Returns the difference of the sets.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    /// Returns the lowest `n` bits.
    fn first(n: usize) -> Self {
        (0..n).fold(Self::ZERO, |w, i| w | Self::bit(i))
    }
    fn ones(self) -> Ones<Self> {
        Ones(self)
    }
}

/// Indices of the set bits, ascending.
pub(crate) struct Ones<W>(W);

impl<W: MaskWord> Iterator for Ones<W> {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_zero() {
            return None;
        }
        let low = self.0.lowest();
        self.0 = self.0 ^ low;
        Some(low.index())
    }
}

macro_rules! native_word {
    ($t:ty) => {
        impl MaskWord for $t {
            const BITS: usize = <$t>::BITS as usize;
            const ZERO: Self = 0;
            const FULL: Self = <$t>::MAX;
            #[inline(always)]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline(always)]
            fn index(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline(always)]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn byte(self, at: usize) -> u8 {
                (self >> (8 * at)) as u8
            }
        }
    };
}
native_word!(u32);
native_word!(u64);

/// `K` machine words side by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Wide<const K: usize>([u64; K]);

impl<const K: usize> Default for Wide<K> {
    fn default() -> Self {
        Wide([0; K])
    }
}

macro_rules! wide_operator {
    ($trait:ident, $name:ident, $op:tt) => {
        impl<const K: usize> $trait for Wide<K> {
            type Output = Self;
            #[inline(always)]
            fn $name(mut self, other: Self) -> Self {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    *word $op other;
                }
                self
            }
        }
    };
}
wide_operator!(BitAnd, bitand, &=);
wide_operator!(BitOr, bitor, |=);
wide_operator!(BitXor, bitxor, ^=);

impl<const K: usize> Not for Wide<K> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Wide(self.0.map(|w| !w))
    }
}

impl<const K: usize> MaskWord for Wide<K> {
    const BITS: usize = 64 * K;
    const ZERO: Self = Wide([0; K]);
    const FULL: Self = Wide([u64::MAX; K]);
    #[inline(always)]
    fn bit(index: usize) -> Self {
        let mut w = [0; K];
        w[index / 64] = 1 << (index % 64);
        Wide(w)
    }
    #[inline(always)]
    fn index(self) -> usize {
        for (i, w) in self.0.iter().enumerate() {
            if *w != 0 {
                return 64 * i + w.trailing_zeros() as usize;
            }
        }
        Self::BITS
    }
    #[inline(always)]
    fn lowest(self) -> Self {
        let mut out = [0; K];
        for (out, word) in out.iter_mut().zip(self.0) {
            if word != 0 {
                *out = word & word.wrapping_neg();
                break;
            }
        }
        Wide(out)
    }
    #[inline(always)]
    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    #[inline(always)]
    fn byte(self, at: usize) -> u8 {
        self.0[at / 8].byte(at % 8)
    }
}
