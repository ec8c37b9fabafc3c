//! Scenes side by side: the pieces of a set, each with its letter, or figures to compare.

use super::corner::Corner;
use super::layers::rows;
use super::panel::Panel;
use super::picture::{MARGIN, Measure, Picture, View, svg};
use super::scene::Scene;
use super::solid::solid;
use somacat_geometry::pieces::Piece;

/// The gap between scenes, in edges.
const GAP: f64 = 0.5;

/// Draws pieces in rows of at most `columns`, from the corner that shows the most of each.
pub fn tray(pieces: &[&Piece], columns: usize, view: &View) -> Picture {
    let best = |piece: &&Piece| {
        let scene = Scene::of_piece(piece);
        scene.turned(scene.corner(None))
    };
    let scenes: Vec<Scene> = pieces.iter().map(best).collect();
    let names: Vec<&str> = pieces.iter().map(|piece| piece.name()).collect();
    side_by_side(&scenes, columns, view, &names.join(" "))
}

/// Draws scenes in rows of at most `columns`, all from the usual corner. `description` is what screen readers read.
pub fn side_by_side(scenes: &[Scene], columns: usize, view: &View, description: &str) -> Picture {
    let tile = |scene: &Scene| solid(scene, &scene.cells, Corner::default()).0;
    let tiles: Vec<Panel> = scenes.iter().map(tile).collect();
    let panel = rows(&tiles, tiles.len().clamp(1, columns), GAP);
    let measure = Measure::new(panel.size(), view);
    let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
    let svg = svg(&elements, measure.size, measure.scale, view, description);
    let [width, height] = measure.scaled();
    Picture { svg, width, height, hidden: 0, caption: String::new(), with_plans: false }
}
