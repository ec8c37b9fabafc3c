//! Colors of single cells: counts, solutions and designs obey them, and everything else refuses them.

use super::support::figures::boxed;
use super::support::program::{column, run, stderr, stdout};
use super::support::random::Random;
use somacat_counting::solve::{
    EngineChoice, Limits, PackingSymmetries, Problem, count, count_partial, first, visit,
};
use somacat_formats::{Colors, Format, Item, Reader};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform, moved_to_origin};
use somacat_geometry::outcome::{Counts, Outcome};
use somacat_geometry::pieces::{Piece, PieceSet, parse_colored_piece_lines};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::TempDir;

/// The pieces of SOMA as a checkerboard colors them in the cube: the corners of the cube have color 2. L can have
/// either coloring; this one leaves fewer solutions.
const CHECKERED: [&str; 7] = [
    "V: 0,0,0=1 1,0,0=2 0,1,0=2",
    "L: 0,0,0=1 1,0,0=2 2,0,0=1 0,1,0=2",
    "T: 0,0,0=2 1,0,0=1 2,0,0=2 1,1,0=2",
    "Z: 0,0,0=1 1,0,0=2 1,1,0=1 2,1,0=2",
    "A: 0,0,0=1 1,0,0=2 0,1,0=2 1,0,1=1",
    "B: 0,0,0=1 1,0,0=2 0,1,0=2 0,1,1=1",
    "P: 0,0,0=2 1,0,0=1 0,1,0=1 0,0,1=1",
];

/// Exchanges the two colors.
fn exchanged(text: &str) -> String {
    text.replace("=1", "=x").replace("=2", "=1").replace("=x", "=2")
}

/// Writes the cells of a cube with the color that `color` gives to each, 0 for none.
fn cube(color: impl Fn(i32, i32, i32) -> i32) -> String {
    let cell = |n: i32| {
        let (x, y, z) = (n % 3, n / 3 % 3, n / 9);
        match color(x, y, z) {
            0 => format!("{x},{y},{z}"),
            color => format!("{x},{y},{z}={color}"),
        }
    };
    (0..27).map(cell).collect::<Vec<_>>().join(" ")
}

fn checkered_cube() -> String {
    cube(|x, y, z| 2 - (x + y + z) % 2)
}

fn counts(folder: &Path, args: &[&str]) -> Vec<[String; 3]> {
    let done = run(folder, &[&["count", "--csv", "-q"], args].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let rows = stdout(&done);
    let [raw, rotation, unique] = ["raw", "rotation", "unique"].map(|name| column(&rows, name));
    raw.into_iter().zip(rotation).zip(unique).map(|((a, b), c)| [a, b, c]).collect()
}

/// SOMA News of 22 September 2016: the checkered cube has 219 solutions with one coloring of L, and 21 with the other.
#[test]
fn the_checkered_cube_has_the_published_counts() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let set = CHECKERED.join("\n");
    let other = CHECKERED.map(|line| match line.starts_with('L') {
        true => exchanged(line),
        false => line.to_owned(),
    });
    fs::write(folder.join("few.txt"), &set).unwrap();
    fs::write(folder.join("many.txt"), other.join("\n")).unwrap();
    fs::write(folder.join("inverted.txt"), exchanged(&set)).unwrap();
    fs::write(folder.join("cube.cells"), checkered_cube()).unwrap();
    fs::write(folder.join("inverted.cells"), exchanged(&checkered_cube())).unwrap();
    let of = |figure: &str, set: &str| counts(folder, &[figure, "--set", set]).concat();
    assert_eq!(of("cube.cells", "few.txt"), ["1008", "42", "21"]);
    assert_eq!(of("cube.cells", "many.txt"), ["10512", "438", "219"]);
    // Only together do figure and pieces exchange their colors.
    assert_eq!(of("inverted.cells", "inverted.txt"), ["1008", "42", "21"]);
    assert_eq!(of("inverted.cells", "few.txt"), ["0", "0", "0"]);
    // A figure without colors takes any, and so do pieces without colors.
    assert_eq!(of("3x3x3", "few.txt"), ["11520", "480", "240"]);
    assert_eq!(of("cube.cells", "SOMA"), ["11520", "480", "240"]);
    let done = run(folder, &["solve", "--unique", "-q", "--set", "few.txt", "cube.cells"]);
    assert_eq!(stdout(&done).matches("/SOMA").count(), 21);
    // With both L in the universe, each of them is in one of the choices without the other.
    let both = format!("{set}\n{}", other[1].replace("L:", "l:"));
    fs::write(folder.join("both.txt"), both).unwrap();
    let args = ["design", "cube.cells", "--from", "both.txt", "--pieces", "7", "--csv", "-q"];
    let rows = stdout(&run(folder, &args));
    for row in ["\nV L T Z A B P,1008,42,21,", "\nV T Z A B P l,10512,438,219,"] {
        assert!(rows.contains(row), "{rows}");
    }
    let partial = counts(folder, &["cube.cells", "--partial", "--set", "both.txt"]);
    assert_eq!(
        partial.iter().map(|row| row[2].clone()).collect::<Vec<_>>(),
        column(&rows, "unique")
    );
}

