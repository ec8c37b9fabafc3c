//! Marks that are invariant under the group of a figure: those of the program `benches/research/symmetric_marks` and those of
//! `find_invariant_marks`, against marks of any kind.

#[path = "../../../benches/research/symmetric_marks/fractional.rs"]
mod fractional;
#[path = "../../../benches/research/symmetric_marks/orbit_marks.rs"]
mod orbit_marks;
#[path = "../../../benches/research/symmetric_marks/plain_check.rs"]
mod plain_check;

use crate::support::random::Random;
use fractional::has_fractional_packing;
use orbit_marks::{Found, OrbitMarks};
use plain_check::PlainCheck;
use somacat_checking::check_certificate;
use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
use somacat_counting::prove::{
    Argument, Marks, find_invariant_marks, find_marks, write_certificate,
};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::{Candidate, Figure};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_geometry::symmetry::{Class, Group};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The figures of each class that are looked at.
const FIGURES: usize = 40;

/// Returns the first figures of a sample, in a box of these sides if there is one.
fn figures(class: &str, cells: usize, bounds: Option<[u32; 3]>, one_in: u64) -> Vec<Candidate> {
    let class = Class::matching(class).unwrap()[0];
    let all = SymmetricSpec { bounds, ..SymmetricSpec::exactly(class, cells) };
    let all = Enumeration::symmetric(all).unwrap();
    let (some, mut figures) = (all.sampled(one_in, 1).unwrap(), Vec::new());
    let _ = some.for_each(&AtomicBool::new(false), &mut |figure| {
        figures.push(figure);
        if figures.len() < FIGURES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    figures
}

/// Checks weights by the two independent checks.
fn assert_proves(figure: &Figure, set: &PieceSet, weights: &[i64]) {
    assert!(PlainCheck::new(set).holds(figure.cells(), weights));
    let marks = Marks::of_weights((figure, set), weights.to_vec()).unwrap();
    let (argument, mut text) = (Argument::Marks(marks), Vec::new());
    write_certificate("x", (figure, set), &argument, Limits::default(), &mut text).unwrap();
    assert!(check_certificate(text.as_slice(), Some(figure), Some(set)).is_ok());
}

/// Returns true if each transform of a group maps the weights to themselves.
fn are_invariant(figure: &Figure, group: Group, weights: &[i64]) -> bool {
    let cells = figure.cells();
    group.iter().all(|transform| {
        let images: Vec<Cell> = cells.iter().map(|&cell| transform.apply(cell)).collect();
        let shift = Cell::min_corner(cells) - Cell::min_corner(&images);
        let weight = |image: Cell| cells.binary_search(&(image + shift)).map(|at| weights[at]);
        images.iter().zip(weights).all(|(&image, own)| weight(image) == Ok(*own))
    })
}

#[test]
fn invariant_marks_exist_where_any_marks_do() {
    let (mut random, mut zero_one, mut larger, mut without) = (Random::new(62), 0, 0, 0);
    for (set, class, cells, bounds, one_in) in [
        ("V L T P", "C2v(edge)", 15, Some([3, 3, 3]), 1),
        ("V L Z P", "C2h(face)", 15, None, 4),
        // Without the mirror image of A.
        ("V L Z A", "C2v(face,planar)", 15, None, 32),
        ("V L Z A", "D2(edge)", 15, None, 1),
        ("V2 L2 T P", "C4v", 22, None, 1),
        ("SOMA", "C2h(edge)", 27, Some([3, 3, 5]), 10),
        ("SOMA", "C2v(edge)", 27, Some([3, 4, 4]), 20),
        ("SOMA", "C2v(face,diagonal)", 27, None, 1_000),
        ("SOMA", "C3", 27, None, 1_000),
        ("SOMA", "C3v", 27, Some([4, 4, 4]), 1),
        ("SOMA", "D2(face)", 27, None, 100),
    ] {
        let set = parse_set(set).unwrap();
        let (mut finder, mut check) = (OrbitMarks::new(&set).unwrap(), PlainCheck::new(&set));
        let figures = figures(class, cells, bounds, one_in);
        assert!(figures.len() > 10, "{class}: {}", figures.len());
        for candidate in figures {
            let (figure, group) = (candidate.figure(), candidate.group());
            let problem = Problem::with_group(figure, &set, group);
            let any = find_marks(problem, Limits::default());
            let invariant = find_invariant_marks(problem, Limits::default());
            let closed = set.is_mirror_closed();
            assert!(any.is_some() == invariant.is_some() || !closed && invariant.is_none());
            assert_eq!(any.is_none(), has_fractional_packing(figure, &set));
            let is_zero_one = |marks: &Marks| marks.weights.iter().all(|weight| *weight <= 1);
            if let Some(marks) = &invariant {
                assert!(are_invariant(figure, group, &marks.weights));
                assert_proves(figure, &set, &marks.weights);
            }
            match finder.find(figure.cells(), group) {
                Found::Marks(weights) => {
                    assert!(are_invariant(
                        figure,
                        if closed { group } else { group.rotations() },
                        &weights
                    ));
                    assert_proves(figure, &set, &weights);
                    let total: i64 = weights.iter().sum();
                    let any = any.as_ref().unwrap();
                    assert!(is_zero_one(any) && any.total() <= total);
                    let fewer = invariant.filter(is_zero_one).filter(|one| one.total() < total);
                    assert_eq!(fewer, None, "{}", candidate.signature());
                    zero_one += 1;
                }
                Found::None => {
                    assert!(!invariant.is_some_and(|marks| is_zero_one(&marks)));
                    *if any.is_some() { &mut larger } else { &mut without } += 1;
                }
                Found::Unknown => panic!("{} has few orbits", candidate.signature()),
            }
            // No weights prove a figure impossible that has a fractional packing.
            if any.is_none() {
                let weights: Vec<i64> = (0..cells).map(|_| random.below(4) as i64).collect();
                assert!(!check.holds(figure.cells(), &weights));
            }
        }
    }
    assert!(zero_one > 150 && larger > 10 && without > 50, "{zero_one} {larger} {without}");
}
