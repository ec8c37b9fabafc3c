//! The visible surface of cells from a corner, computed exactly.
//!
//! In isometric projection every face of a cell is a rhombus of two triangles of one fixed grid. It is therefore
//! enough to find the first cell on the line of sight of every triangle. No face is sorted or cut, and nothing is
//! rounded.
//!
//! Screen coordinates are integers. `a` counts steps of half a rhombus (√3⁄2 of an edge) to the right, `b` steps of
//! half an edge down. A triangle lies in the band from a to a + 1 with its middle at height b. It points to the left
//! if a + b is even, else to the right.

use super::color::FaceSide;
use super::corner::Corner;
use somacat_geometry::lattice::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub(super) type Point = (i64, i64);

/// A face that is at least partly visible.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) cell: Cell,
    pub(super) side: FaceSide,
    /// The corners in order around the face: on the screen, and in space.
    corners: [(Point, [i32; 3]); 4],
    /// The visible grid triangles of the face: one or two.
    pub(super) seen: Vec<Point>,
}

/// The kind of boundary that a line marks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum EdgeKind {
    /// Between cells of a piece, or between faces of a cell.
    Inner,
    /// Around pieces, around the figure, and wherever one cell hides another.
    Outline,
}

#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) faces: Vec<Face>,
    pub(super) lines: BTreeSet<(EdgeKind, Point, Point)>,
    pub(super) hidden: BTreeSet<Cell>,
}

impl Face {
    /// Returns the corners of the face on the screen, in order.
    pub(super) fn outline(&self) -> [Point; 4] {
        self.corners.map(|(point, _)| point)
    }

    fn in_space(&self, point: Point) -> Option<[i32; 3]> {
        self.corners.iter().find(|(p, _)| *p == point).map(|(_, at)| *at)
    }

    /// Returns the two grid triangles of the face.
    fn triangles(&self) -> [Point; 2] {
        let mut points = self.outline();
        points.sort_unstable();
        let [first, second, _, last] = points;
        if last.0 - first.0 == 2 {
            return [first, (first.0 + 1, first.1)];
        }
        // Two points at the left, two at the right, at four successive heights.
        let top = first.1.min(points[2].1).min(second.1);
        [(first.0, top + 1), (first.0, top + 2)]
    }
}

pub(super) fn project([x, y, z]: [i32; 3], corner: Corner) -> Point {
    let [x, y, z] = [x, y, z].map(i64::from);
    let [right, front, up] = corner.signs();
    (front * x - right * y, up * (right * x + front * y) + 2 * z)
}

/// Returns the face of a cell towards the viewer along an axis.
fn face(cell: Cell, axis: usize, corner: Corner) -> Face {
    let [right, front, up] = corner.signs();
    let near = [right > 0, front > 0, up < 0][axis];
    let mut base = cell.to_array();
    base[axis] += i32::from(near);
    let others = [[1, 2], [0, 2], [0, 1]][axis];
    let step = |along: [i32; 2]| {
        let mut at = base;
        at[others[0]] += along[0];
        at[others[1]] += along[1];
        (project(at, corner), at)
    };
    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(step);
    let middle = |points: &[(Point, [i32; 3])]| points.iter().map(|(p, _)| p.0).sum::<i64>();
    let center = 2 * project(cell.to_array(), corner).0 + front - right;
    let side = match axis {
        2 if up > 0 => FaceSide::Top,
        2 => FaceSide::Bottom,
        _ if middle(&corners) < 2 * center => FaceSide::Left,
        _ => FaceSide::Right,
    };
    Face { cell, side, corners, seen: Vec::new() }
}

/// Returns the corners of a grid triangle: its apex, the upper, and the lower one.
pub(super) fn triangle((a, b): Point) -> [Point; 3] {
    let (apex, base) = if (a + b) % 2 == 0 { (a, a + 1) } else { (a + 1, a) };
    [(apex, b), (base, b - 1), (base, b + 1)]
}

/// Returns the edges of a grid triangle, with the triangles beyond.
fn edges((a, b): Point) -> [(Point, Point, Point); 3] {
    let [apex, up, down] = triangle((a, b));
    let beyond_base = if (a + b) % 2 == 0 { a + 1 } else { a - 1 };
    [(apex, up, (a, b - 1)), (apex, down, (a, b + 1)), (up, down, (beyond_base, b))]
}

