//! Patterns: the part of a set on the pattern cells, up to the box's symmetries.
//!
//! The sets with one pattern are a shard. If a symmetry of the box maps one pattern to another, their sets are images
//! of each other too, so one of the two shards is enough.
//!
//! The pattern cells are taken orbit by orbit, corners first. The last orbit may be cut, so that only some of its cells
//! are pattern cells. A pattern consists of its *whole part*, on the cells of whole orbits, and the rest. A symmetry of
//! the box maps whole parts to whole parts, so every set has images whose whole part w is least. Among these, the
//! symmetries that keep both w and the pattern cells lead to an image whose pattern is least. Only such patterns have
//! to be considered.
//!
//! Of a set and its images, one is listed: the one with the least mask, as in orderly generation (Read, Faradžev). The
//! whole part has the highest bits and the rest of the pattern the next, so the pattern of the least mask is among
//! those considered. If no orbit is cut, only the symmetries that keep the pattern are needed to test whether a set is
//! the least, because all others lead to larger patterns. Otherwise those that keep w but not the pattern cells are
//! needed too.
//!
//! The box 1×2×2, with all four cells as pattern cells, has 16 patterns. For sets of two cells 6 of them matter, and
//! two are considered: two cells side by side represent 4, and two on a diagonal represent 2.

use super::grid::{BoxSymmetry, Grid};

/// The symmetries of the box that matter for the sets with one pattern.
pub(in crate::census) struct PatternSymmetries<'a> {
    /// Usable symmetries that keep the pattern, the identity first. They map packings to packings and form a group.
    pub(in crate::census) usable: Vec<&'a BoxSymmetry>,
    /// All that keep the pattern, the identity first.
    pub(in crate::census) all: Vec<&'a BoxSymmetry>,
    /// Those that keep the whole part but not all pattern cells. They map some pattern cells of the cut orbit to open
    /// cells.
    pub(in crate::census) crossing: Vec<&'a BoxSymmetry>,
}

impl Grid {
    /// Lists the patterns to consider for sets of `cells` cells, ascending. A pattern is the number that its bits
    /// form among the pattern cells.
    pub(in crate::census) fn patterns(&self, cells: usize) -> Vec<u32> {
        let cut = self.cells.len() - self.whole - self.open;
        let usable: Vec<&BoxSymmetry> = self.usable().map(|(_, symmetry)| symmetry).collect();
        // A set fills 0 to `below` of the cells below the pattern.
        let fits = |pattern: u32, below: usize| {
            let ones = pattern.count_ones() as usize;
            (ones..=ones + below).contains(&cells)
        };
        let mut patterns = Vec::new();
        for whole in (0..1_u32 << self.whole).filter(|&whole| fits(whole, self.open + cut)) {
            let mask = self.pattern(whole << cut);
            if usable.iter().any(|s| s.apply(mask) < mask) {
                continue;
            }
            let keeping = usable.iter().filter(|s| s.keeps_pattern_cells && s.apply(mask) == mask);
            let keeping: Vec<&&BoxSymmetry> = keeping.collect();
            let numbers = (whole << cut..(whole + 1) << cut).filter(|&n| fits(n, self.open));
            patterns.extend(numbers.filter(|&n| {
                let mask = self.pattern(n);
                keeping.iter().all(|s| s.apply(mask) >= mask)
            }));
        }
        patterns
    }

    /// Returns a pattern as a mask of cells.
    pub(in crate::census) const fn pattern(&self, number: u32) -> u64 {
        (number as u64) << self.open
    }

    /// Returns the number of patterns that one represents, including itself. Its whole part has a number of images
    /// under the box's symmetries, and with each of these it has as many images as under the symmetries that keep its
    /// whole part and the pattern cells.
    pub(in crate::census) fn images(&self, pattern: u64) -> u64 {
        let whole = pattern & self.whole_cells();
        let all = self.usable().map(|(_, symmetry)| symmetry);
        let of_whole = all.clone().filter(|s| s.apply(whole) == whole);
        let staying = of_whole.clone().filter(|s| s.keeps_pattern_cells);
        let keeping = staying.clone().filter(|s| s.apply(pattern) == pattern);
        (all.count() / of_whole.count() * (staying.count() / keeping.count())) as u64
    }

    /// Returns the symmetries for the sets with a pattern, which must be one of those considered.
    pub(in crate::census) fn pattern_symmetries(&self, pattern: u64) -> PatternSymmetries<'_> {
        let whole = pattern & self.whole_cells();
        let (staying, crossing): (Vec<&BoxSymmetry>, Vec<&BoxSymmetry>) = self
            .symmetries
            .iter()
            .filter(|s| s.apply(whole) == whole)
            .partition(|s| s.keeps_pattern_cells);
        let all: Vec<&BoxSymmetry> =
            staying.into_iter().filter(|s| s.apply(pattern) == pattern).collect();
        let usable = all.iter().copied().filter(|s| s.usable).collect();
        PatternSymmetries { usable, all, crossing }
    }
}
