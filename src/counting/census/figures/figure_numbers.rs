//! Counts the figures of a shard by group, without listing them. Figures with and without packings count.
//!
//! Totals need the number of all figures, but in a large box only few of them have a packing. Only those are visited.
//!
//! A set represents a figure if none of its images has a smaller mask. Masks are compared from the highest cell on, so
//! the first cells that differ decide. Cells are therefore filled or left empty one after the other, those first on
//! which a comparison depends that is not decided yet. Nearly all comparisons are decided by a few cells. Once all are,
//! binomial coefficients give the number of ways to fill the rest. A symmetry belongs to the group if all the cells
//! that it moves were compared and found equal.

use super::representatives::Representatives;
use crate::census::boxes::grid::BoxSymmetry;
use crate::census::boxes::placements::ones;
use crate::census::sets::rank::{MAX_RANKED_CELLS, binomial};
use rustc_hash::FxHashMap;
use somacat_geometry::symmetry::Group;
use std::array::from_fn;
use std::sync::LazyLock;

/// Numbers of figures that have the same group.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::census) struct FigureNumbers {
    pub(in crate::census) figures: u64,
    /// Figures blocked by parity: their black and white cells differ by a number that no packing reaches.
    pub(in crate::census) blocked: u64,
}

type Binomials = [[i64; MAX_RANKED_CELLS + 1]; MAX_RANKED_CELLS + 1];

static BINOMIALS: LazyLock<Binomials> =
    LazyLock::new(|| from_fn(|n| from_fn(|k| binomial(n, k) as i64)));

/// A comparison of sets with their images under a symmetry.
struct ImageComparison {
    /// Each cell that the symmetry moves, as (image, cell), the highest image first. The image of a set is smaller if
    /// the first pair that differs has the image filled and the cell empty.
    moved: Vec<(u32, u32)>,
    /// True if sets with smaller images do not represent figures. False for reflections that do not map packings to
    /// packings: these only determine the group.
    rejects: bool,
}

/// Some cells of a set: those known to be filled or empty.
#[derive(Clone, Copy)]
struct Partial {
    known: u64,
    filled: u64,
    /// The symmetries that keep the set, by number.
    equal: u64,
}

/// A count in progress.
struct FigureCounting<'a> {
    sets: &'a Representatives<'a>,
    /// One for each of the symmetries [`Representatives::others`].
    comparisons: Vec<ImageComparison>,
    binomials: &'static Binomials,
    /// The number of cells of a set.
    cells: usize,
    /// The numbers of black cells that a packing can have.
    reached: Vec<usize>,
    /// By set of symmetries other than the identity, bit n for comparison n: the figures that have exactly these.
    numbers: FxHashMap<u64, FigureNumbers>,
}

/// Counts the figures of a shard with sets of `cells` cells. Packings reach the differences `color_sums`.
pub(in crate::census) fn figure_numbers(
    sets: &Representatives<'_>,
    cells: usize,
    color_sums: &[u32],
) -> Vec<(Group, FigureNumbers)> {
    let grid = sets.grid;
    let comparison = |(at, symmetry): (usize, &&BoxSymmetry)| {
        let mut moved: Vec<(u32, u32)> = (0..grid.cells.len() as u32)
            .map(|cell| (symmetry.apply(1 << cell).trailing_zeros(), cell))
            .filter(|(image, cell)| image != cell)
            .collect();
        moved.sort_unstable_by(|a, b| b.cmp(a));
        ImageComparison { moved, rejects: at < sets.comparable }
    };
    let is_reached = |black: &usize| color_sums.contains(&((2 * black).abs_diff(cells) as u32));
    let mut counting = FigureCounting {
        sets,
        comparisons: sets.others.iter().enumerate().map(comparison).collect(),
        binomials: &BINOMIALS,
        cells,
        reached: (0..=cells).filter(is_reached).collect(),
        numbers: FxHashMap::default(),
    };
    let begun: Vec<(usize, usize)> = (0..sets.others.len()).map(|at| (at, 0)).collect();
    counting.fill(Partial { known: grid.pattern_cells(), filled: sets.pattern, equal: 0 }, &begun);
    let group = |equal: u64| sets.group_of(ones(equal).map(|at| sets.others[at]));
    counting.numbers.into_iter().map(|(equal, numbers)| (group(equal), numbers)).collect()
}

