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

/// Returns true if a figure can be laid as a tower in a box.
///
/// The ground must fit in the rectangle of the first two sides, and the height in the third.
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

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::lattice::Transform;

    /// Compares all subsets of a box: a figure is a tower if one of its 48 images is a map of heights.
    #[test]
    fn towers_are_the_figures_of_maps_of_heights() {
        let cell = |n: i32| Cell::new(n % 2, n / 2 % 2, n / 4);
        for sides in [[2, 2, 3], [3, 2, 2], [2, 1, 3], [1, 3, 2], [2, 2, 1]] {
            let [a, b, height] = sides;
            let is_map = |figure: &Figure| {
                let extents = figure.extents();
                let [x, y, z] = extents.map(|extent| 0..extent as i32);
                let has = |cell: Cell| figure.cells().contains(&cell);
                let solid = |x: i32, y: i32| {
                    let column: Vec<bool> = z.clone().map(|z| has(Cell::new(x, y, z))).collect();
                    column.is_sorted_by(|low, high| low >= high)
                };
                extents[0] <= a
                    && extents[1] <= b
                    && extents[2] <= height
                    && x.into_iter().all(|x| y.clone().all(|y| solid(x, y)))
            };
            for subset in 1_u32..1 << 12 {
                let cells = (0..12).filter(|n| subset >> n & 1 == 1).map(cell);
                let figure = Figure::new(cells).unwrap();
                let known = Transform::all().any(|t| is_map(&figure.transformed(t)));
                assert_eq!(is_tower(&figure, sides), known, "{:?} in {sides:?}", figure.cells());
            }
        }
    }
}
