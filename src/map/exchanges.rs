//! Which packings differ in the places of a few pieces.
//!
//! Packings are sorted into buckets by what stays when the pieces are taken out, up to symmetry: two packings share
//! a bucket just when a step leads from one to the other. Nothing is compared pair by pair. One choice of pieces by
//! kind is worked on at a time, so that no more keys are held than there are packings, a few for each.

use super::places::Places;
use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::Hasher;

/// Pairs of packings, ascending, that differ in the places of at most `number` pieces.
pub(super) fn pairs(places: &Places, packings: &[Vec<u32>], number: usize) -> Vec<(u32, u32)> {
    let Some(length) = packings.first().map(Vec::len).filter(|&length| length >= number) else {
        return Vec::new();
    };
    // The kinds of the pieces that move, each a byte of a number.
    let kinds = |packing: &[u32], moving: &[usize]| -> u32 {
        let mut kinds = [0; 4];
        moving.iter().zip(&mut kinds).for_each(|(&at, kind)| *kind = places.kind(packing[at]) + 1);
        kinds.sort_unstable();
        u32::from_be_bytes(kinds)
    };
    let choices = choices(length, number);
    let all: BTreeSet<u32> = packings
        .iter()
        .take(1)
        .flat_map(|packing| choices.iter().map(move |moving| kinds(packing, moving)))
        .collect();
    let mut pairs = Vec::new();
    for wanted in all {
        let keys = |(vertex, packing): (usize, &Vec<u32>)| -> Vec<(u64, u32, Vec<u32>)> {
            let moving = choices.iter().filter(|moving| kinds(packing, moving) == wanted);
            let key = |moving: &Vec<usize>| {
                let key = places.least(&rest(packing, moving));
                (hash(&key), vertex as u32, key)
            };
            moving.map(key).collect()
        };
        let mut keys: Vec<(u64, u32, Vec<u32>)> =
            packings.par_iter().enumerate().flat_map_iter(keys).collect();
        keys.par_sort_unstable_by(|a, b| (a.0, &a.2, a.1).cmp(&(b.0, &b.2, b.1)));
        for bucket in keys.chunk_by(|a, b| a.0 == b.0 && a.2 == b.2) {
            for (at, (_, one, _)) in bucket.iter().enumerate() {
                pairs.extend(
                    bucket[at..]
                        .iter()
                        .filter(|(_, other, _)| one != other)
                        .map(|(_, other, _)| (*one, *other)),
                );
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
    }
    pairs
}

/// The choices of `number` pieces of a packing that move on the way to another.
pub(super) fn moves(
    places: &Places,
    packing: &[u32],
    other: &[u32],
    number: usize,
) -> Vec<Vec<usize>> {
    let choices = choices(packing.len(), number);
    let there: BTreeSet<Vec<u32>> =
        choices.iter().map(|moving| places.least(&rest(other, moving))).collect();
    let leads = |moving: &Vec<usize>| there.contains(&places.least(&rest(packing, moving)));
    choices.into_iter().filter(leads).collect()
}

/// What stays when some pieces are taken out.
fn rest(packing: &[u32], moving: &[usize]) -> Vec<u32> {
    let stays = |(at, place): (usize, &u32)| (!moving.contains(&at)).then_some(*place);
    packing.iter().enumerate().filter_map(stays).collect()
}

/// All ways to choose `number` of the positions below `length`, each ascending.
fn choices(length: usize, number: usize) -> Vec<Vec<usize>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let with_last = |last: usize| {
        choices(last, number - 1).into_iter().map(move |mut some| {
            some.push(last);
            some
        })
    };
    (0..length).flat_map(with_last).collect()
}

fn hash(key: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|&place| hasher.write_u32(place));
    hasher.finish()
}
