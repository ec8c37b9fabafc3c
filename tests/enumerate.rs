//! Enumerations: complete against published counts and brute force, without repetition, up to
//! reflections and up to rotations, and in one order.

use crate::support::program::{column, run, stdout};
use somacat::enumerate::{
    BoxSpec, ClassChoice, ClassCounts, EnumerateError, Enumeration, Place, Question, Shape,
    SymmetricSpec, parse_box,
};
use somacat::figure::{Candidate, Figure, Identity, Signature};
use somacat::lattice::{Cell, Transform};
use somacat::symmetry::{Class, Group};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static GO: AtomicBool = AtomicBool::new(false);

const IDENTITIES: [Identity; 2] = [Identity::Reflections, Identity::Rotations];

/// The published counts of polycubes by (exact class, n), OEIS A376964–A376991 and A377127–A377131,
/// and by (kind, n), of A000162, A001931, A038119 and others.
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

/// The signatures of what was listed, each once and each with the group it has.
fn signatures(all: &[Candidate]) -> BTreeSet<Signature> {
    let mut known = BTreeSet::new();
    for candidate in all {
        let group = candidate.figure().canonical().group;
        assert_eq!(candidate.group(), group, "{}", candidate.signature());
        assert!(known.insert(candidate.signature().clone()), "{} twice", candidate.signature());
    }
    known
}

fn signature(figure: &Figure, identity: Identity) -> Signature {
    figure.canonical_up_to(identity).signature
}

fn class_of(figure: &Figure) -> Class {
    figure.canonical().group.class()
}

