//! The four list operations of the search, in portable form.
//!
//! A list is a slice of item masks whose length is a multiple of [`LANES`];
//! the entries after the real ones are [`Word::FULL`], which meets everything.
use super::word::Word;

pub(super) const LANES: usize = 8;
/// Enough for the number of placements of any item.
pub(super) const PLANES: usize = 14;

pub(super) fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// Fills up the list of `n` entries at the head of `area` with padding.
#[inline(always)]
pub(super) fn pad<W: Word>(area: &mut [W], n: usize) {
    if let Some(tail) = area[n..].first_chunk_mut::<LANES>() {
        *tail = [W::FULL; LANES];
    }
}

/// Items with at least one, two, three entries.
#[derive(Clone, Copy, Default)]
pub(super) struct Coverage<W> {
    pub(super) one: W,
    pub(super) two: W,
    pub(super) three: W,
}

pub(super) trait Sieve<W: Word> {
    type Coverage: Copy;

    /// Runs `body`, compiled for the instructions the other operations use.
    fn call<R>(body: impl FnOnce() -> R) -> R;
    /// Which entries of a chunk meet `item`, one bit each.
    fn meets(chunk: &[W; LANES], item: W) -> u32;
    /// Copies the entries that do not meet `block` to `out` (padded) and tallies them.
    fn filter(list: &[W], block: W, out: &mut [W]) -> (usize, Self::Coverage);
    /// The same with only the items covered at all.
    fn filter_last(list: &[W], block: W, out: &mut [W]) -> (usize, W);
    /// Items covered at all.
    fn covered(tally: Self::Coverage) -> W;
    /// Those of `need` covered once, or else twice, or else none.
    fn scarcest(tally: Self::Coverage, need: W) -> W;
    /// Bit `k` of the number of entries of every item in word `k`; the number
    /// includes the padding.
    fn numbers(list: &[W]) -> [W; PLANES];
    /// Is `mask` in the list?
    fn contains(list: &[W], mask: W) -> bool;
    /// Do the entries that do not meet `block` cover `need`?
    fn covers(list: &[W], block: W, need: W) -> bool;
}

/// Calls `each` with the first `n` entries of `list` that meet `item`.
#[inline(always)]
pub(super) fn for_meeting<W: Word, S: Sieve<W>>(
    list: &[W],
    n: usize,
    item: W,
    mut each: impl FnMut(W) -> bool,
) {
    let mut ahead = n;
    for chunk in list.as_chunks::<LANES>().0 {
        let mut bits = S::meets(chunk, item);
        if ahead < LANES {
            bits &= (1 << ahead) - 1;
        }
        while bits != 0 {
            if !each(chunk[bits.trailing_zeros() as usize % LANES]) {
                return;
            }
            bits &= bits - 1;
        }
        ahead = ahead.saturating_sub(LANES);
    }
}

pub(super) struct Portable;

#[inline(always)]
fn keep<W: Word>(list: &[W], block: W, out: &mut [W]) -> usize {
    let out = &mut out[..list.len() + LANES];
    let mut len = 0;
    for &mask in list {
        out[len] = mask;
        len += usize::from(!mask.has(block));
    }
    pad(out, len);
    len
}

/// Adds three bits everywhere: (carry, sum).
#[inline(always)]
fn add<W: Word>(a: W, b: W, c: W) -> (W, W) {
    let half = a ^ b;
    ((a & b) | (half & c), half ^ c)
}

impl<W: Word> Sieve<W> for Portable {
    type Coverage = Coverage<W>;

    #[inline(always)]
    fn call<R>(body: impl FnOnce() -> R) -> R {
        body()
    }

    #[inline(always)]
    fn meets(chunk: &[W; LANES], item: W) -> u32 {
        chunk.iter().rev().fold(0, |bits, mask| bits << 1 | u32::from(mask.has(item)))
    }

    #[inline(always)]
    fn filter(list: &[W], block: W, out: &mut [W]) -> (usize, Coverage<W>) {
        let len = keep(list, block, out);
        let mut tally = Coverage { one: W::ZERO, two: W::ZERO, three: W::ZERO };
        for &mask in &out[..len] {
            tally.three = tally.three | (tally.two & mask);
            tally.two = tally.two | (tally.one & mask);
            tally.one = tally.one | mask;
        }
        (len, tally)
    }

    #[inline(always)]
    fn filter_last(list: &[W], block: W, out: &mut [W]) -> (usize, W) {
        let len = keep(list, block, out);
        (len, out[..len].iter().fold(W::ZERO, |one, &mask| one | mask))
    }

    #[inline(always)]
    fn covered(tally: Coverage<W>) -> W {
        tally.one
    }

    #[inline(always)]
    fn scarcest(tally: Coverage<W>, need: W) -> W {
        let few = need.without(tally.two);
        if few.is_zero() { need.without(tally.three) } else { few }
    }

    fn numbers(list: &[W]) -> [W; PLANES] {
        let mut planes = [W::ZERO; PLANES];
        for &[a, b, c, d] in list.as_chunks::<4>().0 {
            let (twice, once) = add(planes[0], a, b);
            let (twice_more, once) = add(once, c, d);
            let (mut carry, twos) = add(planes[1], twice, twice_more);
            (planes[0], planes[1]) = (once, twos);
            for plane in &mut planes[2..] {
                if carry.is_zero() {
                    break;
                }
                let both = *plane & carry;
                *plane = *plane ^ carry;
                carry = both;
            }
        }
        planes
    }

    #[inline(always)]
    fn contains(list: &[W], mask: W) -> bool {
        list.contains(&mask)
    }

    fn covers(list: &[W], block: W, need: W) -> bool {
        let mut missing = need;
        for &mask in list {
            if !mask.has(block) {
                missing = missing.without(mask);
                if missing.is_zero() {
                    return true;
                }
            }
        }
        missing.is_zero()
    }
}

/// Those of `need` with the smallest number.
#[inline(always)]
pub(super) fn fewest<W: Word>(planes: &[W; PLANES], need: W) -> W {
    let mut best = need;
    for &plane in planes.iter().rev() {
        let lighter = best.without(plane);
        if !lighter.is_zero() {
            best = lighter;
        }
    }
    best
}

/// Those of `need` with a number below `2^bits`.
pub(super) fn scarce<W: Word>(planes: &[W; PLANES], need: W, bits: usize) -> W {
    planes[bits..].iter().fold(need, |w, &plane| w.without(plane))
}
