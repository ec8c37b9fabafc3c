//! Counts sets of a box's cells that are solid towards some sides.
//!
//! Towards three sides that meet they are plane partitions, and with a group symmetric ones. See Stanley, "Symmetries
//! of plane partitions", Journal of Combinatorial Theory A 43, 1986.

use super::boxes::{orbits, points};
use super::recount::RecountError;
use super::seam::{MAX_SEAM_STATES, StepBudget};
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the numbers of such sets of 0, 1, …, `most` cells. The group fixes them.
///
/// With every cell, a set has the next one in each of the directions `down`, unless the box ends there. Along other
/// axes the sides are 1. The group permutes the directions. Fails if `budget` does not allow it.
pub(super) fn stacks(
    sides: [u32; 3],
    down: &[Cell],
    group: Group,
    most: usize,
    budget: &mut StepBudget<'_>,
) -> Result<Vec<u128>, RecountError> {
    // Along an axis with both directions rows are full or empty, so one cell represents a row.
    let opposite = |toward: Cell| Cell::default() - toward;
    let slopes: Vec<Cell> =
        down.iter().copied().filter(|toward| !down.contains(&opposite(*toward))).collect();
    let slope = slopes.iter().fold(Cell::default(), |sum, toward| sum + *toward).to_array();
    let base = [0, 1, 2].map(|axis| if slope[axis] == 0 { 1 } else { sides[axis] });
    let rows = [0, 1, 2].map(|axis| (sides[axis] / base[axis]) as usize);
    let row: usize = rows.iter().product();

    // From the ground up: orbits are sorted by their lowest cells, after those which they rest on.
    let mut orbits: Vec<BTreeSet<Cell>> = orbits(points(base), group).into_iter().collect();
    let height = |cell: &Cell| [0, 1, 2].map(|axis| -slope[axis] * cell.to_array()[axis]);
    orbits.sort_by_cached_key(|orbit| orbit.iter().map(height).min());
    let mut numbers: BTreeMap<Cell, usize> = BTreeMap::new();
    for (number, orbit) in orbits.iter().enumerate() {
        numbers.extend(orbit.iter().map(|cell| (*cell, number)));
    }
    let below = |orbit: &BTreeSet<Cell>| -> BTreeSet<usize> {
        let cells = orbit
            .iter()
            .flat_map(|cell| slopes.iter().map(move |toward| *cell + *toward + *toward));
        cells.filter_map(|cell| numbers.get(&cell).copied()).collect()
    };
    let rests_on: Vec<BTreeSet<usize>> = orbits.iter().map(below).collect();
    let mut last_above = vec![0; orbits.len()];
    for (number, below) in rests_on.iter().enumerate() {
        for of in below {
            last_above[*of] = number;
        }
    }

    // The taken orbits that later ones rest on, with the numbers of such sets.
    let mut states: FxHashMap<Vec<usize>, Vec<u128>> = FxHashMap::default();
    let mut nothing = vec![0; most + 1];
    nothing[0] = 1;
    states.insert(Vec::new(), nothing);
    for (number, orbit) in orbits.iter().enumerate() {
        budget.spend(2 * states.len() as u64)?;
        let mut next: FxHashMap<Vec<usize>, Vec<u128>> = FxHashMap::default();
        for (taken, ways) in states {
            let with = [&taken[..], &[number]].concat();
            let solid = rests_on[number].iter().all(|of| taken.contains(of));
            let larger = solid.then_some((with, row * orbit.len()));
            for (mut taken, more) in [(taken, 0)].into_iter().chain(larger) {
                taken.retain(|of| last_above[*of] > number);
                let sums = next.entry(taken).or_insert_with(|| vec![0; most + 1]);
                for (sum, ways) in sums.iter_mut().skip(more).zip(&ways) {
                    *sum = sum.checked_add(*ways).ok_or(RecountError::Large)?;
                }
            }
        }
        if next.len() > MAX_SEAM_STATES {
            return Err(RecountError::States);
        }
        next.retain(|_, ways| ways.iter().any(|number| *number > 0));
        states = next;
    }
    Ok(states.remove(&Vec::new()).expect("nothing rests on the last, and there is the empty set"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::lattice::Transform;

    /// Compares plane partitions in a cube with published numbers: all (OEIS A008793), those that a turn about its
    /// diagonal fixes, and those that the reflections about it fix, too (A005157).
    #[test]
    fn plane_partitions_in_a_cube_are_as_many_as_were_published() {
        let down = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Cell::from);
        let keep = |t: &Transform| down.iter().all(|toward| down.contains(&t.apply(*toward)));
        let all = Group::generated_by(Transform::iter().filter(keep));
        let numbers = [
            (Group::TRIVIAL, [2, 20, 980, 232_848]),
            (all.rotations(), [2, 5, 20, 132]),
            (all, [2, 5, 16, 66]),
        ];
        for (group, known) in numbers {
            for (side, known) in (1..).zip(known) {
                let most = (side * side * side) as usize;
                let mut budget = StepBudget { steps: u64::MAX, stop: None };
                let numbers = stacks([side; 3], &down, group, most, &mut budget).unwrap();
                assert_eq!(numbers.iter().sum::<u128>(), known, "{group} {side}");
                // The complement is solid towards the opposite corner.
                assert!(numbers.iter().eq(numbers.iter().rev()), "{group} {side}");
            }
        }
    }
}
