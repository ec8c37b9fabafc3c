//! From a figure and a kit to the items and placements of the exact-cover problem.
//!
//! An item is a bit: first the cells in the order of a sweep along the longest axis, then one bit for each
//! type of piece. The figure is a bit board, a bit set of the places of a box; the board moved by a step
//! of a shape shows where that step leads to a cell, and the intersection of the boards of all its steps
//! where the shape fits: an orientation is tried on all cells at once.
use super::Placement;
use super::color::Forcing;
use super::kit::Kit;
use super::sweep::{Sweep, SweptShape};
use super::word::Word;
use crate::lattice::Cell;
use rustc_hash::FxHashMap;

/// The bits of a figure's items.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The caller's cell number, by item bit.
    pub(super) cell_of_bit: Vec<usize>,
    /// The item bit, by the caller's cell number.
    pub(super) bit_of_cell: Vec<usize>,
    pub(super) first_type: usize,
    pub(super) types: usize,
}

impl Layout {
    pub(super) fn items(&self) -> usize {
        self.first_type + self.types
    }
    pub(super) fn type_bit<W: Word>(&self, kind: usize) -> W {
        W::bit(self.first_type + kind)
    }
}

/// Reusable tables for placement generation.
#[derive(Debug, Default)]
pub(super) struct Builder<W> {
    pub(super) layout: Layout,
    /// Room for the placements, and how many there are.
    buffer: Vec<W>,
    len: usize,
    /// Work space for sorting them.
    sorted: Vec<W>,
    /// The cells in the order of the sweep, as ranks and the caller's numbers.
    order: Vec<(i128, usize)>,
    boards: Boards,
    /// The item of the cell at each place of the board.
    items: Vec<W>,
}

/// The largest board, in words; figures in larger boxes, whose parts lie far apart, are looked up cell by cell.
const MAX_WORDS: usize = 256;

/// Sets of places, each a bit set of `words` words.
#[derive(Debug, Default)]
struct Boards {
    words: usize,
    /// Black cells, white cells, all cells. The last set is followed by empty words, so that it can be moved.
    cells: [Vec<u64>; 3],
    /// For each step of the sweep, the places from which it leads to a cell.
    lead: Vec<u64>,
    /// For each step, how many places further it leads.
    distances: Vec<usize>,
}

/// A numbering of the places of a box, along its axes.
struct Frame {
    low: Cell,
    /// The longest axis last: it is the slowest.
    axes: [usize; 3],
    /// From a place to the next along x, y, z. As the box has a margin, no step of a shape leads around it.
    stride: [i128; 3],
}

impl Frame {
    fn around(cells: &[Cell], reach: i32) -> Self {
        let low = Cell::min_corner(cells);
        let mut extent = [0; 3];
        for &cell in cells {
            for (extent, value) in extent.iter_mut().zip((cell - low).to_array()) {
                *extent = value.max(*extent);
            }
        }
        let mut axes = [0, 1, 2];
        axes.sort_by_key(|&axis| extent[axis]);
        let mut stride = [0; 3];
        let mut step = 1;
        for axis in axes {
            stride[axis] = step;
            step *= i128::from(extent[axis]) + 1 + i128::from(reach);
        }
        Self { low, axes, stride }
    }

    fn distance(&self, step: Cell) -> i128 {
        step.to_array().into_iter().zip(self.stride).map(|(at, to)| i128::from(at) * to).sum()
    }
}

/// Whether a shape whose lowest cell is [black, white] may be used.
fn allowed(forcing: &Forcing, shape: &SweptShape) -> [bool; 2] {
    let signs = forcing.signs[shape.kind];
    [signs[usize::from(shape.odd)], signs[usize::from(!shape.odd)]]
}

impl<W: Word> Builder<W> {
    /// Numbers the items and lists the placements, shape by shape. The cells must be distinct and as many as the
    /// kit fills, and there must be fewer than `W::BITS` items.
    pub(super) fn build(&mut self, kit: &Kit, cells: &[Cell], forcing: &Forcing) {
        let frame = Frame::around(cells, kit.reach);
        self.order.clear();
        self.order.extend(cells.iter().enumerate().map(|(i, &c)| (frame.distance(c - frame.low), i)));
        self.order.sort_unstable();
        self.number(kit, cells);
        let most = cells.len() * kit.shapes.len();
        if self.buffer.len() < most {
            self.buffer.resize(most, W::ZERO);
        }
        let sweep = kit.sweep(frame.axes);
        let span = self.order.last().map_or(0, |&(rank, _)| rank) + 1;
        match usize::try_from(span) {
            Ok(span) if span <= MAX_WORDS * u64::BITS as usize => {
                self.boards.set(&self.order, cells, sweep, &frame, span);
                self.list_by_board(sweep, forcing, span);
            }
            _ => self.list_by_cell(sweep, cells, forcing),
        }
    }

    /// All placements that parity allows.
    pub(super) fn masks(&self) -> &[W] {
        &self.buffer[..self.len]
    }

    /// Whether every cell and every type has a placement.
    pub(super) fn covers_all(&self) -> bool {
        let covered = self.masks().iter().fold(W::ZERO, |all, &mask| all | mask);
        W::first(self.layout.items()).without(covered).is_zero()
    }

