//! Lists the items and placements of a figure's exact-cover problem.
//!
//! An item is a bit. The cells come first, in the order of a sweep along the longest axis, then the types of pieces.
//! The figure is a bit board, a bit set of the places of a box. The board shifted by a step of a shape shows the places
//! from which that step leads to a cell. The intersection over all steps shows where the shape fits. So an orientation
//! is tried on all cells at once. Shifted boards are shared by all orientations that have the step.
//!
//! In a row of four cells, for example, the board is 1111. Shifted by one place it is 0111 (place 0 is on the right),
//! and by two 0011. A straight piece of three fits where all three are set: at places 0 and 1.
use super::Placement;
use super::color::ColorConstraints;
use super::prepared_set::PreparedSet;
use super::sweep::{AxisSweep, SweptShape};
use super::word::MaskWord;
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;

/// The bits of a figure's items.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemLayout {
    /// By bit of a cell, the number of the cell in the figure. Empty if placements were taken from elsewhere.
    pub(super) cell_of_bit: Vec<usize>,
    /// By number of a cell in the figure, its bit: the inverse of `cell_of_bit`.
    pub(super) bit_of_cell: Vec<usize>,
    /// The bit of the first type: the number of cells.
    pub(super) first_type: usize,
    /// The number of types.
    pub(super) types: usize,
}

impl ItemLayout {
    pub(super) fn items(&self) -> usize {
        self.first_type + self.types
    }
    pub(super) fn type_bit<W: MaskWord>(&self, kind: usize) -> W {
        W::bit(self.first_type + kind)
    }
}

/// Reusable tables for placement generation.
#[derive(Debug, Default)]
pub(super) struct PlacementBuilder<W> {
    pub(super) layout: ItemLayout,
    /// Buffer for the placements; the first `len` are in use.
    buffer: Vec<W>,
    len: usize,
    /// Buffer for sorting.
    sorted: Vec<W>,
    boards: FigureBits,
    /// By place of the board, the item of the cell there. Meaningless where there is no cell.
    items: Vec<W>,
}

/// Maximum size of a board in words. In larger boxes, where parts lie far apart, cells are looked up one by one.
const MAX_BOARD_WORDS: usize = 256;

/// Sets of places, each a bit set of `words` words.
#[derive(Debug, Default)]
struct FigureBits {
    words: usize,
    /// Black cells, white cells, all cells. Empty words follow the last set, so that it can be shifted.
    cells: [Vec<u64>; 3],
    /// For each word of a board and each step of the sweep, the places from which the step leads to a cell. The words
    /// of all steps for one word of the board are next to each other, because they are used together.
    lead: Vec<u64>,
    /// For each step of the sweep, its distance in places. A step of a sweep never leads backwards.
    distances: Vec<usize>,
    /// By place, the number of the cell there in the figure. Meaningless where there is no cell.
    numbers: Vec<usize>,
}

/// A numbering of the places of a box, along its axes.
struct BoxNumbering {
    /// The least corner of the figure, which has place 0.
    low: Cell,
    /// The distance from a place to the next along x, y, z. The box has a margin, so no step of a shape wraps around.
    stride: [i64; 3],
    /// The number of places, margin included.
    places: usize,
}

/// Returns the axes and the figure's extents. The axes are sorted by extent; the last is the longest and slowest.
fn axes(cells: &[Cell], low: Cell) -> ([usize; 3], [i32; 3]) {
    let mut extent = [0; 3];
    for &cell in cells {
        for (extent, value) in extent.iter_mut().zip((cell - low).to_array()) {
            *extent = value.max(*extent);
        }
    }
    let mut axes = [0, 1, 2];
    axes.sort_by_key(|&axis| extent[axis]);
    (axes, extent)
}

/// Returns the positions of cells, sorted along these axes, the fastest first.
fn sorted_along([fast, middle, slow]: [usize; 3], cells: &[Cell]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..cells.len()).collect();
    sorted.sort_unstable_by_key(|&cell| {
        let at = cells[cell].to_array();
        (at[slow], at[middle], at[fast])
    });
    sorted
}