/// Marks on two cells of the cube and on two pieces, with the number of packings.
type TwoMarks = ([&'static str; 2], [(&'static str, &'static str); 2], &'static str);

/// All markings of docs/answers.md that leave one solution.
const TWO_MARKS: [TwoMarks; 19] = [
    (["0,0,0", "1,0,0"], [("L", "0,1,0"), ("P", "1,0,0")], "2"),
    (["0,0,0", "2,0,0"], [("L", "0,1,0"), ("P", "0,0,0")], "4"),
    (["0,0,0", "2,1,0"], [("L", "0,0,0"), ("P", "0,0,0")], "1"),
    (["0,0,0", "2,1,1"], [("L", "0,1,0"), ("Z", "1,0,0")], "2"),
    (["0,0,0", "2,2,1"], [("L", "0,1,0"), ("Z", "1,0,0")], "2"),
    (["0,0,0", "2,2,1"], [("L", "2,0,0"), ("P", "0,0,0")], "2"),
    (["1,0,0", "0,1,0"], [("L", "0,0,0"), ("P", "1,0,0")], "2"),
    (["1,0,0", "1,1,0"], [("V", "0,0,0"), ("P", "0,0,0")], "2"),
    (["1,0,0", "1,1,0"], [("Z", "0,0,0"), ("P", "0,0,0")], "2"),
    (["1,0,0", "1,1,0"], [("L", "2,0,0"), ("A", "0,0,0")], "1"),
    (["1,0,0", "1,1,0"], [("L", "2,0,0"), ("B", "0,0,0")], "1"),
    (["1,0,0", "1,2,0"], [("L", "2,0,0"), ("Z", "0,0,0")], "4"),
    (["1,0,0", "1,2,0"], [("L", "0,0,0"), ("P", "1,0,0")], "4"),
    (["1,0,0", "0,1,1"], [("L", "0,1,0"), ("Z", "0,0,0")], "2"),
    (["1,0,0", "1,2,1"], [("L", "0,0,0"), ("Z", "1,0,0")], "2"),
    (["1,0,0", "1,2,1"], [("L", "2,0,0"), ("Z", "1,0,0")], "2"),
    (["1,0,0", "1,2,2"], [("L", "0,0,0"), ("Z", "0,0,0")], "8"),
    (["1,0,0", "1,2,2"], [("L", "2,0,0"), ("P", "1,0,0")], "8"),
    (["1,1,0", "1,1,2"], [("L", "1,0,0"), ("Z", "1,0,0")], "16"),
];

#[test]
fn two_marks_leave_one_solution() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (cells, marks, raw) in TWO_MARKS {
        let marked = |(line, word): (&str, &str)| {
            let cell = word.split('=').next().unwrap();
            let is_marked = marks.contains(&(&line[..1], cell));
            format!("{cell}={}", 1 + u8::from(is_marked))
        };
        let piece = |line: &str| {
            let words = line[2..].split_whitespace().map(|word| marked((line, word)));
            format!("{}: {}", &line[..1], words.collect::<Vec<_>>().join(" "))
        };
        fs::write(folder.join("marked.txt"), CHECKERED.map(piece).join("\n")).unwrap();
        let cube = cube(|x, y, z| 1 + i32::from(cells.contains(&&*format!("{x},{y},{z}"))));
        fs::write(folder.join("cube.cells"), cube).unwrap();
        let done = run(folder, &["count", "--csv", "-q", "--set", "marked.txt", "cube.cells"]);
        let row = stdout(&done);
        let found = ["raw", "unique"].map(|name| column(&row, name)).concat();
        assert_eq!(found, [raw, "1"], "{cells:?} {marks:?} {}", stderr(&done));
        // Class and order are those of the marked cube.
        if cells == ["1,1,0", "1,1,2"] {
            let shown = ["class", "order"].map(|name| column(&row, name)).concat();
            assert_eq!(shown, ["D4h", "16"]);
        }
    }
}

