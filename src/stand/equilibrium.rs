//! Whether forces hold pieces in equilibrium.

use super::contacts::{Contact, across};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, Variable};

/// Directions of friction in the plane of a contact. The cone of friction is replaced by the pyramid within it, so that
/// what stands with the one stands with the other.
const DIRECTIONS: usize = 8;

/// Forces and moments that are left over, for each cell of weight, up to which pieces count as in equilibrium.
const NOTHING: f64 = 1e-6;

/// A piece: its weight in cells, and its center of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) weight: f64,
    pub(super) center: [f64; 3],
}

/// The solver of linear programs gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GivenUp;

/// The equations of an equilibrium: for each body three sums of forces and three of moments, about its center.
struct Equations {
    /// What each unknown, a force along an edge of the pyramid at some point, adds to which sums.
    forces: Vec<Vec<(usize, f64)>>,
    /// What the sums are to be.
    sums: Vec<f64>,
}

/// Whether the bodies that are `there` can be in equilibrium.
///
/// What is left over of the sums is made as small as possible, which is 0 if and only if there is an equilibrium. If
/// the solver fails at that, it is asked for the dual: a small motion of the bodies, no two of which come closer where
/// they touch, that lowers their weight as much as possible. Both have the same optimum.
///
/// Most of what stands does so by forces that push straight up alone. With these only, the program is a small part of
/// the whole, so it comes first; equilibrium in it is equilibrium.
pub(super) fn balanced(
    bodies: &[Body],
    contacts: &[Contact],
    friction: f64,
    there: impl Fn(usize) -> bool,
) -> Result<bool, GivenUp> {
    let weights = bodies.iter().enumerate().filter(|(body, _)| there(*body));
    let weight: f64 = weights.map(|(_, body)| body.weight).sum();
    let nothing = NOTHING * weight;
    let level = contacts.iter().filter(|contact| contact.axis == 2);
    let straight_up = Equations::new(bodies, level, 0.0, &there);
    if straight_up.least_left_over().is_some_and(|left| left <= nothing) {
        return Ok(true);
    }
    let equations = Equations::new(bodies, contacts, friction, &there);
    if let Some(left) = equations.least_left_over() {
        return Ok(left <= nothing);
    }
    equations.most_fall().map(|fall| fall <= nothing).ok_or(GivenUp)
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

    /// The least sum of what is left over; none if the solver fails, or its forces do not add up to what it says.
    fn least_left_over(&self) -> Option<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); self.sums.len()];
        let mut variables = Vec::new();
        for adds in &self.forces {
            let variable = problem.add_var(0.0, (0.0, f64::INFINITY));
            adds.iter().for_each(|(row, value)| rows[*row].push((variable, *value)));
            variables.push(variable);
        }
        // Where no force acts and none is needed there is nothing to solve.
        let acting = |(row, sum): &(&mut Vec<_>, &f64)| !row.is_empty() || **sum != 0.0;
        for (row, sum) in rows.iter_mut().zip(&self.sums).filter(acting) {
            for sign in [1.0, -1.0] {
                row.push((problem.add_var(1.0, (0.0, f64::INFINITY)), sign));
            }
            problem.add_constraint(row.as_slice(), ComparisonOp::Eq, *sum);
        }
        let solution = solve(&problem)?;
        let mut left = self.sums.clone();
        for (variable, adds) in variables.iter().zip(&self.forces) {
            let force = solution.var_value(*variable).max(0.0);
            adds.iter().for_each(|(row, value)| left[*row] -= force * value);
        }
        let left: f64 = left.into_iter().map(f64::abs).sum();
        Some(left).filter(|left| (left - solution.objective()).abs() <= NOTHING)
    }

    /// The most that a small motion lowers the weight, every body moved and turned by 1 at most.
    fn most_fall(&self) -> Option<f64> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let motion: Vec<Variable> =
            self.sums.iter().map(|sum| problem.add_var(*sum, (-1.0, 1.0))).collect();
        for adds in &self.forces {
            let closer: Vec<(Variable, f64)> =
                adds.iter().map(|(row, value)| (motion[*row], *value)).collect();
            problem.add_constraint(closer.as_slice(), ComparisonOp::Le, 0.0);
        }
        Some(solve(&problem)?.objective())
    }
}

fn solve(problem: &Problem) -> Option<Solution> {
    problem.solve().ok().and_then(|outcome| outcome.into_solution().ok())
}

/// The edges of the pyramid of forces that the side of the smaller coordinate exerts on the other.
fn edges(axis: usize, friction: f64) -> Vec<[f64; 3]> {
    let directions = if friction > 0.0 { DIRECTIONS } else { 1 };
    let edge = |direction: usize| {
        let angle = std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64;
        let [u, v] = across(axis);
        let mut force = [0.0; 3];
        force[axis] = 1.0;
        // Exactly 0 along the axes.
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
