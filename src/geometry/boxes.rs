//! Boxes at the origin of the lattice: their sides as text, their cells by number, and their symmetries.

use crate::lattice::{Cell, Transform};
use std::fmt::Display;

/// The error for a text that is not a box.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a box; write a box as 3x3x4")]
pub struct ParseBoxError(pub String);

/// Parses the sides of a box, such as `3x3x4`.
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
pub fn sides_text([a, b, c]: [impl Display; 3]) -> String {
    format!("{a}x{b}x{c}")
}

/// Iterates over the boxes within a box, by sides a ≤ b ≤ c.
pub fn boxes_within(sides: [u32; 3]) -> impl Iterator<Item = [i32; 3]> {
    let mut most = sides.map(|s| s as i32);
    most.sort_unstable();
    let [x, y, z] = most;
    (1..=x).flat_map(move |a| (a..=y).flat_map(move |b| (b..=z).map(move |c| [a, b, c])))
}

/// Iterates over the boxes within a box with at least `cells` cells.
pub fn boxes_that_hold(sides: [u32; 3], cells: usize) -> impl Iterator<Item = [i32; 3]> {
    boxes_within(sides).filter(move |&own| box_volume(own) >= cells)
}

/// Returns the number of cells of a box.
pub fn box_volume(sides: [i32; 3]) -> usize {
    sides.iter().map(|&s| s as usize).product()
}

/// Returns the cells of a box, in the order of their numbers.
pub fn box_cells([a, b, c]: [i32; 3]) -> Vec<Cell> {
    (0..c).flat_map(|z| (0..b).flat_map(move |y| (0..a).map(move |x| Cell::new(x, y, z)))).collect()
}

/// Returns the number of a cell in a box: x + a·(y + b·z).
pub fn cell_number(cell: Cell, [a, b, _]: [i32; 3]) -> usize {
    (cell.x + a * (cell.y + b * cell.z)) as usize
}

/// Returns the transforms that keep the sides of a box, T1 first.
pub fn box_symmetries(sides: [i32; 3]) -> Vec<Transform> {
    Transform::all().filter(|t| t.image_sides(sides) == sides).collect()
}

/// Returns the image of a cell under a symmetry of its box.
pub fn cell_image(t: Transform, cell: Cell, sides: [i32; 3]) -> Cell {
    let p = cell.to_array();
    let turned = t
        .sources()
        .map(|(axis, negated)| if negated { sides[axis] - 1 - p[axis] } else { p[axis] });
    Cell::from(turned)
}
