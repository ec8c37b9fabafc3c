//! Packings in which nothing slides: against all packings of small boxes, and published numbers.

use crate::support::random::Random;
use somacat_counting::antislide::{BoxTop, HeldBox, HeldPackings, count_held, visit_held};
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, Problem, visit};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Counts, Outcome};
use somacat_geometry::pieces::{GAP, OPTIONAL, PieceSet, parse_set, parse_set_with_ranges};
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

const UP: [i32; 3] = [0, 0, -1];

/// Returns whether some group of pieces can move by one cell, by trying every group.
fn slides(figure: &Figure, pieces: &[&[Cell]], top: BoxTop) -> bool {
    let steps = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], UP];
    let steps = steps.into_iter().filter(|step| top == BoxTop::Closed || *step != UP);
    steps.map(Cell::from).any(|step| {
        (1_u32..1 << pieces.len()).any(|group| {
            let of = |inside: bool| {
                let is_in = move |(at, _): &(usize, &&[Cell])| (group >> at & 1 == 1) == inside;
                pieces.iter().enumerate().filter(is_in).flat_map(|(_, cells)| cells.iter().copied())
            };
            let staying: HashSet<Cell> = of(false).collect();
            of(true).all(|cell| {
                let next = cell + step;
                figure.cells().binary_search(&next).is_ok() && !staying.contains(&next)
            })
        })
    })
}

