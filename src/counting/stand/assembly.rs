//! Loose pieces on a table.

use super::contacts::{Contact, contacts};
use super::equilibrium::{Body, balanced};
use somacat_geometry::lattice::Cell;
use std::collections::{HashMap, HashSet};

/// The most pieces whose building orders are looked for: a set of them is a number.
pub const MAX_PIECES: usize = 32;

/// Why it is not known whether pieces stand.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StandError {
    /// No coefficient of friction.
    #[error("a coefficient of friction is a number from 0 on; {0} is none")]
    Friction(f64),
    /// More than [`MAX_PIECES`].
    #[error("up to {MAX_PIECES} pieces are set up; these are {0}")]
    Pieces(usize),
    /// Whether there is a building order takes too long to find out.
    #[error("an order to build the pieces in was not found among {0} stages")]
    Stages(usize),
    /// Neither forces that hold the pieces nor a motion in which they fall were found to the digits that it takes.
    #[error("the linear program of the forces was not solved to the digits that it takes to tell")]
    Undecided,
}

/// Pieces in place, each as its cells, with what is known about which of them stand together.
#[derive(Debug)]
pub struct Assembly {
    pieces: Vec<Vec<Cell>>,
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    friction: f64,
    known: HashMap<u32, bool>,
}

impl Assembly {
    /// Pieces, no two of which share a cell, with a coefficient of friction.
    ///
    /// # Errors
    /// If the friction is no number from 0 on, or there are more than [`MAX_PIECES`] pieces.
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

    /// Whether all pieces together may stand.
    ///
    /// # Errors
    /// If the linear program does not tell.
    pub fn stands(&mut self) -> Result<bool, StandError> {
        self.some_stand(self.all())
    }

    /// How many sets of pieces have been looked at.
    #[must_use]
    pub fn looked_at(&self) -> usize {
        self.known.len()
    }

    fn all(&self) -> u32 {
        u32::MAX.checked_shr((MAX_PIECES - self.pieces.len()) as u32).unwrap_or(0)
    }

    /// Whether some of the pieces stand: bit n of the number for the piece n.
    fn some_stand(&mut self, some: u32) -> Result<bool, StandError> {
        if let Some(&known) = self.known.get(&some) {
            return Ok(known);
        }
        let there = |piece: usize| some >> piece & 1 == 1;
        let stands = balanced(&self.bodies, &self.contacts, self.friction, there);
        let stands = stands.map_err(|_| StandError::Undecided)?;
        self.known.insert(some, stands);
        Ok(stands)
    }

    /// An order, as positions of the pieces, in which each can be lowered straight from above onto those before it,
    /// and in which these stand at every stage; none if there is no such order. Of several pieces that may come next,
    /// the deepest does. At most `stages` sets of pieces are looked at.
    ///
    /// # Errors
    /// If that is not enough, or a linear program does not tell.
    pub fn building_order(&mut self, stages: usize) -> Result<Option<Vec<usize>>, StandError> {
        if !self.stands()? {
            return Ok(None);
        }
        // For each piece those above some cell of it, which it cannot pass.
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

    /// Puts the other pieces onto those of a stage that stands.
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
            if self.looked_at() > stages {
                return Err(StandError::Stages(stages));
            }
            if !self.some_stand(next)? {
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
