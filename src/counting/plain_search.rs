//! The effort of a plain search, a measure of difficulty for people.

use crate::cell_placements::placements;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use std::cmp::Reverse;

/// The most cells of a figure for [`plain_effort`].
pub const PLAIN_CELLS: usize = u32::BITS as usize;

/// The most placements of a plain search that measures a difficulty. The cube needs 861,284.
pub const MAX_PLACEMENTS: u64 = 20_000_000;

/// The least efforts of figures with two, three, four and five stars.
const STARS: [u64; 4] = [50, 75, 115, 185];

/// Rates the difficulty of a figure from 1 to 5, by its [`plain_effort`].
///
/// ```
/// use somacat_counting::plain_search::difficulty;
///
/// assert_eq!([49, 50, 1000].map(difficulty), [1, 2, 5]);
/// ```
pub fn difficulty(effort: u64) -> usize {
    1 + STARS.iter().filter(|&&least| effort >= least).count()
}

/// Returns the number of placements that a plain search tries for each raw packing, as a rounded mean over all
/// packings.
///
/// The search fills the first free cell with every piece that fits, slice by slice along the longest side, and does not
/// look ahead. `None` for a figure without a packing, of more than [`PLAIN_CELLS`] cells, or for which the search tries
/// more than `limit` placements.
///
/// ```
/// use somacat_counting::plain_search::plain_effort;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// // A plain search tries 75 placements for each packing of the cube.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// assert_eq!(plain_effort(&cube, &soma, 10_000_000), Some(75));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_effort(figure: &Figure, set: &PieceSet, limit: u64) -> Option<u64> {
    let cells = figure.cells();
    if cells.len() > PLAIN_CELLS || set.total_cells() != cells.len() {
        return None;
    }
    let extents = figure.extents();
    let longest = (0..3).max_by_key(|&axis| (extents[axis], Reverse(axis)))?;
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&at| cells[at].to_array()[longest]);
    let mut bit_of = vec![0; cells.len()];
    order.iter().enumerate().for_each(|(bit, &at)| bit_of[at] = bit);
    let mut by_first: Vec<Vec<(usize, u32)>> = vec![Vec::new(); cells.len()];
    for placement in placements((figure, set)) {
        let mask = placement.cells.iter().fold(0, |mask, &at| mask | 1 << bit_of[at]);
        by_first[u32::trailing_zeros(mask) as usize].push((placement.piece, mask));
    }
    let full = u32::MAX >> (PLAIN_CELLS - cells.len());
    let left = set.pieces().iter().map(|(_, count)| *count).collect();
    let mut search = PlainSearch { by_first, full, left, limit, tried: 0, packings: 0 };
    search.cover(0);
    let complete = search.packings > 0 && search.tried <= limit;
    complete.then(|| (search.tried + search.packings / 2) / search.packings)
}

/// A plain search. Cells are bits in the order in which they are filled.
struct PlainSearch {
    /// By first cell, the placements that begin there: the piece and the cells.
    by_first: Vec<Vec<(usize, u32)>>,
    /// All cells.
    full: u32,
    /// For each piece of the set, the number of copies left.
    left: Vec<usize>,
    /// The most placements to try.
    limit: u64,
    tried: u64,
    packings: u64,
}

impl PlainSearch {
    /// Completes the filled cells to packings in every way.
    fn cover(&mut self, filled: u32) {
        if filled == self.full {
            self.packings += 1;
            return;
        }
        let first = filled.trailing_ones() as usize;
        for at in 0..self.by_first[first].len() {
            let (piece, mask) = self.by_first[first][at];
            if filled & mask != 0 || self.left[piece] == 0 || self.tried > self.limit {
                continue;
            }
            self.tried += 1;
            self.left[piece] -= 1;
            self.cover(filled | mask);
            self.left[piece] += 1;
        }
    }
}
