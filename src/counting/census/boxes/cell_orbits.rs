//! Orbits of a box's cells under its symmetries.

use somacat_geometry::boxes::{box_cells, box_symmetries, cell_image, cell_number};
use somacat_geometry::lattice::Cell;

/// Returns the orbits of a box's cells, each as ascending cell numbers, in the order in which they become pattern
/// cells. Orbits whose cells have the fewest neighbors in the box come first, and among them the farthest from the
/// center. Fewest placements cover such cells, so a pattern on them excludes most.
pub(in crate::census) fn cell_orbits(sides: [i32; 3]) -> Vec<Vec<usize>> {
    let group = box_symmetries(sides);
    let list = box_cells(sides);
    let mut seen = vec![false; list.len()];
    let mut orbits: Vec<Vec<usize>> = Vec::new();
    for &cell in &list {
        if seen[cell_number(cell, sides)] {
            continue;
        }
        let mut orbit: Vec<usize> =
            group.iter().map(|&t| cell_number(cell_image(t, cell, sides), sides)).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit.iter().for_each(|&n| seen[n] = true);
        orbits.push(orbit);
    }
    let inside = |c: &Cell| c.to_array().iter().zip(sides).all(|(&v, s)| (0..s).contains(&v));
    let neighbors = |c: Cell| c.neighbors().iter().filter(|n| inside(n)).count();
    let distance =
        |c: Cell| (0..3).map(|axis| (2 * c.to_array()[axis] - sides[axis] + 1).pow(2)).sum::<i32>();
    orbits.sort_by_key(|orbit| (neighbors(list[orbit[0]]), -distance(list[orbit[0]])));
    orbits
}
