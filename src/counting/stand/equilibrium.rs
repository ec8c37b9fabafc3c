//! Equilibrium of pieces under contact forces.
//!
//! Each piece has six sums, three of forces and three of moments about its center of mass, and all must balance its
//! weight. A contact can push at each corner of its area, along the edges of a pyramid within the friction cone. So the
//! question is whether the weights are a combination of finitely many given vectors with coefficients that are not
//! negative. There are two kinds of certain answers, and [`StandProof`] has either: such coefficients, which are the
//! forces, or, by Farkas' lemma, a motion that no force resists and that lowers the weight.

use super::bodies::{Body, ContactForce};
use super::contacts::{Contact, across};
use super::error::StandError;
use super::resting::Resting;
use std::sync::OnceLock;

/// Number of friction directions in the plane of a contact. A pyramid within the friction cone replaces the cone.
/// Pieces that stand with the pyramid also stand with the cone.
const FRICTION_DIRECTIONS: usize = 8;

/// Maximum residual of an equilibrium, for each cell of weight. The residual consists of forces and moments.
const TOLERANCE: f64 = 1e-6;

/// Maximum gain of a force that is not worth adding. The gain is the reduction of the residual, relative to the largest
/// component of the residual.
const NO_GAIN: f64 = 1e-9;

/// Maximum squared distance of a dependent force from the span of others. It is relative to the force's own square.
const DEPENDENT: f64 = 1e-18;

/// Maximum relative squared distance that is computed directly. A difference of large numbers would be inaccurate.
const INACCURATE: f64 = 1e-8;

/// Maximum number of forces that are added to those of one body.
const ADDITIONS_PER_BODY: u32 = 200;

/// Sums of the forces and moments on a body. Three are of forces, then three of moments about its center.
type ForceSums = [f64; 6];

/// The proof that pieces may stand, or that they fall.
///
/// ```
/// use somacat_counting::stand::{Assembly, StandProof};
/// use somacat_geometry::lattice::Cell;
///
/// // A bar of three cells that lies with one end on a post falls.
/// let bar = (0..3).map(|x| Cell::new(x, 0, 0)).collect();
/// let assembly = Assembly::new(vec![bar, vec![Cell::new(0, 0, 1)]], 0.5)?;
/// assert!(matches!(assembly.proof(&[0, 1])?, StandProof::Falls(_)));
/// // The post alone stands.
/// assert!(matches!(assembly.proof(&[1])?, StandProof::Held(_)));
/// # Ok::<(), somacat_counting::stand::StandError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum StandProof {
    /// Forces that hold every piece in equilibrium. The residual is at most a millionth of the weight.
    Held(Vec<ContactForce>),
    /// A motion that lowers the pieces' weight (Farkas' lemma). In it, no force between them would do negative work.
    /// For each piece, the velocity of its center of mass, and the angular velocity about it, in any unit; 0 for pieces
    /// left out.
    Falls(Vec<[f64; 6]>),
}

/// A force along an edge of the pyramid at some point, with strength 1.
#[derive(Clone, Copy, Debug)]
struct Force {
    /// The two bodies between which it acts; twice the same if the other is the table.
    bodies: [usize; 2],
    /// Its contributions to the sums of these bodies. The second are 0 for the table.
    adds: [ForceSums; 2],
    /// The bodies as a bit mask.
    between: u32,
    /// True if it points up or down, perhaps also along one horizontal axis. The pieces that friction holds are mostly
    /// held by such forces, which are a third of all.
    is_steep: bool,
}

/// All bodies, and the forces that can act between them.
#[derive(Debug)]
pub(super) struct Forces {
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    friction: f64,
    /// All forces, in the order of [`for_each_force`].
    ///
    /// Those that push straight up come first. They hold most pieces that stand, and the many others are only made for
    /// pieces that they do not hold.
    straight_up: Vec<Force>,
    all: OnceLock<Vec<Force>>,
    resting: Resting,
}

