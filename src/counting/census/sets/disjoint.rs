//! Finds, in a long list, the sets disjoint from a given one: the inner loop of the census.
//!
//! A set is a mask of open cells in 32 bits. Which sets are disjoint is unpredictable, so the loops avoid branches on
//! it: each set is written to the output, and the end of the output moves on only if the set is disjoint. With AVX2,
//! eight sets are compared at a time, and a permutation from a table moves the disjoint ones to the front before all
//! eight are written.

/// Returns true if the processor has the instructions of [`wide`].
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
}

#[cfg(all(test, not(target_arch = "x86_64")))]
fn has_avx2() -> bool {
    false
}

/// Appends the sets of `list` disjoint from `mask` to `out`, in order.
#[inline]
pub(in crate::census) fn disjoint(list: &[u32], mask: u32, out: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        #[allow(unsafe_code, reason = "the processor has the instructions")]
        // SAFETY: the processor has the instructions of `wide`.
        unsafe {
            wide::disjoint(list, mask, out);
        }
        return;
    }
    portable(list, mask, out);
}

/// Sets of open cells, each with a number of packings. They are two lists of equal length, so that eight sets are one
/// vector.
#[derive(Debug, Default)]
pub(in crate::census) struct WeightedSets {
    pub(in crate::census) sets: Vec<u32>,
    /// The number of packings of each set.
    pub(in crate::census) weights: Vec<u32>,
}

/// Fills `found`, in order, with the weighted sets disjoint from `mask`.
#[inline]
pub(in crate::census) fn find_disjoint(
    sets: &[u32],
    weights: &[u32],
    mask: u32,
    found: &mut WeightedSets,
) {
    assert_eq!(sets.len(), weights.len());
    found.sets.clear();
    found.weights.clear();
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        #[allow(unsafe_code, reason = "the processor has the instructions")]
        // SAFETY: the processor has the instructions of `wide`.
        unsafe {
            wide::find_disjoint(sets, weights, mask, found);
        }
        return;
    }
    find_portable(sets, weights, mask, found);
}

fn find_portable(sets: &[u32], weights: &[u32], mask: u32, found: &mut WeightedSets) {
    for (&set, &weight) in sets.iter().zip(weights).filter(|(set, _)| **set & mask == 0) {
        found.sets.push(set);
        found.weights.push(weight);
    }
}

