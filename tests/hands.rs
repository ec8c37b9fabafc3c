//! Building instructions in words say where each piece goes: a reader that knows only the words gets the packing back.

use crate::support::figures::grow;
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_counting::solve::Limits;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_output::dossier::Packing;

/// A piece as its instruction says it: name, and cells as layer, row, column, sorted.
type Placed = (char, Vec<[i32; 3]>);

/// Reads an instruction, word by word.
fn read(instruction: &str) -> Placed {
    let (posture, places) = instruction.trim_end_matches('.').split_once(": ").unwrap();
    let name = posture.split([' ', ',']).nth(1).unwrap().chars().next().unwrap();
    let (mut layer, mut row, mut cells) = (0, 0, Vec::new());
    for part in places.split([';', ',']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<i32>().unwrap();
        match words[..] {
            ["layer", _] => layer = number(1),
            ["row", _] => row = number(1),
            ["columns", _, "to", _] => {
                cells.extend((number(1)..=number(3)).map(|column| [layer, row, column]));
            }
            // `column 1`, `columns 1 and 3`; a list of more has its first ones between commas.
            _ => {
                let columns = words.iter().filter_map(|word| word.parse::<i32>().ok());
                cells.extend(columns.map(|column| [layer, row, column]));
            }
        }
    }
    cells.sort_unstable();
    (name, cells)
}

fn sorted(mut pieces: Vec<Placed>) -> Vec<Placed> {
    pieces.sort_unstable();
    pieces
}

/// The pieces of a packing as the instructions count them.
fn placed(packing: &Packing) -> Vec<Placed> {
    let all = || packing.pieces.iter().flat_map(|(_, cells)| cells);
    let [x, y, z] = [
        all().map(|cell| cell.x).min().unwrap(),
        all().map(|cell| cell.y).min().unwrap(),
        all().map(|cell| cell.z).min().unwrap(),
    ];
    let piece = |(name, cells): &(char, Vec<_>)| {
        let place = |cell: &somacat_geometry::lattice::Cell| {
            [cell.z - z + 1, cell.y - y + 1, cell.x - x + 1]
        };
        let mut cells: Vec<[i32; 3]> = cells.iter().map(place).collect();
        cells.sort_unstable();
        (*name, cells)
    };
    sorted(packing.pieces.iter().map(piece).collect())
}

#[test]
fn a_packing_is_read_back_from_its_words() {
    let mut random = Random::new(27);
    let sets = ["SOMA", "2xSOMA", "V L T", "bedlam", "pentominoes"];
    let sets: Vec<PieceSet> = sets.map(|set| parse_set(set).unwrap()).into();
    let boxes = [[3, 3, 3], [3, 3, 6], [1, 1, 1], [4, 4, 4], [2, 5, 6]];
    let mut examples: Vec<(Figure, &PieceSet)> = boxes
        .into_iter()
        .zip(&sets)
        .filter(|(_, set)| set.name() != "V L T")
        .map(|(sides, set)| (Figure::of_box(sides).unwrap(), set))
        .collect();
    // Three pieces build about half of the random figures of eleven cells.
    let grown = (0..600).map(|_| grow(11, None, &mut random));
    examples.extend(grown.map(|figure| (figure, &sets[2])));
    let mut read_back = 0;
    for (figure, set) in examples {
        let Ok(packing) = Packing::find(&figure, None, set, Limits::default()) else { continue };
        let words = packing.instructions();
        let read: Vec<Placed> = words.iter().map(|words| read(words)).collect();
        assert_eq!(sorted(read), placed(&packing), "{words:?}");
        // They come in building order.
        let order: String = words.iter().map(|words| self::read(words).0).collect();
        assert_eq!(order, packing.order_in_letters());
        read_back += 1;
    }
    assert!(read_back > 100, "{read_back} packings");
}

#[test]
fn show_says_how_to_build_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let shown = run(folder.path(), &["show", "3x3x3", "--kind", "building"]);
    let text = stdout(&shown);
    let steps = text.lines().filter(|line| line.contains(": layer ")).count();
    assert_eq!(steps, 7, "{text}{}", stderr(&shown));
    assert!(text.contains("Layers are counted from the top"), "{text}");
    let none = run(folder.path(), &["show", "1x1x3", "--set", "V", "--kind", "building"]);
    assert_eq!(none.status.code(), Some(1));
}
