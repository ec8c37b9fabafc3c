//! The AVX-512 operations: sixteen `u32` or eight `u64` masks at a time.
//!
//! A set of lanes is a number with a bit for each. Reductions combine the halves of a vector and pass the result to AVX2.

use super::*;

/// Defines the primitives that do not depend on the mask width. `$lanes_of` is the type of a set of lanes, and `$half`
/// has the AVX2 operations for the same masks.
macro_rules! avx512_primitives {
    ($word:ty, $lanes:literal, $lanes_of:ty, $half:ident) => {
        use super::*;
        use crate::solve::simd::$half as half;
        type V = __m512i;
        const EXTRA_PLANES: usize = 1 + half::EXTRA_PLANES;

        primitives! { "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2";
            fn load(from: &[$word; $lanes]) -> V {
                // SAFETY: the array is exactly 64 readable bytes; no alignment is required.
                unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
            }
            fn and(a: V, b: V) -> V { _mm512_and_si512(a, b) }
            fn or(a: V, b: V) -> V { _mm512_or_si512(a, b) }
            fn xor(a: V, b: V) -> V { _mm512_xor_si512(a, b) }
            fn or_and(a: V, b: V, c: V) -> V { _mm512_ternarylogic_epi32::<0xF8>(a, b, c) }
            /// Returns carries and sums: of each bit the majority, and the parity.
            fn add(a: V, b: V, c: V) -> (V, V) {
                (
                    _mm512_ternarylogic_epi32::<0xE8>(a, b, c),
                    _mm512_ternarylogic_epi32::<0x96>(a, b, c),
                )
            }
            fn either(a: $lanes_of, b: $lanes_of) -> $lanes_of { a | b }
            /// Returns the chosen lanes of `v` in any order, and 0 in the others. `packed` has them in front and 0
            /// behind.
            fn kept(_v: V, _lanes: $lanes_of, packed: V) -> V { packed }
            fn bits(lanes: $lanes_of) -> usize { usize::from(lanes) }
            fn halves(v: V) -> (__m256i, __m256i) {
                (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v))
            }
            fn covered(one: V) -> $word {
                let (a, b) = halves(one);
                half::covered(half::or(a, b))
            }
            fn scarcest(coverage: Coverage<V>, need: $word) -> $word {
                let (one, one2) = halves(coverage.one);
                let (two, two2) = halves(coverage.two);
                let (three, three2) = halves(coverage.three);
                let three =
                    half::or_and(half::or_and(half::or(three, three2), two, one2), one, two2);
                let two = half::or_and(half::or(two, two2), one, one2);
                half::scarcest(Coverage { one: half::or(one, one2), two, three }, need)
            }
            fn sums(planes: [V; PLANES], depth: usize) -> [$word; PLANES] {
                let mut sums = [half::splat(0); PLANES];
                let mut carry = half::splat(0);
                for (sum, plane) in sums[..=depth].iter_mut().zip(planes) {
                    let (a, b) = halves(plane);
                    (carry, *sum) = half::add(a, b, carry);
                }
                half::sums(sums, depth + 1)
            }
        }

        #[inline]
        #[target_feature(enable = "avx512f")]
        unsafe fn store_unaligned(to: *mut V, value: V) {
            // SAFETY: guaranteed by the caller.
            unsafe { _mm512_storeu_si512(to, value) }
        }
    };
}

mod narrow {
    avx512_primitives!(u32, 16, u16, avx2_narrow);
    primitives! { "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2";
        fn splat(word: u32) -> V { _mm512_set1_epi32(word as i32) }
        fn disjoint(a: V, b: V) -> u16 { _mm512_testn_epi32_mask(a, b) }
        fn equal(a: V, b: V) -> u16 { _mm512_cmpeq_epi32_mask(a, b) }
        fn front(v: V, bits: usize) -> V { _mm512_maskz_compress_epi32(bits as u16, v) }
        /// Copies one lane to all lanes.
        fn nth(v: V, i: usize) -> V { _mm512_permutexvar_epi32(_mm512_set1_epi32(i as i32), v) }
    }

    /// Filters a list, eight masks of 64 bits at a time, and moves those that are left into 32 bits. See
    /// [`NarrowOps::narrow`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2")]
    fn narrow(list: &[u64], narrowing: &Narrowing, to: &mut [u32]) -> usize {
        let to = &mut to[..list.len() + 8];
        let block = _mm512_set1_epi64(narrowing.placement().cast_signed());
        let mut len = 0;
        for chunk in list.as_chunks::<8>().0 {
            // SAFETY: the array is exactly 64 readable bytes; no alignment is required.
            let masks = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
            let keep = _mm512_testn_epi64_mask(masks, block);
            let mut low = _mm512_cvtepi64_epi32(masks);
            let high = _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(masks));
            for &(from, place) in narrowing.moves() {
                let [from, place] = [from, place].map(|bits| _mm_cvtsi32_si128(bits as i32));
                let bit = _mm256_and_si256(_mm256_srl_epi32(high, from), _mm256_set1_epi32(1));
                low = _mm256_or_si256(low, _mm256_sll_epi32(bit, place));
            }
            let packed = _mm256_maskz_compress_epi32(keep, low);
            // SAFETY: `len` is at most the number of entries before this chunk: 8 more are in the list.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().add(len).cast(), packed) };
            len += keep.count_ones() as usize;
        }
        len
    }

    list_operations!(Avx512, u32, 16, 16, "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2");

    // SAFETY of all calls: `self` exists, so the processor has the instructions.
    impl NarrowOps for Avx512 {
        #[inline(always)]
        fn narrow(
            self,
            _: impl MaskListOps<u64>,
            list: &[u64],
            narrowing: &Narrowing,
            _: &mut [u64],
            to: &mut [u32],
        ) -> usize {
            unsafe { narrow(list, narrowing, to) }
        }
    }
}

mod wide {
    avx512_primitives!(u64, 8, u8, avx2_wide);
    primitives! { "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2";
        fn splat(word: u64) -> V { _mm512_set1_epi64(word as i64) }
        fn disjoint(a: V, b: V) -> u8 { _mm512_testn_epi64_mask(a, b) }
        fn equal(a: V, b: V) -> u8 { _mm512_cmpeq_epi64_mask(a, b) }
        fn front(v: V, bits: usize) -> V { _mm512_maskz_compress_epi64(bits as u8, v) }
        /// Copies one lane to all lanes.
        fn nth(v: V, i: usize) -> V { _mm512_permutexvar_epi64(_mm512_set1_epi64(i as i64), v) }
    }
    list_operations!(Avx512, u64, 8, 8, "avx512f,avx512vl,avx2,popcnt,bmi1,bmi2");
}
