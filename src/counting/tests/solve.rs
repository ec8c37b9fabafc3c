//! The solver against published counts, two counters, and brute force over packings.

use crate::support::bench_sets::{bench_sets, connected_subsets};
use crate::support::dancing::dancing;
use crate::support::figures::{box_cells, boxed, grow, naive, subset};
use crate::support::random::Random;
use proptest::prelude::*;
use somacat_checking::{recount, verify_packing};
use somacat_counting::solve::{
    EngineChoice, FigureFailure, Limits, PartialReport, PartialTotal, Placement, Problem,
    Remainder, RemainderError, SolveError, choices, count, count_partial, first, for_each_choice,
    guard, unique_by_part, visit,
};
use somacat_geometry::figure::{Figure, prefilter};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::{Reason, Report, Verdict};
use somacat_geometry::pieces::{PieceSet, parse_colored_piece_lines, parse_set};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

fn soma() -> PieceSet {
    PieceSet::soma(1)
}

fn cube() -> Figure {
    boxed([3, 3, 3])
}

fn counted(figure: &Figure, set: &PieceSet) -> Report {
    count(&Problem::new(figure, set), Limits::default()).unwrap()
}

/// Returns every packing; checks each one and that none occurs twice.
fn packings(figure: &Figure, set: &PieceSet) -> Vec<Vec<Placement>> {
    let mut found = BTreeSet::new();
    let report = visit(&Problem::new(figure, set), Limits::default(), &mut |packing| {
        let placements: Vec<(usize, Vec<Cell>)> =
            packing.iter().map(|p| (p.piece, p.cells.clone())).collect();
        verify_packing(figure, set, &placements).unwrap();
        let mut packing = packing.to_vec();
        packing.sort();
        assert!(found.insert(packing), "a packing came twice");
        ControlFlow::Continue(())
    });
    assert_eq!(report.unwrap().outcome.raw().unwrap(), found.len() as u128);
    found.into_iter().collect()
}

/// Compares all three counts with the independent recount, and checks the packings.
fn agree(figure: &Figure, set: &PieceSet) -> u128 {
    let report = counted(figure, set);
    let plain = recount(figure, set, u64::MAX, None).unwrap();
    let ours = (report.outcome.raw().unwrap(), report.outcome.rotation(), report.outcome.unique());
    assert_eq!(ours, (plain.raw, Some(plain.rotation), Some(plain.unique)), "{figure:?}");
    assert_eq!(report.outcome.verdict() == Verdict::Counted, plain.raw > 0);
    assert_eq!(packings(figure, set).len() as u128, plain.raw);
    let (some, report) = first(&Problem::new(figure, set), Limits::default()).unwrap();
    assert_eq!(some.is_some(), plain.raw > 0);
    assert!(some.is_some() || report.outcome.verdict() == Verdict::Unsolvable);
    plain.raw
}

/// The article "How Solve101 Works": the number of placements of each piece in the cube.
#[test]
fn the_pieces_fit_the_cube_144_144_72_72_96_96_64_times() {
    let mut fits = [0; 7];
    for (piece, _) in crate::support::figures::placements(&cube(), &soma()) {
        fits[piece] += 1;
    }
    assert_eq!(fits, [144, 144, 72, 72, 96, 96, 64]);
}

/// Gardner's theorem: in the cube, T always fills two corners.
#[test]
fn t_spans_two_corners_of_the_cube_in_all_11520_packings() {
    let corner = |c: &Cell| c.to_array().iter().all(|v| v % 2 == 0);
    let all = packings(&cube(), &soma());
    assert_eq!(all.len(), 11520);
    assert!(all.iter().all(|packing| {
        packing.iter().any(|p| p.piece == 2 && p.cells.iter().filter(|c| corner(c)).count() == 2)
    }));
}

