//! Figures in a box that a group leaves as they are: all in closed form, those of a number of parts cell by cell.
//!
//! Of towers only the grounds are gone through: over a cell of the ground stands a stack of one or more cells, or none; the
//! stacks over two cells touch if and only if the cells do. What is no tower has a single cell on each.

use super::boxes::{boxes, extents, orbits, points};
use super::marks::Family;
use super::recount::RecountError;
use super::seam::{Budget, Orbit, sets_of_parts, sum};
use super::stacks::stacks;
use super::towers::grounds;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeMap, BTreeSet};

/// Directions that a group takes to each other.
type Directions = BTreeSet<Cell>;

/// The number of figures of a family, up to translation, that fit in a box, however it is turned (a box for towers stands),
/// and that a group leaves as they are.
///
/// Figures that reach all six faces of a box of their own are counted by leaving out faces: all in it, minus those that miss
/// a face, and so on. Those that are towers, some side down, are counted in the same way: those with each side down, minus
/// those that are towers on two of their sides, and so on; these reach the faces that they stand on. What is left of a box
/// without some of its faces is a box again, and most of them cancel out.
///
/// # Errors
/// If the numbers are beyond 2¹²⁷, or `budget` does not allow it.
pub(super) fn subsets(
    family: Family,
    sides: [u32; 3],
    group: Group,
    budget: &mut Budget<'_>,
) -> Result<u128, RecountError> {
    let cells = family.cells;
    let mut times: BTreeMap<([u32; 3], Directions), i128> = BTreeMap::new();
    for own in boxes(sides, cells, group) {
        let downs = match family.towers {
            true => unions(grounds(own, sides), group)
                .skip(1)
                .map(|(down, sign)| (down, -sign))
                .collect(),
            false => vec![(Directions::new(), 1)],
        };
        for (down, sign) in downs {
            for (left, missed) in without_faces(own, &down, group) {
                *times.entry((left, down.clone())).or_default() += sign * missed;
            }
        }
    }
    // A box that the transforms which keep the group in place take to another has as many as that one.
    let normalizer = group.normalizer();
    let mut alike: BTreeMap<([u32; 3], Directions), i128> = BTreeMap::new();
    let room = |sides: &[u32; 3]| sides.iter().map(|side| u128::from(*side)).product::<u128>();
    times.retain(|(left, _), times| *times != 0 && room(left) >= cells as u128);
    for ((left, down), times) in times {
        let turned =
            |t: Transform| (extents(t, left), down.iter().map(|toward| t.apply(*toward)).collect());
        let least = normalizer.iter().map(turned).min().expect("a group has elements");
        *alike.entry(least).or_default() += times;
    }
    let mut number = 0_i128;
    for ((left, down), times) in alike.into_iter().filter(|(_, times)| *times != 0) {
        let within = i128::try_from(within(family, left, &down, group, budget)?);
        let product = within.ok().and_then(|within| within.checked_mul(times));
        let more = product.and_then(|product| number.checked_add(product));
        number = more.ok_or(RecountError::Large)?;
    }
    Ok(number.cast_unsigned())
}

/// The number of those within a box that stands still, and solid in each of some directions.
///
/// A set that the group leaves as it is consists of orbits, so the sets of n cells in a box are counted by the coefficient
/// of xⁿ in the product over the orbits of 1 + xˢ, s being the cells of each; or with the numbers of stacks in place of 1.
fn within(
    family: Family,
    sides: [u32; 3],
    down: &Directions,
    group: Group,
    budget: &mut Budget<'_>,
) -> Result<u128, RecountError> {
    let cells = family.cells;
    let is_stacked = |axis: usize| down.iter().any(|toward| toward.to_array()[axis] != 0);
    let stack = [0, 1, 2].map(|axis| if is_stacked(axis) { sides[axis] } else { 1 });
    let ground = [0, 1, 2].map(|axis| sides[axis] / stack[axis]);
    let of_orbit = |places: BTreeSet<Cell>| -> Result<Orbit, RecountError> {
        let (places, copies): (Vec<Cell>, usize) = (places.iter().copied().collect(), places.len());
        let still = Group::generated_by(group.iter().filter(|t| t.apply(places[0]) == places[0]));
        let numbers = stacks(stack, down, still, cells / copies, budget)?;
        let ways = numbers.into_iter().enumerate().skip(1).filter(|(_, number)| *number > 0);
        Ok(Orbit { places, ways: ways.map(|(cells, number)| (copies * cells, number)).collect() })
    };
    let orbits = orbits(points(ground), group).into_iter().map(of_orbit);
    let orbits: Vec<Orbit> = orbits.collect::<Result<_, _>>()?;
    match family.parts {
        Some(parts) => sets_of_parts(&orbits, cells, parts, budget),
        None => product(&orbits, cells),
    }
}

/// The number of sets of some orbits that have so many cells together.
fn product(orbits: &[Orbit], cells: usize) -> Result<u128, RecountError> {
    // The coefficients of x⁰, x¹, …, xⁿ.
    let mut ways = vec![0_u128; cells + 1];
    ways[0] = 1;
    for orbit in orbits {
        for number in (0..=cells).rev() {
            for (more, times) in orbit.ways.iter().filter(|(more, _)| *more <= number) {
                ways[number] = sum(ways[number], ways[number - more], *times)?;
            }
        }
    }
    Ok(ways[cells])
}

/// Every union of orbits of directions, none first, and 1 or −1 as their number is even or odd.
fn unions(
    directions: impl IntoIterator<Item = Cell>,
    group: Group,
) -> impl Iterator<Item = (Directions, i128)> {
    let orbits: Vec<Directions> = orbits(directions, group).into_iter().collect();
    (0..1_u32 << orbits.len()).map(move |chosen| {
        let all = orbits.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let union = all.flat_map(|(_, orbit)| orbit.iter().copied()).collect();
        (union, if chosen.count_ones().is_multiple_of(2) { 1 } else { -1 })
    })
}

/// What is left of a box without each set of orbits of its faces, but for those that figures stand on, and 1 or −1 as their
/// number is even or odd.
fn without_faces(
    sides: [u32; 3],
    down: &Directions,
    group: Group,
) -> impl Iterator<Item = ([u32; 3], i128)> {
    let faces = Cell::default().neighbors().into_iter().filter(|face| !down.contains(face));
    unions(faces, group).map(move |(missed, sign)| {
        let mut left = sides;
        for face in missed {
            let steps = face.to_array().map(i32::unsigned_abs);
            left = [0, 1, 2].map(|axis| left[axis].saturating_sub(steps[axis]));
        }
        (left, sign)
    })
}
