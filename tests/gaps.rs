//! Packings that leave cells of a figure empty.

use crate::support::figures::grow;
use crate::support::program::{column, run, stderr, stdout, with_input};
use crate::support::random::Random;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::{OPTIONAL, PieceSet, parse_set};
use std::collections::BTreeSet;
use std::process::Output;
use tempfile::TempDir;

fn somacat(args: &[&str], input: &str) -> Output {
    with_input(TempDir::new().unwrap().path(), args, input.as_bytes())
}

type Packing = BTreeSet<(usize, Vec<Cell>)>;

/// Places all copies of the pieces from `piece` on in every way; keeps the packings that cover the required cells.
fn place(
    free: &BTreeSet<Cell>,
    required: &BTreeSet<Cell>,
    left: &[(usize, Vec<Vec<Cell>>)],
    packing: &Packing,
    found: &mut BTreeSet<Packing>,
) {
    let Some(((piece, shapes), later)) = left.split_first() else {
        if required.is_disjoint(free) {
            found.insert(packing.clone());
        }
        return;
    };
    for shape in shapes {
        for &corner in free {
            let cells: Vec<Cell> = shape.iter().map(|&cell| corner + (cell - shape[0])).collect();
            if cells.iter().all(|cell| free.contains(cell)) {
                let rest = free.iter().filter(|cell| !cells.contains(cell)).copied().collect();
                let mut packing = packing.clone();
                let mut cells = cells;
                cells.sort_unstable();
                packing.insert((*piece, cells));
                place(&rest, required, later, &packing, found);
            }
        }
    }
}

/// Returns all packings of a figure whose optional cells may stay empty, by brute force.
fn brute_force(figure: &Figure, optional: &BTreeSet<Cell>, set: &PieceSet) -> BTreeSet<Packing> {
    let cells: BTreeSet<Cell> = figure.cells().iter().copied().collect();
    let required = cells.difference(optional).copied().collect();
    let all = set.pieces().iter().enumerate();
    let all: Vec<(usize, Vec<Vec<Cell>>)> =
        all.flat_map(|(at, (piece, copies))| vec![(at, piece.orientations()); *copies]).collect();
    let mut found = BTreeSet::new();
    place(&cells, &required, &all, &Packing::new(), &mut found);
    found
}

/// Returns the number of packings up to the symmetries that map the figure and its optional cells to themselves.
fn classes(packings: &BTreeSet<Packing>, figure: &Figure, optional: &BTreeSet<Cell>) -> usize {
    let image = |cells: &[Cell], t: Transform| -> Vec<Cell> {
        let all: Vec<Cell> = figure.cells().iter().map(|&cell| t.apply(cell)).collect();
        let corner = Cell::min_corner(&all);
        let mut cells: Vec<Cell> = cells.iter().map(|&cell| t.apply(cell) - corner).collect();
        cells.sort_unstable();
        cells
    };
    let marked: Vec<Cell> = optional.iter().copied().collect();
    let group: Vec<Transform> = Transform::iter()
        .filter(|&t| image(figure.cells(), t) == figure.cells() && image(&marked, t) == marked)
        .collect();
    let least = |packing: &Packing| {
        let images = group.iter().map(|&t| -> Packing {
            packing.iter().map(|(piece, cells)| (*piece, image(cells, t))).collect()
        });
        images.min().unwrap()
    };
    packings.iter().map(least).collect::<BTreeSet<Packing>>().len()
}

