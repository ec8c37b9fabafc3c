//! Axes and mirrors of a figure, for a picture.

use crate::answer::{Axis, Mirror};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{ElementKind, Group};

/// One of the two directions of each line through a face, an edge or a corner of a cube and its center.
const DIRECTIONS: [[i32; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];

/// Returns the axes of rotations and roto-reflections, and the mirrors.
pub(crate) fn axes_and_mirrors(group: Group) -> (Vec<Axis>, Vec<Mirror>) {
    let (mut axes, mut mirrors) = (Vec::<Axis>::new(), Vec::new());
    for t in group.iter() {
        let kind = ElementKind::of(t);
        let (turns, roto) = match kind {
            ElementKind::Identity | ElementKind::Inversion => continue,
            ElementKind::PlanarReflection | ElementKind::DiagonalReflection => {
                let diagonal = kind == ElementKind::DiagonalReflection;
                mirrors.push(Mirror { normal: direction(t, -1), diagonal });
                continue;
            }
            ElementKind::FaceHalfTurn | ElementKind::EdgeHalfTurn => (2, 0),
            ElementKind::ThirdTurn => (3, 0),
            ElementKind::QuarterTurn => (4, 0),
            ElementKind::QuarterRotoReflection => (1, 4),
            ElementKind::SixfoldRotoReflection => (1, 6),
        };
        let along = direction(t, if roto == 0 { 1 } else { -1 });
        match axes.iter_mut().find(|axis| axis.direction == along) {
            Some(axis) => (axis.turns, axis.roto) = (axis.turns.max(turns), axis.roto.max(roto)),
            None => axes.push(Axis { direction: along, turns, roto }),
        }
    }
    (axes, mirrors)
}

/// Returns the direction that a transform maps to itself times `factor`.
fn direction(t: Transform, factor: i32) -> [i32; 3] {
    let is_kept = |d: &[i32; 3]| t.apply(Cell::from(*d)).to_array() == d.map(|v| v * factor);
    DIRECTIONS.into_iter().find(is_kept).expect("every other element has an axis or a normal")
}
