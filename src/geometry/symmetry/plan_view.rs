//! The symmetry of a figure seen from above, in GNU Go's notation.
//!
//! The GNU Go documentation (12.13 "Symmetry and transformations") marks each board pattern with a symbol. It
//! identifies which of the eight rotations and reflections of the board leave the pattern unchanged. Here the plan
//! is a figure seen from above, and the eight are the transforms that keep z.

use super::Group;
use crate::lattice::Transform;
use std::fmt;

/// The symmetry of a plan.
///
/// ```
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::symmetry::PlanSymbol;
///
/// // Seen from above, the piece T has one mirror line, from front to back.
/// let t = Figure::new([[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]].map(Cell::from))?;
/// let plan = PlanSymbol::of(t.canonical().group);
/// assert_eq!((plan.symbol, plan.orientations), ('|', 4));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlanSymbol {
    /// One of `8 | - \ / O X +`. GNU Go has no symbols for the plans of highest symmetry. Here they are `+` (all eight)
    /// and `O` (the four rotations).
    pub symbol: char,
    /// The number of different plans under the eight rotations and reflections.
    pub orientations: usize,
}

/// The transforms that keep z, except T1: left-right, front-back, both diagonals, half turn,
/// quarter turns.
const LEFT_RIGHT: u8 = 5;
const FRONT_BACK: u8 = 3;
const MAIN_DIAGONAL: u8 = 17;
const OTHER_DIAGONAL: u8 = 23;
const HALF_TURN: u8 = 7;
const QUARTER_TURNS: [u8; 2] = [19, 21];

impl PlanSymbol {
    /// Returns the symmetry of a figure's plan, from the figure's group.
    ///
    /// The group is that of the figure in its given orientation.
    pub fn of(group: Group) -> Self {
        let has = |number: u8| Transform::from_number(number).is_some_and(|t| group.contains(t));
        let plan = [1, LEFT_RIGHT, FRONT_BACK, MAIN_DIAGONAL, OTHER_DIAGONAL, HALF_TURN];
        let order = plan.into_iter().chain(QUARTER_TURNS).filter(|&n| has(n)).count();
        let symbol =
            match (has(LEFT_RIGHT), has(FRONT_BACK), has(MAIN_DIAGONAL), has(OTHER_DIAGONAL)) {
                (true, true, _, _) => '+',
                (_, _, true, true) => 'X',
                (true, ..) => '|',
                (_, true, ..) => '-',
                (_, _, true, _) => '\\',
                (.., true) => '/',
                _ if has(HALF_TURN) => 'O',
                _ => '8',
            };
        Self { symbol, orientations: 8 / order }
    }
}

impl fmt::Display for PlanSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::lattice::Cell;
    use std::collections::BTreeSet;

    /// Compares with the images of all 511 plans of 3×3 squares.
    #[test]
    fn a_plan_has_as_many_orientations_as_different_images() {
        let keeps_z = |t: &Transform| t.sources()[2] == (2, false);
        assert_eq!(Transform::iter().filter(keeps_z).count(), 8);
        let mut symbols = BTreeSet::new();
        for pattern in 1..512 {
            let squares = (0..9).filter(|n| pattern >> n & 1 == 1);
            let plan = Figure::new(squares.map(|n| Cell::new(n % 3, n / 3, 0))).unwrap();
            let images: BTreeSet<Figure> =
                Transform::iter().filter(keeps_z).map(|t| plan.transformed(t)).collect();
            let found = PlanSymbol::of(plan.canonical().group);
            assert_eq!(found.orientations, images.len(), "{:?}", plan.cells());
            symbols.insert((found.symbol, found.orientations));
        }
        let known = [
            ('+', 1),
            ('+', 2),
            ('-', 4),
            ('/', 4),
            ('8', 8),
            ('O', 4),
            ('X', 2),
            ('\\', 4),
            ('|', 4),
        ];
        assert!(symbols.into_iter().eq(known));
    }
}
