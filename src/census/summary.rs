//! What a census comes to.

use super::Counted;
use crate::symmetry::{Class, Group};
use rustc_hash::FxHashMap;
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

impl ClassTotals {
    fn add(&mut self, some: &Self) {
        self.figures += some.figures;
        self.solvable += some.solvable;
        self.raw += some.raw;
        self.most = self.most.max(some.most);
    }
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

    /// Adds the totals of other parts.
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

/// Raw counts below this have a place of their own while a part is gathered.
const SMALL: usize = 4096;

/// Gathers the figures of a part; millions come, so nothing is looked up in a tree.
pub(super) struct Gathering {
    summary: Summary,
    by_group: FxHashMap<Group, ClassTotals>,
    small: Vec<(u64, u128)>,
}

impl Gathering {
    pub(super) fn new(direct: u128) -> Self {
        let summary = Summary { direct, ..Summary::default() };
        Self { summary, by_group: FxHashMap::default(), small: vec![(0, 0); SMALL] }
    }

    /// Adds a figure that lies in so many ways in the box.
    pub(super) fn count(&mut self, counted: &Counted, positions: u64) {
        let (raw, positions) = (counted.raw, u128::from(positions));
        let solvable = u64::from(raw > 0);
        self.summary.packings += u128::from(raw) * positions;
        self.summary.subsets += positions;
        self.summary.solvable_subsets += u128::from(solvable) * positions;
        let totals = self.by_group.entry(counted.group).or_default();
        totals.figures += 1;
        totals.solvable += solvable;
        totals.raw += u128::from(raw);
        totals.most = totals.most.max(raw);
        let entry = match self.small.get_mut(raw as usize) {
            Some(entry) => entry,
            None => self.summary.histogram.entry(raw).or_default(),
        };
        entry.0 += 1;
        entry.1 += positions;
    }

    /// What was gathered.
    pub(super) fn finish(mut self) -> Summary {
        for (group, some) in &self.by_group {
            self.summary.by_class.entry(group.class()).or_default().add(some);
        }
        for (raw, entry) in self.small.iter().enumerate().filter(|(_, entry)| entry.0 > 0) {
            self.summary.histogram.insert(raw as u64, *entry);
        }
        self.summary
    }
}
