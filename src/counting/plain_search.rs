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
    let mut by_first: Vec<Vec<u64>> = vec![Vec::new(); cells.len()];
    for placement in placements((figure, set)) {
        let mask = placement.cells.iter().fold(0, |mask, &at| mask | 1 << bit_of[at]);
        by_first[u64::trailing_zeros(mask) as usize].push(mask | piece_bit(placement.piece));
    }
    let left: Vec<usize> = set.pieces().iter().map(|(_, count)| *count).collect();
    let absent = left.iter().enumerate().filter(|(_, copies)| **copies == 0);
    let start = absent.fold(0, |state, (piece, _)| state | piece_bit(piece));
    let mut search = PlainSearch { limit, left, ..PlainSearch::new(&by_first) };
    search.cover(start);
    let complete = search.packings > 0 && search.tried <= limit;
    complete.then(|| (search.tried + search.packings / 2) / search.packings)
}

/// Returns the bit of a piece. A set of at most [`PLAIN_CELLS`] cells has at most as many pieces.
const fn piece_bit(piece: usize) -> u64 {
    1 << (PLAIN_CELLS + piece)
}

/// The number of cells behind the first free one that select placements. With more of them fewer placements are tested,
/// but it takes longer to list them.
const KEY_BITS: u32 = 5;

/// A plain search. A state and a placement are bits, so that one test shows whether the placement fits: first the
/// cells in the order in which they are filled, then the pieces. A state has the filled cells and the pieces of which
/// no copy is left.
struct PlainSearch {
    /// The placements by their first cell, and by the filled ones among the next [`KEY_BITS`] cells, none of which is
    /// theirs.
    placements: Vec<u64>,
    /// Where the placements of a first cell and of filled cells behind it begin, and the end.
    begin: Vec<u32>,
    /// All cells.
    full: u64,
    /// For each piece of the set, the number of copies left.
    left: Vec<usize>,
    /// The most placements to try.
    limit: u64,
    tried: u64,
    packings: u64,
}

impl PlainSearch {
    /// Lists placements, which come by their first cells.
    fn new(by_first: &[Vec<u64>]) -> Self {
        let (mut placements, mut begin) = (Vec::new(), vec![0]);
        for (first, all) in by_first.iter().enumerate() {
            for key in 0..1 << KEY_BITS {
                let filled = (key << (first + 1)) & ((1 << PLAIN_CELLS) - 1);
                placements.extend(all.iter().filter(|&placement| placement & filled == 0));
                begin.push(placements.len() as u32);
            }
        }
        let full = (1 << by_first.len()) - 1;
        Self { placements, begin, full, left: Vec::new(), limit: 0, tried: 0, packings: 0 }
    }

    /// Completes a state to packings in every way.
    fn cover(&mut self, state: u64) {
        if state & self.full == self.full {
            self.packings += 1;
            return;
        }
        let first = state.trailing_ones();
        let behind = (state & self.full) >> (first + 1);
        let at = (first as usize) << KEY_BITS | behind as usize & ((1 << KEY_BITS) - 1);
        for at in self.begin[at]..self.begin[at + 1] {
            let placement = self.placements[at as usize];
            if state & placement != 0 || self.tried > self.limit {
                continue;
            }
            self.tried += 1;
            let piece = (placement >> PLAIN_CELLS).trailing_zeros() as usize;
            self.left[piece] -= 1;
            let is_last = self.left[piece] == 0;
            let used = if is_last { placement } else { placement & !piece_bit(piece) };
            self.cover(state | used);
            self.left[piece] += 1;
        }
    }
}
