//! Counts the figures of each symmetry class from those that groups fix.
//!
//! Take a figure in all its different positions. The number of these that a group H fixes is in the table of marks: the
//! mark of H on the cosets of the figure's group K (Burnside, "Theory of Groups of Finite Order", 1911, chapter XII).
//! So the number of figures that H fixes, up to translation alone, is the sum over the classes of K of exact(K) times
//! mark(K, H). From the largest group down, each such equation has one unknown.

use super::family::Family;
use super::growth::{count_grown, count_grown_from_set};
use super::recount::RecountError;
use super::seam::StepBudget;
use super::subsets::subsets;
use rayon::prelude::*;
use somacat_geometry::lattice::Transform;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::{Class, Group};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

/// The number of figures by class, or the error preventing it.
pub type ByClass = BTreeMap<Class, Result<u128, RecountError>>;

/// Returns the number of a figure's positions that `h` fixes. The figure has the group `k`. Positions are up to
/// translation.
fn mark(k: Group, h: Group) -> i128 {
    let turned = |t: &Transform| k.conjugate(*t).contains_group(h);
    (Transform::all().filter(turned).count() / k.order()) as i128
}

/// The marks of the classes of `k` and `h`.
static MARKS: LazyLock<BTreeMap<[Class; 2], i128>> = LazyLock::new(|| {
    let pairs = Class::all().flat_map(|k| Class::all().map(move |h| [k, h]));
    pairs.map(|[k, h]| ([k, h], mark(least(k), least(h)))).collect()
});

fn least(class: Class) -> Group {
    class.groups()[0]
}

/// Counts the figures whose group is exactly of each class.
///
/// Figures are equal up to the 48 transforms and translation. For each class at most `steps` orbits of cells are
/// placed.
pub fn figures_by_class(
    family: Family,
    classes: &[Class],
    steps: u64,
    stop: Option<&AtomicBool>,
) -> ByClass {
    exact_by_class(classes, &|group| fixed(family, group, steps, stop))
}

/// Counts the connected figures of each class that a set builds.
///
/// Every figure is grown and filled, so only classes with few figures are feasible. Ways of pieces that are tried
/// count as steps, too. The set must also build the mirror image of every figure that it builds.
pub fn buildable_by_class(
    set: &PieceSet,
    classes: &[Class],
    steps: u64,
    stop: Option<&AtomicBool>,
) -> ByClass {
    exact_by_class(classes, &|group| count_grown_from_set(set, group, steps, stop))
}

/// Derives the numbers of figures by class from those that groups fix. All are up to translation.
fn exact_by_class(
    classes: &[Class],
    fixed: &(impl Fn(Group) -> Result<u128, RecountError> + Sync),
) -> ByClass {
    let above = |class: &Class| classes.iter().any(|wanted| MARKS[&[*class, *wanted]] > 0);
    // From the largest group down.
    let mut needed: Vec<Class> = Class::all().filter(above).collect();
    needed.sort_by_key(|class| std::cmp::Reverse(class.order()));
    let fixed: Vec<Result<u128, RecountError>> =
        needed.par_iter().with_max_len(1).map(|class| fixed(least(*class))).collect();
    let mut exact = ByClass::new();
    for (class, fixed) in needed.into_iter().zip(fixed) {
        let number = fixed.and_then(|fixed| {
            let mut rest = fixed.cast_signed();
            for (larger, number) in &exact {
                let mark = MARKS[&[*larger, class]];
                if mark > 0 {
                    rest -= (*number)?.cast_signed() * mark;
                }
            }
            let own = MARKS[&[class, class]];
            debug_assert!(rest >= 0 && rest % own == 0, "{class}: {rest} of {own}");
            Ok((rest / own).cast_unsigned())
        });
        exact.insert(class, number);
    }
    exact.retain(|class, _| classes.contains(class));
    exact
}

/// Counts the figures that a group fixes, up to translation.
fn fixed(
    family: Family,
    group: Group,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<u128, RecountError> {
    let Family { cells, bounds, parts, towers } = family;
    let may_be_grown = parts == Some(1) && !towers;
    if let Some(sides) = bounds {
        match subsets(family, sides, group, &mut StepBudget { steps, stop }) {
            // In a wide box that is mostly empty, connected figures are better grown.
            Err(RecountError::Wide | RecountError::States | RecountError::Steps)
                if may_be_grown => {}
            counted => return counted,
        }
    } else if !may_be_grown {
        // There are infinitely many of them.
        return Err(RecountError::Large);
    }
    count_grown(cells, bounds, group, steps, stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares connected subsets of a box, grown and counted cell by cell.
    #[test]
    fn growth_and_subsets_agree() {
        for class in Class::all() {
            let group = class.groups()[0];
            for (sides, cells) in
                [([2, 3, 3], 7), ([1, 3, 4], 6), ([3, 3, 3], 9), ([2, 2, 5], 10), ([3, 3, 4], 7)]
            {
                let mut budget = StepBudget { steps: u64::MAX, stop: None };
                let family = Family { cells, bounds: Some(sides), parts: Some(1), towers: false };
                let cell_by_cell = subsets(family, sides, group, &mut budget);
                let grown = count_grown(cells, Some(sides), group, u64::MAX, None);
                assert_eq!(cell_by_cell, grown, "{class} {sides:?}");
            }
        }
    }
}
