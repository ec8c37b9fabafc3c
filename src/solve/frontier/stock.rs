//! The pieces that may be left: all choices from the kit, by the number of cells they fill.
//!
//! Where a set of sites is covered, the pieces left fill the rest, so their choices are those of one
//! volume. The counts of a set of sites are a row with one entry for each.

use crate::solve::kit::Kit;
use std::collections::HashMap;

/// More choices than this are not listed.
pub(super) const MAX_CHOICES: usize = 1 << 20;

/// Choices of pieces and how tiles lead from one to another.
#[derive(Clone, Debug)]
pub(super) struct Stock {
    /// By volume, the numbers of pieces that a choice of this volume can have, ascending.
    pieces: Vec<Vec<u32>>,
    /// By volume, the number of choices.
    lengths: Vec<usize>,
    /// By step and volume: pairs of a choice and what is left of it after the step, as positions
    /// among the choices of their volumes.
    pairs: Vec<Vec<Vec<(u32, u32)>>>,
    /// Cells and pieces that each step takes.
    taken: Vec<(usize, u32)>,
    /// All pieces together.
    all: u32,
}

impl Stock {
    /// The number of all choices; `None` beyond any number that matters.
    pub(super) fn choices(kit: &Kit) -> Option<usize> {
        kit.kinds.iter().try_fold(1_usize, |all, kind| all.checked_mul(kind.count as usize + 1))
    }

    /// `steps` are the pieces of each kind that a tile can take.
    pub(super) fn new(kit: &Kit, steps: &[Vec<u32>]) -> Self {
        let mut choices: Vec<Vec<Vec<u32>>> = vec![Vec::new(); kit.volume + 1];
        let mut choice = vec![0_u32; kit.kinds.len()];
        loop {
            choices[volume(kit, &choice)].push(choice.clone());
            // The next choice, counted like a number with a digit for each kind.
            let Some(digit) = choice.iter().zip(&kit.kinds).position(|(n, k)| *n < k.count) else {
                break;
            };
            choice[..digit].fill(0);
            choice[digit] += 1;
        }
        let mut position: HashMap<&[u32], u32> = HashMap::new();
        for of_volume in &choices {
            position.extend(of_volume.iter().zip(0..).map(|(c, at)| (c.as_slice(), at)));
        }
        let after = |choice: &[u32], uses: &[u32]| -> Option<u32> {
            let left = choice.iter().zip(uses).map(|(have, take)| have.checked_sub(*take));
            let left: Vec<u32> = left.collect::<Option<_>>()?;
            position.get(left.as_slice()).copied()
        };
        let pairs_of = |uses: &Vec<u32>| -> Vec<Vec<(u32, u32)>> {
            let of_volume = |list: &Vec<Vec<u32>>| {
                let pair = |(choice, at): (&Vec<u32>, u32)| Some((at, after(choice, uses)?));
                list.iter().zip(0..).filter_map(pair).collect()
            };
            choices.iter().map(of_volume).collect()
        };
        let numbers = |list: &Vec<Vec<u32>>| {
            let mut numbers: Vec<u32> = list.iter().map(|choice| choice.iter().sum()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        Self {
            pieces: choices.iter().map(numbers).collect(),
            lengths: choices.iter().map(Vec::len).collect(),
            pairs: steps.iter().map(pairs_of).collect(),
            taken: steps.iter().map(|uses| (volume(kit, uses), uses.iter().sum())).collect(),
            all: kit.kinds.iter().map(|kind| kind.count).sum(),
        }
    }

    /// Bytes of a stock of so many choices and steps, at most.
    pub(super) const fn bytes(choices: usize, kinds: usize, steps: usize) -> u64 {
        // While it is made, each choice is a vector and a key; then the pairs.
        (choices * (64 + 4 * kinds + 8 * steps)) as u64
    }

    /// The number of choices of a volume.
    #[inline]
    pub(super) fn len(&self, volume: usize) -> usize {
        self.lengths[volume]
    }

    /// The cells a step covers.
    #[inline]
    pub(super) fn taken(&self, step: usize) -> usize {
        self.taken[step].0
    }

    /// From the choices of `volume` to those after a step.
    #[inline]
    pub(super) fn pairs(&self, step: usize, volume: usize) -> &[(u32, u32)] {
        &self.pairs[step][volume]
    }

    /// For each volume left, whether some choice of that volume can be left after `tiles` tiles.
    pub(super) fn possible_after(&self, tiles: u32) -> Vec<bool> {
        let least = self.taken.iter().map(|t| t.1).min().unwrap_or(0) * tiles;
        let most = self.taken.iter().map(|t| t.1).max().unwrap_or(0) * tiles;
        let may = |left: &u32| (least..=most).contains(&(self.all - left));
        self.pieces.iter().map(|numbers| numbers.iter().any(may)).collect()
    }
}

fn volume(kit: &Kit, choice: &[u32]) -> usize {
    choice.iter().zip(&kit.kinds).map(|(&n, kind)| n as usize * kind.size).sum()
}
