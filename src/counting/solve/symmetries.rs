//! Symmetries of a figure as permutations of its cells.

use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;

/// The largest box whose places are numbered in a table. In a larger one, parts lie far apart.
const MAX_TABLE: usize = 1 << 14;

/// One symmetry: cell number `i` goes to `map[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellSymmetry {
    pub(super) map: Vec<usize>,
    /// True for a reflection or roto-reflection.
    pub(super) improper: bool,
}

/// Returns the elements of a group of symmetries of the figure. Empty for the trivial group, which means the
/// identity alone.
pub(super) fn symmetries(figure: &Figure, group: Group) -> Vec<CellSymmetry> {
    if group == Group::TRIVIAL {
        return Vec::new();
    }
    let (cells, extents) = (figure.cells(), figure.extents());
    let sides = extents.map(|extent| extent as usize);
    let places = sides[0].saturating_mul(sides[1]).saturating_mul(sides[2]);
    let place = |[x, y, z]: [i32; 3]| (x as usize * sides[1] + y as usize) * sides[2] + z as usize;
    let mut numbers = Vec::new();
    if places <= MAX_TABLE {
        numbers.resize(places, usize::MAX);
        cells.iter().zip(0..).for_each(|(cell, number)| numbers[place(cell.to_array())] = number);
    }
    let number = |image: [i32; 3]| match numbers.is_empty() {
        false => numbers[place(image)],
        true => cells.binary_search(&Cell::from(image)).unwrap_or(usize::MAX),
    };
    let symmetry = |t: Transform| {
        let sources = t.sources();
        // The image in the corner of the box, where the figure lies.
        let image = |cell: &Cell| {
            let from = cell.to_array();
            number(sources.map(|(axis, negated)| {
                if negated { extents[axis] as i32 - 1 - from[axis] } else { from[axis] }
            }))
        };
        let map: Vec<usize> = cells.iter().map(image).collect();
        assert!(
            map.iter().all(|&to| to < cells.len()),
            "every element of the group maps the figure to itself"
        );
        CellSymmetry { map, improper: !t.is_rotation() }
    };
    group.iter().map(symmetry).collect()
}