/// Finds the held packings of a box in both ways. Returns their number up to symmetry.
fn check(
    figure: &Figure,
    set: &PieceSet,
    colors: Option<&FigureColors>,
    top: BoxTop,
) -> Option<u128> {
    let is_kept = |t: &_| top == BoxTop::Closed || up_stays(*t);
    let group = Problem::new(figure, set).with_colors(colors).group().iter().filter(is_kept);
    let problem = Problem::with_group(figure, set, Group::generated_by(group)).with_colors(colors);
    let (symmetries, mut held, mut least) = (PackingSymmetries::of(&problem), BTreeSet::new(), 0);
    visit(&problem, Limits::default(), &mut |packing| {
        let is_gap = |one: &&Placement| set.pieces()[one.piece].0.letter() == GAP;
        let pieces = packing.iter().filter(|one| !is_gap(one)).map(|one| &one.cells[..]);
        if !slides(figure, &pieces.collect::<Vec<_>>(), top) {
            least += u128::from(symmetries.is_least(packing));
            held.insert(sorted(packing));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let mut found = Vec::new();
    let question = HeldBox { figure, set, colors, top };
    let report = visit_held(question, HeldPackings::All, Limits::default(), &mut |packing| {
        found.push(sorted(packing));
        ControlFlow::Continue(())
    });
    let found_once: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!((found.len(), &found_once), (held.len(), &held), "{figure:?} {}", set.name());
    let mut classes = BTreeSet::new();
    let report_of_one = visit_held(question, HeldPackings::Unique, Limits::default(), &mut |one| {
        classes.insert(symmetries.least(one));
        ControlFlow::Continue(())
    });
    assert_eq!(report, report_of_one);
    assert_eq!(report, count_held(question, Limits::default()));
    assert_eq!(classes.len() as u128, least);
    match report.unwrap().outcome {
        Outcome::Counted(Counts { raw, unique, .. }) => {
            assert_eq!((raw, unique), (held.len() as u128, least));
            Some(unique)
        }
        outcome => {
            assert!(held.is_empty() && !outcome.verdict().is_buildable());
            None
        }
    }
}

fn up_stays(t: somacat_geometry::lattice::Transform) -> bool {
    t.apply(Cell::from(UP)) == Cell::from(UP)
}

fn sorted(packing: &[Placement]) -> Vec<Placement> {
    let mut packing = packing.to_vec();
    packing.sort();
    packing
}

#[test]
fn held_packings_are_those_in_which_no_group_slides() {
    let mut kinds = [0; 2];
    for (sides, pieces) in [
        ([2, 2, 1], "V"),
        ([3, 3, 1], "V T"),
        ([2, 3, 3], "V T P"),
        ([2, 3, 3], "A L V"),
        ([2, 3, 3], "A B D"),
        ([3, 3, 1], "D3 V"),
        ([2, 3, 2], "V0..2 L0..2 D1..2"),
        ([2, 3, 3], "I S"),
        // No symmetry of these boxes keeps a placement of L.
        ([2, 2, 4], "L V T"),
        ([2, 4, 4], "L T"),
    ] {
        let figure = Figure::of_box(sides).unwrap();
        let set = parse_set_with_ranges(pieces).unwrap().with_gaps_in(figure.len());
        for top in [BoxTop::Closed, BoxTop::Open] {
            let found = check(&figure, &set, None, top);
            kinds[usize::from(found.is_some())] += 1;
        }
    }
    assert!(kinds[0] > 1 && kinds[1] > 9, "{kinds:?}");
}

#[test]
fn boxes_of_any_form_agree_with_all_packings() {
    let (mut random, mut held) = (Random::new(64), 0);
    let sets = ["V L", "A D2", "T V", "V2 D", "A B"];
    for round in 0..40 {
        let cells = (0..18).filter(|_| random.below(6) > 0);
        let figure = Figure::new(cells.map(|n| Cell::new(n % 3, n / 3 % 3, n / 9))).unwrap();
        let marks: Vec<u8> =
            figure.cells().iter().map(|_| if random.below(8) > 0 { OPTIONAL } else { 0 }).collect();
        let colors = FigureColors::new(&marks).filter(|_| round % 2 == 0);
        let set = parse_set(sets[round % sets.len()]).unwrap();
        let set = if round % 3 == 0 { set.partial(Some(2)) } else { set };
        let set = set.with_gaps_in(figure.len());
        let top = if round % 4 < 2 { BoxTop::Closed } else { BoxTop::Open };
        held += usize::from(check(&figure, &set, colors.as_ref(), top).is_some());
    }
    assert!((10..36).contains(&held), "{held}");
}

/// More cells than one word has.
#[test]
fn large_boxes_are_searched() {
    let figure = Figure::of_box([66, 1, 1]).unwrap();
    for (dominoes, expected) in [("D33", 1), ("D32", 0)] {
        let set = parse_set(dominoes).unwrap().with_gaps_in(66);
        let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
        let report = count_held(held, Limits::default()).unwrap();
        assert_eq!(report.outcome.unique(), Some(expected));
    }
}

/// Strijbos's Anti-Slide: bricks of 1×2×2 in a box of side 4. Published are 3 packings of 12 bricks, 1 of 13, 72 of 14
/// and 21 of 15; with fewer there is none.
#[test]
fn bricks_in_a_box_of_side_four_have_the_published_numbers() {
    let figure = Figure::of_box([4, 4, 4]).unwrap();
    for (bricks, expected) in
        [(10, Some(0)), (11, Some(0)), (12, Some(3)), (13, Some(1)), (14, Some(72)), (15, Some(21))]
    {
        let set = parse_set(&format!("S{bricks}")).unwrap().with_gaps_in(64);
        let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
        let mut visitor = |_: &[Placement]| ControlFlow::Continue(());
        let report =
            visit_held(held, HeldPackings::Unique, Limits::default(), &mut visitor).unwrap();
        assert_eq!(report.outcome.unique(), expected, "{bricks}");
    }
}

/// A limit of nodes or of packings gives a lower bound.
#[test]
fn limits_end_the_search() {
    let figure = Figure::of_box([4, 4, 4]).unwrap();
    let set = parse_set("S12").unwrap().with_gaps_in(64);
    let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
    let few = Limits { nodes: Some(100), ..Limits::default() };
    let mut visitor = |_: &[Placement]| ControlFlow::Break(());
    let report = visit_held(held, HeldPackings::All, few, &mut visitor).unwrap();
    assert_eq!((report.outcome, report.nodes), (Outcome::Unknown, Some(100)));
    let report = visit_held(held, HeldPackings::All, Limits::default(), &mut visitor).unwrap();
    assert!(matches!(report.outcome, Outcome::AtLeast(1..=48)), "{:?}", report.outcome);
    let large = Figure::of_box([5, 5, 6]).unwrap();
    let held = HeldBox { figure: &large, ..held };
    assert!(visit_held(held, HeldPackings::All, Limits::default(), &mut visitor).is_err());
}
