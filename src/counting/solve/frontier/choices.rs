//! The pieces that can be left during a sweep: all choices of pieces, by volume.
//!
//! The pieces left fill the free sites, so they are one of the choices of that volume. The counts of a set of sites
//! are a vector with one entry for each of these choices.
//!
//! A tile uses certain pieces of each kind, its *usage*. From a choice with these pieces it leads to the choice without
//! them. These transitions are listed once, as pairs of positions in vectors, so that adding up vectors is a loop over
//! pairs. One SOMA has at most 20 choices of one volume, each three of its six tetracubes, and two SOMAs have at most
//! 141.

use crate::solve::prepared_set::PreparedSet;
use std::collections::HashMap;

/// The most choices of all volumes together for which tables are built.
pub(super) const MAX_CHOICES: usize = 1 << 20;

/// The choices of pieces, and the transitions between them.
#[derive(Clone, Debug)]
pub(super) struct PieceChoices {
    /// By volume in cells, the different numbers of pieces that choices of this volume have, ascending.
    piece_numbers: Vec<Vec<u32>>,
    /// By volume, the number of choices: the length of a vector.
    lengths: Vec<usize>,
    /// By usage and volume: the pairs of a choice of this volume and the choice that is left after the usage, as
    /// positions among the choices of their volumes. Choices without the pieces of the usage are missing.
    pairs: Vec<Vec<Vec<(u32, u32)>>>,
    /// The same with the mirror image of the choice that is left. Empty if the set is not closed under reflection.
    mirrored: Vec<Vec<Vec<(u32, u32)>>>,
    /// For each usage, its cells and its number of pieces.
    usages: Vec<(usize, u32)>,
    /// The number of pieces of the set.
    all: u32,
}

impl PieceChoices {
    /// Returns the number of all choices. `None` if it does not fit the word size.
    pub(super) fn number(prepared: &PreparedSet) -> Option<usize> {
        prepared
            .kinds
            .iter()
            .try_fold(1_usize, |all, kind| all.checked_mul(kind.count as usize + 1))
    }

    /// Estimates a volume's number of choices in the middle of a sweep. Most states are there. With two SOMAs such a
    /// volume has 2.3 to 2.5 times as many choices as a possible volume has on average.
    pub(super) fn usual_length(prepared: &PreparedSet) -> f64 {
        let mut possible = vec![true];
        possible.resize(prepared.volume + 1, false);
        let copies = prepared.kinds.iter().flat_map(|kind| (0..kind.count).map(|_| kind.size));
        for size in copies {
            for volume in (size..possible.len()).rev() {
                possible[volume] |= possible[volume - size];
            }
        }
        let volumes = possible.into_iter().filter(|possible| *possible).count();
        let choices: f64 = prepared.kinds.iter().map(|kind| f64::from(kind.count + 1)).product();
        2.7 * choices / volumes as f64
    }

    /// Lists the choices. `usages` are the numbers of pieces of each kind in a tile.
    pub(super) fn new(prepared: &PreparedSet, usages: &[Vec<u32>]) -> Self {
        let mut choices: Vec<Vec<Vec<u32>>> = vec![Vec::new(); prepared.volume + 1];
        let mut choice = vec![0_u32; prepared.kinds.len()];
        loop {
            choices[volume(prepared, &choice)].push(choice.clone());
            // The next choice, like a number with a digit for each kind.
            let Some(digit) = choice.iter().zip(&prepared.kinds).position(|(n, k)| *n < k.count)
            else {
                break;
            };
            choice[..digit].fill(0);
            choice[digit] += 1;
        }
        let mut position: HashMap<&[u32], u32> = HashMap::new();
        for of_volume in &choices {
            position.extend(of_volume.iter().zip(0..).map(|(c, at)| (c.as_slice(), at)));
        }
        let kinds = 0..prepared.kinds.len();
        let same: Vec<usize> = kinds.clone().collect();
        let mirror: Option<Vec<usize>> = kinds.map(|kind| prepared.kinds[kind].mirror).collect();
        // Removes `uses` from a choice; the copies left of each kind become copies of its `image`.
        let after = |choice: &[u32], uses: &[u32], image: &[usize]| -> Option<u32> {
            let mut left = vec![0; image.len()];
            for ((&have, &take), &image) in choice.iter().zip(uses).zip(image) {
                left[image] = have.checked_sub(take)?;
            }
            position.get(left.as_slice()).copied()
        };
        let pairs_of = |uses: &Vec<u32>, image: &[usize]| -> Vec<Vec<(u32, u32)>> {
            let of_volume = |list: &Vec<Vec<u32>>| {
                let pair = |(choice, at): (&Vec<u32>, u32)| Some((at, after(choice, uses, image)?));
                list.iter().zip(0..).filter_map(pair).collect()
            };
            choices.iter().map(of_volume).collect()
        };
        let pairs = |image: &[usize]| usages.iter().map(|uses| pairs_of(uses, image)).collect();
        let numbers = |list: &Vec<Vec<u32>>| {
            let mut numbers: Vec<u32> = list.iter().map(|choice| choice.iter().sum()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        Self {
            piece_numbers: choices.iter().map(numbers).collect(),
            lengths: choices.iter().map(Vec::len).collect(),
            pairs: pairs(&same),
            mirrored: mirror.map(|mirror| pairs(&mirror)).unwrap_or_default(),
            usages: usages.iter().map(|uses| (volume(prepared, uses), uses.iter().sum())).collect(),
            all: prepared.kinds.iter().map(|kind| kind.count).sum(),
        }
    }

    /// Returns an upper bound on the bytes of the lists.
    pub(super) const fn bytes(choices: usize, kinds: usize, usages: usize) -> u64 {
        // During construction, each choice takes a vector and a key in addition to the pairs.
        (choices * (64 + 4 * kinds + 16 * usages)) as u64
    }

    /// Returns the number of choices of a volume.
    #[inline]
    pub(super) fn len(&self, volume: usize) -> usize {
        self.lengths[volume]
    }

    /// Returns the number of cells of a usage.
    #[inline]
    pub(super) fn cells(&self, usage: usize) -> usize {
        self.usages[usage].0
    }

    /// Returns the pairs of a choice of `volume` and the choice that is left after a usage, or with `mirrored` the
    /// latter's mirror image. Both are positions among the choices of their volumes.
    #[inline]
    pub(super) fn pairs(&self, usage: usize, mirrored: bool, volume: usize) -> &[(u32, u32)] {
        let pairs = if mirrored { &self.mirrored } else { &self.pairs };
        &pairs[usage][volume]
    }

    /// Returns, by volume, true if this volume can be left after a number of tiles.
    pub(super) fn possible_after(&self, tiles: u32) -> Vec<bool> {
        let pieces = || self.usages.iter().map(|(_, pieces)| pieces * tiles);
        let (Some(least), Some(most)) = (pieces().min(), pieces().max()) else {
            return vec![false; self.piece_numbers.len()];
        };
        let possible = |left: &u32| (least..=most).contains(&(self.all - left));
        self.piece_numbers.iter().map(|numbers| numbers.iter().any(possible)).collect()
    }
}

/// Returns the number of cells of a choice.
fn volume(prepared: &PreparedSet, choice: &[u32]) -> usize {
    choice.iter().zip(&prepared.kinds).map(|(&n, kind)| n as usize * kind.size).sum()
}
