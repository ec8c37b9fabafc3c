//! Finds packings that differ in the places of a few pieces.
//!
//! From each packing, two or three pieces are removed in every way, and the same pieces refill the space, all of them
//! in other places. Each such filling makes a packing, which is looked up by a number that its images share. Only a
//! number for each packing and the pairs themselves are kept, however many pieces there are.
//!
//! The number is made of random labels, one for each place. A packing has the sum of its places' labels, and so has
//! each of its images; the least of these sums is the same for the packing and its images. When two or three pieces
//! move, each sum changes by a few labels, so no sum is computed from scratch.

use super::places::Places;
use crate::parallel;
use crate::solve::Limits;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

const MAX_MOVING_PIECES: usize = 3;

/// Pairs of packings, ascending. The first of a pair has the smaller number.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Those that differ by two pieces.
    pub(super) two: Vec<(u32, u32)>,
    /// Those that differ by three pieces but not by two.
    pub(super) three: Vec<(u32, u32)>,
}

/// Tables for the steps from a packing to others.
#[derive(Debug)]
pub(super) struct Exchanges {
    /// For each cell and each kind of piece, the numbers of the places of which this is the first cell.
    starting: Vec<Vec<u32>>,
    /// The number of pieces of the set, equal ones once.
    kinds: usize,
    /// The number of symmetries.
    order: usize,
    /// For each place and each symmetry, the random label of the place's image. So a packing has a sum for each
    /// symmetry, and its images have the same sums in another order.
    labels: Vec<u64>,
    /// The packings by the least of their sums. No two packings share it, and only packings and their images are
    /// looked up. So the answer is exact despite the random numbers.
    vertices: FxHashMap<u64, u32>,
}

impl Exchanges {
    /// Builds the tables from one packing of each class. All places of all packings must be numbered.
    pub(super) fn new(places: &Places, packings: &[Vec<u32>]) -> Self {
        let kinds = places.placements().iter().map(|place| place.piece + 1).max().unwrap_or(0);
        let mut starting = vec![Vec::new(); u128::BITS as usize * kinds];
        for (number, place) in (0..).zip(places.placements()) {
            let first = places.mask(number).trailing_zeros() as usize;
            starting[first * kinds + place.piece].push(number);
        }
        let order = places.order();
        let mut new =
            Self { starting, kinds, order, labels: vec![], vertices: FxHashMap::default() };
        // Two of 100,000 packings share 64 bits once in billions of figures. Then other labels are drawn.
        for seed in 0_u32.. {
            let label = |image: &u32| {
                let mut hasher = DefaultHasher::new();
                (seed, image).hash(&mut hasher);
                hasher.finish()
            };
            new.labels = places.all_images().iter().map(label).collect();
            let least = |packing: &Vec<u32>| new.sums(packing).into_iter().min().unwrap_or(0);
            new.vertices = packings.iter().map(least).zip(0..).collect();
            if new.vertices.len() == packings.len() {
                break;
            }
        }
        new
    }

    /// Returns all pairs that differ by two or three pieces. After a stop, some are missing.
    pub(super) fn pairs(
        &self,
        places: &Places,
        packings: &[Vec<u32>],
        limits: Limits<'_>,
    ) -> Pairs {
        let length = packings.first().map_or(0, Vec::len);
        let choices = [2, 3].map(|number| choices(length, number));
        let of_one = |from: usize| {
            let [two, mut three] = [2, 3].map(|number| {
                let mut others = Vec::new();
                if limits.stopped() {
                    return others;
                }
                let packing = &packings[from];
                // Each step can be reversed, so half of them are enough.
                let mut visit =
                    |to: u32, _: &[usize]| others.extend((to as usize > from).then_some(to));
                self.steps(places, packing, number, &choices[number - 2], &mut visit);
                others.sort_unstable();
                others.dedup();
                others.shrink_to_fit();
                others
            });
            three.retain(|to| two.binary_search(to).is_err());
            (two, three)
        };
        let mut pairs = Pairs::default();
        for (from, (two, three)) in (0..).zip(parallel::map(packings.len(), of_one)) {
            pairs.two.extend(two.into_iter().map(|to| (from, to)));
            pairs.three.extend(three.into_iter().map(|to| (from, to)));
        }
        pairs
    }

