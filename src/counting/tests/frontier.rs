//! The frontier engine against the search, a naive counter and published counts.

use crate::support::bench_sets::connected_subsets;
use crate::support::figures::{box_cells, boxed, grow, naive, subset};
use crate::support::random::Random;
use proptest::prelude::*;
use somacat_checking::recount;
use somacat_counting::solve::{
    AUTO_SEARCH_NODES, DEFAULT_MEMORY, EngineChoice, Limits, Problem, Remainder, SolveError, count,
    first,
};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::{Engine, Report, Verdict};
use somacat_geometry::pieces::{FamousSet, PieceSet, parse_set};
use std::sync::atomic::AtomicBool;

fn by(problem: &Problem<'_>, engine: Engine) -> Report {
    let choice =
        if engine == Engine::Frontier { EngineChoice::Frontier } else { EngineChoice::Search };
    let report = count(problem, Limits { engine: choice, ..Limits::default() }).unwrap();
    assert!(
        report.engine == Some(engine)
            || report.engine.is_none() && report.outcome.raw().unwrap() == 0
    );
    report
}

fn frontier(figure: &Figure, set: &PieceSet) -> Report {
    by(&Problem::new(figure, set), Engine::Frontier)
}

/// Counts with both engines and returns the raw count.
fn agree(figure: &Figure, set: &PieceSet) -> u128 {
    let report = frontier(figure, set);
    let search = by(&Problem::new(figure, set), Engine::Search);
    assert_eq!(report.outcome, search.outcome, "{} in {figure:?}", set.name());
    report.outcome.raw().unwrap()
}

/// Returns a box minus a random union of orbits of cells. The orbits are under its own mirrors and half turns.
fn symmetric(cells: usize, size: [i32; 3], random: &mut Random) -> Option<Figure> {
    let far = |c: &Cell| {
        let at = c.to_array();
        std::array::from_fn::<i32, 3, _>(|i| (2 * at[i] - size[i] + 1).abs())
    };
    let mut left = box_cells(size);
    while left.len() > cells {
        let out = far(&left[random.below(left.len())]);
        left.retain(|c| far(c) != out);
    }
    Figure::new(left).ok().filter(|figure| figure.len() == cells)
}

/// Returns a random choice of `pieces` pieces from two SOMAs.
fn some_pieces(pieces: usize, random: &mut Random) -> PieceSet {
    let two = PieceSet::soma(2);
    let mut counts = vec![0; two.pieces().len()];
    while counts.iter().sum::<usize>() < pieces {
        let kind = random.below(counts.len());
        counts[kind] += usize::from(counts[kind] < 2);
    }
    let chosen = two.pieces().iter().zip(counts).map(|((piece, _), n)| (piece.clone(), n));
    PieceSet::new("some pieces", chosen.filter(|(_, n)| *n > 0))
}

#[test]
fn the_cube_has_11520_packings_480_up_to_rotation_240_up_to_reflection() {
    let report = frontier(&boxed([3, 3, 3]), &PieceSet::soma(1));
    assert_eq!(
        (report.outcome.raw().unwrap(), report.outcome.rotation(), report.outcome.unique()),
        (11520, Some(480), Some(240))
    );
}

#[test]
fn single_sets_agree_with_search_and_naive_counter() {
    let set = PieceSet::soma(1);
    let mut packings = 0;
    for figure in connected_subsets(27, [3, 3, 4], 60, 41) {
        packings += agree(&figure, &set);
    }
    for figure in connected_subsets(27, [2, 4, 4], 10, 42) {
        let raw = agree(&figure, &set);
        assert_eq!(raw, naive(&figure, &set));
        packings += raw;
    }
    assert!(packings > 1000);
}