impl Surface {
    /// Computes the visible surface of cells from a corner. Each cell has the number of its piece.
    pub(super) fn new(cells: &BTreeMap<Cell, Option<usize>>, corner: Corner) -> Self {
        let [right, front, up] = corner.signs();
        let nearness = |cell: Cell| {
            let [x, y, z] = cell.to_array().map(i64::from);
            right * x + front * y - up * z
        };
        let toward = [
            Cell::new(right as i32, 0, 0),
            Cell::new(0, front as i32, 0),
            Cell::new(0, 0, -up as i32),
        ];
        let mut faces: Vec<Face> = Vec::new();
        let mut first: BTreeMap<Point, (i64, usize)> = BTreeMap::new();
        for &cell in cells.keys() {
            for (axis, &step) in toward.iter().enumerate() {
                if cells.contains_key(&(cell + step)) {
                    continue;
                }
                let face = face(cell, axis, corner);
                for triangle in face.triangles() {
                    let candidate = (nearness(cell), faces.len());
                    let shown = first.entry(triangle).or_insert(candidate);
                    *shown = (*shown).max(candidate);
                }
                faces.push(face);
            }
        }
        for (&triangle, &(_, at)) in &first {
            faces[at].seen.push(triangle);
        }
        let mut lines = BTreeSet::new();
        for (&triangle, &(_, at)) in &first {
            for (p, q, beyond) in edges(triangle) {
                let other = first.get(&beyond).map(|&(_, other)| other);
                if other == Some(at) {
                    continue;
                }
                let same_surface = other.is_some_and(|other| {
                    let (one, two) = (&faces[at], &faces[other]);
                    let meets = |point| {
                        let here = one.in_space(point);
                        here.is_some() && here == two.in_space(point)
                    };
                    cells[&one.cell] == cells[&two.cell] && meets(p) && meets(q)
                });
                lines.insert((
                    if same_surface { EdgeKind::Inner } else { EdgeKind::Outline },
                    p.min(q),
                    p.max(q),
                ));
            }
        }
        faces.retain(|face| !face.seen.is_empty());
        let mut hidden: BTreeSet<Cell> = cells.keys().copied().collect();
        for face in &faces {
            hidden.remove(&face.cell);
        }
        Self { faces, lines: join_lines(&lines), hidden }
    }
}

/// Returns the upper corner from which the most cells are seen. Of equal corners it is the first.
pub fn best_corner(cells: &[Cell]) -> Corner {
    let hidden = |corner: &Corner| Reverse(visible_cells(cells, *corner));
    Corner::upper().min_by_key(hidden).unwrap_or_default()
}

/// Returns the number of cells seen from an upper corner. Partly visible cells count. Faster than a surface.
pub fn visible_cells(cells: &[Cell], corner: Corner) -> usize {
    // A cell covers six triangles. On each line of sight, x + y - z is largest for the nearest cell.
    let mut sights: Vec<(i64, i64, Reverse<i64>, usize)> = Vec::new();
    for (at, &cell) in cells.iter().enumerate() {
        let cell = corner.turned_to_default(cell).to_array();
        let [x, y, z] = cell.map(i64::from);
        let (a, b) = project(cell, Corner::default());
        sights.extend((0..6).map(|n| (a - n / 3, b + 1 + n % 3, Reverse(x + y - z), at)));
    }
    sights.sort_unstable();
    sights.dedup_by_key(|(a, b, ..)| (*a, *b));
    let seen: BTreeSet<usize> = sights.into_iter().map(|(.., at)| at).collect();
    seen.len()
}

/// Joins collinear lines that share an end.
pub(super) fn join_lines(
    lines: &BTreeSet<(EdgeKind, Point, Point)>,
) -> BTreeSet<(EdgeKind, Point, Point)> {
    let mut starts: BTreeMap<(EdgeKind, Point, Point), Point> = BTreeMap::new();
    for &(line, p, q) in lines {
        let direction = (q.0 - p.0, q.1 - p.1);
        // The lines are ascending, so one that ends where this one begins was seen before.
        let start = starts.remove(&(line, direction, p)).unwrap_or(p);
        starts.insert((line, direction, q), start);
    }
    starts.into_iter().map(|((line, _, end), start)| (line, start, end)).collect()
}
