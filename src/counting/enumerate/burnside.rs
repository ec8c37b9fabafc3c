//! The number of figures that fit in a box, without listing them.
//!
//! Burnside's lemma (W. Burnside, "Theory of Groups of Finite Order", 1897, after Frobenius) counts the figures
//! whose box is exactly a × b × c. Up to the symmetries of the box, their number is the mean over the symmetries g
//! of the number of sets invariant under g. Up to rotations, it is the mean over the rotations. An invariant set is
//! a union of cycles of g. Inclusion and exclusion over the orbits of faces removes sets that do not touch all
//! faces: those that avoid the faces of some orbits are counted with alternating signs.
//!
//! For example, of the 6 sets of two cells in 1×2×2 only the two diagonals touch all faces. Each symmetry of the box
//! keeps both or exchanges them, half of the symmetries each. So the mean is 1.

use somacat_geometry::boxes::{box_cells, box_symmetries, cell_image, cell_number};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::lattice::{Cell, Transform};

/// Counts the sets of cells that touch all faces of a box. Sets that are equal up to the box's symmetries count
/// once. The symmetries are those of the kind that `equivalence` names. Intermediate sums wrap around 2^128. The
/// result does not, for boxes of up to 128 cells.
pub(super) fn touching_sets(sides: [i32; 3], cells: usize, equivalence: Equivalence) -> u128 {
    let mut group = box_symmetries(sides);
    group.retain(|&t| equivalence.equates(t));
    let sum = group.iter().fold(0_u128, |sum, &t| sum.wrapping_add(kept_sets(t, sides, cells)));
    sum / group.len() as u128
}

/// Returns the image of a face. A face is an axis and `true` for the far side.
fn face_image(t: Transform, (axis, far): (usize, bool)) -> (usize, bool) {
    let sources = t.sources();
    let to = sources.iter().position(|&(from, _)| from == axis);
    let to = to.expect("each axis of the original is the source of one of the image");
    (to, far != sources[to].1)
}

/// Counts the sets that are invariant under `t` and touch all faces.
fn kept_sets(t: Transform, sides: [i32; 3], cells: usize) -> u128 {
    let faces: Vec<(usize, bool)> = (0..6).map(|i| (i / 2, i % 2 == 1)).collect();
    let mut orbits: Vec<Vec<(usize, bool)>> = Vec::new();
    for &face in &faces {
        if !orbits.iter().any(|o| o.contains(&face)) {
            let mut orbit = vec![face];
            let mut next = face_image(t, face);
            while next != face {
                orbit.push(next);
                next = face_image(t, next);
            }
            orbits.push(orbit);
        }
    }
    (0_u32..1 << orbits.len()).fold(0, |sum, free| {
        let bare = |axis: usize, far: bool| {
            orbits.iter().enumerate().any(|(i, o)| free >> i & 1 == 1 && o.contains(&(axis, far)))
        };
        let inside = |c: &Cell| {
            (0..3).all(|axis| {
                let at = c.to_array()[axis];
                !(at == 0 && bare(axis, false) || at == sides[axis] - 1 && bare(axis, true))
            })
        };
        let sets = unions_of_cycles(t, sides, cells, inside);
        if free.count_ones() % 2 == 0 { sum.wrapping_add(sets) } else { sum.wrapping_sub(sets) }
    })
}

/// Counts the unions of cycles of `t` with this many cells, of the cycles inside a part of the box that `t` keeps. This
/// is the number of ways to write `cells` as a sum of lengths of cycles.
fn unions_of_cycles(
    t: Transform,
    sides: [i32; 3],
    cells: usize,
    inside: impl Fn(&Cell) -> bool,
) -> u128 {
    let list = box_cells(sides);
    let mut done = vec![false; list.len()];
    let mut ways = vec![0_u128; cells + 1];
    ways[0] = 1;
    for &start in list.iter().filter(|c| inside(c)) {
        let (mut length, mut at) = (0, start);
        while !done[cell_number(at, sides)] {
            done[cell_number(at, sides)] = true;
            length += 1;
            at = cell_image(t, at, sides);
        }
        if length > 0 {
            for n in (length..=cells).rev() {
                ways[n] = ways[n].wrapping_add(ways[n - length]);
            }
        }
    }
    ways[cells]
}
