//! Boxes at the origin of the lattice: their cells by number, and their symmetries.

use somacat_geometry::figure::Identity;
use somacat_geometry::lattice::{Cell, Transform};

/// Iterates over the boxes within a box, by sides a ≤ b ≤ c.
pub(crate) fn boxes_within(sides: [u32; 3]) -> impl Iterator<Item = [i32; 3]> {
    let mut most = sides.map(|s| s as i32);
    most.sort_unstable();
    let [x, y, z] = most;
    (1..=x).flat_map(move |a| (a..=y).flat_map(move |b| (b..=z).map(move |c| [a, b, c])))
}

/// Returns the number of cells.
pub(super) fn volume(sides: [i32; 3]) -> usize {
    sides.iter().map(|&s| s as usize).product()
}

/// Returns the cells of a box, in the order of their numbers.
pub(crate) fn cells_of([a, b, c]: [i32; 3]) -> Vec<Cell> {
    (0..c).flat_map(|z| (0..b).flat_map(move |y| (0..a).map(move |x| Cell::new(x, y, z)))).collect()
}

/// Returns the number of a cell: x + a·(y + b·z).
pub(crate) fn number(cell: Cell, [a, b, _]: [i32; 3]) -> usize {
    (cell.x + a * (cell.y + b * cell.z)) as usize
}

/// Returns the transforms that keep the sides of a box, T1 first.
pub(crate) fn symmetries(sides: [i32; 3]) -> Vec<Transform> {
    let keeps =
        |t: &Transform| t.sources().iter().zip(sides).all(|((axis, _), s)| sides[*axis] == s);
    Transform::all().filter(keeps).collect()
}

/// Returns `true` if figures are identified with their images under a transform.
pub(super) fn equates(identity: Identity, t: Transform) -> bool {
    identity == Identity::Reflections || t.is_rotation()
}

/// Returns the image of a cell under a symmetry of the box.
pub(crate) fn image(t: Transform, cell: Cell, sides: [i32; 3]) -> Cell {
    let p = cell.to_array();
    let turned = t
        .sources()
        .map(|(axis, negated)| if negated { sides[axis] - 1 - p[axis] } else { p[axis] });
    Cell::from(turned)
}
