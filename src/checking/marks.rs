//! Counts the figures of each symmetry class from those that groups fix.
//!
//! Take a figure in all its different positions. The number of these that a group H fixes is in the table of marks: the
//! mark of H on the cosets of the figure's group K (Burnside, "Theory of Groups of Finite Order", 1911, chapter XII).
//! So the number of figures that H fixes, up to translation alone, is the sum over the classes of K of exact(K) times
//! mark(K, H). From the largest group down, each such equation has one unknown.

use super::family::Family;
use super::growth::{Grown, Invariant, count_grown};
use super::reason::{colors_reached, piece_colors};
use super::recount::RecountError;
use super::seam::StepBudget;
use super::subsets::{blocked_subsets, subsets};
use rayon::prelude::*;
use somacat_geometry::lattice::Transform;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::{Class, Group};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

/// The numbers of figures by class, or the error preventing it.
pub type ByClass = BTreeMap<Class, Result<ClassNumbers, RecountError>>;

/// Returns the number of a figure's positions that `h` fixes. The figure has the group `k`. Positions are up to
/// translation.
fn mark(k: Group, h: Group) -> i128 {
    let turned = |t: &Transform| k.conjugate(*t).contains_group(h);
    (Transform::iter().filter(turned).count() / k.order()) as i128
}

/// The marks of the classes of `k` and `h`.
pub(super) static MARKS: LazyLock<BTreeMap<[Class; 2], i128>> = LazyLock::new(|| {
    let pairs = Class::iter().flat_map(|k| Class::iter().map(move |h| [k, h]));
    pairs.map(|[k, h]| ([k, h], mark(least(k), least(h)))).collect()
});

pub(super) fn least(class: Class) -> Group {
    class.groups()[0]
}

/// Counts the figures whose group is exactly of each class.
///
/// Figures are equal up to the 48 transforms and translation. For each class at most `steps` orbits of cells are
/// placed.
///
/// ```
/// use somacat_checking::{Family, figures_by_class};
/// use somacat_geometry::symmetry::Class;
///
/// // There are 23 pentacubes, mirror images being one figure (OEIS A038119).
/// let family = Family { cells: 5, bounds: None, parts: Some(1), towers: false };
/// let classes: Vec<Class> = Class::iter().collect();
/// let numbers = figures_by_class(family, &classes, 1_000_000, None);
/// assert_eq!(numbers.values().map(|number| number.unwrap()).sum::<u128>(), 23);
/// ```
pub fn figures_by_class(
    family: Family,
    classes: &[Class],
    steps: u64,
    stop: Option<&AtomicBool>,
) -> BTreeMap<Class, Result<u128, RecountError>> {
    let numbers = colored_by_class(family, None, classes, steps, stop);
    numbers.into_iter().map(|(class, n)| (class, n.map(|n| n.figures))).collect()
}

/// The numbers of figures of a class.
///
/// ```
/// use somacat_checking::{Family, colored_by_class};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
///
/// // Dominoes cover as many black as white cells, and the four black cells of a cube of side 2 have the class Td.
/// let family = Family { cells: 4, bounds: Some([2, 2, 2]), parts: None, towers: false };
/// let (td, dominoes) = (Class::matching("Td").unwrap()[0], parse_set("D2").unwrap());
/// let numbers = colored_by_class(family, Some(&dominoes), &[td], 1_000_000, None)[&td].unwrap();
/// assert_eq!((numbers.figures, numbers.blocked), (1, Some(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassNumbers {
    /// All figures.
    pub figures: u128,
    /// Figures with a color difference that no packing reaches. `None` if the method of counting cannot distinguish
    /// them: it does for connected figures that are grown, and for all subsets of a box.
    pub blocked: Option<u128>,
}

/// Counts figures like [`figures_by_class`]. With a set, also counts those with a color difference that the pieces do not
/// reach.
pub fn colored_by_class(
    family: Family,
    set: Option<&PieceSet>,
    classes: &[Class],
    steps: u64,
    stop: Option<&AtomicBool>,
) -> ByClass {
    let reached = set.map(|set| colors_reached(piece_colors(set)));
    exact_by_class(classes, &|group| fixed(family, reached.as_ref(), group, (steps, stop)))
}

