//! The layers of a scene: as plans, or exploded in isometric projection.

use super::color::{FaceSide, piece_color, shade};
use super::corner::Corner;
use super::panel::{Panel, Pen, PicturePoint};
use super::scene::Scene;
use super::solid::{letter, picture_point, solid};
use super::surface::{EdgeKind, Point, join_lines, project};
use somacat_geometry::lattice::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The side of a square in a plan, in edges.
const SQUARE: f64 = 0.7;

/// The usual height of the layers' numbers.
pub(super) const LABEL: f64 = 0.36;

/// The largest number of squares with dots in the empty ones.
const MOST_DOTS: i64 = 4000;

/// The distance of the bold line at the front edge, in edges.
pub(super) const FRONT: f64 = 0.2;

/// Draws the numbered plan of every layer with cells, top to bottom. In a plan x points right and y down, and a bold
/// line marks the front.
pub(super) fn plans(scene: &Scene, number_height: f64) -> Vec<Panel> {
    let [width, height, layers] = scene.extents();
    let squares = i64::from(width) * i64::from(height) * i64::from(layers);
    let plan = |(&z, &number): (&i32, &i32)| {
        let mut panel = Panel::new();
        panel.reserve([0.0, 0.0]);
        panel.reserve([f64::from(width) * SQUARE, f64::from(height) * SQUARE]);
        let piece = |x, y| scene.cells.get(&Cell::new(x, y, z));
        for (cell, at) in scene.cells.iter().filter(|(cell, _)| cell.z == z) {
            let [left, top] = [f64::from(cell.x) * SQUARE, f64::from(cell.y) * SQUARE];
            let [right, below] = [left + SQUARE, top + SQUARE];
            let label = scene.label(*at);
            let color = shade(piece_color(label), FaceSide::Top);
            panel.area(color, vec![[left, top], [right, top], [right, below], [left, below]]);
            if let Some(label) = label {
                letter(&mut panel, label, color, [left, top], [SQUARE, 0.0], [0.0, SQUARE]);
            }
        }
        if squares <= MOST_DOTS {
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let dot = [(f64::from(x) + 0.5) * SQUARE, (f64::from(y) + 0.5) * SQUARE];
                if piece(x, y).is_none() {
                    panel.line(Pen::Dot, vec![dot, dot]);
                }
            }
        }
        let mut lines: BTreeSet<(EdgeKind, Point, Point)> = BTreeSet::new();
        for (cell, at) in scene.cells.iter().filter(|(cell, _)| cell.z == z) {
            let (x, y) = (i64::from(cell.x), i64::from(cell.y));
            let sides = [
                ((x, y), (x, y + 1), (-1, 0)),
                ((x + 1, y), (x + 1, y + 1), (1, 0)),
                ((x, y), (x + 1, y), (0, -1)),
                ((x, y + 1), (x + 1, y + 1), (0, 1)),
            ];
            for (from, to, (dx, dy)) in sides {
                let same = piece(cell.x + dx, cell.y + dy) == Some(at);
                lines.insert((if same { EdgeKind::Inner } else { EdgeKind::Outline }, from, to));
            }
        }
        for (line, from, to) in join_lines(&lines) {
            let pen = if line == EdgeKind::Inner { Pen::Inner } else { Pen::Outline };
            let picture_point = |(x, y): Point| [x as f64 * SQUARE, y as f64 * SQUARE];
            panel.line(pen, vec![picture_point(from), picture_point(to)]);
        }
        let below = f64::from(height) * SQUARE + FRONT;
        panel.line(Pen::Front, vec![[0.0, below], [f64::from(width) * SQUARE, below]]);
        let is_top = number == 1 && scene.layers.len() > 1;
        panel.label(&format!("{number}{}", if is_top { " top" } else { "" }), number_height);
        panel
    };
    scene.layers.iter().map(plan).collect()
}

/// Draws every layer in isometric projection, top to bottom.
pub(super) fn exploded(scene: &Scene, corner: Corner) -> Vec<Panel> {
    let extents = scene.extents();
    let layer = |(&z, &number): (&i32, &i32)| {
        let cells: BTreeMap<Cell, Option<usize>> =
            scene.cells.iter().filter(|(c, _)| c.z == z).map(|(c, p)| (*c, *p)).collect();
        let (mut panel, _) = solid(scene, &cells, corner);
        // Each layer takes the space of a full one, so that they are aligned.
        let [width, depth, _] = extents;
        reserve_box(&mut panel, [0, 0, z], [width, depth, z + 1], corner);
        panel.label(&number.to_string(), LABEL);
        panel
    };
    scene.layers.iter().map(layer).collect()
}

/// Extends a panel to the box from one point to another.
pub(super) fn reserve_box(panel: &mut Panel, low: [i32; 3], high: [i32; 3], corner: Corner) {
    for at in 0..8 {
        let end = |axis: usize| if at >> axis & 1 == 0 { low[axis] } else { high[axis] };
        panel.reserve(picture_point(project([end(0), end(1), end(2)], corner)));
    }
}

/// Arranges tiles in rows of `columns`, spaced for the largest.
pub(super) fn rows(tiles: &[Panel], columns: usize, gap: f64) -> Panel {
    let mut whole = Panel::new();
    let [width, height] = tile_size(tiles);
    for (at, tile) in tiles.iter().enumerate() {
        let (column, row) = ((at % columns) as f64, (at / columns) as f64);
        whole.place(tile, [column * (width + gap), row * (height + gap)]);
    }
    whole
}

pub(super) fn tile_size(tiles: &[Panel]) -> PicturePoint {
    tiles.iter().map(Panel::size).fold([0.0; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
}