/// The best approximation of an equilibrium by the forces tried so far.
pub(super) struct Balance<'a> {
    all: &'a [Force],
    /// For each body, the sums that the forces must have.
    required: Vec<ForceSums>,
    /// Maximum residual of an equilibrium.
    tolerance: f64,
    /// The required sums less those of the forces in use.
    residual: Vec<ForceSums>,
    /// The numbers of the forces in use, which are linearly independent.
    pub(super) used: Vec<usize>,
    /// Their strengths, which are positive.
    strengths: Vec<f64>,
    /// The Cholesky factor of the matrix of their scalar products: row n has n + 1 entries.
    factor: Vec<Vec<f64>>,
}

/// Passes on the forces at all contacts that push straight up.
fn for_each_straight_up(contacts: &[Contact], visit: &mut dyn FnMut(ContactForce)) {
    let level = contacts.iter().filter(|contact| contact.axis == 2);
    level.for_each(|contact| for_each_edge(contact, 0.0, visit));
}

/// Passes on the forces along the pyramid edges at all contacts. Those that push straight up come first.
fn for_each_force(contacts: &[Contact], friction: f64, visit: &mut dyn FnMut(ContactForce)) {
    for_each_straight_up(contacts, visit);
    let others = contacts.iter().filter(|contact| friction > 0.0 || contact.axis != 2);
    others.for_each(|contact| for_each_edge(contact, friction, visit));
}

/// Passes on the forces along the pyramid edges at a contact.
fn for_each_edge(contact: &Contact, friction: f64, visit: &mut dyn FnMut(ContactForce)) {
    let edges = edges(contact.axis, friction);
    for point in contact.points() {
        for &force in &edges {
            visit(ContactForce { low: contact.low, high: contact.high, point, force });
        }
    }
}

impl Forces {
    pub(super) fn new(bodies: Vec<Body>, contacts: Vec<Contact>, friction: f64) -> Self {
        let (mut straight_up, mut resting) = (Vec::new(), Resting::new(&bodies));
        for_each_straight_up(&contacts, &mut |contact| {
            resting.add(straight_up.len(), &contact);
            straight_up.push(Force::new(&bodies, contact));
        });
        Self { bodies, contacts, friction, straight_up, all: OnceLock::new(), resting }
    }

    /// Returns the numbers of forces that hold some bodies, if they are found without fitting. See [`Resting::forces`].
    pub(super) fn resting(&self, there: u32) -> Option<Vec<usize>> {
        self.resting.forces(there)
    }

    /// Returns all forces.
    fn all(&self) -> &[Force] {
        self.all.get_or_init(|| {
            let mut all = Vec::new();
            let mut add = |contact| all.push(Force::new(&self.bodies, contact));
            for_each_force(&self.contacts, self.friction, &mut add);
            all
        })
    }

    /// Returns the depth of a body's center of mass.
    pub(super) fn depth(&self, body: usize) -> f64 {
        self.bodies[body].center[2]
    }

