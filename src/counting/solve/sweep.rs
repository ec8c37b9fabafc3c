//! The shapes of a set, arranged for a sweep axis by axis.

use somacat_geometry::lattice::Cell;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub(super) struct OrientedShape {
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
    /// [`Self::stride`] triples of step numbers for each shape. They leave out the first step, which fills up the
    /// triples of small shapes.
    triples: Vec<[usize; 3]>,
    stride: usize,
}

impl AxisSweep {
    pub(super) const ORDERS: usize = 6;

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

    /// Returns the shapes with the numbers of their further steps, in triples. Large pieces have more than one
    /// triple.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&SweptShape, [usize; 3], &[[usize; 3]])> {
        let triples = self.triples.chunks_exact(self.stride);
        self.shapes.iter().zip(triples).map(|(shape, of)| (shape, of[0], &of[1..]))
    }
}