#[test]
fn parts_of_a_double_set_agree_with_search_naive_counter_and_brute_force() {
    let mut random = Random::new(43);
    let (mut packings, mut chiral) = (0, 0);
    for round in 0..200 {
        let set = some_pieces(4 + round % 3, &mut random);
        let cells = set.total_cells();
        let size = [[3, 3, 3], [2, 3, 5], [2, 2, 7]][round % 3];
        let figure = match round % 4 {
            0 => grow(cells, Some(size), &mut random),
            1 => connected_subsets(cells, size, 1, round as u64).remove(0),
            2 => subset(cells, size, &mut random),
            _ => match symmetric(cells, size, &mut random) {
                Some(figure) => figure,
                None => continue,
            },
        };
        let raw = agree(&figure, &set);
        assert_eq!(raw, naive(&figure, &set), "{} in {figure:?}", set.name());
        if raw < 20_000 {
            let plain = recount(&figure, &set, u64::MAX, None).unwrap();
            let report = frontier(&figure, &set);
            let counts =
                (report.outcome.raw().unwrap(), report.outcome.rotation(), report.outcome.unique());
            assert_eq!(counts, (plain.raw, Some(plain.rotation), Some(plain.unique)));
        }
        packings += raw;
        chiral += u32::from(raw > 0 && !set.is_mirror_closed());
    }
    assert!(packings > 500 && chiral > 5, "{packings} packings, {chiral} sets of one hand");
}

/// Unique counts of figures with many symmetric packings, by three methods.
#[test]
fn symmetric_figures_agree_with_search_and_brute_force() {
    let sets =
        ["P2 T2 L2 Z2", "A B V L T Z P", "A2 B2 P2", "V4 L2 T2", "A2 L2 P2", "D12", "I1 D2 V4 L2"];
    let sizes =
        [[2, 2, 2], [2, 2, 3], [2, 3, 4], [3, 3, 3], [2, 2, 6], [2, 4, 4], [1, 4, 6], [3, 3, 4]];
    let mut random = Random::new(44);
    let (mut compared, mut packed) = (0, 0);
    for (round, name) in sets.iter().cycle().take(7 * 12).enumerate() {
        let Ok(set) = parse_set(name) else { continue };
        let cells = set.total_cells();
        let size = sizes[round / 7 % sizes.len()];
        if (size[0] * size[1] * size[2]) < cells as i32 {
            continue;
        }
        let Some(figure) = symmetric(cells, size, &mut random) else { continue };
        let raw = agree(&figure, &set);
        if raw < 50_000 {
            let plain = recount(&figure, &set, u64::MAX, None).unwrap();
            assert_eq!(
                frontier(&figure, &set).outcome.unique(),
                Some(plain.unique),
                "{name} in {figure:?}"
            );
        }
        compared += 1;
        packed += u32::from(raw > 0);
    }
    assert!(compared > 20 && packed > 8, "{compared} compared, {packed} with packings");
}

#[test]
fn double_sets_agree_with_the_search() {
    let set = PieceSet::soma(2);
    let mut random = Random::new(45);
    // Figures so branched that the search ends.
    let figures = (0..12).map(|_| grow(54, None, &mut random));
    let loose = connected_subsets(54, [3, 5, 7], 2, 13);
    for figure in figures.chain(loose) {
        agree(&figure, &set);
    }
    let part = parse_set("V2 L2 T2 Z A B P2").unwrap();
    let mut packings = 0;
    for figure in connected_subsets(part.total_cells(), [3, 3, 6], 4, 46) {
        packings += agree(&figure, &part);
    }
    assert!(packings > 0);
}

/// Counts tilings of a plate by dominoes: by the formula of Kasteleyn, Temperley and Fisher, and cell by cell with
/// the profile of the last `n` cells.
fn dominoes(m: u32, n: u32) -> (f64, u128) {
    let term = |j: u32, size: u32| {
        (std::f64::consts::PI * f64::from(j) / f64::from(size + 1)).cos().powi(2) * 4.0
    };
    let pairs = (1..=m.div_ceil(2)).flat_map(|j| (1..=n.div_ceil(2)).map(move |k| (j, k)));
    let product = pairs.map(|(j, k)| term(j, m) + term(k, n)).product();
    // Bit 0 is the current cell, bit n the one below it.
    let mut ways = vec![0_u128; 1 << n];
    ways[0] = 1;
    for cell in 0..m * n {
        let mut next = vec![0; 1 << n];
        for (profile, &count) in ways.iter().enumerate() {
            if profile & 1 == 1 {
                next[profile >> 1] += count;
                continue;
            }
            next[profile >> 1 | 1 << (n - 1)] += count;
            if cell % n + 1 < n && profile & 2 == 0 {
                next[(profile | 2) >> 1] += count;
            }
        }
        ways = next;
    }
    (product, ways[0])
}

