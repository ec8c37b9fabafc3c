//! Equilibrium of pieces under contact forces.

use super::contacts::{Contact, across};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT};

/// Number of friction directions in the plane of a contact. A pyramid within the friction cone replaces the cone.
/// Pieces that stand with the pyramid also stand with the cone.
const FRICTION_DIRECTIONS: usize = 8;

/// Maximum residual of an equilibrium, in forces and moments for each cell of weight.
const TOLERANCE: f64 = 1e-6;

/// A piece: its weight in cells, and its center of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) weight: f64,
    pub(super) center: [f64; 3],
}

/// The error of an inconclusive solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Undecided;

/// The equations of an equilibrium. Each body has three sums of forces and three of moments, about its center.
struct Equations {
    /// For each unknown, a force along an edge of the pyramid at some point: its contributions to the sums.
    forces: Vec<Vec<(usize, f64)>>,
    /// The required values of the sums.
    sums: Vec<f64>,
}

/// The result of the solver. Each value bounds the other: no motion lowers the weight by more than the residual of
/// the sums.
struct Optimum {
    /// The residual of the sums under the forces that were found.
    left_over: f64,
    /// The distance by which the motion that was found lowers the weight.
    fall: f64,
    /// The maximum distance by which this motion brings touching bodies closer: the error of the solver.
    closer: f64,
}

/// Returns true if the bodies that are `there` can be in equilibrium.
///
/// The program minimizes the residual of the sums, which is 0 if and only if there is an equilibrium. Its dual
/// seeks a small motion of the bodies that lowers their weight as much as possible. In this motion, no two bodies
/// come closer where they touch. An interior-point method gives both. Forces without residual in the equations show
/// that the bodies may stand. A motion that lowers them shows that they fall.
///
/// Most pieces that stand need only forces that push straight up. With these only, the program is much smaller, so
/// it is solved first. An equilibrium in it is an equilibrium.
pub(super) fn balanced(
    bodies: &[Body],
    contacts: &[Contact],
    friction: f64,
    there: impl Fn(usize) -> bool,
) -> Result<bool, Undecided> {
    let weights = bodies.iter().enumerate().filter(|(body, _)| there(*body));
    let weight: f64 = weights.map(|(_, body)| body.weight).sum();
    if weight == 0.0 {
        return Ok(true);
    }
    let tolerance = TOLERANCE * weight;
    let level = contacts.iter().filter(|contact| contact.axis == 2);
    let straight_up = Equations::new(bodies, level, 0.0, &there);
    if straight_up.optimum().is_some_and(|found| found.left_over <= tolerance) {
        return Ok(true);
    }
    let found = Equations::new(bodies, contacts, friction, &there).optimum().ok_or(Undecided)?;
    if found.left_over <= tolerance {
        Ok(true)
    } else if found.fall > tolerance && found.closer <= TOLERANCE {
        Ok(false)
    } else {
        Err(Undecided)
    }
}

impl Equations {
    fn new<'a>(
        bodies: &[Body],
        contacts: impl IntoIterator<Item = &'a Contact>,
        friction: f64,
        there: &impl Fn(usize) -> bool,
    ) -> Self {
        let mut row_of = vec![0; bodies.len()];
        let mut sums = Vec::new();
        for (number, body) in bodies.iter().enumerate().filter(|(number, _)| there(*number)) {
            row_of[number] = sums.len();
            // z points down, and the contacts must hold the weight up.
            sums.extend([0.0, 0.0, -body.weight, 0.0, 0.0, 0.0]);
        }
        let mut forces = Vec::new();
        let touching = contacts.into_iter().filter(|c| there(c.low) && c.high.is_none_or(there));
        for contact in touching {
            for point in &contact.points {
                for force in edges(contact.axis, friction) {
                    let mut adds = Vec::new();
                    for (body, sign) in [(Some(contact.low), -1.0), (contact.high, 1.0)] {
                        let Some(body) = body else { continue };
                        let force = force.map(|value| sign * value);
                        let arm = [0, 1, 2].map(|axis| point[axis] - bodies[body].center[axis]);
                        let moment = [0, 1, 2].map(|axis| {
                            let [u, v] = across(axis);
                            arm[u] * force[v] - arm[v] * force[u]
                        });
                        let rows = row_of[body]..;
                        let values = rows.zip(force.into_iter().chain(moment));
                        adds.extend(values.filter(|(_, value)| *value != 0.0));
                    }
                    forces.push(adds);
                }
            }
        }
        Self { forces, sums }
    }

    /// Solves for the steepest fall and for the forces with the least residual. No component of the motion is larger
    /// than 1. The forces are the multipliers of the constraints of the motion. Returns `None` if the solver finds no
    /// numbers.
    fn optimum(&self) -> Option<Optimum> {
        // Rows where no force acts and none is needed are left out.
        let mut acts: Vec<bool> = self.sums.iter().map(|sum| *sum != 0.0).collect();
        self.forces.iter().flatten().for_each(|(row, _)| acts[*row] = true);
        let rows: Vec<usize> = (0..acts.len()).filter(|row| acts[*row]).collect();
        let mut variable_of = vec![0; acts.len()];
        rows.iter().enumerate().for_each(|(variable, row)| variable_of[*row] = variable);
        let (forces, variables) = (self.forces.len(), rows.len());
        let (mut lines, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |line: usize, column: usize, value: f64| {
            lines.push(line);
            columns.push(column);
            values.push(value);
        };
        for (force, adds) in self.forces.iter().enumerate() {
            adds.iter().for_each(|(row, value)| push(force, variable_of[*row], *value));
        }
        for variable in 0..variables {
            push(forces + variable, variable, 1.0);
            push(forces + variables + variable, variable, -1.0);
        }
        let height = forces + 2 * variables;
        let matrix = CscMatrix::new_from_triplets(height, variables, lines, columns, values);
        let most: Vec<f64> =
            (0..height).map(|line| if line < forces { 0.0 } else { 1.0 }).collect();
        let fall: Vec<f64> = rows.iter().map(|row| -self.sums[*row]).collect();
        let settings = DefaultSettings {
            verbose: false,
            presolve_enable: false,
            max_threads: 1,
            ..DefaultSettings::default()
        };
        let none = CscMatrix::zeros((variables, variables));
        let cones = [NonnegativeConeT(height)];
        let mut solver = DefaultSolver::new(&none, &fall, &matrix, &most, &cones, settings)
            .expect("the matrices have these shapes");
        solver.solve();

        let motion: Vec<f64> = solver.solution.x.iter().map(|part| part.clamp(-1.0, 1.0)).collect();
        let mut left = self.sums.clone();
        let mut closer = 0.0_f64;
        for (adds, force) in self.forces.iter().zip(&solver.solution.z) {
            let force = force.max(0.0);
            adds.iter().for_each(|(row, value)| left[*row] -= force * value);
            let moved = adds.iter().map(|(row, value)| motion[variable_of[*row]] * value);
            closer = closer.max(moved.sum());
        }
        let found = Optimum {
            left_over: left.into_iter().map(f64::abs).sum(),
            fall: motion.iter().zip(&fall).map(|(part, fall)| -part * fall).sum(),
            closer,
        };
        (found.left_over.is_finite() && found.fall.is_finite()).then_some(found)
    }
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
