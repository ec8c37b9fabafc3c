//! Counts the figures of each symmetry class from those that groups fix.
//!
//! Take a figure in all its different positions. The number of these that a group H fixes is in the table of marks:
//! the mark of H on the cosets of the figure's group K (Burnside, "Theory of Groups of Finite Order", 1911, chapter
//! XII). So the number of figures that H fixes, counted up to translation alone, is the sum over the classes of K
//! of exact(K) times mark(K, H). From the largest group down, each such equation has one unknown.

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

/// The number of figures of each class, or the error that prevents it.
pub type ByClass = BTreeMap<Class, Result<u128, RecountError>>;

/// Returns the number of positions that `h` fixes, for a figure with group `k`. Positions are up to translation.
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
    use somacat_geometry::figure::{Canonical, Figure};
    use somacat_geometry::lattice::{Cell, part_count};
    use std::collections::BTreeSet;

    fn by_class(family: Family) -> Vec<(Class, u128)> {
        let classes: Vec<Class> = Class::all().collect();
        let numbers = figures_by_class(family, &classes, u64::MAX, None);
        numbers.into_iter().map(|(class, number)| (class, number.unwrap())).collect()
    }

    /// Compares with OEIS: A038119 (up to rotation and reflection) and A001931 (up to translation).
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
            let numbers = by_class(Family { cells, bounds: None, parts: Some(1), towers: false });
            assert_eq!(numbers.iter().map(|(_, number)| number).sum::<u128>(), free, "{cells}");
            let positions = |(class, number): &(Class, u128)| number * (48 / class.order() as u128);
            assert_eq!(numbers.iter().map(positions).sum::<u128>(), fixed, "{cells}");
        }
    }

    /// Compares connected subsets of a box, grown and counted cell by cell. Where all subsets are connected,
    /// compares with the closed form.
    #[test]
    fn closed_form_and_growth_agree() {
        let family =
            |sides, cells, parts| Family { cells, bounds: Some(sides), parts, towers: false };
        let whole = |parts| by_class(family([2, 3, 3], 16, parts));
        assert_eq!(whole(None), whole(Some(1)));
        for class in Class::all() {
            let group = class.groups()[0];
            for (sides, cells) in
                [([2, 3, 3], 7), ([1, 3, 4], 6), ([3, 3, 3], 9), ([2, 2, 5], 10), ([3, 3, 4], 7)]
            {
                let mut budget = StepBudget { steps: u64::MAX, stop: None };
                let family = family(sides, cells, Some(1));
                let cell_by_cell = subsets(family, sides, group, &mut budget);
                let grown = count_grown(cells, Some(sides), group, u64::MAX, None);
                assert_eq!(cell_by_cell, grown, "{class} {sides:?}");
            }
        }
    }

    /// Compares with all subsets of a box, for any number of parts. They are listed one by one, up to the 48
    /// transforms.
    #[test]
    fn figures_of_several_parts_are_as_many_as_listed() {
        let sides = [2, 2, 3];
        let cell = |n: i32| Cell::new(n % 2, n / 2 % 2, n / 4);
        let mut listed: BTreeMap<(usize, usize, Class), BTreeSet<String>> = BTreeMap::new();
        for subset in 1_u32..1 << 12 {
            let cells = (0..12).filter(|n| subset >> n & 1 == 1).map(cell);
            let figure = Figure::new(cells).unwrap();
            let Canonical { signature, group, .. } = figure.canonical();
            let parts = part_count(figure.cells());
            let key = (figure.len(), parts, group.class());
            listed.entry(key).or_default().insert(signature.to_string());
        }
        for cells in 1..=12 {
            for parts in 1..=7 {
                let family =
                    Family { cells, bounds: Some(sides), parts: Some(parts), towers: false };
                for (class, number) in by_class(family) {
                    let known = listed.get(&(cells, parts, class)).map_or(0, BTreeSet::len);
                    assert_eq!(number, known as u128, "{cells} cells, {parts} parts, {class}");
                }
            }
        }
        assert!(listed.keys().any(|(_, parts, _)| *parts == 6), "a checkerboard has six parts");
    }

    /// Tests larger boxes: the counts for each number of parts add up to the total.
    #[test]
    fn parts_add_up() {
        for (sides, cells) in [([3, 3, 3], 8), ([2, 3, 4], 12)] {
            let family = |parts| Family { cells, bounds: Some(sides), parts, towers: false };
            let mut sums: BTreeMap<Class, u128> = BTreeMap::new();
            for parts in 1..=cells {
                for (class, number) in by_class(family(Some(parts))) {
                    *sums.entry(class).or_default() += number;
                }
            }
            assert_eq!(sums.into_iter().collect::<Vec<_>>(), by_class(family(None)), "{sides:?}");
        }
    }

    /// Compares with the figures of all maps of heights on a rectangle. `figures_by_class` must identify equal
    /// figures.
    #[test]
    fn towers_are_as_many_as_listed() {
        let worlds = [
            [1, 1, 5],
            [1, 4, 3],
            [1, 3, 4],
            [1, 6, 2],
            [2, 2, 2],
            [2, 2, 4],
            [2, 3, 2],
            [2, 3, 3],
            [2, 3, 4],
            [3, 2, 4],
            [2, 4, 2],
            [3, 3, 1],
            [3, 3, 2],
        ];
        for sides @ [a, b, height] in worlds {
            let mut listed: BTreeMap<(usize, usize, Class), BTreeSet<String>> = BTreeMap::new();
            for map in 1..(height + 1_u32).pow(a * b) {
                let top = |n: u32| map / (height + 1).pow(n) % (height + 1);
                // Of a map, its mirror image and its half turn, one is enough.
                let tops = || (0..a * b).map(top);
                let mirrored = (0..a * b).map(|n| top(n + a - 1 - 2 * (n % a)));
                if mirrored.lt(tops()) || tops().rev().lt(tops()) {
                    continue;
                }
                let columns = (0..a * b).flat_map(|n| (0..top(n)).map(move |z| [n % a, n / a, z]));
                let figure = columns.map(|cell| Cell::from(cell.map(|at| at as i32)));
                let figure = Figure::new(figure).unwrap();
                let Canonical { signature, group, .. } = figure.canonical();
                let parts = part_count(figure.cells());
                let key = (figure.len(), parts, group.class());
                listed.entry(key).or_default().insert(signature.to_string());
            }
            let most = (a * b) as usize;
            for cells in 1..=most * height as usize {
                for parts in [None, Some(1), Some(2)] {
                    let family = Family { cells, bounds: Some(sides), parts, towers: true };
                    for (class, number) in by_class(family) {
                        let alike = listed.iter().filter(|((of, into, in_class), _)| {
                            *of == cells
                                && parts.is_none_or(|parts| parts == *into)
                                && *in_class == class
                        });
                        let known: usize = alike.map(|(_, figures)| figures.len()).sum();
                        assert_eq!(
                            number, known as u128,
                            "{cells} in {sides:?}, {parts:?}: {class}"
                        );
                    }
                }
            }
        }
    }

    /// Compares with Nungester's C3i, D3d and Oh.
    #[test]
    fn large_groups_of_27_cells() {
        let named = |name: &str| Class::all().find(|class| class.name() == name).unwrap();
        let classes = ["D3d", "Th", "Oh"].map(named);
        let family = Family { cells: 27, bounds: None, parts: Some(1), towers: false };
        let numbers = figures_by_class(family, &classes, 10_000_000, None);
        assert_eq!(numbers.into_values().collect::<Vec<_>>(), [Ok(10), Ok(0), Ok(1)]);
        let few = figures_by_class(family, &[named("C3")], 10, None);
        assert_eq!(few[&named("C3")], Err(RecountError::Steps));
    }
}