/// A piece for the reference: its cells with colors.
type Painted = Vec<(Cell, u8)>;

fn turned(piece: &[(Cell, u8)], t: Transform) -> Painted {
    let mut image: Painted = piece.iter().map(|&(cell, color)| (t.apply(cell), color)).collect();
    image.sort_unstable();
    let cells = moved_to_origin(image.iter().map(|(cell, _)| *cell).collect());
    cells.into_iter().zip(image.into_iter().map(|(_, color)| color)).collect()
}

/// Returns the first of the images under the transforms of one hand.
fn least(piece: &[(Cell, u8)], rotation: bool) -> Painted {
    let images = Transform::iter().filter(|t| t.is_rotation() == rotation);
    images.map(|t| turned(piece, t)).min().unwrap()
}

/// A packing: the pieces, by number, with their cells.
type Packing = Vec<(usize, Vec<Cell>)>;

/// Lists all packings by trying each piece, in each of its orientations, on the first free cell.
fn packings(figure: &[(Cell, u8)], pieces: &[Vec<Painted>], left: &[usize]) -> Vec<Packing> {
    let Some(&(free, _)) = figure.first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for (number, piece) in pieces.iter().enumerate().filter(|(number, _)| left[*number] > 0) {
        let mut placed: BTreeSet<Vec<Cell>> = BTreeSet::new();
        for image in piece {
            let shift = free - image[0].0;
            let fits = image.iter().all(|&(cell, color)| {
                let at = figure.iter().find(|(other, _)| *other == cell + shift);
                at.is_some_and(|&(_, other)| color == 0 || other == 0 || color == other)
            });
            if fits {
                placed.insert(image.iter().map(|&(cell, _)| cell + shift).collect());
            }
        }
        for cells in placed {
            let rest: Painted =
                figure.iter().filter(|(cell, _)| !cells.contains(cell)).copied().collect();
            let mut left = left.to_vec();
            left[number] -= 1;
            for mut packing in packings(&rest, pieces, &left) {
                packing.push((number, cells.clone()));
                packing.sort();
                all.push(packing);
            }
        }
    }
    all
}

/// Counts packings, and their classes under the symmetries that keep figure and colors.
fn reference(figure: &[(Cell, u8)], pieces: &[Painted], copies: &[usize]) -> [u128; 3] {
    let images = |piece: &Painted| {
        Transform::iter().filter(|t| t.is_rotation()).map(|t| turned(piece, t)).collect()
    };
    let all = packings(figure, &pieces.iter().map(images).collect::<Vec<_>>(), copies);
    let mirrored: Option<Vec<usize>> = pieces
        .iter()
        .zip(copies.iter().copied())
        .map(|(piece, count)| {
            let at = pieces.iter().position(|p| least(p, true) == least(piece, false))?;
            (copies[at] == count).then_some(at)
        })
        .collect();
    let classes = |with_reflections: bool| {
        let group: Vec<Transform> = Transform::iter()
            .filter(|t| t.is_rotation() || with_reflections && mirrored.is_some())
            .filter(|&t| turned(figure, t) == figure)
            .collect();
        let corner = |t: Transform| {
            Cell::min_corner(&figure.iter().map(|(c, _)| t.apply(*c)).collect::<Vec<_>>())
        };
        let least = |packing: &Packing| {
            let image = |t: &Transform| {
                let moved = packing.iter().map(|(number, cells)| {
                    let mut cells: Vec<Cell> =
                        cells.iter().map(|&c| t.apply(c) - corner(*t)).collect();
                    cells.sort_unstable();
                    let number = if t.is_rotation() {
                        *number
                    } else {
                        mirrored.as_ref().map_or(*number, |mirrored| mirrored[*number])
                    };
                    (number, cells)
                });
                let mut moved: Packing = moved.collect();
                moved.sort();
                moved
            };
            group.iter().map(image).min().unwrap()
        };
        all.iter().map(least).collect::<BTreeSet<Packing>>().len() as u128
    };
    [all.len() as u128, classes(false), classes(true)]
}

