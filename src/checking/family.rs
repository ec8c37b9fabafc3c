//! Families of figures whose numbers are checked.

/// A family of figures to count.
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
