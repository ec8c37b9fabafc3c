//! Scenes side by side: the pieces of a set, each with its letter and the number of its copies, or figures to compare.

use super::corner::Corner;
use super::layers::rows;
use super::panel::Panel;
use super::picture::{MARGIN, Measure, Picture, View, svg};
use super::scene::Scene;
use super::solid::solid;
use somacat_geometry::pieces::Piece;

/// The gap between scenes, in edges.
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
        let mut tile = tile(&scene.turned(scene.corner(None)));
        let [width, height] = tile.size();
        let left = width + GAP / 2.0;
        let across = tile.text(&copies(*number), [left, (height - COPIES) / 2.0], COPIES);
        if across > 0.0 {
            // The number is closer to its piece than to the next.
            tile.reserve([left + across + GAP, 0.0]);
        }
        tile
    };
    let named = |(piece, number): &(&Piece, [usize; 2])| {
        [piece.name().to_owned(), copies(*number)].join(" ").trim_end().to_owned()
    };
    let names: Vec<String> = pieces.iter().map(named).collect();
    let tiles: Vec<Panel> = pieces.iter().map(tile).collect();
    in_rows(&tiles, columns, view, &names.join(" "))
}

/// Draws scenes in rows of at most `columns`, all from the usual corner. `description` is what screen readers read.
pub fn side_by_side(scenes: &[Scene], columns: usize, view: &View, description: &str) -> Picture {
    in_rows(&scenes.iter().map(tile).collect::<Vec<_>>(), columns, view, description)
}

fn tile(scene: &Scene) -> Panel {
    let mut tile = Panel::new();
    tile.place(&solid(scene, &scene.cells, Corner::default()).0, [0.0; 2]);
    tile
}

fn in_rows(tiles: &[Panel], columns: usize, view: &View, description: &str) -> Picture {
    let panel = rows(tiles, tiles.len().clamp(1, columns), GAP);
    let measure = Measure::new(panel.size(), view);
    let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
    let svg = svg(&elements, measure.size, measure.scale, view, description);
    let [width, height] = measure.scaled();
    Picture { svg, width, height, hidden: 0, caption: String::new(), with_plans: false }
}
