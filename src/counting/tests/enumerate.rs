//! Enumerations: complete against published counts and brute force, without repetition, up to reflections or up to
//! rotations.

mod numbers;
mod order;
mod questions;

use crate::support::deadline::with_deadline;
use crate::support::polycube_counts::polycube_counts;
use somacat_checking::{Family, figures_by_class};
use somacat_counting::enumerate::{BoxSpec, ClassCounts, Enumeration, FigureShape, SymmetricSpec};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

static GO: AtomicBool = AtomicBool::new(false);

const EQUIVALENCES: [Equivalence; 2] = [Equivalence::Reflections, Equivalence::Rotations];

fn symmetric(spec: SymmetricSpec) -> Vec<Candidate> {
    list(&Enumeration::symmetric(spec).unwrap())
}

fn boxed(spec: BoxSpec) -> Vec<Candidate> {
    list(&Enumeration::in_box(spec).unwrap())
}

fn list(enumeration: &Enumeration) -> Vec<Candidate> {
    let mut all = Vec::new();
    let flow = enumeration.for_each(&GO, &mut |candidate| {
        all.push(candidate);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    all
}

fn counted(spec: SymmetricSpec) -> ClassCounts {
    Enumeration::symmetric(spec).unwrap().count(&GO).unwrap()
}

/// Returns the signatures of a listing. Checks that each occurs once and has its group.
fn signatures(all: &[Candidate]) -> BTreeSet<Signature> {
    let mut known = BTreeSet::new();
    for candidate in all {
        let group = candidate.figure().canonical().group;
        assert_eq!(candidate.group(), group, "{}", candidate.signature());
        assert!(known.insert(candidate.signature().clone()), "{} twice", candidate.signature());
    }
    known
}

fn signature(figure: &Figure, equivalence: Equivalence) -> Signature {
    figure.canonical_up_to(equivalence).signature
}

fn class_of(figure: &Figure) -> Class {
    figure.canonical().group.class()
}

fn mirror_image(figure: &Figure) -> Figure {
    figure.transformed(Transform::from_number(8).unwrap())
}

/// Returns all free polycubes of up to `most` cells. Adds a cell in every possible place.
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

/// Returns all sets of `members` of the first `all` numbers, as masks.
fn subsets(all: usize, members: usize) -> impl Iterator<Item = u32> {
    // The next larger number with equally many bits (Warren, "Hacker's Delight", 2003).
    let next = |set: &u32| {
        let sum = set + (set & set.wrapping_neg());
        Some(sum | (set ^ sum) >> (set.trailing_zeros() + 2))
    };
    std::iter::successors(Some((1 << members) - 1), next).take_while(move |set| set >> all == 0)
}

/// Returns all figures of `cells` cells in a small box. Tries every subset.
fn figures_in(
    [x, y, z]: [i32; 3],
    cells: usize,
    equivalence: Equivalence,
) -> BTreeMap<Signature, Figure> {
    let column = |x: i32, y: i32| (0..z).map(move |z| Cell::new(x, y, z));
    let all: Vec<Cell> = (0..x).flat_map(|x| (0..y).flat_map(move |y| column(x, y))).collect();
    let mut figures = BTreeMap::new();
    for subset in subsets(all.len(), cells) {
        let chosen = (0..all.len()).filter(|i| subset >> i & 1 == 1).map(|i| all[i]);
        let figure = Figure::new(chosen).unwrap();
        figures.insert(signature(&figure, equivalence), figure);
    }
    figures
}

/// Returns the signatures of the figures that satisfy a condition.
fn those(
    figures: &BTreeMap<Signature, Figure>,
    fits: impl Fn(&Figure) -> bool,
) -> BTreeSet<Signature> {
    figures.iter().filter(|(_, figure)| fits(figure)).map(|(s, _)| s.clone()).collect()
}

/// Returns the largest n for which a class takes only a moment.
fn most(class: Class) -> usize {
    match class.order() {
        1 => 10,
        2 if class.name() == "Cs(planar)" => 13,
        2 => 14,
        _ => 16,
    }
}

/// Enumerates figures of exactly a class. If a box is required, it is sufficiently large.
fn exactly(class: Class, cells: usize, equivalence: Equivalence) -> SymmetricSpec {
    let bounds = (class.order() < 3).then_some([cells as u32; 3]);
    SymmetricSpec { bounds, equivalence, ..SymmetricSpec::exactly(class, cells) }
}

#[test]
fn every_class_has_the_published_number_of_polycubes() {
    let published = polycube_counts();
    for class in Class::iter() {
        for cells in 1..=most(class) {
            let expected = published[&(class.name().to_owned(), cells)];
            let total = counted(exactly(class, cells, Equivalence::Reflections)).total();
            assert_eq!(total, expected, "{cells} cells, class {class}");
        }
    }
}

/// A b-file has `n a(n)` on each line, from n = 1. The published terms are first.
#[test]
fn b_files_continue_the_published_terms() {
    let published = polycube_counts();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalog/sequences");
    let mut longer = 0;
    for class in Class::iter().filter(|class| class.order() >= 3) {
        let path = root.join(class.oeis().replace('A', "b") + ".txt");
        let text = std::fs::read_to_string(&path).unwrap();
        for (at, line) in text.lines().enumerate() {
            let (n, term) = line.split_once(' ').unwrap();
            assert_eq!(n, (at + 1).to_string(), "{class}");
            let term: u64 = term.parse().unwrap();
            let known = published.get(&(class.name().to_owned(), at + 1));
            assert!(known.is_none_or(|&known| known == term), "{class}, {line}");
        }
        longer += usize::from(text.lines().count() >= 26);
    }
    assert!(longer >= 15, "{longer} sequences have ten new terms");
}

/// The code of `somacat-checking` counts each b-file's 16th term again. With `SOMACAT_THOROUGH=1` it counts the last one.
#[test]
fn a_second_method_counts_terms_of_b_files() {
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalog/sequences");
    for class in Class::iter().filter(|class| class.order() >= 3) {
        let path = root.join(class.oeis().replace('A', "b") + ".txt");
        let text = std::fs::read_to_string(&path).unwrap();
        let line = text.lines().nth(15).filter(|_| !thorough).or(text.lines().last());
        let (n, term) = line.unwrap().split_once(' ').unwrap();
        let cells = n.parse().unwrap();
        let family = Family { cells, bounds: None, parts: Some(1), towers: false };
        let counted = figures_by_class(family, &[class], u64::MAX, None);
        assert_eq!(counted[&class], Ok(term.parse().unwrap()), "{class}, {n} cells");
    }
}

/// Up to rotations, a chiral figure counts twice.
///
/// The sums over classes are published separately (A000162), also by the number of rotations (A066453 and others).
#[test]
fn one_sided_polycubes_are_as_many_as_published() {
    let published = polycube_counts();
    for class in Class::iter() {
        let hands = if class.groups()[0].is_chiral() { 2 } else { 1 };
        for cells in 1..=most(class) - 1 {
            let expected = hands * published[&(class.name().to_owned(), cells)];
            let total = counted(exactly(class, cells, Equivalence::Rotations)).total();
            assert_eq!(total, expected, "{cells} cells, class {class}");
        }
    }
    for cells in 1..=9 {
        let everything = SymmetricSpec {
            bounds: Some([cells as u32; 3]),
            equivalence: Equivalence::Rotations,
            ..SymmetricSpec::containing(Class::matching("C1").unwrap()[0], cells)
        };
        let counts = counted(everything);
        let sum = |fits: &dyn Fn(Group) -> bool| -> u64 {
            let fitting = counts.by_class.iter().filter(|(class, _)| fits(class.groups()[0]));
            fitting.map(|(_, figures)| figures).sum()
        };
        let known = |kind: &str| published[&(kind.to_owned(), cells)];
        assert_eq!(counts.total(), known("one-sided"));
        assert_eq!(sum(&|group| !group.is_chiral()), known("achiral"));
        assert_eq!(sum(&Group::is_chiral), 2 * known("chiral-pairs"));
        for order in [1, 2, 3, 4, 8] {
            let kind = format!("one-sided-rotation-order-{order}");
            assert_eq!(sum(&|group| group.rotation_order() == order), known(&kind), "{kind}");
        }
    }
}

#[test]
fn classes_sum_to_the_free_and_to_the_fixed_polycubes() {
    let published = polycube_counts();
    for cells in 1..=9 {
        let counts = counted(SymmetricSpec {
            bounds: Some([cells as u32; 3]),
            ..SymmetricSpec::containing(Class::matching("C1").unwrap()[0], cells)
        });
        let fixed = |(class, n): &(Class, u64)| n * 48 / class.order() as u64;
        assert_eq!(counts.total(), published[&("free".to_owned(), cells)]);
        let sum: u64 = counts.by_class.iter().map(fixed).sum();
        assert_eq!(sum, published[&("fixed".to_owned(), cells)]);
    }
}

#[test]
fn each_class_has_the_figures_of_a_brute_force_list() {
    for (at, level) in polycubes(8).iter().enumerate() {
        let cells = at + 1;
        for class in Class::iter() {
            for equivalence in EQUIVALENCES {
                let listed = level.values().filter(|f| class_of(f) == class);
                let images = listed.flat_map(|f| [f.clone(), mirror_image(f)]);
                let expected = images.map(|f| signature(&f, equivalence)).collect();
                let spec = exactly(class, cells, equivalence);
                assert_eq!(signatures(&symmetric(spec)), expected, "{cells} cells, class {class}");
            }
        }
    }
}

/// Returns the number of groups of class K that contain H.
///
/// This is how often a figure with group K occurs among all figures invariant under H.
fn mark(k: Class, h: Group) -> u64 {
    k.groups().iter().filter(|g| g.contains_group(h)).count() as u64
}

/// The figures invariant under a group, by two methods: as those of the classes above it, and by the enumeration of
/// a subgroup.
#[test]
fn an_enumeration_contains_that_of_every_group_above() {
    for (name, cells) in [("C3", 18), ("S4", 18), ("C4", 18), ("C2v(face,diagonal)", 14)] {
        let lower = Class::matching(name).unwrap()[0];
        let below = signatures(&symmetric(SymmetricSpec::containing(lower, cells)));
        let least = lower.groups()[0];
        for class in Class::iter() {
            if mark(class, least) == 0 || class.order() < 3 {
                continue;
            }
            let above = signatures(&symmetric(SymmetricSpec::containing(class, cells)));
            assert!(above.is_subset(&below), "{class} of {cells} cells");
            let own = below.iter().filter(|s| {
                let group = s.figure().unwrap().canonical().group;
                mark(group.class(), class.groups()[0]) > 0
            });
            assert_eq!(own.count(), above.len(), "{class} of {cells} cells");
        }
    }
}

/// Orderly generation of subsets against growth by orbits. They share only the figures.
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
    for ((sides, cells, least_order), equivalence) in
        boxes.iter().flat_map(|&row| EQUIVALENCES.map(|equivalence| (row, equivalence)))
    {
        let in_box = BoxSpec { connected: true, equivalence, ..BoxSpec::new(sides, cells) };
        let expected = Enumeration::in_box(in_box).unwrap().count(&GO).unwrap();
        let counts = counted(SymmetricSpec {
            classes: Class::iter().filter(|c| c.order() >= least_order).collect(),
            exact: true,
            cells,
            bounds: Some(sides),
            parts: 1,
            equivalence,
        });
        for (class, figures) in counts.by_class {
            assert_eq!(figures, expected.of(class), "{class}: {cells} cells in {sides:?}");
        }
    }
}

#[test]
fn a_bounding_box_keeps_the_figures_that_fit() {
    let class = Class::matching("C2v(face,planar)").unwrap()[0];
    let free = symmetric(SymmetricSpec::exactly(class, 14));
    for bounds in [[3, 3, 3], [2, 5, 3], [1, 4, 14], [9, 9, 2], [14, 99, 20]] {
        let spec = SymmetricSpec { bounds: Some(bounds), ..SymmetricSpec::exactly(class, 14) };
        let mut sides = bounds;
        sides.sort_unstable();
        let fits = |candidate: &&Candidate| {
            candidate.columns().extents.iter().zip(sides).all(|(e, s)| *e <= s)
        };
        let fitting: Vec<Candidate> = free.iter().filter(fits).cloned().collect();
        assert_eq!(signatures(&symmetric(spec)), signatures(&fitting), "{bounds:?}");
    }
}

#[test]
fn figures_in_several_parts_are_those_of_a_brute_force_list() {
    for ((sides, cells), equivalence) in
        [([2, 2, 4], 8), ([3, 3, 2], 7), ([1, 4, 4], 6), ([2, 2, 4], 12)]
            .into_iter()
            .flat_map(|row| EQUIVALENCES.map(|equivalence| (row, equivalence)))
    {
        let all = figures_in(sides, cells, equivalence);
        for parts in 1..=4 {
            for class in Class::iter() {
                let bounds = Some(sides.map(|s| s as u32));
                let spec = SymmetricSpec {
                    bounds,
                    parts,
                    equivalence,
                    ..SymmetricSpec::exactly(class, cells)
                };
                let fits = |f: &Figure| f.parts().len() == parts && class_of(f) == class;
                let listed = symmetric(spec.clone());
                assert_eq!(signatures(&listed), those(&all, fits), "{class}, {parts} parts");
                assert_eq!(counted(spec).total(), listed.len() as u64);
            }
        }
    }
}

/// Few cells of the box stay empty. Growth alone took almost a minute.
#[test]
fn figures_in_several_parts_that_fill_a_box_take_a_moment() {
    let cells: Vec<Cell> = (0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)).collect();
    let mut expected = BTreeMap::<usize, BTreeSet<Signature>>::new();
    for empty in subsets(27, 6) {
        let filled = (0..27).filter(|n| empty >> n & 1 == 0).map(|n| cells[n]);
        let figure = Figure::new(filled).unwrap();
        let (parts, canonical) = (figure.parts().len(), figure.canonical());
        if parts > 1 && canonical.group == Group::TRIVIAL {
            expected.entry(parts).or_default().insert(canonical.signature);
        }
    }
    for parts in 2..=4 {
        let spec = SymmetricSpec {
            bounds: Some([3; 3]),
            parts,
            ..SymmetricSpec::exactly(Class::matching("C1").unwrap()[0], 21)
        };
        let expected = expected.remove(&parts).unwrap_or_default();
        let found = with_deadline("figures in a box", || signatures(&symmetric(spec)));
        assert_eq!(found, expected, "{parts} parts");
    }
}

