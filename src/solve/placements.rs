//! From a figure and a kit to the items and placements of the exact-cover problem.
//!
//! An item is a bit: first the cells in the order of the sweep, then one bit for each type of piece.
use super::Placement;
use super::color::Forcing;
use super::kit::Kit;
use super::word::Word;
use crate::lattice::Cell;
use std::collections::HashMap;

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

/// Orientations, as grid offsets from their lowest cells.
#[derive(Debug, Default)]
struct Offsets<W> {
    /// The number of offsets of each orientation; small pieces repeat their lowest cell.
    stride: usize,
    offsets: Vec<usize>,
    kinds: Vec<W>,
}

impl<W: Word> Offsets<W> {
    /// Writes to `out` the placements whose lowest cell is the first of `grid`, without a branch for each
    /// orientation.
    #[inline(always)]
    fn place(&self, grid: &[W], nowhere: W, out: &mut [W]) -> usize {
        let mut len = 0;
        let out = &mut out[..self.kinds.len()];
        let mut push = |cells: W, kind: W| {
            out[len] = cells | kind;
            len += usize::from(!cells.has(nowhere));
        };
        if self.stride == 4 {
            for (&[o, p, q, r], &kind) in self.offsets.as_chunks::<4>().0.iter().zip(&self.kinds) {
                push(grid[o] | grid[p] | grid[q] | grid[r], kind);
            }
        } else {
            for (from, &kind) in self.offsets.chunks_exact(self.stride).zip(&self.kinds) {
                push(from.iter().fold(W::ZERO, |m, &o| m | grid[o]), kind);
            }
        }
        len
    }
}

/// Reusable tables for placement generation.
#[derive(Debug, Default)]
pub(super) struct Builder<W> {
    grid: Vec<W>,
    order: Vec<(usize, usize)>,
    /// By the color of the lowest cell, then by the guard: the first of `guards` that is an offset of the
    /// orientation.
    shapes: [[Offsets<W>; 4]; 2],
    /// The offsets of the next cell along each axis, and 0 for none.
    guards: [usize; 4],
    pub(super) layout: Layout,
    buffer: Vec<W>,
    len: usize,
}

/// The largest grid; beyond, placements are looked up in a hash table.
const MAX_GRID: usize = 1 << 20;

struct Frame {
    low: Cell,
    stride: [usize; 3],
    margin: usize,
    size: usize,
}

impl Frame {
    /// The longest axis gets the largest stride. `None` if the box is too large.
    fn around(cells: &[Cell], reach: i32) -> Option<Self> {
        let low = Cell::min_corner(cells);
        let mut extent = [0_i64; 3];
        for &cell in cells {
            for (extent, value) in extent.iter_mut().zip((cell - low).to_array()) {
                *extent = i64::from(value).max(*extent);
            }
        }
        let mut stride = [0; 3];
        let mut step = 1_usize;
        let mut axes = [0, 1, 2];
        axes.sort_by_key(|&axis| extent[axis]);
        let mut margin = 0;
        for axis in axes {
            stride[axis] = step;
            margin += step * reach as usize;
            let width = extent[axis] + 1 + i64::from(reach);
            step = step.checked_mul(usize::try_from(width).ok()?).filter(|&s| s <= MAX_GRID)?;
        }
        Some(Self { low, stride, margin, size: step + 2 * margin })
    }

    fn place(&self, cell: Cell) -> usize {
        self.margin + self.offset(cell - self.low)
    }

    /// The offset of a cell of a piece; negative ones wrap around.
    fn offset(&self, cell: Cell) -> usize {
        let steps = cell.to_array().into_iter().zip(self.stride);
        steps.fold(0, |sum, (at, step)| sum.wrapping_add((at as isize as usize).wrapping_mul(step)))
    }
}

/// 0 for black, 1 for white.
fn color(cell: Cell) -> usize {
    usize::from(!cell.is_black())
}

