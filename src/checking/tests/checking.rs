//! The independent checks against published numbers, brute force and the geometry.

#![allow(clippy::unwrap_used)]

use somacat_checking::{
    Family, RecountError, box_packings_modulo, figures_by_class, is_tower, plain_class,
    plain_parity, plain_parts, recount, recount_modulo,
};
use somacat_geometry::boxes::box_cells;
use somacat_geometry::figure::{Canonical, Figure};
use somacat_geometry::lattice::{Cell, Transform, part_count};
use somacat_geometry::outcome::Counts;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_geometry::symmetry::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

fn boxed(sides: [i32; 3]) -> Figure {
    Figure::new(box_cells(sides)).unwrap()
}

/// Returns all figures in a 2×2×3 box.
fn figures_in_a_small_box() -> impl Iterator<Item = Figure> {
    let cells = box_cells([2, 2, 3]);
    (1_u32..1 << cells.len()).map(move |subset| {
        let own = cells.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
        Figure::new(own.map(|(_, cell)| *cell)).unwrap()
    })
}

/// Figure signatures up to the 48 transforms, by cells, parts and class.
type ListedFigures = BTreeMap<(usize, usize, Class), BTreeSet<String>>;

fn list(figures: impl Iterator<Item = Figure>) -> ListedFigures {
    let mut listed = ListedFigures::new();
    for figure in figures {
        let Canonical { signature, group, .. } = figure.canonical();
        let key = (figure.len(), part_count(figure.cells()), group.class());
        listed.entry(key).or_default().insert(signature.to_string());
    }
    listed
}

fn by_class(family: Family) -> Vec<(Class, u128)> {
    let classes: Vec<Class> = Class::iter().collect();
    let numbers = figures_by_class(family, &classes, u64::MAX, None);
    numbers.into_iter().map(|(class, number)| (class, number.unwrap())).collect()
}

#[test]
fn the_cube_has_240_packings_480_up_to_rotation_and_11520_in_all() {
    let cube = boxed([3, 3, 3]);
    let counts = Counts { raw: 11520, rotation: 480, unique: 240 };
    let soma = PieceSet::soma(1);
    assert_eq!(recount(&cube, &soma, u64::MAX, None), Ok(counts));
    assert_eq!(recount(&cube, &soma, 1000, None), Err(RecountError::Steps));
    let stop = AtomicBool::new(true);
    assert_eq!(recount(&cube, &soma, u64::MAX, Some(&stop)), Err(RecountError::Stopped));
}

/// Compares with censuses: packings of 27 cells of a box.
#[test]
fn packings_of_a_box_are_those_of_its_figures() {
    let soma = PieceSet::soma(1);
    for (sides, packings) in [([3, 3, 3], 11_520), ([2, 3, 5], 3_651_128), ([2, 2, 6], 0)] {
        let found = box_packings_modulo(sides, &soma, 1 << 30, u64::MAX, None);
        assert_eq!(found, Ok([packings; 2]), "{sides:?}");
    }
    let short = box_packings_modulo([2, 3, 5], &soma, 1 << 30, 1000, None);
    assert_eq!(short, Err(RecountError::Steps));
}

/// Compares with a count by hand: a P is one corner and its three neighbors; the opposite corner gives the
/// other P.
#[test]
fn two_corner_pieces_make_the_2x2x2_cube_in_four_ways() {
    let (cube, set) = (boxed([2, 2, 2]), parse_set("P2").unwrap());
    let counts = Counts { raw: 4, rotation: 1, unique: 1 };
    assert_eq!(recount(&cube, &set, u64::MAX, None), Ok(counts));
}

