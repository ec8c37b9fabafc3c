//! The pictures of the glossary, one for each of its words.

use crate::draw::{Corner, Picture, Plans, Scene, View, ViewKind, side_by_side, tray};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::BTreeMap;

/// A solution of the cube, with its layers from top to bottom and their rows from back to front. Letters and digits are
/// pieces, `_` is a piece without a letter, `#` a cell without a piece, and `.` an empty place.
const CUBE: &str = "PPA/PAA/TTT PZZ/BAV/BTL ZZV/BBV/LLL";
const FREE: &str = "###/###/### ###/###/### ###/###/###";

/// The words with scenes of their own, each with the scenes and how many are in a row.
const SCENES: [(&str, usize, &[&str]); 14] = [
    ("cell", 1, &["#"]),
    ("piece", 1, &["LLL/L.."]),
    // One piece in some of its places.
    (
        "difficulty",
        2,
        &[
            "###/###/TTT ###/###/#T# ###/###/###",
            "##T/##T/##T ###/##T/### ###/###/###",
            "###/###/### ###/###/#T# ###/###/TTT",
            "###/TTT/#T# ###/###/### ###/###/###",
        ],
    ),
    // Moving T and L leads from one of these solutions to the other.
    ("map", 2, &["###/###/TTT ###/###/#TL ###/###/LLL", "###/###/LLL ###/###/#TL ###/###/TTT"]),
    ("lower-bound", 1, &["###PPA/###PAA/###TTT ###PZZ/###BAV/###BTL ###ZZV/###BBV/###LLL"]),
    ("parity", 1, &["_#_/#_#/_#_ #_#/_#_/#_# _#_/#_#/_#_"]),
    (
        "marks",
        1,
        &[
            "1#1../###../1#1.. ..#../..#../..#.. ..1#1/..###/..1#1 ....#/....#/....# ....1/....#/....1",
        ],
    ),
    ("symmetry", 1, &["_..#/_..# __##/__##"]),
    ("class", 2, &[FREE, "## ## ##", "#../##. ###/##.", ".#/.. ##/#."]),
    ("order", 2, &[".##/##./.#.", ".#./###/..#", ".#./.##/##.", "#../###/.#."]),
    ("fold", 1, &["..#../..#../#####/..#../..#.."]),
    ("roto-reflection", 1, &[".../VVV/... .L./.L./.L."]),
    ("signature", 2, &["#../... ###/#..", "##/#. #./.. #./.."]),
    ("height-map", 1, &["3../.../... #2./2../... ##1/#1./1.."]),
];

/// Returns the picture of each word as SVG.
pub(super) fn pictures() -> BTreeMap<&'static str, String> {
    let view = |title: &str| View {
        plans: Plans::Never,
        caption: false,
        title: title.to_owned(),
        ..View::default()
    };
    let drawn = |word: &str, scenes: &[Scene], columns| {
        side_by_side(scenes, columns, &view(word), "A picture of the word.").svg
    };
    let mut pictures: BTreeMap<_, _> = SCENES
        .iter()
        .map(|(word, columns, scenes)| {
            let scenes: Vec<Scene> = scenes.iter().map(|text| scene(text)).collect();
            (*word, drawn(word, &scenes, *columns))
        })
        .collect();
    let (cube, mirrored, free) = (scene(CUBE), scene(&mirror_image(CUBE)), scene(FREE));
    // A solution, the same one turned, and their mirror images: of these, two are the same up to rotation.
    let back = Corner { right: false, front: false, above: true };
    let four = [cube.clone(), cube.turned(back), mirrored.clone(), mirrored.turned(back)];
    for (word, counted) in [("unique", 1), ("rotation", 2), ("raw", 4)] {
        let counts = |at: usize| at.is_multiple_of(4 / counted);
        let scenes: Vec<Scene> =
            (0..4).map(|at| if counts(at) { four[at].clone() } else { free.clone() }).collect();
        pictures.insert(word, drawn(word, &scenes, 2));
    }
    pictures.insert("solution", drawn("solution", std::slice::from_ref(&cube), 1));
    let layers = View { kind: ViewKind::Layers, ..view("SOMA text") };
    pictures.insert("soma-text", Picture::new(&cube, &layers).svg);
    let soma = PieceSet::soma(1);
    let pieces: Vec<(&Piece, [usize; 2])> = soma.ranges().collect();
    pictures.insert("piece-set", tray(&pieces, 3, &view("piece set")).svg);
    // A figure that would tip over, and as it is shown.
    let positions = [scene("###/... .#./..."), scene(".#. ###")];
    pictures.insert("position", drawn("position", &positions, 1));
    pictures
}

/// Reads a scene in the notation of [`CUBE`].
fn scene(text: &str) -> Scene {
    let mut pieces: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
    let mut cells = Vec::new();
    for (z, layer) in (0..).zip(text.split(' ')) {
        for (y, row) in (0..).zip(layer.split('/')) {
            for (x, mark) in (0..).zip(row.chars()).filter(|(_, mark)| *mark != '.') {
                let cell = Cell::new(x, y, z);
                cells.push(cell);
                match mark {
                    '#' => {}
                    '_' => pieces.entry(' ').or_default().push(cell),
                    letter => pieces.entry(letter).or_default().push(cell),
                }
            }
        }
    }
    let figure = Figure::new(cells).expect("a scene has cells");
    // The figure begins at 0, so the text must, too.
    Scene::of_packing(&figure, &pieces.into_iter().collect::<Vec<_>>())
        .expect("the pieces are parts of the figure")
}

/// Mirrors a scene from left to right. A and B are mirror images of each other.
fn mirror_image(text: &str) -> String {
    let mirrored = |mark| match mark {
        'A' => 'B',
        'B' => 'A',
        other => other,
    };
    let row = |row: &str| row.chars().rev().map(mirrored).collect::<String>();
    let layer = |layer: &str| layer.split('/').map(row).collect::<Vec<_>>().join("/");
    text.split(' ').map(layer).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::figure::Figure;

    /// Reads the pieces of a scene's text.
    fn pieces_of(text: &str) -> BTreeMap<char, Figure> {
        let mut cells: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
        for (z, layer) in (0..).zip(text.split(' ')) {
            for (y, row) in (0..).zip(layer.split('/')) {
                for (x, mark) in (0..).zip(row.chars()) {
                    cells.entry(mark).or_default().push(Cell::new(x, y, z));
                }
            }
        }
        cells.into_iter().map(|(mark, cells)| (mark, Figure::new(cells).unwrap())).collect()
    }

    #[test]
    fn the_solutions_of_the_glossary_use_the_pieces_of_soma() {
        let rotated = |figure: &Figure| {
            figure.canonical_up_to(somacat_geometry::figure::Equivalence::Rotations).signature
        };
        let shape = |piece: &Piece| rotated(&Figure::new(piece.cells().iter().copied()).unwrap());
        let [_, _, _, (_, _, [from, to]), ..] = &SCENES else { panic!("the map has two scenes") };
        let completed = |part: &str| -> String {
            let places = part.chars().zip(CUBE.chars());
            places.map(|(mark, other)| if mark == '#' { other } else { mark }).collect()
        };
        assert_eq!(completed(from), CUBE);
        for text in [CUBE.to_owned(), mirror_image(CUBE), completed(to)] {
            let found = pieces_of(&text);
            for (piece, _) in PieceSet::soma(1).pieces() {
                assert_eq!(rotated(&found[&piece.letter()]), shape(piece), "{piece:?} in {text}");
            }
        }
    }
}
