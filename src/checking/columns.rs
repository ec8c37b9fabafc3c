//! The columns of a catalog row, derived from cells by plain means.

use super::reason::{colors, separate_parts};
use super::turns::{AxisMap, IDENTITY, compose, reflections, rotations, self_maps};
use somacat_geometry::figure::Figure;

/// Numbers of group elements by kind. First are reflections in planes parallel to a face and in diagonal planes,
/// inversions, and half turns about face axes and about edge axes. Elements of order 3, quarter turns, and
/// roto-reflections of order 4 and of order 6 follow.
type Profile = [usize; 9];

/// The 33 classes of subgroups of the cube's symmetries. Their profiles differ (International Tables for
/// Crystallography, volume A, the cubic point group m-3m and its subgroups).
const CLASSES: [(&str, Profile); 33] = [
    ("C1", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("Cs(planar)", [1, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("C2(face)", [0, 0, 0, 1, 0, 0, 0, 0, 0]),
    ("Ci", [0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ("Cs(diagonal)", [0, 1, 0, 0, 0, 0, 0, 0, 0]),
    ("C2(edge)", [0, 0, 0, 0, 1, 0, 0, 0, 0]),
    ("C3", [0, 0, 0, 0, 0, 2, 0, 0, 0]),
    ("C2v(face,planar)", [2, 0, 0, 1, 0, 0, 0, 0, 0]),
    ("C2h(face)", [1, 0, 1, 1, 0, 0, 0, 0, 0]),
    ("C2v(edge)", [1, 1, 0, 0, 1, 0, 0, 0, 0]),
    ("D2(face)", [0, 0, 0, 3, 0, 0, 0, 0, 0]),
    ("C2v(face,diagonal)", [0, 2, 0, 1, 0, 0, 0, 0, 0]),
    ("C4", [0, 0, 0, 1, 0, 0, 2, 0, 0]),
    ("D2(edge)", [0, 0, 0, 1, 2, 0, 0, 0, 0]),
    ("S4", [0, 0, 0, 1, 0, 0, 0, 2, 0]),
    ("C2h(edge)", [0, 1, 1, 0, 1, 0, 0, 0, 0]),
    ("C3i", [0, 0, 1, 0, 0, 2, 0, 0, 2]),
    ("C3v", [0, 3, 0, 0, 0, 2, 0, 0, 0]),
    ("D3", [0, 0, 0, 0, 3, 2, 0, 0, 0]),
    ("D2h(face)", [3, 0, 1, 3, 0, 0, 0, 0, 0]),
    ("C4v", [2, 2, 0, 1, 0, 0, 2, 0, 0]),
    ("D2d(edge axes)", [2, 0, 0, 1, 2, 0, 0, 2, 0]),
    ("D2h(edge)", [1, 2, 1, 1, 2, 0, 0, 0, 0]),
    ("C4h", [1, 0, 1, 1, 0, 0, 2, 2, 0]),
    ("D2d(face axes)", [0, 2, 0, 3, 0, 0, 0, 2, 0]),
    ("D4", [0, 0, 0, 3, 2, 0, 2, 0, 0]),
    ("T", [0, 0, 0, 3, 0, 8, 0, 0, 0]),
    ("D3d", [0, 3, 1, 0, 3, 2, 0, 0, 2]),
    ("D4h", [3, 2, 1, 3, 2, 0, 2, 2, 0]),
    ("Th", [3, 0, 1, 3, 0, 8, 0, 0, 8]),
    ("Td", [0, 6, 0, 3, 0, 8, 0, 6, 0]),
    ("O", [0, 0, 0, 3, 6, 8, 6, 0, 0]),
    ("Oh", [3, 6, 1, 3, 6, 8, 6, 6, 8]),
];

/// The column of a map in a [`Profile`]: `None` for the identity.
fn kind(map: &AxisMap, is_rotation: bool) -> Option<usize> {
    let mut order = 1;
    let mut power = *map;
    while power != IDENTITY {
        power = compose(&power, map);
        order += 1;
    }
    let unmoved = (0..3).filter(|&axis| map[axis][axis] == 1).count();
    let reversed = (0..3).filter(|&axis| map[axis][axis] == -1).count();
    Some(match (order, is_rotation) {
        (1, _) => return None,
        (2, false) if reversed == 3 => 2,
        (2, false) => usize::from(unmoved + reversed < 3),
        (2, true) => 3 + usize::from(unmoved + reversed < 3),
        (3, _) => 5,
        (4, true) => 6,
        (4, false) => 7,
        _ => 8,
    })
}

/// Returns the name of a figure's symmetry class. Tries all signed permutations of the axes.
///
/// ```
/// use somacat_checking::plain_class;
/// use somacat_geometry::figure::Figure;
///
/// assert_eq!(plain_class(&Figure::of_box([3, 3, 3])?), "Oh");
/// assert_eq!(plain_class(&Figure::of_box([3, 3, 4])?), "D4h");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_class(figure: &Figure) -> &'static str {
    let mut profile = Profile::default();
    for (maps, are_rotations) in [(rotations(), true), (reflections(), false)] {
        for (map, _) in self_maps(maps, figure) {
            if let Some(kind) = kind(map, are_rotations) {
                profile[kind] += 1;
            }
        }
    }
    let class = CLASSES.iter().find(|(_, known)| *known == profile);
    class.expect("the symmetries of a figure are one of the 98 groups").0
}

/// Returns the absolute difference of the numbers of black and white cells.
///
/// ```
/// use somacat_checking::plain_parity;
/// use somacat_geometry::figure::Figure;
///
/// assert_eq!(plain_parity(&Figure::of_box([3, 3, 3])?), 1);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_parity(figure: &Figure) -> u32 {
    colors(figure.cells()).unsigned_abs() as u32
}

/// Returns the sides of the smallest box around a figure, ascending: `2x3x5`.
///
/// ```
/// use somacat_checking::plain_bounds;
/// use somacat_geometry::figure::Figure;
///
/// assert_eq!(plain_bounds(&Figure::of_box([5, 2, 3])?), "2x3x5");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_bounds(figure: &Figure) -> String {
    let mut sides = [0, 1, 2].map(|axis| {
        let values = || figure.cells().iter().map(|cell| cell.to_array()[axis]);
        values().max().unwrap_or_default() - values().min().unwrap_or_default() + 1
    });
    sides.sort_unstable();
    sides.map(|side| side.to_string()).join("x")
}

/// Counts the connected parts of a figure.
///
/// ```
/// use somacat_checking::plain_parts;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// // Cells that share only a corner are not connected.
/// let figure = Figure::new([Cell::new(0, 0, 0), Cell::new(1, 1, 1)])?;
/// assert_eq!(plain_parts(&figure), 2);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_parts(figure: &Figure) -> usize {
    separate_parts(figure).len()
}
