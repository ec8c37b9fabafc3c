//! The list operations with vector instructions.
//!
//! A search spends nearly all of its time on lists of masks: it copies the masks disjoint from a placement, and finds
//! the items that few of them cover. [`MaskListOps`] defines these operations, and [`Portable`] has them for one mask
//! at a time. Here a vector holds eight `u32` or four `u64` masks with AVX2, and twice as many with AVX-512
//! (`simd/avx512.rs`).
//! Hardly any operation branches on the contents of a list, because a branch predictor could not learn such branches.
//!
//! * To copy some lanes, a permutation moves them to the front of the vector, and the whole vector is stored. Only its
//!   first lanes count: the next store begins behind them and overwrites the others. A table has the permutation for
//!   each choice of lanes; AVX-512 has an instruction for it.
//! * To find the items covered at least once, twice or three times, each lane collects the masks that pass through it,
//!   and at the end the lanes are combined in pairs. A bit is covered twice in a pair if it is in one lane, or once in
//!   each.
//! * To count the placements of all items at once, plane k holds bit k of the number of every item. A mask is added
//!   like a carry, from plane to plane. At the end the numbers of the lanes are added.
//! * To count pairs that complete a packing, the complements of a few masks are compared with all masks of the list.
//!
//! # Why it is right
//!
//! Each operation has the result of [`Portable`], with entries in the same order: `mask_list_ops_tests.rs` compares
//! them on random lists, and `shortcut_tests.rs` compares whole counts.
//!
//! `unsafe` is sound here for two reasons. First, [`Avx2`] and [`Avx512`] are tokens. Only [`Avx2::detect`] and
//! [`Avx512::detect`] construct them, and only if the processor has the instructions. The operations are methods of the
//! tokens, so they cannot be called elsewhere. Second, memory is read from arrays as long as a vector, and written into
//! slices whose length is checked first.
//!
//! # What it costs
//!
//! A pass over a list costs the same for each vector, whatever the masks are, so lists are padded to whole vectors. As
//! whole vectors are stored, output slices need room for `WIDTH` entries beyond the list.
//!
//! # Example
//!
//! `filter` with four masks of 64 bits, of which the placement `block` = 0001 leaves the second and the third:
//!
//! ```text
//! masks                   0011  0110  1100  1001
//! disjoint from block       no   yes   yes    no    lanes 0b0110, FRONT_64[6] = 2 3 4 5 0 1 0 1
//! stored                  0110  1100  0011  0011    the length is 2, and the next store begins here
//! covered once, twice     0110 | 1100 = 1110, and 0110 & 1100 = 0100
//! ```
use super::mask_list_ops::{Coverage, MaskListOps, NarrowOps, PLANES, Portable, rarest};
use super::narrow::Narrowing;
use std::arch::x86_64::*;

/// The operations for processors with AVX2. Exists only if this processor has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns the operations, if this processor has the instructions.
    pub(super) fn detect() -> Option<Self> {
        let detected = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        detected.then_some(Self(()))
    }
}

/// The operations for processors that also have AVX-512. Exists only if this processor has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx512(Avx2);

impl Avx512 {
    /// Returns the operations, if this processor has the instructions.
    pub(super) fn detect() -> Option<Self> {
        let avx2 = Avx2::detect()?;
        let detected = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        detected.then_some(Self(avx2))
    }

    /// Returns the AVX2 operations, which a processor with AVX-512 also has.
    pub(super) const fn avx2(self) -> Avx2 {
        self.0
    }
}

/// By choice of lanes, the permutation that moves the chosen ones to the front: bit i of the index stands for lane i.
/// An entry is one byte, so that the table takes 2 KiB of the first cache.
static FRONT_32: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut k) = (0, 0);
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                table[bits][k] = lane as u8;
                k += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

/// The same for four lanes of 64 bits, as permutations of their halves. The lanes behind those in front are copies of
/// lane 0.
static FRONT_64: [[u32; 8]; 16] = {
    let mut table = [[0, 1, 0, 1, 0, 1, 0, 1]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut lane, mut k) = (0, 0);
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                table[bits][2 * k] = 2 * lane;
                table[bits][2 * k + 1] = 2 * lane + 1;
                k += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

/// Defines functions on vectors, compiled for the instructions named first.
macro_rules! primitives {
    ($features:literal; $(
        $(#[$doc:meta])*
        $visible:vis fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty $body:block
    )*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = $features)]
            $visible fn $name($($arg: $type),*) -> $out $body
        )*
    };
}

