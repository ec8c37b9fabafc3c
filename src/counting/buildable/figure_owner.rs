//! The ways in which the search reaches a figure, and the shard that owns it.
//!
//! The search reaches a figure several times, in different shards, and shards know nothing of each other: they may be
//! searched on different machines. A figure is to be listed by exactly one of them. So a shard that reaches a figure
//! asks in which shards the search reaches it, without searching these. It lists the figure if none of them is earlier.
//!
//! # Why it is right
//!
//! The search reaches a figure once for each *way*: a position about the root and a packing, of which the piece at the
//! root is one of the first placements. All positions and packings of the figure can be listed: positions are the
//! images under transforms that keep the board's group among the symmetries, moved so that the root is the median of
//! the cells that this group fixes, and the solver lists the packings. After the first placement the search covers one
//! certain cell next, which is looked up ([`FigureOwner`]), and the packing has one piece there. These two placements
//! are hashed to the shard. So the shards of all ways are known, and every machine computes the same owner, the least
//! of them.
//!
//! Within its shard, a figure belongs to the first slice that reaches it. The slice depends on the third and later
//! placements; for these, the search follows the way (`FigureSearch::is_before`). A figure reached in a random sample
//! of the search counts less the more ways it has, so that each figure has the same expected weight (`estimate.rs`).
//!
//! # What it costs
//!
//! A search for all packings of each figure that a shard reaches, and a few look-ups for each packing and position. It
//! ends at the first way that leads to an earlier shard. Memory is one entry for each first placement.
//!
//! # Example
//!
//! V, L and T under the inversion: the search begins with 9 first placements.
//!
//! ```text
//! s1-3x3x5-0c0je9060    24 positions, 2 packings; 4 of the 48 pairs have a first placement at the root
//! their shards          1456, 5139, 16110 and 14694, so shard 1456 lists the figure, and the others drop it
//! all 21 figures        together 40 ways, which is how often the search reaches a figure
//! ```

use super::board::number;
use super::hash::{shard, sum};
use super::search::{BoardPlacement, Next};
use super::{MAX_BUILDABLE_CELLS, MAX_PIECE};
use crate::solve::{self, Limits, Problem};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Candidate;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Group;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The next step of the search after each of its first placements.
#[derive(Default, Debug)]
pub(super) struct FigureOwner(FxHashMap<SortedCells, Next>);

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
    position: &'w Position,
    packing: &'w PackingIndex,
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
struct Position {
    /// The cells, in the order of the figure's cells.
    numbers: Vec<u32>,
    /// The index of the root in `numbers`.
    root: usize,
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
    fn all(group: Group, candidate: &Candidate) -> Vec<Self> {
        let (identity, own) = (candidate.identity(), candidate.group());
        let (mut positions, mut known) = (Vec::new(), 0_u64);
        for t in Transform::all() {
            if !identity.equates(t)
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
    fn index(&self, number: u32) -> Option<usize> {
        self.numbers.iter().position(|&other| other == number)
    }
}

/// A packing by indices of the figure's cells, which are the same in every position.
#[derive(Default)]
struct PackingIndex {
    /// For each cell, the piece that covers it: an index in `pieces`.
    owners: [u8; MAX_BUILDABLE_CELLS],
    /// For each piece, the number of its cells, and these cells; the other entries are 0.
    pieces: Vec<(usize, [u8; MAX_PIECE])>,
}

impl PackingIndex {
    fn set(&mut self, cells: &[Cell], packing: &[solve::Placement]) {
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
    fn covering(&self, at: usize, position: &Position) -> SortedCells {
        let (size, places) = &self.pieces[self.owners[at] as usize];
        SortedCells::new(places[..*size].iter().map(|&at| position.numbers[at as usize]))
    }
}

impl FigureOwner {
    pub(super) fn add(&mut self, first: &BoardPlacement, next: Next) {
        self.0.insert(SortedCells::new(first.cells().iter().copied()), next);
    }

    /// Visits each way to reach a figure. Ends early if `visit` breaks or `stop` is set.
    pub(super) fn for_each_way(
        &self,
        group: Group,
        candidate: &Candidate,
        set: &PieceSet,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(Way<'_>) -> ControlFlow<()>,
    ) {
        let cells = candidate.figure().cells();
        let positions = Position::all(group, candidate);
        let mut own = PackingIndex::default();
        let problem = Problem::with_group(candidate.figure(), set, candidate.group());
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let report = solve::visit(&problem, limits, &mut |packing| {
            own.set(cells, packing);
            let way = |position| {
                Some(Way { shard: self.shard(position, &own)?, position, packing: &own })
            };
            positions.iter().filter_map(way).try_for_each(&mut *visit)
        });
        report.expect("a figure of so few cells can be searched");
    }

    /// Returns the shard in which the search reaches a figure in a position with a packing. `None` if the piece at the
    /// root is not one of the first placements: then the search reaches an image of this way instead.
    fn shard(&self, position: &Position, packing: &PackingIndex) -> Option<u64> {
        let first = packing.covering(position.root, position);
        let covered_next = match self.0.get(&first)? {
            Next::End => return Some(0),
            Next::Cover(cell) => *cell,
            Next::AddOrbit(orbits) => {
                orbits.iter().find(|(orbit, _)| position.index(*orbit).is_some())?.1
            }
        };
        let second = packing.covering(position.index(covered_next?)?, position);
        Some(shard(sum(first.cells()), second.cells()))
    }
}
