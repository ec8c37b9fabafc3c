//! Small corrections of typing errors that turn wrong marks into a packing.
//!
//! Most wrong packings have one or two wrong pieces. All ways to cut the cells of two marks into their two pieces are
//! tried. The way that changes the fewest marks is the correction. A piece with too few or too many cells is completed
//! or cut back instead.

use super::packing::{MAX_SPLIT_STEPS, check_marks, piece_of_mark};
use super::{Change, Correction, Entry, Marks, PieceFault};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::BTreeSet;

/// The largest figure for which corrections are searched, in cells.
const MAX_CORRECTED_CELLS: usize = 128;

/// The most marks that a small correction changes.
const MAX_CHANGES: usize = 6;

/// New cells for some of the marks, by the marks' positions.
type Recut = Vec<(usize, Vec<Cell>)>;

/// Finds the smallest correction of the known kinds, if there is one. `faults` are those of the marks.
pub(super) fn find_correction(
    entry: &Entry,
    set: &PieceSet,
    faults: &[PieceFault],
) -> Option<Correction> {
    let marks = entry.claim_with(set)?;
    let (cells, expected) = (entry.figure.len(), set.total_cells());
    if cells > MAX_CORRECTED_CELLS || cells.abs_diff(expected) > MAX_CHANGES {
        return None;
    }
    let at_fault = |&at: &usize| {
        let written = entry.layout.mark_in_text(marks[at].0);
        faults.iter().any(|fault| match *fault {
            PieceFault::Shape { mark, .. } | PieceFault::NotInSet { mark, .. } => mark == written,
            PieceFault::Count { .. } => false,
        })
    };
    let faulty: Vec<usize> = (0..marks.len()).filter(at_fault).collect();
    let mut search = CorrectionSearch { entry, marks, set, steps: MAX_SPLIT_STEPS };
    let recuts = match (cells.cmp(&expected), faulty.as_slice()) {
        (std::cmp::Ordering::Equal, &[one, other]) => search.recut(one, other),
        (std::cmp::Ordering::Equal, &[one]) => (0..marks.len())
            .filter(|&other| other != one)
            .flat_map(|o| search.recut(one, o))
            .collect(),
        (std::cmp::Ordering::Less, &[one]) => search.complete(one),
        (std::cmp::Ordering::Greater, &[one]) => search.cut_back(one),
        _ => Vec::new(),
    };
    search.best(recuts, cells == expected)
}

struct CorrectionSearch<'a> {
    entry: &'a Entry,
    marks: &'a Marks,
    set: &'a PieceSet,
    steps: usize,
}

