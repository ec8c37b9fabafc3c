//! The list operations of the searches, in portable form.
//!
//! A list is a slice of item masks whose length is a multiple of [`MaskListOps::WIDTH`]. The entries after the real
//! ones are [`MaskWord::FULL`], which intersects everything. Placements are counted for all items at once, in bit
//! slices, or planes: bit i of plane k is bit k of the number for item i. Carry-save adders add them up (Harley and
//! Seal; see Warren, Hacker's Delight, 5-1).
//!
//! For example, the masks 0011, 0110 and 0100 cover item 0 once, item 1 twice and item 2 twice. So plane 0 is 0001 and
//! plane 1 is 0110. Of the items 0 to 2 the rarest is 0: from the highest plane down, items with a bit are excluded as
//! long as others are left.
use super::narrow::Narrowing;
use super::word::MaskWord;
use std::hint::select_unpredictable;

/// Number of planes: enough for the number of placements of any item.
pub(super) const PLANES: usize = 14;

/// The items that at least one, two or three entries cover.
#[derive(Clone, Copy, Default)]
pub(super) struct Coverage<W> {
    pub(super) one: W,
    pub(super) two: W,
    pub(super) three: W,
}

/// The list operations for masks of type `W`. Default implementations are portable.
pub(super) trait MaskListOps<W: MaskWord>: Copy + Sync {
    type Coverage: Copy;
    /// The length of a list is a multiple of this, which is a multiple of 4.
    const WIDTH: usize = 8;

    /// Runs `body`, compiled for the instructions that the other operations use.
    fn call<R>(self, body: impl FnOnce() -> R) -> R;
    /// Copies the entries disjoint from `block` to `out`, padded. Returns their number and coverage. `out` has room
    /// for `list` and `WIDTH` more.
    fn filter(self, list: &[W], block: W, out: &mut [W]) -> (usize, Self::Coverage);
    /// Filters like [`Self::filter`], but returns only the covered items.
    fn filter_last(self, list: &[W], block: W, out: &mut [W]) -> (usize, W);
    /// Returns the items that at least one entry covers.
    fn covered(self, coverage: Self::Coverage) -> W;
    /// Returns the scarcest items of `need`. They are covered at most once, or else at most twice, or else there
    /// are none.
    fn scarcest(self, coverage: Self::Coverage, need: W) -> W;

    /// Copies those of the first `n` entries that intersect `item` to `out`. Returns their number. `out` has room
    /// for `list` and `WIDTH` more.
    #[inline(always)]
    fn select(self, list: &[W], n: usize, item: W, out: &mut [W]) -> usize {
        let mut len = 0;
        for &mask in &list[..n] {
            out[len] = mask;
            len += usize::from(mask.has(item));
        }
        len
    }

    /// Returns the number of entries that cover each item, padding included. Bit `k` of the numbers is in word `k`.
    fn numbers(self, list: &[W]) -> [W; PLANES] {
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
            // Of a piece a large figure may have more placements than the planes hold. Their number stays the largest.
            if W::BITS > u64::BITS as usize && !carry.is_zero() {
                planes.iter_mut().for_each(|plane| *plane = *plane | carry);
            }
        }
        planes
    }

    /// Returns the items of `need` that the fewest entries cover.
    #[inline(always)]
    fn fewest(self, list: &[W], need: W) -> W {
        rarest(&self.numbers(list), need)
    }

    #[inline(always)]
    fn contains(self, list: &[W], mask: W) -> bool {
        list.contains(&mask)
    }

    /// Copies entries that leave a placement for every scarce item to `out`. Considers the first `n` entries. Returns
    /// the number of copies. In `scarce`, an item precedes its placements, and [`MaskWord::FULL`] fills up the rest.
    /// The items in `more` stay open. `out` has room for `list` and `WIDTH` more.
    fn survivors(self, list: &[W], n: usize, scarce: &[[W; 8]], more: W, out: &mut [W]) -> usize {
        let mut len = 0;
        for &mask in &list[..n] {
            let block = mask.without(more);
            let leaves = |[item, placements @ ..]: &[W; 8]| {
                block.has(*item) || placements.iter().any(|placement| !placement.has(block))
            };
            out[len] = mask;
            len += usize::from(scarce.iter().all(leaves));
        }
        len
    }

    /// Counts the pairs among the first `n` entries that make up `open`. The entries are all different.
    fn pairs(self, list: &[W], n: usize, open: W) -> u64 {
        let first = list[..n].iter().filter(|mask| mask.has(open.lowest()));
        first.filter(|&&mask| self.contains(list, open.without(mask))).count() as u64
    }
}

