//! Subsets of a box that a group leaves as they are: all in closed form, those of a number of parts cell by cell.

use super::recount::RecountError;
use super::seam::{Budget, sets_of_parts};
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::collections::{BTreeMap, BTreeSet};

/// The number of sets of so many cells, up to translation, that fit in a box, however it is turned, and that a group
/// leaves as they are. They need not hang together.
///
/// A set that the group leaves as it is consists of orbits, so the sets of n cells in a box are counted by the coefficient
/// of xⁿ in the product of 1 + xˢ over the orbits, s being the cells of each.
///
/// # Errors
/// If the numbers are beyond 2¹²⁷.
pub(super) fn subsets(sides: [u32; 3], cells: usize, group: Group) -> Result<u128, RecountError> {
    add_up(sides, cells, group, |own| {
        // The coefficients of x⁰, x¹, …, xⁿ.
        let mut ways = vec![0_u128; cells + 1];
        ways[0] = 1;
        for orbit in orbits(points(own).into_iter(), group) {
            for number in (orbit.len()..=cells).rev() {
                let more = ways[number - orbit.len()];
                ways[number] = ways[number].checked_add(more).ok_or(RecountError::Large)?;
            }
        }
        Ok(ways[cells])
    })
}

/// The same for sets that fall into so many parts, one or more.
///
/// # Errors
/// If `budget` does not allow it.
pub(super) fn subsets_of_parts(
    sides: [u32; 3],
    cells: usize,
    parts: usize,
    group: Group,
    budget: &mut Budget<'_>,
) -> Result<u128, RecountError> {
    add_up(sides, cells, group, |own| {
        let orbits = orbits(points(own).into_iter(), group);
        let orbits: Vec<Vec<Cell>> =
            orbits.into_iter().map(|orbit| orbit.into_iter().collect()).collect();
        sets_of_parts(&orbits, cells, parts, budget)
    })
}

/// The number of sets up to translation, from the number of those within a box that stands still.
///
/// Sets that reach all six faces of a box of their own are counted by leaving out faces: all sets, minus those that miss
/// a face, and so on. What is left of a box without some of its faces is a box again, and most of them cancel out.
fn add_up(
    sides: [u32; 3],
    cells: usize,
    group: Group,
    mut within: impl FnMut([u32; 3]) -> Result<u128, RecountError>,
) -> Result<u128, RecountError> {
    let mut times: BTreeMap<[u32; 3], i128> = BTreeMap::new();
    for own in boxes(sides, cells, group) {
        for (left, sign) in without_faces(own, group) {
            // A box that the transforms which keep the group in place take to another has as many sets as that one.
            let turned = group.normalizer().iter().map(|t| extents(t, left));
            *times.entry(turned.min().expect("a group has elements")).or_default() += sign;
        }
    }
    let room = |sides: &[u32; 3]| sides.iter().map(|side| u128::from(*side)).product::<u128>();
    let mut sum = 0_i128;
    for (left, times) in times.into_iter().filter(|(_, times)| *times != 0) {
        if room(&left) >= cells as u128 {
            let number = i128::try_from(within(left)?).map_err(|_| RecountError::Large)?;
            let product = number.checked_mul(times).ok_or(RecountError::Large)?;
            sum = sum.checked_add(product).ok_or(RecountError::Large)?;
        }
    }
    Ok(sum.cast_unsigned())
}

/// The boxes, standing in every way, that fit in a box and have room for so many cells, and that a group takes to
/// themselves.
fn boxes(sides: [u32; 3], cells: usize, group: Group) -> Vec<[u32; 3]> {
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

/// The cells of a box about its center, twice as far from it, so that all coordinates are whole.
fn points(sides: [u32; 3]) -> Vec<Cell> {
    let [x, y, z] = sides.map(|side| side as i32);
    let of_axis = |side: i32| (1 - side..side).step_by(2);
    of_axis(x)
        .flat_map(|a| of_axis(y).flat_map(move |b| of_axis(z).map(move |c| Cell::new(a, b, c))))
        .collect()
}

/// The sides of a box after a transform.
fn extents(t: Transform, sides: [u32; 3]) -> [u32; 3] {
    let image = t.apply(Cell::from(sides.map(|side| side as i32)));
    image.to_array().map(i32::unsigned_abs)
}

/// The orbits of points about the center, each once.
fn orbits(points: impl Iterator<Item = Cell>, group: Group) -> BTreeSet<BTreeSet<Cell>> {
    points.map(|point| group.iter().map(|t| t.apply(point)).collect()).collect()
}

/// What is left of a box without each set of orbits of its faces, and 1 or −1 as their number is even or odd.
fn without_faces(sides: [u32; 3], group: Group) -> Vec<([u32; 3], i128)> {
    let faces = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Cell::from);
    let faces = faces.into_iter().flat_map(|face| [face, Cell::new(0, 0, 0) - face]);
    let face_orbits: Vec<BTreeSet<Cell>> = orbits(faces, group).into_iter().collect();
    let left = |missed: u32| {
        let mut left = sides;
        for (at, orbit) in face_orbits.iter().enumerate() {
            for face in orbit.iter().filter(|_| missed >> at & 1 == 1) {
                let steps = face.to_array().map(i32::unsigned_abs);
                left = [0, 1, 2].map(|axis| left[axis].saturating_sub(steps[axis]));
            }
        }
        (left, if missed.count_ones().is_multiple_of(2) { 1 } else { -1 })
    };
    (0..1_u32 << face_orbits.len()).map(left).collect()
}
