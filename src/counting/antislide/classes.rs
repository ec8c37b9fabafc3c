//! Packings up to the symmetries of the box.

use super::bench::Bench;
use crate::solve::MaskWord;
use somacat_geometry::outcome::Counts;
use std::collections::{BTreeSet, HashMap};

/// The first placements of a search: those of a piece that is in every packing.
pub(super) struct Root {
    kind: usize,
    /// The number of the orbit of each of its placements.
    orbit: HashMap<u32, usize>,
    /// The representative of each orbit.
    pub(super) representatives: Vec<u32>,
    /// True if there is one copy of the piece, and no symmetry keeps a placement of it. Then no two packings with a
    /// representative are images of each other, and each has as many images as there are symmetries.
    pub(super) is_free: bool,
}

impl Root {
    /// Chooses a piece, given the least and the greatest number of copies of each. `None` if no piece is in every
    /// packing. The others are searched for each of its representatives. So among pieces that are equally good otherwise
    /// it is the one with the most placements: the others have fewer.
    pub(super) fn new<M: MaskWord>(bench: &Bench<'_, M>, copies: &[[usize; 2]]) -> Option<Self> {
        let needed = (0..copies.len()).filter(|&kind| copies[kind][0] > 0);
        let mut roots: Vec<Self> = needed
            .map(|kind| Self::of_kind(bench, kind))
            .map(|root| Self { is_free: root.is_free && copies[root.kind] == [1, 1], ..root })
            .collect();
        roots.sort_by_key(|root| (root.is_free, copies[root.kind] == [1, 1], root.orbit.len()));
        roots.pop()
    }

    fn of_kind<M: MaskWord>(bench: &Bench<'_, M>, kind: usize) -> Self {
        let (mut orbit, mut representatives) = (HashMap::new(), Vec::new());
        let is_of_kind = |one: &u32| bench.parts[*one as usize].kind == kind;
        for one in bench.all().filter(is_of_kind) {
            if !orbit.contains_key(&one) {
                let images = bench.images.iter().map(|table| table[one as usize]);
                orbit.extend(images.filter(is_of_kind).map(|image| (image, representatives.len())));
                representatives.push(one);
            }
        }
        let is_free = orbit.len() == representatives.len() * bench.images.len();
        Self { kind, orbit, representatives, is_free }
    }

    /// Returns true if packings that begin with a representative may contain a placement.
    pub(super) fn may_follow(&self, representative: usize, one: u32) -> bool {
        self.orbit.get(&one).is_none_or(|orbit| *orbit >= representative)
    }

    /// Returns the number of the first orbit in a packing, and whether its representative is missing.
    fn key(&self, packing: &[u32]) -> (usize, bool) {
        let first = packing.iter().filter_map(|one| self.orbit.get(one)).min();
        let first = *first.expect("the piece is in every packing");
        (first, !packing.contains(&self.representatives[first]))
    }
}

/// Returns the different images of an ascending packing, itself among them.
pub(super) fn orbit(packing: &[u32], tables: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
    let image = |table: &Vec<u32>| {
        let mut image: Vec<u32> = packing.iter().map(|&one| table[one as usize]).collect();
        image.sort_unstable();
        image
    };
    let own = packing.to_vec();
    tables.iter().map(image).chain([own]).collect()
}

/// Returns the images of an ascending packing, if it counts for its class: if no other has a smaller key.
pub(super) fn class<M: MaskWord>(
    bench: &Bench<'_, M>,
    root: Option<&Root>,
    own: &[u32],
) -> Option<BTreeSet<Vec<u32>>> {
    let images = orbit(own, &bench.images);
    let key = |packing: &[u32]| root.map(|root| root.key(packing));
    let is_first = root.is_some_and(|root| root.is_free) || {
        let own_key = (key(own), own);
        images.iter().all(|image| (key(image), &image[..]) >= own_key)
    };
    is_first.then_some(images)
}

/// Returns the numbers of a class of packings.
pub(super) fn counts_of_class<M: MaskWord>(
    bench: &Bench<'_, M>,
    images: &BTreeSet<Vec<u32>>,
) -> Counts {
    let rotations = images.first().map_or(1, |first| orbit(first, &bench.rotations).len());
    Counts { raw: images.len() as u128, rotation: (images.len() / rotations) as u128, unique: 1 }
}
