//! A figure as one solid on each of its sides.
//!
//! A solid stands if its center of mass lies above the inside of its support. Everything is an integer after scaling,
//! so the decision is exact: a center of mass exactly above an edge does not count as inside.

use somacat_geometry::figure::{Figure, support_hull, turn};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::spelling::Spelling;

/// The side of a figure that touches the table.
///
/// ```
/// use somacat_counting::stand::Side;
/// use somacat_geometry::spelling::{Spelling, parse_word};
///
/// assert_eq!(parse_word("front"), Ok(Side::Front));
/// assert_eq!(Side::ALL.map(Side::word), ["bottom", "top", "left", "right", "front", "back"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The side of the largest z, on which the figure lies.
    Bottom,
    /// The side of the smallest z. The figure is upside down.
    Top,
    /// The side of the smallest x.
    Left,
    /// The side of the largest x.
    Right,
    /// The side of the largest y, towards the reader.
    Front,
    /// The side of the smallest y.
    Back,
}

impl Spelling for Side {
    const KIND: &'static str = "side";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Bottom, "bottom"),
        (Self::Top, "top"),
        (Self::Left, "left"),
        (Self::Right, "right"),
        (Self::Front, "front"),
        (Self::Back, "back"),
    ];
}

impl Side {
    /// All six sides.
    pub const ALL: [Self; 6] =
        [Self::Bottom, Self::Top, Self::Left, Self::Right, Self::Front, Self::Back];

    /// Returns the direction from the inside of the figure through this side.
    const fn outwards(self) -> Cell {
        match self {
            Self::Bottom => Cell::new(0, 0, 1),
            Self::Top => Cell::new(0, 0, -1),
            Self::Left => Cell::new(-1, 0, 0),
            Self::Right => Cell::new(1, 0, 0),
            Self::Front => Cell::new(0, 1, 0),
            Self::Back => Cell::new(0, -1, 0),
        }
    }

    /// Returns the rotation with the lowest number that turns this side down.
    ///
    /// ```
    /// use somacat_counting::stand::Side;
    /// use somacat_geometry::lattice::Cell;
    ///
    /// // z points down, so this rotation takes the direction of the right side, x, to z.
    /// let turn = Side::Right.turned_down();
    /// assert_eq!(turn.apply(Cell::new(1, 0, 0)), Cell::new(0, 0, 1));
    /// assert!(turn.is_rotation());
    /// ```
    pub fn turned_down(self) -> Transform {
        let down = Self::Bottom.outwards();
        let mut rotations = Transform::iter().filter(|t| t.is_rotation());
        let turn = rotations.find(|t| t.apply(self.outwards()) == down);
        turn.expect("some rotation takes any direction to any other")
    }
}

/// The stability of a solid on one side.
///
/// See [`solid_stability`] for an example.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolidStability {
    /// True if the center of mass lies strictly above the support's inside.
    pub stands: bool,
    /// Distance in cells from the center of mass to the support's edge or its nearest corner. It is negative outside and
    /// 0 on the edge.
    pub margin: f64,
}

/// Tests a figure as one solid on a side.
///
/// Of several parts, the one with the smallest margin counts.
///
/// A cell with two cells above it, one of which overhangs, has its center of mass at 5/6 of the cell's width:
///
/// ```
/// use somacat_counting::stand::{Side, solid_stability};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// let figure = Figure::new([Cell::new(0, 0, 0), Cell::new(1, 0, 0), Cell::new(0, 0, 1)])?;
/// let upright = solid_stability(&figure, Side::Bottom);
/// assert!(upright.stands && (upright.margin - 1.0 / 6.0).abs() < 1e-9);
///
/// // Beyond a corner: 0.375 cells beyond one side of the lowest cell, and 0.125 beyond another.
/// let cells = [[0, 0, 1], [1, 0, 0], [1, 0, 1], [1, 0, 2], [2, 0, 0], [2, 0, 1], [2, 0, 2], [2, 1, 0]];
/// let balanced = solid_stability(&Figure::new(cells.map(Cell::from))?, Side::Front);
/// assert!((balanced.margin + 0.375_f64.hypot(0.125)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solid_stability(figure: &Figure, side: Side) -> SolidStability {
    let turned = figure.transformed(side.turned_down());
    let rests = turned.parts().iter().map(|part| rests(part)).collect::<Vec<_>>();
    SolidStability {
        stands: rests.iter().all(|part| part.stands),
        margin: rests.iter().map(|part| part.margin).fold(f64::INFINITY, f64::min),
    }
}

/// Tests one connected part, on a table below its lowest cells.
fn rests(part: &[Cell]) -> SolidStability {
    let ground = part.iter().map(|cell| cell.z).max().expect("a part has a cell");
    let support = support_hull(part.iter().filter(|cell| cell.z == ground));
    // Coordinates are scaled by twice the number of cells, because centers lie at halves.
    let scale = 2 * part.len() as i128;
    let sum = |value: &dyn Fn(&Cell) -> i32| {
        part.iter().map(|cell| 2 * i128::from(value(cell)) + 1).sum::<i128>()
    };
    let center = [sum(&|cell| cell.x), sum(&|cell| cell.y)];
    let (mut stands, mut outside, mut distance) = (true, false, f64::INFINITY);
    for (&a, &b) in support.iter().zip(support.iter().cycle().skip(1)) {
        let [from, to] = [a, b].map(|corner| corner.map(|value| value * scale));
        let inside = turn(from, to, center);
        stands &= inside > 0;
        outside |= inside < 0;
        distance = distance.min(distance_to_side(from, to, center) / scale as f64);
    }
    SolidStability { stands, margin: if outside { -distance } else { distance } }
}

/// Returns the distance of a point to a line between two others. Beyond its ends, the nearest of them counts.
fn distance_to_side(from: [i128; 2], to: [i128; 2], point: [i128; 2]) -> f64 {
    let between = |a: [i128; 2], b: [i128; 2]| [b[0] - a[0], b[1] - a[1]];
    let length = |[x, y]: [i128; 2]| (x as f64).hypot(y as f64);
    let (side, way) = (between(from, to), between(from, point));
    let along = side[0] * way[0] + side[1] * way[1];
    if along <= 0 {
        length(way)
    } else if along >= side[0] * side[0] + side[1] * side[1] {
        length(between(to, point))
    } else {
        turn(from, to, point).abs() as f64 / length(side)
    }
}
