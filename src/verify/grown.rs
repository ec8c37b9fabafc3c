//! Connected figures that a group leaves as they are, grown orbit by orbit.
//!
//! A group leaves a figure as it is about some center. Up to translation there are a few kinds of centers: a cell's
//! center, the middle of a face, an edge or a corner; along axes and in mirrors that a center may be moved on, figures
//! are counted once. About each center the cells fall into orbits. Every set of orbits that hangs together, as orbits, is
//! grown once from its first orbit (Redelmeier, "Counting polyominoes", Discrete Mathematics 36, 1981), and counts if its
//! cells hang together.

use super::recount::RecountError;
use crate::lattice::Cell;
use crate::symmetry::Group;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// A transform with what is added after it, so that it leaves the center where it is.
type Motion = (crate::lattice::Transform, Cell);

/// Steps between two looks at `stop`.
const LOOK: u64 = 1 << 12;

/// The number of connected figures of so many cells, up to translation, that a group leaves as they are; of those that fit
/// in a box, however it is turned, if there is one.
///
/// # Errors
/// If more than `steps` orbits would have to be placed, or `stop` becomes true.
pub(super) fn grown(
    cells: usize,
    bounds: Option<[u32; 3]>,
    group: Group,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<u128, RecountError> {
    let bounds = bounds.map(|mut sides| {
        sides.sort_unstable();
        sides
    });
    let limits = Limits { cells, bounds, stop };
    let (mut number, mut left) = (0, steps);
    for motions in centers(group) {
        number += Growth::new(motions, group, limits).count(&mut left)?;
    }
    Ok(number)
}

/// The motions of a group about each kind of center.
fn centers(group: Group) -> Vec<Vec<Motion>> {
    let halves = |n: i32| Cell::new(n & 1, n >> 1 & 1, n >> 2 & 1);
    let mut kinds: Vec<Vec<Motion>> = Vec::new();
    for center in (0..8).map(halves) {
        let added = |t| {
            let twice = (center - crate::lattice::Transform::apply(t, center)).to_array();
            let even = twice.iter().all(|value| value % 2 == 0);
            even.then(|| (t, Cell::from(twice.map(|value| value / 2))))
        };
        let Some(motions) = group.iter().map(added).collect::<Option<Vec<Motion>>>() else {
            continue;
        };
        // Whether a translation takes these motions to those about another center.
        let same = |other: &Vec<Motion>| {
            let steps = (0..27).map(|n| Cell::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
            steps.into_iter().any(|by| {
                let pairs = motions.iter().zip(other);
                pairs
                    .into_iter()
                    .all(|((t, added), (_, others))| *added + (by - t.apply(by)) == *others)
            })
        };
        if !kinds.iter().any(same) {
            kinds.push(motions);
        }
    }
    kinds
}

/// Vectors, at right angles to each other, along which a center may be moved.
fn directions(group: Group) -> Vec<Cell> {
    let mut vectors: Vec<Cell> =
        (0..27).map(|n| Cell::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)).collect();
    vectors.sort_by_key(|v| (product(*v, *v), std::cmp::Reverse(*v)));
    let mut chosen: Vec<Cell> = Vec::new();
    for vector in vectors.into_iter().skip(1) {
        let fixed = group.iter().all(|t| t.apply(vector) == vector);
        if fixed && chosen.iter().all(|other| product(vector, *other) == 0) {
            chosen.push(vector);
        }
    }
    chosen
}

fn product(a: Cell, b: Cell) -> i32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[derive(Clone, Copy)]
struct Limits<'a> {
    cells: usize,
    bounds: Option<[u32; 3]>,
    stop: Option<&'a AtomicBool>,
}

/// By what orbits are compared: how far along each direction, which is the same for all cells of an orbit, then the
/// first cell.
type Key = ([i32; 3], Cell);

struct Growth<'a> {
    limits: Limits<'a>,
    motions: Vec<Motion>,
    directions: Vec<Cell>,
    numbers: FxHashMap<Cell, usize>,
    orbits: Vec<Vec<Cell>>,
    keys: Vec<Key>,
    /// The orbits that touch one, once they are known.
    next_to: Vec<Option<Vec<usize>>>,
    chosen: Vec<usize>,
    seen: FxHashSet<usize>,
}

