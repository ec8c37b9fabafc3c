//! Cells as closed surfaces for 3D printing.
//!
//! The solid is shrunk by half the clearance at its boundary. Two pieces that touch in the lattice are therefore a
//! full clearance apart. So are cells that touch only along an edge or at a corner. With a clearance the surface is
//! a proper manifold: every edge belongs to two faces with opposite directions. Without one, an edge along which
//! cells touch belongs to four.

use somacat_geometry::lattice::Cell;
use std::collections::{BTreeSet, HashMap};

/// Sizes in millimeters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshSize {
    /// The distance between adjacent cells.
    pub cell: f64,
    /// The gap between solids that touch in the lattice. It is 0 or more, and less than `cell`.
    pub clearance: f64,
}

impl Default for MeshSize {
    /// Uses cells of 20 mm and a clearance of 0.2 mm. Many wooden sets have such cells, and the clearance suits
    /// common printers.
    fn default() -> Self {
        Self { cell: 20.0, clearance: 0.2 }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum MeshSizeError {
    #[error("a cell is 0.01 mm to 10000 mm, not {0} mm")]
    Cell(f64),
    #[error("the clearance is at least 0 mm and less than the cell, not {0} mm")]
    Clearance(f64),
}

/// A closed surface of triangles, counterclockwise seen from outside. In millimeters: x to the right, y to the back,
/// z up, the lowest point at height 0. This rotates the figure's frame without mirroring it.
#[derive(Clone, PartialEq, Debug)]
pub struct Mesh {
    pub name: String,
    /// The corners, without duplicates.
    pub vertices: Vec<[f64; 3]>,
    /// Three positions in `vertices` each.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshSize {
    pub fn new(cell: f64, clearance: f64) -> Result<Self, MeshSizeError> {
        if !(0.01..=10_000.0).contains(&cell) {
            return Err(MeshSizeError::Cell(cell));
        }
        if !(0.0..cell).contains(&clearance) {
            return Err(MeshSizeError::Clearance(clearance));
        }
        Ok(Self { cell, clearance })
    }

    /// Returns the start of a division of the refined grid. Odd divisions are the insides of cells, even ones the
    /// slabs between cells.
    fn position(self, division: i32) -> f64 {
        let half = self.clearance / 2.0;
        let plane = f64::from(division.div_euclid(2)) * self.cell;
        if division.rem_euclid(2) == 0 { plane - half } else { plane + half }
    }
}

impl Mesh {
    /// Creates the surface of some cells of a figure. `height` is the figure's height. The figure's smallest
    /// coordinates are 0. All cells of the figure give its own surface.
    pub fn new(name: &str, cells: &[Cell], height: u32, size: MeshSize) -> Self {
        // Seen from above and with z up: a half turn about the x axis.
        let turned = |c: Cell| Cell::new(c.x, -c.y, height as i32 - 1 - c.z);
        let cells: BTreeSet<Cell> = cells.iter().map(|&c| turned(c)).collect();
        let solid: BTreeSet<Cell> = if size.clearance > 0.0 {
            refined(&cells)
        } else {
            cells.iter().map(|c| Cell::new(2 * c.x + 1, 2 * c.y + 1, 2 * c.z + 1)).collect()
        };
        // Without a clearance there are no slabs, and a cell reaches to the next.
        let stride = if size.clearance > 0.0 { 1 } else { 2 };
        let mut mesh = Self { name: name.to_owned(), vertices: Vec::new(), triangles: Vec::new() };
        let mut known: HashMap<Cell, u32> = HashMap::new();
        for &at in &solid {
            for axis in 0..3 {
                for outward in [false, true] {
                    let step = |by: i32| {
                        let mut next = at.to_array();
                        next[axis] += by;
                        Cell::from(next)
                    };
                    if solid.contains(&step(if outward { stride } else { -stride })) {
                        continue;
                    }
                    let base = if outward { step(stride) } else { at };
                    let corners = square(base, axis, outward, stride);
                    let ids = corners.map(|corner| {
                        *known.entry(corner).or_insert_with(|| {
                            let [x, y, z] =
                                corner.to_array().map(|division| size.position(division));
                            mesh.vertices.push([x, y, z - size.clearance / 2.0]);
                            (mesh.vertices.len() - 1) as u32
                        })
                    });
                    mesh.triangles.push([ids[0], ids[1], ids[2]]);
                    mesh.triangles.push([ids[0], ids[2], ids[3]]);
                }
            }
        }
        mesh
    }

    /// Returns the volume in cubic millimeters.
    pub fn volume(&self) -> f64 {
        let signed = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|at| self.vertices[at as usize]);
            (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0
        };
        self.triangles.iter().map(signed).sum()
    }

    pub fn moved(mut self, by: [f64; 3]) -> Self {
        for vertex in &mut self.vertices {
            for (value, by) in vertex.iter_mut().zip(by) {
                *value += by;
            }
        }
        self
    }

    /// Returns the smallest and the largest coordinates.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for vertex in &self.vertices {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(vertex[axis]);
                bounds[1][axis] = bounds[1][axis].max(vertex[axis]);
            }
        }
        bounds
    }
}

/// Returns the corners of a square across an axis, counterclockwise from outside.
fn square(base: Cell, axis: usize, outward: bool, stride: i32) -> [Cell; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |along_u: bool, along_v: bool| {
        let mut at = base.to_array();
        at[u] += if along_u { stride } else { 0 };
        at[v] += if along_v { stride } else { 0 };
        Cell::from(at)
    };
    let around =
        [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
    if outward { around } else { [around[0], around[3], around[2], around[1]] }
}

/// Returns the solid divisions of the shrunk cells: the inside of every cell, and a slab between cells if all cells
/// around it exist.
fn refined(cells: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let mut solid = BTreeSet::new();
    for cell in cells {
        for offset in 0..8 {
            let bit = |axis: i32| offset >> axis & 1;
            // From the inside of the cell towards the lower neighbors; the upper ones reach down to here.
            let around = (0..8).filter(|other| other & !offset == 0);
            let whole = around.into_iter().all(|other: i32| {
                let lower = |axis: i32| other >> axis & 1;
                cells.contains(&Cell::new(cell.x - lower(0), cell.y - lower(1), cell.z - lower(2)))
            });
            if whole {
                let at = |value: i32, axis: i32| 2 * value + 1 - bit(axis);
                solid.insert(Cell::new(at(cell.x, 0), at(cell.y, 1), at(cell.z, 2)));
            }
        }
    }
    solid
}
