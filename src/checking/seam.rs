//! Counts sets of orbits by their connected parts, without listing them.
//!
//! The orbits are processed one by one, each taken or left out. The seam consists of the cells next to orbits still to
//! come. Only its state matters: the taken cells, their connections so far, and the number of parts that have left it.
//! Choices with the same state are counted together, by their numbers of cells. This is the transfer-matrix method that
//! counts polyominoes, in three dimensions and with symmetries. See Jensen, "Enumerations of lattice animals and
//! trees", Journal of Statistical Physics 102, 2001.

use super::recount::RecountError;
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of places at the seam.
const MAX_WIDTH: usize = 32;

/// Maximum number of states at a time: each takes up to a kilobyte.
pub(super) const MAX_SEAM_STATES: usize = 1_000_000;

/// Each place at the seam: 0 if it was left out, else the number of its part, from 1 in the order of the places.
type SeamParts = [u8; MAX_WIDTH];

/// The seam's places, and the number of parts that left it.
type SeamState = (SeamParts, usize);

pub(super) struct StepBudget<'a> {
    /// The number of steps left. In a step, an orbit is taken or left out in a state.
    pub(super) steps: u64,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl StepBudget<'_> {
    /// Spends steps, and checks the request to stop. Fails if fewer steps are left, or `stop` is true.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), RecountError> {
        self.steps = self.steps.checked_sub(steps).ok_or(RecountError::Steps)?;
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(RecountError::Stopped),
            _ => Ok(()),
        }
    }
}

/// An orbit of places, all of them taken or left out together.
pub(super) struct WeightedOrbit {
    /// Neighboring places differ by 2.
    pub(super) places: Vec<Cell>,
    /// The number of ways to take it, by total number of cells. Ascending.
    pub(super) ways: Vec<(usize, u128)>,
}

/// Counts the sets of orbits with `cells` cells in `parts` connected parts. There is at least one part. Fails if it
/// takes too many steps, states, or places at the seam, or `stop` becomes true.
pub(super) fn sets_of_parts(
    orbits: &[WeightedOrbit],
    cells: usize,
    parts: usize,
    budget: &mut StepBudget<'_>,
) -> Result<u128, RecountError> {
    let seams = AXIS_ORDERS.into_iter().filter_map(|sweep| Seam::new(orbits, sweep));
    let seam = seams.min_by_key(Seam::cost).ok_or(RecountError::Wide)?;
    seam.count(cells, parts, budget)
}

/// The orders of the axes, the last of which changes first.
const AXIS_ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// One orbit, taken or left out.
struct SeamStep {
    /// The number of its places.
    size: usize,
    /// The ways to take it.
    ways: Vec<(usize, u128)>,
    /// Pairs that touch: a place at the seam before, and one of the orbit; or two of the orbit. Places of the orbit
    /// are numbered after those of the seam.
    touching: Vec<(usize, usize)>,
    /// The seam afterwards, by the same numbers.
    after: Vec<usize>,
    before: usize,
    /// Maximum number of cells of the orbits to come.
    rest: usize,
}

struct Seam {
    steps: Vec<SeamStep>,
}

impl Seam {
    /// Sorts the orbits by the first place in the sweep. With a symmetry that reverses the sweep, they come from
    /// both ends towards the middle, where the halves at the seam are alike. Returns `None` if the seam is too wide.
    fn new(orbits: &[WeightedOrbit], sweep: [usize; 3]) -> Option<Self> {
        let mut orbits: Vec<&WeightedOrbit> = orbits.iter().collect();
        let met = |orbit: &&WeightedOrbit| {
            orbit.places.iter().map(|place| sweep.map(|axis| place.to_array()[axis])).min()
        };
        orbits.sort_by_cached_key(met);
        let mut coming: FxHashMap<Cell, usize> = FxHashMap::default();
        for (at, orbit) in orbits.iter().enumerate() {
            coming.extend(orbit.places.iter().map(|place| (*place, at)));
        }
        let beside = |cell: Cell| {
            let twice = |next: Cell| next + next - cell - cell + cell;
            cell.neighbors().map(twice)
        };
        let mut seam: Vec<Cell> = Vec::new();
        let most = |orbit: &&WeightedOrbit| orbit.ways.last().map_or(0, |(cells, _)| *cells);
        let mut rest: usize = orbits.iter().map(most).sum();
        let mut steps = Vec::new();
        for (at, orbit) in orbits.iter().enumerate() {
            rest -= most(orbit);
            let places: Vec<Cell> = seam.iter().chain(&orbit.places).copied().collect();
            if places.len() > MAX_WIDTH {
                return None;
            }
            let mut touching = Vec::new();
            for new in seam.len()..places.len() {
                let near = beside(places[new]);
                touching.extend(
                    (0..new).filter(|old| near.contains(&places[*old])).map(|old| (old, new)),
                );
            }
            let open = |place: &usize| {
                beside(places[*place])
                    .iter()
                    .any(|cell| coming.get(cell).is_some_and(|of| *of > at))
            };
            let after: Vec<usize> = (0..places.len()).filter(open).collect();
            let before = seam.len();
            seam = after.iter().map(|place| places[*place]).collect();
            let (size, ways) = (orbit.places.len(), orbit.ways.clone());
            steps.push(SeamStep { size, ways, touching, after, before, rest });
        }
        Some(Self { steps })
    }