impl BoxNumbering {
    /// Builds the numbering. Returns `None` if a board of the box would be too large.
    fn new(low: Cell, axes: [usize; 3], extent: [i32; 3], reach: i32) -> Option<Self> {
        let mut stride = [0; 3];
        let mut step = 1_i64;
        for axis in axes {
            stride[axis] = step;
            step = step.checked_mul(i64::from(extent[axis]) + 1 + i64::from(reach))?;
        }
        let places = usize::try_from(step).ok()?;
        (places <= MAX_BOARD_WORDS * u64::BITS as usize).then_some(Self { low, stride, places })
    }

    /// Returns the difference of the places of two cells with this difference.
    fn distance(&self, step: Cell) -> i64 {
        step.to_array().into_iter().zip(self.stride).map(|(at, to)| i64::from(at) * to).sum()
    }
}

/// Returns true for [black, white] if the colors allow a placement of the shape with its lowest cell on such a cell.
fn allowed(constraints: &ColorConstraints, shape: &SweptShape) -> [bool; 2] {
    let signs = constraints.signs[shape.kind];
    [signs[usize::from(shape.odd)], signs[usize::from(!shape.odd)]]
}

impl<W: MaskWord> PlacementBuilder<W> {
    /// Numbers the items and lists the placements, shape by shape. The cells must be distinct and as many as the
    /// set fills. There must be fewer than `W::BITS` items.
    pub(super) fn build(
        &mut self,
        prepared: &PreparedSet,
        cells: &[Cell],
        constraints: &ColorConstraints,
    ) {
        let most = cells.len() * prepared.shapes.len();
        if self.buffer.len() < most {
            self.buffer.resize(most, W::ZERO);
        }
        let low = Cell::min_corner(cells);
        let (axes, extent) = axes(cells, low);
        let sweep = prepared.sweep(axes);
        let layout = &mut self.layout;
        layout.types = prepared.kinds.len();
        layout.first_type = cells.len();
        layout.cell_of_bit.clear();
        match BoxNumbering::new(low, axes, extent, prepared.reach) {
            Some(frame) => {
                self.boards.set(cells, sweep, &frame);
                let numbers = &self.boards.numbers;
                layout.cell_of_bit.extend(self.boards.places().map(|at| numbers[at]));
                self.list_by_board(sweep, constraints, frame.places);
            }
            None => {
                layout.cell_of_bit = sorted_along(axes, cells);
                self.list_by_cell(sweep, cells, constraints);
            }
        }
        let layout = &mut self.layout;
        layout.bit_of_cell.clear();
        layout.bit_of_cell.resize(cells.len(), 0);
        for (bit, &cell) in layout.cell_of_bit.iter().enumerate() {
            layout.bit_of_cell[cell] = bit;
        }
    }

    /// Takes placements that were listed elsewhere. Their cells in the figure are then unknown.
    pub(super) fn take(&mut self, prepared: &PreparedSet, cells: usize, placements: &[W]) {
        self.layout =
            ItemLayout { first_type: cells, types: prepared.kinds.len(), ..ItemLayout::default() };
        self.buffer.clear();
        self.buffer.extend_from_slice(placements);
        self.len = placements.len();
    }

    /// Returns all placements that the colors allow.
    pub(super) fn masks(&self) -> &[W] {
        &self.buffer[..self.len]
    }