    /// Puts the placements in the order of their lowest cells. A search that shows what it does tries them in this
    /// order; for one that only counts it makes no difference.
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

    /// Puts the placements into a random order that follows from the seed.
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

    /// Gives every item its bit, cells in the order of `self.order`.
    fn number(&mut self, kit: &Kit, cells: &[Cell]) {
        let layout = &mut self.layout;
        layout.types = kit.kinds.len();
        layout.first_type = cells.len();
        layout.cell_of_bit.clear();
        layout.cell_of_bit.extend(self.order.iter().map(|o| o.1));
        layout.bit_of_cell.clear();
        layout.bit_of_cell.resize(cells.len(), 0);
        for (bit, &cell) in layout.cell_of_bit.iter().enumerate() {
            layout.bit_of_cell[cell] = bit;
        }
    }

    fn list_by_board(&mut self, sweep: &Sweep, forcing: &Forcing, span: usize) {
        let boards = &self.boards;
        if self.items.len() < span {
            self.items.resize(span, W::ZERO);
        }
        for (bit, &(rank, _)) in self.order.iter().enumerate() {
            self.items[rank as usize] = W::bit(bit);
        }
        let items = &self.items[..span];
        let mut len = 0;
        for (shape, triples) in sweep.iter() {
            let cells = match allowed(forcing, shape) {
                [true, true] => &boards.cells[2],
                [true, false] => &boards.cells[0],
                [false, true] => &boards.cells[1],
                [false, false] => continue,
            };
            let kind = self.layout.type_bit::<W>(shape.kind);
            for (word, &cells) in cells[..boards.words].iter().enumerate() {
                let lead = |step: usize| boards.lead[step * boards.words + word];
                let all = |fit, &[p, q, r]: &[usize; 3]| fit & lead(p) & lead(q) & lead(r);
                let mut fit = triples.iter().fold(cells, all);
                while fit != 0 {
                    let at = 64 * word + fit.trailing_zeros() as usize;
                    fit &= fit - 1;
                    let item = |step: usize| items[at + boards.distances[step]];
                    let join = |mask, &[p, q, r]: &[usize; 3]| mask | item(p) | item(q) | item(r);
                    self.buffer[len] = triples.iter().fold(kind | items[at], join);
                    len += 1;
                }
            }
        }
        self.len = len;
    }

    fn list_by_cell(&mut self, sweep: &Sweep, cells: &[Cell], forcing: &Forcing) {
        let bits = self.order.iter().enumerate();
        let items: FxHashMap<Cell, W> = bits.map(|(bit, o)| (cells[o.1], W::bit(bit))).collect();
        self.len = 0;
        for (shape, triples) in sweep.iter() {
            let allowed = allowed(forcing, shape);
            let kind = self.layout.type_bit::<W>(shape.kind);
            for (bit, &(_, cell)) in self.order.iter().enumerate() {
                let cell = cells[cell];
                let item = |step: &usize| items.get(&(cell + sweep.steps[*step])).copied();
                let mut steps = triples.iter().flatten();
                let mask = steps.try_fold(kind | W::bit(bit), |mask, step| Some(mask | item(step)?));
                if let Some(mask) = mask.filter(|_| allowed[usize::from(!cell.is_black())]) {
                    self.buffer[self.len] = mask;
                    self.len += 1;
                }
            }
        }
    }
}

impl Boards {
    fn set(&mut self, order: &[(i128, usize)], cells: &[Cell], sweep: &Sweep, frame: &Frame, span: usize) {
        self.words = span.div_ceil(64);
        self.distances.clear();
        // A step beyond the last place leads to none.
        let distance = |&step: &Cell| frame.distance(step).min(span as i128) as usize;
        self.distances.extend(sweep.steps.iter().map(distance));
        let furthest = self.distances.iter().copied().fold(0, usize::max);
        for board in &mut self.cells {
            board.clear();
            board.resize(self.words, 0);
        }
        let [black, white, all] = &mut self.cells;
        all.resize(self.words + furthest / 64 + 2, 0);
        for &(rank, cell) in order {
            let (word, bit) = (rank as usize / 64, 1 << (rank % 64));
            all[word] |= bit;
            if cells[cell].is_black() { black[word] |= bit } else { white[word] |= bit }
        }
        self.lead.clear();
        for &distance in &self.distances {
            let (words, bits) = (distance / 64, distance % 64);
            let pairs = all[words..].windows(2).take(self.words);
            // Two shifts to the left, as one by 64 is no shift.
            self.lead.extend(pairs.map(|pair| pair[0] >> bits | (pair[1] << 1) << (63 - bits)));
        }
    }
}

impl Layout {
    /// The placement that a mask stands for; `cells` are those that the layout was made for.
    pub(super) fn placement<W: Word>(&self, mask: W, cells: &[Cell]) -> Placement {
        let mut placed = Placement { piece: 0, cells: Vec::new() };
        for bit in mask.ones() {
            match self.cell_of_bit.get(bit) {
                Some(&cell) => placed.cells.push(cells[cell]),
                None => placed.piece = bit - self.first_type,
            }
        }
        placed.cells.sort_unstable();
        placed
    }
}
