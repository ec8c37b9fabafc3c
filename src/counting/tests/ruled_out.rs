//! Figures ruled out before a count have the reason from counting. They are in complete small worlds of individually
//! counted figures.

use somacat_counting::enumerate::{
    BoxSpec, Enumeration, FigureShape, FoundFigure, Place, ShardRange, SymmetricSpec,
};
use somacat_counting::solve::{FirstLook, Limits, Problem, count};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::lattice::{Cell, is_connected};
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_geometry::symmetry::{Class, Group};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Counts every figure of a world individually and compares. Returns the numbers of connected figures ruled out for
/// each reason: by the first look, by its short search, and by counting.
fn compare(set: &PieceSet, enumeration: &Enumeration) -> BTreeMap<Option<Reason>, [u64; 3]> {
    let first_look = FirstLook::new(set);
    let one = |draft: FoundFigure<'_>| {
        let (mut cells, mut orbits) = (Vec::new(), Vec::new());
        draft.list_cells(&mut cells);
        draft.list_orbits(&mut orbits);
        let candidate = draft.candidate();
        let figure = candidate.figure();
        let problem = Problem::with_group(figure, set, draft.group());
        let reason = count(&problem, Limits::default()).unwrap().outcome.reason();
        let seen = first_look.rule_out(&cells, &orbits, draft.group());
        assert!(seen.is_none() || seen == reason, "{seen:?} {reason:?} {figure:?}");
        assert_eq!(seen, first_look.rule_out(figure.cells(), figure.cells(), Group::TRIVIAL));
        let soon = first_look.rule_out_by_short_search(&cells, &orbits, draft.group(), None);
        assert!(soon.is_none() || soon == reason, "{soon:?} {reason:?} {figure:?}");
        assert!(seen.is_none() || soon == seen, "{soon:?} {seen:?} {figure:?}");
        // A count with a node limit may decide less than the short search.
        assert_eq!(
            seen,
            first_look.rule_out_by_short_search(&cells, &orbits, draft.group(), Some(1))
        );
        Some(is_connected(figure.cells()).then_some((seen, soon, reason)))
    };
    let mut numbers: BTreeMap<Option<Reason>, [u64; 3]> = BTreeMap::new();
    let (start, stop) = (Place::default(), AtomicBool::new(false));
    let flow = enumeration.for_each_in(ShardRange::ALL, start, &stop, one, &mut |_, one| {
        if let Some((seen, soon, reason)) = one {
            numbers.entry(seen).or_default()[0] += 1;
            numbers.entry(soon).or_default()[1] += 1;
            numbers.entry(reason).or_default()[2] += 1;
        }
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    numbers
}

fn boxed(
    sides: [u32; 3],
    cells: usize,
    shape: FigureShape,
    equivalence: Equivalence,
) -> Enumeration {
    let spec = BoxSpec { shape, equivalence, ..BoxSpec::new(sides, cells) };
    Enumeration::in_box(spec).unwrap()
}

fn symmetric(
    names: &[&str],
    set: &PieceSet,
    bounds: Option<[u32; 3]>,
    parts: usize,
) -> Enumeration {
    let classes = names.iter().map(|name| Class::matching(name).unwrap()[0]).collect();
    let equivalence = Equivalence::for_set(set);
    let cells = set.total_cells();
    let spec = SymmetricSpec { classes, exact: true, cells, bounds, parts, equivalence };
    Enumeration::symmetric(spec).unwrap()
}

#[test]
fn ruled_out_figures_have_the_reason_that_counting_gives() {
    let soma = PieceSet::soma(1);
    let [mixed, copies, chiral, small, large] =
        ["V L T", "V L T2", "A L V2", "D2 L V", "Q I L V"].map(|text| parse_set(text).unwrap());
    assert!(!chiral.is_mirror_closed());
    let any = FigureShape::Any;
    let orders: Vec<&str> = Class::iter().filter(|c| c.order() >= 4).map(Class::name).collect();
    let pairs: Vec<&str> = Class::iter().filter(|c| c.order() == 2).map(Class::name).collect();
    let worlds = [
        (&soma, symmetric(&["C3i", "C3v", "C4v", "D2h(edge)", "D4h", "Oh"], &soma, None, 1)),
        (&soma, symmetric(&["S4", "C4"], &soma, None, 1)),
        (&mixed, boxed([2, 3, 3], 11, any, Equivalence::Reflections)),
        (&copies, boxed([2, 3, 4], 15, any, Equivalence::Reflections)),
        (&copies, boxed([3, 3, 4], 15, FigureShape::Towers, Equivalence::Reflections)),
        (&copies, symmetric(&orders, &copies, None, 1)),
        (&chiral, symmetric(&orders, &chiral, None, 1)),
        (&chiral, symmetric(&pairs, &chiral, Some([3, 3, 4]), 1)),
        (&chiral, boxed([2, 3, 3], 14, any, Equivalence::Rotations)),
        (&small, symmetric(&pairs, &small, Some([3, 3, 4]), 2)),
        (&large, symmetric(&orders, &large, None, 1)),
    ];
    let mut all: BTreeMap<Option<Reason>, u64> = BTreeMap::new();
    for (set, enumeration) in worlds {
        let label = enumeration.question().label();
        for (reason, [seen, soon, counted]) in compare(set, &enumeration) {
            *all.entry(reason).or_default() += counted;
            // For connected figures, the first look finds every reason that needs no search.
            match reason {
                Some(Reason::Parity | Reason::NoFit) => {
                    assert_eq!(seen, counted, "{reason:?}: {label}");
                }
                // Figures this small are quickly exhausted.
                Some(Reason::Exhausted) => assert!(soon * 10 >= counted * 9, "{soon}: {label}"),
                _ => (),
            }
        }
    }
    for reason in [None, Some(Reason::Parity), Some(Reason::NoFit), Some(Reason::Exhausted)] {
        assert!(all[&reason] > 1000, "{all:?}");
    }
}

#[test]
fn figures_too_large_for_the_first_look_are_counted() {
    let line = |length: i32| -> Vec<Cell> { (0..length).map(|x| Cell::new(x, 0, 0)).collect() };
    let look = |set: &PieceSet, cells: &[Cell]| {
        let first_look = FirstLook::new(set);
        let seen = first_look.rule_out(cells, cells, Group::TRIVIAL);
        assert_eq!(first_look.rule_out_by_short_search(cells, cells, Group::TRIVIAL, None), seen);
        seen
    };
    let soma = PieceSet::soma(1);
    assert_eq!(look(&soma, &line(26)), Some(Reason::Size));
    assert_eq!(look(&soma, &line(27)), Some(Reason::NoFit));
    let mut far = line(27);
    far[26] = Cell::new(1_000_000, 0, 0);
    assert_eq!(look(&soma, &far), None);
    assert_eq!(look(&PieceSet::soma(5), &line(135)), None);
    assert_eq!(look(&parse_set("V").unwrap(), &[]), Some(Reason::Size));
}
