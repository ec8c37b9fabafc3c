//! A figure: a non-empty set of cells, in the orientation in which it was given.

use crate::boxes::box_cells;
use crate::lattice::{
    Cell, MAX_COORDINATE, Transform, color_difference, connected_parts, moved_to_origin,
};

/// The most cells a figure may have.
pub const MAX_CELLS: usize = 1024;

/// A finite set of cells to build, connected or in several parts.
///
/// The cells are ascending and moved so that the smallest coordinate on each axis is 0. The orientation is as
/// given.
///
/// ```
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// let figure = Figure::new([[5, 5, 5], [5, 6, 5], [6, 5, 5]].map(Cell::from))?;
/// assert_eq!(figure.cells(), [[0, 0, 0], [0, 1, 0], [1, 0, 0]].map(Cell::from));
/// assert_eq!(figure.extents(), [2, 2, 1]);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Figure {
    cells: Vec<Cell>,
}

/// The reason why cells are not a figure.
///
/// ```
/// use somacat_geometry::figure::{Figure, FigureError};
/// use somacat_geometry::lattice::Cell;
///
/// assert_eq!(Figure::new([]), Err(FigureError::Empty));
/// let twice = Figure::new([Cell::new(1, 0, 0); 2]).unwrap_err();
/// assert_eq!(twice.to_string(), "cell 1,0,0 is listed twice");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum FigureError {
    #[error("the figure has no cells")]
    Empty,
    #[error("the figure has more than {MAX_CELLS} cells")]
    TooManyCells,
    #[error("cell {0} is listed twice")]
    RepeatedCell(Cell),
    #[error("coordinate {0} lies beyond ±{MAX_COORDINATE}")]
    CoordinateOutOfRange(i64),
    #[error("the cells lie {0} apart, more than {MAX_COORDINATE}")]
    TooWide(i64),
}

impl Figure {
    /// Creates a figure of these cells, in any position.
    ///
    /// # Errors
    /// If there is no cell, there are more than [`MAX_CELLS`], a cell is listed twice, or coordinates are out of
    /// range or too far apart.
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Result<Self, FigureError> {
        let mut list: Vec<Cell> = cells.into_iter().take(MAX_CELLS + 1).collect();
        if list.is_empty() {
            return Err(FigureError::Empty);
        }
        if list.len() > MAX_CELLS {
            return Err(FigureError::TooManyCells);
        }
        let far = |v: &i32| v.unsigned_abs() > MAX_COORDINATE as u32;
        if let Some(value) = list.iter().flat_map(|c| c.to_array()).find(far) {
            return Err(FigureError::CoordinateOutOfRange(i64::from(value)));
        }
        list.sort_unstable();
        if let Some(pair) = list.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FigureError::RepeatedCell(pair[0]));
        }
        let figure = Self::from_distinct(list);
        match figure.extents().into_iter().max() {
            Some(most) if most - 1 > MAX_COORDINATE as u32 => {
                Err(FigureError::TooWide(i64::from(most) - 1))
            }
            _ => Ok(figure),
        }
    }

    /// Creates the figure that fills a box.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    ///
    /// assert_eq!(Figure::of_box([3, 3, 3])?.len(), 27);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    ///
    /// # Errors
    /// If the box has no cells, or more than [`MAX_CELLS`].
    pub fn of_box(sides: [u32; 3]) -> Result<Self, FigureError> {
        match sides.iter().fold(1_u32, |volume, &side| volume.saturating_mul(side)) {
            0 => Err(FigureError::Empty),
            volume if volume as usize > MAX_CELLS => Err(FigureError::TooManyCells),
            _ => Ok(Self::from_distinct(box_cells(sides.map(|side| side as i32)))),
        }
    }

    /// Creates a figure of cells that are known to be valid. They are distinct, in range, not too many and at least
    /// one.
    pub fn from_distinct(cells: Vec<Cell>) -> Self {
        Self { cells: moved_to_origin(cells) }
    }

    /// Returns the cells, ascending, with smallest coordinates 0.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the number of cells, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a figure is never empty")]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns the extents of the bounding box along x, y and z.
    pub fn extents(&self) -> [u32; 3] {
        let mut largest = [0; 3];
        for cell in &self.cells {
            for (most, value) in largest.iter_mut().zip(cell.to_array()) {
                *most = (*most).max(value as u32 + 1);
            }
        }
        largest
    }

    /// Returns the image under a transform.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Transform;
    /// use std::collections::HashSet;
    ///
    /// // A box with three different sides has six orientations.
    /// let brick = Figure::of_box([1, 2, 3])?;
    /// let images: HashSet<Figure> = Transform::iter().map(|t| brick.transformed(t)).collect();
    /// assert_eq!(images.len(), 6);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn transformed(&self, t: Transform) -> Self {
        Self::from_distinct(self.cells.iter().map(|&c| t.apply(c)).collect())
    }

    /// Returns the connected parts, in the order of their lowest cells.
    ///
    /// Cells are connected through shared faces.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Cell;
    ///
    /// let figure = Figure::new([[0, 0, 0], [1, 0, 0], [3, 0, 0]].map(Cell::from))?;
    /// let sizes: Vec<usize> = figure.parts().iter().map(Vec::len).collect();
    /// assert_eq!(sizes, [2, 1]);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn parts(&self) -> Vec<Vec<Cell>> {
        connected_parts(&self.cells)
    }

    /// Returns the number of black minus the number of white cells.
    ///
    /// Cells with even x + y + z are black.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    ///
    /// assert_eq!(Figure::of_box([3, 3, 3])?.color_difference(), 1);
    /// assert_eq!(Figure::of_box([2, 3, 5])?.color_difference(), 0);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn color_difference(&self) -> i32 {
        color_difference(&self.cells)
    }
}
