//! A figure that a search has met.

use super::search::Cells;
use somacat_geometry::figure::{Candidate, Figure, Identity};
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::{Class, Group};

/// A figure that an enumeration has met and not yet made. Of most figures of a large class the cells, in any order,
/// are all that is ever looked at.
#[derive(Clone, Copy)]
pub struct Draft<'a> {
    pub(super) group: Group,
    pub(super) identity: Identity,
    pub(super) cells: &'a dyn Cells,
}

impl Draft<'_> {
    /// All transforms that map the figure, as it lies, to itself.
    #[must_use]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// The class of the group.
    #[must_use]
    pub fn class(&self) -> Class {
        self.group.class()
    }

    /// Appends its cells to a list, each once, in no particular order and place.
    pub fn list_cells(&self, list: &mut Vec<Cell>) {
        self.cells.list(list);
    }

    /// Appends one of its cells, where [`Self::list_cells`] has it, for each orbit under its group, or more of some.
    pub fn list_orbits(&self, list: &mut Vec<Cell>) {
        self.cells.list_orbits(list);
    }

    /// Makes the figure.
    #[must_use]
    pub fn candidate(&self) -> Candidate {
        let mut cells = Vec::new();
        self.list_cells(&mut cells);
        Candidate::with_group(Figure::from_distinct(cells), self.group, self.identity)
    }
}