    /// Omits the placements for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(&ItemLayout, W) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            let mask = self.buffer[at];
            if keep(&self.layout, mask) {
                self.buffer[kept] = mask;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Returns true if every cell and every type of which a packing needs copies has a placement.
    pub(super) fn covers_all(&self, prepared: &PreparedSet) -> bool {
        let covered = self.masks().iter().fold(W::ZERO, |all, &mask| all | mask);
        let not_needed = prepared.kinds.iter().enumerate().filter(|(_, kind)| kind.least == 0);
        let not_needed = not_needed.map(|(kind, _)| self.layout.type_bit(kind));
        let not_needed = not_needed.fold(W::ZERO, |all, bit| all | bit);
        W::first(self.layout.items()).without(covered | not_needed).is_zero()
    }

    /// Sorts the placements by their lowest cells. A search with a visitor tries them in this order. A search that
    /// only counts does not depend on it.
    pub(super) fn sort(&mut self) {
        let mut starts = vec![0; self.layout.first_type + 1];
        for mask in &self.buffer[..self.len] {
            starts[mask.index() + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        self.sorted.clear();
        self.sorted.resize(self.len, W::ZERO);
        for &mask in &self.buffer[..self.len] {
            let start = &mut starts[mask.index()];
            self.sorted[*start] = mask;
            *start += 1;
        }
        self.buffer[..self.len].copy_from_slice(&self.sorted);
    }

    /// Shuffles the placements into an order that the seed determines.
    pub(super) fn shuffle(&mut self, seed: u64) {
        let mut state = seed;
        for i in (1..self.len).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let below = ((state >> 32) * (i as u64 + 1)) >> 32;
            self.buffer.swap(i, below as usize);
        }
    }

    /// Lists the placements with boards: 64 places at a time, and for each place where a shape fits, the mask.
    fn list_by_board(&mut self, sweep: &AxisSweep, constraints: &ColorConstraints, places: usize) {
        let boards = &self.boards;
        if self.items.len() < places {
            self.items.resize(places, W::ZERO);
        }
        for (bit, at) in boards.places().enumerate() {
            self.items[at] = W::bit(bit);
        }
        let (items, buffer) = (&self.items[..places], &mut self.buffer[..]);
        let distances = &boards.distances[..];
        let mut len = 0;
        for (word, lead) in boards.lead.chunks_exact(sweep.steps.len()).enumerate() {
            let [black, white, all] = boards.cells.each_ref().map(|set| set[word]);
            if all == 0 {
                continue;
            }
            let cells = [0, white, black, all];
            for (shape, [p, q, r], more) in sweep.iter() {
                let [black, white] = allowed(constraints, shape).map(usize::from);
                let mut fit = cells[2 * black + white];
                fit &= lead[p] & lead[q] & lead[r];
                for &[p, q, r] in more {
                    fit &= lead[p] & lead[q] & lead[r];
                }
                if fit == 0 {
                    continue;
                }
                let kind = self.layout.type_bit::<W>(shape.kind);
                let [p, q, r] = [p, q, r].map(|step| distances[step]);
                while fit != 0 {
                    let at = 64 * word + fit.trailing_zeros() as usize;
                    fit &= fit - 1;
                    let mut mask = kind | items[at] | items[at + p] | items[at + q] | items[at + r];
                    for step in more.iter().flatten() {
                        mask = mask | items[at + distances[*step]];
                    }
                    buffer[len] = mask;
                    len += 1;
                }
            }
        }
        self.len = len;
    }

    /// Lists the placements by looking up each cell of each shape, for figures in very large boxes.
    fn list_by_cell(&mut self, sweep: &AxisSweep, cells: &[Cell], constraints: &ColorConstraints) {
        let order = self.layout.cell_of_bit.iter().map(|&cell| cells[cell]);
        let items: FxHashMap<Cell, W> =
            order.clone().enumerate().map(|(bit, cell)| (cell, W::bit(bit))).collect();
        self.len = 0;
        for (shape, triple, more) in sweep.iter() {
            let allowed = allowed(constraints, shape);
            let kind = self.layout.type_bit::<W>(shape.kind);
            for (bit, cell) in order.clone().enumerate() {
                let item = |step: &usize| items.get(&(cell + sweep.steps[*step])).copied();
                let mut steps = triple.iter().chain(more.iter().flatten());
                let mask =
                    steps.try_fold(kind | W::bit(bit), |mask, step| Some(mask | item(step)?));
                if let Some(mask) = mask.filter(|_| allowed[usize::from(!cell.is_black())]) {
                    self.buffer[self.len] = mask;
                    self.len += 1;
                }
            }
        }
    }
}

impl FigureBits {
    /// Sets the boards of a figure, and the places from which each step leads to a cell.
    fn set(&mut self, cells: &[Cell], sweep: &AxisSweep, frame: &BoxNumbering) {
        self.words = frame.places.div_ceil(64);
        self.distances.clear();
        // A step beyond the last place leads to no cell.
        let distance = |&step: &Cell| frame.distance(step).min(frame.places as i64) as usize;
        self.distances.extend(sweep.steps.iter().map(distance));
        let furthest = self.distances.iter().copied().fold(0, usize::max);
        for board in &mut self.cells {
            board.clear();
            board.resize(self.words, 0);
        }
        if self.numbers.len() < frame.places {
            self.numbers.resize(frame.places, 0);
        }
        let [black, white, all] = &mut self.cells;
        all.resize(self.words + furthest / 64 + 2, 0);
        for (number, &cell) in cells.iter().enumerate() {
            let at = frame.distance(cell - frame.low) as usize;
            self.numbers[at] = number;
            let (word, bit) = (at / 64, 1 << (at % 64));
            all[word] |= bit;
            if cell.is_black() { black[word] |= bit } else { white[word] |= bit }
        }
        self.lead.clear();
        for word in 0..self.words {
            self.lead.extend(self.distances.iter().map(|distance| {
                let (at, bits) = (word + distance / 64, distance % 64);
                // Two shifts to the left, because a shift by 64 is not defined.
                all[at] >> bits | (all[at + 1] << 1) << (63 - bits)
            }));
        }
    }

    /// Iterates over the places of the cells, ascending: the order of the sweep.
    fn places(&self) -> impl Iterator<Item = usize> {
        let words = self.cells[2][..self.words].iter().enumerate();
        words.flat_map(|(word, bits)| bits.ones().map(move |bit| 64 * word + bit))
    }
}

impl ItemLayout {
    /// Returns the placement of a mask. `cells` are those that the layout was built for, and `pieces` has the position
    /// of each type in the set.
    pub(super) fn placement<W: MaskWord>(
        &self,
        mask: W,
        cells: &[Cell],
        pieces: &[usize],
    ) -> Placement {
        let mut placed = Placement { piece: 0, cells: Vec::new() };
        for bit in mask.ones() {
            match self.cell_of_bit.get(bit) {
                Some(&cell) => placed.cells.push(cells[cell]),
                None => placed.piece = pieces[bit - self.first_type],
            }
        }
        placed.cells.sort_unstable();
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::Wide;
    use super::*;
    use somacat_geometry::pieces::{Piece, PieceSet};

    fn line(length: i32) -> Piece {
        let cells: Vec<Cell> = (0..length).map(|x| Cell::new(x, 0, 0)).collect();
        Piece::new('I', &cells).unwrap()
    }

    /// Compares two equal boxes: near each other, on a board, and far apart, cell by cell. For the cube the numbers
    /// of placements are published: 144 144 72 72 96 96 64. Lines of nine cells have more steps than tetracubes.
    #[test]
    fn boards_and_single_cells_give_the_same_placements() {
        let lines = PieceSet::new("lines", [(line(9), 2), (line(3).with_name('D', "D"), 12)]);
        let cases = [
            (PieceSet::soma(2), [3, 3, 3], 2 * (144 + 144 + 72 + 72 + 96 + 96 + 64)),
            (lines, [9, 3, 1], 2 * (3 + 21 + 9)),
        ];
        for (set, [x, y, z], placements) in cases {
            let prepared = PreparedSet::new(&set);
            let masks = |gap: i32| {
                let cell = |n: i32| Cell::new(n % x, n / x % y, n / (x * y));
                let one = (0..x * y * z).map(cell);
                let mut cells: Vec<Cell> =
                    one.flat_map(|c| [c, c + Cell::new(0, 0, gap)]).collect();
                cells.sort_unstable();
                let difference = cells.iter().map(|c| if c.is_black() { 1 } else { -1 }).sum();
                let mut builder = PlacementBuilder::<Wide<2>>::default();
                builder.build(&prepared, &cells, prepared.constraints(difference).unwrap());
                builder.sort();
                builder.masks().to_vec()
            };
            assert_eq!(masks(10).len(), placements);
            assert_eq!(masks(10), masks(1_000_000));
        }
    }
}