fn mirror_image(figure: &Figure) -> Figure {
    figure.transformed(Transform::from_number(8).unwrap())
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
fn figures_in(
    [x, y, z]: [i32; 3],
    cells: usize,
    identity: Identity,
) -> BTreeMap<Signature, Figure> {
    let column = |x: i32, y: i32| (0..z).map(move |z| Cell::new(x, y, z));
    let all: Vec<Cell> = (0..x).flat_map(|x| (0..y).flat_map(move |y| column(x, y))).collect();
    let mut figures = BTreeMap::new();
    for subset in (0_u32..1 << all.len()).filter(|s| s.count_ones() as usize == cells) {
        let chosen = (0..all.len()).filter(|i| subset >> i & 1 == 1).map(|i| all[i]);
        let figure = Figure::new(chosen).unwrap();
        figures.insert(signature(&figure, identity), figure);
    }
    figures
}

/// The signatures of those figures that a condition leaves.
fn those(
    figures: &BTreeMap<Signature, Figure>,
    fits: impl Fn(&Figure) -> bool,
) -> BTreeSet<Signature> {
    figures.iter().filter(|(_, figure)| fits(figure)).map(|(s, _)| s.clone()).collect()
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

/// Figures of exactly a class, in a box as large as they need where one is required.
fn exactly(class: Class, cells: usize, identity: Identity) -> SymmetricSpec {
    let bounds = (class.order() < 3).then_some([cells as u32; 3]);
    SymmetricSpec { bounds, identity, ..SymmetricSpec::exactly(class, cells) }
}

#[test]
fn every_class_has_the_published_number_of_polycubes() {
    let published = published();
    for class in Class::all() {
        for cells in 1..=most(class) {
            let expected = published[&(class.name().to_owned(), cells)];
            let total = counted(exactly(class, cells, Identity::Reflections)).total();
            assert_eq!(total, expected, "{cells} cells, class {class}");
        }
    }
}

/// Up to rotations a chiral figure comes twice, once for each hand. The sums over classes are
/// published apart (A000162), also by the number of rotations (A066453 and others).
#[test]
fn one_sided_polycubes_are_as_many_as_published() {
    let published = published();
    for class in Class::all() {
        let hands = if class.groups()[0].is_chiral() { 2 } else { 1 };
        for cells in 1..=most(class) - 1 {
            let expected = hands * published[&(class.name().to_owned(), cells)];
            let total = counted(exactly(class, cells, Identity::Rotations)).total();
            assert_eq!(total, expected, "{cells} cells, class {class}");
        }
    }
    for cells in 1..=9 {
        let everything = SymmetricSpec {
            bounds: Some([cells as u32; 3]),
            identity: Identity::Rotations,
            ..SymmetricSpec::containing("C1".parse().unwrap(), cells)
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
    let published = published();
    for cells in 1..=9 {
        let counts = counted(SymmetricSpec {
            bounds: Some([cells as u32; 3]),
            ..SymmetricSpec::containing("C1".parse().unwrap(), cells)
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
        for class in Class::all() {
            for identity in IDENTITIES {
                let listed = level.values().filter(|f| class_of(f) == class);
                let images = listed.flat_map(|f| [f.clone(), mirror_image(f)]);
                let expected = images.map(|f| signature(&f, identity)).collect();
                let spec = exactly(class, cells, identity);
                assert_eq!(signatures(&symmetric(spec)), expected, "{cells} cells, class {class}");
            }
        }
    }
}

/// The number of groups of each class of K that contain a given group H: how often a figure with
/// group K is met among all figures that H keeps.
fn mark(k: Class, h: Group) -> u64 {
    k.groups().iter().filter(|g| g.contains_group(h)).count() as u64
}

/// Two ways to the figures that a group keeps: as those of the classes above it, and by a
/// subgroup's enumeration.
#[test]
fn an_enumeration_contains_that_of_every_group_above() {
    for (name, cells) in [("C3", 18), ("S4", 18), ("C4", 18), ("C2v(face,diagonal)", 14)] {
        let lower: Class = name.parse().unwrap();
        let below = signatures(&symmetric(SymmetricSpec::containing(lower, cells)));
        let least = lower.groups()[0];
        for class in Class::all() {
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
    for ((sides, cells, least_order), identity) in
        boxes.iter().flat_map(|&row| IDENTITIES.map(|identity| (row, identity)))
    {
        let in_box = BoxSpec { connected: true, identity, ..BoxSpec::new(sides, cells) };
        let expected = Enumeration::in_box(in_box).unwrap().count(&GO).unwrap();
        let counts = counted(SymmetricSpec {
            classes: Class::all().filter(|c| c.order() >= least_order).collect(),
            exact: true,
            cells,
            bounds: Some(sides),
            parts: 1,
            identity,
        });
        for (class, figures) in counts.by_class {
            assert_eq!(figures, expected.of(class), "{class}: {cells} cells in {sides:?}");
        }
    }
}

#[test]
fn a_bounding_box_keeps_the_figures_that_fit() {
    let class: Class = "C2v(face,planar)".parse().unwrap();
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
    for ((sides, cells), identity) in
        [([2, 2, 4], 8), ([3, 3, 2], 7), ([1, 4, 4], 6), ([2, 2, 4], 12)]
            .into_iter()
            .flat_map(|row| IDENTITIES.map(|identity| (row, identity)))
    {
        let all = figures_in(sides, cells, identity);
        for parts in 1..=4 {
            for class in Class::all() {
                let bounds = Some(sides.map(|s| s as u32));
                let spec = SymmetricSpec {
                    bounds,
                    parts,
                    identity,
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

/// Few cells of the box stay empty: growth alone took the better part of a minute here.
#[test]
fn figures_in_several_parts_that_fill_a_box_take_a_moment() {
    let cells: Vec<Cell> = (0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)).collect();
    let mut expected = BTreeMap::<usize, BTreeSet<Signature>>::new();
    for empty in (0_u32..1 << 27).filter(|set| set.count_ones() == 6) {
        let filled = (0..27).filter(|n| empty >> n & 1 == 0).map(|n| cells[n]);
        let figure = Figure::new(filled).unwrap();
        let (parts, canonical) = (figure.parts().len(), figure.canonical());
        if parts > 1 && canonical.group == Group::TRIVIAL {
            expected.entry(parts).or_default().insert(canonical.signature);
        }
    }
    let begun = Instant::now();
    for parts in 2..=4 {
        let spec = SymmetricSpec {
            bounds: Some([3; 3]),
            parts,
            ..SymmetricSpec::exactly("C1".parse().unwrap(), 21)
        };
        let expected = expected.remove(&parts).unwrap_or_default();
        assert_eq!(signatures(&symmetric(spec)), expected, "{parts} parts");
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
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
        for (cells, identity) in (1..=volume).flat_map(|n| IDENTITIES.map(|identity| (n, identity)))
        {
            let all = figures_in(sides, cells, identity);
            for (connected, shape) in [false, true]
                .into_iter()
                .flat_map(|connected| [Shape::Any, Shape::Towers].map(|shape| (connected, shape)))
            {
                let expected = those(&all, |f| {
                    (!connected || f.parts().len() == 1)
                        && (shape == Shape::Any || is_tower(f, sides))
                });
                let sides = sides.map(|s| s as u32);
                let spec = BoxSpec { sides, cells, connected, shape, identity };
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
        [([2, 3, 5], 27), ([2, 3, 5], 15), ([4, 2, 4], 27), ([3, 3, 3], 13), ([3, 3, 4], 30)];
    for ((sides, cells), identity) in
        sizes.iter().flat_map(|&row| IDENTITIES.map(|identity| (row, identity)))
    {
        let boxes =
            Enumeration::in_box(BoxSpec { identity, ..BoxSpec::new(sides, cells) }).unwrap();
        let count = boxes.count(&GO).unwrap().total();
        assert_eq!(boxes.total(), Some(u128::from(count)), "{cells} in {sides:?}, {identity:?}");
    }
}

/// A census of figures to be built with A and L met 72 of them, an enumeration 49.
#[test]
fn a_box_of_12_cells_holds_49_figures_of_8_and_72_up_to_rotations() {
    let folder = tempfile::tempdir().unwrap();
    for (identity, flag, figures, chiral) in
        [(Identity::Reflections, None, 49, 23), (Identity::Rotations, Some("--one-sided"), 72, 46)]
    {
        let listed = boxed(BoxSpec { identity, ..BoxSpec::new([2, 2, 3], 8) });
        let of_two_hands = listed.iter().filter(|candidate| candidate.group().is_chiral()).count();
        assert_eq!((listed.len(), of_two_hands), (figures, chiral));
        let mut args = vec!["enumerate", "box", "2x2x3", "--cells", "8", "--jsonl", "-q"];
        args.extend(flag);
        let lines = stdout(&run(folder.path(), &args));
        let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let told: BTreeSet<String> =
            lines.lines().map(|line| row(line)["signature"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, signatures(&listed).iter().map(Signature::to_string).collect());
        args.push("--count");
        args.retain(|arg| *arg != "--jsonl");
        args.push("--csv");
        let rows = stdout(&run(folder.path(), &args));
        let sum: usize = column(&rows, "figures").iter().map(|n| n.parse::<usize>().unwrap()).sum();
        assert_eq!(sum, figures);
    }
}

/// FNV-1a, over the lines of a sequence of figures: shard, number, signature and group of each.
fn digest(enumeration: &Enumeration) -> (u64, u64) {
    let (mut hash, mut figures) = (0xcbf2_9ce4_8422_2325_u64, 0);
    let line = |c: Candidate| Some(format!("{} {}", c.signature(), c.group().mask()));
    let _ = enumeration.for_each_mapped(Place::default(), &GO, line, &mut |place, line| {
        for byte in format!("{} {} {line}\n", place.shard, place.figures).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        figures += 1;
        ControlFlow::Continue(())
    });
    (figures, hash)
}

/// Catalogs hold places of enumerations, under keys of version 1. The digests were taken from the
/// program that first stored places: whoever changes one must raise the version.
#[test]
fn figures_come_in_the_order_in_which_they_always_came() {
    let symmetric = [
        ("C3", true, 17, None, 81, 0xc8af_b138_6e48_477c),
        ("C3", false, 15, None, 77, 0x2778_032e_bca5_2e6c),
        ("C3i", false, 21, None, 5, 0xb8ed_3f19_afd0_9ad0),
        ("C2v(edge)", false, 16, None, 3764, 0x76ba_e3c8_dad1_6469),
        ("C2v(face,planar)", true, 15, None, 6997, 0xe36d_f528_4e97_57f7),
        ("C4", true, 18, None, 31, 0xb1b1_7acf_4372_c9c5),
        ("S4", false, 20, None, 963, 0xbd04_8295_962d_e7e3),
        ("Oh", true, 48, None, 6, 0x0338_9861_8aeb_40e9),
        ("D2(face)", true, 18, None, 136, 0x6281_3b78_310a_bf05),
        ("C1", true, 8, Some([8, 8, 8]), 3025, 0x3406_026e_56b7_0ccf),
        ("C1", false, 9, Some([3, 4, 3]), 14140, 0xec95_b45f_5c43_c579),
        ("C2(face)", true, 11, Some([5, 3, 4]), 396, 0x017b_45ac_2951_e14b),
        ("Cs(planar)", true, 10, Some([10, 10, 10]), 8429, 0x4ada_b541_c3ee_ef4e),
        ("Ci", true, 12, Some([4, 4, 4]), 345, 0x6d80_5abd_f337_fb28),
        ("C2(edge)", true, 12, Some([99, 4, 4]), 2441, 0xc737_8a1a_75b4_84af),
        ("Cs(diagonal)", false, 10, Some([200, 200, 3]), 720, 0x05d5_cfd9_3d8c_1272),
        ("C3v", true, 14, Some([14, 14, 14]), 6, 0x3674_6ede_27ce_adfb),
        ("D3", false, 18, Some([9, 9, 9]), 19, 0x4067_2228_5471_6bf9),
    ];
    for (class, exact, cells, bounds, figures, hash) in symmetric {
        let spec = SymmetricSpec {
            exact,
            bounds,
            ..SymmetricSpec::containing(class.parse().unwrap(), cells)
        };
        let enumeration = Enumeration::symmetric(spec).unwrap();
        assert!(enumeration.question().key().starts_with("symmetric/1 "));
        assert_eq!(digest(&enumeration), (figures, hash), "{class} of {cells} cells");
    }
    let boxes = [
        ([2, 3, 5], 27, false, Shape::Any, 550, 0xfdda_74ca_b13e_91cd),
        ([4, 2, 4], 26, true, Shape::Any, 55133, 0xea04_e422_de1c_c17f),
        ([3, 3, 3], 13, true, Shape::Any, 77447, 0x52cb_2d30_6151_7d83),
        ([3, 3, 4], 31, false, Shape::Any, 24656, 0x5786_1d35_e03c_8b38),
        ([2, 4, 2], 8, true, Shape::Any, 209, 0xccdb_4c1b_4967_6c52),
        ([4, 4, 4], 7, true, Shape::Any, 540, 0xd794_e554_e42a_6540),
        ([3, 3, 4], 20, false, Shape::Towers, 20794, 0x1398_263e_fc15_2981),
        ([4, 2, 5], 18, true, Shape::Towers, 24899, 0x3943_192b_f663_789f),
    ];
    for (sides, cells, connected, shape, figures, hash) in boxes {
        let spec = BoxSpec { connected, shape, ..BoxSpec::new(sides, cells) };
        let enumeration = Enumeration::in_box(spec).unwrap();
        assert!(enumeration.question().key().starts_with("box/1 "));
        assert_eq!(digest(&enumeration), (figures, hash), "{cells} cells in {sides:?}");
    }
}

/// One question for each method, up to reflections or rotations.
fn questions(identity: Identity) -> Vec<Enumeration> {
    let class = |name: &str| name.parse::<Class>().unwrap();
    let symmetric = [
        SymmetricSpec::containing(class("C2v(face,planar)"), 14),
        SymmetricSpec::containing(class("C4"), 18),
        SymmetricSpec {
            bounds: Some([2, 3, 4]),
            parts: 2,
            ..SymmetricSpec::containing(class("C2(face)"), 14)
        },
        SymmetricSpec {
            bounds: Some([6, 6, 6]),
            parts: 2,
            ..SymmetricSpec::containing(class("C2(face)"), 8)
        },
    ];
    let boxes = [
        BoxSpec::new([2, 3, 3], 9),
        BoxSpec { connected: true, ..BoxSpec::new([2, 4, 4], 26) },
        BoxSpec { connected: true, ..BoxSpec::new([3, 3, 3], 8) },
        BoxSpec { shape: Shape::Towers, ..BoxSpec::new([3, 3, 4], 10) },
    ];
    let symmetric = symmetric.map(|s| Question::Symmetric(SymmetricSpec { identity, ..s }));
    let boxes = boxes.map(|spec| Question::Box(BoxSpec { identity, ..spec }));
    symmetric.into_iter().chain(boxes).map(|q| Enumeration::new(q).unwrap()).collect()
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    for enumeration in IDENTITIES.iter().flat_map(|&identity| questions(identity)) {
        let in_order = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| digest(&enumeration))
        };
        let alone = in_order(1);
        assert!(alone.0 > 20, "{}", enumeration.question().label());
        assert!(alone == in_order(2) && alone == in_order(5));
    }
}

#[test]
fn an_enumeration_goes_on_from_any_place() {
    for enumeration in IDENTITIES.iter().flat_map(|&identity| questions(identity)) {
        let list_from = |from: Place| {
            let (mut listed, figure) = (Vec::new(), |c: Candidate| Some(c.figure().clone()));
            let _ = enumeration.for_each_mapped(from, &GO, figure, &mut |place, figure| {
                listed.push((place, figure));
                ControlFlow::Continue(())
            });
            listed
        };
        let all = list_from(Place::default());
        for at in [0, 1, all.len() / 3, all.len() / 2, all.len() - 2, all.len() - 1] {
            assert_eq!(list_from(all[at].0), all[at + 1..], "from {:?}", all[at].0);
        }
    }
}

#[test]
fn a_question_has_one_key_however_it_is_spelled() {
    let choice = |names: &[&str], fold, least| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        ClassChoice::new(&names, fold, least).unwrap()
    };
    let spec = |classes: ClassChoice, exact, bounds, parts| {
        let (cells, identity) = (27, Identity::Reflections);
        Question::Symmetric(SymmetricSpec { classes, exact, cells, bounds, parts, identity })
    };
    let cube = "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=Oh";
    let six =
        "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=C3i; D3d; Th; Oh";
    for (question, key) in [
        (spec(choice(&["Oh"], None, None), true, None, 1), cube),
        (spec(choice(&["oh"], None, None), false, None, 1), cube),
        (spec(choice(&["allen:G"], None, Some(3)), false, Some([27; 3]), 1), cube),
        (spec(choice(&["G"], None, None), false, Some([40, 27, 99]), 1), cube),
        (spec(choice(&[], Some(6), None), false, None, 1), six),
        (spec(choice(&["Oh", "s6"], None, None), false, None, 1), six),
        (spec(choice(&["Th", "C3i", "D3d", "Oh", "Th"], None, None), true, None, 1), six),
        (
            spec(choice(&["D2d"], Some(4), None), true, Some([4, 40, 3]), 1),
            "symmetric/1 cells=27 parts=1 box=3x4x27 up-to=reflections \
             classes=D2d(edge axes); D2d(face axes)",
        ),
        (
            spec(choice(&["C3"], None, None), true, Some([5, 40, 6]), 2),
            "symmetric/2 cells=27 parts=2 box=5x6x40 up-to=reflections classes=C3",
        ),
    ] {
        assert_eq!(question.key(), key);
    }
    let any = BoxSpec { identity: Identity::Rotations, ..BoxSpec::new([4, 2, 3], 8) };
    let key = "box/1 cells=8 sides=2x3x4 connected=no shape=any up-to=rotations";
    for sides in [[4, 2, 3], [2, 3, 4], [3, 4, 2]] {
        assert_eq!(Question::Box(BoxSpec { sides, ..any.clone() }).key(), key);
    }
    // Towers stand: the height is no side like the others.
    let towers = |sides| {
        let spec = BoxSpec { connected: true, shape: Shape::Towers, ..BoxSpec::new(sides, 8) };
        Question::Box(spec).key()
    };
    let key = "box/1 cells=8 sides=2x4x3 connected=yes shape=towers up-to=reflections";
    assert_eq!((towers([4, 2, 3]).as_str(), towers([2, 4, 3]).as_str()), (key, key));
    assert_ne!(towers([2, 3, 4]), key);
}

/// The words are those under which catalogs keep enumerations.
#[test]
fn a_question_is_called_as_it_was_asked() {
    let choice = |names: &[&str], fold, least| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        ClassChoice::new(&names, fold, least).unwrap()
    };
    let six = SymmetricSpec {
        classes: choice(&[], Some(6), None),
        ..SymmetricSpec::containing(Class::of(Group::FULL), 27)
    };
    let mirrors = SymmetricSpec {
        classes: choice(&["Cs", "C2v(edge)"], None, Some(2)),
        exact: true,
        bounds: Some([3, 4, 3]),
        parts: 2,
        ..six.clone()
    };
    let boxed = BoxSpec { connected: true, ..BoxSpec::new([4, 2, 4], 27) };
    let towers = BoxSpec { shape: Shape::Towers, identity: Identity::Rotations, ..boxed.clone() };
    for (question, label) in [
        (Question::Symmetric(six), "symmetric figures of 27 cells: 6-fold"),
        (
            Question::Symmetric(mirrors),
            "symmetric figures of 27 cells: of order 2 or more, Cs, C2v(edge), within 3x4x3, and no \
             more symmetry, in 2 parts",
        ),
        (
            Question::Symmetric(SymmetricSpec::containing(Class::of(Group::FULL), 27)),
            "symmetric figures of 27 cells: Oh",
        ),
        (Question::Box(BoxSpec::new([2, 3, 5], 27)), "figures of 27 cells in 2x3x5"),
        (Question::Box(boxed), "connected figures of 27 cells in 4x2x4"),
        (
            Question::Box(towers),
            "connected tower figures of 27 cells in 4x2x4, mirror images apart",
        ),
    ] {
        assert_eq!(question.label(), label);
    }
}

#[test]
fn boxes_are_read_as_they_are_written() {
    assert_eq!(parse_box("3x3x4"), Ok([3, 3, 4]));
    assert_eq!(parse_box(" 10X2×7 "), Ok([10, 2, 7]));
    for text in ["", "3x3", "3x3x3x3", "3x3xa", "-1x2x3", "3x3x99999999999"] {
        let error = parse_box(text).unwrap_err();
        assert_eq!(error.to_string(), format!("`{text}` is no box; one is written 3x3x4"));
    }
}

#[test]
fn questions_without_an_answer_say_why() {
    let why = |spec: &SymmetricSpec| Enumeration::symmetric(spec.clone()).unwrap_err();
    let mirror: Class = "Cs(planar)".parse().unwrap();
    let spec = SymmetricSpec::containing(mirror, 27);
    assert_eq!(why(&spec), EnumerateError::BoxRequired { class: mirror });
    assert!(why(&spec).to_string().contains("need a box"));
    let c3 = SymmetricSpec::containing("C3".parse().unwrap(), 27);
    assert_eq!(why(&SymmetricSpec { cells: 0, ..c3.clone() }), EnumerateError::Cells(0));
    assert_eq!(why(&SymmetricSpec { cells: 151, ..c3.clone() }), EnumerateError::Cells(151));
    let nothing = ClassChoice::from_iter([]);
    assert_eq!(why(&SymmetricSpec { classes: nothing, ..c3.clone() }), EnumerateError::NoClass);
    assert_eq!(why(&SymmetricSpec { parts: 2, ..c3.clone() }), EnumerateError::PartsNeedBox(2));
    let parts = EnumerateError::Parts { parts: 28, cells: 27 };
    assert_eq!(why(&SymmetricSpec { parts: 28, bounds: Some([9; 3]), ..c3.clone() }), parts);
    let small = SymmetricSpec { bounds: Some([2, 3, 4]), ..c3 };
    assert_eq!(why(&small), EnumerateError::BoxTooSmall { sides: [2, 3, 4], cells: 27 });
    let huge = Enumeration::in_box(BoxSpec::new([9, 9, 9], 20)).unwrap_err();
    assert_eq!(huge, EnumerateError::BoxTooLarge { sides: [9, 9, 9], most: 128 });
    let flat = Enumeration::in_box(BoxSpec::new([9, 0, 9], 20)).unwrap_err();
    assert_eq!(flat, EnumerateError::EmptyBox([9, 0, 9]));
}

/// These took gigabytes before the first figure.
#[test]
fn questions_that_would_take_too_much_memory_are_refused_at_once() {
    let begun = Instant::now();
    let class = |name: &str| name.parse::<Class>().unwrap();
    let in_box = |name: &str, cells, sides, parts| SymmetricSpec {
        bounds: Some(sides),
        parts,
        ..SymmetricSpec::containing(class(name), cells)
    };
    for spec in [
        in_box("C1", 60, [60; 3], 1),
        in_box("Cs(planar)", 150, [150; 3], 1),
        in_box("C2(face)", 9, [4_000_000_000; 3], 2),
        in_box("C1", 10, [60; 3], 2),
    ] {
        let (sides, cells) = (spec.bounds.unwrap(), spec.cells);
        let error = Enumeration::symmetric(spec).unwrap_err();
        assert_eq!(error, EnumerateError::TooManyPlaces { sides, cells });
        assert!(error.to_string().contains("smaller box"), "{error}");
    }
    let connected = BoxSpec { connected: true, ..BoxSpec::new([150; 3], 100) };
    let error = Enumeration::in_box(connected).unwrap_err();
    assert_eq!(error, EnumerateError::TooManyPlaces { sides: [150; 3], cells: 100 });
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_run_can_be_stopped_from_both_sides() {
    let spec = SymmetricSpec::containing("C3".parse().unwrap(), 20);
    let source = Enumeration::symmetric(spec).unwrap();
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
    assert!(source.estimate(&stop).is_empty());
}

/// Works until the stop flag is set, and says whether it saw it.
type Work<'a> = dyn Fn(&AtomicBool) -> bool + 'a;

/// Each of these would take years, and is stopped while tables or shards are prepared, or in the
/// middle of a shard, with or without a figure in sight.
#[test]
fn a_stop_is_obeyed_wherever_the_work_is() {
    let class = |name: &str| name.parse::<Class>().unwrap();
    let in_box = |name: &str, cells, sides, parts| {
        Question::Symmetric(SymmetricSpec {
            bounds: Some(sides),
            parts,
            ..SymmetricSpec::containing(class(name), cells)
        })
    };
    let endless = [
        in_box("C1", 36, [36; 3], 1),
        in_box("Ci", 150, [150; 3], 1),
        in_box("C2(face)", 40, [30; 3], 3),
        in_box("D4", 150, [20; 3], 3),
        in_box("C1", 60, [4, 5, 6], 9),
        Question::Symmetric(SymmetricSpec::containing(class("C3"), 150)),
        Question::Box(BoxSpec::new([4, 5, 6], 60)),
        Question::Box(BoxSpec { shape: Shape::Towers, ..BoxSpec::new([6, 6, 3], 50) }),
    ];
    for question in endless {
        let label = question.label();
        let enumeration = Enumeration::new(question).unwrap();
        for wait in [20, 700] {
            let list = |stop: &AtomicBool| {
                enumeration.for_each(stop, &mut |_| ControlFlow::Continue(())).is_break()
            };
            let count = |stop: &AtomicBool| enumeration.count(stop).is_none();
            let estimate = |stop: &AtomicBool| {
                let _ = enumeration.estimate(stop);
                stop.load(Ordering::Relaxed)
            };
            let ways: [(&str, &Work<'_>); 3] =
                [("list", &list), ("count", &count), ("estimate", &estimate)];
            for (what, work) in ways {
                let stop = AtomicBool::new(false);
                let late = std::thread::scope(|scope| {
                    scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(wait));
                        stop.store(true, Ordering::Relaxed);
                    });
                    let begun = Instant::now();
                    assert!(work(&stop), "{label}: {what} came to an end");
                    begun.elapsed().saturating_sub(Duration::from_millis(wait))
                });
                assert!(late < Duration::from_secs(2), "{label}: {what} went on for {late:?}");
            }
        }
    }
}

#[test]
fn an_estimate_is_near_the_count() {
    let mut near = HashMap::new();
    for name in ["C3", "C3v", "D3", "D3d"] {
        let spec = SymmetricSpec::exactly(name.parse().unwrap(), 21);
        let source = Enumeration::symmetric(spec).unwrap();
        let (mut figures, mut error) = (0.0, 0.0_f64);
        for sample in source.estimate(&GO) {
            figures += sample.estimate.figures;
            error = error.hypot(sample.estimate.error);
            assert_eq!(sample.figures.is_empty(), sample.estimate.figures == 0.0);
        }
        let total = source.count(&GO).unwrap().total();
        assert!((figures - total as f64).abs() <= 5.0 * error + 0.5, "{name}: {figures} ± {error}");
        near.insert(name, source.size(&GO));
    }
    assert!(near["C3"] > 0 && near["D3d"] < near["C3"]);
}
