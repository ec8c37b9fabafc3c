//! Pieces side by side, each with its letter.

use super::corner::Corner;
use super::layers::rows;
use super::panel::Panel;
use super::picture::{MARGIN, Measure, Picture, View, svg};
use super::scene::Scene;
use super::solid::solid;
use somacat_geometry::pieces::Piece;

/// The gap between pieces, in edges.
const GAP: f64 = 0.5;

/// Draws pieces in rows of at most `columns`, from the corner that shows the most of each.
pub fn tray(pieces: &[&Piece], columns: usize, view: &View) -> Picture {
    let tile = |piece: &&Piece| {
        let scene = Scene::of_piece(piece);
        let scene = scene.turned(scene.corner(None));
        solid(&scene, &scene.cells, Corner::default()).0
    };
    let tiles: Vec<Panel> = pieces.iter().map(tile).collect();
    let panel = rows(&tiles, tiles.len().clamp(1, columns), GAP);
    let measure = Measure::new(panel.size(), view);
    let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
    let names: Vec<&str> = pieces.iter().map(|piece| piece.name()).collect();
    let svg = svg(&elements, measure.size, measure.scale, view, &names.join(" "));
    let [width, height] = measure.scaled();
    Picture { svg, width, height, hidden: 0, caption: String::new(), with_plans: false }
}