/// Returns true if some image within the box has no overhang.
fn is_tower(figure: &Figure, sides: [i32; 3]) -> bool {
    Transform::iter().any(|t| {
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
        for (cells, equivalence) in
            (1..=volume).flat_map(|n| EQUIVALENCES.map(|equivalence| (n, equivalence)))
        {
            let all = figures_in(sides, cells, equivalence);
            for (connected, shape) in [false, true].into_iter().flat_map(|connected| {
                [FigureShape::Any, FigureShape::Towers].map(|shape| (connected, shape))
            }) {
                let expected = those(&all, |f| {
                    (!connected || f.parts().len() == 1)
                        && (shape == FigureShape::Any || is_tower(f, sides))
                });
                let sides = sides.map(|s| s as u32);
                let spec = BoxSpec { sides, cells, connected, shape, equivalence };
                let enumeration = Enumeration::in_box(spec).unwrap();
                assert_eq!(signatures(&list(&enumeration)), expected, "{enumeration:?}");
                assert_eq!(enumeration.count(&GO).unwrap().total(), expected.len() as u64);
                if let Some(total) = enumeration.total() {
                    assert_eq!(total, expected.len() as u128, "{enumeration:?}");
                }
            }
        }
    }
}

#[test]
fn full_boxes_have_as_many_figures_as_burnside_counts() {
    let sizes =
        [([2, 3, 5], 27), ([2, 3, 4], 12), ([4, 2, 4], 27), ([3, 3, 3], 13), ([3, 3, 4], 31)];
    for ((sides, cells), equivalence) in
        sizes.iter().flat_map(|&row| EQUIVALENCES.map(|equivalence| (row, equivalence)))
    {
        let boxes =
            Enumeration::in_box(BoxSpec { equivalence, ..BoxSpec::new(sides, cells) }).unwrap();
        let count = boxes.count(&GO).unwrap().total();
        assert_eq!(boxes.total(), Some(u128::from(count)), "{cells} in {sides:?}, {equivalence:?}");
    }
}

#[test]
fn an_estimate_is_near_the_count() {
    let mut near = HashMap::new();
    for name in ["C3", "C3v", "D3", "D3d"] {
        let spec = SymmetricSpec::exactly(Class::matching(name).unwrap()[0], 21);
        let source = Enumeration::symmetric(spec).unwrap();
        let (mut figures, mut error) = (0.0, 0.0_f64);
        for sample in source.estimate(&GO) {
            figures += sample.estimate.figures;
            error = error.hypot(sample.estimate.error);
            let drawn: usize = sample.groups.iter().map(|group| group.figures.len()).sum();
            assert_eq!(drawn == 0, sample.estimate.figures == 0.0);
            let shards: usize = sample.groups.iter().map(|group| group.shards.len()).sum();
            assert_eq!(shards, sample.weights.len());
        }
        let total = source.count(&GO).unwrap().total();
        assert!((figures - total as f64).abs() <= 5.0 * error + 0.5, "{name}: {figures} ± {error}");
        near.insert(name, source.size(&GO));
    }
    assert!(near["C3"] > 0 && near["D3d"] < near["C3"]);
}

/// Here the largest shards have most of the figures, and are themselves estimated from finer shards.
#[test]
fn an_estimate_of_large_shards_is_near_the_known_number() {
    let class = Class::matching("C2v(face,planar)").unwrap()[0];
    let source = Enumeration::symmetric(SymmetricSpec::exactly(class, 27)).unwrap();
    let samples = source.estimate(&GO);
    let figures: f64 = samples.iter().map(|sample| sample.estimate.figures).sum();
    let error = samples.iter().fold(0.0, |sum: f64, sample| sum.hypot(sample.estimate.error));
    let known = source.total().unwrap() as f64;
    assert!((figures - known).abs() < 2.5 * error, "{figures} ± {error}");
    assert!(error < 0.1 * known, "{figures} ± {error}");
}

/// A census of figures built with A and L found 72. An enumeration found 49.
#[test]
fn a_box_of_12_cells_holds_49_figures_of_8_and_72_up_to_rotations() {
    for (equivalence, figures, chiral) in
        [(Equivalence::Reflections, 49, 23), (Equivalence::Rotations, 72, 46)]
    {
        let listed = boxed(BoxSpec { equivalence, ..BoxSpec::new([2, 2, 3], 8) });
        let of_two_hands = listed.iter().filter(|candidate| candidate.group().is_chiral()).count();
        assert_eq!((listed.len(), of_two_hands), (figures, chiral));
    }
}

/// Totals are known without listing the figures, also of small and of chiral ones.
#[test]
fn known_totals_are_those_of_the_lists() {
    for equivalence in EQUIVALENCES {
        for name in ["C4", "D3", "S4", "C3v"] {
            let spec = |cells| exactly(Class::matching(name).unwrap()[0], cells, equivalence);
            for cells in [1, 8, 15] {
                let source = Enumeration::symmetric(spec(cells)).unwrap();
                let listed = source.count(&GO).unwrap().total();
                assert_eq!(source.total(), Some(listed.into()), "{name}, {cells}");
            }
            let within = SymmetricSpec { bounds: Some([3, 3, 4]), ..spec(15) };
            assert_eq!(Enumeration::symmetric(within).unwrap().total(), None);
        }
    }
}

/// Samples for 500 seeds should contain each figure 125 times. This and the standard deviation 9.7 hold if each sample
/// contains it with probability 1/4, independently of other seeds. The sum of squared deviations then has the mean 1.
#[test]
fn a_sample_contains_every_figure_with_the_same_probability() {
    let source = || {
        let spec = SymmetricSpec::exactly(Class::matching("S4").unwrap()[0], 19);
        Enumeration::symmetric(spec).unwrap()
    };
    let names = |all: &[Candidate]| -> Vec<String> {
        all.iter().map(|candidate| candidate.signature().to_string()).collect()
    };
    let all = names(&list(&source()));
    assert_eq!(names(&list(&source().sampled(1, 7).unwrap())), all);
    let mut times: HashMap<String, f64> = HashMap::new();
    for seed in 0..500 {
        for figure in names(&list(&source().sampled(4, seed).unwrap())) {
            *times.entry(figure).or_default() += 1.0;
        }
    }
    assert!(times.keys().all(|figure| all.contains(figure)));
    let deviations: Vec<f64> =
        all.iter().map(|f| (times.get(f).copied().unwrap_or(0.0) - 125.0) / 9.682).collect();
    let square = deviations.iter().map(|d| d * d).sum::<f64>() / all.len() as f64;
    let mean = deviations.iter().sum::<f64>() / all.len() as f64;
    assert!(deviations.iter().all(|d| d.abs() < 5.0), "{deviations:?}");
    assert!((0.7..1.3).contains(&square), "{square}");
    assert!(mean.abs() < 0.4, "{mean}");
}
