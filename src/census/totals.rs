//! The totals of a census.

use super::FigureCounts;
use crate::symmetry::{Class, Group};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Totals of the figures of one symmetry class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ClassTotals {
    /// Figures.
    pub figures: u64,
    /// Those with at least one packing.
    pub solvable: u64,
    /// Raw packings of all of them, each figure counted once.
    pub raw: u128,
    /// The most raw packings of one.
    pub most: u64,
}

impl ClassTotals {
    fn add(&mut self, some: &Self) {
        self.figures += some.figures;
        self.solvable += some.solvable;
        self.raw += some.raw;
        self.most = self.most.max(some.most);
    }
}

/// Totals and histogram of a census, or of some shards of one. Those of several ranges of shards are to be
/// added with [`CensusTotals::add`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CensusTotals {
    /// Packings inside the box, as they were counted shard by shard.
    pub direct: u128,
    /// The same, as the sum over all figures of raw packings times positions in the box. Equal to
    /// `direct` once all shards are added up.
    pub packings: u128,
    /// Subsets of the box, as the sum of all figures' positions.
    pub subsets: u128,
    /// Subsets with at least one packing.
    pub solvable_subsets: u128,
    /// By symmetry class.
    pub by_class: BTreeMap<Class, ClassTotals>,
    /// For each number of raw packings, how many figures and how many subsets have it.
    pub histogram: BTreeMap<u64, (u64, u128)>,
}

impl CensusTotals {
    /// Figures up to rotation and, if the set is closed under it, reflection.
    #[must_use]
    pub fn figures(&self) -> u64 {
        self.by_class.values().map(|totals| totals.figures).sum()
    }

    /// Figures with at least one packing.
    #[must_use]
    pub fn solvable(&self) -> u64 {
        self.by_class.values().map(|totals| totals.solvable).sum()
    }

    /// The most raw packings of a figure.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.by_class.values().map(|totals| totals.most).max().unwrap_or(0)
    }

    /// Adds the totals of other shards.
    pub fn add(&mut self, other: &Self) {
        self.direct += other.direct;
        self.packings += other.packings;
        self.subsets += other.subsets;
        self.solvable_subsets += other.solvable_subsets;
        for (class, some) in &other.by_class {
            self.by_class.entry(*class).or_default().add(some);
        }
        for (raw, (figures, subsets)) in &other.histogram {
            let entry = self.histogram.entry(*raw).or_default();
            entry.0 += figures;
            entry.1 += subsets;
        }
    }
}

/// Raw counts below this have a place of their own while a totals is built.
const SMALL: usize = 4096;

/// Adds up the figures of a shard; millions come, so nothing is looked up in a tree.
pub(super) struct TotalsBuilder {
    totals: CensusTotals,
    /// Nearly all figures have no symmetry.
    asymmetric: ClassTotals,
    by_group: FxHashMap<Group, ClassTotals>,
    small: Vec<(u64, u64)>,
}

impl TotalsBuilder {
    pub(super) fn new(direct: u128) -> Self {
        let totals = CensusTotals { direct, ..CensusTotals::default() };
        let asymmetric = ClassTotals::default();
        Self { totals, asymmetric, by_group: FxHashMap::default(), small: vec![(0, 0); SMALL] }
    }

    /// Adds a figure with its number of positions in the box.
    #[inline]
    pub(super) fn add(&mut self, figure: &FigureCounts, positions: u64) {
        let raw = figure.raw;
        let totals = match figure.group {
            Group::TRIVIAL => &mut self.asymmetric,
            group => self.by_group.entry(group).or_default(),
        };
        totals.figures += 1;
        totals.solvable += u64::from(raw > 0);
        totals.raw += u128::from(raw);
        totals.most = totals.most.max(raw);
        if let Some(entry) = self.small.get_mut(raw as usize) {
            entry.0 += 1;
            entry.1 += positions;
        } else {
            let entry = self.totals.histogram.entry(raw).or_default();
            entry.0 += 1;
            entry.1 += u128::from(positions);
        }
    }

    /// The totals.
    pub(super) fn finish(self) -> CensusTotals {
        let Self { mut totals, asymmetric, mut by_group, small } = self;
        by_group.entry(Group::TRIVIAL).or_default().add(&asymmetric);
        for (group, some) in by_group.iter().filter(|(_, some)| some.figures > 0) {
            totals.by_class.entry(group.class()).or_default().add(some);
        }
        for (raw, (figures, subsets)) in small.into_iter().enumerate() {
            if figures > 0 {
                totals.histogram.insert(raw as u64, (figures, u128::from(subsets)));
            }
        }
        for (&raw, &(_, subsets)) in &totals.histogram {
            totals.packings += u128::from(raw) * subsets;
            totals.subsets += subsets;
            totals.solvable_subsets += if raw > 0 { subsets } else { 0 };
        }
        totals
    }
}
