//! Pieces drawn in set files, and a solid for each piece.

use crate::support::program::{run, stderr, stdout};
use somacat_formats::read_piece_set;
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// SOMA, each piece drawn in another way: in a line, with slashes, layers side by side and below each other.
const DRAWN: &str = "\
# The seven pieces
V: xx x.
L: xxx ..x
T: ooo/.o.
Z:
  .xx
  xx.
A: xx .x    # two layers
   x. ..
B: xx ..
   x. x.
P:
xx
x.

x_
..
";

fn set_of(text: &str) -> Result<PieceSet, String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("mine.txt"), text).unwrap();
    read_piece_set(&folder.path().join("mine.txt")).map_err(|error| error.to_string())
}

#[test]
fn drawings_are_the_pieces_that_they_show() {
    let mut drawn = set_of(DRAWN).unwrap();
    assert_eq!(drawn, PieceSet::soma(1));
    // The other layer on top is the mirror image.
    let turned = DRAWN.replace("A: xx .x", "A: .x xx");
    drawn = set_of(&turned.replace("   x. ..\nB", "   .. x.\nB")).unwrap();
    assert_eq!(
        drawn.pieces().iter().map(|(_, copies)| *copies).collect::<Vec<_>>(),
        [1, 1, 1, 1, 2, 1]
    );
    // Copies, ranges, and lines of cells among drawings.
    let mixed = set_of("V*2: xx x.\nL*2: 0,0,0 1,0,0 2,0,0 0,1,0\r\n\r\nT:\r\nxxx\r\n.x.\r\n");
    assert_eq!(mixed.unwrap(), parse_set("V2 L2 T").unwrap());
    // Other formats of drawings, as before.
    assert_eq!(set_of("V*2: 11 10\nT: 111 010\n").unwrap(), parse_set("V2 T").unwrap());
}

#[test]
fn mistakes_in_drawings_have_their_line_and_a_remedy() {
    for (text, expected) in [
        (
            "V: xx x.\nT: xxx x",
            "line 2: `x` has another width than the first row, 3; fill rows up with . for empty squares",
        ),
        (
            "V: xx x.\nA: x. xx\n   x.\n",
            "line 3: 1 layer side by side, 2 in the first row; draw each layer in every row",
        ),
        (
            "V: xx x.\n\nT:\nxxx\n.?.\n",
            "line 5: `?` is not a mark of a picture; draw x for a cell and . for an empty square",
        ),
        ("V: x x x", "line 1: the squares of a row have blanks between them; write them together"),
        ("P:\nxx\nx.\n\nx.\n\nV: xx x.", "line 6: the layer above has 1 row, the first one 2"),
        ("V: xx x.\nL: x.x ..x", "line 2: the piece has 2 separate parts"),
        ("V: xx x.\nV: xx x.", "line 2: piece V is already on line 1"),
        ("V: xx x.\nL:\n\n", "line 2: the piece has no cells"),
        ("V: xx x.\nL*0: xxx x..", "line 2: 0 copies"),
    ] {
        let error = set_of(text).unwrap_err();
        assert!(error.contains(&format!("mine.txt: {expected}")), "{text}: {error}");
    }
}

/// Returns the number of triangles of each STL file of a folder.
fn triangles(folder: &Path) -> BTreeMap<String, u32> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let of_file = |path: std::path::PathBuf| {
        let bytes = fs::read(&path).unwrap();
        let number = u32::from_le_bytes(bytes[80..84].try_into().unwrap());
        assert_eq!(bytes.len(), 84 + 50 * number as usize);
        (path.file_name().unwrap().to_str().unwrap().to_owned(), number)
    };
    files.map(of_file).collect()
}

#[test]
fn each_piece_has_a_solid_of_its_own() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("mine.txt"), "v*2: xx x.\nV/.: xxx ..x\n").unwrap();
    let stl = |more: &[&str]| run(folder, &[&["export", "stl"], more].concat());
    let done = stl(&["parts", "--what", "pieces", "--each", "--set", "mine.txt"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(stderr(&done), "3 pieces in parts, and all together in all.stl\n");
    let found = triangles(&folder.join("parts"));
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["1-v.stl", "2-v.stl", "3-V__.stl", "all.stl"]);
    assert_eq!(found["all.stl"], found.values().sum::<u32>() - found["all.stl"]);
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("parts/1-v.stl"), bytes("parts/2-v.stl"), "each lies at the origin");
    // The pieces of a packing stay in place, as in the file with all of them.
    let done =
        stl(&["built", "--what", "packing", "--each", "--figure", "2x2x3", "--set", "D2 P2"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let together = stl(&["-", "--what", "packing", "--figure", "2x2x3", "--set", "D2 P2"]);
    assert_eq!(together.stdout, bytes("built/all.stl"));
    let parts = ["1-P", "2-P", "3-D", "4-D"].map(|name| format!("built/{name}.stl"));
    let found: Vec<u8> = (1..=4)
        .filter_map(|number| {
            let is_part = |name: &String| name.starts_with(&format!("{number}-"));
            let name = triangles(&folder.join("built")).into_keys().find(is_part)?;
            Some(bytes(&format!("built/{name}"))[84..].to_vec())
        })
        .flatten()
        .collect();
    assert_eq!(found, together.stdout[84..], "{parts:?}");
    // The same command again changes nothing; another one is refused.
    let again = stl(&["parts", "--what", "pieces", "--each", "--set", "mine.txt"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    let other = stl(&["parts", "--what", "pieces", "--each", "--set", "SOMA"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("parts exists; choose another folder"), "{}", stderr(&other));
    for line in [&["x", "--each"][..], &["--each", "--what", "pieces"]] {
        let refused = stl(line);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    }
    assert_eq!(stdout(&again), "");
}
