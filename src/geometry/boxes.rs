//! Boxes at the origin of the lattice: their sides as text, their cells by number, and their symmetries.

use crate::lattice::{Cell, Transform};
use std::fmt::Display;

/// The error for a text that is not a box.
///
/// ```
/// use somacat_geometry::boxes::parse_box;
///
/// let error = parse_box("3x3").unwrap_err();
/// assert_eq!(error.to_string(), "`3x3` is not a box; write a box as 3x3x4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a box; write a box as 3x3x4")]
pub struct ParseBoxError(pub String);

/// Parses the sides of a box, such as `3x3x4`.
///
/// ```
/// use somacat_geometry::boxes::parse_box;
///
/// assert_eq!(parse_box("3x3x4"), Ok([3, 3, 4]));
/// assert_eq!(parse_box("3 × 3 × 4"), Ok([3, 3, 4]));
/// ```
///
/// # Errors
/// If the text is not three numbers.
pub fn parse_box(text: &str) -> Result<[u32; 3], ParseBoxError> {
    let sides: Result<Vec<u32>, _> =
        text.split(['x', 'X', '×']).map(|side| side.trim().parse()).collect();
    match sides.as_deref() {
        Ok(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(ParseBoxError(text.to_owned())),
    }
}

/// Writes the sides of a box, such as `3x3x4`.
///
/// ```
/// use somacat_geometry::boxes::sides_text;
///
/// assert_eq!(sides_text([3, 3, 4]), "3x3x4");
/// ```
pub fn sides_text([a, b, c]: [impl Display; 3]) -> String {
    format!("{a}x{b}x{c}")
}

/// Iterates over the boxes within a box, by sides a ≤ b ≤ c.
///
/// ```
/// use somacat_geometry::boxes::boxes_within;
///
/// let boxes: Vec<[i32; 3]> = boxes_within([2, 2, 2]).collect();
/// assert_eq!(boxes, [[1, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 2]]);
/// ```
pub fn boxes_within(sides: [u32; 3]) -> impl Iterator<Item = [i32; 3]> {
    let mut most = sides.map(|s| s as i32);
    most.sort_unstable();
    let [x, y, z] = most;
    (1..=x).flat_map(move |a| (a..=y).flat_map(move |b| (b..=z).map(move |c| [a, b, c])))
}

/// Iterates over the boxes within a box with at least `cells` cells.
///
/// ```
/// use somacat_geometry::boxes::boxes_that_hold;
///
/// // A figure of 27 cells within 3×3×4 fills one of two boxes.
/// let boxes: Vec<[i32; 3]> = boxes_that_hold([4, 3, 3], 27).collect();
/// assert_eq!(boxes, [[3, 3, 3], [3, 3, 4]]);
/// ```
pub fn boxes_that_hold(sides: [u32; 3], cells: usize) -> impl Iterator<Item = [i32; 3]> {
    boxes_within(sides).filter(move |&own| box_volume(own) >= cells)
}

/// Returns the number of cells of a box.
pub fn box_volume(sides: [i32; 3]) -> usize {
    sides.iter().map(|&s| s as usize).product()
}

/// Returns the cells of a box, in the order of their numbers.
///
/// ```
/// use somacat_geometry::boxes::{box_cells, cell_number};
///
/// let sides = [2, 3, 4];
/// let cells = box_cells(sides);
/// assert_eq!(cells.len(), 24);
/// assert!(cells.iter().enumerate().all(|(at, &cell)| cell_number(cell, sides) == at));
/// ```
pub fn box_cells([a, b, c]: [i32; 3]) -> Vec<Cell> {
    (0..c).flat_map(|z| (0..b).flat_map(move |y| (0..a).map(move |x| Cell::new(x, y, z)))).collect()
}

/// Returns the number of a cell in a box: x + a·(y + b·z).
pub fn cell_number(cell: Cell, [a, b, _]: [i32; 3]) -> usize {
    (cell.x + a * (cell.y + b * cell.z)) as usize
}

/// Returns the transforms that keep the sides of a box, T1 first.
///
/// ```
/// use somacat_geometry::boxes::box_symmetries;
///
/// let orders = [[3, 3, 3], [3, 3, 4], [2, 3, 4]].map(|sides| box_symmetries(sides).len());
/// assert_eq!(orders, [48, 16, 8]);
/// ```
pub fn box_symmetries(sides: [i32; 3]) -> Vec<Transform> {
    Transform::iter().filter(|t| t.image_sides(sides) == sides).collect()
}

/// Returns the image of a cell under a symmetry of its box.
///
/// ```
/// use somacat_geometry::boxes::cell_image;
/// use somacat_geometry::lattice::{Cell, Transform};
///
/// // The inversion takes one corner of a box to the opposite one.
/// let image = cell_image(Transform::INVERSION, Cell::new(0, 0, 0), [3, 3, 4]);
/// assert_eq!(image, Cell::new(2, 2, 3));
/// ```
pub fn cell_image(t: Transform, cell: Cell, sides: [i32; 3]) -> Cell {
    let p = cell.to_array();
    let turned = t
        .sources()
        .map(|(axis, negated)| if negated { sides[axis] - 1 - p[axis] } else { p[axis] });
    Cell::from(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_of_a_box_permute_its_cells() {
        for sides in boxes_within([3, 3, 4]) {
            let cells = box_cells(sides);
            assert_eq!(cells.len(), box_volume(sides));
            let symmetries = box_symmetries(sides);
            assert_eq!(symmetries.first(), Some(&Transform::IDENTITY));
            for &t in &symmetries {
                let image = |&cell: &Cell| cell_number(cell_image(t, cell, sides), sides);
                let mut numbers: Vec<usize> = cells.iter().map(image).collect();
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..cells.len()), "{t} of {sides:?}");
                for &u in &symmetries {
                    assert!(symmetries.contains(&t.then(u)), "{t} and {u} of {sides:?}");
                    for &cell in &cells {
                        let both = cell_image(u, cell_image(t, cell, sides), sides);
                        assert_eq!(cell_image(t.then(u), cell, sides), both);
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_within_a_box_are_all_multisets_of_sides_that_fit() {
        for [x, y, z] in [[1, 1, 1], [2, 3, 4], [4, 2, 2], [3, 5, 1]] {
            let fits = |[a, b, c]: [u32; 3]| {
                let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                orders.iter().any(|o| o[0] <= x && o[1] <= y && o[2] <= z)
            };
            let cube =
                (1..=5).flat_map(|a| (a..=5).flat_map(move |b| (b..=5).map(move |c| [a, b, c])));
            let known: Vec<[i32; 3]> =
                cube.filter(|sides| fits(*sides)).map(|sides| sides.map(|s| s as i32)).collect();
            assert_eq!(boxes_within([x, y, z]).collect::<Vec<_>>(), known);
        }
    }

    #[test]
    fn only_three_numbers_are_a_box() {
        for (text, sides) in [("3x3x4", [3, 3, 4]), ("1X 2 x3", [1, 2, 3]), ("10×1×0", [10, 1, 0])]
        {
            assert_eq!(parse_box(text), Ok(sides));
            assert_eq!(parse_box(&sides_text(sides)), Ok(sides));
        }
        for text in
            ["", "3", "3x3", "3x3x3x3", "3x3x", "-3x3x3", "axbxc", "99999999999x1x1", "3 3 3"]
        {
            assert_eq!(parse_box(text), Err(ParseBoxError(text.to_owned())));
        }
    }
}
