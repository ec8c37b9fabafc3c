//! The totals of a census: numbers of figures by class and by number of packings, and two sums that check the count.
//!
//! A subset of the box is a position of exactly one figure. So the figures' positions add up to all subsets of the box
//! with as many cells as the pieces, and raw packings times positions add up to all packings in the box, which were
//! counted without regard to figures.

use rustc_hash::FxHashMap;
use somacat_geometry::symmetry::{Class, Group};
use std::collections::BTreeMap;

/// Totals of the figures of one symmetry class.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
/// use std::sync::atomic::AtomicBool;
///
/// // Four dominoes in a cube of side 2: its only figure is the cube, of the class Oh, with nine packings.
/// let census = Census::new([2, 2, 2], &parse_set("D4").unwrap())?;
/// let (schedule, stop) = (census.schedule(1, 1 << 30)?, AtomicBool::new(false));
/// let totals = schedule.totals(0..census.shards(), &stop, &mut |_| ()).expect("no stop");
/// let cube = &totals.by_class[&Class::matching("Oh").unwrap()[0]];
/// assert_eq!((cube.figures, cube.solvable, cube.raw), (1, 1, 9));
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClassTotals {
    /// Number of figures.
    pub figures: u64,
    /// Figures with at least one packing.
    pub solvable: u64,
    /// Figures blocked by parity: their black and white cells differ by a number that no packing reaches.
    pub parity_blocked: u64,
    /// The sum of the figures' raw packings, each figure counted in one position.
    pub raw: u128,
    /// Maximum raw packings of a figure.
    pub most: u64,
}

impl ClassTotals {
    fn add_figures(&mut self, raw: u64, figures: u64) {
        self.figures += figures;
        self.solvable += if raw > 0 { figures } else { 0 };
        self.raw += u128::from(raw) * u128::from(figures);
        self.most = self.most.max(raw);
    }

    fn add(&mut self, some: &Self) {
        self.figures += some.figures;
        self.solvable += some.solvable;
        self.parity_blocked += some.parity_blocked;
        self.raw += some.raw;
        self.most = self.most.max(some.most);
    }
}

/// Totals and histogram of a census, or of some of its shards. [`CensusTotals::add`] combines those of several
/// ranges of shards.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_geometry::pieces::parse_set;
/// use std::sync::atomic::AtomicBool;
///
/// let census = Census::new([2, 2, 4], &parse_set("V2 D3").unwrap())?;
/// let (schedule, stop) = (census.schedule(1, 1 << 30)?, AtomicBool::new(false));
/// let totals = schedule.totals(0..census.shards(), &stop, &mut |_| ()).expect("no stop");
/// // Every subset is a position of one figure, and every packing one of a figure's.
/// assert_eq!(totals.subsets, census.total_subsets());
/// assert_eq!(totals.packings, totals.direct);
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CensusTotals {
    /// Packings inside the box, as counted shard by shard.
    pub direct: u128,
    /// The same number, summed over figures: raw packings times positions. It equals `direct` once all shards are added
    /// up.
    pub packings: u128,
    /// Subsets of the box, as the sum of all figures' positions.
    pub subsets: u128,
    /// By symmetry class.
    pub by_class: BTreeMap<Class, ClassTotals>,
    /// By number of raw packings: the number of figures, and the number of subsets of the box that are these figures.
    pub histogram: BTreeMap<u64, (u64, u128)>,
}

impl CensusTotals {
    /// Returns the number of figures.
    ///
    /// Figures are equal up to rotation and, if the set is closed under it, reflection.
    pub fn figures(&self) -> u64 {
        self.by_class.values().map(|totals| totals.figures).sum()
    }

    /// Returns the number of figures with at least one packing.
    pub fn solvable(&self) -> u64 {
        self.by_class.values().map(|totals| totals.solvable).sum()
    }

    /// Returns the maximum raw packings of a figure.
    pub fn most(&self) -> u64 {
        self.by_class.values().map(|totals| totals.most).max().unwrap_or(0)
    }

    fn add_to_histogram(&mut self, raw: u64, figures: u64, subsets: u64) {
        let entry = self.histogram.entry(raw).or_default();
        entry.0 += figures;
        entry.1 += u128::from(subsets);
    }