impl<'a> Growth<'a> {
    fn new(motions: Vec<Motion>, group: Group, limits: Limits<'a>) -> Self {
        Self {
            limits,
            motions,
            directions: directions(group),
            numbers: FxHashMap::default(),
            orbits: Vec::new(),
            keys: Vec::new(),
            next_to: Vec::new(),
            chosen: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// The cells of an orbit, in order.
    fn orbit(&self, cell: Cell) -> Vec<Cell> {
        let images = self.motions.iter().map(|(t, added)| t.apply(cell) + *added);
        images.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The number of the orbit of a cell.
    fn number(&mut self, cell: Cell) -> usize {
        if let Some(&number) = self.numbers.get(&cell) {
            return number;
        }
        let orbit = self.orbit(cell);
        let number = self.orbits.len();
        self.numbers.extend(orbit.iter().map(|&cell| (cell, number)));
        self.keys.push(self.key(orbit[0]));
        self.orbits.push(orbit);
        self.next_to.push(None);
        number
    }

    fn key(&self, first: Cell) -> Key {
        let mut along = [0; 3];
        for (value, direction) in along.iter_mut().zip(&self.directions) {
            *value = product(first, *direction);
        }
        (along, first)
    }

    fn count(&mut self, steps: &mut u64) -> Result<u128, RecountError> {
        let reach = self.limits.cells as i32;
        let mut number = 0;
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in -reach..=reach {
                    let cell = Cell::new(x, y, z);
                    // Moved along the directions, every orbit comes to lie here in one way.
                    let near = self.directions.iter().all(|direction| {
                        (0..product(*direction, *direction)).contains(&product(cell, *direction))
                    });
                    if near && self.orbit(cell)[0] == cell && self.fits(&self.orbit(cell)) {
                        let root = self.number(cell);
                        self.seen.clear();
                        self.seen.insert(root);
                        number += self.grow(vec![root], self.limits.cells, root, steps)?;
                    }
                }
            }
        }
        Ok(number)
    }

    /// Whether cells can be among those of a figure that hangs together: with extents a, b and c it has at least
    /// a + b + c − 2 cells.
    fn fits<'b>(&self, cells: impl IntoIterator<Item = &'b Cell>) -> bool {
        let (mut least, mut most) = ([i32::MAX; 3], [i32::MIN; 3]);
        for cell in cells {
            for (axis, value) in cell.to_array().into_iter().enumerate() {
                least[axis] = least[axis].min(value);
                most[axis] = most[axis].max(value);
            }
        }
        let mut extents = [0, 1, 2].map(|axis| (most[axis] - least[axis] + 1) as u32);
        extents.sort_unstable();
        let within = self
            .limits
            .bounds
            .is_none_or(|bounds| extents.iter().zip(bounds).all(|(extent, side)| *extent <= side));
        within && extents.iter().sum::<u32>() as usize <= self.limits.cells + 2
    }

    /// Takes each of the orbits that can be next, and counts what grows from there; those that were not taken are left
    /// out from then on.
    fn grow(
        &mut self,
        mut untried: Vec<usize>,
        left: usize,
        root: usize,
        steps: &mut u64,
    ) -> Result<u128, RecountError> {
        let mut number = 0;
        while let Some(orbit) = untried.pop() {
            let size = self.orbits[orbit].len();
            if size > left {
                continue;
            }
            *steps = steps.checked_sub(1).ok_or(RecountError::Steps)?;
            if steps.is_multiple_of(LOOK)
                && self.limits.stop.is_some_and(|s| s.load(Ordering::Relaxed))
            {
                return Err(RecountError::Stopped);
            }
            self.chosen.push(orbit);
            let cells = self.chosen.iter().flat_map(|&orbit| &self.orbits[orbit]);
            if self.fits(cells.clone()) {
                if size == left {
                    number += u128::from(hangs_together(cells.copied().collect()));
                } else {
                    let mut fresh = Vec::new();
                    for next in self.neighbors(orbit) {
                        if self.keys[next] > self.keys[root] && self.seen.insert(next) {
                            fresh.push(next);
                        }
                    }
                    let more = untried.iter().chain(&fresh).copied().collect();
                    number += self.grow(more, left - size, root, steps)?;
                    fresh.iter().for_each(|next| {
                        self.seen.remove(next);
                    });
                }
            }
            self.chosen.pop();
        }
        Ok(number)
    }

    fn neighbors(&mut self, orbit: usize) -> Vec<usize> {
        if let Some(known) = &self.next_to[orbit] {
            return known.clone();
        }
        let around: Vec<Cell> =
            self.orbits[orbit].iter().flat_map(|cell| cell.neighbors()).collect();
        let mut next: Vec<usize> = around.into_iter().map(|cell| self.number(cell)).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|other| *other != orbit);
        self.next_to[orbit] = Some(next.clone());
        next
    }
}

pub(super) fn hangs_together(mut rest: FxHashSet<Cell>) -> bool {
    let mut edge: Vec<Cell> = rest.iter().next().copied().into_iter().collect();
    edge.iter().for_each(|cell| {
        rest.remove(cell);
    });
    while let Some(cell) = edge.pop() {
        edge.extend(cell.neighbors().into_iter().filter(|next| rest.remove(next)));
    }
    rest.is_empty()
}