/// The last plate has more tilings than fit in 64 bits. It needs masks of two words.
#[test]
fn dominoes_on_plates_come_out_by_formula_and_by_profile() {
    for (m, n) in [(2, 7), (4, 4), (6, 8), (8, 8), (12, 8), (16, 8)] {
        let (product, profile) = dominoes(m, n);
        let set = parse_set(&format!("D{}", m * n / 2)).unwrap();
        let raw = frontier(&boxed([1, m as i32, n as i32]), &set).outcome.raw().unwrap();
        assert_eq!(raw, profile, "{m}x{n}");
        assert!((raw as f64 / product - 1.0).abs() < 1e-10, "{m}x{n}: {raw}, {product}");
        // A search would never end, so attempts of the engine do, with a limit of an import too.
        let plate = boxed([1, m as i32, n as i32]);
        let limits = Limits { nodes: Some(100_000_000), ..Limits::default() };
        let chosen = count(&Problem::new(&plate, &set), limits).unwrap();
        assert_eq!(chosen.outcome.raw(), Some(profile), "{m}x{n}");
        assert!(chosen.outcome.is_exact(), "{m}x{n}");
    }
}

#[test]
fn pieces_in_place_restrict_the_symmetries() {
    let (figure, set) = (boxed([3, 3, 3]), PieceSet::soma(1));
    let (packing, _) = first(&Problem::new(&figure, &set), Limits::default()).unwrap();
    for placed in packing.unwrap() {
        let rest = Remainder::new(&figure, &set, &[placed]).unwrap();
        let reports = [Engine::Frontier, Engine::Search].map(|e| by(&rest.problem(), e));
        assert_eq!(reports[0].outcome, reports[1].outcome);
        assert!(reports[0].outcome.raw() > Some(0));
    }
}

