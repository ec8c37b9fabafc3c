//! A scene in isometric projection.

use super::color::{FaceSide, Rgb, needs_white, piece_color, shade};
use super::corner::Corner;
use super::glyph;
use super::label::PieceLabel;
use super::outline::outlines;
use super::panel::{Panel, Pen, PicturePoint};
use super::scene::Scene;
use super::surface::{EdgeKind, Face, Point, Surface};
use somacat_geometry::lattice::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// √3⁄2: half the width of a rhombus with edges of length 1.
const HALF_WIDTH: f64 = 0.866_025_403_784_438_6;

/// The height of the letter of a piece, in edges. The number of a copy has half of it.
pub(super) const LETTER: f64 = 0.46;

/// Converts a grid point to a position in the picture.
pub(super) fn picture_point((a, b): Point) -> PicturePoint {
    [a as f64 * HALF_WIDTH, b as f64 / 2.0]
}

/// Draws some cells of a scene from a corner. Also returns the number of hidden cells.
pub(super) fn solid(
    scene: &Scene,
    cells: &BTreeMap<Cell, Option<usize>>,
    corner: Corner,
) -> (Panel, usize) {
    let surface = Surface::new(cells, corner);
    let mut panel = Panel::new();
    let mut colored: BTreeMap<Rgb, BTreeSet<Point>> = BTreeMap::new();
    for face in &surface.faces {
        let label = scene.label(cells[&face.cell]);
        let color = shade(piece_color(label), face.side);
        colored.entry(color).or_default().extend(&face.seen);
        if let Some(label) = label.filter(|_| face.seen.len() == 2) {
            let (origin, right, down) = frame(face);
            letter(&mut panel, label, color, origin, right, down);
        }
    }
    for (color, triangles) in &colored {
        for area in outlines(triangles) {
            panel.area(*color, area.into_iter().map(picture_point).collect());
        }
    }
    for (line, from, to) in &surface.lines {
        let pen = if *line == EdgeKind::Inner { Pen::Inner } else { Pen::Outline };
        panel.line(pen, vec![picture_point(*from), picture_point(*to)]);
    }
    (panel, surface.hidden.len())
}

/// Returns the origin of a letter on a face, and its directions. These are the edges of the face to the right and
/// down.
fn frame(face: &Face) -> (PicturePoint, PicturePoint, PicturePoint) {
    let mut points = face.outline();
    points.sort_unstable();
    // From left to right; the second corner of a horizontal face is its uppermost.
    let [origin, along, below] = match face.side {
        FaceSide::Top | FaceSide::Bottom => [points[1], points[3], points[0]],
        _ => [points[0], points[2], points[1]],
    };
    let [o, a, b] = [origin, along, below].map(picture_point);
    (o, [a[0] - o[0], a[1] - o[1]], [b[0] - o[0], b[1] - o[1]])
}

/// Writes the letter of a piece on a face or a square. Copies of a piece also have a small number.
pub(super) fn letter(
    panel: &mut Panel,
    label: PieceLabel,
    color: Rgb,
    origin: PicturePoint,
    right: PicturePoint,
    down: PicturePoint,
) {
    const SIZE: f64 = LETTER;
    let pen = if needs_white(color) { Pen::White } else { Pen::Black };
    let scale = SIZE / glyph::CAP_HEIGHT;
    let number = if label.numbered { label.copy.to_string() } else { String::new() };
    let (name, name_width) = glyph::text(&label.name.to_string());
    let (digits, digits_width) = glyph::text(&number);
    let gap = if number.is_empty() { 0.0 } else { 1.6 };
    let width = name_width + gap + digits_width / 2.0;
    let left = 0.5 - width * scale / 2.0;
    let top = 0.5 - SIZE / 2.0;
    let mut write = |strokes: Vec<glyph::Stroke>, x: f64, y: f64, scale: f64| {
        for stroke in strokes {
            let on_face = |&[u, v]: &[f64; 2]| {
                let (u, v) = (x + u * scale, y + v * scale);
                [origin[0] + right[0] * u + down[0] * v, origin[1] + right[1] * u + down[1] * v]
            };
            panel.line(pen, stroke.iter().map(on_face).collect());
        }
    };
    write(name, left, top, scale);
    write(digits, left + (name_width + gap) * scale, top + SIZE * 0.62, scale / 2.0);
}
