//! Subsets of a box that a group leaves as they are: in closed form, or each looked at.

use super::grown::hangs_together;
use super::recount::RecountError;
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of sets of so many cells, up to translation, that fit in a box, however it is turned, and that a group
/// leaves as they are. They need not hang together.
///
/// Sets that reach all six faces of a box of their own are counted by leaving out faces: all sets, minus those that miss
/// a face, and so on. A set that the group leaves as it is consists of orbits, so the sets of n cells are counted by the
/// coefficient of xⁿ in the product of 1 + xˢ over the orbits, s being the cells of each.
///
/// # Errors
/// If the numbers are beyond 2¹²⁷.
pub(super) fn subsets(sides: [u32; 3], cells: usize, group: Group) -> Result<u128, RecountError> {
    let mut sum = 0_i128;
    for own in boxes(sides, cells, group) {
        sum = sum.checked_add(reaching(own, cells, group)?).ok_or(RecountError::Large)?;
    }
    Ok(sum.cast_unsigned())
}

/// The same for sets that hang together: all sets are looked at.
///
/// # Errors
/// If there are more than `steps`, or `stop` becomes true.
pub(super) fn connected_subsets(
    sides: [u32; 3],
    cells: usize,
    group: Group,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<u128, RecountError> {
    if subsets(sides, cells, group)? > u128::from(steps) {
        return Err(RecountError::Steps);
    }
    let mut number = 0;
    for own in boxes(sides, cells, group) {
        let orbits: Vec<Vec<Cell>> =
            orbits(points(own).into_iter(), group).into_iter().map(Vec::from_iter).collect();
        let mut possible = vec![vec![false; cells + 1]; orbits.len() + 1];
        possible[orbits.len()][0] = true;
        for at in (0..orbits.len()).rev() {
            for left in 0..=cells {
                let with = left.checked_sub(orbits[at].len());
                possible[at][left] =
                    possible[at + 1][left] || with.is_some_and(|left| possible[at + 1][left]);
            }
        }
        let choice = Choice { sides: own, orbits, possible, stop };
        number += choice.from(0, cells, &mut Vec::new())?;
    }
    Ok(number)
}

/// Orbits of the cells of a box, of which some are chosen.
struct Choice<'a> {
    sides: [u32; 3],
    orbits: Vec<Vec<Cell>>,
    /// Whether some of the orbits from one on have so many cells together.
    possible: Vec<Vec<bool>>,
    stop: Option<&'a AtomicBool>,
}

impl Choice<'_> {
    /// Chooses so many cells from the orbits from `at` on, in every way, and counts what hangs together and reaches all
    /// faces.
    fn from(&self, at: usize, left: usize, chosen: &mut Vec<Cell>) -> Result<u128, RecountError> {
        if !self.possible[at][left] {
            return Ok(0);
        }
        let Some(orbit) = self.orbits.get(at) else {
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(RecountError::Stopped);
            }
            return Ok(u128::from(self.reaches(chosen) && self.hangs_together(chosen)));
        };
        let mut number = self.from(at + 1, left, chosen)?;
        if orbit.len() <= left {
            let before = chosen.len();
            chosen.extend(orbit);
            number += self.from(at + 1, left - orbit.len(), chosen)?;
            chosen.truncate(before);
        }
        Ok(number)
    }

    fn reaches(&self, cells: &[Cell]) -> bool {
        (0..3).all(|axis| {
            let end = self.sides[axis] as i32 - 1;
            let at = |end: i32| cells.iter().any(|cell| cell.to_array()[axis] == end);
            at(end) && at(-end)
        })
    }

    fn hangs_together(&self, cells: &[Cell]) -> bool {
        // From coordinates that are twice as large back to those of cells.
        let back = |cell: &Cell| {
            let mut at = cell.to_array();
            for (value, side) in at.iter_mut().zip(self.sides) {
                *value = (*value + side as i32 - 1) / 2;
            }
            Cell::from(at)
        };
        hangs_together(cells.iter().map(back).collect())
    }
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
        fits && volume >= cells as u128 && group.iter().all(|t| keeps(t, *own))
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
    let cell_orbits: Vec<BTreeSet<Cell>> =
        orbits(points(sides).into_iter(), group).into_iter().collect();
    let faces = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Cell::from);
    let faces = faces.into_iter().flat_map(|face| [face, Cell::new(0, 0, 0) - face]);
    let face_orbits: Vec<BTreeSet<Cell>> = orbits(faces, group).into_iter().collect();
    let on = |cell: &Cell, face: &Cell| {
        let mut pairs = cell.to_array().into_iter().zip(face.to_array()).zip(sides);
        pairs.any(|((at, face), side)| face != 0 && at == face * (side as i32 - 1))
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