#[test]
fn random_figures_agree_with_dancing_links_and_the_naive_counter() {
    let mut solvable = 0;
    let number = if std::env::var_os("SOMACAT_THOROUGH").is_some() { 400 } else { 160 };
    for (name, figures) in bench_sets(number) {
        for figure in &figures {
            let raw = counted(figure, &soma()).outcome.raw().unwrap();
            assert_eq!(raw, naive(figure, &soma()), "{name}: {figure:?}");
            if name != "2x4x4" && name != "the cube" {
                assert_eq!(raw, dancing(figure, &soma()), "{name}: {figure:?}");
            }
            solvable += u32::from(raw > 0);
        }
    }
    assert!(solvable > 200, "only {solvable} figures can be built: too weak a test");
}

#[test]
fn all_counts_agree_with_brute_force_over_packings() {
    for (_, figures) in bench_sets(25) {
        figures.iter().for_each(|figure| {
            agree(figure, &soma());
        });
    }
}

/// A row of 140 cells: a domino among 46 straight trominoes, in 47 places. The middle one is its own mirror image.
#[test]
fn a_figure_of_140_cells_is_counted() {
    let row = Figure::new((0..140).map(|x| Cell::new(x, 0, 0))).unwrap();
    let report = counted(&row, &parse_set("D I46").unwrap());
    assert_eq!((report.outcome.raw(), report.outcome.unique()), (Some(47), Some(24)));
}

/// Boxes and other symmetric figures with small sets: symmetric packings, sets that are not closed under
/// reflection, equal pieces.
#[test]
fn symmetric_figures_and_odd_sets_agree_with_brute_force() {
    let sets = [
        "A", "A B", "A2", "A B2", "A2 B2", "V", "V4", "V2 D", "L2 T2 D", "T4", "S2 A", "D9",
        "Q2 I", "P2", "P2 A2", "Z2 L2", "V L T", "A2 B2 D", "L4", "D4", "A B S D2", "V2 L2 Z",
        "I3", "Q4",
    ];
    let mut random = Random::new(7);
    let (mut solvable, mut symmetric) = (0, 0);
    for text in sets {
        let set = parse_set(text).unwrap();
        let n = set.total_cells();
        let boxes = [
            [2, 2, 2],
            [3, 3, 2],
            [4, 2, 2],
            [3, 2, 2],
            [4, 4, 1],
            [3, 3, 1],
            [6, 3, 1],
            [2, 2, 1],
            [4, 3, 1],
            [2, 3, 3],
            [16, 1, 1],
            [5, 2, 2],
            [7, 2, 1],
        ];
        let mut figures: Vec<Figure> = boxes
            .iter()
            .filter(|b| b.iter().product::<i32>() == n as i32)
            .map(|b| boxed(*b))
            .collect();
        figures.extend((0..30).map(|_| grow(n, Some([3, 3, 3]), &mut random)).filter(|_| n <= 27));
        figures.extend((0..10).map(|_| subset(n, [3, 3, 3], &mut random)));
        // Symmetric by construction: the union of a figure and its image under a random transform.
        for _ in 0..60 {
            let half = grow(n.div_ceil(2), Some([3, 3, 3]), &mut random);
            let t = Transform::from_index(random.below(48));
            let mut cells: BTreeSet<Cell> = half.cells().iter().copied().collect();
            cells.extend(half.transformed(t).cells());
            if cells.len() == n {
                figures.push(Figure::new(cells).unwrap());
            }
        }
        for figure in figures {
            let raw = agree(&figure, &set);
            solvable += u32::from(raw > 0);
            let order = figure.canonical().group.order() as u128;
            symmetric += u32::from(
                raw > 0 && counted(&figure, &set).outcome.unique().unwrap() * order > raw,
            );
        }
    }
    assert!(solvable > 100, "only {solvable} figures can be built: too weak a test");
    assert!(symmetric > 20, "only {symmetric} figures have symmetric packings: too weak a test");
}

