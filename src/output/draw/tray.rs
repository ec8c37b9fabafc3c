//! Pieces side by side, each with its letter and the number of its copies.

use super::corner::Corner;
use super::layers::rows;
use super::panel::Panel;
use super::picture::{MARGIN, Measure, Picture, View, svg};
use super::scene::Scene;
use super::solid::solid;
use somacat_geometry::pieces::Piece;

/// The gap between pieces, in edges.
const GAP: f64 = 0.5;

/// The height of the number of copies, in edges.
const COPIES: f64 = 0.8;

/// Draws pieces in rows of at most `columns`, from the corner that shows the most of each. A piece has the least and the
/// greatest number of its copies; they are written beside it unless there is one.
pub fn tray(pieces: &[(&Piece, [usize; 2])], columns: usize, view: &View) -> Picture {
    let copies = |[least, most]: [usize; 2]| match most {
        0 | 1 => String::new(),
        _ if least == most => format!("× {most}"),
        _ => format!("× {least}–{most}"),
    };
    let tile = |(piece, number): &(&Piece, [usize; 2])| {
        let scene = Scene::of_piece(piece);
        let scene = scene.turned(scene.corner(None));
        let mut tile = Panel::new();
        tile.place(&solid(&scene, &scene.cells, Corner::default()).0, [0.0; 2]);
        let [width, height] = tile.size();
        tile.text(&copies(*number), [width + GAP / 2.0, (height - COPIES) / 2.0], COPIES);
        tile
    };
    let tiles: Vec<Panel> = pieces.iter().map(tile).collect();
    let panel = rows(&tiles, tiles.len().clamp(1, columns), GAP);
    let measure = Measure::new(panel.size(), view);
    let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
    let named = |(piece, number): &(&Piece, [usize; 2])| {
        [piece.name().to_owned(), copies(*number)].join(" ").trim_end().to_owned()
    };
    let names: Vec<String> = pieces.iter().map(named).collect();
    let svg = svg(&elements, measure.size, measure.scale, view, &names.join(" "));
    let [width, height] = measure.scaled();
    Picture { svg, width, height, hidden: 0, caption: String::new(), with_plans: false }
}
