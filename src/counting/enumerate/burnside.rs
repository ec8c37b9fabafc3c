//! The number of figures that fit in a box, without listing any: Burnside's lemma (W. Burnside, "Theory of
//! Groups of Finite Order", 1897, who took it from Frobenius).
//!
//! The figures whose box is exactly a × b × c are counted up to its symmetries as the mean, over
//! the symmetries g, of the number of sets that g keeps; up to rotations, over the rotations among
//! them. Such a set is a union of cycles of g. Sets
//! that leave faces free are taken out by inclusion and exclusion over the orbits of faces.

use super::boxes::{cells_of, equates, image, number, symmetries};
use somacat_geometry::figure::Identity;
use somacat_geometry::lattice::{Cell, Transform};

/// The number of sets of `cells` cells that touch all faces of a box, up to its symmetries of the
/// kind that `identity` names.
///
/// Sums wrap around 2^128 on the way; the result does not, for boxes of up to 128 cells.
pub(super) fn touching_sets(sides: [i32; 3], cells: usize, identity: Identity) -> u128 {
    let mut group = symmetries(sides);
    group.retain(|&t| equates(identity, t));
    let sum = group.iter().fold(0_u128, |sum, &t| sum.wrapping_add(kept_sets(t, sides, cells)));
    sum / group.len() as u128
}

/// A face as an axis and whether it is the far one.
fn face_image(t: Transform, (axis, far): (usize, bool)) -> (usize, bool) {
    let sources = t.sources();
    let to = sources.iter().position(|&(from, _)| from == axis);
    let to = to.expect("each axis of the original is the source of one of the image");
    (to, far != sources[to].1)
}

/// The sets that `t` keeps and that touch all faces.
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

/// The number of unions of cycles of `t` inside part of a box that have this many cells.
fn unions_of_cycles(
    t: Transform,
    sides: [i32; 3],
    cells: usize,
    inside: impl Fn(&Cell) -> bool,
) -> u128 {
    let list = cells_of(sides);
    let mut done = vec![false; list.len()];
    let mut ways = vec![0_u128; cells + 1];
    ways[0] = 1;
    for &start in list.iter().filter(|c| inside(c)) {
        let (mut length, mut at) = (0, start);
        while !done[number(at, sides)] {
            done[number(at, sides)] = true;
            length += 1;
            at = image(t, at, sides);
        }
        if length > 0 {
            for n in (length..=cells).rev() {
                ways[n] = ways[n].wrapping_add(ways[n - length]);
            }
        }
    }
    ways[cells]
}