/// Compares one set at a time, without a branch.
fn portable(list: &[u32], mask: u32, out: &mut Vec<u32>) {
    let mut end = out.len();
    out.resize(end + list.len(), 0);
    for &set in list {
        out[end] = set;
        end += usize::from(set & mask == 0);
    }
    out.truncate(end);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::WeightedSets;
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
        _mm256_movemask_ps, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_setzero_si256,
        _mm256_storeu_si256,
    };

    /// The permutations that move each choice of lanes to the front.
    static FRONT: [[u32; 8]; 256] = front();

    const fn front() -> [[u32; 8]; 256] {
        let mut table = [[0; 8]; 256];
        let mut choice = 0;
        while choice < 256 {
            let (mut lane, mut end) = (0, 0);
            while lane < 8 {
                if choice >> lane & 1 == 1 {
                    table[choice][end] = lane;
                    end += 1;
                }
                lane += 1;
            }
            choice += 1;
        }
        table
    }

    /// Returns the permutation that moves the disjoint sets to the front. Also returns their number. `mask` has the
    /// mask in each of its eight lanes.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    #[allow(unsafe_code, reason = "a load of eight lanes")]
    fn to_front(sets: __m256i, mask: __m256i) -> (__m256i, usize) {
        let free = _mm256_cmpeq_epi32(_mm256_and_si256(sets, mask), _mm256_setzero_si256());
        let choice = _mm256_movemask_ps(_mm256_castsi256_ps(free)) as usize & 255;
        // SAFETY: a row of the table has eight lanes.
        let order = unsafe { _mm256_loadu_si256(FRONT[choice].as_ptr().cast::<__m256i>()) };
        (order, choice.count_ones() as usize)
    }

    /// Compares eight sets at a time, and moves as many weights.
    #[target_feature(enable = "avx2,popcnt")]
    #[allow(unsafe_code, reason = "loads and stores of eight lanes")]
    pub(in crate::census) fn find_disjoint(
        sets: &[u32],
        weights: &[u32],
        mask: u32,
        found: &mut WeightedSets,
    ) {
        let length = sets.len().min(weights.len());
        let (sets, weights) = (&sets[..length], &weights[..length]);
        // Eight lanes are written at a time, the last of them perhaps beyond the end.
        found.sets.reserve(length + 8);
        found.weights.reserve(length + 8);
        let (sets_out, weights_out) = (found.sets.as_mut_ptr(), found.weights.as_mut_ptr());
        let wide = _mm256_set1_epi32(mask.cast_signed());
        let whole = length - length % 8;
        let mut end = 0;
        for at in (0..whole).step_by(8) {
            // SAFETY: eight sets and weights start here. At most as many were written as read, and there is room
            // for all of them and eight more.
            unsafe {
                let eight = _mm256_loadu_si256(sets.as_ptr().add(at).cast::<__m256i>());
                let (order, count) = to_front(eight, wide);
                let chosen = _mm256_permutevar8x32_epi32(eight, order);
                _mm256_storeu_si256(sets_out.add(end).cast::<__m256i>(), chosen);
                let eight = _mm256_loadu_si256(weights.as_ptr().add(at).cast::<__m256i>());
                let chosen = _mm256_permutevar8x32_epi32(eight, order);
                _mm256_storeu_si256(weights_out.add(end).cast::<__m256i>(), chosen);
                end += count;
            }
        }
        for at in whole..length {
            // SAFETY: as above.
            unsafe {
                sets_out.add(end).write(sets[at]);
                weights_out.add(end).write(weights[at]);
            }
            end += usize::from(sets[at] & mask == 0);
        }
        // SAFETY: everything before `end` was written.
        unsafe {
            found.sets.set_len(end);
            found.weights.set_len(end);
        }
    }

    /// Compares eight sets at a time.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    #[allow(unsafe_code, reason = "loads and stores of eight lanes")]
    pub(in crate::census) fn disjoint(list: &[u32], mask: u32, out: &mut Vec<u32>) {
        // Eight lanes are written at a time, the last of them perhaps beyond the end.
        out.reserve(list.len() + 8);
        let begin = out.len();
        let chunks = list.chunks_exact(8);
        let rest = chunks.remainder();
        let wide = _mm256_set1_epi32(mask.cast_signed());
        let mut end = begin;
        let spare = out.as_mut_ptr();
        for chunk in chunks {
            // SAFETY: a chunk has eight lanes. At most as many sets were written as read, and there is room for all
            // of them and eight more.
            unsafe {
                let sets = _mm256_loadu_si256(chunk.as_ptr().cast::<__m256i>());
                let (order, count) = to_front(sets, wide);
                let chosen = _mm256_permutevar8x32_epi32(sets, order);
                _mm256_storeu_si256(spare.add(end).cast::<__m256i>(), chosen);
                end += count;
            }
        }
        for &set in rest {
            // SAFETY: as above.
            unsafe { spare.add(end).write(set) };
            end += usize::from(set & mask == 0);
        }
        // SAFETY: everything before `end` was written.
        unsafe { out.set_len(end) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn both_ways_find_the_disjoint_sets_in_their_order() {
        if !has_avx2() {
            crate::skipped("no AVX2 with POPCNT; tested only portable code");
        }
        let mut random = SplitMix::new(1);
        // A quarter of twelve cells.
        let mut draw = || (random.next() & random.next()) as u32 & 0xFFF;
        for length in 0..100 {
            let list: Vec<u32> = (0..length).map(|_| draw()).collect();
            let mask = draw();
            let wanted: Vec<u32> =
                [7].into_iter().chain(list.iter().copied().filter(|s| s & mask == 0)).collect();
            let (mut fast, mut plain) = (vec![7], vec![7]);
            disjoint(&list, mask, &mut fast);
            portable(&list, mask, &mut plain);
            assert_eq!((&fast, &plain), (&wanted, &wanted));
            let weights: Vec<u32> = (0..length).collect();
            let both = list.iter().zip(&weights).filter(|(set, _)| **set & mask == 0);
            let wanted: (Vec<u32>, Vec<u32>) = both.unzip();
            let mut found = WeightedSets { sets: vec![1, 2], weights: vec![3, 4] };
            find_disjoint(&list, &weights, mask, &mut found);
            assert_eq!((&found.sets, &found.weights), (&wanted.0, &wanted.1));
            let mut found = WeightedSets::default();
            find_portable(&list, &weights, mask, &mut found);
            assert_eq!((found.sets, found.weights), wanted);
        }
    }
}
