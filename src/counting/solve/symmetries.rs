//! Symmetries of a figure as permutations of its cells.

use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;

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
    group.iter().map(|t| symmetry(figure, t)).collect()
}

fn symmetry(figure: &Figure, t: Transform) -> CellSymmetry {
    let image: Vec<Cell> = figure.cells().iter().map(|&c| t.apply(c)).collect();
    let corner = Cell::min_corner(&image);
    let number = |&c: &Cell| {
        let number = figure.cells().binary_search(&(c - corner));
        number.expect("every element of the group maps the figure to itself")
    };
    CellSymmetry { map: image.iter().map(number).collect(), improper: !t.is_rotation() }
}
