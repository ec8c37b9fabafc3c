//! Packings that use some of the pieces: ranges of copies, choices of a number of pieces, with and without gaps.

use crate::support::figures::grow;
use crate::support::program::{column, stderr, stdout, with_input};
use crate::support::random::Random;
use somacat_counting::solve::{
    EngineChoice, Limits, Problem, count, count_partial, first, rule_out, visit,
};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::{FamousSet, GAP, OPTIONAL, Piece, PieceSet, parse_set_with_ranges};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::process::Output;
use std::time::Instant;
use tempfile::TempDir;

/// The pieces of a packing: the position in the set, and the cells.
type Packing = BTreeSet<(usize, Vec<Cell>)>;

/// A search that takes the first free cell, and fills it with each piece in each way or, if it is optional, leaves it
/// empty.
struct BruteForce<'a> {
    set: &'a PieceSet,
    optional: &'a BTreeSet<Cell>,
    orientations: Vec<Vec<Vec<Cell>>>,
    used: Vec<usize>,
    packing: Packing,
    found: BTreeSet<Packing>,
}

impl<'a> BruteForce<'a> {
    fn new(set: &'a PieceSet, optional: &'a BTreeSet<Cell>) -> Self {
        let orientations = set.pieces().iter().map(|(piece, _)| piece.orientations()).collect();
        let (packing, found, used) = (Packing::new(), BTreeSet::new(), vec![0; set.pieces().len()]);
        Self { set, optional, orientations, used, packing, found }
    }

    fn fill(&mut self, free: &BTreeSet<Cell>) {
        let Some(&cell) = free.first() else {
            let enough =
                self.set.ranges().zip(&self.used).all(|((_, [least, _]), used)| *used >= least);
            let number = self.used.iter().sum::<usize>();
            if enough && self.set.number().is_none_or(|wanted| wanted == number) {
                self.found.insert(self.packing.clone());
            }
            return;
        };
        if self.optional.contains(&cell) {
            self.fill(&free.iter().skip(1).copied().collect());
        }
        for piece in 0..self.used.len() {
            if self.used[piece] == self.set.pieces()[piece].1 {
                continue;
            }
            for shape in self.orientations[piece].clone() {
                let corner = *shape.iter().min().unwrap();
                let mut cells: Vec<Cell> = shape.iter().map(|&c| cell + (c - corner)).collect();
                cells.sort_unstable();
                if cells.iter().all(|cell| free.contains(cell)) {
                    self.used[piece] += 1;
                    let rest = free.iter().filter(|c| !cells.contains(c)).copied().collect();
                    self.packing.insert((piece, cells.clone()));
                    self.fill(&rest);
                    self.packing.remove(&(piece, cells));
                    self.used[piece] -= 1;
                }
            }
        }
    }
}

/// Returns the numbers of packings up to rotations, and up to rotations and reflections, that keep the figure and its
/// optional cells. Reflections count only if the set has each piece as often as its mirror image.
fn classes(
    packings: &BTreeSet<Packing>,
    figure: &Figure,
    optional: &BTreeSet<Cell>,
    set: &PieceSet,
) -> [usize; 2] {
    let image = |cells: &[Cell], t: Transform| -> Vec<Cell> {
        let all: Vec<Cell> = figure.cells().iter().map(|&cell| t.apply(cell)).collect();
        let corner = Cell::min_corner(&all);
        let mut cells: Vec<Cell> = cells.iter().map(|&cell| t.apply(cell) - corner).collect();
        cells.sort_unstable();
        cells
    };
    let marked: Vec<Cell> = optional.iter().copied().collect();
    let ranges: Vec<_> = set.ranges().collect();
    let mirror = |at: usize| {
        let same = |other: &usize| {
            ranges[*other].0.form() == ranges[at].0.mirror_form()
                && ranges[*other].1 == ranges[at].1
        };
        (0..ranges.len()).find(same)
    };
    let mirrors: Option<Vec<usize>> = (0..ranges.len()).map(mirror).collect();
    let keeps =
        |t: &Transform| image(figure.cells(), *t) == figure.cells() && image(&marked, *t) == marked;
    let group: Vec<Transform> = Transform::iter().filter(keeps).collect();
    let number = |reflections: bool| {
        let usable = |t: &&Transform| t.is_rotation() || reflections && mirrors.is_some();
        let least = |packing: &Packing| {
            let images = group.iter().filter(usable).map(|&t| -> Packing {
                let piece =
                    |at: usize| if t.is_rotation() { at } else { mirrors.as_ref().unwrap()[at] };
                packing.iter().map(|(at, cells)| (piece(*at), image(cells, t))).collect()
            });
            images.min().unwrap()
        };
        packings.iter().map(least).collect::<BTreeSet<Packing>>().len()
    };
    [number(false), number(true)]
}