/// Compares search and sweep: with different pieces, equal ones, mirror images among them, and none that fit.
#[test]
fn the_sweep_counts_as_the_search_does() {
    for (sides, set) in [
        ([3, 3, 3], "V L T Z A B P"),
        ([2, 2, 7], "V2 L2 T2 Z"),
        ([2, 3, 4], "L2 Z2 A B"),
        ([3, 2, 4], "P6"),
        ([4, 4, 2], "T8"),
        ([1, 6, 4], "L3 T2 Z"),
    ] {
        let (figure, set) = (boxed(sides), parse_set(set).unwrap());
        let Ok(remainders) = recount_modulo(&figure, &set, 1 << 26, 1 << 20, None) else {
            panic!("{sides:?}");
        };
        if figure.len() != set.total_cells() {
            assert_eq!(remainders.raw, [0; 2]);
            continue;
        }
        let counts = recount(&figure, &set, u64::MAX, None).unwrap();
        assert!(remainders.fit(counts.raw), "{sides:?} {remainders:?} {counts:?}");
        assert!(!remainders.fit(counts.raw + 1));
        assert_eq!(remainders.counts(counts.raw), counts, "{sides:?}");
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let (cube, soma) = (boxed([3, 3, 3]), PieceSet::soma(1));
    let refusal = |bytes, steps| recount_modulo(&cube, &soma, bytes, steps, None);
    assert_eq!(refusal(10_000, 1 << 20), Err(RecountError::States));
    assert_eq!(refusal(1 << 26, 10), Err(RecountError::Steps));
    let stop = AtomicBool::new(true);
    let stopped = recount_modulo(&cube, &soma, 1 << 26, 1 << 20, Some(&stop));
    assert_eq!(stopped, Err(RecountError::Stopped));
}

/// Orbits of four cells in general position have only the group's symmetry.
#[test]
fn classes_of_all_98_groups_agree_with_the_geometry() {
    let cells = [Cell::new(1, 2, 4), Cell::new(0, 3, 7), Cell::new(5, 1, 9), Cell::new(2, 0, 6)];
    let mut groups = 0;
    for group in Class::iter().flat_map(Class::groups) {
        let orbits = group.iter().flat_map(|t| cells.map(|cell| t.apply(cell)));
        let figure = Figure::new(orbits.collect::<BTreeSet<_>>()).unwrap();
        assert_eq!(plain_class(&figure), group.class().name());
        groups += 1;
    }
    assert_eq!(groups, 98);
}

#[test]
fn columns_of_all_figures_in_a_small_box_agree_with_the_geometry() {
    for figure in figures_in_a_small_box() {
        let known = figure.canonical();
        assert_eq!(plain_class(&figure), known.group.class().name());
        assert_eq!(plain_parity(&figure), figure.color_difference().unsigned_abs());
        assert_eq!(plain_parts(&figure), figure.parts().len());
    }
}

/// Compares all subsets of a box: a figure is a tower if one of its 48 images is a map of heights.
#[test]
fn towers_are_the_figures_of_maps_of_heights() {
    for sides in [[2, 2, 3], [3, 2, 2], [2, 1, 3], [1, 3, 2], [2, 2, 1]] {
        let [a, b, height] = sides;
        let is_map = |figure: &Figure| {
            let extents = figure.extents();
            let [x, y, z] = extents.map(|extent| 0..extent as i32);
            let has = |cell: Cell| figure.cells().contains(&cell);
            let solid = |x: i32, y: i32| {
                let column: Vec<bool> = z.clone().map(|z| has(Cell::new(x, y, z))).collect();
                column.is_sorted_by(|low, high| low >= high)
            };
            extents[0] <= a
                && extents[1] <= b
                && extents[2] <= height
                && x.into_iter().all(|x| y.clone().all(|y| solid(x, y)))
        };
        for figure in figures_in_a_small_box() {
            let known = Transform::iter().any(|t| is_map(&figure.transformed(t)));
            assert_eq!(is_tower(&figure, sides), known, "{:?} in {sides:?}", figure.cells());
        }
    }
}

/// Compares with OEIS: A038119 (up to rotation and reflection) and A001931 (up to translation).
#[test]
fn small_polycubes_are_as_many_as_were_published() {
    for (cells, free, fixed) in [
        (1, 1, 1),
        (2, 1, 3),
        (3, 2, 15),
        (4, 7, 86),
        (5, 23, 534),
        (6, 112, 3_481),
        (7, 607, 23_502),
    ] {
        let numbers = by_class(Family { cells, bounds: None, parts: Some(1), towers: false });
        assert_eq!(numbers.iter().map(|(_, number)| number).sum::<u128>(), free, "{cells}");
        let positions = |(class, number): &(Class, u128)| number * (48 / class.order() as u128);
        assert_eq!(numbers.iter().map(positions).sum::<u128>(), fixed, "{cells}");
    }
}

/// Growth gives the closed form for boxes whose subsets are all connected.
#[test]
fn closed_form_and_growth_agree() {
    let whole =
        |parts| by_class(Family { cells: 16, bounds: Some([2, 3, 3]), parts, towers: false });
    assert_eq!(whole(None), whole(Some(1)));
}

/// Compares with all subsets of a box, for any number of parts. They are listed one by one, up to the 48
/// transforms.
#[test]
fn figures_of_several_parts_are_as_many_as_listed() {
    let sides = [2, 2, 3];
    let listed = list(figures_in_a_small_box());
    for cells in 1..=12 {
        for parts in 1..=7 {
            let family = Family { cells, bounds: Some(sides), parts: Some(parts), towers: false };
            for (class, number) in by_class(family) {
                let known = listed.get(&(cells, parts, class)).map_or(0, BTreeSet::len);
                assert_eq!(number, known as u128, "{cells} cells, {parts} parts, {class}");
            }
        }
    }
    assert!(listed.keys().any(|(_, parts, _)| *parts == 6), "a checkerboard has six parts");
}

/// Tests larger boxes: the counts for each number of parts add up to the total.
#[test]
fn parts_add_up() {
    for (sides, cells) in [([3, 3, 3], 8), ([2, 3, 4], 12)] {
        let family = |parts| Family { cells, bounds: Some(sides), parts, towers: false };
        let mut sums: BTreeMap<Class, u128> = BTreeMap::new();
        for parts in 1..=cells {
            for (class, number) in by_class(family(Some(parts))) {
                *sums.entry(class).or_default() += number;
            }
        }
        assert_eq!(sums.into_iter().collect::<Vec<_>>(), by_class(family(None)), "{sides:?}");
    }
}

/// Compares with the figures of all maps of heights on a rectangle. `figures_by_class` must identify equal
/// figures.
#[test]
fn towers_are_as_many_as_listed() {
    let worlds = [
        [1, 1, 5],
        [1, 4, 3],
        [1, 3, 4],
        [1, 6, 2],
        [2, 2, 2],
        [2, 2, 4],
        [2, 3, 2],
        [2, 3, 3],
        [2, 3, 4],
        [3, 2, 4],
        [2, 4, 2],
        [3, 3, 1],
        [3, 3, 2],
    ];
    for sides @ [a, b, height] in worlds {
        let maps = (1..(height + 1_u32).pow(a * b)).filter_map(|map| {
            let top = |n: u32| map / (height + 1).pow(n) % (height + 1);
            // Of a map, its mirror image and its half turn, one is enough.
            let tops = || (0..a * b).map(top);
            let mirrored = (0..a * b).map(|n| top(n + a - 1 - 2 * (n % a)));
            if mirrored.lt(tops()) || tops().rev().lt(tops()) {
                return None;
            }
            let columns = (0..a * b).flat_map(|n| (0..top(n)).map(move |z| [n % a, n / a, z]));
            Some(Figure::new(columns.map(|cell| Cell::from(cell.map(|at| at as i32)))).unwrap())
        });
        let listed = list(maps);
        let most = (a * b) as usize;
        for cells in 1..=most * height as usize {
            for parts in [None, Some(1), Some(2)] {
                let family = Family { cells, bounds: Some(sides), parts, towers: true };
                for (class, number) in by_class(family) {
                    let alike = listed.iter().filter(|((of, into, in_class), _)| {
                        *of == cells
                            && parts.is_none_or(|parts| parts == *into)
                            && *in_class == class
                    });
                    let known: usize = alike.map(|(_, figures)| figures.len()).sum();
                    assert_eq!(number, known as u128, "{cells} in {sides:?}, {parts:?}: {class}");
                }
            }
        }
    }
}

/// Compares with Nungester's C3i, D3d and Oh.
#[test]
fn large_groups_of_27_cells() {
    let named = |name: &str| Class::iter().find(|class| class.name() == name).unwrap();
    let classes = ["D3d", "Th", "Oh"].map(named);
    let family = Family { cells: 27, bounds: None, parts: Some(1), towers: false };
    let numbers = figures_by_class(family, &classes, 10_000_000, None);
    assert_eq!(numbers.into_values().collect::<Vec<_>>(), [Ok(10), Ok(0), Ok(1)]);
    let few = figures_by_class(family, &[named("C3")], 10, None);
    assert_eq!(few[&named("C3")], Err(RecountError::Steps));
}
