//! A checker of proofs that loose pieces stand or fall.

use somacat_counting::stand::{Assembly, ContactForce, StandProof};
use somacat_geometry::lattice::Cell;
use std::collections::HashMap;

/// Returns the tables of [`Checked`].
fn tables(pieces: &[Vec<Cell>]) -> HashMap<Cell, i32> {
    let mut tables: HashMap<Cell, i32> = pieces.iter().flatten().map(|c| (*c, c.z)).collect();
    loop {
        let lower = |(cell, z): (&Cell, &i32)| {
            let around = cell.neighbors().into_iter().filter_map(|next| tables.get(&next));
            around.max().filter(|lowest| *lowest > z).map(|lowest| (*cell, *lowest))
        };
        let found: Vec<(Cell, i32)> = tables.iter().filter_map(lower).collect();
        if found.is_empty() {
            return tables;
        }
        tables.extend(found);
    }
}

/// A unit of area where two pieces, or piece and table, touch.
struct Face {
    low: usize,
    high: Option<usize>,
    axis: usize,
    /// The corner with the smallest coordinates.
    corner: [f64; 3],
}

impl Face {
    /// Returns the axis perpendicular to it and the two along it.
    fn axes(&self) -> [usize; 3] {
        [0, 1, 2].map(|turn| (self.axis + turn) % 3)
    }
}

/// Returns a force at a point as six sums: three of the force, three of its moments about a piece's center of mass.
fn sums(piece: &[Cell], point: [f64; 3], f: [f64; 3]) -> [f64; 6] {
    let center = |axis: usize| {
        piece.iter().map(|c| f64::from(c.to_array()[axis]) + 0.5).sum::<f64>() / piece.len() as f64
    };
    let r = [0, 1, 2].map(|axis| point[axis] - center(axis));
    let moments = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
    [f[0], f[1], f[2], moments[0], moments[1], moments[2]]
}

/// A checker of proofs that pieces stand or fall. It finds contacts face by face.
pub struct Checked {
    assembly: Assembly,
    pub pieces: Vec<Vec<Cell>>,
    friction: f64,
    /// For each cell the height of the table below its part: that of the lowest cell connected to it.
    tables: HashMap<Cell, i32>,
}

impl Checked {
    pub fn new(pieces: &[Vec<Cell>], friction: f64) -> Self {
        let assembly = Assembly::new(pieces.to_vec(), friction).unwrap();
        Self { assembly, pieces: pieces.to_vec(), friction, tables: tables(pieces) }
    }

    fn faces(&self, some: &[usize]) -> Vec<Face> {
        let cells = |&piece: &usize| self.pieces[piece].iter().map(move |cell| (*cell, piece));
        let owner: HashMap<Cell, usize> = some.iter().flat_map(cells).collect();
        let mut faces = Vec::new();
        for (cell, low) in &owner {
            for axis in 0..3 {
                let mut next = cell.to_array();
                next[axis] += 1;
                let high = owner.get(&Cell::from(next)).copied();
                let mut corner = cell.to_array().map(f64::from);
                corner[axis] += 1.0;
                let on_table = axis == 2 && cell.z == self.tables[cell];
                if high.map_or(on_table, |high| high != *low) {
                    faces.push(Face { low: *low, high, axis, corner });
                }
            }
        }
        faces
    }

    /// Returns true if some of the pieces may stand without the others.
    pub fn held(&self, some: &[usize]) -> bool {
        match self.assembly.proof(some).unwrap() {
            StandProof::Held(forces) => {
                self.check_forces(some, &forces);
                true
            }
            StandProof::Falls(motion) => {
                self.check_fall(some, &motion);
                false
            }
        }
    }

    /// Checks that forces push from face to face and carry every piece. They must be within the friction.
    fn check_forces(&self, some: &[usize], forces: &[ContactForce]) {
        let faces = self.faces(some);
        let mut left = vec![[0.0; 6]; self.pieces.len()];
        some.iter().for_each(|&piece| left[piece][2] = self.pieces[piece].len() as f64);
        for &ContactForce { low, high, point, force } in forces {
            let acts_on = |face: &Face| {
                let [normal, u, v] = face.axes();
                let inside =
                    |axis: usize| (0.005..0.995).contains(&(point[axis] - face.corner[axis]));
                (face.low, face.high) == (low, high)
                    && point[normal] == face.corner[normal]
                    && inside(u)
                    && inside(v)
                    && force[normal] > 0.0
                    && force[u].hypot(force[v]) <= self.friction * force[normal] * (1.0 + 1e-9)
            };
            assert!(faces.iter().any(acts_on), "{low} {high:?} {point:?} {force:?}");
            for (body, sign) in [(Some(low), -1.0), (high, 1.0)] {
                let Some(body) = body else { continue };
                let sums = sums(&self.pieces[body], point, force.map(|value| value * sign));
                left[body].iter_mut().zip(sums).for_each(|(left, sum)| *left += sum);
            }
        }
        let most = largest(&left);
        assert!(most < 1e-4, "{most} is not carried");
    }

    /// The pieces sink, and no force at a face works against it. So no such forces carry them: their work would have
    /// to be as much as the weight's.
    fn check_fall(&self, some: &[usize], motion: &[[f64; 6]]) {
        let most = largest(motion);
        let work = |body: usize, point, force| {
            let sums = sums(&self.pieces[body], point, force);
            sums.iter().zip(motion[body]).map(|(sum, v)| sum * v).sum::<f64>() / most
        };
        for face in self.faces(some) {
            let [normal, u, v] = face.axes();
            for (corner, direction) in (0..4).flat_map(|c| (0..8).map(move |d| (c, d))) {
                let mut point = face.corner;
                point[u] += if corner & 1 == 0 { 0.01 } else { 0.99 };
                point[v] += if corner & 2 == 0 { 0.01 } else { 0.99 };
                let angle = std::f64::consts::FRAC_PI_4 * f64::from(direction);
                let mut force = [0.0; 3];
                force[normal] = 1.0;
                force[u] = self.friction * angle.cos();
                force[v] = self.friction * angle.sin();
                let on_high = face.high.map_or(0.0, |high| work(high, point, force));
                let both = on_high + work(face.low, point, force.map(|value| -value));
                assert!(both > -1e-5, "{both}");
            }
        }
        let sinks = |&piece: &usize| self.pieces[piece].len() as f64 * motion[piece][2] / most;
        let fall: f64 = some.iter().map(sinks).sum();
        assert!(fall > 1e-3, "{fall}");
    }
}

fn largest(sums: &[[f64; 6]]) -> f64 {
    sums.as_flattened().iter().map(|sum| sum.abs()).fold(0.0, f64::max)
}