/// Defines reductions over all lanes of vectors. The permutations `$swap` together bring every lane to every other, so
/// that at the end each lane has the result for all of them.
macro_rules! lane_operations {
    ($word:ty, $features:literal, [$($swap:ident),*]) => {
        /// Number of planes that sums of all lanes have beyond those of single lanes: each doubling adds a bit.
        pub(super) const EXTRA_PLANES: usize = [$(stringify!($swap)),*].len();

        primitives! { $features;
            pub(super) fn covered(one: V) -> $word {
                let mut one = one;
                $(one = or(one, $swap(one));)*
                lane(one)
            }
            pub(super) fn scarcest(coverage: Coverage<V>, need: $word) -> $word {
                let Coverage { mut one, mut two, mut three } = coverage;
                $(
                    let (one2, two2, three2) = ($swap(one), $swap(two), $swap(three));
                    three = or_and(or_and(or(three, three2), two, one2), one, two2);
                    two = or_and(or(two, two2), one, one2);
                    one = or(one, one2);
                )*
                let _ = one;
                let few = need & !lane(two);
                std::hint::select_unpredictable(few == 0, need & !lane(three), few)
            }
            /// Returns the sums of the lanes, as planes: bit k of an item's number is in plane k. The given planes are
            /// empty from `depth` on.
            pub(super) fn sums(planes: [V; PLANES], depth: usize) -> [$word; PLANES] {
                let mut planes = planes;
                let mut depth = depth;
                $(
                    depth += 1;
                    let mut carry = splat(0);
                    for plane in &mut planes[..depth] {
                        let other = $swap(*plane);
                        (carry, *plane) = add(*plane, other, carry);
                    }
                )*
                planes.map(|plane| lane(plane))
            }
        }
    };
}

