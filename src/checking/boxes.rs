//! Boxes, and the orbits of their cells about the center.

use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};
use std::collections::BTreeSet;

/// Lists the boxes within a box that are invariant under a group. They have any orientation, and room for `cells`
/// cells.
pub(super) fn boxes(sides: [u32; 3], cells: usize, group: Group) -> Vec<[u32; 3]> {
    let mut largest = sides;
    largest.sort_unstable();
    let longest = largest[2];
    let all = (1..=longest)
        .flat_map(|x| (1..=longest).flat_map(move |y| (1..=longest).map(move |z| [x, y, z])));
    all.filter(|own| {
        let mut sorted = *own;
        sorted.sort_unstable();
        let fits = sorted.iter().zip(&largest).all(|(own, side)| own <= side);
        let volume: u128 = own.iter().map(|side| u128::from(*side)).product();
        fits && volume >= cells as u128 && group.iter().all(|t| extents(t, *own) == *own)
    })
    .collect()
}

/// Returns a box's cells about its center, at twice the distance. All coordinates are then integers.
pub(super) fn points(sides: [u32; 3]) -> Vec<Cell> {
    let [x, y, z] = sides.map(|side| side as i32);
    let of_axis = |side: i32| (1 - side..side).step_by(2);
    of_axis(x)
        .flat_map(|a| of_axis(y).flat_map(move |b| of_axis(z).map(move |c| Cell::new(a, b, c))))
        .collect()
}

pub(super) fn extents(t: Transform, sides: [u32; 3]) -> [u32; 3] {
    let image = t.apply(Cell::from(sides.map(|side| side as i32)));
    image.to_array().map(i32::unsigned_abs)
}

/// Returns the orbits of points about the center, each once.
pub(super) fn orbits(
    points: impl IntoIterator<Item = Cell>,
    group: Group,
) -> BTreeSet<BTreeSet<Cell>> {
    let orbit = |point| group.iter().map(|t| t.apply(point)).collect();
    points.into_iter().map(orbit).collect()
}

/// Returns the number of positions in a box of a figure with these extents, whose group is of a class.
///
/// The figure may be turned, and with `mirrored` reflected. Each of the six orders of the extents belongs to 8 of the 48
/// transforms, 4 of them rotations, and the transforms of the group lead to the same position.
pub fn positions(extents: [u32; 3], sides: [u32; 3], class: Class, mirrored: bool) -> u128 {
    let [a, b, c] = extents;
    let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
    let shifts = |turned: [u32; 3]| {
        let along = |axis: usize| u128::from((sides[axis] + 1).saturating_sub(turned[axis]));
        along(0) * along(1) * along(2)
    };
    let all: u128 = orders.into_iter().map(shifts).sum();
    let (each, order) =
        if mirrored { (8, class.order()) } else { (4, class.groups()[0].rotation_order()) };
    all * each / order as u128
}
