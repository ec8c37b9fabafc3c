//! Symmetries of a figure as permutations of its cells.

use somacat_geometry::boxes::{cell_image, cell_number};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;

/// The largest box, in cells, in which the figure's cells are looked up in a table. In a larger one, where parts lie
/// far apart, they are found by binary search.
const MAX_TABLE: usize = 1 << 14;

/// A symmetry of a figure: the cell number `i` goes to cell number `map[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellSymmetry {
    pub(crate) map: Vec<usize>,
    /// True for a reflection or roto-reflection.
    pub(crate) improper: bool,
}

/// Returns the elements of a group of symmetries of the figure. Empty for the trivial group, which means the
/// identity alone.
pub(crate) fn symmetries(figure: &Figure, group: Group) -> Vec<CellSymmetry> {
    if group == Group::TRIVIAL {
        return Vec::new();
    }
    let (cells, extents) = (figure.cells(), figure.extents());
    // The figure lies in the corner of its box.
    let sides = extents.map(|extent| extent as i32);
    let places = extents.iter().fold(1_usize, |all, &side| all.saturating_mul(side as usize));
    let mut numbers = Vec::new();
    if places <= MAX_TABLE {
        numbers.resize(places, usize::MAX);
        cells
            .iter()
            .zip(0..)
            .for_each(|(cell, number)| numbers[cell_number(*cell, sides)] = number);
    }
    let number = |image: Cell| match numbers.is_empty() {
        false => numbers[cell_number(image, sides)],
        true => cells.binary_search(&image).unwrap_or(usize::MAX),
    };
    let symmetry = |t: Transform| {
        let map: Vec<usize> =
            cells.iter().map(|cell| number(cell_image(t, *cell, sides))).collect();
        assert!(
            map.iter().all(|&to| to < cells.len()),
            "every element of the group maps the figure to itself"
        );
        CellSymmetry { map, improper: !t.is_rotation() }
    };
    group.iter().map(symmetry).collect()
}