/// Random colors on five pieces, some of which have the same shape, and symmetric colors on a box of 3×3×2.
#[test]
fn counts_equal_those_of_brute_force() {
    let shapes: [&[[i32; 3]]; 4] = [
        &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    ];
    let figure = boxed([3, 3, 2]);
    let patterns: [fn(Cell) -> u8; 5] = [
        |c| 1 + ((c.x + c.y + c.z) % 2) as u8,
        |c| u8::from((c.x, c.y) == (1, 1)),
        |c| 2 * u8::from(c.x != 1 && c.y != 1),
        |c| [1, 0, 2][c.x as usize],
        |c| u8::from(c.z == 0) + 2 * u8::from(c.x == 2 && c.z == 1),
    ];
    let mut random = Random::new(60);
    let (mut buildable, mut closed, mut several) = (0, 0, 0);
    for round in 0..40 {
        let pattern = patterns[round % patterns.len()];
        let pieces: Vec<Painted> = shapes
            .iter()
            .map(|cells| {
                let mut color = || [0, 0, 0, 1, 2][random.below(5)];
                cells.iter().map(|&cell| (Cell::from(cell), color())).collect()
            })
            .collect();
        if least(&pieces[1], true) == least(&pieces[2], true) {
            continue;
        }
        let painted: Painted = figure.cells().iter().map(|&cell| (cell, pattern(cell))).collect();
        let copies = [2, 1, 1, 1];
        let wanted = reference(&painted, &pieces, &copies);
        let named = pieces.iter().zip("VLlP".chars()).zip(copies).map(|((piece, name), copies)| {
            let (cells, colors): (Vec<Cell>, Vec<u8>) = piece.iter().copied().unzip();
            (Piece::colored(name, &cells, &colors).unwrap(), copies)
        });
        let set = PieceSet::new("painted", named);
        assert_eq!(set.pieces().len(), 4, "pieces of different colors are different");
        let colors: Vec<u8> = painted.iter().map(|(_, color)| *color).collect();
        let colors = FigureColors::new(&colors).unwrap();
        let problem = Problem::new(&figure, &set).with_colors(Some(&colors));
        for engine in [EngineChoice::Search, EngineChoice::Frontier] {
            let limits = Limits { engine, ..Limits::default() };
            let outcome = count(&problem, limits).unwrap().outcome;
            let found = match outcome {
                Outcome::Counted(Counts { raw, rotation, unique }) => [raw, rotation, unique],
                Outcome::Unsolvable(_) => [0; 3],
                other => panic!("{other:?}"),
            };
            assert_eq!(found, wanted, "round {round}, {engine:?}");
        }
        let symmetries = PackingSymmetries::of(&problem);
        let (mut raw, mut unique) = (0, 0);
        visit(&problem, Limits::default(), &mut |packing| {
            raw += 1;
            unique += u128::from(symmetries.is_least(packing));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!([raw, unique], [wanted[0], wanted[2]]);
        assert_eq!(first(&problem, Limits::default()).unwrap().0.is_some(), wanted[0] > 0);
        let mut partial = 0;
        count_partial(&problem, &[], Limits::default(), &mut |choice| {
            partial += choice.report.outcome.raw().unwrap();
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(partial, wanted[0]);
        buildable += usize::from(wanted[0] > 0);
        closed += usize::from(wanted[2] < wanted[1]);
        several += usize::from(wanted[1] < wanted[0]);
    }
    assert!(buildable > 15 && closed > 2 && several > 8, "{buildable} {closed} {several}");
}

/// The lines of a set are a set file, with the colors; equal shapes of other colors are other pieces.
#[test]
fn set_files_keep_colors() {
    let text = "V: 0,0,0=1 1,0,0 0,1,0\nW*2: 0,0,0 1,0,0=1 0,1,0\nX: 0,0,0=1 0,1,0 0,0,1";
    let set = parse_colored_piece_lines("x", text).unwrap();
    let names: Vec<String> = set.pieces().iter().map(|(p, n)| p.name_with_count(*n)).collect();
    assert_eq!(names, ["V2", "W2"], "X is a V in another position");
    assert_eq!(
        parse_colored_piece_lines("x", &set.lines().join("\n")).unwrap().lines(),
        set.lines()
    );
    assert_eq!(set.definition().matches("=1").count(), 2, "{}", set.definition());
    let standard = parse_colored_piece_lines("x", "V: 0,0,0 1,0,0 0,1,0").unwrap();
    assert_eq!(standard.definition(), "V");
    for (cell, why) in [
        ("0,0,0=0", "`0,0,0=0` has no color; a color is a number from 1 to 63, as in 0,0,0=1"),
        ("0,0,0=64", "`0,0,0=64` has no color"),
        ("0,0,0=", "`0,0,0=` has no color"),
        ("0,0,0=+1", "`0,0,0=+1` has no color"),
        ("0,0=1", "`0,0=1` is not a cell"),
    ] {
        let error = parse_colored_piece_lines("x", &format!("V: {cell}")).unwrap_err().to_string();
        assert!(error.starts_with("line 1: ") && error.contains(why), "{error}");
        let figure = Reader::new(cell.as_bytes(), Some(Format::Cells)).unwrap().next();
        let Some(Ok(Item::Fault(fault))) = figure else { panic!("{cell}") };
        assert!(fault.to_string().contains(why), "{fault}");
    }
}

/// `takeapart` has the packings that `count` has, with colors and with cells that may stay empty.
#[test]
fn pieces_with_colors_are_taken_apart() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("set.txt"), CHECKERED.join("\n")).unwrap();
    fs::write(folder.join("cube.cells"), checkered_cube()).unwrap();
    fs::write(folder.join("gaps.soma"), "/*****/~***~\n").unwrap();
    for (figure, set, unique) in [("cube.cells", "set.txt", 21), ("gaps.soma", "T Z", 1)] {
        let counted = stdout(&run(folder, &["count", figure, "--set", set, "--json"]));
        let counted: serde_json::Value = serde_json::from_str(&counted).unwrap();
        assert_eq!(counted[0]["unique"], unique, "{figure}");
        let rows = stdout(&run(folder, &["takeapart", figure, "--set", set, "--csv"]));
        assert_eq!(rows.lines().count(), 1 + unique, "{rows}");
        assert!(rows.lines().skip(1).all(|row| row.contains(",yes,")), "{rows}");
        let totals =
            stdout(&run(folder, &["takeapart", "--totals", figure, "--set", set, "--csv"]));
        assert!(
            totals.lines().last().unwrap().contains(&format!(",{unique},{unique},")),
            "{totals}"
        );
    }
}

/// Commands and plans that cannot obey colors refuse them: a figure costs itself alone, a set the command.
#[test]
fn what_cannot_obey_colors_refuses_them() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("set.txt"), CHECKERED.join("\n")).unwrap();
    fs::write(folder.join("figures.cells"), format!("{}\n{}", checkered_cube(), cube(|_, _, _| 0)))
        .unwrap();
    fs::write(folder.join("cube.cells"), checkered_cube()).unwrap();
    let why = "have colors, which only `count`, `solve`, `design` and `takeapart` obey";
    for args in [
        &["places", "cube.cells"][..],
        &["prove", "cube.cells"],
        &["map", "cube.cells"],
        &["stand", "cube.cells"],
        &["symmetry", "cube.cells"],
        &["show", "cube.cells"],
        &["export", "dlx", "--figure", "cube.cells"],
    ] {
        let done = run(folder, args);
        assert_ne!(done.status.code(), Some(0), "{args:?}");
        assert!(stderr(&done).contains(&format!("cube.cells:1: the cells {why}")), "{args:?}");
    }
    let done = run(folder, &["import", "--db", "x.db", "figures.cells"]);
    assert!(done.status.code() == Some(3) && stderr(&done).contains(why), "{}", stderr(&done));
    let rows = stdout(&run(folder, &["query", "--db", "x.db", "--csv"]));
    assert_eq!(column(&rows, "raw"), ["11520"], "the other figure is imported");
    for args in [
        &["places", "3x3x3", "--set", "set.txt"][..],
        &["prove", "3x3x3", "--set", "set.txt"],
        &["map", "3x3x3", "--set", "set.txt"],
        &["stand", "3x3x3", "--set", "set.txt"],
        &["export", "dlx", "--figure", "3x3x3", "--set", "set.txt"],
        &["show", "set.txt"],
        &["census", "2x2x7", "--set", "set.txt"],
        &["enumerate", "buildable", "--class", "Oh", "--set", "set.txt"],
        &["import", "--set", "set.txt", "figures.cells"],
        &["design", "3x3x3", "--from", "set.txt", "--pieces", "7", "--catalog"],
        &["design", "cube.cells", "--from", "SOMA", "--pieces", "7", "--catalog"],
    ] {
        let done = run(folder, args);
        let told = stderr(&done);
        assert!(done.status.code() > Some(0), "{args:?}");
        let catalog = args[0] == "design" && told.contains("a catalog does not keep the colors");
        assert!(catalog || told.contains("set.txt:") && told.contains("colors"), "{args:?} {told}");
    }
    fs::write(folder.join("plan.toml"), "import = [\"figures.cells\"]\nset = \"set.txt\"\n")
        .unwrap();
    let done = run(folder, &["run", "plan.toml"]);
    assert!(done.status.code() > Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("colors"), "{}", stderr(&done));
    let rows = run(folder, &["count", "--by-part", "--csv", "--set", "set.txt", "cube.cells"]);
    assert!(stderr(&rows).contains("no unique_by_part"), "{}", stderr(&rows));
}