/// Defines the list operations for `$word`, and `MaskListOps<$word>` for `$ops`.
macro_rules! list_operations {
    ($ops:ident, $word:ty, $step:literal, $width:literal, $features:literal) => {
        const LANES: usize = $step;

        primitives! { $features;
            /// Returns a vector of padding: masks that intersect everything.
            fn full() -> V { splat(<$word>::MAX) }
        }

        /// Writes a vector to the entries from `at` on.
        ///
        /// # Safety
        /// `to` must have `at + LANES` entries.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn store(to: &mut [$word], at: usize, value: V) {
            debug_assert!(at + LANES <= to.len());
            // SAFETY: the caller guarantees the length; no alignment is required.
            unsafe { store_unaligned(to.as_mut_ptr().add(at).cast(), value) }
        }

        /// Copies the entries disjoint from `block`. Returns their number and, by lane, how often they cover items:
        /// once only, or with `FULL` also twice and three times. The caller combines the lanes when it needs them.
        #[inline]
        #[target_feature(enable = $features)]
        fn filter<const FULL: bool>(
            list: &[$word],
            block: $word,
            out: &mut [$word],
        ) -> (usize, Coverage<V>) {
            let none = splat(0);
            let (mut one, mut two, mut three) = (none, none, none);
            let block = splat(block);
            let out = &mut out[..list.len() + $width];
            let mut len = 0;
            for chunk in list.as_chunks::<LANES>().0 {
                let masks = load(chunk);
                let keep = disjoint(masks, block);
                let packed = front(masks, bits(keep));
                let kept = kept(masks, keep, packed);
                if FULL {
                    three = or_and(three, two, kept);
                    two = or_and(two, one, kept);
                }
                one = or(one, kept);
                // SAFETY: `len` is at most the number of entries before this chunk: LANES more are in the list.
                unsafe { store(out, len, packed) };
                len += bits(keep).count_ones() as usize;
            }
            for at in 0..$width / LANES {
                // SAFETY: `len` is at most the length of the list, and `out` is longer by `$width`.
                unsafe { store(out, len + at * LANES, full()) };
            }
            (len, Coverage { one, two, three })
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn select(list: &[$word], n: usize, item: $word, out: &mut [$word]) -> usize {
            let item = splat(item);
            let out = &mut out[..list.len() + $width];
            let mut len = 0;
            for chunk in list.as_chunks::<LANES>().0 {
                let masks = load(chunk);
                let meet = bits(disjoint(masks, item)) ^ ((1 << LANES) - 1);
                // SAFETY: `len` is at most the number of entries before this chunk: LANES more are in the list.
                unsafe { store(out, len, front(masks, meet)) };
                len += meet.count_ones() as usize;
            }
            // The padding intersects everything.
            len - (list.len() - n)
        }

        /// Adds one to the numbers of some items, from plane to plane.
        #[inline]
        #[target_feature(enable = $features)]
        fn ripple(planes: &mut [V], mut carry: V) {
            for plane in planes {
                (carry, *plane) = (and(*plane, carry), xor(*plane, carry));
            }
        }

        /// Counts the entries that cover each item, as planes. The list has fewer than 2^DEPTH vectors, so the number
        /// in a lane fits in `DEPTH` planes.
        #[inline]
        #[target_feature(enable = $features)]
        fn numbers<const DEPTH: usize>(list: &[$word]) -> [$word; PLANES] {
            let mut planes = [splat(0); PLANES];
            let (fours, rest) = list.as_chunks::<{ 4 * LANES }>();
            for four in fours {
                // The first two planes take four masks at once: then fewer carries reach the others.
                let masks: [V; 4] = std::array::from_fn(|at| load(&four.as_chunks().0[at]));
                let (twice, once) = add(planes[0], masks[0], masks[1]);
                let (twice_more, once) = add(once, masks[2], masks[3]);
                let (carry, twos) = add(planes[1], twice, twice_more);
                (planes[0], planes[1]) = (once, twos);
                ripple(&mut planes[2..DEPTH], carry);
            }
            for chunk in rest.as_chunks().0 {
                ripple(&mut planes[..DEPTH], load(chunk));
            }
            sums(planes, DEPTH)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn fewest<const DEPTH: usize>(list: &[$word], need: $word) -> $word {
            rarest(&numbers::<DEPTH>(list)[..DEPTH + EXTRA_PLANES], need)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn contains(list: &[$word], mask: $word) -> bool {
            let mask = splat(mask);
            list.as_chunks::<LANES>().0.iter().any(|chunk| bits(equal(load(chunk), mask)) != 0)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn survivors(
            list: &[$word],
            n: usize,
            scarce: &[[$word; 8]],
            more: $word,
            out: &mut [$word],
        ) -> usize {
            let keep = splat(!more);
            let out = &mut out[..list.len() + $width];
            let mut len = 0;
            for (at, chunk) in list.as_chunks::<LANES>().0.iter().enumerate() {
                let masks = load(chunk);
                let blocks = and(masks, keep);
                let mut lost = 0;
                for &[item, first, ref others @ ..] in scarce {
                    let without = disjoint(blocks, splat(item));
                    let free =
                        others.iter().fold(disjoint(blocks, splat(first)), |free, &placement| {
                            either(free, disjoint(blocks, splat(placement)))
                        });
                    lost |= bits(without) & !bits(free);
                }
                let real = (1 << n.saturating_sub(at * LANES).min(LANES)) - 1;
                let live = real & !lost;
                // SAFETY: `len` is at most the number of entries before this chunk: LANES more are in the list.
                unsafe { store(out, len, front(masks, live)) };
                len += live.count_ones() as usize;
            }
            len
        }

        /// Counts the pairs that make up `open`, in a list of N vectors of which the first `n` entries are real.
        ///
        /// Of each pair, one entry has the lowest open item. Compares the complements of these entries with all
        /// entries, four complements at a time, and counts the entries without the lowest item that match one. So the
        /// only branch that depends on the contents of the list is the number of fours.
        ///
        /// The last four can contain lanes behind those in front. With AVX-512 they are empty and match no entry. With
        /// AVX2 they repeat lane 0. If the entry of lane 0 has the lowest item, its complement is one of those wanted
        /// anyway. If not, its complement has the lowest item, and matches only entries that do not count.
        #[inline]
        #[target_feature(enable = $features)]
        fn pairs<const N: usize>(list: [&[$word; LANES]; N], n: usize, open: $word) -> u64 {
            let (lowest, whole) = (splat(open & open.wrapping_neg()), splat(open));
            let masks = list.map(|chunk| load(chunk));
            let without = masks.map(|masks| bits(disjoint(masks, lowest)));
            let mut hits = [equal(lowest, splat(0)); N];
            for k in 0..N {
                let real = (1 << n.saturating_sub(k * LANES).min(LANES)) - 1;
                let with = real & !without[k];
                let wanted = front(xor(masks[k], whole), with);
                for four in 0..with.count_ones().div_ceil(4) as usize {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|i| nth(wanted, 4 * four + i));
                    for (hits, &masks) in hits.iter_mut().zip(&masks) {
                        let ab = either(equal(masks, a), equal(masks, b));
                        let cd = either(equal(masks, c), equal(masks, d));
                        *hits = either(*hits, either(ab, cd));
                    }
                }
            }
            let mut total = 0;
            for (hits, without) in hits.into_iter().zip(without) {
                total += u64::from((bits(hits) & without).count_ones());
            }
            total
        }

        /// Runs `body`. What is inlined into this function is compiled for these instructions, so the operations are
        /// inlined into the loop of the search instead of being called.
        #[target_feature(enable = $features)]
        fn call<R>(body: impl FnOnce() -> R) -> R {
            body()
        }

        // SAFETY of all calls below: `self` exists, so the processor has the instructions.
        impl MaskListOps<$word> for $ops {
            type Coverage = Coverage<V>;
            const WIDTH: usize = $width;

            #[inline(always)]
            fn call<R>(self, body: impl FnOnce() -> R) -> R {
                unsafe { call(body) }
            }
            #[inline(always)]
            fn filter(
                self,
                list: &[$word],
                block: $word,
                out: &mut [$word],
            ) -> (usize, Self::Coverage) {
                unsafe { filter::<true>(list, block, out) }
            }
            #[inline(always)]
            fn filter_last(
                self,
                list: &[$word],
                block: $word,
                out: &mut [$word],
            ) -> (usize, $word) {
                unsafe {
                    let (len, coverage) = filter::<false>(list, block, out);
                    (len, covered(coverage.one))
                }
            }
            #[inline(always)]
            fn covered(self, coverage: Self::Coverage) -> $word {
                unsafe { covered(coverage.one) }
            }
            #[inline(always)]
            fn scarcest(self, coverage: Self::Coverage, need: $word) -> $word {
                unsafe { scarcest(coverage, need) }
            }
            #[inline(always)]
            fn select(self, list: &[$word], n: usize, item: $word, out: &mut [$word]) -> usize {
                unsafe { select(list, n, item, out) }
            }
            #[inline(always)]
            fn numbers(self, list: &[$word]) -> [$word; PLANES] {
                match list.len() / LANES {
                    0..256 => unsafe { numbers::<8>(list) },
                    _ => Portable.numbers(list),
                }
            }
            #[inline(always)]
            fn fewest(self, list: &[$word], need: $word) -> $word {
                match list.len() / LANES {
                    0..4 => unsafe { fewest::<2>(list, need) },
                    4..16 => unsafe { fewest::<4>(list, need) },
                    16..256 => unsafe { fewest::<8>(list, need) },
                    _ => Portable.fewest(list, need),
                }
            }
            #[inline(always)]
            fn contains(self, list: &[$word], mask: $word) -> bool {
                unsafe { contains(list, mask) }
            }
            #[inline(always)]
            fn survivors(
                self,
                list: &[$word],
                n: usize,
                scarce: &[[$word; 8]],
                more: $word,
                out: &mut [$word],
            ) -> usize {
                unsafe { survivors(list, n, scarce, more, out) }
            }
            #[inline(always)]
            fn pairs(self, list: &[$word], n: usize, open: $word) -> u64 {
                match list.as_chunks::<LANES>().0 {
                    [a] => unsafe { pairs([a], n, open) },
                    [a, b] => unsafe { pairs([a, b], n, open) },
                    _ => Portable.pairs(list, n, open),
                }
            }
        }
    };
}

/// Defines the AVX2 primitives that do not depend on the mask width. With AVX2 a set of lanes, such as the result of
/// `equal`, is a vector in which all bits of a lane are set or none.
macro_rules! avx2_primitives {
    ($word:ty, $lanes:literal) => {
        use super::*;
        type V = __m256i;

        primitives! { "avx2,popcnt,bmi1,bmi2";
            fn load(from: &[$word; $lanes]) -> V {
                // SAFETY: the array is exactly 32 readable bytes; no alignment is required.
                unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
            }
            fn and(a: V, b: V) -> V { _mm256_and_si256(a, b) }
            pub(super) fn or(a: V, b: V) -> V { _mm256_or_si256(a, b) }
            fn xor(a: V, b: V) -> V { _mm256_xor_si256(a, b) }
            pub(super) fn or_and(a: V, b: V, c: V) -> V { or(a, and(b, c)) }
            /// Returns carries and sums.
            pub(super) fn add(a: V, b: V, c: V) -> (V, V) {
                let half = xor(a, b);
                (or_and(and(a, b), half, c), xor(half, c))
            }
            fn either(a: V, b: V) -> V { or(a, b) }
            /// Returns the chosen lanes of `v` in any order, and 0 in the others. `packed` has them in front, but
            /// repeats of other lanes behind.
            fn kept(v: V, lanes: V, _packed: V) -> V { and(v, lanes) }
            fn disjoint(a: V, b: V) -> V { equal(and(a, b), splat(0)) }
            fn swap_128(v: V) -> V { _mm256_permute2x128_si256::<1>(v, v) }
            fn swap_64(v: V) -> V { _mm256_shuffle_epi32::<0b01_00_11_10>(v) }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn store_unaligned(to: *mut V, value: V) {
            // SAFETY: guaranteed by the caller.
            unsafe { _mm256_storeu_si256(to, value) }
        }
    };
}

mod avx2_narrow {
    avx2_primitives!(u32, 8);
    primitives! { "avx2,popcnt,bmi1,bmi2";
        pub(super) fn splat(word: u32) -> V { _mm256_set1_epi32(word as i32) }
        fn equal(a: V, b: V) -> V { _mm256_cmpeq_epi32(a, b) }
        fn bits(lanes: V) -> usize { _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as usize & 0xff }
        fn front(v: V, bits: usize) -> V {
            let lanes = _mm_cvtsi64_si128(i64::from_le_bytes(FRONT_32[bits]));
            _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(lanes))
        }
        fn lane(v: V) -> u32 { _mm_cvtsi128_si32(_mm256_castsi256_si128(v)) as u32 }
        /// Copies one lane to all lanes.
        fn nth(v: V, i: usize) -> V {
            _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(i as i32))
        }
        fn swap_32(v: V) -> V { _mm256_shuffle_epi32::<0b10_11_00_01>(v) }
    }
    lane_operations!(u32, "avx2,popcnt,bmi1,bmi2", [swap_128, swap_64, swap_32]);
    list_operations!(Avx2, u32, 8, 8, "avx2,popcnt,bmi1,bmi2");
}

mod avx2_wide {
    avx2_primitives!(u64, 4);
    primitives! { "avx2,popcnt,bmi1,bmi2";
        pub(super) fn splat(word: u64) -> V { _mm256_set1_epi64x(word as i64) }
        fn equal(a: V, b: V) -> V { _mm256_cmpeq_epi64(a, b) }
        fn bits(lanes: V) -> usize { _mm256_movemask_pd(_mm256_castsi256_pd(lanes)) as usize & 0xf }
        fn front(v: V, bits: usize) -> V {
            let table: &[u32; 8] = &FRONT_64[bits];
            // SAFETY: the array is exactly 32 readable bytes; no alignment is required.
            _mm256_permutevar8x32_epi32(v, unsafe { _mm256_loadu_si256(table.as_ptr().cast()) })
        }
        /// Copies one lane to all lanes.
        fn nth(v: V, i: usize) -> V {
            let halves = (2 * i) | ((2 * i + 1) << 32);
            _mm256_permutevar8x32_epi32(v, _mm256_set1_epi64x(halves as i64))
        }
        fn lane(v: V) -> u64 { _mm_cvtsi128_si64(_mm256_castsi256_si128(v)) as u64 }
    }
    lane_operations!(u64, "avx2,popcnt,bmi1,bmi2", [swap_128, swap_64]);
    list_operations!(Avx2, u64, 4, 8, "avx2,popcnt,bmi1,bmi2");
}

mod avx512;

impl NarrowOps for Avx2 {}
