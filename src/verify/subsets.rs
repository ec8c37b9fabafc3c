//! Subsets of a box that a group leaves as they are, in closed form.

use super::recount::RecountError;
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::collections::BTreeSet;

/// The number of sets of so many cells, up to translation, that fit in a box, however it is turned, and that a group
/// leaves as they are. They need not hang together.
///
/// Sets that reach all six faces of a box of their own are counted by leaving out faces: all sets, minus those that miss
/// a face, and so on. A set that the group leaves as it is consists of orbits, so the sets of n cells are counted by the
/// coefficient of xⁿ in the product of 1 + xˢ over the orbits, s being the cells of each.
///
/// # Errors
/// If the numbers are beyond 2¹²⁷.
pub(super) fn subsets(
    sides: [u32; 3],
    cells: usize,
    group: Group,
) -> Result<u128, RecountError> {
    let mut largest = sides;
    largest.sort_unstable();
    let longest = largest[2];
    let mut sum = 0_i128;
    for x in 1..=longest {
        for y in 1..=longest {
            for z in 1..=longest {
                let own = [x, y, z];
                let mut sorted = own;
                sorted.sort_unstable();
                let fits = sorted.iter().zip(&largest).all(|(own, side)| own <= side);
                let volume = u64::from(x) * u64::from(y) * u64::from(z);
                if !fits || volume < cells as u64 || !group.iter().all(|t| keeps(t, own)) {
                    continue;
                }
                sum = sum.checked_add(reaching(own, cells, group)?).ok_or(RecountError::Large)?;
            }
        }
    }
    Ok(sum.cast_unsigned())
}

/// Whether a transform takes a box to itself.
fn keeps(t: Transform, sides: [u32; 3]) -> bool {
    let image = t.apply(Cell::from(sides.map(|side| side as i32)));
    image.to_array().map(i32::unsigned_abs) == sides
}

/// The orbits of points about the center, each once.
fn orbits(points: impl Iterator<Item = Cell>, group: Group) -> BTreeSet<BTreeSet<Cell>> {
    points.map(|point| group.iter().map(|t| t.apply(point)).collect()).collect()
}

/// The sets of a box that reach all its faces.
fn reaching(sides: [u32; 3], cells: usize, group: Group) -> Result<i128, RecountError> {
    // Twice as far from the center, so that all coordinates are whole.
    let [x, y, z] = sides.map(|side| side as i32);
    let of_axis = |side: i32| (1 - side..side).step_by(2);
    let points: Vec<Cell> = of_axis(x)
        .flat_map(|a| of_axis(y).flat_map(move |b| of_axis(z).map(move |c| Cell::new(a, b, c))))
        .collect();
    let cell_orbits: Vec<BTreeSet<Cell>> = orbits(points.into_iter(), group).into_iter().collect();
    let faces = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Cell::from);
    let faces = faces.into_iter().flat_map(|face| [face, Cell::new(0, 0, 0) - face]);
    let face_orbits: Vec<BTreeSet<Cell>> = orbits(faces, group).into_iter().collect();
    let on = |cell: &Cell, face: &Cell| {
        let pairs = cell.to_array().into_iter().zip(face.to_array()).zip([x, y, z]);
        pairs.into_iter().any(|((at, face), side)| face != 0 && at == face * (side - 1))
    };
    let mut sum = 0_i128;
    for missed in 0..1_u32 << face_orbits.len() {
        let missed_face = |at: usize| missed >> at & 1 == 1;
        let misses = |orbit: &&BTreeSet<Cell>| {
            // One cell of the orbit is on a face of an orbit of faces if and only if they all are on some.
            let cell = orbit.first().expect("an orbit has a cell");
            let mut faces = (0..face_orbits.len()).filter(|at| missed_face(*at));
            !faces.any(|at| face_orbits[at].iter().any(|face| on(cell, face)))
        };
        // The coefficients of x⁰, x¹, …, xⁿ.
        let mut ways = vec![0_i128; cells + 1];
        ways[0] = 1;
        for orbit in cell_orbits.iter().filter(misses) {
            for number in (orbit.len()..=cells).rev() {
                let more = ways[number - orbit.len()];
                ways[number] = ways[number].checked_add(more).ok_or(RecountError::Large)?;
            }
        }
        let sign = if missed.count_ones() % 2 == 0 { 1 } else { -1 };
        sum = sum.checked_add(sign * ways[cells]).ok_or(RecountError::Large)?;
    }
    Ok(sum)
}
