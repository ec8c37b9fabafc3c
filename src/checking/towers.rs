//! Towers: figures that can be laid so that every column is solid from the ground up.
//!
//! The extents alone determine the sides on which a figure may be laid. It is a tower on one of them if with every
//! cell it has the next one towards that side, unless its box ends there.

use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

/// Returns the possible directions of the ground of a tower. The ground must fit in the rectangle of the first two
/// sides, in any orientation, and the height in the third.
pub(super) fn grounds(extents: [u32; 3], [a, b, height]: [u32; 3]) -> Vec<Cell> {
    let fits = |up: &usize| {
        let [p, q] = [1, 2].map(|on| extents[(up + on) % 3]);
        extents[*up] <= height && p.min(q) <= a.min(b) && p.max(q) <= a.max(b)
    };
    let both = |up: usize| {
        let of_axis = |sign: i32| Cell::from([0, 1, 2].map(|axis| sign * i32::from(axis == up)));
        [-1, 1].map(of_axis)
    };
    (0..3).filter(fits).flat_map(both).collect()
}

/// Returns true if a figure can be a tower in a box.
///
/// The ground must fit in the rectangle of the first two sides, and the height in the third.
///
/// ```
/// use somacat_checking::is_tower;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// // Columns of two and one cells. z points down.
/// let stairs = Figure::new([[0, 0, 0], [0, 0, 1], [1, 0, 1]].map(Cell::from))?;
/// assert!(is_tower(&stairs, [2, 1, 2]));
/// assert!(!is_tower(&stairs, [2, 1, 1]));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn is_tower(figure: &Figure, sides: [u32; 3]) -> bool {
    let (cells, extents) = (figure.cells(), figure.extents());
    let is_solid = |down: &Cell| {
        cells.iter().all(|cell| {
            let below = *cell + *down;
            let left = below
                .to_array()
                .iter()
                .zip(extents)
                .any(|(at, extent)| *at < 0 || at.unsigned_abs() >= extent);
            left || cells.binary_search(&below).is_ok()
        })
    };
    grounds(extents, sides).iter().any(is_solid)
}