    /// Finds forces that hold some bodies in equilibrium, or a falling motion. `there` is a bit mask of these bodies.
    ///
    /// Minimizes the sum of the squares of the residual, which is 0 if and only if there is an equilibrium. Uses the
    /// method of Lawson and Hanson ("Solving Least Squares Problems", 1974, chapter 23): adds the force that reduces
    /// the residual most until none does. Then the reverse of the residual is a motion in which no two bodies come
    /// closer where they touch. It lowers their weight if it is not 0. Forces without residual show that the bodies may
    /// stand. A motion that lowers them shows that they fall.
    ///
    /// Most pieces that stand need only forces that push straight up, so these are tried first, then steep ones. `start`
    /// are forces of an equilibrium of fewer bodies: the fewer are missing, the sooner it is found.
    pub(super) fn equilibrium(
        &self,
        there: u32,
        start: &[usize],
    ) -> Result<Balance<'_>, StandError> {
        let mut required = vec![[0.0; 6]; self.bodies.len()];
        let mut weight = 0.0;
        for (body, required) in required.iter_mut().enumerate() {
            if there >> body & 1 == 1 {
                // z points down, and the contacts must hold the weight up.
                required[2] = -self.bodies[body].weight;
                weight += self.bodies[body].weight;
            }
        }
        let tolerance = TOLERANCE * weight;
        let acting = |some: &[Force]| -> Vec<usize> {
            (0..some.len()).filter(|&force| some[force].between & !there == 0).collect()
        };
        let is_level = start.iter().all(|&force| force < self.straight_up.len());
        let some = if is_level { &self.straight_up } else { self.all() };
        let mut balance = Balance::new(some, required, tolerance);
        balance.start(start);
        if balance.improve(&acting(&self.straight_up))? {
            return Ok(balance);
        }
        balance.all = self.all();
        let all = acting(balance.all);
        let steep: Vec<usize> =
            all.iter().copied().filter(|&force| balance.all[force].is_steep).collect();
        if balance.improve(&steep) == Ok(true) || balance.improve(&all)? {
            return Ok(balance);
        }
        let largest = balance.largest();
        let fall = product(&balance.required, &balance.residual) / largest;
        let works = all.iter().map(|&force| balance.all[force].work(&balance.residual));
        let closer = works.fold(0.0, f64::max) / largest;
        if fall > tolerance && closer <= TOLERANCE {
            Ok(balance)
        } else {
            Err(StandError::Undecided)
        }
    }

    /// Proves the result of [`Self::equilibrium`].
    pub(super) fn proof(&self, there: u32) -> Result<StandProof, StandError> {
        let balance = self.equilibrium(there, &[])?;
        if !balance.is_held() {
            let motion = balance.residual.iter().map(|sums| sums.map(|sum| -sum));
            return Ok(StandProof::Falls(motion.collect()));
        }
        let mut all = Vec::new();
        for_each_force(&self.contacts, self.friction, &mut |contact| all.push(contact));
        let forces = balance.used.iter().zip(&balance.strengths).map(|(&force, strength)| {
            let contact: ContactForce = all[force];
            ContactForce { force: contact.force.map(|value| value * strength), ..contact }
        });
        Ok(StandProof::Held(forces.collect()))
    }
}

impl Force {
    /// Returns what a force at a contact adds to the sums of two bodies.
    fn new(bodies: &[Body], ContactForce { low, high, point, force }: ContactForce) -> Self {
        let on = |body: usize, force: [f64; 3]| {
            let arm = [0, 1, 2].map(|axis| point[axis] - bodies[body].center[axis]);
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let [u, v] = across(axis);
                arm[u] * force[v] - arm[v] * force[u]
            });
            [force[0], force[1], force[2], x, y, z]
        };
        Self {
            bodies: [low, high.unwrap_or(low)],
            adds: [
                on(low, force.map(|value| -value)),
                high.map_or([0.0; 6], |high| on(high, force)),
            ],
            between: 1 << low | high.map_or(0, |high| 1 << high),
            is_steep: force[2] != 0.0 && (force[0] == 0.0 || force[1] == 0.0),
        }
    }

    /// Returns the scalar product of its contributions with a motion, or with sums, of all bodies.
    fn work(&self, motion: &[ForceSums]) -> f64 {
        let [low, high] = self.bodies;
        dot(&self.adds[0], &motion[low]) + dot(&self.adds[1], &motion[high])
    }

    /// Adds the contributions of the force.
    fn act(&self, sums: &mut [ForceSums], strength: f64) {
        for (body, adds) in self.bodies.iter().zip(&self.adds) {
            sums[*body].iter_mut().zip(adds).for_each(|(sum, add)| *sum += strength * add);
        }
    }

    /// Returns the scalar product of two forces' contributions.
    fn product(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        if self.between & other.between != 0 {
            for (body, adds) in self.bodies.iter().zip(&self.adds) {
                for (other_body, other_adds) in other.bodies.iter().zip(&other.adds) {
                    if body == other_body {
                        sum += dot(adds, other_adds);
                    }
                }
            }
        }
        sum
    }
}

