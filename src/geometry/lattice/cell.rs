//! A cell of the lattice, in the axes of SOMA text.

use std::fmt;
use std::ops::{Add, Sub};

/// The largest absolute coordinate in a figure or piece. It is also the largest distance between two of its cells along
/// an axis.
///
/// Differences of coordinates stay within 32 bits.
pub const MAX_COORDINATE: i32 = 1_000_000_000;

/// A unit cube at (x, y, z): x to the right, y towards the reader, z down. The frame is right-handed.
///
/// Ordered by x, then y, then z.
///
/// ```
/// use somacat_geometry::lattice::Cell;
///
/// let cell = Cell::new(2, 0, 1);
/// assert_eq!(cell + Cell::new(0, 1, 0), Cell::new(2, 1, 1));
/// assert_eq!(cell.to_string(), "2,0,1");
/// assert!(Cell::new(0, 5, 5) < Cell::new(1, 0, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    /// To the right: the character within a row of SOMA text.
    pub x: i32,
    /// Towards the reader: the line.
    pub y: i32,
    /// Down: the group between slashes.
    pub z: i32,
}

impl Cell {
    /// Creates the cell at (x, y, z).
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// Returns the coordinates as `[x, y, z]`.
    pub const fn to_array(self) -> [i32; 3] {
        [self.x, self.y, self.z]
    }

    /// Returns the six cells that share a face with this one.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    ///
    /// let cell = Cell::new(4, 4, 4);
    /// assert!(cell.neighbors().iter().all(|next| cell.distance(*next) == 1));
    /// // On a checkerboard, every neighbor has the other color.
    /// assert!(cell.neighbors().iter().all(|next| next.is_black() != cell.is_black()));
    /// ```
    pub const fn neighbors(self) -> [Self; 6] {
        let Self { x, y, z } = self;
        [
            Self::new(x - 1, y, z),
            Self::new(x + 1, y, z),
            Self::new(x, y - 1, z),
            Self::new(x, y + 1, z),
            Self::new(x, y, z - 1),
            Self::new(x, y, z + 1),
        ]
    }

    /// Returns the number of steps between two cells. A step leads to a neighboring cell.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    ///
    /// // From one corner of the 3×3×3 cube to the opposite one.
    /// assert_eq!(Cell::new(0, 0, 0).distance(Cell::new(2, 2, 2)), 6);
    /// ```
    #[inline]
    pub const fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs() + (self.z - other.z).abs()
    }

    /// Returns the checkerboard color: true for black, where x + y + z is even.
    ///
    /// ```
    /// use somacat_geometry::boxes::box_cells;
    ///
    /// // Of the cube's cells, 14 are black, among them all eight corners, and 13 are white.
    /// let black = box_cells([3, 3, 3]).into_iter().filter(|cell| cell.is_black());
    /// assert_eq!(black.count(), 14);
    /// ```
    pub const fn is_black(self) -> bool {
        (self.x ^ self.y ^ self.z) & 1 == 0
    }

    /// Returns the smallest coordinate on each axis over all cells.
    ///
    /// Returns the origin if there are no cells.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    ///
    /// let cells = [Cell::new(3, 9, 0), Cell::new(5, 7, 0)];
    /// assert_eq!(Cell::min_corner(&cells), Cell::new(3, 7, 0));
    /// ```
    pub fn min_corner(cells: &[Self]) -> Self {
        let fold = |a: Self, b: &Self| Self::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
        cells.split_first().map_or(Self::default(), |(first, rest)| rest.iter().fold(*first, fold))
    }
}

/// Moves cells so that the smallest coordinate on each axis is 0. Returns them in ascending order.
///
/// ```
/// use somacat_geometry::lattice::{Cell, moved_to_origin};
///
/// let cells = vec![Cell::new(8, 5, 5), Cell::new(7, 5, 5)];
/// assert_eq!(moved_to_origin(cells), [Cell::new(0, 0, 0), Cell::new(1, 0, 0)]);
/// ```
pub fn moved_to_origin(mut cells: Vec<Cell>) -> Vec<Cell> {
    let corner = Cell::min_corner(&cells);
    cells.iter_mut().for_each(|cell| *cell = *cell - corner);
    // The order of cells, as one number.
    cells.sort_unstable_by_key(|c| (c.x as u128) << 64 | (c.y as u128) << 32 | c.z as u128);
    cells
}

/// Returns the number of black minus the number of white cells.
///
/// ```
/// use somacat_geometry::lattice::{Cell, color_difference};
///
/// // The piece T: its center has one color, and the three cells around it have the other.
/// let t = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]].map(Cell::from);
/// assert_eq!(color_difference(&t), 2);
/// ```
pub fn color_difference(cells: &[Cell]) -> i32 {
    cells.iter().map(|cell| if cell.is_black() { 1 } else { -1 }).sum()
}

impl From<[i32; 3]> for Cell {
    fn from([x, y, z]: [i32; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl Add for Cell {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Cell {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.x, self.y, self.z)
    }
}