/// 500 random figures with optional cells: raw and unique counts of both engines are those of a brute force that places
/// the pieces one after another.
#[test]
fn counts_with_gaps_are_those_of_brute_force() {
    let mut random = Random::new(15);
    let (mut buildable, mut impossible) = (0, 0);
    for round in 0..500 {
        let set = parse_set(["V L", "V2", "T L", "V P", "T2"][round % 5]).unwrap();
        let gaps = 1 + random.below(3);
        let figure = grow(set.total_cells() + gaps, Some([2, 3, 4]), &mut random);
        let mut colors = vec![0; figure.len()];
        while colors.iter().filter(|&&color| color == OPTIONAL).count() < gaps + round % 4 {
            colors[random.below(figure.len())] = OPTIONAL;
        }
        let optional: BTreeSet<Cell> = figure
            .cells()
            .iter()
            .zip(&colors)
            .filter_map(|(&cell, &color)| (color == OPTIONAL).then_some(cell))
            .collect();
        let colors = FigureColors::new(&colors).unwrap();
        let with_gaps = set.with_gaps(gaps);
        let problem = Problem::new(&figure, &with_gaps).with_colors(Some(&colors));
        let packings = brute_force(&figure, &optional, &set);
        for engine in [EngineChoice::Search, EngineChoice::Frontier] {
            let limits = Limits { engine, ..Limits::default() };
            let outcome = count(&problem, limits).unwrap().outcome;
            let text =
                format!("{round} {engine:?} {:?} {optional:?} {}", figure.cells(), set.name());
            match outcome {
                Outcome::Counted(counts) => {
                    assert_eq!(counts.raw, packings.len() as u128, "{text}");
                    let unique = classes(&packings, &figure, &optional);
                    assert_eq!(counts.unique, unique as u128, "{text}");
                    buildable += 1;
                }
                Outcome::Unsolvable(_) => {
                    assert!(packings.is_empty(), "{text}");
                    impossible += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(buildable > 200 && impossible > 100, "{buildable} {impossible}");
}

/// Numbers counted by others: by the census of the box, and by hand.
#[test]
fn known_numbers_of_packings_with_gaps_are_reproduced() {
    for (args, raw, unique) in [
        (vec!["2x3x5"], "3651128", "456391"),
        (vec!["3x3x4"], "5520728288", "345045518"),
        (vec!["--set", "T Z", "1x2x5"], "4", "1"),
        (vec!["--set", "T Z", "1x2x4"], "0", "0"),
    ] {
        let done = somacat(&[&["count", "--gaps", "--csv"], args.as_slice()].concat(), "");
        let rows = stdout(&done);
        assert_eq!([column(&rows, "raw"), column(&rows, "unique")].concat(), [raw, unique]);
    }
}

/// Marks for optional cells: all commands but `count` and `solve` refuse them.
#[test]
fn marked_cells_may_stay_empty_and_others_must_be_filled() {
    let count = |text: &str| {
        let done = somacat(&["count", "--set", "T Z", "--csv", "-"], text);
        column(&stdout(&done), "raw").concat()
    };
    assert_eq!(count("/~~~~~\n/~~~~~\n"), "4");
    // Each packing leaves two corners of one side empty; these are those of the packing `~344~`.
    assert_eq!(count("/*****\n/~***~\n"), "2");
    assert_eq!(count("/*~***\n/*~***\n"), "0");
    assert_eq!(count("0,0,0~ 1,0,0 2,0,0 3,0,0 4,0,0~ 0,1,0 1,1,0 2,1,0 3,1,0 4,1,0\n"), "2");
    let packings = somacat(&["solve", "--set", "T Z", "-"], "/*****\n/~***~\n");
    assert_eq!(stdout(&packings).matches('~').count(), 4, "{}", stdout(&packings));
    let puzzle = "<puzzle version='2'><gridType type='0'/><shapes>\
        <voxel x='5' y='2' z='1' type='0'>++++++++++</voxel>\
        <voxel x='3' y='2' z='1' type='0'>###_#_</voxel>\
        <voxel x='3' y='2' z='1' type='0'>##__##</voxel></shapes><problems><problem state='0'>\
        <shapes><shape id='1' count='1'/><shape id='2' count='1'/></shapes><result id='0'/>\
        </problem></problems></puzzle>";
    let done = somacat(&["count", "--format", "xmpuzzle", "--csv", "-"], puzzle);
    assert_eq!(column(&stdout(&done), "raw"), ["4"]);
    for command in ["symmetry", "import"] {
        let done = somacat(&[command, "-"], "/*****\n/~***~\n");
        assert!(stderr(&done).contains("may stay empty"), "{}", stderr(&done));
    }
}

/// A certificate about cells that may stay empty is none about a figure of which all must be filled; and pieces in place
/// count when no choice of the others has the right size.
#[test]
fn a_certificate_with_gaps_is_not_about_a_full_figure() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let tell = |args: &[&str], code: i32| {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
        stdout(&done) + &stderr(&done)
    };
    std::fs::write(folder.join("gap.txt"), "/*****/~***~\n").unwrap();
    std::fs::write(folder.join("full.txt"), "/*****/*****\n").unwrap();
    let verify = |proof: &str, figure: &str, code| {
        tell(&["verify", "--certificate", proof, "--figure", figure, "--set", "T Z"], code)
    };
    tell(&["prove", "gap.txt", "gap", "--set", "T Z"], 0);
    assert!(verify("gap", "gap.txt", 0).contains("has 2 packings, with gaps\n"));
    assert!(verify("gap", "full.txt", 5).contains("other cells may stay empty"));
    tell(&["prove", "full.txt", "full", "--set", "T Z"], 0);
    verify("full", "gap.txt", 5);
    assert!(verify("full", "full.txt", 0).contains("cannot be built\n"));
    // A proof for any gaps names a figure without marks.
    tell(&["prove", "full.txt", "any", "--set", "T Z", "--gaps"], 0);
    assert!(verify("any", "full.txt", 0).contains(", with gaps\n"));
    verify("any", "gap.txt", 5);
    let all_in_place = "/SOMA1\n/VVL\n/V~L\n/.LL\n";
    std::fs::write(folder.join("placed.txt"), all_in_place).unwrap();
    assert!(tell(&["prove", "placed.txt", "none", "--set", "V L"], 1).contains("in place already"));
    std::fs::write(folder.join("some.txt"), "/SOMA y\n/11**/1***\n").unwrap();
    let set = ["count", "some.txt", "--csv", "--set", "V0..1 D0..3 L0..1"];
    for more in [&[][..], &["--partial"]] {
        assert!(tell(&[&set, more].concat(), 0).contains(",unsolvable,size,"), "{more:?}");
    }
}
