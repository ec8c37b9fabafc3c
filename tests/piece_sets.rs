//! Piece sets from files: lists of pieces, puzzles, and refused sets for which proofs would not hold.

use crate::support::program::{column, run, stderr, stdout, with_input};
use rusqlite::Connection;
use somacat_counting::solve::{Limits, Problem, count};
use somacat_formats::read_piece_set;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::{PieceSet, parse_piece_lines, parse_set};
use somacat_output::export::{PuzzleFigure, write_xmpuzzle};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with files of pieces.
struct Folder(TempDir);

impl Folder {
    fn set(&self, name: &str, bytes: &[u8]) -> Result<PieceSet, String> {
        let path: PathBuf = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        let set = read_piece_set(&path);
        set.map_err(|error| error.to_string().replace(&format!("{}/", self.0.path().display()), ""))
    }
}

/// Shapes of a puzzle: a cube, pieces, one in two parts, and one with a cell that may be filled or not.
const SHAPES: &str = "<voxel x='3' y='3' z='3'>###########################</voxel>\n\
                      <voxel x='1' y='1' z='2'>##</voxel>\n\
                      <voxel x='3' y='2' z='1' name='A'>####_#</voxel>\n\
                      <voxel x='2' y='1' z='1' name='bar'>##</voxel>\n\
                      <voxel x='5' y='1' z='1' name='#'>#####</voxel>\n\
                      <voxel x='4' y='2' z='1'>#####___</voxel>\n\
                      <voxel x='2' y='2' z='1'>#__#</voxel>\n\
                      <voxel x='2' y='1' z='1'>#+</voxel>\n";

/// Returns a puzzle with these shapes whose first problem has these pieces.
fn puzzle(pieces: &str) -> Vec<u8> {
    let text = format!(
        "<puzzle>\n<gridType type='0'/>\n<shapes>\n{SHAPES}</shapes>\n<problems>\n<problem>\
         <shapes>{pieces}</shapes>\n<result id='0'/></problem>\n<problem><shapes>\
         <shape id='7' count='1'/></shapes></problem></problems></puzzle>"
    );
    text.into_bytes()
}

#[test]
fn the_pieces_of_a_puzzle_are_a_set() {
    let folder = Folder(TempDir::new().unwrap());
    // The written form of any set reads back as that set.
    for text in ["SOMA", "2xSOMA", "SOMA+", "V2 L T", "A3"] {
        let set = parse_set(text).unwrap();
        let cells = (0..set.total_cells() as i32).map(|x| Cell::new(x, 0, 0));
        let figure = Figure::new(cells).unwrap();
        let mut bytes = Vec::new();
        write_xmpuzzle(&[PuzzleFigure::full("it", &figure, set.clone())], &mut bytes).unwrap();
        assert_eq!(folder.set("any.xmpuzzle", &bytes), Ok(set));
    }
    // Equal shapes are one piece. A name is kept, a known piece has its own, and the others get the next free letter.
    let uses = "<shape id='1' count='2'/><shape id='2' count='1'/><shape id='3' min='1' max='1'/>\
                <shape id='4' count='1'/><shape id='5' count='1'/><shape id='6' count='0'/>";
    let set = folder.set("mine.xmpuzzle", &puzzle(uses)).unwrap();
    let pieces: Vec<(&str, char, usize, usize)> = (set.pieces().iter())
        .map(|(piece, n)| (piece.name(), piece.letter(), piece.size(), *n))
        .collect();
    assert_eq!(set.name(), "mine");
    let expected = [("bar", 'b', 2, 3), ("A", 'A', 5, 1), ("B", 'B', 5, 1), ("C", 'C', 5, 1)];
    assert_eq!(pieces, expected);
    // The set can also be written as a set file and read back.
    let lines: Vec<String> = set
        .pieces()
        .iter()
        .map(|(piece, n)| {
            let cells: Vec<String> = piece.cells().iter().map(ToString::to_string).collect();
            format!("{}*{n}: {}", piece.name(), cells.join(" "))
        })
        .collect();
    assert_eq!(parse_piece_lines("mine", &lines.join("\n")), Ok(set));
}

#[test]
fn puzzles_without_a_set_are_refused() {
    let folder = Folder(TempDir::new().unwrap());
    let refused = |pieces: &str| folder.set("bad.xmpuzzle", &puzzle(pieces)).unwrap_err();
    let cases = [
        (
            "<shape id='6' count='1'/>",
            "bad.xmpuzzle: line 10: shape S7: the piece has 2 separate parts; its cells must be connected \
             through faces",
        ),
        (
            "<shape id='7' count='1'/>",
            "bad.xmpuzzle: line 11: shape S8: a cell of a piece cannot stay empty (+)",
        ),
        (
            "<shape id='1' min='0' max='2'/>",
            "bad.xmpuzzle: piece D may be used 0 to 2 times, which only `count`, `solve`, `design`, \
             `takeapart`, `prove` and exports for other solvers take; give it one number of copies",
        ),
        (
            "<shape id='1' min='3' max='2'/>",
            "bad.xmpuzzle: line 14: piece S2 may be used 3 to 2 times; the least number must not be above \
             the greatest",
        ),
        ("<shape id='1'/>", "bad.xmpuzzle: line 14: piece S2 has no count"),
        (
            "<shape id='9' count='1'/>",
            "bad.xmpuzzle: line 14: the problem uses a shape that the puzzle does not have",
        ),
        (
            "<shape id='1' count='2000'/>",
            "bad.xmpuzzle: the pieces of the problem: `D*2000`: write 1 to 1024 copies, or a \
             range such as 0..2 with the smaller number first",
        ),
    ];
    for (pieces, message) in cases {
        assert_eq!(refused(pieces), message);
    }
    assert_eq!(
        folder.set("bad.xmpuzzle", b"<puzzle><shapes/></puzzle>").unwrap_err(),
        "bad.xmpuzzle: the puzzle has no problem, so its pieces are unknown"
    );
    let spheres = b"<puzzle><gridType type=\"2\"/></puzzle>";
    assert_eq!(
        folder.set("bad.xmpuzzle", spheres).unwrap_err(),
        "bad.xmpuzzle: the puzzle uses spheres (gridType 2); only puzzles of cubes (gridType 0) can be \
         read"
    );
}

