//! Tests by simple backtracking whether pieces fill cells.

use super::reason::{colors, colors_reached, piece_colors};
use super::recount::RecountError;
use super::turns::orientations;
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeSet;

pub(super) struct OrientedPieces {
    /// The cells of each orientation, ascending, with the number of the piece.
    ways: Vec<(usize, Vec<Cell>)>,
    copies: Vec<usize>,
    /// The possible color differences of all of them together.
    colors: BTreeSet<i64>,
}

impl OrientedPieces {
    pub(super) fn new(set: &PieceSet) -> Self {
        let mut ways = Vec::new();
        for (number, (piece, _)) in set.pieces().iter().enumerate() {
            ways.extend(orientations(piece.cells()).into_iter().map(|cells| (number, cells)));
        }
        let copies = set.pieces().iter().map(|(_, copies)| *copies).collect();
        Self { ways, copies, colors: colors_reached(piece_colors(set)) }
    }

    /// Returns true if the pieces fill these cells, as many as theirs. Subtracts every way that is tried at a cell
    /// from `steps`. Fails if there are more than 64 cells, or the steps do not suffice.
    pub(super) fn fill(&self, mut cells: Vec<Cell>, steps: &mut u64) -> Result<bool, RecountError> {
        if cells.len() > u64::BITS as usize {
            return Err(RecountError::Large);
        }
        if !self.colors.contains(&colors(&cells)) {
            return Ok(false);
        }
        cells.sort_unstable();
        let numbers: FxHashMap<Cell, usize> =
            cells.iter().enumerate().map(|(number, cell)| (*cell, number)).collect();
        // For each cell, the placements with this first cell, as sets of cells: bit n represents cell n.
        let by_first: Vec<Vec<(usize, u64)>> = cells
            .iter()
            .map(|&first| {
                let place = |(piece, way): &(usize, Vec<Cell>)| {
                    let bit = |cell: &Cell| numbers.get(&(*cell - way[0] + first)).map(|n| 1 << n);
                    let covered = way.iter().map(bit).try_fold(0, |all, bit| Some(all | bit?))?;
                    Some((*piece, covered))
                };
                self.ways.iter().filter_map(place).collect()
            })
            .collect();
        let tried = (cells.len() * self.ways.len()) as u64;
        *steps = steps.checked_sub(tried).ok_or(RecountError::Steps)?;
        let outside = u64::MAX.checked_shl(cells.len() as u32).unwrap_or(0);
        fill_from(outside, &by_first, &mut self.copies.clone(), steps)
    }
}

/// Covers the first uncovered cell in every way, and then the rest.
fn fill_from(
    covered: u64,
    by_first: &[Vec<(usize, u64)>],
    left: &mut [usize],
    steps: &mut u64,
) -> Result<bool, RecountError> {
    let Some(ways) = by_first.get(covered.trailing_ones() as usize) else { return Ok(true) };
    *steps = steps.checked_sub(ways.len() as u64).ok_or(RecountError::Steps)?;
    for &(piece, cells) in ways {
        if left[piece] == 0 || covered & cells != 0 {
            continue;
        }
        left[piece] -= 1;
        let filled = fill_from(covered | cells, by_first, left, steps)?;
        left[piece] += 1;
        if filled {
            return Ok(true);
        }
    }
    Ok(false)
}
