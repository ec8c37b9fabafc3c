//! The shapes of a set, arranged for a sweep axis by axis.
//!
//! A sweep goes through cells along one axis, then the next, then the third. A shape is described from its lowest cell,
//! the first that the sweep meets, by the steps that lead to its other cells. Shapes have many steps in common, so
//! steps are numbered, and a shape is a list of numbers, in triples: three for a tetracube, which has three further
//! cells.

use somacat_geometry::lattice::Cell;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub(super) struct OrientedShape {
    /// The type of the piece.
    pub(super) kind: usize,
    /// Ascending, the first at the origin.
    pub(super) cells: Vec<Cell>,
    /// Black minus white cells when the first cell is black.
    pub(super) surplus: i32,
}

/// A shape relative to its lowest cell, the first in the sweep.
#[derive(Clone, Debug)]
pub(super) struct SweptShape {
    pub(super) kind: usize,
    /// True if a surplus of black cells requires a white lowest cell.
    pub(super) odd: bool,
}

/// The shapes of a set for one order of the axes.
#[derive(Clone, Debug)]
pub(super) struct AxisSweep {
    /// The differences between cells and the lowest cell of their shape. Each occurs once; the first is zero.
    pub(super) steps: Vec<Cell>,
    /// The shapes, in the order of the search. Of placements with the same lowest cell, it tries those along x from
    /// there first. Those along y follow, then those along z, then the others.
    pub(super) shapes: Vec<SweptShape>,
    /// For each shape, [`Self::stride`] triples with the numbers of its steps. Step 0, which leads to the lowest cell
    /// itself, is left out, and fills up the triples of small shapes.
    triples: Vec<[usize; 3]>,
    /// The number of triples that the largest shape needs, at least one.
    stride: usize,
}

impl AxisSweep {
    /// The number of orders of the axes.
    pub(super) const ORDERS: usize = 6;

    /// Returns the number of an order of the axes, below [`Self::ORDERS`].
    pub(super) fn number([fast, middle, slow]: [usize; 3]) -> usize {
        2 * fast + usize::from(middle > slow)
    }

    /// Builds the sweep along these axes, the fastest first.
    pub(super) fn new(shapes: &[OrientedShape], [fast, middle, slow]: [usize; 3]) -> Self {
        let rank = |cell: &Cell| {
            let at = cell.to_array();
            (at[slow], at[middle], at[fast])
        };
        let along = [Cell::new(1, 0, 0), Cell::new(0, 1, 0), Cell::new(0, 0, 1)];
        let mut seen: Vec<(usize, &OrientedShape, Vec<Cell>)> = shapes
            .iter()
            .map(|shape| {
                let mut cells = shape.cells.clone();
                cells.sort_unstable_by_key(rank);
                let along = along.iter().position(|&step| cells.contains(&(cells[0] + step)));
                (along.unwrap_or(3), shape, cells)
            })
            .collect();
        seen.sort_by_key(|s| s.0);

        let stride = seen.iter().map(|s| (s.2.len() - 1).div_ceil(3)).fold(1, usize::max);
        let mut sweep = Self {
            steps: vec![Cell::default()],
            shapes: Vec::with_capacity(seen.len()),
            triples: Vec::with_capacity(stride * seen.len()),
            stride,
        };
        let mut number = HashMap::from([(Cell::default(), 0)]);
        for (_, shape, cells) in seen {
            let odd = (shape.surplus < 0) == cells[0].is_black();
            sweep.shapes.push(SweptShape { kind: shape.kind, odd });
            let mut numbers = vec![0; 3 * stride];
            for (to, &cell) in numbers.iter_mut().zip(&cells[1..]) {
                let step = cell - cells[0];
                *to = *number.entry(step).or_insert_with(|| {
                    sweep.steps.push(step);
                    sweep.steps.len() - 1
                });
            }
            sweep.triples.extend(numbers.as_chunks::<3>().0);
        }
        sweep
    }

    /// Iterates over the shapes, each with its first triple of step numbers and the others, which only large pieces
    /// have.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&SweptShape, [usize; 3], &[[usize; 3]])> {
        let triples = self.triples.chunks_exact(self.stride);
        self.shapes.iter().zip(triples).map(|(shape, of)| (shape, of[0], &of[1..]))
    }
}
