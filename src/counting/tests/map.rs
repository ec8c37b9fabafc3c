//! Maps of packings: the published map of the cube, and small maps against a comparison of all pairs.

use crate::support::figures::grow;
use crate::support::random::Random;
use somacat_counting::map::{MapError, SolutionMap};
use somacat_counting::solve::{EngineChoice, Limits, Placement, Problem, visit};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::{PieceSet, parse_piece_lines, parse_set};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

type Pairs = BTreeSet<(usize, usize)>;

/// Compares all packings in pairs: the numbers of their classes, and the classes joined by two or three pieces.
fn plain(figure: &Figure, set: &PieceSet) -> (usize, Pairs, Pairs) {
    let symmetries = figure.canonical().group;
    let symmetries = symmetries.iter().filter(|t| t.is_rotation() || set.is_mirror_closed());
    let symmetries: Vec<Transform> = symmetries.collect();
    let image = |t: &Transform, packing: &[Placement]| {
        let moved: Vec<Cell> = figure.cells().iter().map(|&c| t.apply(c)).collect();
        let corner = Cell::min_corner(&moved);
        let place = |p: &Placement| {
            let mut cells: Vec<Cell> = p.cells.iter().map(|&c| t.apply(c) - corner).collect();
            cells.sort_unstable();
            let piece = set.pieces().iter().position(|(piece, _)| piece.has_shape(&cells));
            Placement { piece: piece.unwrap(), cells }
        };
        let mut image: Vec<Placement> = packing.iter().map(place).collect();
        image.sort();
        image
    };
    let least = |packing: &[Placement]| symmetries.iter().map(|t| image(t, packing)).min().unwrap();
    // The classes of all packings, and for each placement the packings that contain it.
    let (mut classes, mut class_of, mut all) = (HashMap::new(), Vec::new(), Vec::new());
    let mut containing: HashMap<Placement, Vec<usize>> = HashMap::new();
    visit(&Problem::new(figure, set), Limits::default(), &mut |packing| {
        let next = classes.len();
        class_of.push(*classes.entry(least(packing)).or_insert(next));
        for placement in packing {
            containing.entry(placement.clone()).or_default().push(all.len());
        }
        all.push(packing.to_vec());
        ControlFlow::Continue(())
    })
    .unwrap();
    let (mut two, mut three) = (Pairs::new(), Pairs::new());
    for (packing, &a) in all.iter().zip(&class_of) {
        let mut differing = vec![packing.len(); all.len()];
        for placement in packing {
            containing[placement].iter().for_each(|&other| differing[other] -= 1);
        }
        for (number, &b) in differing.iter().zip(&class_of) {
            match number {
                2 if a < b => drop(two.insert((a, b))),
                3 if a < b => drop(three.insert((a, b))),
                _ => {}
            }
        }
    }
    let three = three.difference(&two).copied().collect();
    (classes.len(), two, three)
}

/// Returns degrees and numbers, independent of the order of vertices.
fn degrees(vertices: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut degrees = vec![0; vertices];
    pairs.for_each(|(a, b)| {
        degrees[a] += 1;
        degrees[b] += 1;
    });
    degrees.sort_unstable();
    degrees
}

fn assert_same(figure: &Figure, set: &PieceSet) -> usize {
    let problem = Problem::new(figure, set);
    let map = SolutionMap::new(&problem, Limits::default()).unwrap();
    let (vertices, two, three) = plain(figure, set);
    assert_eq!(map.vertices(), vertices, "{figure:?}");
    for (ours, plain) in [(map.edges_2(), two), (map.edges_3(), three)] {
        assert_eq!(ours.len(), plain.len(), "{figure:?}");
        let pairs = ours.iter().map(|(a, b)| (*a as usize, *b as usize));
        assert_eq!(degrees(vertices, pairs), degrees(vertices, plain.into_iter()), "{figure:?}");
    }
    assert_eq!(map.components().iter().sum::<usize>(), vertices);
    for vertex in 0..vertices {
        let steps = map.exchanges(vertex);
        let mut to: Vec<u32> = steps.iter().map(|step| step.to as u32).collect();
        to.dedup();
        assert_eq!(to, map.neighbors(vertex), "every neighbor has a step");
        assert!(steps.iter().all(|step| matches!(step.moving.len(), 2 | 3)));
    }
    vertices
}

