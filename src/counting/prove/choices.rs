//! The copies of each piece that are left after some placements, and what choices of them can do.
//!
//! In a set with ranges a packing uses a *choice* of its pieces: so many of each that they fill the figure together,
//! perhaps a given number of pieces. For a proof two questions matter. Does any choice of the copies left fill the free
//! cells? And if a copy of each piece covers at most so many marks, how many does a choice cover? Both are bounded
//! knapsack problems. A table has the most marks for each number of cells and of pieces, and the copies of one piece
//! after the other are added to it.
//!
//! For example, V and L cover at most 2 and 1 marks. Up to two V and two L fill seven cells only as V and L, which cover
//! 3. Without a look at the cells it would be 6.

use crate::solve::Problem;
use somacat_geometry::pieces::{GAP, PieceSet};

/// A piece of which copies are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindLeft {
    /// The number of its cells.
    pub(super) size: usize,
    /// The number of copies that must follow.
    pub(super) least: usize,
    /// The number of copies that may follow.
    pub(super) most: usize,
    /// True for the gap, which stands for a cell that stays empty.
    pub(super) is_gap: bool,
}

/// The copies left of all pieces of a set, and what they must fill.
#[derive(Clone, Debug)]
pub(super) struct PiecesLeft {
    /// In the order of the set.
    pub(super) kinds: Vec<KindLeft>,
    /// The number of free cells.
    pub(super) cells: usize,
    /// The number of pieces that must follow, without gaps; negative if too many are placed. `None` if any may follow.
    pub(super) number: Option<isize>,
}

/// Returns the position of the piece that stands for a cell left empty.
pub(super) fn gap_of(set: &PieceSet) -> Option<usize> {
    set.pieces().iter().position(|(piece, _)| piece.letter() == GAP)
}

/// Returns the copies of each piece before any is placed.
pub(super) fn all_copies(set: &PieceSet) -> Vec<usize> {
    set.pieces().iter().map(|(_, copies)| *copies).collect()
}

impl PiecesLeft {
    /// Returns what a problem begins with.
    pub(super) fn all(problem: &Problem<'_>) -> Self {
        Self::new(problem.set(), &all_copies(problem.set()), problem.figure().len())
    }

    /// Returns what is left of a set if so many `copies` of each piece and so many `cells` are.
    pub(super) fn new(set: &PieceSet, copies: &[usize], cells: usize) -> Self {
        let (mut kinds, mut placed) = (Vec::new(), 0);
        for ((piece, [least, most]), &left) in set.ranges().zip(copies) {
            let (used, is_gap) = (most - left, piece.letter() == GAP);
            placed += if is_gap { 0 } else { used };
            let least = least.saturating_sub(used);
            kinds.push(KindLeft { size: piece.size(), least, most: left, is_gap });
        }
        let number = set.number().map(|number| number as isize - placed as isize);
        Self { kinds, cells, number }
    }

    /// Returns true if different pieces may follow.
    pub(super) fn is_choice(&self) -> bool {
        self.number.is_some() || self.kinds.iter().any(|kind| kind.least < kind.most)
    }

    /// Returns true if some choice fills the free cells.
    pub(super) fn can_fill(&self) -> bool {
        !self.is_choice() || self.most(&vec![Some(0); self.kinds.len()]).is_some()
    }

    /// Returns the most marks that a choice covers, if one copy of each piece covers at most `largest`, or can lie nowhere.
    /// `None` if no choice fills the free cells.
    pub(super) fn most(&self, largest: &[Option<i64>]) -> Option<i64> {
        let kinds = self.kinds.iter().zip(largest);
        if !self.is_choice() {
            return Some(kinds.map(|(kind, sum)| kind.most as i64 * sum.unwrap_or(0)).sum());
        }
        let number = usize::try_from(self.number.unwrap_or(0)).ok()?;
        let width = number + 1;
        // For each number of cells and of pieces.
        let mut best: Vec<Option<i64>> = vec![None; (self.cells + 1) * width];
        best[0] = Some(0);
        for (kind, sum) in kinds {
            let pieces = usize::from(self.number.is_some() && !kind.is_gap);
            let most = kind.most.min(self.cells / kind.size);
            let most = if sum.is_some() { most } else { 0 };
            if kind.least > most || kind.least * pieces > number {
                return None;
            }
            let sum = sum.unwrap_or(0);
            // The copies together, those that must follow first. Any number of the others is a sum of some of 1, 2, 4, …
            // and a rest.
            let mut add = |copies: usize, optional: bool| {
                let shift = copies * (kind.size * width + pieces);
                for at in (0..best.len()).rev() {
                    let fits = at % width >= copies * pieces && at >= shift;
                    let with = fits.then(|| best[at - shift]).flatten();
                    let with = with.map(|marks| marks + copies as i64 * sum);
                    best[at] = if optional { best[at].max(with) } else { with };
                }
            };
            if kind.least > 0 {
                add(kind.least, false);
            }
            let (mut left, mut step) = (most - kind.least, 1);
            while left > 0 {
                let together = left.min(step);
                add(together, true);
                left -= together;
                step *= 2;
            }
        }
        best[self.cells * width + number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::pieces::parse_set_with_ranges;

    /// Compares with all choices, one after the other.
    #[test]
    fn the_most_marks_are_those_of_the_best_choice() {
        for (set, number) in
            [("V0..2 L0..2", None), ("V1..3 L0..2 D0..4", Some(4)), ("V L T", None)]
        {
            let set = parse_set_with_ranges(set).unwrap();
            let set = if number.is_some() { set.partial(number) } else { set };
            let ranges: Vec<_> = set.ranges().collect();
            let (copies, marks) = (all_copies(&set), [2, 1, -1]);
            for cells in 1..=set.total_cells() {
                let mut choices = vec![Vec::new()];
                for (_, [least, most]) in &ranges {
                    let longer = |choice: Vec<usize>| {
                        (*least..=*most).map(move |copies| [&choice[..], &[copies]].concat())
                    };
                    choices = choices.into_iter().flat_map(longer).collect();
                }
                let size = |choice: &Vec<usize>| -> usize {
                    choice.iter().zip(&ranges).map(|(n, (piece, _))| n * piece.size()).sum()
                };
                choices.retain(|choice| size(choice) == cells);
                choices.retain(|choice| number.is_none_or(|n| choice.iter().sum::<usize>() == n));
                let sum = |choice: Vec<usize>| -> i64 {
                    choice.iter().zip(marks).map(|(n, marks)| *n as i64 * marks).sum()
                };
                let left = PiecesLeft::new(&set, &copies, cells);
                let largest: Vec<_> = marks[..ranges.len()].iter().map(|n| Some(*n)).collect();
                if left.is_choice() {
                    assert_eq!(left.most(&largest), choices.into_iter().map(sum).max(), "{cells}");
                }
            }
        }
    }
}