/// Derives the numbers of figures by class from those that groups fix. All are up to translation.
fn exact_by_class(
    classes: &[Class],
    fixed: &(impl Fn(Group) -> Result<Invariant, RecountError> + Sync),
) -> ByClass {
    let above = |class: &Class| classes.iter().any(|wanted| MARKS[&[*class, *wanted]] > 0);
    // From the largest group down.
    let mut needed: Vec<Class> = Class::iter().filter(above).collect();
    needed.sort_by_key(|class| std::cmp::Reverse(class.order()));
    let fixed: Vec<Result<Invariant, RecountError>> =
        needed.par_iter().with_max_len(1).map(|class| fixed(least(*class))).collect();
    let mut exact = ByClass::new();
    for (class, fixed) in needed.into_iter().zip(fixed) {
        let own = MARKS[&[class, class]];
        let larger = exact.iter().map(|(larger, numbers)| (MARKS[&[*larger, class]], *numbers));
        let larger = larger.filter(|(mark, _)| *mark > 0);
        let larger: Result<Vec<_>, _> = larger.map(|(mark, n)| Ok((mark, n?))).collect();
        let numbers = fixed.and_then(|fixed| Ok((fixed, larger?))).map(|(fixed, larger)| {
            let of = |fixed: u128, number: &dyn Fn(&ClassNumbers) -> u128| {
                let others = larger.iter().map(|(mark, n)| number(n).cast_signed() * mark);
                let rest = fixed.cast_signed() - others.sum::<i128>();
                debug_assert!(rest >= 0 && rest % own == 0, "{class}: {rest} of {own}");
                (rest / own).cast_unsigned()
            };
            let all_colored = larger.iter().all(|(_, n)| n.blocked.is_some());
            let blocked = fixed.blocked.filter(|_| all_colored);
            ClassNumbers {
                figures: of(fixed.figures, &|n| n.figures),
                blocked: blocked.map(|blocked| of(blocked, &|n| n.blocked.unwrap_or_default())),
            }
        });
        exact.insert(class, numbers);
    }
    exact.retain(|class, _| classes.contains(class));
    exact
}

/// Counts the figures that a group fixes, up to translation. Those with a color difference that is not reached are
/// counted too, if that is given and the method allows it.
fn fixed(
    family: Family,
    reached: Option<&BTreeSet<i64>>,
    group: Group,
    (steps, stop): (u64, Option<&AtomicBool>),
) -> Result<Invariant, RecountError> {
    let Family { cells, bounds, parts, towers } = family;
    let may_be_grown = parts == Some(1) && !towers;
    if let Some(sides) = bounds {
        match subsets(family, sides, group, &mut StepBudget { steps, stop }) {
            // In a wide box that is mostly empty, connected figures are better grown.
            Err(RecountError::Wide | RecountError::States | RecountError::Steps)
                if may_be_grown => {}
            counted => {
                let reached = reached.filter(|_| parts.is_none() && !towers);
                let mut budget = StepBudget { steps, stop };
                let blocked = reached.and_then(|reached| {
                    blocked_subsets(cells, sides, group, reached, &mut budget).ok()
                });
                return Ok(Invariant { figures: counted?, blocked });
            }
        }
    } else if !may_be_grown {
        // There are infinitely many of them.
        return Err(RecountError::Large);
    }
    count_grown(Grown { cells, bounds, reached, visit: None }, group, steps, stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares connected subsets of a box, grown and counted cell by cell.
    #[test]
    fn growth_and_subsets_agree() {
        for class in Class::iter() {
            let group = class.groups()[0];
            for (sides, cells) in
                [([2, 3, 3], 7), ([1, 3, 4], 6), ([3, 3, 3], 9), ([2, 2, 5], 10), ([3, 3, 4], 7)]
            {
                let mut budget = StepBudget { steps: u64::MAX, stop: None };
                let family = Family { cells, bounds: Some(sides), parts: Some(1), towers: false };
                let cell_by_cell = subsets(family, sides, group, &mut budget);
                let all = Grown { cells, bounds: Some(sides), reached: None, visit: None };
                let grown = count_grown(all, group, u64::MAX, None).map(|found| found.figures);
                assert_eq!(cell_by_cell, grown, "{class} {sides:?}");
            }
        }
    }
}
