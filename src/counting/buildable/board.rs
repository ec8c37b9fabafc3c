//! The board: the lattice around the root, with the orbits of a group that acts about it.
//!
//! A cell of the board is a number, whose digits of six bits are its coordinates. So a step from cell to cell is an
//! addition, and tables by cell have a quarter of a million entries.

use somacat_geometry::figure::Equivalence;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;
use std::collections::BTreeSet;

/// The bound of coordinates: their absolute values are less than this. A connected figure with the root and at most 31
/// cells stays within.
const REACH: i32 = 32;

/// The number of cells along an axis.
const SIDE: i32 = 2 * REACH;

/// The number of cells of the board.
pub(super) const CELLS: usize = (SIDE * SIDE * SIDE) as usize;

/// The bits of a cell's number. With it, an index is seen to be in bounds without a check.
pub(super) const MASK: u32 = CELLS as u32 - 1;

/// Returns the number of a cell. Its coordinates are digits of six bits.
pub(super) const fn number(cell: Cell) -> u32 {
    (cell.x + REACH + (cell.y + REACH) * SIDE + (cell.z + REACH) * SIDE * SIDE) as u32
}

/// Returns the difference of the numbers of two cells that differ by a vector.
pub(super) const fn step(by: Cell) -> i32 {
    by.x + by.y * SIDE + by.z * SIDE * SIDE
}

/// Returns the cell with a number.
pub(super) const fn cell(number: u32) -> Cell {
    let number = number as i32;
    let (x, y, z) = (number % SIDE, number / SIDE % SIDE, number / (SIDE * SIDE));
    Cell::new(x - REACH, y - REACH, z - REACH)
}

/// The root: the cell at the center of the group, and the median of the figure's cells that the whole group fixes.
pub(super) const ROOT: u32 = number(Cell::new(0, 0, 0));

/// Allocates a zero for each cell of the board on the heap.
fn zeros<T: Default + Copy>() -> Box<[T; CELLS]> {
    let zeros = vec![T::default(); CELLS].into_boxed_slice();
    zeros.try_into().ok().expect("as many as cells")
}

/// The orbits of the cells under a group about the root.
#[derive(Debug)]
pub(super) struct OrbitBoard {
    /// For each element but the identity, the images of all cells.
    pub(super) images: Vec<Vec<u32>>,
    /// For each cell, the cell of its orbit with the lowest number, which names the orbit.
    pub(super) orbit: Box<[u32; CELLS]>,
    /// The number of cells of the orbit of each cell.
    pub(super) weight: Box<[u8; CELLS]>,
    /// The side of each cell that the whole group fixes. It is −1 before the root and 1 after it. The root and other
    /// cells have 0.
    pub(super) side: Vec<i8>,
    /// The normalizer's transforms that preserve or reverse the fixed cells' order. They map figures of the group to
    /// such figures and keep the median of the fixed cells.
    pub(super) normalizer: Vec<Transform>,
}

impl OrbitBoard {
    pub(super) fn new(group: Group, equivalence: Equivalence) -> Self {
        let elements: Vec<Transform> = group.iter().collect();
        let images = |t: &Transform| -> Vec<u32> {
            // The search never reaches the edge of the board.
            let image = |at| number(t.apply(cell(at))) % CELLS as u32;
            (0..CELLS as u32).map(image).collect()
        };
        let images: Vec<Vec<u32>> = elements[1..].iter().map(images).collect();
        let (mut orbit, mut weight) = (zeros(), zeros());
        let mut side = Vec::new();
        for at in 0..CELLS as u32 {
            let mut cells: Vec<u32> = images.iter().map(|images| images[at as usize]).collect();
            cells.push(at);
            cells.sort_unstable();
            cells.dedup();
            orbit[at as usize] = cells[0];
            weight[at as usize] = cells.len() as u8;
            let fixed = cells.len() == 1;
            side.push(if fixed { cell(at).cmp(&Cell::default()) as i8 } else { 0 });
        }
        let near = (0..CELLS as u32).filter(|&at| {
            let close = cell(at).to_array().iter().all(|v| v.abs() <= 2);
            close && side[at as usize] != 0
        });
        let near: Vec<u32> = near.collect();
        let keeps_root = |t: &Transform| {
            let sign = |&at: &u32| side[at as usize] * side[number(t.apply(cell(at))) as usize];
            near.iter().map(sign).collect::<BTreeSet<i8>>().len() <= 1
        };
        let equates = |t: &Transform| equivalence.equates(*t);
        let normalizer = group.normalizer().iter().filter(equates).filter(keeps_root).collect();
        Self { images, orbit, weight, side, normalizer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::symmetry::Class;

    #[test]
    fn transforms_that_keep_the_root_keep_or_reverse_the_fixed_cells() {
        // The inversion fixes only the root, a half turn an axis, a mirror a plane. Only ±1 respects the order of a
        // plane.
        for (name, kept) in [("Ci", 48), ("C2(face)", 16), ("Cs(planar)", 4), ("Cs(diagonal)", 4)] {
            let class = Class::matching(name).unwrap()[0];
            let board = OrbitBoard::new(class.groups()[0], Equivalence::Reflections);
            assert_eq!(board.normalizer.len(), kept, "{name}");
            assert!(board.orbit[ROOT as usize] == ROOT && board.weight[ROOT as usize] == 1);
        }
    }
}