    /// Returns the steps that move `number` pieces: destinations, and the positions of these pieces.
    pub(super) fn from(
        &self,
        places: &Places,
        packing: &[u32],
        number: usize,
    ) -> Vec<(u32, Vec<usize>)> {
        let mut steps = Vec::new();
        let choices = choices(packing.len(), number);
        let mut visit = |to: u32, moving: &[usize]| steps.push((to, moving.to_vec()));
        self.steps(places, packing, number, &choices, &mut visit);
        steps
    }

    /// Visits the steps that move all pieces of one of the choices. Each choice has `number` positions.
    fn steps(
        &self,
        places: &Places,
        packing: &[u32],
        number: usize,
        choices: &[usize],
        visit: &mut impl FnMut(u32, &[usize]),
    ) {
        let sums = self.sums(packing);
        let kinds: Vec<usize> = packing.iter().map(|&at| places.place(at).piece).collect();
        let masks: Vec<u128> = packing.iter().map(|&at| places.mask(at)).collect();
        let (mut from, mut pieces, mut to) =
            ([0; MAX_MOVING_PIECES], [0; MAX_MOVING_PIECES], [0; MAX_MOVING_PIECES]);
        for moving in choices.chunks_exact(number) {
            let mut region = 0;
            for (at, &position) in moving.iter().enumerate() {
                from[at] = packing[position];
                pieces[at] = kinds[position];
                region |= masks[position];
            }
            let from = &from[..number];
            let (pieces, to) = (&mut pieces[..number], &mut to[..number]);
            let refill = Refill { exchanges: self, places, from };
            refill.fill(region, pieces, to, &mut |to| {
                let sum = |symmetry: usize| {
                    let label = |&place: &u32| self.labels[place as usize * self.order + symmetry];
                    let moved =
                        from.iter().zip(to).map(|(from, to)| label(to).wrapping_sub(label(from)));
                    moved.fold(sums[symmetry], u64::wrapping_add)
                };
                let least = (0..self.order).map(sum).min().expect("a group has an element");
                visit(self.vertices[&least], moving);
            });
        }
    }

    /// Returns the sum of labels of a packing's image for each symmetry.
    fn sums(&self, packing: &[u32]) -> Vec<u64> {
        let mut sums = vec![0_u64; self.order];
        for &place in packing {
            let labels = &self.labels[place as usize * self.order..][..self.order];
            sums.iter_mut().zip(labels).for_each(|(sum, label)| *sum = sum.wrapping_add(*label));
        }
        sums
    }
}

/// A search for other places of pieces removed from a packing.
struct Refill<'a> {
    exchanges: &'a Exchanges,
    places: &'a Places,
    /// The places that the pieces had.
    from: &'a [u32],
}

impl Refill<'_> {
    /// Visits the ways to fill a region of cells exactly with `pieces`, all in other places than before. The places are
    /// written to the end of `to`, one for each piece.
    fn fill(
        &self,
        region: u128,
        pieces: &mut [usize],
        to: &mut [u32],
        visit: &mut impl FnMut(&[u32]),
    ) {
        let Some((_, others)) = pieces.split_first() else { return visit(to) };
        let (first, done) = (region.trailing_zeros() as usize, to.len() - pieces.len());
        let left = others.len() + 1;
        let Exchanges { starting, kinds, .. } = self.exchanges;
        for at in 0..left {
            if pieces[..at].contains(&pieces[at]) {
                continue;
            }
            for &place in &starting[first * kinds + pieces[at]] {
                let mask = self.places.mask(place);
                if mask & !region == 0 && !self.from.contains(&place) {
                    to[done] = place;
                    pieces.swap(0, at);
                    self.fill(region & !mask, &mut pieces[1..], to, visit);
                    pieces.swap(0, at);
                }
            }
        }
    }
}

/// Lists all choices of `number` positions below `length`, each ascending.
fn choices(length: usize, number: usize) -> Vec<usize> {
    let mut choices = Vec::new();
    let mut choice: Vec<usize> = (0..number).collect();
    while choice.last().is_some_and(|&last| last < length) {
        choices.extend_from_slice(&choice);
        // The first position that can increase does so, and those before it restart.
        let stuck = |at: &usize| choice.get(at + 1).is_some_and(|&next| choice[*at] + 1 == next);
        let next = (0..number).take_while(stuck).count();
        choice[next] += 1;
        (0..next).for_each(|at| choice[at] = at);
    }
    choices
}