#[test]
fn lists_of_pieces_are_read_from_files() {
    let folder = Folder(TempDir::new().unwrap());
    let list = b"X*2: 0,0,0 1,0,0 # a bar\nY: 0,0,0 1,0,0 2,0,0\n";
    let set = folder.set("mine.txt", list).unwrap();
    assert_eq!((set.name(), set.total_cells()), ("mine", 7));
    // The pieces of SOMA are the set SOMA, whatever the name of their file.
    let corner = b"V: 0,0,0 1,0,0 0,1,0\n";
    assert_eq!(folder.set("other.txt", corner).unwrap().name(), "V");
    assert_eq!(folder.set("v.txt", corner).unwrap().name(), "V");
    // A file may be called anything: its set never has the name of other pieces.
    // Nor does its name say more about the pieces than there is, or take two lines.
    let files = [
        ("lib.txt", "lib.txt"),
        ("A2", "./A2"),
        ("soma", "./soma"),
        ("Bedlam.txt", "Bedlam.txt"),
        ("3 of SOMA.txt", "3 of SOMA.txt"),
        ("SOMA, with gaps", "./SOMA, with gaps"),
        ("two\nlines.txt", "two\u{fffd}lines"),
    ];
    // Windows has no line ends in names.
    for (file, name) in files.into_iter().take(if cfg!(windows) { 6 } else { 7 }) {
        let set = folder.set(file, list).unwrap();
        assert_eq!((set.name(), set.total_cells()), (name, 7));
    }
    assert_eq!(folder.set("soma.txt", corner).unwrap().name(), "V");
    assert_eq!(
        folder.set("g.txt", b"G*2: 0,0,0 2,0,0\n").unwrap_err(),
        "g.txt: line 1: the piece has 2 separate parts; its cells must be connected \
         through faces"
    );
    let long = vec![b'#'; 9 << 20];
    let too_long = "long.txt: more than 8 MiB, too large for a list of pieces";
    assert_eq!(folder.set("long.txt", &long).unwrap_err(), too_long);
    let missing = read_piece_set(&folder.0.path().join("nowhere.txt")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot find the piece file "), "{missing}");
}

/// Two dominoes with a gap: the figure has a packing, but the colors and sizes of its parts seem to exclude one.
///
/// Such pieces are therefore refused in every set.
#[test]
fn disconnected_pieces_are_refused_by_every_command() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.txt"), "G*2: 0,0,0 2,0,0\n").unwrap();
    fs::write(folder.join("it.cells"), "0,0,0 2,0,0 5,0,0 7,0,0\n").unwrap();
    for command in ["count", "solve", "import"] {
        let output = run(folder, &[command, "--set", "g.txt", "it.cells"]);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let error = stderr(&output);
        assert!(
            error.contains("g.txt: line 1: the piece has 2 separate parts"),
            "{command}: {error}"
        );
    }
    // A catalog from before this refusal.
    fs::write(folder.join("h.txt"), "H*2: 0,0,0 1,0,0\n").unwrap();
    let import = run(folder, &["import", "--set", "h.txt", "it.cells"]);
    assert_eq!(import.status.code(), Some(0), "{}", stderr(&import));
    let catalog = Connection::open(folder.join("somacat.db")).unwrap();
    let sql = "UPDATE piece_set SET definition = 'H*2: 0,0,0 2,0,0'";
    assert_eq!(catalog.execute(sql, []).unwrap(), 1);
    drop(catalog);
    let check = run(folder, &["catalog", "check", "--csv"]);
    assert_eq!(check.status.code(), Some(5), "{}", stderr(&check));
    assert!(stdout(&check).contains("the piece has 2 separate parts"), "{}", stdout(&check));
    let verify = run(folder, &["verify"]);
    assert_eq!(verify.status.code(), Some(1), "{}", stdout(&verify));
    let error = stderr(&verify);
    assert!(
        error.contains("piece set h in the catalog: line 1: the piece has 2 separate"),
        "{error}"
    );
}

#[test]
fn a_puzzle_is_a_set_for_every_command() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cube = with_input(folder, &["enumerate", "box", "3x3x3", "--cells", "27"], b"");
    fs::write(folder.join("cube.cells"), &cube.stdout).unwrap();
    let export = ["export", "xmpuzzle", "mine.xmpuzzle", "--figure", "cube.cells", "--set", "SOMA"];
    assert_eq!(run(folder, &export).status.code(), Some(0));
    for set in ["mine.xmpuzzle", "soma", "v l t z a b p"] {
        let counted = run(folder, &["count", "--set", set, "cube.cells"]);
        assert_eq!(counted.status.code(), Some(0), "{}", stderr(&counted));
        assert_eq!(column(&stdout(&counted), "unique"), ["240"], "{set}");
    }
}

/// No figure is as large as a thousand SOMAs. This is detected before their color constraint is computed, which would
/// take seconds.
#[test]
fn a_set_that_is_too_large_is_refused_at_once() {
    let figure = Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9))).unwrap();
    let set = parse_set("1024xSOMA").unwrap();
    let report = count(&Problem::new(&figure, &set), Limits::default()).unwrap();
    assert_eq!(report.outcome.reason(), Some(Reason::Size));
    assert_eq!(report.nodes, Some(0));
}
