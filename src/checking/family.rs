//! Families of figures whose numbers are checked.

/// A family of figures to count.
///
/// ```
/// use somacat_checking::{Family, figures_by_class};
/// use somacat_geometry::symmetry::Class;
///
/// // The subsets of a cube of side 2 with four cells are six figures.
/// let family = Family { cells: 4, bounds: Some([2, 2, 2]), parts: None, towers: false };
/// let classes: Vec<Class> = Class::iter().collect();
/// let numbers = figures_by_class(family, &classes, 1_000_000, None);
/// assert_eq!(numbers.into_values().map(Result::unwrap).sum::<u128>(), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The number of cells of a figure.
    pub cells: usize,
    /// The sides of a box that it must fit in. It may have any orientation.
    pub bounds: Option<[u32; 3]>,
    /// The number of connected parts, one or more; `None` for any number. Figures that may have several parts must
    /// have a box.
    pub parts: Option<usize>,
    /// True for towers only: figures that can be laid so that every column is solid from the ground. They must have
    /// a box, which stands on its first two sides.
    pub towers: bool,
}
