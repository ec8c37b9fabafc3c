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
///
/// ```
/// use somacat_checking::positions;
/// use somacat_geometry::symmetry::Class;
///
/// // A domino, of the class D4h, lies in a cube of side 2 in twelve positions: its edges.
/// let domino = Class::matching("D4h").unwrap()[0];
/// assert_eq!(positions([1, 1, 2], [2, 2, 2], domino, true), 12);
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::figure::Figure;
    use std::collections::BTreeMap;

    /// Compares with all subsets of a box: the positions of a figure are the subsets with its signature.
    #[test]
    fn a_figure_has_as_many_positions_as_subsets_of_the_box_equal_it() {
        let sides = [2, 2, 3];
        let cells = points(sides);
        let chosen = |mask: u32| {
            let own = (0..12).filter(|n| mask >> n & 1 == 1).map(|n| cells[n]);
            Figure::new(own.map(|c| Cell::new((c.x + 1) / 2, (c.y + 1) / 2, (c.z + 2) / 2)))
                .unwrap()
        };
        let mut of_signature: BTreeMap<(bool, String), (u128, Figure)> = BTreeMap::new();
        for figure in (1..1 << 12).map(chosen) {
            for mirrored in [true, false] {
                let key = (mirrored, crate::plain_signature(&figure, mirrored));
                of_signature.entry(key).or_insert_with(|| (0, figure.clone())).0 += 1;
            }
        }
        for ((mirrored, signature), (number, figure)) in of_signature {
            let name = crate::plain_class(&figure);
            let class = Class::iter().find(|class| class.name() == name).unwrap();
            let found = positions(figure.extents(), sides, class, mirrored);
            assert_eq!(found, number, "{signature}");
        }
    }

    #[test]
    fn orbits_partition_the_cells_of_an_invariant_box() {
        for group in Class::iter().map(|class| class.groups()[0]) {
            for own in boxes([3, 3, 4], 5, group) {
                let cells = points(own);
                let orbits = orbits(cells.iter().copied(), group);
                assert_eq!(orbits.iter().map(BTreeSet::len).sum::<usize>(), cells.len());
                assert!(orbits.iter().all(|orbit| group.order().is_multiple_of(orbit.len())));
                let all: BTreeSet<Cell> = cells.into_iter().collect();
                assert!(
                    orbits.iter().flatten().all(|cell| all.contains(cell)),
                    "{group:?} {own:?}"
                );
            }
        }
    }
}
