//! The most stable resting position of a figure. A figure without a published position is displayed in it.
//!
//! Of the 24 rotations (a mirror image is a different object to build), the chosen one
//!
//! 1. does not tip over: the center of mass lies above the support, the convex hull of the cells that touch the
//!    ground,
//! 2. has the widest support, by area,
//! 3. has the lowest center of mass,
//! 4. is at least as wide as it is deep,
//! 5. keeps high cells at the back and at the left, to hide little from a viewer at the right, in front and above,
//! 6. and, among equals, has the smallest list of cells.
//!
//! The first criterion that distinguishes two positions decides.

use super::Figure;
use super::hull::{convex_hull, turn};
use crate::lattice::{Cell, Transform};
use std::cmp::Reverse;

/// The rank of a position. The smallest is the best.
type Rank = (bool, Reverse<i128>, i128, bool, i128, Vec<Cell>);

impl Figure {
    /// Returns the rotation to the most stable resting position.
    ///
    /// The image is the same for every rotated copy of the figure.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    ///
    /// // A pole lies down, from left to right.
    /// let pole = Figure::of_box([1, 1, 5])?;
    /// assert_eq!(pole.transformed(pole.to_resting_position()).extents(), [5, 1, 1]);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn to_resting_position(&self) -> Transform {
        let rotations = Transform::iter().filter(|t| t.is_rotation());
        rotations.min_by_key(|&t| rank(&self.transformed(t))).unwrap_or(Transform::IDENTITY)
    }
}

fn rank(figure: &Figure) -> Rank {
    let cells = figure.cells();
    let [width, depth, height] = figure.extents();
    // z points down, so the ground is below the layer with the largest z.
    let ground = height as i32 - 1;
    let support = support_hull(cells.iter().filter(|cell| cell.z == ground));
    let sum = |value: &dyn Fn(&Cell) -> i128| cells.iter().map(value).sum::<i128>();
    let above = |cell: &Cell| i128::from(ground - cell.z);
    // Twice the number of cells, because centers lie at halves.
    let scale = 2 * cells.len() as i128;
    let center = [sum(&|cell| 2 * i128::from(cell.x) + 1), sum(&|cell| 2 * i128::from(cell.y) + 1)];
    let scaled = |[x, y]: [i128; 2]| [x * scale, y * scale];
    let sides = || support.iter().zip(support.iter().cycle().skip(1));
    let tips = sides().any(|(&a, &b)| turn(scaled(a), scaled(b), center) < 0);
    let area: i128 = sides().map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum();
    let near = sum(&|cell| above(cell) * (i128::from(cell.x) + i128::from(cell.y)));
    (tips, Reverse(area), sum(&above), width < depth, near, cells.to_vec())
}

/// Returns the convex hull of the squares below cells.
///
/// ```
/// use somacat_geometry::figure::support_hull;
/// use somacat_geometry::lattice::Cell;
///
/// // Two cells with a gap between them support what lies over the gap.
/// let feet = [Cell::new(0, 0, 0), Cell::new(2, 0, 0)];
/// assert_eq!(support_hull(feet.iter()), [[0, 0], [3, 0], [3, 1], [0, 1]]);
/// ```
pub fn support_hull<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<[i128; 2]> {
    let corners = |cell: &Cell| {
        let [x, y] = [i128::from(cell.x), i128::from(cell.y)];
        [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]
    };
    convex_hull(cells.flat_map(corners).collect())
}
