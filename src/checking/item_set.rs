//! Sets of items as bit masks.

/// A set of items: bit n represents item n.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ItemSet<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for ItemSet<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const WORDS: usize> ItemSet<WORDS> {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    pub(super) fn of(item: usize) -> Self {
        Self::EMPTY.with(item)
    }

    pub(super) fn with(mut self, item: usize) -> Self {
        self.0[item / 64] |= 1 << (item % 64);
        self
    }

    #[inline(always)]
    pub(super) fn has(&self, item: usize) -> bool {
        self.0[item / 64] >> (item % 64) & 1 == 1
    }

    #[inline(always)]
    fn zip(mut self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self {
        for at in 0..WORDS {
            self.0[at] = word(self.0[at], other.0[at]);
        }
        self
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[inline(always)]
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    pub(super) fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let item = self.first()?;
            self.0[item / 64] &= self.0[item / 64] - 1;
            Some(item)
        })
    }
}