#[test]
fn figures_in_several_parts_agree_with_brute_force() {
    let mut random = Random::new(3);
    let mut solvable = 0;
    for (text, sizes) in [
        ("V L T Z A B P", vec![11, 16]),
        ("V L T Z A B P", vec![12, 7, 8]),
        ("A B", vec![4, 4]),
        ("V2 L2", vec![7, 7]),
        ("A2 B2", vec![8, 8]),
    ] {
        let set = parse_set(text).unwrap();
        for _ in 0..60 {
            let mut cells = Vec::new();
            for (at, &size) in sizes.iter().enumerate() {
                let part = grow(size, Some([3, 3, 2]), &mut random);
                let offset = Cell::new(7 * at as i32, random.below(2) as i32, 0);
                cells.extend(part.cells().iter().map(|&c| c + offset));
            }
            let figure = Figure::new(cells).unwrap();
            let raw = agree(&figure, &set);
            assert!(raw == 0 || prefilter(&figure, &set).is_none());
            let by_part = unique_by_part(&figure, &set, Limits::default()).unwrap().unwrap();
            assert!(by_part <= counted(&figure, &set).outcome.unique().unwrap());
            assert_eq!(by_part == 0, raw == 0);
            solvable += u32::from(raw > 0);
        }
    }
    assert!(solvable > 30, "only {solvable} figures can be built: too weak a test");
}

/// Two separate 2×2×2 cubes of two P each: four packings per cube, one up to rotating the cube by itself; rotated
/// together, they can differ.
#[test]
fn parts_moved_by_themselves_leave_fewer_packings() {
    let cubes = box_cells([2, 2, 2]).into_iter().flat_map(|c| [c, c + Cell::new(9, 0, 0)]);
    let figure = Figure::new(cubes).unwrap();
    let set = parse_set("P4").unwrap();
    let report = counted(&figure, &set);
    assert_eq!(report.outcome.raw().unwrap(), 16);
    assert!(report.outcome.unique().unwrap() > 1);
    assert_eq!(unique_by_part(&figure, &set, Limits::default()), Ok(Some(1)));
}

