//! The required size of a figure, and checks against it.

use somacat_geometry::lattice::Cell;

/// A bounding box of cells: the least coordinate on each axis, and then the greatest, negated. So the box of two sets
/// together has the minimum in every entry, which vector instructions compute at once.
pub(super) type Span = [i16; 6];

/// The span of the empty set.
pub(super) const NO_SPAN: Span = [i16::MAX; 6];

/// Returns the smallest span that contains both.
pub(super) fn join_spans(a: &Span, b: &Span) -> Span {
    std::array::from_fn(|i| a[i].min(b[i]))
}

/// Returns the bounding box of some cells.
pub(super) fn span_of(cells: &[Cell]) -> Span {
    cells.iter().fold(NO_SPAN, |span, c| {
        let [x, y, z] = c.to_array().map(|v| v as i16);
        join_spans(&span, &[x, y, z, -x, -y, -z])
    })
}

/// Returns the extents of a span along x, y and z.
pub(super) fn extents(span: &Span) -> [i16; 3] {
    std::array::from_fn(|axis| 1 - span[axis + 3] - span[axis])
}

/// The size that figures must have.
#[derive(Clone, Debug)]
pub(super) struct FigureSize {
    /// The number of cells.
    pub(super) cells: usize,
    /// The number of parts. Several parts require bounds.
    pub(super) parts: usize,
    /// The sides of the box that a figure must fit in, ascending.
    pub(super) bounds: Option<[i16; 3]>,
}

impl FigureSize {
    /// Returns `true` if a span fits in the box in some orientation.
    pub(super) fn admits(&self, span: &Span) -> bool {
        self.bounds.is_none_or(|b| {
            let mut sorted = extents(span);
            sorted.sort_unstable();
            sorted.iter().zip(&b).all(|(e, b)| e <= b)
        })
    }

    /// Returns the greatest difference of coordinates on an axis between two cells of a figure.
    pub(super) fn reach(&self) -> i32 {
        let free = if self.parts == 1 { self.cells as i32 - 1 } else { i32::MAX };
        self.bounds.map_or(free, |b| free.min(i32::from(b[2]) - 1))
    }

    /// Returns the greatest difference between two cells of a figure in their product with a vector, of which this
    /// number of coordinates are ±1 and the others 0.
    pub(super) fn spread(&self, coordinates: i32) -> i32 {
        let along = self.reach() * coordinates;
        // A step from cell to cell changes the product by at most one.
        if self.parts == 1 { along.min(self.cells as i32 - 1) } else { along }
    }

    /// Returns `true` if a figure can contain both cells.
    pub(super) fn holds_both(&self, a: Cell, b: Cell) -> bool {
        self.parts > 1 || a.distance(b) < self.cells as i32
    }

    /// Returns `true` if a figure can contain an orbit of these cells. Each cell is given once.
    pub(super) fn admits_orbit(&self, cells: &[Cell]) -> bool {
        let Some((first, others)) = cells.split_first() else { return false };
        if cells.len() > self.cells || !self.admits(&span_of(cells)) {
            return false;
        }
        let steps = || others.iter().map(|&c| c.distance(*first) as usize);
        let (Some(nearest), Some(farthest)) = (steps().min(), steps().max()) else {
            return true;
        };
        // In a connected figure, balls of this radius about the cells are disjoint, and a path leads out of each.
        self.parts > 1
            || (farthest < self.cells && cells.len() * (1 + (nearest - 1) / 2) <= self.cells)
    }
}
