//! The pieces of a set side by side, each once, with its letter and the number of copies.

use super::corner::Corner;
use super::layers::rows;
use super::panel::Panel;
use super::picture::{MARGIN, Measure, Picture, View, svg};
use super::scene::Scene;
use super::solid::solid;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;

/// Pieces in a row.
const ROW: usize = 12;
/// The gap between pieces, and the height of the numbers of copies, in edges.
const GAP: f64 = 0.5;
const COPIES: f64 = 0.5;

/// Draws the pieces of a set from the usual corner.
pub fn tray(set: &PieceSet, view: &View) -> Picture {
    let tiles: Vec<Panel> = set
        .pieces()
        .iter()
        .map(|(piece, copies)| {
            let figure = Figure::new(piece.cells().iter().copied()).expect("a piece is a figure");
            let pieces = [(piece.letter(), figure.cells().to_vec())];
            let scene = Scene::of_packing(&figure, &pieces).expect("a piece fills its own cells");
            let scene = scene.turned(scene.corner(None));
            let (mut panel, _) = solid(&scene, &scene.cells, Corner::default());
            if *copies > 1 {
                panel.label(&format!("×{copies}"), COPIES);
            }
            panel
        })
        .collect();
    let panel = rows(&tiles, tiles.len().clamp(1, ROW), GAP);
    let measure = Measure::new(panel.size(), view);
    let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
    let lines = set.lines();
    let svg = svg(&elements, measure.size, measure.scale, view, &lines.join(", "));
    let [width, height] = measure.scaled();
    Picture { svg, width, height, hidden: 0, caption: String::new(), with_plans: false }
}
