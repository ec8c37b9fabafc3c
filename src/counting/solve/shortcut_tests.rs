//! Compares counts with and without the shortcuts. Where the search is the same, the nodes must be equal, too.
//! (`tests/solve.rs` checks that the counts are right.)

use super::limits::SearchProgress;
use super::solver::{Shortcuts, Solver};
use super::workspace::Instructions;
use super::{EngineChoice, Limits, Placement, Problem};
use crate::random::SplitMix;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, parse_set, parse_set_with_ranges};
use std::ops::ControlFlow;

/// Grows figures of many shapes by a fixed rule, flat to cubic.
fn figures(cells: usize, count: u64) -> impl Iterator<Item = Figure> {
    (0..count).map(move |seed| {
        let mut random = SplitMix::new(seed);
        let mut shape = vec![Cell::default()];
        while shape.len() < cells {
            let [base, way] = [shape.len(), 6].map(|number| random.next() as usize % number);
            let next = shape[base].neighbors()[way];
            let side = 3 + (seed % 3) as i32;
            let fits = next.to_array().iter().all(|v| (0..side).contains(v));
            if fits && !shape.contains(&next) {
                shape.push(next);
            }
        }
        Figure::new(shape).unwrap()
    })
}

/// Compares the shortcuts with each other, and if `with_none` with a search without any, which takes long.
fn compare(set: &PieceSet, figures: impl Iterator<Item = Figure>, with_none: bool) {
    let mut fast = Solver::new(set, Shortcuts::all());
    let with = |instructions| Shortcuts { instructions, ..Shortcuts::all() };
    let available = Instructions::available();
    if available.len() < 3 {
        crate::skipped(&format!("no AVX2 or no AVX-512; tested only {available:?}"));
    }
    let twins = available.into_iter().map(with);
    let twin_count = twins.len();
    let some = [
        Shortcuts { narrow: false, ..Shortcuts::all() },
        Shortcuts { symmetry: true, ..Shortcuts::NONE },
    ];
    let all = twins.chain(some).chain(with_none.then_some(Shortcuts::NONE));
    let mut others: Vec<Solver> = all.map(|shortcuts| Solver::new(set, shortcuts)).collect();
    let mut solvable = 0;
    for figure in figures {
        let problem = Problem::new(&figure, set);
        let best = fast.count(&problem, Limits::default()).unwrap();
        for (at, other) in others.iter_mut().enumerate() {
            let plain = other.count(&problem, Limits::default()).unwrap();
            assert_eq!(best.outcome, plain.outcome, "{figure:?}");
            // Other instructions run the same search.
            assert!(at >= twin_count || best.nodes == plain.nodes, "{figure:?}");
        }
        // A search that ends early ends at the same node, too.
        let some = Limits { nodes: Some(40), engine: EngineChoice::Search, ..Limits::default() };
        let bound = fast.count(&problem, some).unwrap();
        assert!(bound.outcome.raw() <= best.outcome.raw(), "{figure:?}");
        for twin in &mut others[..twin_count] {
            assert_eq!(bound, twin.count(&problem, some).unwrap(), "{figure:?}");
        }
        solvable += u32::from(best.outcome.verdict().is_buildable());
    }
    assert!(solvable > 5, "only {solvable} figures can be built: too weak a test");
}

#[test]
fn single_sets() {
    compare(&PieceSet::soma(1), figures(27, 400), false);
    compare(&PieceSet::soma(1), figures(27, 30), true);
    compare(&parse_set("V L T A P").unwrap(), figures(19, 400), true);
}

#[test]
fn sets_with_equal_pieces_and_wide_masks() {
    compare(&parse_set("V3 L2 T2").unwrap(), figures(25, 30), true);
    compare(&parse_set("V2 L2 T").unwrap(), figures(18, 200), true);
}