    /// Adds the totals of other shards.
    ///
    /// ```
    /// use somacat_counting::census::{Census, CensusTotals};
    /// use somacat_geometry::pieces::parse_set;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// // Two machines count a half of the shards each.
    /// let census = Census::new([2, 3, 3], &parse_set("V L T").unwrap())?;
    /// let (schedule, stop) = (census.schedule(1, 1 << 30)?, AtomicBool::new(false));
    /// let middle = census.shards() / 2;
    /// let mut sum = CensusTotals::default();
    /// for half in [middle..census.shards(), 0..middle] {
    ///     sum.add(&schedule.totals(half, &stop, &mut |_| ()).expect("no stop"));
    /// }
    /// assert_eq!((sum.figures(), sum.solvable()), (2108, 404));
    /// // Six packings are the most, and a single figure has them.
    /// assert_eq!((sum.most(), sum.histogram[&6].0), (6, 1));
    /// # Ok::<(), somacat_counting::census::CensusError>(())
    /// ```
    pub fn add(&mut self, other: &Self) {
        self.direct += other.direct;
        self.packings += other.packings;
        self.subsets += other.subsets;
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

/// Numbers of raw packings below this are tallied in an array while totals are built.
const TALLIED_COUNTS: usize = 4096;

/// A sum of the figures of a shard. There are millions, nearly all of them without symmetry; of these only raw
/// counts are tallied.
pub(in crate::census) struct TotalsBuilder {
    totals: CensusTotals,
    /// By number of raw packings below [`TALLIED_COUNTS`], the number of figures without symmetry.
    small: Vec<u64>,
    /// The same for larger numbers.
    large: FxHashMap<u64, u64>,
    /// The number of figures without symmetry that parity blocks.
    parity_blocked: u64,
    /// The number of positions in the box of a figure without symmetry.
    positions: u64,
    /// The totals of the other figures, by group in the figure's position.
    symmetric: FxHashMap<Group, ClassTotals>,
}

impl TotalsBuilder {
    /// Starts the totals of a shard with `direct` packings. A figure without symmetry has `positions` positions in
    /// the box.
    pub(in crate::census) fn new(direct: u128, positions: u64) -> Self {
        let totals = CensusTotals { direct, ..CensusTotals::default() };
        let (large, symmetric) = (FxHashMap::default(), FxHashMap::default());
        let small = vec![0; TALLIED_COUNTS];
        Self { totals, small, large, parity_blocked: 0, positions, symmetric }
    }

    /// Adds a number of figures that have the same group and number of raw packings. `positions` returns the number of
    /// positions in the box of a figure with a group.
    #[inline]
    pub(in crate::census) fn add_figures(
        &mut self,
        (group, raw): (Group, u64),
        figures: u64,
        positions: impl Fn(Group) -> u64,
    ) {
        if group == Group::TRIVIAL {
            match self.small.get_mut(raw as usize) {
                Some(sum) => *sum += figures,
                None => *self.large.entry(raw).or_default() += figures,
            }
        } else if figures > 0 {
            self.symmetric.entry(group).or_default().add_figures(raw, figures);
            self.totals.add_to_histogram(raw, figures, figures * positions(group));
        }
    }

    /// Returns the number of figures with a group that were added so far.
    pub(in crate::census) fn figures(&self, group: Group) -> u64 {
        if group == Group::TRIVIAL {
            self.small.iter().chain(self.large.values()).sum()
        } else {
            self.symmetric.get(&group).map_or(0, |totals| totals.figures)
        }
    }

    /// Marks figures that were added as blocked by parity.
    #[inline]
    pub(in crate::census) fn block(&mut self, group: Group, figures: u64) {
        if group == Group::TRIVIAL {
            self.parity_blocked += figures;
        } else {
            self.symmetric.entry(group).or_default().parity_blocked += figures;
        }
    }

    /// Returns the totals, by class.
    pub(in crate::census) fn finish(self) -> CensusTotals {
        let Self { mut totals, small, large, parity_blocked, positions, symmetric } = self;
        let small = small.into_iter().enumerate().map(|(raw, figures)| (raw as u64, figures));
        let mut asymmetric = ClassTotals { parity_blocked, ..ClassTotals::default() };
        for (raw, figures) in small.chain(large).filter(|(_, figures)| *figures > 0) {
            asymmetric.add_figures(raw, figures);
            totals.add_to_histogram(raw, figures, figures * positions);
        }
        let classes = symmetric.into_iter().chain([(Group::TRIVIAL, asymmetric)]);
        for (group, some) in classes.filter(|(_, some)| some.figures > 0) {
            totals.by_class.entry(group.class()).or_default().add(&some);
        }
        for (&raw, &(_, subsets)) in &totals.histogram {
            totals.packings += u128::from(raw) * subsets;
            totals.subsets += subsets;
        }
        totals
    }
}