#[test]
fn limits_give_honest_bounds() {
    let (cube, set) = (cube(), soma());
    let problem = Problem::new(&cube, &set);
    let limited = |limits| count(&problem, limits).unwrap();
    let seven = limited(Limits { packings: Some(7), ..Limits::default() });
    assert_eq!(
        (seven.outcome.verdict(), seven.outcome.raw().unwrap(), seven.outcome.unique()),
        (Verdict::AtLeast, 7, None)
    );
    let plenty = limited(Limits { packings: Some(20_000), ..Limits::default() });
    assert_eq!(
        (plenty.outcome.verdict(), plenty.outcome.raw().unwrap(), plenty.outcome.unique()),
        (Verdict::Counted, 11520, Some(240))
    );
    for nodes in [1, 10, 100, 300, 1000] {
        let report = limited(Limits { nodes: Some(nodes), ..Limits::default() });
        assert!(report.outcome.raw().unwrap() <= 11520, "{report:?}");
        assert!(
            matches!(report.outcome.verdict(), Verdict::AtLeast | Verdict::Unknown),
            "{report:?}"
        );
        assert_eq!(report.outcome.verdict() == Verdict::AtLeast, report.outcome.raw().unwrap() > 0);
    }
    let stop = AtomicBool::new(true);
    let stopped = limited(Limits { stop: Some(&stop), ..Limits::default() });
    assert!(
        stopped.outcome.verdict() != Verdict::Counted || stopped.outcome.raw().unwrap() == 11520
    );
    let mut seen = 0;
    let visited = visit(&problem, Limits::default(), &mut |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(visited.unwrap().outcome.raw().unwrap(), 5);
}

#[test]
fn pieces_in_place_are_respected() {
    let (cube, set) = (cube(), soma());
    let all = packings(&cube, &set);
    assert!(matches!(
        Remainder::new(&cube, &set.partial(Some(1)), &all[777][..2]),
        Err(RemainderError::TooManyPieces { placed: 2, number: 1 })
    ));
    // The packings that contain a given piece are those counted with the piece in place.
    for number in [0, 2, 6] {
        let placed = all[777].iter().find(|p| p.piece == number).unwrap().clone();
        let with: Vec<_> = all.iter().filter(|packing| packing.contains(&placed)).collect();
        let rest = Remainder::new(&cube, &set, std::slice::from_ref(&placed)).unwrap();
        let report = count(&rest.problem(), Limits::default()).unwrap();
        assert_eq!(report.outcome.raw().unwrap(), with.len() as u128);
        // Up to the symmetries of the cube that fix the piece in place, by brute force.
        let group: Vec<Transform> = cube
            .canonical()
            .group
            .iter()
            .filter(|t| {
                let image = moved(&placed, *t);
                image.cells == placed.cells && image.piece == placed.piece
            })
            .collect();
        let classes: BTreeSet<Vec<Placement>> = with
            .iter()
            .map(|packing| {
                group
                    .iter()
                    .map(|t| {
                        let mut image: Vec<Placement> =
                            packing.iter().map(|p| moved(p, *t)).collect();
                        image.sort();
                        image
                    })
                    .min()
                    .unwrap()
            })
            .collect();
        assert_eq!(report.outcome.unique(), Some(classes.len() as u128), "piece {number}");
    }
}

/// Returns the image of a placement in the cube. Reflections exchange A and B.
fn moved(placement: &Placement, t: Transform) -> Placement {
    let center = Cell::new(1, 1, 1);
    let mut cells: Vec<Cell> =
        placement.cells.iter().map(|&c| t.apply(c - center) + center).collect();
    cells.sort_unstable();
    let piece = match placement.piece {
        4 if !t.is_rotation() => 5,
        5 if !t.is_rotation() => 4,
        other => other,
    };
    Placement { piece, cells }
}

fn partial(
    figure: &Figure,
    set: &PieceSet,
    placed: &[Placement],
    limits: Limits<'_>,
) -> (Vec<PartialReport>, PartialTotal) {
    let mut reports = Vec::new();
    let total = count_partial(&Problem::new(figure, set), placed, limits, &mut |report| {
        reports.push(report);
        ControlFlow::Continue(())
    });
    (reports, total.unwrap())
}

#[test]
fn partial_sets_list_every_choice_that_works() {
    let figure = connected_subsets(12, [2, 3, 3], 1, 5).remove(0);
    let (reports, done) = partial(&figure, &PieceSet::soma(2), &[], Limits::default());
    assert_eq!((done.choices, done.complete), (reports.len(), true));
    let mut compared = 0;
    for choice in somacat_counting::solve::choices(&PieceSet::soma(2), 12) {
        let raw = recount(&figure, &choice, u64::MAX, None).unwrap().raw;
        let found = reports.iter().find(|r| r.pieces.name() == choice.name());
        assert_eq!(found.map_or(0, |r| r.report.outcome.raw().unwrap()), raw, "{}", choice.name());
        compared += 1;
    }
    assert!(compared == 50 && !reports.is_empty());
}

/// The name of a choice of pieces, and a packing with it. The packing is given by name and cells.
type Named = (String, Vec<(char, Vec<Cell>)>);

/// The counts of all choices add up with a piece in place. Their sum is the number of packings that contain it.
#[test]
fn partial_sets_keep_the_pieces_in_place() {
    let figure = boxed([2, 2, 3]);
    let set = PieceSet::soma(2);
    let choices = somacat_counting::solve::choices(&set, 12);
    let named =
        |choice: &PieceSet, p: &Placement| (choice.pieces()[p.piece].0.letter(), p.cells.clone());
    let all: Vec<Named> = choices
        .iter()
        .flat_map(|choice| {
            let all = packings(&figure, choice);
            all.into_iter().map(|packing| {
                (choice.name().to_owned(), packing.iter().map(|p| named(choice, p)).collect())
            })
        })
        .collect();
    let mut compared = 0;
    let pieces: BTreeSet<_> = all.iter().flat_map(|(_, packing)| packing.clone()).collect();
    for (name, cells) in pieces {
        let piece = set.pieces().iter().position(|(p, _)| p.letter() == name).unwrap();
        let placed = Placement { piece, cells: cells.clone() };
        let (reports, _) = partial(&figure, &set, &[placed], Limits::default());
        for choice in &choices {
            let held = |(of, packing): &&Named| {
                of == choice.name() && packing.contains(&(name, cells.clone()))
            };
            let raw = reports.iter().find(|r| r.pieces.name() == choice.name());
            let raw = raw.map_or(0, |r| r.report.outcome.raw().unwrap());
            assert_eq!(raw, all.iter().filter(held).count() as u128, "{name} in {}", choice.name());
        }
        compared += 1;
    }
    assert!(compared > 10, "only {compared} pieces were in place");
}

/// Listing these choices would take all memory. The first is counted at once, and a visitor or a stop ends the count.
#[test]
fn choices_are_counted_as_they_are_made() {
    let set = parse_set("V60 L45 T45 Z45 A45 B45 P45").unwrap();
    let figure = boxed([2, 3, 30]);
    for by_visitor in [true, false] {
        let stop = AtomicBool::new(false);
        let limits = Limits { stop: Some(&stop), packings: Some(1), ..Limits::default() };
        let mut names = Vec::new();
        let total = count_partial(&Problem::new(&figure, &set), &[], limits, &mut |report| {
            names.push(report.pieces.name().to_owned());
            stop.store(!by_visitor, Relaxed);
            if by_visitor { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(names, ["V60"]);
        assert_eq!(total.map(|total| (total.choices, total.complete)), Ok((1, false)));
    }
    // 801 cells have no choice of tetracubes, which is clear without trying their 10^11 combinations.
    let set = parse_set("L200 T200 Z200 A200 B200 P200").unwrap();
    let mut visits = 0;
    let mut visit = |_| {
        visits += 1;
        ControlFlow::Continue(())
    };
    assert!(for_each_choice(&set, 801, None, &mut visit).is_continue());
    assert!(for_each_choice(&set, 800, Some(201), &mut visit).is_continue());
    assert_eq!(visits, 0);
}

#[test]
fn what_needs_no_search_says_why() {
    let line = |n: i32| Figure::new((0..n).map(|x| Cell::new(x, 0, 0))).unwrap();
    let reason = |figure: &Figure| counted(figure, &soma()).outcome.reason();
    assert_eq!(reason(&line(26)), Some(Reason::Size));
    assert_eq!(reason(&line(27)), Some(Reason::NoFit));
    let huge = line(200);
    assert!(count(&Problem::new(&huge, &PieceSet::soma(8)), Limits::default()).is_ok());
    let dominoes = parse_set("D100").unwrap();
    assert_eq!(counted(&huge, &dominoes).outcome.raw(), Some(1));
}

/// A double set: two copies of a solvable figure, side by side, have at least one packing.
#[test]
fn first_packings_of_double_sets_are_found() {
    let mut found = 0;
    for figure in connected_subsets(54, [3, 4, 5], 40, 9) {
        let set = PieceSet::soma(2);
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let (packing, report) = first(&Problem::new(&figure, &set), limits).unwrap();
        if let Some(packing) = packing {
            let placements: Vec<(usize, Vec<Cell>)> =
                packing.into_iter().map(|p| (p.piece, p.cells)).collect();
            verify_packing(&figure, &set, &placements).unwrap();
            assert_eq!(
                (report.outcome.verdict(), report.outcome.raw().unwrap()),
                (Verdict::AtLeast, 1)
            );
            found += 1;
        }
    }
    assert!(found > 20, "only {found} of 40 were found");
}

proptest! {
    /// Rotating or reflecting the figure or reordering cells changes no count. The same call gives the same nodes.
    #[test]
    fn counts_are_those_of_the_shape(seed in any::<u64>(), t in 0..48_usize, dx in -50..50_i32) {
        let figure = grow(27, Some([3, 3, 4]), &mut Random::new(seed));
        let t = Transform::from_index(t);
        let cells: Vec<Cell> = figure.cells().iter().rev().map(|&c| t.apply(c) + Cell::new(dx, -dx, 7)).collect();
        let turned = Figure::new(cells).unwrap();
        let (own, image) = (counted(&figure, &soma()), counted(&turned, &soma()));
        prop_assert_eq!(&own.outcome, &image.outcome);
        prop_assert_eq!(counted(&figure, &soma()).nodes, own.nodes);
        // One-sided sets: a mirror image needs the mirrored pieces.
        let one_sided = |text: &str, figure: &Figure| counted(figure, &parse_set(text).unwrap());
        let small = grow(11, Some([3, 3, 2]), &mut Random::new(seed));
        let (a, b) = if t.is_rotation() { ("V A2", "V A2") } else { ("V A2", "V B2") };
        let (own, image) = (one_sided(a, &small), one_sided(b, &small.transformed(t)));
        prop_assert_eq!(own.outcome, image.outcome);
    }
}

#[test]
fn there_are_141_choices_of_27_cells_out_of_two_somas() {
    // One V and six of twelve tetracubes in six kinds: the middle trinomial coefficient of 6.
    let all = choices(&PieceSet::soma(2), 27);
    assert_eq!(all.len(), 141);
    assert!(all.iter().all(|choice| choice.total_cells() == 27));
    assert!(all.iter().any(|choice| choice.name() == "V L T Z A B P"));
}

#[test]
fn a_panic_is_an_error_and_the_next_count_is_right() {
    let (cube, set) = (cube(), soma());
    let problem = Problem::new(&cube, &set);
    let broken = guard(|| visit(&problem, Limits::default(), &mut |_| panic!("on purpose")));
    assert_eq!(broken, Err(FigureFailure::Panic("on purpose".to_owned())));
    let error = SolveError::TooManyParts(17);
    assert_eq!(guard(|| Err::<(), _>(error.clone())), Err(FigureFailure::Error(error)));
    assert_eq!(
        guard(|| count(&problem, Limits::default())).map(|r| r.outcome.raw()),
        Ok(Some(11520))
    );
}

/// Three neighbors of a cube, whose colors alone tell the piece from its mirror image: a reflection never keeps it, though
/// it may keep its cells.
#[test]
fn pieces_of_one_shape_may_be_mirror_images_by_their_colors() {
    let set = |copies: &str, more: &str| {
        let pair = format!(
            "A*{copies}: 0,0,0 0,0,1=3 0,1,0=1 1,0,0=2\nB*{copies}: 0,0,0 0,0,1=3 0,1,0=2 1,0,0=1\n"
        );
        parse_colored_piece_lines("colors", &(pair + more)).unwrap()
    };
    let cube: Vec<[i32; 3]> = (1..8).map(|n| [n & 1, n >> 1 & 1, n >> 2]).collect();
    let corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let corners = corner.into_iter().flat_map(|[x, y, z]| [[x, y, z], [x + 2, y + 2, z]]);
    for (cells, set, expected) in [
        (cube, set("0..1", "V: 0,0,0 0,0,1 0,1,0\n"), [6, 2, 1]),
        (corners.collect(), set("1", ""), [2, 2, 1]),
    ] {
        let figure = Figure::new(cells.into_iter().map(Cell::from)).unwrap();
        for engine in [EngineChoice::Search, EngineChoice::Frontier] {
            let limits = Limits { engine, ..Limits::default() };
            let report = count(&Problem::new(&figure, &set), limits).unwrap();
            let counts = report.outcome.counts().unwrap();
            assert_eq!([counts.raw, counts.rotation, counts.unique], expected, "{engine:?}");
        }
    }
}
