//! Whether figures of several parts are sooner found among the subsets of their box than grown.
//!
//! Both efforts are estimated roughly, with nothing but sums, products and quotients of floating
//! point numbers, which every machine works out alike: the choice belongs to the question, for the
//! two methods list in different orders.

use super::boxes::{boxes_within, symmetries, volume};
use crate::symmetry::Class;

/// Numbers of fixed polycubes of 0, 1, 2, … cells (OEIS A001931). Beyond the list each is about
/// eight times as many.
const FIXED: [f64; 13] = [
    1.0,
    1.0,
    3.0,
    15.0,
    86.0,
    534.0,
    3481.0,
    23502.0,
    162913.0,
    1152870.0,
    8294738.0,
    60494549.0,
    446205905.0,
];

/// Whether to go through the subsets of a box.
pub(super) fn subsets_pay(sides: [u32; 3], cells: usize, parts: usize, classes: &[Class]) -> bool {
    let fitting = boxes_within(sides).filter(|&own| volume(own) >= cells);
    let subsets: f64 =
        fitting.map(|own| binomial(volume(own), cells) / symmetries(own).len() as f64).sum();
    let volume = sides.iter().map(|&s| s as usize).product();
    let grown: f64 = classes.iter().map(|c| growth(volume, cells, parts, c.order())).sum();
    subsets <= grown
}

/// About how many sets of orbits are met that a group of some order keeps: no more than there are
/// sets of orbits, and no more than there are ways to place connected parts of them.
fn growth(volume: usize, cells: usize, parts: usize, order: usize) -> f64 {
    let (orbits, weight) = (volume.div_ceil(order), cells.div_ceil(order));
    let fixed = |n: usize| {
        let known = n.min(FIXED.len() - 1);
        (known..n).fold(FIXED[known], |ways, _| 8.0 * ways)
    };
    let component = |n: usize| (fixed(n) * orbits as f64).min(binomial(orbits, n));
    // ways[n]: so many components of n orbits together.
    let mut ways = vec![0.0; weight + 1];
    ways[0] = 1.0;
    let mut sum = 0.0;
    for part in 1..=parts.min(weight) {
        let last = |n: usize| (1..=n).map(|size| ways[n - size] * component(size)).sum::<f64>();
        ways = (0..=weight).map(|n| last(n) / part as f64).collect();
        sum += ways[weight];
    }
    sum.min(binomial(orbits, weight))
}

/// The number of n-subsets of a set.
fn binomial(set: usize, n: usize) -> f64 {
    let least = n.min(set.saturating_sub(n));
    (0..least).fold(1.0, |ways, i| ways * (set - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::growth::Growth;
    use crate::enumerate::search::Searches;
    use crate::enumerate::shards::{Delivery, MOST_HELD, Place, SHARDS};
    use crate::enumerate::subsets::{SubsetRule, Subsets};
    use crate::figure::{Candidate, Identity, Signature};
    use crate::symmetry::Group;
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    fn signatures(searches: &impl Searches, identity: Identity) -> BTreeSet<Signature> {
        let (stop, mut all) = (AtomicBool::new(false), BTreeSet::new());
        let map = |candidate: Candidate| Some(candidate.signature().clone());
        let delivery =
            Delivery { identity, stop: &stop, map, shards: SHARDS, most_held: MOST_HELD };
        let flow = delivery.deliver(searches, Place::default(), &mut |_, signature| {
            assert!(all.insert(signature));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        all
    }

    /// Whichever method is chosen, the figures are the same.
    #[test]
    fn subsets_and_growth_give_the_same_figures_in_several_parts() {
        let worlds = [
            ([2, 3, 3], 5, 2),
            ([2, 3, 3], 13, 2),
            ([1, 4, 5], 9, 3),
            ([2, 2, 4], 7, 5),
            ([3, 3, 3], 20, 2),
            ([1, 2, 9], 12, 4),
        ];
        for (sides, cells, parts) in worlds {
            for identity in [Identity::Reflections, Identity::Rotations] {
                for class in Class::all() {
                    let growth = Growth::new(&[class], cells, parts, Some(sides), identity);
                    let of_class = |g: &&Group| g.class() == class;
                    let groups = Group::all().iter().filter(of_class).copied().collect();
                    let rule =
                        SubsetRule { cells, parts: Some(parts), groups: Some(groups), identity };
                    let subsets = signatures(&Subsets::new(sides, rule), identity);
                    let context = format!("{class}: {cells} cells in {parts} parts in {sides:?}");
                    assert_eq!(signatures(&growth, identity), subsets, "{context}");
                }
            }
        }
    }

    #[test]
    fn full_boxes_of_little_symmetry_are_searched_by_subsets() {
        let class = |name: &str| [name.parse::<Class>().unwrap()];
        assert!(subsets_pay([3, 3, 3], 21, 3, &class("C1")));
        assert!(subsets_pay([3, 3, 4], 30, 2, &class("C2(face)")));
        assert!(!subsets_pay([5, 5, 5], 8, 2, &class("C1")));
        assert!(!subsets_pay([5, 5, 5], 100, 2, &class("Oh")));
        assert!(!subsets_pay([3, 3, 4], 18, 2, &class("D4h")));
    }
}
