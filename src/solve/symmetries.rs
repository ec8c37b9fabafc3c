//! Symmetries of a figure as permutations of its cells.

use crate::figure::Figure;
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;

/// One symmetry: cell number `i` goes to `map[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symmetry {
    pub(super) map: Vec<usize>,
    /// It is a reflection or roto-reflection.
    pub(super) improper: bool,
}

/// The elements of a group of symmetries of the figure; none for the trivial group, which changes no
/// count.
pub(super) fn symmetries(figure: &Figure, group: Group) -> Vec<Symmetry> {
    if group == Group::TRIVIAL {
        return Vec::new();
    }
    group.iter().filter_map(|t| symmetry(figure, t)).collect()
}

fn symmetry(figure: &Figure, t: Transform) -> Option<Symmetry> {
    let moved: Vec<Cell> = figure.cells().iter().map(|&c| t.apply(c)).collect();
    let corner = Cell::min_corner(&moved);
    let to = |&c: &Cell| figure.cells().binary_search(&(c - corner)).ok();
    Some(Symmetry { map: moved.iter().map(to).collect::<Option<_>>()?, improper: !t.is_rotation() })
}
