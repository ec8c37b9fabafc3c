//! Forces straight up that hold pieces, found from the uppermost piece to the table.
//!
//! A piece lowered from above lies on others. Its weight, with the load on it, acts along one line. If the line meets
//! the convex hull of the points on which it lies, three of these carry it, which loads the pieces below. This finds
//! the forces of most stages of a building order in a fiftieth of the time that fitting them takes. Where it finds
//! none, other points, or friction, may still hold the pieces.

use super::bodies::{Body, ContactForce};

/// The least share of a load that counts as zero or more. The others round differently.
const LEAST_SHARE: f64 = -1e-12;

/// The least area of three points, doubled and in square cells, that are not on a line.
const LEAST_AREA: f64 = 1e-6;

/// The points on which each body lies.
#[derive(Debug)]
pub(super) struct Resting {
    /// The weight of each body, and the moments of its weight: the weight times x, and times y.
    weights: Vec<Load>,
    /// For each body, the points on which it lies, in the order of their forces.
    supports: Vec<Vec<Support>>,
    /// For each body, those that lie on it, as a bit mask.
    riders: Vec<u32>,
}

type Load = [f64; 3];

#[derive(Debug)]
struct Support {
    /// The number of the force straight up at this point.
    force: usize,
    point: [f64; 2],
    /// The body there; `None` for the table.
    below: Option<usize>,
}

impl Resting {
    pub(super) fn new(bodies: &[Body]) -> Self {
        let weight = |body: &Body| {
            let [x, y, _] = body.center;
            [body.weight, body.weight * x, body.weight * y]
        };
        Self {
            weights: bodies.iter().map(weight).collect(),
            supports: bodies.iter().map(|_| Vec::new()).collect(),
            riders: vec![0; bodies.len()],
        }
    }

    /// Adds the point of a force straight up, given with its number.
    pub(super) fn add(&mut self, force: usize, contact: &ContactForce) {
        let [x, y, _] = contact.point;
        let below = contact.high;
        self.supports[contact.low].push(Support { force, point: [x, y], below });
        if let Some(below) = below {
            self.riders[below] |= 1 << contact.low;
        }
    }

    /// Returns the numbers of forces that hold some bodies in equilibrium, which are linearly independent. `there` is a
    /// bit mask of these bodies. `None` if they are not found.
    pub(super) fn forces(&self, there: u32) -> Option<Vec<usize>> {
        let mut loads = self.weights.clone();
        let mut used = Vec::with_capacity(3 * loads.len());
        let mut left = there;
        while left != 0 {
            let is_next = |&body: &usize| left >> body & 1 == 1 && self.riders[body] & left == 0;
            let body = (0..loads.len()).find(is_next)?;
            left &= !(1 << body);
            let [weight, x, y] = loads[body];
            for (support, share) in self.shares(body, there, [x / weight, y / weight])? {
                if share <= 0.0 {
                    continue;
                }
                used.push(support.force);
                if let Some(below) = support.below {
                    let [x, y] = support.point;
                    let load = share * weight;
                    let adds = [load, load * x, load * y];
                    loads[below].iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
                }
            }
        }
        Some(used)
    }

    /// Finds three points that carry the load on a body, which acts at a point. Returns them with their shares. The first
    /// ones are preferred: the table is before other bodies.
    fn shares(&self, body: usize, there: u32, center: [f64; 2]) -> Option<[(&Support, f64); 3]> {
        let mut met: Vec<(&Support, [f64; 2])> = Vec::with_capacity(self.supports[body].len());
        for support in &self.supports[body] {
            if support.below.is_some_and(|below| there >> below & 1 == 0) {
                continue;
            }
            let c = [0, 1].map(|axis| support.point[axis] - center[axis]);
            for (at, &(second, b)) in met.iter().enumerate() {
                for &(first, a) in &met[..at] {
                    let areas = [cross(b, c), cross(c, a), cross(a, b)];
                    let area: f64 = areas.iter().sum();
                    let shares = areas.map(|part| part / area);
                    if area.abs() > LEAST_AREA && shares.iter().all(|&share| share >= LEAST_SHARE) {
                        return Some([
                            (first, shares[0]),
                            (second, shares[1]),
                            (support, shares[2]),
                        ]);
                    }
                }
            }
            met.push((support, c));
        }
        None
    }
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