/// Returns a puzzle of two bars side by side. `pairs` lists the pairs of colors, of a piece and of the box.
fn bars(pieces: [&str; 2], board: &str, pairs: &[(u8, u8)]) -> String {
    let pairs: String =
        pairs.iter().map(|(p, r)| format!("<pair piece=\"{p}\" result=\"{r}\"/>")).collect();
    format!(
        "<puzzle version=\"2\"><gridType type=\"0\"/><shapes>\n\
         <voxel x=\"3\" y=\"1\" z=\"1\" type=\"0\">{}</voxel>\n\
         <voxel x=\"3\" y=\"1\" z=\"1\" type=\"0\">{}</voxel>\n\
         <voxel x=\"3\" y=\"2\" z=\"1\" type=\"0\">{board}</voxel></shapes>\n\
         <problems><problem><shapes><shape id=\"0\" count=\"1\"/><shape id=\"1\" count=\"1\"/></shapes>\
         <result id=\"2\"/><bitmap>{pairs}</bitmap></problem></problems></puzzle>\n",
        pieces[0], pieces[1]
    )
}

/// BurrTools allows the pairs of colors that a problem lists, and every pair with a cell without a color.
#[test]
fn colors_of_burrtools_are_obeyed() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let same = [(0, 0), (1, 1)];
    for (pieces, board, pairs, raw) in [
        // Two bars without colors are equal, and lie along the box.
        (["###", "###"], "######", &same[..], "1"),
        // Without colors in the box both orders are packings.
        (["#1##", "#2##"], "######", &same, "2"),
        // Only one bar may have its colored end on the ends of the first row.
        (["#1##", "#2##"], "#1##1###", &same, "1"),
        (["#1##", "#2##"], "#1##1#2##2", &same, "1"),
        (["#1##", "#1##"], "#1##1#2##2", &same, "0"),
        (["#1##", "###"], "#1##1###", &same, "2"),
        (["#1##", "#2##"], "#1#####", &same, "2"),
        // Only color 2 of a piece may lie on color 1 of the box.
        (["#1##", "#2##"], "#1##1###", &[(1, 0)], "1"),
        (["#1##", "#2##"], "#1##1###", &[(1, 0), (0, 0)], "2"),
        (["###", "#2##"], "#1##1###", &[(1, 0)], "2"),
        (["#1##", "###"], "#1##1###", &[(1, 0)], "1"),
        // A color of the box without a pair takes cells without a color only.
        (["#1##", "#1##"], "#1##1###", &[], "0"),
    ] {
        let text = bars(pieces, board, pairs);
        fs::write(folder.join("bars.xmpuzzle"), &text).unwrap();
        let found = counts(folder, &["bars.xmpuzzle"]).concat();
        assert_eq!(found[0], raw, "{pieces:?} {board} {pairs:?}");
        let refused = Reader::new(text.as_bytes(), None).unwrap().next();
        let colored = text.contains("#1") || text.contains("#2");
        assert_eq!(matches!(refused, Some(Ok(Item::Fault(_)))), colored, "{text}");
    }
    let text = bars(["#64##", "###"], "######", &[]);
    let reader = Reader::new(text.as_bytes(), None).unwrap();
    let Some(Ok(Item::Entry(entry))) = reader.with_colors(Colors::Obeyed).next() else { panic!() };
    let pieces = entry.pieces.unwrap().unwrap_err().to_string();
    assert!(pieces.contains("color 64 is above 63"), "{pieces}");
    assert_eq!(entry.figure, Figure::new(boxed([3, 2, 1]).cells().to_vec()).unwrap());
}