impl<'a> Balance<'a> {
    fn new(all: &'a [Force], required: Vec<ForceSums>, tolerance: f64) -> Self {
        let (used, strengths, factor) = <_>::default();
        Self { all, residual: required.clone(), required, tolerance, used, strengths, factor }
    }

    /// Returns true if the forces in use leave the bodies in equilibrium.
    pub(super) fn is_held(&self) -> bool {
        self.residual.as_flattened().iter().map(|sum| sum.abs()).sum::<f64>() <= self.tolerance
    }

    /// Starts with the forces of an equilibrium, if they still push.
    fn start(&mut self, forces: &[usize]) {
        if forces.iter().all(|&force| self.extend(force)) {
            let none = vec![0.0; self.used.len()];
            (self.strengths, self.residual) = self.fit(&self.required, self.required.clone(), none);
        }
        if self.strengths.len() < forces.len() || self.strengths.iter().any(|&s| s <= 0.0) {
            self.used.clear();
            self.strengths.clear();
            self.factor.clear();
            self.residual.clone_from(&self.required);
        }
    }

    /// Adds forces while any reduces the residual. Returns true if the bodies are in equilibrium then.
    fn improve(&mut self, forces: &[usize]) -> Result<bool, StandError> {
        let mut refused = Vec::new();
        for _ in 0..ADDITIONS_PER_BODY * self.required.len() as u32 {
            if self.is_held() {
                return Ok(true);
            }
            let worth = NO_GAIN * self.largest();
            let gain = |&force: &usize| (force, self.all[force].work(&self.residual));
            let new = forces.iter().map(gain).filter(|(force, _)| !refused.contains(force));
            let Some((force, _)) =
                new.filter(|(_, work)| *work > worth).max_by(|(_, a), (_, b)| a.total_cmp(b))
            else {
                return Ok(false);
            };
            if self.add(force) {
                refused.clear();
            } else {
                refused.push(force);
            }
        }
        Err(StandError::Undecided)
    }

    /// Adds a force, and removes those that would have to pull then. Returns false if it does not push.
    fn add(&mut self, force: usize) -> bool {
        if !self.extend(force) {
            return false;
        }
        self.strengths.push(0.0);
        let (mut closest, mut left) =
            self.fit(&self.required, self.residual.clone(), self.strengths.clone());
        if closest.last().is_none_or(|strength| *strength <= 0.0) {
            self.keep(&|at, _| at + 1 < closest.len());
            return false;
        }
        loop {
            let pulling = self.strengths.iter().zip(&closest).filter(|(_, to)| **to <= 0.0);
            let step = pulling.map(|(from, to)| from / (from - to)).min_by(f64::total_cmp);
            let Some(step) = step else { break };
            for (strength, to) in self.strengths.iter_mut().zip(&closest) {
                let vanishes = *to <= 0.0 && *strength / (*strength - to) <= step;
                *strength = if vanishes { 0.0 } else { *strength + step * (to - *strength) };
            }
            self.keep(&|_, strength| strength > 0.0);
            left = self.left(&self.required, &self.strengths);
            (closest, left) = self.fit(&self.required, left, self.strengths.clone());
        }
        (self.strengths, self.residual) = (closest, left);
        true
    }