const SETS: [&str; 8] = [
    "V0..2 L0..1 D0..1",
    "V1..2 D0..3",
    "A0..1 B0..1 V0..2",
    "A B0..1 D0..2 V",
    "L0..2 T0..1 D1..2",
    "V L T Z A B P",
    "D0..4 I0..2",
    "V3 L2",
];

/// 500 random figures, some with optional cells: all counts, of every engine and choice by choice, the packings found
/// and the reasons against one are those of a brute force.
#[test]
fn random_choices_are_those_of_brute_force() {
    let mut random = Random::new(61);
    let (mut buildable, mut impossible, mut chosen) = (0, 0, 0);
    for round in 0..500 {
        let mut set = parse_set_with_ranges(SETS[round % SETS.len()]).unwrap();
        let cells = 5 + random.below(6);
        if round % 3 == 0 || !set.is_choice() {
            set = set.partial((round % 4 == 0).then(|| cells.div_ceil(4)));
        }
        let figure = grow(cells, Some([2, 3, 4]), &mut random);
        let mut colors = vec![0; cells];
        for _ in 0..if round % 2 == 0 { 0 } else { 1 + random.below(4) } {
            colors[random.below(cells)] = OPTIONAL;
        }
        let marked = figure.cells().iter().zip(&colors).filter(|(_, color)| **color == OPTIONAL);
        let optional: BTreeSet<Cell> = marked.map(|(&cell, _)| cell).collect();
        let colors = FigureColors::new(&colors);
        let mut search = BruteForce::new(&set, &optional);
        search.fill(&figure.cells().iter().copied().collect());
        let packings = search.found;
        let [rotation, unique] = classes(&packings, &figure, &optional, &set);

        let solved = if optional.is_empty() { set.clone() } else { set.with_gaps_in(cells) };
        let problem = Problem::new(&figure, &solved).with_colors(colors.as_ref());
        let text = format!("{round}: {:?} {optional:?} {:?}", figure.cells(), set.lines());
        for engine in [EngineChoice::Search, EngineChoice::Frontier, EngineChoice::Auto] {
            let limits = Limits { engine, ..Limits::default() };
            match count(&problem, limits).unwrap().outcome {
                Outcome::Counted(counts) => {
                    let expected = [packings.len(), rotation, unique].map(|n| n as u128);
                    assert_eq!(
                        [counts.raw, counts.rotation, counts.unique],
                        expected,
                        "{text} {engine:?}"
                    );
                }
                Outcome::Unsolvable(_) => assert!(packings.is_empty(), "{text} {engine:?}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        if rule_out(&problem).unwrap().is_some() {
            assert!(packings.is_empty(), "{text}");
        }
        let mut visited = BTreeSet::new();
        visit(&problem, Limits::default(), &mut |packing| {
            let pieces = packing.iter().filter(|p| solved.pieces()[p.piece].0.letter() != GAP);
            assert!(visited.insert(pieces.map(|p| (p.piece, p.cells.clone())).collect()), "{text}");
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(visited, packings, "{text}");
        let (found, _) = first(&problem, Limits::default()).unwrap();
        assert_eq!(found.is_some(), !packings.is_empty(), "{text}");

        // The pieces used, by name.
        let mut choices: BTreeMap<String, u128> = BTreeMap::new();
        for packing in &packings {
            let copies = |at: usize| packing.iter().filter(|(piece, _)| *piece == at).count();
            let words = set.pieces().iter().enumerate().filter(|(at, _)| copies(*at) > 0);
            let words: Vec<String> =
                words.map(|(at, (piece, _))| piece.name_with_count(copies(at))).collect();
            *choices.entry(words.join(" ")).or_default() += 1;
        }
        let mut counted = BTreeMap::new();
        count_partial(&problem, &[], Limits::default(), &mut |choice| {
            counted.insert(choice.pieces.name().to_owned(), choice.report.outcome.raw().unwrap());
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(counted, choices, "{text}");
        buildable += usize::from(!packings.is_empty());
        impossible += usize::from(packings.is_empty());
        chosen += usize::from(choices.len() > 1);
    }
    assert!(buildable > 200 && impossible > 80 && chosen > 80, "{buildable} {impossible} {chosen}");
}

fn somacat(args: &[&str], input: &str) -> Output {
    with_input(TempDir::new().unwrap().path(), args, input.as_bytes())
}

/// Runs a command with a set from a file.
fn with_set(lines: &str, args: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("mine.txt"), lines).unwrap();
    with_input(folder.path(), &[args, &["--set", "mine.txt"]].concat(), b"")
}

/// Returns the set of the pentacubes for which `keep` is true, given their extents.
fn pentacubes(keep: impl Fn([u32; 3]) -> bool) -> PieceSet {
    let all = FamousSet::named("pentacubes").unwrap().pieces();
    let extents = |piece: &Piece| Figure::new(piece.cells().iter().copied()).unwrap().extents();
    let kept = all.pieces().iter().filter(|(piece, _)| keep(extents(piece))).cloned();
    PieceSet::new("some pentacubes", kept)
}

/// Checks that a packing of `set` is found with few nodes. Its pieces must be a choice, and its cells those of the figure.
fn is_found(figure: &Figure, set: &PieceSet) {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let (packing, report) = first(&Problem::new(figure, set), limits).unwrap();
    let packing = packing.unwrap_or_else(|| panic!("{:?}: {report:?}", figure.extents()));
    let mut cells: Vec<Cell> = packing.iter().flat_map(|placed| placed.cells.clone()).collect();
    cells.sort_unstable();
    assert_eq!(cells, figure.cells());
    for (at, (piece, [least, most])) in set.ranges().enumerate() {
        let placed = packing.iter().filter(|placed| placed.piece == at);
        assert!(placed.clone().all(|placed| piece.has_shape(&placed.cells)));
        assert!((least..=most).contains(&placed.count()), "{}", piece.name());
    }
}

/// 12 of the 17 pentacubes that are not flat fill four boxes, and 25 of all 29 fill a cube.
#[test]
fn a_choice_of_pentacubes_is_found_at_once() {
    let solid = pentacubes(|extents| extents.iter().all(|&extent| extent > 1));
    assert_eq!(solid.pieces().len(), 17);
    for sides in [[2, 2, 15], [2, 5, 6], [2, 3, 10], [3, 4, 5]] {
        is_found(&Figure::of_box(sides).unwrap(), &solid.partial(Some(12)));
        is_found(&Figure::of_box(sides).unwrap(), &solid.partial(None));
    }
    is_found(&Figure::of_box([5, 5, 5]).unwrap(), &pentacubes(|_| true).partial(None));
}

/// Figures with more items than three words hold.
#[test]
fn large_figures_are_packed_counted_and_ruled_out() {
    let cube = Figure::of_box([6, 6, 6]).unwrap();
    for set in ["T54", "Z54", "S54"] {
        is_found(&cube, &parse_set_with_ranges(set).unwrap());
    }
    let dominoes = parse_set_with_ranges("D512").unwrap();
    is_found(&Figure::of_box([8, 8, 16]).unwrap(), &dominoes);
    // The first piece is a gap in 1,000 nodes above each other.
    let gaps = parse_set_with_ranges("D").unwrap().with_gaps_in(1024);
    is_found(&Figure::of_box([8, 8, 16]).unwrap(), &gaps);

    // Two straight trominoes among 97 dominoes in a row: 99 · 98 / 2 orders, of which 49 are palindromes.
    for set in ["D97 I2", "D97..100 I1..2"] {
        let done = somacat(&["count", "--set", set, "--csv", "1x1x200"], "");
        let row = |name| column(&stdout(&done), name).concat();
        assert_eq!(["raw", "rotation", "unique"].map(row), ["4851", "2450", "2450"], "{set}");
    }
    // 180 squares of four cells: at most one is filled by two dominoes, in either of two ways.
    let squares = |number: i32| -> String {
        (0..number).fold(String::new(), |mut text, n| {
            let [x, y] = [7 * n, n * n];
            let [right, below] = [x + 1, y + 1];
            let _ = write!(text, "{x},{y},0 {right},{y},0 {x},{below},0 {right},{below},0 ");
            text
        }) + "\n"
    };
    for (set, raw) in [("S0..180 D0..2", "361"), ("S179 D0..1", "0")] {
        let done = somacat(&["count", "--set", set, "--csv", "-"], &squares(180));
        assert_eq!(column(&stdout(&done), "raw"), [raw], "{set}: {}", stderr(&done));
    }

    // Bricks of 1×2×4: of 28 marked cells, each covers one at most.
    let bricks = "B*27: 0,0,0 1,0,0 2,0,0 3,0,0 0,1,0 1,1,0 2,1,0 3,1,0";
    let done = with_set(bricks, &["prove", "--json", "6x6x6"]);
    let proof = stdout(&done);
    assert!(proof.contains("\"total\":28") && proof.contains("\"most\":27"), "{proof}");
}

/// Ranges in lists, set files and BurrTools puzzles, and the commands that do not take them.
#[test]
fn ranges_are_read_from_lists_files_and_puzzles() {
    let raw = |args: &[&str], input: &str| {
        let done = somacat(&[&["count", "--csv"], args].concat(), input);
        column(&stdout(&done), "raw").join(" ")
    };
    assert_eq!(raw(&["--set", "V0..2 L T Z*1", "1x3x5"], ""), "16");
    let lines = "V*0..2: 0,0,0 1,0,0 0,1,0\nL: 0,0,0 1,0,0 2,0,0 0,1,0\nT*1..1: 0,0,0 1,0,0 2,0,0 1,1,0\n\
        Z: 0,0,0 1,0,0 1,1,0 2,1,0\n";
    let by_file = with_set(lines, &["count", "--csv", "1x3x5"]);
    assert_eq!(column(&stdout(&by_file), "raw"), ["16"], "{}", stderr(&by_file));
    let puzzle = |copies: &str, voxels: &str| {
        format!(
            "<puzzle version='2'><gridType type='0'/><shapes>\
             <voxel x='5' y='2' z='1' type='0'>{voxels}</voxel>\
             <voxel x='3' y='2' z='1' type='0' name='T'>###_#_</voxel>\
             <voxel x='3' y='2' z='1' type='0' name='Z'>##__##</voxel>\
             <voxel x='2' y='1' z='1' type='0' name='D'>##</voxel></shapes><problems><problem state='0'>\
             <shapes><shape id='1' count='1'/><shape id='2' max='1'/><shape id='3' {copies}/></shapes>\
             <result id='0'/></problem></problems></puzzle>"
        )
    };
    let full = "##########";
    let [none, some] = ["min='0' max='1'", "min='1' max='3'"];
    let by_list = |set: &str| raw(&["--set", set, "1x2x5"], "");
    assert_eq!(raw(&["--format", "xmpuzzle", "-"], &puzzle(none, full)), by_list("T Z D"));
    assert_eq!(raw(&["--format", "xmpuzzle", "-"], &puzzle(some, full)), by_list("T Z0..1 D1..3"));
    // T alone and T with Z, in ten cells that may stay empty: 6 and 4 packings.
    assert_eq!(raw(&["--format", "xmpuzzle", "-"], &puzzle("max='0'", "++++++++++")), "10");

    // Written and read again.
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| with_input(folder.path(), args, b"");
    let sets = ["--set", "T Z0..1 D1..3"];
    let written =
        run(&[&["export", "xmpuzzle", "x.xmpuzzle", "--figure", "1x2x5"], &sets[..]].concat());
    assert!(written.status.success(), "{}", stderr(&written));
    let counted = run(&["count", "--csv", "x.xmpuzzle"]);
    assert_eq!(column(&stdout(&counted), "raw").concat(), by_list(sets[1]), "{}", stderr(&counted));

    for command in ["symmetry", "map", "import"] {
        let done = somacat(&[command, "--format", "xmpuzzle", "-"], &puzzle(some, full));
        let refused = stderr(&done).contains("may be used") || command == "symmetry";
        assert!(refused, "{command}: {}", stderr(&done));
    }
    let done = somacat(&["map", "--set", "V0..2 L", "1x2x5"], "");
    let wanted = "piece V may be used 0 to 2 times, which only `count`, `solve`, `design`, `takeapart`, `prove` and exports";
    assert!(stderr(&done).contains(wanted), "{}", stderr(&done));
}

/// The nearest numbers of cells are named when no choice fits; with a number of pieces, those of this number.
#[test]
fn unsolvable_by_size_says_what_would_fit() {
    let message = |args: &[&str]| stderr(&somacat(&[&["count"], args].concat(), ""));
    let wanted =
        "18 cells; no choice of pieces from SOMA fills as many; the nearest numbers are 16 and 19";
    assert!(
        message(&["--partial", "2x3x3"]).contains(wanted),
        "{}",
        message(&["--partial", "2x3x3"])
    );
    let three = message(&["--partial", "--pieces", "3", "2x3x3"]);
    assert!(three.contains("the nearest number is 12"), "{three}");
    // Also for figures of files, with gaps, and where choices have a number of pieces.
    for (args, wanted) in [
        (&["count", "--set", "V0..2 L2", "-"][..], "the nearest numbers are 8 and 11"),
        (&["count", "--gaps", "--set", "V4", "-"], "10 cells; V4 fills 12"),
        (&["count", "--gaps", "--set", "V4..5", "-"], "the nearest number is 12"),
        (&["solve", "--partial", "--pieces", "4", "--set", "SOMA", "-"], "the pieces fill 15"),
        (&["prove", "--partial", "--pieces", "4", "--set", "SOMA", "-"], "the pieces fill 15"),
        (&["design", "-", "--from", "SOMA", "--pieces", "4"], "the nearest number is 15"),
    ] {
        let done = somacat(args, "two: 11111 11111\n");
        assert!(stderr(&done).contains(wanted), "{args:?}: {}", stderr(&done));
    }
    let done = somacat(&["solve", "--set", "V0..2 L2", "1x2x5"], "");
    assert!(
        stderr(&done).contains("the figure has 10 cells, the pieces fill 8 or 11"),
        "{}",
        stderr(&done)
    );
}

/// With `--limit`, the packings of a search for all choices; with `--pieces`, only those with so many.
#[test]
fn solve_finds_packings_of_several_choices_in_one_search() {
    let pieces = |args: &[&str]| -> Vec<String> {
        let done = somacat(&[&["solve", "--partial", "--csv", "2x2x3"], args].concat(), "");
        let rows = stdout(&done);
        let mut packings: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (packing, piece) in column(&rows, "packing").into_iter().zip(column(&rows, "piece")) {
            packings.entry(packing).or_default().push(piece);
        }
        packings.into_values().map(|pieces| pieces.join(" ")).collect()
    };
    let all = pieces(&[]);
    let choices: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(choices, BTreeSet::from(["L A B", "T A P", "T B P"]));
    assert_eq!(pieces(&["--limit", "5"]).len(), 5);
    assert_eq!(pieces(&["--pieces", "3"]), all);
    assert!(pieces(&["--pieces", "2"]).is_empty());
    let counted = somacat(&["count", "--partial", "--csv", "2x2x3"], "");
    let raw: usize =
        column(&stdout(&counted), "raw").iter().map(|raw| raw.parse::<usize>().unwrap()).sum();
    assert_eq!(all.len(), raw);
}

/// `count` has a row for each choice of pieces with which `solve` writes a packing, also for none at all.
#[test]
fn no_piece_at_all_is_a_choice() {
    let rows =
        stdout(&somacat(&["count", "--partial", "--gaps", "--set", "V D", "1x2x2", "--csv"], ""));
    let choices: Vec<(&str, &str)> = rows
        .lines()
        .skip(1)
        .map(|row| (row.rsplit(',').next().unwrap(), row.split(',').nth(8).unwrap()))
        .collect();
    assert_eq!(choices, [("V", "4"), ("D", "4"), ("none", "1")]);
    let solved = somacat(&["solve", "--partial", "--gaps", "--set", "V D", "1x2x2"], "");
    assert_eq!(stdout(&solved).matches("/SOMA").count(), 9);
    let together = somacat(&["count", "--gaps", "--set", "V0..1 D0..1", "1x2x2", "--csv"], "");
    assert!(stdout(&together).contains(",counted,,9,"), "{}", stdout(&together));
    // Not if a piece must be used, or a cell filled.
    let one =
        somacat(&["count", "--partial", "--pieces", "1", "--gaps", "--set", "V D", "1x2x2"], "");
    assert!(!stdout(&one).contains("none"), "{}", stdout(&one));
    let filled =
        somacat(&["count", "--partial", "--set", "V D", "-", "--csv"], "/SOMA\n/*~\n/~~\n");
    assert!(!stdout(&filled).contains("none"), "{}", stdout(&filled));
}

/// Each row has the time of its own count: on one thread, they add up to less than the command takes.
#[test]
fn rows_of_choices_have_their_own_times() {
    let begun = Instant::now();
    let rows = somacat(
        &[
            "count",
            "--partial",
            "--threads",
            "1",
            "--set",
            "2xSOMA",
            "3x3x3",
            "--limit",
            "1",
            "--csv",
        ],
        "",
    );
    let taken = begun.elapsed().as_micros();
    let times = stdout(&rows);
    let times = times.lines().skip(1).map(|row| row.rsplit(',').nth(2).unwrap().parse().unwrap());
    let times: Vec<u128> = times.collect();
    assert!(times.len() > 100 && times.iter().sum::<u128>() <= taken, "{times:?}");
}
