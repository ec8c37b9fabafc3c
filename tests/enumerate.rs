//! Enumerations: complete against published counts and brute force, without repetition, and in one
//! order.

use somacat::enumerate::{
    BoxSpec, Boxes, EnumerateError, Found, Place, Shape, Symmetric, SymmetricSpec, Tally,
};
use somacat::figure::{Figure, Signature};
use somacat::lattice::{Cell, Transform};
use somacat::symmetry::{Class, Group};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

static GO: AtomicBool = AtomicBool::new(false);

/// The published counts of free polycubes by (exact class, n): OEIS A376964–A376991 and
/// A377127–A377131; `fixed` and `free` are A001931 and A038119.
fn published() -> BTreeMap<(String, usize), u64> {
    let text = include_str!("data/polycube_counts.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(|row| {
        let (_, class, n, count): (String, String, usize, u64) = row.unwrap();
        let name = class.split(" = ").last().unwrap().to_owned();
        ((name, n), count)
    })
    .collect()
}

fn symmetric(spec: &SymmetricSpec) -> Vec<Found> {
    let mut all = Vec::new();
    let keep = &mut |found| {
        all.push(found);
        ControlFlow::Continue(())
    };
    assert!(Symmetric::new(spec).unwrap().for_each(&GO, keep).is_continue());
    all
}

fn boxed(spec: &BoxSpec) -> Vec<Found> {
    let mut all = Vec::new();
    let keep = &mut |found| {
        all.push(found);
        ControlFlow::Continue(())
    };
    assert!(Boxes::new(spec).unwrap().for_each(&GO, keep).is_continue());
    all
}

/// The signatures of what was found, each once and each with the group it has.
fn signatures(all: &[Found]) -> BTreeSet<Signature> {
    let mut known = BTreeSet::new();
    for found in all {
        let canonical = found.figure.canonical();
        assert_eq!(canonical.group, found.group, "{}", canonical.signature);
        assert!(known.insert(canonical.signature.clone()), "{} twice", canonical.signature);
    }
    known
}

