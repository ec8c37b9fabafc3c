//! Loose pieces on a table.

use super::contacts::{Contact, contacts};
use super::equilibrium::{Body, balanced};
use somacat_geometry::lattice::Cell;
use std::collections::{HashMap, HashSet};

/// Maximum number of pieces in a building order: a set of them is a bit mask.
pub const MAX_PIECES: usize = 32;

/// An error that leaves the stability of pieces unknown.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StandError {
    /// Not a coefficient of friction.
    #[error("the coefficient of friction must be a number of at least 0, not {0}")]
    Friction(f64),
    /// More than [`MAX_PIECES`] pieces.
    #[error("up to {MAX_PIECES} pieces are set up; these are {0}")]
    Pieces(usize),
    /// The search for a building order takes too long.
    #[error("an order to build the pieces in was not found among {0} stages")]
    Stages(usize),
    /// The solver was inconclusive: it found neither forces nor a fall to the required precision.
    #[error("the linear program of the forces was not solved to the digits that it takes to tell")]
    Undecided,
}

/// Pieces in place, with the known results about sets of them.
#[derive(Debug)]
pub struct Assembly {
    pieces: Vec<Vec<Cell>>,
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    friction: f64,
    known: HashMap<u32, bool>,
}

impl Assembly {
    /// Sets up pieces without common cells, with a coefficient of friction.
    ///
    /// # Errors
    /// Fails if the friction is not a number from 0 on, or there are more than [`MAX_PIECES`] pieces.
    pub fn new(pieces: Vec<Vec<Cell>>, friction: f64) -> Result<Self, StandError> {
        if !(friction.is_finite() && friction >= 0.0) {
            return Err(StandError::Friction(friction));
        }
        if pieces.len() > MAX_PIECES {
            return Err(StandError::Pieces(pieces.len()));
        }
        let body = |cells: &Vec<Cell>| {
            let weight = cells.len() as f64;
            let mean = |axis: usize| {
                let sum: f64 =
                    cells.iter().map(|cell| f64::from(cell.to_array()[axis]) + 0.5).sum();
                sum / weight
            };
            Body { weight, center: [0, 1, 2].map(mean) }
        };
        Ok(Self {
            bodies: pieces.iter().map(body).collect(),
            contacts: contacts(&pieces),
            pieces,
            friction,
            known: HashMap::new(),
        })
    }

    /// Returns true if all pieces together may stand.
    ///
    /// # Errors
    /// Fails if the linear program is inconclusive.
    pub fn stands(&mut self) -> Result<bool, StandError> {
        self.subset_stands(self.all())
    }

    /// Returns the number of sets of pieces that have been tested.
    #[must_use]
    pub fn tested_sets(&self) -> usize {
        self.known.len()
    }

    fn all(&self) -> u32 {
        u32::MAX.checked_shr((MAX_PIECES - self.pieces.len()) as u32).unwrap_or(0)
    }

    /// Returns true if some of the pieces stand; bit n represents piece n.
    fn subset_stands(&mut self, some: u32) -> Result<bool, StandError> {
        if let Some(&known) = self.known.get(&some) {
            return Ok(known);
        }
        let there = |piece: usize| some >> piece & 1 == 1;
        let stands = balanced(&self.bodies, &self.contacts, self.friction, there);
        let stands = stands.map_err(|_| StandError::Undecided)?;
        self.known.insert(some, stands);
        Ok(stands)
    }

    /// Finds an order in which the pieces can be built from above.
    ///
    /// Each piece, a position in the list, can be lowered straight from above onto those before it. Every stage
    /// stands. `None` if there is no such order. Of several pieces that may come next, the deepest does. Tests at
    /// most `stages` sets of pieces.
    ///
    /// # Errors
    /// Fails if `stages` is not enough, or a linear program is inconclusive.
    pub fn building_order(&mut self, stages: usize) -> Result<Option<Vec<usize>>, StandError> {
        if !self.stands()? {
            return Ok(None);
        }
        // For each piece, those above some of its cells, which it cannot pass.
        let over = |low: &[Cell], high: &[Cell]| {
            low.iter().any(|l| high.iter().any(|h| (l.x, l.y) == (h.x, h.y) && h.z < l.z))
        };
        let above = |low: &Vec<Cell>| {
            let mut above = 0_u32;
            for (piece, high) in self.pieces.iter().enumerate() {
                above |= u32::from(over(low, high)) << piece;
            }
            above
        };
        let above: Vec<u32> = self.pieces.iter().map(above).collect();
        let mut deepest: Vec<usize> = (0..self.pieces.len()).collect();
        deepest.sort_by(|&a, &b| self.bodies[b].center[2].total_cmp(&self.bodies[a].center[2]));
        let mut order = Vec::new();
        let mut hopeless = HashSet::new();
        let found = self.complete(0, stages, &deepest, &above, &mut order, &mut hopeless)?;
        Ok(found.then_some(order))
    }

    /// Adds the other pieces to a stage that stands.
    fn complete(
        &mut self,
        stage: u32,
        stages: usize,
        deepest: &[usize],
        above: &[u32],
        order: &mut Vec<usize>,
        hopeless: &mut HashSet<u32>,
    ) -> Result<bool, StandError> {
        if stage == self.all() {
            return Ok(true);
        }
        if hopeless.contains(&stage) {
            return Ok(false);
        }
        for &piece in deepest {
            let next = stage | 1 << piece;
            if next == stage || above[piece] & stage != 0 {
                continue;
            }
            if self.tested_sets() > stages {
                return Err(StandError::Stages(stages));
            }
            if !self.subset_stands(next)? {
                continue;
            }
            order.push(piece);
            if self.complete(next, stages, deepest, above, order, hopeless)? {
                return Ok(true);
            }
            order.pop();
        }
        hopeless.insert(stage);
        Ok(false)
    }
}