/// Figures of several kinds: symmetric or not, with equal pieces, with chiral pieces, with several parts.
#[test]
fn small_maps_are_those_of_all_pairs() {
    let mut random = Random::new(17);
    let cells = |text: &str| -> Figure {
        let numbers: Vec<i32> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
        Figure::new(numbers.chunks(3).map(|c| Cell::new(c[0], c[1], c[2]))).unwrap()
    };
    let boxed = |x: i32, y: i32, z: i32| {
        Figure::new((0..x * y * z).map(|n| Cell::new(n % x, n / x % y, n / x / y))).unwrap()
    };
    let mut vertices = 0;
    for (figure, set) in [
        (boxed(2, 2, 3), "L T P"),
        (boxed(2, 2, 4), "L4"),
        (boxed(2, 3, 3), "V2 L T Z"),
        (boxed(2, 2, 3), "A B L"),
        (boxed(2, 2, 4), "A2 L2"),
        (boxed(2, 3, 4), "L3 T A B"),
        (boxed(3, 3, 2), "V6"),
        (cells("0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 5 5 5 6 5 5 5 6 5"), "V3"),
    ] {
        vertices += assert_same(&figure, &parse_set(set).unwrap());
    }
    let set = parse_set("V2 L2 T P").unwrap();
    for _ in 0..40 {
        vertices += assert_same(&grow(22, Some([3, 3, 3]), &mut random), &set);
    }
    assert!(vertices > 500, "{vertices}");
}

/// Pieces of several sizes: one replaces two in separate places, and most are equal.
#[test]
fn maps_of_many_equal_pieces_are_those_of_all_pairs() {
    let boxed = |x: i32, y: i32, z: i32| {
        Figure::new((0..x * y * z).map(|n| Cell::new(n % x, n / x % y, n / x / y))).unwrap()
    };
    for (figure, text) in [
        (boxed(2, 2, 3), "M*6: 0,0,0\nD*3: 0,0,0 1,0,0\n"),
        (boxed(1, 4, 5), "M*16: 0,0,0\nD*2: 0,0,0 1,0,0\n"),
        (boxed(2, 2, 4), "M*9: 0,0,0\nD*2: 0,0,0 1,0,0\nI: 0,0,0 1,0,0 2,0,0\n"),
        (boxed(1, 4, 6), "D*12: 0,0,0 1,0,0\n"),
    ] {
        let set = parse_piece_lines("pieces", text).unwrap();
        assert!(assert_same(&figure, &set) > 10, "{text}");
    }
}

/// A map of tens of thousands of packings, against another method. That method sorts every choice of fixed pieces.
#[test]
fn a_large_map_equals_that_of_another_method() {
    let block = Figure::new((0..36).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9))).unwrap();
    let set = parse_set("V8 T3").unwrap();
    let map = SolutionMap::new(&Problem::new(&block, &set), Limits::default()).unwrap();
    let edges = [map.edges_2().len(), map.edges_3().len()];
    assert_eq!((map.vertices(), edges), (58_033, [164_769, 381_528]));
    assert_eq!((map.components(), map.diameter()), (vec![58_031, 1, 1], 12));
}

/// A map has a limit, also if the packings are too many to visit.
#[test]
fn figures_with_too_many_packings_have_no_map() {
    let set = parse_set("V4 L6").unwrap();
    let block = Figure::new((0..36).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9))).unwrap();
    let map = |limits| SolutionMap::new(&Problem::new(&block, &set), limits);
    let told = map(Limits::default());
    assert!(matches!(told, Err(MapError::TooMany(351_138))), "{told:?}");
    // A search through all of them takes too long, but soon exceeds the limit.
    let told = map(Limits { engine: EngineChoice::Search, ..Limits::default() });
    assert!(matches!(told, Err(MapError::AtLeast(100_001))), "{told:?}");
    let told = map(Limits { nodes: Some(2000), ..Limits::default() });
    assert!(matches!(told, Err(MapError::Undecided(_))), "{told:?}");
}