/// All free polycubes of up to `most` cells, by adding a cell in every possible place.
fn polycubes(most: usize) -> Vec<BTreeMap<Signature, Figure>> {
    let seed = Figure::new([Cell::default()]).unwrap();
    let mut levels = vec![BTreeMap::from([(seed.canonical().signature, seed)])];
    while levels.len() < most {
        let mut next = BTreeMap::new();
        for shape in levels[levels.len() - 1].values() {
            for neighbor in shape.cells().iter().flat_map(|c| c.neighbors()) {
                if !shape.cells().contains(&neighbor) {
                    let cells = shape.cells().iter().copied().chain([neighbor]);
                    let larger = Figure::new(cells).unwrap();
                    next.insert(larger.canonical().signature, larger);
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// All figures of `cells` cells in a small box, by trying every subset.
fn figures_in([x, y, z]: [i32; 3], cells: usize) -> BTreeMap<Signature, Figure> {
    let column = |x: i32, y: i32| (0..z).map(move |z| Cell::new(x, y, z));
    let all: Vec<Cell> = (0..x).flat_map(|x| (0..y).flat_map(move |y| column(x, y))).collect();
    let mut figures = BTreeMap::new();
    for subset in (0_u32..1 << all.len()).filter(|s| s.count_ones() as usize == cells) {
        let chosen = (0..all.len()).filter(|i| subset >> i & 1 == 1).map(|i| all[i]);
        let figure = Figure::new(chosen).unwrap();
        figures.insert(figure.canonical().signature, figure);
    }
    figures
}

/// The largest n up to which a class takes a moment.
fn most(class: Class) -> usize {
    match class.order() {
        1 => 10,
        2 if class.name() == "Cs(planar)" => 13,
        2 => 14,
        _ => 16,
    }
}

#[test]
fn every_class_has_the_published_number_of_polycubes() {
    let published = published();
    for class in Class::all() {
        for cells in 1..=most(class) {
            let mut spec = SymmetricSpec::exactly(class, cells);
            spec.bounds = (class.order() < 3).then_some([cells as u32; 3]);
            let total = Symmetric::new(&spec).unwrap().count(&GO).unwrap().total();
            let expected = published[&(class.name().to_owned(), cells)];
            assert_eq!(total, expected, "{cells} cells, class {class}");
        }
    }
}

#[test]
fn classes_sum_to_the_free_and_to_the_fixed_polycubes() {
    let published = published();
    for cells in 1..=9 {
        let spec = SymmetricSpec {
            bounds: Some([cells as u32; 3]),
            ..SymmetricSpec::containing("C1".parse().unwrap(), cells)
        };
        let tally = Symmetric::new(&spec).unwrap().count(&GO).unwrap();
        let fixed = |(class, n): &(Class, u64)| n * 48 / class.order() as u64;
        assert_eq!(tally.total(), published[&("free".to_owned(), cells)]);
        let sum: u64 = tally.by_class.iter().map(fixed).sum();
        assert_eq!(sum, published[&("fixed".to_owned(), cells)]);
    }
}

#[test]
fn each_class_has_the_figures_of_a_brute_force_list() {
    for (at, level) in polycubes(8).iter().enumerate() {
        let cells = at + 1;
        for class in Class::all() {
            let mut spec = SymmetricSpec::exactly(class, cells);
            spec.bounds = (class.order() < 3).then_some([cells as u32; 3]);
            let listed = level.iter().filter(|(_, f)| f.canonical().group.class() == class);
            let expected: BTreeSet<Signature> = listed.map(|(s, _)| s.clone()).collect();
            assert_eq!(signatures(&symmetric(&spec)), expected, "{cells} cells, class {class}");
        }
    }
}

/// The number of groups of each class of K that contain a given group H: how often a figure with
/// group K is met among all figures that H keeps.
fn mark(k: Class, h: Group) -> u64 {
    k.groups().iter().filter(|g| g.contains_group(h)).count() as u64
}

/// Two ways to the figures that a group keeps: as those of the classes above it, and found by a
/// subgroup's enumeration.
#[test]
fn an_enumeration_contains_that_of_every_group_above() {
    for (name, cells) in [("C3", 18), ("S4", 18), ("C4", 18), ("C2v(face,diagonal)", 14)] {
        let lower: Class = name.parse().unwrap();
        let below = signatures(&symmetric(&SymmetricSpec::containing(lower, cells)));
        let least = lower.groups()[0];
        for class in Class::all() {
            if mark(class, least) == 0 || class.order() < 3 {
                continue;
            }
            let above = signatures(&symmetric(&SymmetricSpec::containing(class, cells)));
            assert!(above.is_subset(&below), "{class} of {cells} cells");
            let own = below.iter().filter(|s| {
                let group = s.figure().unwrap().canonical().group;
                mark(group.class(), class.groups()[0]) > 0
            });
            assert_eq!(own.count(), above.len(), "{class} of {cells} cells");
        }
    }
}

/// Orderly generation of subsets against growth by orbits: nothing in common but the figures.
#[test]
fn figures_in_a_box_are_those_of_the_classes() {
    let boxes = [
        ([2, 3, 3], 11, 1),
        ([2, 2, 5], 12, 1),
        ([2, 3, 5], 24, 2),
        ([2, 4, 4], 26, 2),
        ([3, 3, 3], 15, 3),
        ([3, 3, 4], 29, 3),
    ];
    for (sides, cells, least_order) in boxes {
        let in_box = BoxSpec { sides, cells, connected: true, shape: Shape::Any };
        let all = SymmetricSpec {
            classes: Class::all().filter(|c| c.order() >= least_order).collect(),
            exact: true,
            cells,
            bounds: Some(sides),
            parts: 1,
        };
        let tally: Tally = Symmetric::new(&all).unwrap().count(&GO).unwrap();
        let expected = Boxes::new(&in_box).unwrap().count(&GO).unwrap();
        for (class, figures) in tally.by_class {
            assert_eq!(figures, expected.of(class), "{class}: {cells} cells in {sides:?}");
        }
    }
}

#[test]
fn a_bounding_box_keeps_the_figures_that_fit() {
    let class: Class = "C2v(face,planar)".parse().unwrap();
    let free = symmetric(&SymmetricSpec::exactly(class, 14));
    for bounds in [[3, 3, 3], [2, 5, 3], [1, 4, 14], [9, 9, 2]] {
        let spec = SymmetricSpec { bounds: Some(bounds), ..SymmetricSpec::exactly(class, 14) };
        let mut sides = bounds;
        sides.sort_unstable();
        let fits = |found: &&Found| {
            let mut extents = found.figure.extents();
            extents.sort_unstable();
            extents.iter().zip(sides).all(|(e, s)| *e <= s)
        };
        let fitting: Vec<Found> = free.iter().filter(fits).cloned().collect();
        assert_eq!(signatures(&symmetric(&spec)), signatures(&fitting), "{bounds:?}");
    }
}

#[test]
fn figures_in_several_parts_are_those_of_a_brute_force_list() {
    for (sides, cells) in [([2, 2, 4], 8), ([3, 3, 2], 7), ([1, 4, 4], 6)] {
        let all = figures_in(sides, cells);
        for parts in 1..=4 {
            for class in Class::all() {
                let spec = SymmetricSpec {
                    bounds: Some(sides.map(|s| s as u32)),
                    parts,
                    ..SymmetricSpec::exactly(class, cells)
                };
                let fits =
                    |f: &Figure| f.parts().len() == parts && f.canonical().group.class() == class;
                let listed = all.iter().filter(|(_, f)| fits(f)).map(|(s, _)| s.clone());
                let expected: BTreeSet<Signature> = listed.collect();
                assert_eq!(signatures(&symmetric(&spec)), expected, "{class}, {parts} parts");
            }
        }
    }
}

/// Whether a figure, laid as some image within the box, has no overhang.
fn is_tower(figure: &Figure, sides: [i32; 3]) -> bool {
    Transform::all().any(|t| {
        let image = figure.transformed(t);
        let extents = image.extents().map(|e| e as i32);
        let solid = |c: &Cell| {
            c.z + 1 == extents[2] || image.cells().contains(&Cell::new(c.x, c.y, c.z + 1))
        };
        extents.iter().zip(sides).all(|(e, s)| *e <= s) && image.cells().iter().all(solid)
    })
}

#[test]
fn boxes_hold_the_figures_of_a_brute_force_list() {
    for sides in [[1, 1, 5], [1, 3, 4], [2, 2, 3], [2, 4, 2]] {
        let volume = sides.iter().product::<i32>() as usize;
        for cells in 1..=volume {
            let all = figures_in(sides, cells);
            for connected in [false, true] {
                for shape in [Shape::Any, Shape::Towers] {
                    let fits = |f: &Figure| {
                        (!connected || f.parts().len() == 1)
                            && (shape == Shape::Any || is_tower(f, sides))
                    };
                    let listed = all.iter().filter(|(_, f)| fits(f)).map(|(s, _)| s.clone());
                    let expected: BTreeSet<Signature> = listed.collect();
                    let sides = sides.map(|s| s as u32);
                    let spec = BoxSpec { sides, cells, connected, shape };
                    assert_eq!(signatures(&boxed(&spec)), expected, "{spec:?}");
                    let boxes = Boxes::new(&spec).unwrap();
                    assert_eq!(boxes.count(&GO).unwrap().total(), expected.len() as u64);
                    if let Some(total) = boxes.total() {
                        assert_eq!(total, expected.len() as u128, "{spec:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn full_boxes_have_as_many_figures_as_burnside_counts() {
    let sizes =
        [([2, 3, 5], 27), ([2, 3, 5], 15), ([4, 2, 4], 27), ([3, 3, 3], 13), ([3, 3, 4], 30)];
    for (sides, cells) in sizes {
        let spec = BoxSpec { sides, cells, connected: false, shape: Shape::Any };
        let boxes = Boxes::new(&spec).unwrap();
        let count = boxes.count(&GO).unwrap().total();
        assert_eq!(boxes.total(), Some(u128::from(count)), "{spec:?}");
    }
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    let class: Class = "C2v(edge)".parse().unwrap();
    let spec = SymmetricSpec::containing(class, 16);
    let in_box = BoxSpec { sides: [2, 4, 4], cells: 26, connected: true, shape: Shape::Any };
    let towers = BoxSpec { sides: [3, 3, 4], cells: 20, connected: false, shape: Shape::Towers };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (symmetric(&spec), boxed(&in_box), boxed(&towers)))
    };
    let alone = run(1);
    assert!(alone.0.len() > 3000 && alone.1.len() > 3000 && alone.2.len() > 1000);
    assert!(alone == run(2));
    assert!(alone == run(5));
}

#[test]
fn questions_without_an_answer_say_why() {
    let why = |spec: &SymmetricSpec| Symmetric::new(spec).unwrap_err();
    let mirror: Class = "Cs(planar)".parse().unwrap();
    let spec = SymmetricSpec::containing(mirror, 27);
    assert_eq!(why(&spec), EnumerateError::BoxRequired { class: mirror });
    assert!(why(&spec).to_string().contains("need a box"));
    let c3 = SymmetricSpec::containing("C3".parse().unwrap(), 27);
    assert_eq!(why(&SymmetricSpec { cells: 0, ..c3.clone() }), EnumerateError::Cells(0));
    assert_eq!(why(&SymmetricSpec { classes: vec![], ..c3.clone() }), EnumerateError::NoClass);
    assert_eq!(why(&SymmetricSpec { parts: 2, ..c3.clone() }), EnumerateError::PartsNeedBox(2));
    let small = SymmetricSpec { bounds: Some([2, 3, 4]), ..c3 };
    assert_eq!(why(&small), EnumerateError::BoxTooSmall { sides: [2, 3, 4], cells: 27 });
    let huge = BoxSpec { sides: [9, 9, 9], cells: 20, connected: false, shape: Shape::Any };
    let error = Boxes::new(&huge).unwrap_err();
    assert_eq!(error, EnumerateError::BoxTooLarge { sides: [9, 9, 9], most: 128 });
}

#[test]
fn a_run_can_be_stopped_from_both_sides() {
    let spec = SymmetricSpec::containing("C3".parse().unwrap(), 20);
    let source = Symmetric::new(&spec).unwrap();
    let mut seen = 0;
    let flow = source.for_each(&GO, &mut |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((flow, seen), (ControlFlow::Break(()), 5));
    let stop = AtomicBool::new(false);
    let flow = source.for_each(&stop, &mut |_| {
        seen += 1;
        stop.store(seen == 8, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_eq!((flow, seen), (ControlFlow::Break(()), 8));
    assert_eq!(source.count(&stop), None);
}

#[test]
fn an_estimate_is_near_the_count() {
    let spec = SymmetricSpec::containing("C3".parse().unwrap(), 21);
    let source = Symmetric::new(&spec).unwrap();
    let expected = source.count(&GO).unwrap();
    let mut estimates: HashMap<Class, (f64, f64)> = HashMap::new();
    for (class, sampled) in source.estimate(&GO) {
        let (figures, error) = estimates.entry(class).or_default();
        *figures += sampled.estimate.figures;
        *error = error.hypot(sampled.estimate.error);
        assert_eq!(sampled.figures.is_empty(), sampled.estimate.figures == 0.0);
    }
    for (class, (figures, error)) in estimates {
        let apart = (figures - expected.of(class) as f64).abs();
        assert!(apart <= 5.0 * error + 0.5, "{class}: {figures} ± {error}");
    }
}

/// Hands on figures, each with the place after it, from a place on.
type Enumeration<'a> = dyn Fn(Place, &mut dyn FnMut(Place, Found) -> ControlFlow<()>) + 'a;

#[test]
fn an_enumeration_goes_on_from_any_place() {
    let collect = |each: &Enumeration<'_>, from| {
        let mut listed = Vec::new();
        each(from, &mut |place, found| {
            listed.push((place, found.figure));
            ControlFlow::Continue(())
        });
        listed
    };
    let check = |each: &Enumeration<'_>| {
        let all = collect(each, Place::default());
        assert!(all.len() > 20);
        for at in [0, 1, all.len() / 3, all.len() / 2, all.len() - 2, all.len() - 1] {
            assert_eq!(collect(each, all[at].0), all[at + 1..], "from {:?}", all[at].0);
        }
    };
    let spec = SymmetricSpec::containing("C2v(face,planar)".parse().unwrap(), 14);
    let symmetric = Symmetric::new(&spec).unwrap();
    check(&|from, emit| {
        let _ = symmetric.for_each_mapped(from, &GO, Some, emit);
    });
    let spec = BoxSpec { sides: [2, 3, 3], cells: 9, connected: false, shape: Shape::Any };
    let boxes = Boxes::new(&spec).unwrap();
    check(&|from, emit| {
        let _ = boxes.for_each_mapped(from, &GO, Some, emit);
    });
}
