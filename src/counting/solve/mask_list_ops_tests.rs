//! Compares every operation with vector instructions to the portable one.
#![cfg(target_arch = "x86_64")]

use super::mask_list_ops::{MaskListOps, Portable, pad, padded};
use super::simd::{Avx2, Avx512};
use super::word::MaskWord;
use crate::random::SplitMix;

/// Returns the masks as a list, padded for `O`.
fn list<W: MaskWord, O: MaskListOps<W>>(masks: &[W]) -> Vec<W> {
    let mut list = masks.to_vec();
    list.resize(padded::<W, O>(masks.len()), W::ZERO);
    pad::<W, O>(&mut list, masks.len());
    list
}

fn compare<W: MaskWord, O: MaskListOps<W>>(ops: O, items: usize) {
    let (mut random, mut all_pairs) = (SplitMix::new(items as u64), 0);
    for round in 0..4000 {
        let n = if round % 200 == 0 { random.next() % 1000 } else { random.next() % 90 } as usize;
        let size = 1 + random.next() % 6;
        let mut mask =
            || (0..size).fold(W::ZERO, |w, _| w | W::bit(random.next() as usize % items));
        let mut masks: Vec<W> = (0..n).map(|_| mask()).collect();
        masks.sort_unstable();
        masks.dedup();
        let (mut block, n) = (mask(), masks.len());
        block = block.without(W::bit(round % items)) | W::bit((round + 1) % items);
        let open = W::first(items).without(block);
        let (own, plain) = (list::<W, O>(&masks), list::<W, Portable>(&masks));
        let room = || vec![W::ZERO; n + 64];

        let (mut out, mut expected) = (room(), room());
        let (len, coverage) = ops.filter(&own, block, &mut out);
        let (plain_len, plain_coverage) = Portable.filter(&plain, block, &mut expected);
        assert_eq!(out[..len], expected[..plain_len]);
        assert!(out[len..padded::<W, O>(len)].iter().all(|&mask| mask == W::FULL));
        assert_eq!(ops.covered(coverage), Portable.covered(plain_coverage));
        assert_eq!(ops.scarcest(coverage, open), Portable.scarcest(plain_coverage, open));
        let (mut last, covered) = (room(), ops.covered(coverage));
        assert_eq!(ops.filter_last(&own, block, &mut last), (len, covered));
        assert_eq!(last[..len], out[..len]);

        let item = open.lowest();
        let (mut out, mut expected) = (room(), room());
        let len = ops.select(&own, n, item, &mut out);
        assert_eq!(len, Portable.select(&plain, n, item, &mut expected));
        assert_eq!(out[..len], expected[..len]);

        assert_eq!(ops.fewest(&own, open), Portable.fewest(&plain, open));
        let mut empty = own.clone();
        empty[n..].fill(W::ZERO);
        assert_eq!(ops.numbers(&empty), Portable.numbers(&empty));
        let scarce: Vec<[W; 8]> = masks
            .chunks(1 + n / 4)
            .map(|placements| {
                let mut of = [W::FULL; 8];
                of[0] = placements[0].lowest();
                of[1..].iter_mut().zip(placements).for_each(|(to, &placement)| *to = placement);
                of
            })
            .collect();
        for more in [W::ZERO, item] {
            let (mut out, mut expected) = (room(), room());
            let len = ops.survivors(&own, n, &scarce, more, &mut out);
            assert_eq!(len, Portable.survivors(&plain, n, &scarce, more, &mut expected));
            assert_eq!(out[..len], expected[..len]);
        }
        for &mask in masks.iter().step_by(7).chain([&block]) {
            assert_eq!(ops.contains(&own, mask), Portable.contains(&plain, mask));
        }

        // Lists of subsets of the open items, with some of their complements.
        let mut halves: Vec<W> = masks.iter().map(|&mask| mask & open).collect();
        halves.extend(masks.iter().step_by(3).map(|&mask| open.without(mask)));
        halves.retain(|&mask| !mask.is_zero());
        halves.sort_unstable();
        halves.dedup();
        let (own, plain) = (list::<W, O>(&halves), list::<W, Portable>(&halves));
        let pairs = ops.pairs(&own, halves.len(), open);
        assert_eq!(pairs, Portable.pairs(&plain, halves.len(), open));
        all_pairs += pairs;
    }
    assert!(all_pairs > 2_000, "only {all_pairs} pairs: too weak a test");
}

#[test]
fn avx2_does_what_portable_code_does() {
    let Some(avx2) = Avx2::detect() else {
        crate::skipped("no AVX2 with POPCNT, BMI1 and BMI2");
        return;
    };
    for items in [5, 20, 31, 32] {
        compare::<u32, _>(avx2, items);
    }
    for items in [20, 34, 63] {
        compare::<u64, _>(avx2, items);
    }
}

#[test]
fn avx512_does_what_portable_code_does() {
    let Some(avx512) = Avx512::detect() else {
        crate::skipped("no AVX-512 with F and VL");
        return;
    };
    for items in [5, 20, 31, 32] {
        compare::<u32, _>(avx512, items);
    }
    for items in [20, 34, 63] {
        compare::<u64, _>(avx512, items);
    }
}
