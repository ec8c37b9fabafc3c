//! The joint search for buildable figures. It is compared with counting every figure of a class.

use somacat_counting::buildable::{Buildable, BuildableError, SLICES};
use somacat_counting::enumerate::{ClassChoice, Enumeration, Place, SymmetricSpec};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::{Candidate, Equivalence, Signature};
use somacat_geometry::pieces::{PieceSet, parse_piece_lines, parse_set};
use somacat_geometry::symmetry::Class;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Returns the buildable figures of the class, however far they extend.
fn counted_one_by_one(class: Class, set: &PieceSet) -> Vec<Signature> {
    let cells = set.total_cells();
    let enumeration = Enumeration::symmetric(SymmetricSpec {
        classes: ClassChoice::new(&[class.name().to_owned()], None, None).unwrap(),
        exact: false,
        cells,
        bounds: Some([cells as u32; 3]),
        parts: 1,
        equivalence: Equivalence::for_set(set),
    });
    let buildable = |candidate: Candidate| {
        let problem = Problem::with_group(candidate.figure(), set, candidate.group());
        let outcome = count(&problem, Limits::default()).unwrap().outcome;
        outcome.verdict().is_buildable().then(|| candidate.signature().clone())
    };
    let mut all = Vec::new();
    let _ = enumeration.unwrap().for_each_mapped(
        Place::default(),
        &GO_ON,
        buildable,
        &mut |_, signature| {
            all.push(signature);
            ControlFlow::Continue(())
        },
    );
    all.sort_unstable();
    all
}

/// Returns a pool of one thread. It takes less processor time for tiny shards, which other tests divide among threads.
fn one_thread() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap()
}

/// Returns the figures found together with their packings. Only one shard finds each of them.
fn searched(class: Class, set: &PieceSet) -> Vec<Signature> {
    let mut all = searched_in(&Buildable::new(class, false, set).unwrap(), Buildable::ALL);
    all.sort_unstable();
    all
}

/// Returns the figures of some slices, in order.
fn searched_in(search: &Buildable, slices: Range<u64>) -> Vec<Signature> {
    let signatures = |figures: Vec<Candidate>| {
        Some(figures.iter().map(|figure| figure.signature().clone()).collect())
    };
    let mut all: Vec<Signature> = Vec::new();
    let _ = search.for_each_slice(slices, &GO_ON, signatures, &mut |_, some: Vec<_>| {
        all.extend(some);
        ControlFlow::Continue(())
    });
    all
}

/// A stopped search continues in the middle of a shard. Slice by slice it finds the same figures as shard by shard.
#[test]
fn slices_of_a_shard_have_its_figures_in_order() {
    let (one_thread, mut cut_shards) = (one_thread(), 0);
    for (class, set) in [("C2(edge)", "V A L T Z"), ("C2h(face)", "V A B T P"), ("Ci", "V L T")] {
        let class = Class::matching(class).unwrap()[0];
        let search = Buildable::new(class, false, &parse_set(set).unwrap()).unwrap();
        for shard in (0..1 << 14).step_by(40) {
            let (start, end) = (shard * SLICES, (shard + 1) * SLICES);
            let whole = searched_in(&search, start..end);
            // A 256th is that of one third placement; a fifth ends in the middle of one.
            let [first, second] = [start + SLICES / 256, start + SLICES / 5];
            let parts = [start..first, first..second, second..end];
            let parts = parts.map(|part| one_thread.install(|| searched_in(&search, part)));
            cut_shards += usize::from(parts.iter().filter(|part| !part.is_empty()).count() > 1);
            assert_eq!(whole, parts.concat(), "{} {set} {shard}", class.name());
        }
    }
    assert!(cut_shards > 20, "{cut_shards}: too weak a test");
}

fn agrees(class: Class, set: &PieceSet) -> usize {
    let together = searched(class, set);
    assert_eq!(together, counted_one_by_one(class, set), "{} with {}", class.name(), set.name());
    together.len()
}

fn two_groups() -> impl Iterator<Item = Class> {
    Class::iter().filter(|class| class.order() > 1 && class.order().is_power_of_two())
}

/// Without a required symmetry all figures are searched: 1,023 of seven cells.
#[test]
fn all_figures_of_small_sets_are_found() {
    let all = Class::matching("C1").unwrap()[0];
    for (set, most) in [("V L", 1023), ("V A", 1958), ("V D2", 1023)] {
        let figures = agrees(all, &parse_set(set).unwrap());
        assert!(figures > 50 && figures < most, "{set}: {figures}");
    }
}

/// Tries every class, including order 2, with various sets. Sets are closed under reflection or not; some have equal
/// pieces, a piece of one cell, or pieces of equal shape under two names.
#[test]
fn joint_search_finds_what_counting_every_figure_finds() {
    let named = |text: &str| parse_piece_lines("own", text).unwrap();
    let sets = [
        parse_set("V L T").unwrap(),
        parse_set("A L V").unwrap(),
        parse_set("V3").unwrap(),
        named("I: 0,0,0 1,0,0 2,0,0 3,0,0 4,0,0\nO: 0,0,0\nV: 0,0,0 1,0,0 0,1,0"),
        named("x: 0,0,0 1,0,0 0,1,0\ny: 0,0,0 1,0,0 0,1,0\nz: 0,0,0 1,0,0 2,0,0"),
    ];
    let of_set = |set| two_groups().map(|class| agrees(class, set)).sum::<usize>();
    let figures: usize = one_thread().install(|| sets.iter().map(of_set).sum());
    assert!(figures > 1000, "{figures} figures: too weak a test");
}

/// Four pieces fill 15 cells, and five fill 19. Of Cs(planar) there are 8,893,547 figures with 15 cells, which only a
/// thorough run counts.
#[test]
fn larger_sets_agree_too() {
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    for (class, set) in [
        ("Ci", "V L T Z"),
        ("C2(face)", "V A B P"),
        ("C2(edge)", "V A L T"),
        ("Cs(planar)", if thorough { "V A B P" } else { "V3" }),
        ("Cs(diagonal)", "V A B P"),
        ("C2h(face)", "V L T A B"),
        ("C2v(face,diagonal)", "V L T A B"),
        ("D2(edge)", "V L T Z P"),
    ] {
        assert!(
            agrees(Class::matching(class).unwrap()[0], &parse_set(set).unwrap()) > 0,
            "{class}"
        );
    }
}

/// The whole group fixes a cell only if its order is a power of two and the number of cells is odd.
#[test]
fn other_classes_are_not_searched_jointly() {
    let set = parse_set("V L T").unwrap();
    let third = Class::matching("C3").unwrap()[0];
    assert!(matches!(
        Buildable::new(third, false, &set),
        Err(BuildableError::Class { order: 3, .. })
    ));
    let inversion = Class::matching("Ci").unwrap()[0];
    let even = Buildable::new(inversion, false, &parse_set("L T").unwrap());
    assert!(matches!(even, Err(BuildableError::EvenCells { cells: 8, .. })));
}