    /// Estimates the number of states, added up.
    fn cost(&self) -> u128 {
        // Places that are taken together count once.
        let orbits = |step: &SeamStep| 1_u128 << (step.after.len() / step.size).min(100);
        self.steps.iter().map(orbits).sum()
    }

    fn count(
        &self,
        cells: usize,
        wanted: usize,
        budget: &mut StepBudget<'_>,
    ) -> Result<u128, RecountError> {
        // Numbers of choices by their cells, without those that the cells to come cannot complete.
        let mut states: FxHashMap<SeamState, Vec<u128>> = FxHashMap::default();
        let mut ways = vec![0; cells + 1];
        ways[0] = 1;
        states.insert(([0; MAX_WIDTH], 0), ways);
        let mut whole = 0_u128;
        for step in &self.steps {
            let mut next: FxHashMap<SeamState, Vec<u128>> = FxHashMap::default();
            budget.spend(2 * states.len() as u64)?;
            for ((parts, closed_parts), ways) in states {
                for (taken, choices) in [(false, &[(0, 1)][..]), (true, &step.ways)] {
                    let after = step.apply(&parts, taken);
                    let closed_parts = closed_parts + after.closed_parts;
                    if closed_parts >= wanted {
                        // No more cells may follow.
                        if closed_parts == wanted && !after.is_open {
                            for (more, times) in choices.iter().filter(|(more, _)| *more <= cells) {
                                whole = sum(whole, ways[cells - more], *times)?;
                            }
                        }
                        continue;
                    }
                    let state = (after.parts, closed_parts);
                    let sums = next.entry(state).or_insert_with(|| vec![0; cells + 1]);
                    for (more, times) in choices {
                        let least = cells.saturating_sub(step.rest).max(*more);
                        for number in least..=cells {
                            sums[number] = sum(sums[number], ways[number - more], *times)?;
                        }
                    }
                }
                if next.len() > MAX_SEAM_STATES {
                    return Err(RecountError::States);
                }
            }
            next.retain(|_, ways| ways.iter().any(|number| *number > 0));
            states = next;
        }
        Ok(whole)
    }
}

/// Returns `sum` plus `more` times `times`.
pub(super) fn sum(sum: u128, more: u128, times: u128) -> Result<u128, RecountError> {
    let more = more.checked_mul(times).and_then(|more| sum.checked_add(more));
    more.ok_or(RecountError::Large)
}

struct StepResult {
    /// The parts at the seam.
    parts: SeamParts,
    /// True if there are any.
    is_open: bool,
    closed_parts: usize,
}

impl SeamStep {
    fn apply(&self, parts: &SeamParts, taken: bool) -> StepResult {
        let mut labels = *parts;
        if taken {
            for new in 0..self.size {
                // Numbers that no part at the seam has.
                labels[self.before + new] = (MAX_WIDTH + new) as u8;
            }
            for (one, other) in &self.touching {
                let [one, other] = [labels[*one], labels[*other]];
                if one > 0 && one != other {
                    let places = &mut labels[..self.before + self.size];
                    places
                        .iter_mut()
                        .filter(|label| **label == other)
                        .for_each(|label| *label = one);
                }
            }
        }
        let mut numbers = [0; 2 * MAX_WIDTH];
        let mut count = 0;
        let mut parts = [0; MAX_WIDTH];
        for (place, from) in parts.iter_mut().zip(&self.after) {
            let label = usize::from(labels[*from]);
            if label > 0 && numbers[label] == 0 {
                count += 1;
                numbers[label] = count;
            }
            *place = numbers[label];
        }
        let mut closed_parts = 0;
        for label in &labels[..self.before + self.size] {
            let number = &mut numbers[usize::from(*label)];
            if *label > 0 && *number == 0 {
                closed_parts += 1;
                // Counts each part once.
                *number = u8::MAX;
            }
        }
        StepResult { parts, is_open: count > 0, closed_parts }
    }
}
