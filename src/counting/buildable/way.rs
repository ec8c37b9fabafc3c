//! A way to reach a figure: a position about the root and a packing. `figure_owner.rs` lists the ways of a figure.

use super::board::number;
use super::sizes::{MAX_BUILDABLE_CELLS, MAX_PIECE};
use crate::solve;
use somacat_geometry::figure::Candidate;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;

/// The cells of a placement as numbers on the board, ascending.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SortedCells {
    size: usize,
    /// The first `size` are in use, and the others are 0, so that equal placements are equal values.
    cells: [u32; MAX_PIECE],
}

impl SortedCells {
    pub(super) fn new(of: impl ExactSizeIterator<Item = u32>) -> Self {
        let (size, mut cells) = (of.len(), [0; MAX_PIECE]);
        cells.iter_mut().zip(of).for_each(|(cell, at)| *cell = at);
        cells[..size].sort_unstable();
        Self { size, cells }
    }

    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.size]
    }
}

/// A way to reach a figure: a position and a packing.
pub(super) struct Way<'w> {
    pub(super) shard: u64,
    pub(super) position: &'w Position,
    pub(super) packing: &'w PackingIndex,
}

impl Way<'_> {
    /// Returns `true` if a cell of the board is in the figure.
    pub(super) fn contains(&self, number: u32) -> bool {
        self.position.index(number).is_some()
    }

    /// Returns the cells of the piece that covers a cell. Returns `None` if the cell is not in the figure.
    pub(super) fn covering(&self, number: u32) -> Option<SortedCells> {
        Some(self.packing.covering(self.position.index(number)?, self.position))
    }
}

/// A figure in a position about the root. It has the symmetry of the board there, and the root is the median of the
/// cells that the whole group fixes.
pub(super) struct Position {
    /// The cells, in the order of the figure's cells.
    numbers: Vec<u32>,
    /// The index of the root in `numbers`.
    pub(super) root: usize,
}

impl Position {
    /// Transforms a figure and moves it to the root.
    fn new(group: Group, cells: &[Cell], t: Transform) -> Self {
        let mut numbers = Vec::with_capacity(cells.len());
        let (mut least, mut most) = ([i32::MAX; 3], [i32::MIN; 3]);
        for &cell in cells {
            let image = t.apply(cell).to_array();
            least = std::array::from_fn(|axis| least[axis].min(image[axis]));
            most = std::array::from_fn(|axis| most[axis].max(image[axis]));
        }
        // Twice the vector from the center of the figure.
        let [x, y, z] = std::array::from_fn(|axis| least[axis] + most[axis]);
        let from_center = |c: Cell| c + c - Cell::new(x, y, z);
        let mut fixed = [(Cell::default(), 0); MAX_BUILDABLE_CELLS];
        let mut len = 0;
        for (at, &cell) in cells.iter().enumerate() {
            let image = t.apply(cell);
            let c = from_center(image);
            if group.iter().all(|g| g.apply(c) == c) {
                fixed[len] = (image, at);
                len += 1;
            }
        }
        assert!(len > 0, "a 2-group fixes one of an odd number of cells");
        fixed[..len].sort_unstable();
        let (median, root) = fixed[len / 2];
        numbers.extend(cells.iter().map(|&cell| number(t.apply(cell) - median)));
        Self { numbers, root }
    }

    /// Returns all positions of a figure in which `group` keeps it, each once, up to the transforms that matter for the
    /// set.
    pub(super) fn all(group: Group, candidate: &Candidate) -> Vec<Self> {
        let (equivalence, own) = (candidate.equivalence(), candidate.group());
        let (mut positions, mut known) = (Vec::new(), 0_u64);
        for t in Transform::iter() {
            if !equivalence.equates(t)
                || known >> t.index() & 1 == 1
                || !own.conjugate(t).contains_group(group)
            {
                continue;
            }
            // Transforms that differ by a symmetry of the figure lead to the same position.
            known |= own.coset_mask(t);
            positions.push(Self::new(group, candidate.figure().cells(), t));
        }
        positions
    }

    /// Returns the index of a cell of the board in the figure, if it is in it.
    pub(super) fn index(&self, number: u32) -> Option<usize> {
        self.numbers.iter().position(|&other| other == number)
    }
}

/// A packing by indices of the figure's cells, which are the same in every position.
#[derive(Default)]
pub(super) struct PackingIndex {
    /// For each cell, the piece that covers it: an index in `pieces`.
    owners: [u8; MAX_BUILDABLE_CELLS],
    /// For each piece, the number of its cells, and these cells; the other entries are 0.
    pieces: Vec<(usize, [u8; MAX_PIECE])>,
}

impl PackingIndex {
    pub(super) fn set(&mut self, cells: &[Cell], packing: &[solve::Placement]) {
        self.pieces.clear();
        for (piece, placement) in packing.iter().enumerate() {
            let mut places = [0; MAX_PIECE];
            for (place, cell) in places.iter_mut().zip(&placement.cells) {
                let at = cells.binary_search(cell).expect("a packing covers the figure");
                self.owners[at] = piece as u8;
                *place = at as u8;
            }
            self.pieces.push((placement.cells.len(), places));
        }
    }

    /// Returns the cells of the piece that covers cell number `at` of the figure, as they lie on the board.
    pub(super) fn covering(&self, at: usize, position: &Position) -> SortedCells {
        let (size, places) = &self.pieces[self.owners[at] as usize];
        SortedCells::new(places[..*size].iter().map(|&at| position.numbers[at as usize]))
    }
}
