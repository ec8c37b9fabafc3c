//! The colors of a figure's cells, which restrict where pieces may lie.

use super::Figure;
use crate::boxes::cell_image;
use crate::pieces::{MAX_COLOR, OPTIONAL};
use crate::symmetry::Group;

/// For each cell of a figure, the colors of pieces' cells that may lie there.
///
/// A cell of a piece without a color may lie everywhere, and a cell of the figure without a color takes every color.
/// This is the rule of BurrTools. Colors of cells have nothing to do with the checkerboard of
/// [`Figure::color_difference`].
///
/// ```
/// use somacat_geometry::figure::FigureColors;
///
/// // Of two cells, the first is red (1) and the second has no color.
/// let colors = FigureColors::new(&[1, 0]).expect("a cell has a color");
/// assert!(colors.takes(0, 1) && !colors.takes(0, 2));
/// assert!(colors.takes(1, 1) && colors.takes(1, 2));
/// assert_eq!(FigureColors::new(&[0, 0]), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureColors {
    /// For each cell, ascending, a bit for each color. Bit 0 stands for no color and is set, and bit [`OPTIONAL`] for a
    /// gap.
    taken: Vec<u128>,
    /// True if some cells are optional.
    optional: bool,
}

impl FigureColors {
    /// Creates the colors of cells, ascending. A cell takes its own color; 0 is none. A cell of the color [`OPTIONAL`]
    /// takes every color and may stay empty; if there is one, cells of other colors may not.
    ///
    /// Returns `None` if no cell has a color.
    pub fn new(colors: &[u8]) -> Option<Self> {
        Self::with_pairs(colors, |piece, figure| piece == figure)
    }

    /// Creates the colors of cells that take the colors of pieces for which `takes(piece, figure)` is true.
    ///
    /// Returns `None` if no cell has a color.
    pub fn with_pairs(colors: &[u8], takes: impl Fn(u8, u8) -> bool) -> Option<Self> {
        let gap = 1 << OPTIONAL;
        // If some cells are optional, the others must be filled.
        let optional = colors.contains(&OPTIONAL);
        let filled = if optional { 0 } else { gap };
        let taken = |&color: &u8| match color {
            0 => (gap - 1) | filled,
            OPTIONAL => (gap - 1) | gap,
            color => {
                let pieces = (1..=MAX_COLOR).filter(|&piece| takes(piece, color));
                pieces.fold(1 | filled, |all, piece| all | 1 << piece)
            }
        };
        let colored = colors.iter().any(|&color| color > 0);
        colored.then(|| Self { taken: colors.iter().map(taken).collect(), optional })
    }

    /// Returns the colors of some of the cells, by their numbers.
    #[must_use]
    pub fn of_cells(&self, cells: impl IntoIterator<Item = usize>) -> Self {
        let taken = cells.into_iter().map(|cell| self.taken[cell]).collect();
        Self { taken, optional: self.optional }
    }

    /// Lets every cell stay empty. `None` if this is all that the colors say.
    #[must_use]
    pub fn with_gaps_everywhere(mut self) -> Option<Self> {
        self.taken.iter_mut().for_each(|taken| *taken |= 1 << OPTIONAL);
        self.optional = false;
        (!self.are_gaps()).then_some(self)
    }

    /// Returns `true` if some cells may stay empty. The others must then be filled.
    pub const fn has_optional(&self) -> bool {
        self.optional
    }

    /// Returns `true` if pieces of all colors may lie everywhere, and cells differ only in whether they may stay empty.
    pub fn are_gaps(&self) -> bool {
        let all = (1 << OPTIONAL) - 1;
        self.taken.iter().all(|taken| taken & all == all)
    }

    /// Returns `true` if the cell with this number may stay empty.
    ///
    /// ```
    /// use somacat_geometry::figure::FigureColors;
    /// use somacat_geometry::pieces::OPTIONAL;
    ///
    /// let colors = FigureColors::new(&[0, OPTIONAL]).expect("a cell has a color");
    /// assert!(!colors.may_be_empty(0) && colors.may_be_empty(1));
    /// ```
    pub fn may_be_empty(&self, cell: usize) -> bool {
        self.takes(cell, OPTIONAL)
    }

    /// Returns `true` if a piece's cell of a color, or of none, may lie on the cell with this number.
    pub fn takes(&self, cell: usize, color: u8) -> bool {
        self.taken[cell] >> color & 1 == 1
    }

    /// Returns the elements of a figure's symmetry group that keep its colors.
    ///
    /// ```
    /// use somacat_geometry::figure::{Figure, FigureColors};
    ///
    /// // Of the 16 symmetries of a domino, the eight that exchange its cells do not keep its colors.
    /// let domino = Figure::of_box([2, 1, 1])?;
    /// let group = domino.canonical().group;
    /// let colors = FigureColors::new(&[1, 2]).expect("a cell has a color");
    /// assert_eq!((group.order(), colors.symmetries(&domino, group).order()), (16, 8));
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn symmetries(&self, figure: &Figure, group: Group) -> Group {
        let sides = figure.extents().map(|extent| extent as i32);
        let cells = figure.cells();
        Group::generated_by(group.iter().filter(|&t| {
            cells.iter().zip(&self.taken).all(|(&cell, taken)| {
                let image = cells.binary_search(&cell_image(t, cell, sides));
                image.is_ok_and(|at| self.taken[at] == *taken)
            })
        }))
    }
}