impl<W: Word> Builder<W> {
    /// Numbers the items and lists the placements. The cells must be distinct and as many as the kit fills,
    /// and there must be fewer than `W::BITS` items.
    pub(super) fn build(&mut self, kit: &Kit, cells: &[Cell], forcing: &Forcing) {
        match Frame::around(cells, kit.reach) {
            Some(frame) => self.build_on_grid(kit, cells, forcing, &frame),
            None => self.build_by_hash(kit, cells, forcing),
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

    fn build_on_grid(&mut self, kit: &Kit, cells: &[Cell], forcing: &Forcing, frame: &Frame) {
        self.order.clear();
        self.order.extend(cells.iter().enumerate().map(|(i, &c)| (frame.place(c), i)));
        self.order.sort_unstable();
        let nowhere = W::bit(W::BITS - 1);
        self.grid.clear();
        self.grid.resize(frame.size, nowhere);
        self.number(kit, cells);
        for &(at, i) in &self.order {
            self.grid[at] = W::bit(self.layout.bit_of_cell[i]);
        }
        self.list_shapes(kit, forcing, frame);
        let most = cells.len() * kit.shapes.len();
        if self.buffer.len() < most {
            self.buffer.resize(most, W::ZERO);
        }
        self.len = 0;
        for &(at, i) in &self.order {
            for (shapes, guard) in self.shapes[color(cells[i])].iter().zip(self.guards) {
                if self.grid[at + guard] != nowhere {
                    self.len +=
                        shapes.place(&self.grid[at..], nowhere, &mut self.buffer[self.len..]);
                }
            }
        }
    }

    /// The orientations allowed for either color of their lowest cell.
    fn list_shapes(&mut self, kit: &Kit, forcing: &Forcing, frame: &Frame) {
        let stride = kit.kinds.iter().map(|k| k.size).fold(4, usize::max);
        for shapes in self.shapes.iter_mut().flatten() {
            shapes.stride = stride;
            shapes.offsets.clear();
            shapes.kinds.clear();
        }
        // A kit of single cubes has no margin, and no guard.
        let [x, y, z] = frame.stride.map(|step| if kit.reach > 0 { step } else { 0 });
        self.guards = [x, y, z, 0];
        for shape in &kit.shapes {
            let place = |&c: &Cell| (frame.offset(c), c);
            let lowest = shape.cells.iter().map(place).min_by_key(|p| p.0 as isize);
            let (start, first) = lowest.expect("a shape has cells");
            let offsets = || shape.cells.iter().map(|c| frame.offset(*c).wrapping_sub(start));
            let guard = self.guards[..3]
                .iter()
                .position(|&g| g > 0 && offsets().any(|o| o == g))
                .unwrap_or(3);
            for color in 0..2 {
                let odd = usize::from((shape.surplus < 0) != (color != self::color(first)));
                if !forcing.signs[shape.kind][odd] {
                    continue;
                }
                let shapes = &mut self.shapes[color][guard];
                let filled = shapes.offsets.len() + stride;
                shapes.offsets.extend(offsets());
                shapes.offsets.resize(filled, 0);
                shapes.kinds.push(self.layout.type_bit(shape.kind));
            }
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

    /// The same for figures in a huge bounding box.
    fn build_by_hash(&mut self, kit: &Kit, cells: &[Cell], forcing: &Forcing) {
        let mut sorted: Vec<usize> = (0..cells.len()).collect();
        sorted.sort_unstable_by_key(|&i| cells[i]);
        self.order = sorted.into_iter().enumerate().collect();
        self.number(kit, cells);
        let bits: HashMap<Cell, W> = cells
            .iter()
            .enumerate()
            .map(|(i, &c)| (c, W::bit(self.layout.bit_of_cell[i])))
            .collect();
        self.buffer.clear();
        for shape in &kit.shapes {
            for &anchor in cells {
                let odd = usize::from((shape.surplus < 0) != (color(anchor) == 1));
                let cell = |c: &Cell| bits.get(&(anchor + *c)).copied();
                let mask = shape.cells.iter().map(cell).try_fold(W::ZERO, |m, bit| Some(m | bit?));
                if let Some(mask) = mask.filter(|_| forcing.signs[shape.kind][odd]) {
                    self.buffer.push(mask | self.layout.type_bit(shape.kind));
                }
            }
        }
        self.len = self.buffer.len();
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
