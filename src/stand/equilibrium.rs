//! Whether forces hold pieces in equilibrium.

use super::contacts::{Contact, across};
use microlp::{ComparisonOp, OptimizationDirection, Problem};

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

/// Whether the bodies that are `there` can be in equilibrium.
///
/// Forces along the edges of the pyramids at all points are the unknowns; for each body three sums of forces and three
/// of moments, about its center, are to vanish. What does not is made as small as possible; that is 0 if and only if
/// there is an equilibrium.
pub(super) fn balanced(
    bodies: &[Body],
    contacts: &[Contact],
    friction: f64,
    there: impl Fn(usize) -> bool,
) -> Result<bool, GivenUp> {
    let mut row_of = vec![0; bodies.len()];
    let mut rows = 0;
    for body in (0..bodies.len()).filter(|&body| there(body)) {
        row_of[body] = rows;
        rows += 6;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut equations: Vec<Vec<(microlp::Variable, f64)>> = vec![Vec::new(); rows];
    for contact in contacts {
        if !there(contact.low) || contact.high.is_some_and(|high| !there(high)) {
            continue;
        }
        for point in &contact.points {
            for force in edges(contact.axis, friction) {
                let variable = problem.add_var(0.0, (0.0, f64::INFINITY));
                let ends = [(Some(contact.low), -1.0), (contact.high, 1.0)];
                for (body, sign) in ends {
                    let Some(body) = body else { continue };
                    let force = force.map(|value| sign * value);
                    let arm = [0, 1, 2].map(|axis| point[axis] - bodies[body].center[axis]);
                    let moment = [0, 1, 2].map(|axis| {
                        let [u, v] = across(axis);
                        arm[u] * force[v] - arm[v] * force[u]
                    });
                    for (row, value) in force.into_iter().chain(moment).enumerate() {
                        if value != 0.0 {
                            equations[row_of[body] + row].push((variable, value));
                        }
                    }
                }
            }
        }
    }
    let weight: f64 =
        bodies.iter().enumerate().filter(|(b, _)| there(*b)).map(|(_, b)| b.weight).sum();
    for body in (0..bodies.len()).filter(|&body| there(body)) {
        for row in 0..6 {
            let equation = &mut equations[row_of[body] + row];
            for sign in [1.0, -1.0] {
                equation.push((problem.add_var(1.0, (0.0, f64::INFINITY)), sign));
            }
            // z points down, and the contacts must hold the weight up.
            let sum = if row == 2 { -bodies[body].weight } else { 0.0 };
            problem.add_constraint(equation.as_slice(), ComparisonOp::Eq, sum);
        }
    }
    let solved = problem.solve().ok().and_then(|outcome| outcome.into_solution().ok());
    Ok(solved.ok_or(GivenUp)?.objective() <= NOTHING * weight)
}

/// The edges of the pyramid of forces that the side of the smaller coordinate exerts on the other.
fn edges(axis: usize, friction: f64) -> Vec<[f64; 3]> {
    let directions = if friction > 0.0 { DIRECTIONS } else { 1 };
    let edge = |direction: usize| {
        let angle = std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64;
        let [u, v] = across(axis);
        let mut force = [0.0; 3];
        force[axis] = 1.0;
        if friction > 0.0 {
            // Exactly 0 and 1 along the axes.
            (force[u], force[v]) = match direction {
                0 => (friction, 0.0),
                2 => (0.0, friction),
                4 => (-friction, 0.0),
                6 => (0.0, -friction),
                _ => (friction * angle.cos(), friction * angle.sin()),
            };
        }
        force
    };
    (0..directions).map(edge).collect()
}
