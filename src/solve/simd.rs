//! The list operations with AVX2: eight `u32` or four `u64` masks at a time.
//!
//! [`Avx2`] may be used only after [`available`] has returned true: that is the whole safety argument of
//! the `unsafe` calls below.
use super::sieve::{Coverage, LANES, PLANES, Portable, Sieve, pad};
use std::arch::x86_64::*;

/// The operations for processors with AVX2.
pub(super) struct Avx2;

pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// The permutation that brings the lanes of a bit pattern to the front.
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

static FRONT_64: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
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

macro_rules! avx2_sieve {
    ($module:ident, $word:ty, $lanes:literal, $splat:ident, $equal:ident, $bits:expr, $front:expr, $lowest:ident, [$($swap:ident),*]) => {
        mod $module {
            use super::*;
            const STEP: usize = $lanes;

            #[inline]
            #[target_feature(enable = "avx2")]
            fn load(from: &[$word; STEP]) -> __m256i {
                // SAFETY: the array is exactly 32 readable bytes; no alignment is required.
                unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            fn store(to: &mut [$word], at: usize, value: __m256i) {
                let slot = &mut to[at..at + STEP];
                // SAFETY: the slice is exactly 32 writable bytes; no alignment is required.
                unsafe { _mm256_storeu_si256(slot.as_mut_ptr().cast(), value) }
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            fn disjoint(a: __m256i, b: __m256i) -> __m256i {
                $equal(_mm256_and_si256(a, b), _mm256_setzero_si256())
            }

            /// The lowest lane.
            #[inline]
            #[target_feature(enable = "avx2")]
            fn lane(value: __m256i) -> $word {
                $lowest(_mm256_castsi256_si128(value)) as $word
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn meets(chunk: &[$word; LANES], item: $word) -> u32 {
                let item = $splat(item as _);
                let mut out = 0;
                for (i, part) in chunk.as_chunks::<STEP>().0.iter().enumerate() {
                    out |= $bits(disjoint(load(part), item)) << (i * STEP);
                }
                out as u32 ^ ((1 << LANES) - 1)
            }

            #[inline]
            #[target_feature(enable = "avx2,popcnt")]
            pub(super) fn filter<const FULL: bool>(list: &[$word], block: $word, out: &mut [$word]) -> (usize, Coverage<__m256i>) {
                let zero = _mm256_setzero_si256();
                let (mut one, mut two, mut three) = (zero, zero, zero);
                let block = $splat(block as _);
                let out = &mut out[..list.len() + LANES];
                let mut len = 0;
                for chunk in list.as_chunks::<STEP>().0 {
                    let masks = load(chunk);
                    let keep = disjoint(masks, block);
                    let kept = _mm256_and_si256(masks, keep);
                    if FULL {
                        three = _mm256_or_si256(three, _mm256_and_si256(two, kept));
                        two = _mm256_or_si256(two, _mm256_and_si256(one, kept));
                    }
                    one = _mm256_or_si256(one, kept);
                    let bits: usize = $bits(keep);
                    store(out, len, _mm256_permutevar8x32_epi32(masks, $front(bits)));
                    len += bits.count_ones() as usize;
                }
                pad(out, len);
                (len, Coverage { one, two, three })
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn covered(one: __m256i) -> $word {
                let mut one = one;
                $(one = _mm256_or_si256(one, $swap(one));)*
                lane(one)
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn scarcest(coverage: Coverage<__m256i>, need: $word) -> $word {
                let Coverage { mut one, mut two, mut three } = coverage;
                $(
                    let (one2, two2, three2) = ($swap(one), $swap(two), $swap(three));
                    let cross = _mm256_or_si256(_mm256_and_si256(two, one2), _mm256_and_si256(one, two2));
                    three = _mm256_or_si256(_mm256_or_si256(three, three2), cross);
                    two = _mm256_or_si256(_mm256_or_si256(two, two2), _mm256_and_si256(one, one2));
                    one = _mm256_or_si256(one, one2);
                )*
                let _ = one;
                let few = need & !lane(two);
                if few == 0 { need & !lane(three) } else { few }
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn numbers<const DEPTH: usize>(list: &[$word]) -> [$word; PLANES] {
                let mut planes = [_mm256_setzero_si256(); PLANES];
                for chunk in list.as_chunks::<STEP>().0 {
                    let mut carry = load(chunk);
                    for plane in &mut planes[..DEPTH] {
                        let both = _mm256_and_si256(*plane, carry);
                        *plane = _mm256_xor_si256(*plane, carry);
                        carry = both;
                    }
                }
                // Add the other lanes to each lane.
                $(
                    let mut carry = _mm256_setzero_si256();
                    for plane in &mut planes[..DEPTH + 3] {
                        let other = $swap(*plane);
                        let sum = _mm256_xor_si256(*plane, other);
                        let both = _mm256_and_si256(*plane, other);
                        *plane = _mm256_xor_si256(sum, carry);
                        carry = _mm256_or_si256(both, _mm256_and_si256(sum, carry));
                    }
                )*
                planes.map(|plane| lane(plane))
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn contains(list: &[$word], mask: $word) -> bool {
                let mask = $splat(mask as _);
                list.as_chunks::<STEP>().0.iter().any(|chunk| $bits($equal(load(chunk), mask)) != 0)
            }

            #[target_feature(enable = "avx2")]
            pub(super) fn covers(list: &[$word], block: $word, need: $word) -> bool {
                let block = $splat(block as _);
                let mut one = _mm256_setzero_si256();
                for run in list.as_chunks::<STEP>().0.chunks(4) {
                    for chunk in run {
                        let masks = load(chunk);
                        one = _mm256_or_si256(one, _mm256_and_si256(masks, disjoint(masks, block)));
                    }
                    if need & !covered(one) == 0 {
                        return true;
                    }
                }
                need == 0
            }
        }

        impl Sieve<$word> for Avx2 {
            type Coverage = Coverage<__m256i>;

            #[inline(always)]
            fn call<R>(body: impl FnOnce() -> R) -> R {
                // SAFETY: see the head of this file.
                unsafe { call(body) }
            }
            #[inline(always)]
            fn contains(list: &[$word], mask: $word) -> bool {
                // SAFETY: see the head of this file.
                unsafe { $module::contains(list, mask) }
            }
            #[inline(always)]
            fn meets(chunk: &[$word; LANES], item: $word) -> u32 {
                // SAFETY: see the head of this file.
                unsafe { $module::meets(chunk, item) }
            }
            #[inline(always)]
            fn filter(list: &[$word], block: $word, out: &mut [$word]) -> (usize, Self::Coverage) {
                // SAFETY: see the head of this file.
                unsafe { $module::filter::<true>(list, block, out) }
            }
            #[inline(always)]
            fn filter_last(list: &[$word], block: $word, out: &mut [$word]) -> (usize, $word) {
                // SAFETY: see the head of this file.
                let (len, coverage) = unsafe { $module::filter::<false>(list, block, out) };
                (len, Self::covered(coverage))
            }
            #[inline(always)]
            fn covered(coverage: Self::Coverage) -> $word {
                // SAFETY: see the head of this file.
                unsafe { $module::covered(coverage.one) }
            }
            #[inline(always)]
            fn scarcest(coverage: Self::Coverage, need: $word) -> $word {
                // SAFETY: see the head of this file.
                unsafe { $module::scarcest(coverage, need) }
            }
            #[inline(always)]
            fn numbers(list: &[$word]) -> [$word; PLANES] {
                match list.len() / $lanes {
                    // SAFETY: see the head of this file.
                    0..16 => unsafe { $module::numbers::<4>(list) },
                    // SAFETY: see the head of this file.
                    16..255 => unsafe { $module::numbers::<8>(list) },
                    _ => Portable::numbers(list),
                }
            }
            #[inline(always)]
            fn covers(list: &[$word], block: $word, need: $word) -> bool {
                // SAFETY: see the head of this file.
                unsafe { $module::covers(list, block, need) }
            }
        }
    };
}

/// Code inlined into this function is compiled for AVX2 as well.
#[target_feature(enable = "avx2,popcnt")]
fn call<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_128(v: __m256i) -> __m256i {
    _mm256_permute2x128_si256::<1>(v, v)
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_64(v: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(v)
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_32(v: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b10_11_00_01>(v)
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits_32(v: __m256i) -> usize {
    _mm256_movemask_ps(_mm256_castsi256_ps(v)) as usize & 0xff
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits_64(v: __m256i) -> usize {
    _mm256_movemask_pd(_mm256_castsi256_pd(v)) as usize & 0xf
}

#[inline]
#[target_feature(enable = "avx2")]
fn front_32(bits: usize) -> __m256i {
    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(FRONT_32[bits])))
}

#[inline]
#[target_feature(enable = "avx2")]
fn front_64(bits: usize) -> __m256i {
    let table: &[u32; 8] = &FRONT_64[bits];
    // SAFETY: the array is exactly 32 readable bytes; no alignment is required.
    unsafe { _mm256_loadu_si256(table.as_ptr().cast()) }
}

avx2_sieve!(
    narrow,
    u32,
    8,
    _mm256_set1_epi32,
    _mm256_cmpeq_epi32,
    bits_32,
    front_32,
    _mm_cvtsi128_si32,
    [swap_128, swap_64, swap_32]
);
avx2_sieve!(
    wide,
    u64,
    4,
    _mm256_set1_epi64x,
    _mm256_cmpeq_epi64,
    bits_64,
    front_64,
    _mm_cvtsi128_si64,
    [swap_128, swap_64]
);