/// Counts dominoes: a Fibonacci number of ways in a 2 × 16 plate, and two in each separate 2 × 2 square. The larger
/// figures need masks of 3, 5 and 18 words.
#[test]
fn dominoes_in_masks_of_each_width() {
    let plate = |x: i32, y: i32, z: i32| (0..x * y).map(move |n| Cell::new(n / y, n % y, z));
    let squares = |bar: i32| plate(bar, 1, 0).chain((1..=10).flat_map(move |n| plate(2, 2, 2 * n)));
    let count = |cells: Vec<Cell>| {
        let set = parse_set(&format!("D{}", cells.len() / 2)).unwrap();
        let figure = Figure::new(cells).unwrap();
        [Shortcuts::all(), Shortcuts::NONE].map(|shortcuts| {
            let problem = Problem::new(&figure, &set);
            let report = Solver::new(&set, shortcuts).count(&problem, Limits::default());
            report.unwrap().outcome.raw()
        })
    };
    assert_eq!(count(plate(16, 2, 0).collect()), [Some(1597); 2]);
    for bar in [24, 160, 300] {
        assert_eq!(count(squares(bar).collect()), [Some(1024); 2]);
    }
}

/// Compares counts, which continue with narrower masks, with visits, which do not. The searches are the same.
#[test]
fn narrower_masks_visit_the_same_nodes() {
    let cases = [
        ("pentominoes", [2, 3, 10]),
        ("V L3 T3 Z3 A2 B2 P2", [3, 3, 7]),
        ("V1..5 L0..4 T0..4 Z1..3 A0..3 B0..3 P0..3", [3, 3, 7]),
        ("V12 L3 T17 Z11 P5", [4, 5, 9]),
    ];
    for (name, size) in cases {
        let (set, figure) = (parse_set_with_ranges(name).unwrap(), Figure::of_box(size).unwrap());
        let problem = Problem::new(&figure, &set);
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        let mut visitor = |_: &[Placement]| ControlFlow::Continue(());
        let mut solver = Solver::new(&set, Shortcuts::NONE);
        let visited = solver.visit(&problem, limits, &mut visitor).unwrap();
        assert!(visited.nodes >= limits.nodes, "{name}: a short search");
        for instructions in Instructions::available() {
            let shortcuts = Shortcuts { instructions, ..Shortcuts::NONE };
            let counted = Solver::new(&set, shortcuts).count(&problem, limits).unwrap();
            assert_eq!(counted, visited, "{name}");
        }
    }
}

/// Compares continued searches with searches from the beginning, at every limit. Continued searches keep finished
/// branches.
#[test]
fn a_search_continues_where_a_limit_ended_it() {
    let set = parse_set("pentominoes").unwrap();
    let figure = Figure::new((0..60).map(|n| Cell::new(n / 30, n / 10 % 3, n % 10))).unwrap();
    let problem = Problem::new(&figure, &set);
    let mut solver = Solver::new(&set, Shortcuts::all());
    let mut progress = SearchProgress::default();
    let mut kept = Vec::new();
    for nodes in [3_000, 6_000, 10_000, 15_000, 25_000, u64::MAX] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let continued = solver.search(&problem, limits, &mut progress).unwrap();
        let fresh = solver.search(&problem, limits, &mut SearchProgress::default()).unwrap();
        assert_eq!(continued.0, fresh.0, "{nodes}");
        // The finished share matters only if a limit came first.
        assert!(continued.1 == fresh.1 || fresh.0.outcome.is_exact(), "{nodes}");
        kept.push(progress.results().iter().flatten().count());
        if nodes == u64::MAX {
            assert_eq!(continued.0.outcome.unique(), Some(12));
        }
    }
    // The number beyond those before the limit depends on the threads.
    assert!(kept.is_sorted() && kept[1] > 0, "{kept:?}");
}

#[test]
fn random_paths_estimate_the_nodes() {
    for (set, cells) in [(PieceSet::soma(1), 27), (parse_set("V2 L2 T2 A").unwrap(), 26)] {
        let mut solver = Solver::new(&set, Shortcuts { narrow: false, ..Shortcuts::all() });
        let (mut nodes, mut estimate) = (0, 0.0);
        for figure in figures(cells, 12) {
            let problem = Problem::new(&figure, &set);
            let searched = solver.count(&problem, Limits::default()).unwrap().nodes.unwrap_or(0);
            if searched > 0 {
                nodes += searched;
                estimate += solver.estimated_nodes(&problem, 3000);
            }
        }
        let ratio = estimate / nodes as f64;
        assert!((0.9..1.1).contains(&ratio) && nodes > 500, "{estimate} for {nodes}");
    }
}
