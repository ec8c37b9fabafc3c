//! How many figures there are of each symmetry class, from the numbers of figures that each group leaves as they are.
//!
//! Take a figure in all positions in which it differs. A group H fixes so many of them as the table of marks says: the
//! mark of H on the cosets of the figure's group K (Burnside, "Theory of Groups of Finite Order", 1911, chapter XII). So
//! the number of figures that H fixes, counted up to translation alone, is the sum over the classes of K of exact(K)
//! times mark(K, H); and from the largest group down, each such equation has one unknown.

use super::grown::grown;
use super::recount::RecountError;
use super::seam::Budget;
use super::subsets::{connected_subsets, subsets};
use crate::lattice::Transform;
use crate::symmetry::{Class, Group};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Figures that can be counted here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The cells of a figure.
    pub cells: usize,
    /// Sides of a box that it must fit in, however it is turned.
    pub bounds: Option<[u32; 3]>,
    /// Whether it must hang together by faces; if not, there must be a box.
    pub connected: bool,
}

/// The numbers of figures of some classes, for each class or why it was not counted.
pub type ByClass = BTreeMap<Class, Result<u128, RecountError>>;

/// The number of positions of a figure with the group `k`, up to translation, in which `h` leaves it as it is.
fn mark(k: Group, h: Group) -> i128 {
    let turned = |t: &Transform| k.conjugate(*t).contains_group(h);
    (Transform::all().filter(turned).count() / k.order()) as i128
}

/// Counts the figures whose group is exactly of each of these classes, up to the 48 transforms and translation. For
/// each class at most `steps` orbits of cells are placed.
#[must_use]
pub fn figures_by_class(
    family: Family,
    classes: &[Class],
    steps: u64,
    stop: Option<&AtomicBool>,
) -> ByClass {
    let least = |class: Class| class.groups()[0];
    let above =
        |class: &Class| classes.iter().any(|wanted| mark(least(*class), least(*wanted)) > 0);
    // From the largest group down.
    let mut needed: Vec<Class> = Class::all().filter(above).collect();
    needed.sort_by_key(|class| std::cmp::Reverse(class.order()));
    let fixed: Vec<Result<u128, RecountError>> = needed
        .par_iter()
        .with_max_len(1)
        .map(|class| fixed(family, least(*class), steps, stop))
        .collect();
    let mut exact = ByClass::new();
    for (class, fixed) in needed.into_iter().zip(fixed) {
        let number = fixed.and_then(|fixed| {
            let mut rest = fixed.cast_signed();
            for (larger, number) in &exact {
                let mark = mark(least(*larger), least(class));
                if mark > 0 {
                    rest -= (*number)?.cast_signed() * mark;
                }
            }
            let own = mark(least(class), least(class));
            debug_assert!(rest >= 0 && rest % own == 0, "{class}: {rest} of {own}");
            Ok((rest / own).cast_unsigned())
        });
        exact.insert(class, number);
    }
    exact.retain(|class, _| classes.contains(class));
    exact
}

/// The number of figures, up to translation, that a group leaves as they are.
fn fixed(
    family: Family,
    group: Group,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<u128, RecountError> {
    let Family { cells, bounds, connected } = family;
    match bounds {
        Some(sides) if !connected => return subsets(sides, cells, group),
        Some(sides) => match connected_subsets(sides, cells, group, &mut Budget { steps, stop }) {
            // In a wide box that figures fill but little they are better grown.
            Err(RecountError::Wide | RecountError::States | RecountError::Steps) => {}
            counted => return counted,
        },
        None => {}
    }
    grown(cells, bounds, group, steps, stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_class(family: Family) -> Vec<(Class, u128)> {
        let classes: Vec<Class> = Class::all().collect();
        let numbers = figures_by_class(family, &classes, u64::MAX, None);
        numbers.into_iter().map(|(class, number)| (class, number.unwrap())).collect()
    }

    /// OEIS A038119 (up to rotation and reflection) and A001931 (up to translation).
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
            let numbers = by_class(Family { cells, bounds: None, connected: true });
            assert_eq!(numbers.iter().map(|(_, number)| number).sum::<u128>(), free, "{cells}");
            let positions = |(class, number): &(Class, u128)| number * (48 / class.order() as u128);
            assert_eq!(numbers.iter().map(positions).sum::<u128>(), fixed, "{cells}");
        }
    }

    /// Subsets of a box grown, cell by cell, and, where all of them hang together, in closed form.
    #[test]
    fn closed_form_and_growth_agree() {
        let family = |cells, connected| Family { cells, bounds: Some([2, 3, 3]), connected };
        assert_eq!(by_class(family(16, false)), by_class(family(16, true)));
        for class in Class::all() {
            let group = class.groups()[0];
            for (sides, cells) in
                [([2, 3, 3], 7), ([1, 3, 4], 6), ([3, 3, 3], 9), ([2, 2, 5], 10), ([3, 3, 4], 7)]
            {
                let mut budget = Budget { steps: u64::MAX, stop: None };
                let cell_by_cell = connected_subsets(sides, cells, group, &mut budget);
                let grown = grown(cells, Some(sides), group, u64::MAX, None);
                assert_eq!(cell_by_cell, grown, "{class} {sides:?}");
            }
        }
    }

    /// Nungester's C3i, D3d and Oh.
    #[test]
    fn large_groups_of_27_cells() {
        let named = |name: &str| Class::all().find(|class| class.name() == name).unwrap();
        let classes = ["D3d", "Th", "Oh"].map(named);
        let family = Family { cells: 27, bounds: None, connected: true };
        let numbers = figures_by_class(family, &classes, 10_000_000, None);
        assert_eq!(numbers.into_values().collect::<Vec<_>>(), [Ok(10), Ok(0), Ok(1)]);
        let few = figures_by_class(family, &[named("C3")], 10, None);
        assert_eq!(few[&named("C3")], Err(RecountError::Steps));
    }
}
