//! A figure that a search has found.

use super::search::Cells;
use somacat_geometry::figure::{Candidate, Equivalence, Figure};
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::{Class, Group};

/// A figure that an enumeration has found but not built.
///
/// For most figures of a large class only the cells, in any order, are needed.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, Place, ShardRange};
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // The cells of the figures, none of which is built.
/// let figures = Enumeration::in_box(BoxSpec::new([2, 2, 2], 4))?;
/// let (mut sizes, stop) = (Vec::new(), AtomicBool::new(false));
/// let cells = |found: somacat_counting::enumerate::FoundFigure<'_>| {
///     let mut list = Vec::new();
///     found.list_cells(&mut list);
///     Some(list.len())
/// };
/// let _ = figures.for_each_in(ShardRange::ALL, Place::default(), &stop, cells, &mut |_, size| {
///     sizes.push(size);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(sizes, [4; 6]);
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, Copy)]
pub struct FoundFigure<'a> {
    pub(super) group: Group,
    pub(super) equivalence: Equivalence,
    pub(super) cells: &'a dyn Cells,
}

impl FoundFigure<'_> {
    /// Returns all transforms that map the figure, in its position, to itself.
    pub const fn group(&self) -> Group {
        self.group
    }

    /// Returns the class of the group.
    pub fn class(&self) -> Class {
        self.group.class()
    }

    /// Appends the cells to a list, each once, in no particular order.
    ///
    /// Their position is arbitrary too.
    pub fn list_cells(&self, list: &mut Vec<Cell>) {
        self.cells.list(list);
    }

    /// Appends at least one cell of each orbit under the group.
    ///
    /// The cells are in the same position as those of [`Self::list_cells`].
    pub fn list_orbits(&self, list: &mut Vec<Cell>) {
        self.cells.list_orbits(list);
    }

    /// Builds the figure.
    pub fn candidate(&self) -> Candidate {
        let mut cells = Vec::with_capacity(32);
        self.list_cells(&mut cells);
        Candidate::with_group(Figure::from_distinct(cells), self.group, self.equivalence)
    }
}