/// The list operations of a search with masks of 32 bits.
pub(super) trait NarrowOps: MaskListOps<u32> {
    /// Writes the entries of `list` disjoint from the placement to `to`. Moves them into 32 bits, and returns their
    /// number. `rest` and `to` have room for `list` and `WIDTH` more.
    #[inline(always)]
    fn narrow(
        self,
        wide: impl MaskListOps<u64>,
        list: &[u64],
        narrowing: &Narrowing,
        rest: &mut [u64],
        to: &mut [u32],
    ) -> usize {
        let (len, _) = wide.filter_last(list, narrowing.placement(), rest);
        narrowing.list(&rest[..len], to);
        len
    }
}

impl NarrowOps for Portable {}

/// Returns the padded length of a list with `n` entries.
pub(super) fn padded<W: MaskWord, O: MaskListOps<W>>(n: usize) -> usize {
    n.next_multiple_of(O::WIDTH)
}

/// Pads the list of `n` entries at the start of `area`.
#[inline(always)]
pub(super) fn pad<W: MaskWord, O: MaskListOps<W>>(area: &mut [W], n: usize) {
    area[n..padded::<W, O>(n)].fill(W::FULL);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portable;

#[inline(always)]
fn copy_disjoint<W: MaskWord>(list: &[W], block: W, out: &mut [W]) -> usize {
    let out = &mut out[..=list.len()];
    let mut len = 0;
    for &mask in list {
        out[len] = mask;
        len += usize::from(!mask.has(block));
    }
    pad::<W, Portable>(out, len);
    len
}

/// Adds three bits in every position, and returns the carries and the sums: a carry-save adder.
#[inline(always)]
fn add<W: MaskWord>(a: W, b: W, c: W) -> (W, W) {
    let half = a ^ b;
    ((a & b) | (half & c), half ^ c)
}

impl<W: MaskWord> MaskListOps<W> for Portable {
    type Coverage = Coverage<W>;

    #[inline(always)]
    fn call<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }

    #[inline(always)]
    fn filter(self, list: &[W], block: W, out: &mut [W]) -> (usize, Coverage<W>) {
        let len = copy_disjoint(list, block, out);
        let mut coverage = Coverage { one: W::ZERO, two: W::ZERO, three: W::ZERO };
        for &mask in &out[..len] {
            coverage.three = coverage.three | (coverage.two & mask);
            coverage.two = coverage.two | (coverage.one & mask);
            coverage.one = coverage.one | mask;
        }
        (len, coverage)
    }

    #[inline(always)]
    fn filter_last(self, list: &[W], block: W, out: &mut [W]) -> (usize, W) {
        let len = copy_disjoint(list, block, out);
        (len, out[..len].iter().fold(W::ZERO, |one, &mask| one | mask))
    }

    #[inline(always)]
    fn covered(self, coverage: Coverage<W>) -> W {
        coverage.one
    }

    #[inline(always)]
    fn scarcest(self, coverage: Coverage<W>, need: W) -> W {
        let few = need.without(coverage.two);
        select_unpredictable(few.is_zero(), need.without(coverage.three), few)
    }
}

/// Returns the items of `need` with the smallest number.
#[inline(always)]
pub(super) fn rarest<W: MaskWord>(planes: &[W], need: W) -> W {
    planes.iter().rev().fold(need, |best, &plane| {
        let lighter = best.without(plane);
        select_unpredictable(lighter.is_zero(), best, lighter)
    })
}

/// Returns the items of `need` with a number below `2^bits`.
pub(super) fn scarce<W: MaskWord>(planes: &[W; PLANES], need: W, bits: usize) -> W {
    planes[bits..].iter().fold(need, |w, &plane| w.without(plane))
}