    /// Adds a force to those in use and a row to the factor, without a strength. Returns false if the force depends
    /// linearly on those in use.
    fn extend(&mut self, force: usize) -> bool {
        let new = &self.all[force];
        let mut row = Vec::with_capacity(self.used.len() + 1);
        for (&used, known) in self.used.iter().zip(&self.factor) {
            let rest = new.product(&self.all[used]) - sum_of_products(&row, known);
            row.push(rest / known[row.len()]);
        }
        let square = new.product(new);
        let mut rest = square - sum_of_products(&row, &row);
        if rest <= INACCURATE * square {
            let mut sums = vec![[0.0; 6]; self.required.len()];
            new.act(&mut sums, 1.0);
            let (_, left) = self.fit(&sums, sums.clone(), vec![0.0; self.used.len()]);
            rest = product(&left, &left);
        }
        if rest <= DEPENDENT * square {
            return false;
        }
        row.push(rest.sqrt());
        self.factor.push(row);
        self.used.push(force);
        true
    }

    /// Keeps some of the forces in use, by position and strength.
    fn keep(&mut self, wanted: &dyn Fn(usize, f64) -> bool) {
        let used = std::mem::take(&mut self.used);
        let strengths = std::mem::take(&mut self.strengths);
        let known = (0..used.len()).take_while(|&at| wanted(at, strengths[at])).count();
        self.factor.truncate(known);
        self.used.extend(&used[..known]);
        self.strengths.extend(&strengths[..known]);
        for at in known..used.len() {
            if wanted(at, strengths[at]) && self.extend(used[at]) {
                self.strengths.push(strengths[at]);
            }
        }
    }

    /// Returns the strengths of the forces in use that best fit `sums`, and the sums that they leave. Begins with strengths
    /// and what these leave. The strengths need not be positive.
    fn fit(
        &self,
        sums: &[ForceSums],
        mut left: Vec<ForceSums>,
        mut strengths: Vec<f64>,
    ) -> (Vec<f64>, Vec<ForceSums>) {
        // The second time removes the error of the first.
        for _ in 0..2 {
            let mut change: Vec<f64> = Vec::with_capacity(strengths.len());
            for (&force, row) in self.used.iter().zip(&self.factor) {
                let rest = self.all[force].work(&left) - sum_of_products(&change, row);
                change.push(rest / row[change.len()]);
            }
            for at in (0..change.len()).rev() {
                change[at] /= self.factor[at][at];
                let value = change[at];
                change.iter_mut().zip(&self.factor[at][..at]).for_each(|(c, f)| *c -= value * f);
            }
            strengths.iter_mut().zip(change).for_each(|(strength, change)| *strength += change);
            left = self.left(sums, &strengths);
        }
        (strengths, left)
    }

    /// Returns sums less those of the forces in use.
    fn left(&self, sums: &[ForceSums], strengths: &[f64]) -> Vec<ForceSums> {
        let mut left = sums.to_vec();
        for (&force, strength) in self.used.iter().zip(strengths) {
            self.all[force].act(&mut left, -strength);
        }
        left
    }

    /// Returns the largest component of the residual.
    fn largest(&self) -> f64 {
        self.residual.as_flattened().iter().map(|sum| sum.abs()).fold(0.0, f64::max)
    }
}

fn dot(a: &ForceSums, b: &ForceSums) -> f64 {
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

fn product(a: &[ForceSums], b: &[ForceSums]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

fn sum_of_products(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the edges of the pyramid of forces at a contact. The side of the smaller coordinate exerts them on the
/// other.
fn edges(axis: usize, friction: f64) -> Vec<[f64; 3]> {
    let directions = if friction > 0.0 { FRICTION_DIRECTIONS } else { 1 };
    let edge = |direction: usize| {
        let angle = std::f64::consts::TAU * direction as f64 / FRICTION_DIRECTIONS as f64;
        let [u, v] = across(axis);
        let mut force = [0.0; 3];
        force[axis] = 1.0;
        // The values along the axes are exactly 0.
        (force[u], force[v]) = match direction {
            0 => (friction, 0.0),
            2 => (0.0, friction),
            4 => (-friction, 0.0),
            6 => (0.0, -friction),
            _ => (friction * angle.cos(), friction * angle.sin()),
        };
        force
    };
    (0..directions).map(edge).collect()
}