impl FigureCounting<'_> {
    /// Counts the figures with these cells. `undecided` has the comparisons that are not decided yet, each with the
    /// number of its pairs that were found equal.
    fn fill(&mut self, mut set: Partial, undecided: &[(usize, usize)]) {
        let mut rest = Vec::with_capacity(undecided.len());
        let mut next = None;
        for &(number, equal) in undecided {
            let ImageComparison { moved, rejects } = &self.comparisons[number];
            let is_known = |cell: u32| set.known >> cell & 1 == 1;
            let is_filled = |cell: u32| set.filled >> cell & 1 == 1;
            let mut at = equal;
            while let Some(&(image, cell)) = moved.get(at)
                && is_known(image)
                && is_known(cell)
                && is_filled(image) == is_filled(cell)
            {
                at += 1;
            }
            match moved.get(at) {
                None => set.equal |= 1 << number,
                Some(&(image, cell)) if is_known(image) && is_known(cell) => {
                    if *rejects && is_filled(image) {
                        return;
                    }
                }
                Some(&(image, cell)) => {
                    next = next.or(Some(if is_known(image) { cell } else { image }));
                    rest.push((number, at));
                }
            }
        }
        let Some(cell) = next else { return self.add(set) };
        let known = set.known | 1 << cell;
        self.fill(Partial { known, ..set }, &rest);
        let filled = set.filled | 1 << cell;
        if filled.count_ones() as usize <= self.cells {
            self.fill(Partial { known, filled, ..set }, &rest);
        }
    }

    /// Adds all sets with these cells that touch all faces. Counts them by inclusion and exclusion over the faces that
    /// the cells do not touch yet: sets that avoid some of these faces are counted with alternating signs.
    fn add(&mut self, set: Partial) {
        let Representatives { grid, faces, .. } = self.sets;
        let rest = self.cells - set.filled.count_ones() as usize;
        let black_in_set = (set.filled & grid.black).count_ones() as usize;
        let missed = || faces.iter().filter(|face| *face & set.filled == 0);
        let [mut figures, mut reached] = [0; 2];
        for some in 0_u32..1 << missed().count() {
            let left_out = missed().enumerate().filter(|(at, _)| some >> at & 1 == 1);
            let left_out = left_out.fold(0, |cells, (_, face)| cells | face);
            let open = grid.open_cells() & !set.known & !left_out;
            let black = (open & grid.black).count_ones() as usize;
            let white = (open & !grid.black).count_ones() as usize;
            let sign = if some.count_ones().is_multiple_of(2) { 1 } else { -1 };
            figures += sign * self.binomials[black + white][rest];
            for more in self.reached.iter().filter_map(|all| all.checked_sub(black_in_set)) {
                if let Some(others) = rest.checked_sub(more) {
                    reached += sign * self.binomials[black][more] * self.binomials[white][others];
                }
            }
        }
        let numbers = self.numbers.entry(set.equal).or_default();
        numbers.figures += figures.cast_unsigned();
        numbers.blocked += (figures - reached).cast_unsigned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::boxes::grid::Grid;
    use crate::census::sets::rank::Ranking;
    use std::collections::BTreeMap;

    /// Compares with a visit of every set. Covers all shards of small boxes, split in all ways.
    #[test]
    fn figures_are_as_many_as_visited() {
        let color_sums = [1, 3];
        for (sides, cells) in [([1, 3, 4], 5), ([2, 2, 3], 6), ([2, 2, 4], 7), ([2, 3, 3], 9)] {
            for (split, mirrored) in (0..=10).flat_map(|split| [(split, true), (split, false)]) {
                let grid = Grid::new(sides, split, mirrored);
                for number in grid.patterns(cells) {
                    let pattern = grid.pattern(number);
                    let mut sets = Representatives::new(&grid, pattern);
                    let found = figure_numbers(&sets, cells, &color_sums);
                    let found = found.into_iter().map(|(g, n)| (g, (n.figures, n.blocked)));
                    let found: BTreeMap<_, _> = found.filter(|(_, n)| n.0 > 0).collect();

                    let mut visited: BTreeMap<Group, (u64, u64)> = BTreeMap::new();
                    let ranking = Ranking::new(grid.open, cells - number.count_ones() as usize);
                    for run in ranking.runs() {
                        sets.begin(run.upper);
                        for (_, lower) in run.lower() {
                            let Some(one) = sets.test(lower) else { continue };
                            let numbers = visited.entry(sets.group(one)).or_default();
                            numbers.0 += 1;
                            let black = (one.set & grid.black).count_ones();
                            let difference = (2 * black).abs_diff(cells as u32);
                            numbers.1 += u64::from(!color_sums.contains(&difference));
                        }
                    }
                    assert_eq!(found, visited, "{sides:?}, {split} cells, pattern {number}");
                }
            }
        }
    }
}