#[test]
fn the_engine_is_chosen_by_what_the_search_can_settle() {
    let cube = boxed([3, 3, 3]);
    let one = PieceSet::soma(1);
    let auto = count(&Problem::new(&cube, &one), Limits::default()).unwrap();
    assert_eq!(auto, by(&Problem::new(&cube, &one), Engine::Search));
    let (figure, set) = (boxed([2, 3, 9]), PieceSet::soma(2));
    let problem = Problem::new(&figure, &set);
    let report = count(&problem, Limits::default()).unwrap();
    // The number of states, too, is the same in every run.
    assert_eq!(report, frontier(&figure, &set));
    // Without memory for the sweep, the search takes over; here a limit ends it.
    let nodes = Some(AUTO_SEARCH_NODES + 1000);
    let tight = Limits { nodes, memory: Some(1 << 16), ..Limits::default() };
    let bound = count(&problem, tight).unwrap();
    assert_eq!((bound.engine, bound.nodes), (Some(Engine::Search), Some(AUTO_SEARCH_NODES + 1000)));
    assert!(
        bound.outcome.raw().unwrap() <= report.outcome.raw().unwrap()
            && bound.outcome.unique().is_none()
    );
    // Twelve different pieces have too many states, and the bound is that of the search at the limit.
    let (flat, twelve) = (boxed([3, 4, 5]), FamousSet::named("pentominoes").unwrap().pieces());
    let hard = Problem::new(&flat, &twelve);
    let limits = Limits { nodes: Some(2 * AUTO_SEARCH_NODES), ..Limits::default() };
    let bound = count(&hard, limits).unwrap();
    let search = Limits { engine: EngineChoice::Search, ..limits };
    assert_eq!(bound, count(&hard, search).unwrap());
    assert!(bound.outcome.raw() > Some(0));
    // Individual packings need the search.
    let three = Limits { packings: Some(3), ..Limits::default() };
    let bound = count(&problem, three).unwrap();
    assert_eq!((bound.outcome.verdict(), bound.outcome.raw().unwrap()), (Verdict::AtLeast, 3));
    // No search was needed.
    assert_eq!(count(&Problem::new(&cube, &set), Limits::default()).unwrap().engine, None);
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let (figure, set) = (boxed([2, 3, 9]), PieceSet::soma(2));
    let problem = Problem::new(&figure, &set);
    let with = |memory, limits| {
        let engine = EngineChoice::Frontier;
        count(&problem, Limits { engine, memory: Some(memory), ..limits })
    };
    // From none to plenty: refused below some limit, the same count above it.
    let whole = with(DEFAULT_MEMORY, Limits::default()).unwrap();
    let (mut refused, mut counted) = (0, 0);
    for shift in 10..=31 {
        match with(1 << shift, Limits::default()) {
            Ok(report) => {
                assert_eq!(report, whole);
                counted += 1;
            }
            Err(SolveError::Memory { needed, limit }) => {
                assert!(needed > limit && limit == 1 << shift && counted == 0);
                refused += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 5 && counted > 2, "{refused} refused, {counted} counted");
    let error = with(1_000_000, Limits::default()).unwrap_err().to_string();
    assert!(error.contains(" for this figure, and may take 1.00 MB"), "{error}");
    // Limits of states and of patience.
    let few = with(DEFAULT_MEMORY, Limits { nodes: Some(1000), ..Limits::default() }).unwrap();
    assert_eq!(
        (few.outcome.verdict(), few.outcome.raw().unwrap(), few.outcome.unique()),
        (Verdict::Unknown, 0, None)
    );
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert_eq!(with(DEFAULT_MEMORY, limits).unwrap().outcome.verdict(), Verdict::Unknown);
}

#[test]
fn sets_with_too_many_choices_are_refused() {
    let many = PieceSet::soma_plus();
    let kinds = many.pieces().len();
    assert!(4_usize.pow(kinds as u32 - 1) * 5 > 1 << 20 && many.total_cells() == 40);
    let copies =
        many.pieces().iter().map(|(p, n)| (p.clone(), 3 * n + usize::from(p.letter() == 'L')));
    let set = PieceSet::new("three and a bit", copies);
    let limits = Limits { engine: EngineChoice::Frontier, ..Limits::default() };
    let result = count(&Problem::new(&boxed([2, 2, 31]), &set), limits);
    assert_eq!(result, Err(SolveError::Choices { most: 1 << 20 }));
}

/// The quick ones of our counts of double sets.
#[test]
fn published_counts_of_double_sets_are_reproduced() {
    let text = include_str!("../../../catalog/published_counts.csv");
    let set = PieceSet::soma(2);
    let cheap = ["SOMA-double-002", "SOMA-double-004", "SOMA-double-006", "box-2x3x9"];
    let mut known: Vec<(Signature, Report)> = Vec::new();
    let mut compared = 0;
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.unwrap();
        if &row[2] != "2xSOMA" || !cheap.contains(&&row[0]) {
            continue;
        }
        let signature: Signature = row[1].parse().unwrap();
        if known.iter().all(|(s, _)| *s != signature) {
            let figure = signature.figure().unwrap();
            known.push((signature.clone(), frontier(&figure, &set)));
        }
        let (_, report) = known.iter().find(|(s, _)| *s == signature).unwrap();
        let ours = match &row[3] {
            "raw" => Some(report.outcome.raw().unwrap()),
            "rotation" => report.outcome.rotation(),
            _ => report.outcome.unique(),
        };
        assert_eq!(ours, row[4].parse().ok(), "{}, {}", &row[0], &row[3]);
        compared += 1;
    }
    assert_eq!(compared, 3 * cheap.len());
}

/// Many workers of one pool use the frontier engine simultaneously.
#[test]
fn workers_of_a_pool_take_turns() {
    use rayon::prelude::*;
    let set = PieceSet::soma(2);
    let figure = boxed([2, 3, 9]);
    let reports: Vec<Report> = (0..6).into_par_iter().map(|_| frontier(&figure, &set)).collect();
    assert!(reports.iter().all(|report| *report == reports[0]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The count of a figure does not depend on its position.
    #[test]
    fn counts_do_not_depend_on_how_the_figure_lies(seed in any::<u64>(), turn in 0..48_usize) {
        let set = PieceSet::soma(1);
        let figure = grow(27, Some([3, 3, 4]), &mut Random::new(seed));
        let t = Transform::iter().nth(turn).unwrap();
        let moved = Figure::new(figure.cells().iter().map(|&c| t.apply(c))).unwrap();
        prop_assert_eq!(frontier(&figure, &set).outcome, frontier(&moved, &set).outcome);
    }
}
