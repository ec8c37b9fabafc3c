//! What a census comes to.

use super::Counted;
use crate::symmetry::Class;
use std::collections::BTreeMap;

/// Totals of the figures of one symmetry class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// Totals and histogram of a census, or of some parts of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Packings inside the box, as they were enumerated.
    pub direct: u128,
    /// The same, as the sum over all figures of raw packings times positions in the box. Equal to
    /// `direct` once all parts are added up.
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

impl Summary {
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

    /// Adds a figure that lies in so many ways in the box.
    pub(super) fn count(&mut self, counted: &Counted, positions: u64) {
        let (raw, positions) = (counted.raw, u128::from(positions));
        let solvable = u64::from(raw > 0);
        self.packings += u128::from(raw) * positions;
        self.subsets += positions;
        self.solvable_subsets += u128::from(solvable) * positions;
        let totals = self.by_class.entry(counted.group.class()).or_default();
        totals.figures += 1;
        totals.solvable += solvable;
        totals.raw += u128::from(raw);
        totals.most = totals.most.max(raw);
        let entry = self.histogram.entry(raw).or_default();
        entry.0 += 1;
        entry.1 += positions;
    }

    /// Adds the totals of other parts.
    pub fn add(&mut self, other: &Self) {
        self.direct += other.direct;
        self.packings += other.packings;
        self.subsets += other.subsets;
        self.solvable_subsets += other.solvable_subsets;
        for (class, some) in &other.by_class {
            let totals = self.by_class.entry(*class).or_default();
            totals.figures += some.figures;
            totals.solvable += some.solvable;
            totals.raw += some.raw;
            totals.most = totals.most.max(some.most);
        }
        for (raw, (figures, subsets)) in &other.histogram {
            let entry = self.histogram.entry(*raw).or_default();
            entry.0 += figures;
            entry.1 += subsets;
        }
    }
}
