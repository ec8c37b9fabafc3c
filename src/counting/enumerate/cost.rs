//! The choice of the method for figures of several parts: subsets of a box, or growth.
//!
//! The costs of both methods are estimated roughly, using only sums, products and quotients of floating-point
//! numbers, which are the same on every machine. This matters because the methods list figures in different orders,
//! so the choice is part of the question.

use super::box_orbits::{BoxOrbits, groups_in, normalizer_cosets};
use somacat_geometry::boxes::{box_volume, boxes_that_hold};
use somacat_geometry::symmetry::Class;

/// The numbers of fixed polycubes of 0, 1, 2, … cells (OEIS A001931). Beyond the list each number is about eight
/// times the previous one.
const FIXED_POLYCUBES: [f64; 13] = [
    1.0,
    1.0,
    3.0,
    15.0,
    86.0,
    534.0,
    3481.0,
    23502.0,
    162_913.0,
    1_152_870.0,
    8_294_738.0,
    60_494_549.0,
    446_205_905.0,
];

/// Returns `true` if subsets of a box are faster than growth. The box has at most 128 cells.
pub(super) fn subsets_pay(classes: &[Class], sides: [u32; 3], cells: usize, parts: usize) -> bool {
    let subsets: f64 = classes.iter().map(|&class| subsets_of_class(class, sides, cells)).sum();
    let room = sides.iter().map(|&s| s as usize).product();
    let grown: f64 = classes.iter().map(|class| growth(room, cells, parts, class.order())).sum();
    subsets <= grown
}

/// Estimates the number of sets of orbits that the search for subsets visits: all sets with the right number of cells,
/// divided by the number of images of which one is listed.
fn subsets_of_class(class: Class, sides: [u32; 3], cells: usize) -> f64 {
    let mut sum = 0.0;
    for own in boxes_that_hold(sides, cells) {
        let weight = cells.min(box_volume(own) - cells);
        for group in groups_in(own, class) {
            let sizes = BoxOrbits::new(own, group).sizes;
            sum += choices(&sizes, weight) / normalizer_cosets(own, group).len() as f64;
        }
    }
    sum
}

/// Returns the number of ways to choose some of these sizes with a sum.
fn choices(sizes: &[usize], sum: usize) -> f64 {
    let mut ways = vec![0.0; sum + 1];
    ways[0] = 1.0;
    for &size in sizes {
        for n in (size..=sum).rev() {
            ways[n] += ways[n - size];
        }
    }
    ways[sum]
}

/// Estimates the cost of growing the sets of orbits under a group, in sets of the search for subsets. It is the number
/// of ways to place connected parts in a room of `room` cells, where orbits count like cells of a smaller room. A
/// figure without symmetry is grown in only one place of the room, but its 48 images cost three times as much. The
/// factors were fitted by running both methods on a hundred questions.
fn growth(room: usize, cells: usize, parts: usize, order: usize) -> f64 {
    let (places, weight) = (room.div_ceil(order) as f64, cells.div_ceil(order));
    let fixed = |n: usize| {
        let known = n.min(FIXED_POLYCUBES.len() - 1);
        (known..n).fold(FIXED_POLYCUBES[known], |ways, _| 8.0 * ways)
    };
    // ways[n]: the number of ways for components of n orbits in total.
    let mut ways = vec![0.0; weight + 1];
    ways[0] = 1.0;
    let mut sum = 0.0;
    for part in 1..=parts.min(weight) {
        let with_last = |n: usize| -> f64 {
            (1..=n).map(|size| ways[n - size] * fixed(size) * places / part as f64).sum()
        };
        ways = (0..=weight).map(with_last).collect();
        sum += ways[weight];
    }
    if order == 1 { 3.0 * sum / places } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::found_figure::FoundFigure;
    use crate::enumerate::growth::Growth;
    use crate::enumerate::search::Searches;
    use crate::enumerate::shards::{Delivery, MAX_HELD_FIGURES, MIN_SHARDS, Place, ShardRange};
    use crate::enumerate::subsets::{SubsetRule, Subsets};
    use somacat_geometry::figure::{Equivalence, Signature};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    fn signatures(searches: &dyn Searches, equivalence: Equivalence) -> BTreeSet<Signature> {
        let (stop, mut all) = (AtomicBool::new(false), BTreeSet::new());
        let map = |found: FoundFigure<'_>| Some(found.candidate().signature().clone());
        let (shards, max_held) = (MIN_SHARDS, MAX_HELD_FIGURES);
        let delivery = Delivery { equivalence, stop: &stop, map: &map, shards, max_held };
        let flow =
            delivery.deliver(searches, ShardRange::ALL, Place::default(), &mut |_, signature| {
                assert!(all.insert(signature));
                ControlFlow::Continue(())
            });
        assert!(flow.is_continue());
        all
    }

    /// The figures are the same with either method.
    #[test]
    fn subsets_and_growth_give_the_same_figures_in_several_parts() {
        // Boxes, sparse and full, flat and long: sides, cells, parts, and the number of figures up to reflections.
        let worlds = [
            ([2, 3, 3], 5, 2, 99),
            ([2, 2, 3], 8, 2, 10),
            ([1, 3, 4], 6, 3, 72),
            ([2, 2, 4], 6, 4, 89),
            ([3, 3, 3], 6, 2, 521),
            ([1, 2, 6], 7, 3, 56),
        ];
        for (sides, cells, parts, known) in worlds {
            let mut figures = 0;
            for equivalence in [Equivalence::Reflections, Equivalence::Rotations] {
                for class in Class::iter() {
                    let growth = Growth::new(&[class], cells, parts, Some(sides), equivalence);
                    let rule = SubsetRule { cells, parts: Some(parts), equivalence };
                    let subsets = Subsets::of_classes(&[class], sides, rule);
                    let (grown, chosen) =
                        (signatures(&growth, equivalence), signatures(&subsets, equivalence));
                    assert_eq!(grown, chosen, "{class}: {cells} in {parts} parts in {sides:?}");
                    figures +=
                        if equivalence == Equivalence::Reflections { grown.len() } else { 0 };
                }
            }
            assert_eq!(figures, known, "{cells} in {parts} parts in {sides:?}");
        }
    }

    #[test]
    fn growth_is_left_to_sparse_boxes() {
        let pay = |name: &str, sides, cells, parts| {
            subsets_pay(&[Class::matching(name).unwrap()[0]], sides, cells, parts)
        };
        assert!(pay("C1", [3, 3, 3], 21, 3) && pay("C1", [3, 3, 4], 10, 2));
        assert!(pay("C2(face)", [3, 3, 4], 30, 2) && pay("Cs(planar)", [2, 4, 6], 12, 3));
        assert!(!pay("C1", [5, 5, 5], 8, 2) && !pay("C1", [4, 4, 4], 6, 2));
        assert!(!pay("C2(face)", [5, 5, 5], 12, 2));
    }
}
