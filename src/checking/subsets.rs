//! Counts figures in a box that a group fixes: all in closed form, those of a number of parts cell by cell.
//!
//! For towers only the ground is processed. Over a cell of the ground there is a stack of one or more cells, or
//! none. The stacks over two cells touch if and only if the cells do. Figures that are not towers have a single
//! cell on each.

use super::boxes::{boxes, extents, orbits, points};
use super::family::Family;
use super::recount::RecountError;
use super::seam::{StepBudget, WeightedOrbit, sets_of_parts, sum};
use super::stacks::stacks;
use super::towers::grounds;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeMap, BTreeSet};

/// A sorted set of directions.
type Directions = Vec<Cell>;

/// The directions of a box's faces. A mask has a bit for each.
const FACES: [Cell; 6] = Cell::new(0, 0, 0).neighbors();

/// Returns the directions in a mask.
fn faces(set: u8) -> impl Iterator<Item = Cell> {
    (0..).zip(FACES).filter(move |(bit, _)| set >> bit & 1 == 1).map(|(_, face)| face)
}

/// Counts a family's figures in a box that a group fixes. Figures are equal up to translation.
///
/// Figures may have any orientation in the box, but a box for towers is upright.
///
/// Figures that reach all six faces of their own box are counted by inclusion and exclusion: all in it, minus those
/// that miss a face, and so on. Towers, on any of their sides, are counted in the same way: those with each side
/// down, minus those that are towers on two of their sides, and so on. These reach the faces that they stand on. A
/// box without some of its faces is a box again, and most of these boxes cancel out. Fails if the numbers exceed
/// 2¹²⁷, or `budget` does not allow it.
pub(super) fn subsets(
    family: Family,
    sides: [u32; 3],
    group: Group,
    budget: &mut StepBudget<'_>,
) -> Result<u128, RecountError> {
    let cells = family.cells;
    let mut times: BTreeMap<([u32; 3], u8), i128> = BTreeMap::new();
    for own in boxes(sides, cells, group) {
        let downs = match family.towers {
            true => unions(grounds(own, sides), group)
                .skip(1)
                .map(|(down, sign)| (down, -sign))
                .collect(),
            false => vec![(0, 1)],
        };
        for (down, sign) in downs {
            for (left, missed) in without_faces(own, down, group) {
                *times.entry((left, down)).or_default() += sign * missed;
            }
        }
    }
    // Boxes that the normalizer of the group maps to each other have equal numbers.
    let normalizer = group.normalizer();
    let mut alike: BTreeMap<([u32; 3], Directions), i128> = BTreeMap::new();
    let room = |sides: &[u32; 3]| sides.iter().map(|side| u128::from(*side)).product::<u128>();
    times.retain(|(left, _), times| *times != 0 && room(left) >= cells as u128);
    for ((left, down), times) in times {
        let turned = |t: Transform| {
            let mut down: Directions = faces(down).map(|face| t.apply(face)).collect();
            down.sort_unstable();
            (extents(t, left), down)
        };
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

/// Counts the subsets of a box that a group fixes, of `cells` cells and in any number of parts, with a color difference
/// that is not among those reached. Figures are equal up to translation, and may have any orientation in the box.
///
/// As in [`subsets`], they are counted by inclusion and exclusion. The coefficient of xⁿyᵈ in the product of the factors
/// 1 + xˢyᶜ is the number of sets of n cells with color difference d, if s is the number of cells of an orbit and c its
/// color difference.
pub(super) fn blocked_subsets(
    cells: usize,
    sides: [u32; 3],
    group: Group,
    reached: &BTreeSet<i64>,
    budget: &mut StepBudget<'_>,
) -> Result<u128, RecountError> {
    let mut times: BTreeMap<[u32; 3], i128> = BTreeMap::new();
    for own in boxes(sides, cells, group) {
        for (left, sign) in without_faces(own, 0, group) {
            *times.entry(left).or_default() += sign;
        }
    }
    let mut number = 0_i128;
    for (left, times) in times.into_iter().filter(|(_, times)| *times != 0) {
        // Points are at twice the distance, so their colors alternate with every second coordinate sum.
        let color = |point: &Cell| {
            let [x, y, z] = point.to_array();
            let sum = x + y + z + left.iter().map(|side| *side as i32 - 1).sum::<i32>();
            if sum / 2 % 2 == 0 { 1 } else { -1 }
        };
        let mut ways: BTreeMap<(usize, i64), i128> = BTreeMap::from([((0, 0), 1)]);
        for orbit in orbits(points(left), group) {
            let (size, difference) = (orbit.len(), orbit.iter().map(color).sum::<i64>());
            budget.spend(ways.len() as u64)?;
            for ((filled, before), number) in ways.clone() {
                if filled + size <= cells {
                    let sum = ways.entry((filled + size, before + difference)).or_default();
                    *sum = sum.checked_add(number).ok_or(RecountError::Large)?;
                }
            }
        }
        let blocked = ways.iter().filter(|((n, d), _)| *n == cells && !reached.contains(d));
        number += times * blocked.map(|(_, ways)| ways).sum::<i128>();
    }
    Ok(number.cast_unsigned())
}

/// Counts the figures in a box of fixed orientation. They are solid in each direction of `down`.
///
/// A set that the group fixes consists of orbits. So the number of sets of n cells in a box is the coefficient of xⁿ in
/// a product. Its factor for each orbit is 1 + xˢ, s being the number of cells of the orbit. With stacks, their numbers
/// are the coefficients of each factor.
fn within(
    family: Family,
    sides: [u32; 3],
    down: &[Cell],
    group: Group,
    budget: &mut StepBudget<'_>,
) -> Result<u128, RecountError> {
    let cells = family.cells;
    let is_stacked = |axis: usize| down.iter().any(|toward| toward.to_array()[axis] != 0);
    let stack = [0, 1, 2].map(|axis| if is_stacked(axis) { sides[axis] } else { 1 });
    let ground = [0, 1, 2].map(|axis| sides[axis] / stack[axis]);
    let of_orbit = |places: BTreeSet<Cell>| -> Result<WeightedOrbit, RecountError> {
        let (places, copies): (Vec<Cell>, usize) = (places.iter().copied().collect(), places.len());
        let still = Group::generated_by(group.iter().filter(|t| t.apply(places[0]) == places[0]));
        let numbers = stacks(stack, down, still, cells / copies, budget)?;
        let ways = numbers.into_iter().enumerate().skip(1).filter(|(_, number)| *number > 0);
        Ok(WeightedOrbit {
            places,
            ways: ways.map(|(cells, number)| (copies * cells, number)).collect(),
        })
    };
    let orbits = orbits(points(ground), group).into_iter().map(of_orbit);
    let orbits: Vec<WeightedOrbit> = orbits.collect::<Result<_, _>>()?;
    match family.parts {
        Some(parts) => sets_of_parts(&orbits, cells, parts, budget),
        None => product(&orbits, cells),
    }
}

/// Counts the sets of orbits that have `cells` cells together.
fn product(orbits: &[WeightedOrbit], cells: usize) -> Result<u128, RecountError> {
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

/// Returns every union of orbits of directions, the empty one first. The sign is 1 or −1 for an even or odd number
/// of orbits.
fn unions(
    directions: impl IntoIterator<Item = Cell>,
    group: Group,
) -> impl Iterator<Item = (u8, i128)> {
    let bit = |direction: Cell| FACES.iter().position(|face| *face == direction);
    let orbit = |direction| {
        let images = group.iter().filter_map(|t| bit(t.apply(direction)));
        images.fold(0_u8, |orbit, bit| orbit | 1 << bit)
    };
    let orbits: BTreeSet<u8> = directions.into_iter().map(orbit).collect();
    let with = |unions: Vec<(u8, i128)>, orbit: u8| {
        let more = unions.iter().map(|(union, sign)| (union | orbit, -sign)).collect();
        [unions, more].concat()
    };
    orbits.into_iter().fold(vec![(0, 1)], with).into_iter()
}

/// Returns the box without each set of orbits of its faces. The faces that figures stand on stay. The sign is 1 or
/// −1 for an even or odd number of orbits.
fn without_faces(
    sides: [u32; 3],
    down: u8,
    group: Group,
) -> impl Iterator<Item = ([u32; 3], i128)> {
    unions(faces(!down), group).map(move |(missed, sign)| {
        let mut left = sides;
        for face in faces(missed) {
            let steps = face.to_array().map(i32::unsigned_abs);
            left = [0, 1, 2].map(|axis| left[axis].saturating_sub(steps[axis]));
        }
        (left, sign)
    })
}