impl CorrectionSearch<'_> {
    fn piece(&self, at: usize) -> Option<&Piece> {
        let (mark, cells) = &self.marks[at];
        piece_of_mark(*mark, cells, self.set).map(|at| &self.set.pieces()[at].0)
    }

    /// Returns the best of the recuts that make all marks a packing. If `same_figure` is false, recuts lead to
    /// different figures, and several equally good ones give `None`.
    fn best(&mut self, recuts: Vec<Recut>, same_figure: bool) -> Option<Correction> {
        let mut recuts: Vec<(usize, Recut)> =
            recuts.into_iter().map(|recut| (self.changes(&recut).len(), recut)).collect();
        recuts.sort();
        recuts.dedup();
        let mut working: Vec<(usize, Recut)> = Vec::new();
        for (changes, recut) in recuts {
            if working.first().is_some_and(|(fewest, _)| *fewest < changes) || working.len() > 1 {
                break;
            }
            let mut marks = self.marks.clone();
            for (at, cells) in &recut {
                marks[*at].1.clone_from(cells);
            }
            marks.retain(|(_, cells)| !cells.is_empty());
            if check_marks(&marks, self.set, false, &mut self.steps).is_ok() {
                working.push((changes, recut));
            }
        }
        let others = working.len() > 1;
        let (changes, recut) = working.into_iter().next().filter(|_| same_figure || !others)?;
        if let [(one, here), (other, there)] = recut.as_slice()
            && *here == self.marks[*other].1
            && *there == self.marks[*one].1
        {
            let [one, other] = [*one, *other].map(|at| self.mark_in_text(at));
            return Some(Correction::Exchange { one, other });
        }
        let changed = self.changes(&recut);
        let change = |&(cell, from, to): &(Cell, Option<usize>, Option<usize>)| {
            let at = self.entry.layout.position(cell)?;
            let [from, to] = [from, to].map(|mark| mark.map(|at| self.mark_in_text(at)));
            Some(Change { at, from, to })
        };
        let changes: Vec<Change> = (changes <= MAX_CHANGES)
            .then(|| changed.iter().map(change).collect::<Option<_>>())??;
        (!changes.is_empty()).then_some(Correction::Rewrite { changes, others })
    }

    fn mark_in_text(&self, at: usize) -> char {
        self.entry.layout.mark_in_text(self.marks[at].0)
    }

    /// Returns the cells with changed marks, and their old and new marks.
    fn changes(&self, recut: &Recut) -> Vec<(Cell, Option<usize>, Option<usize>)> {
        let all: BTreeSet<Cell> = recut
            .iter()
            .flat_map(|(at, cells)| cells.iter().chain(&self.marks[*at].1).copied())
            .collect();
        let mark = |cell: Cell| {
            let before = recut.iter().find(|(at, _)| self.marks[*at].1.contains(&cell));
            let after = recut.iter().find(|(_, cells)| cells.contains(&cell));
            (cell, before.map(|(at, _)| *at), after.map(|(at, _)| *at))
        };
        all.into_iter().map(mark).filter(|(_, before, after)| before != after).collect()
    }

    /// Returns the placements of a mark's piece on ascending cells.
    fn placements(&mut self, at: usize, cells: &[Cell]) -> Vec<Vec<Cell>> {
        let Some(piece) = self.piece(at) else { return Vec::new() };
        let mut placements = Vec::new();
        let mut left = self.steps;
        for shape in piece.orientations() {
            for &first in cells {
                left = left.saturating_sub(1);
                if left == 0 {
                    break;
                }
                let moved: Vec<Cell> = shape.iter().map(|&c| c - shape[0] + first).collect();
                if moved.iter().all(|cell| cells.binary_search(cell).is_ok()) {
                    placements.push(moved);
                }
            }
        }
        self.steps = left;
        placements
    }

    /// Cuts the cells of two marks into one piece of each.
    fn recut(&mut self, one: usize, other: usize) -> Vec<Recut> {
        let mut union = [self.marks[one].1.as_slice(), &self.marks[other].1].concat();
        union.sort_unstable();
        let sizes = [one, other].map(|at| self.piece(at).map_or(0, Piece::size));
        if sizes.contains(&0) || sizes[0] + sizes[1] != union.len() {
            return Vec::new();
        }
        let placements = self.placements(one, &union);
        let Some(piece) = self.piece(other) else { return Vec::new() };
        placements
            .into_iter()
            .filter_map(|placed| {
                let rest: Vec<Cell> =
                    union.iter().copied().filter(|cell| !placed.contains(cell)).collect();
                piece.has_shape(&rest).then(|| vec![(one, placed), (other, rest)])
            })
            .collect()
    }

    /// Completes a piece with empty squares of the figure's box.
    fn complete(&mut self, at: usize) -> Vec<Recut> {
        let known = &self.marks[at].1;
        let extents = self.entry.figure.extents();
        let mut squares: BTreeSet<Cell> = known.iter().copied().collect();
        for _ in 0..MAX_CHANGES {
            let next: Vec<Cell> = squares.iter().flat_map(|cell| cell.neighbors()).collect();
            squares.extend(next.into_iter().filter(|cell| {
                let inside =
                    cell.to_array().iter().zip(extents).all(|(&v, e)| v >= 0 && v < e as i32);
                let elsewhere = self.entry.figure.cells().binary_search(cell).is_ok();
                inside && (!elsewhere || known.contains(cell))
            }));
        }
        let squares: Vec<Cell> = squares.into_iter().collect();
        let placements = self.placements(at, &squares);
        let whole = |placed: &Vec<Cell>| known.iter().all(|cell| placed.contains(cell));
        placements.into_iter().filter(whole).map(|placed| vec![(at, placed)]).collect()
    }

    /// Removes cells from a piece that has too many.
    fn cut_back(&mut self, at: usize) -> Vec<Recut> {
        let known = self.marks[at].1.clone();
        let placements = self.placements(at, &known);
        placements.into_iter().map(|placed| vec![(at, placed)]).collect()
    }
}
