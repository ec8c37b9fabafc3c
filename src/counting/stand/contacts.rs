//! Contacts between pieces, and with the table.

use rustc_hash::FxHashMap;
use somacat_geometry::figure::convex_hull;
use somacat_geometry::lattice::{Cell, connected_parts};
use std::collections::BTreeMap;

/// Corners of contacts are integers in this unit, so that their convex hull is exact.
const UNITS_PER_CELL: i128 = 100;

/// A plane area in which a piece touches another, or the table.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    /// The piece on the side of the smaller coordinate. It is the upper one if the area is horizontal.
    pub(super) low: usize,
    /// The piece on the other side; `None` for the table.
    pub(super) high: Option<usize>,
    /// The axis perpendicular to the area: 0 x, 1 y, 2 z.
    pub(super) axis: usize,
    /// The coordinate along that axis.
    at: i32,
    /// The other coordinates of the cells in the area, in the order of [`across`].
    cells: Vec<[i32; 2]>,
}

impl Contact {
    /// Returns the corners of the area's convex hull, in cells.
    ///
    /// The hull is as good as the area: forces at its corners add up to any force within. Edges of pieces are never quite
    /// sharp, so each corner lies a hundredth of a cell inside. A piece balanced on an edge therefore falls.
    pub(super) fn points(&self) -> Vec<[f64; 3]> {
        // The last unit inside a cell.
        let end = UNITS_PER_CELL - 1;
        let corners = self.cells.iter().flat_map(|cell| {
            let [u, v] = cell.map(|at| i128::from(at) * UNITS_PER_CELL);
            [[1, 1], [end, 1], [end, end], [1, end]].map(|[du, dv]| [u + du, v + dv])
        });
        let corners: Vec<[i128; 2]> = corners.collect();
        // A square is its own hull.
        let hull = if corners.len() == 4 { corners } else { convex_hull(corners) };
        let point = |corner: [i128; 2]| {
            let mut point = [f64::from(self.at); 3];
            for (axis, value) in across(self.axis).into_iter().zip(corner) {
                point[axis] = value as f64 / UNITS_PER_CELL as f64;
            }
            point
        };
        hull.into_iter().map(point).collect()
    }
}

/// The position of an area: the two pieces and the axis as in [`Contact`], and the coordinate along the axis.
type Plane = (usize, Option<usize>, usize, i32);

/// Lists all contacts of pieces, each given by its cells, with each other and with the table. Parts that do not touch
/// each other have separate tables, below their lowest cells. Of a piece's contacts, those with the table come first.
pub(super) fn contacts(pieces: &[Vec<Cell>]) -> Vec<Contact> {
    let owner: FxHashMap<Cell, usize> = pieces
        .iter()
        .enumerate()
        .flat_map(|(piece, cells)| cells.iter().map(move |&cell| (cell, piece)))
        .collect();
    let mut cells: Vec<Cell> = owner.keys().copied().collect();
    cells.sort_unstable();
    let mut ground = FxHashMap::default();
    for part in connected_parts(&cells) {
        let lowest = part.iter().map(|cell| cell.z).max();
        ground.extend(part.into_iter().map(|cell| (cell, lowest)));
    }
    let mut areas: BTreeMap<Plane, Vec<[i32; 2]>> = BTreeMap::new();
    for &cell in &cells {
        for axis in 0..3 {
            let at = cell.to_array();
            let mut step = [0; 3];
            step[axis] = 1;
            let high = owner.get(&(cell + Cell::from(step))).copied();
            let on_table = axis == 2 && high.is_none() && ground[&cell] == Some(cell.z);
            if high == Some(owner[&cell]) || high.is_none() && !on_table {
                continue;
            }
            let area = areas.entry((owner[&cell], high, axis, at[axis] + 1)).or_default();
            area.push(across(axis).map(|axis| at[axis]));
        }
    }
    let contact = |((low, high, axis, at), cells)| Contact { low, high, axis, at, cells };
    areas.into_iter().map(contact).collect()
}

/// Returns the two axes perpendicular to `axis`.
pub(super) const fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}
