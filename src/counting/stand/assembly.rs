//! Loose pieces on a table.
//!
//! A set of pieces is a bit mask, and the results for sets are kept: a building order is sought among many orders that
//! have their stages in common, and the forces that hold a stage are a good start for the next one.

use super::bodies::Body;
use super::contacts::contacts;
use super::equilibrium::{Forces, StandProof};
use super::error::{MAX_FRICTION, MAX_PIECES, StandError};
use somacat_geometry::lattice::Cell;
use std::collections::{HashMap, HashSet};

/// Pieces in place, with the known results about sets of them.
///
/// ```
/// use somacat_counting::stand::{Assembly, MAX_STAGES};
/// use somacat_geometry::lattice::Cell;
///
/// // A bar of three cells on a post. z points down.
/// let bar = |x: i32| (x..x + 3).map(|x| Cell::new(x, 0, 0)).collect::<Vec<_>>();
/// let post = vec![Cell::new(0, 0, 1)];
/// // The middle of the bar lies on the post.
/// let mut balanced = Assembly::new(vec![bar(-1), post.clone()], 0.5)?;
/// assert_eq!(balanced.building_order(MAX_STAGES)?, Some(vec![1, 0]));
/// // Only an end of it does.
/// assert!(!Assembly::new(vec![bar(0), post], 0.5)?.stands()?);
/// # Ok::<(), somacat_counting::stand::StandError>(())
/// ```
#[derive(Debug)]
pub struct Assembly {
    /// The cells of each piece; z points down.
    pieces: Vec<Vec<Cell>>,
    forces: Forces,
    /// For each set of pieces that was tested, the numbers of forces that hold it; `None` if it falls. Bit n of a set
    /// represents piece n.
    known: HashMap<u32, Option<Vec<usize>>>,
}

impl Assembly {
    /// Sets up pieces, each given by its cells, with a coefficient of friction. No cell may belong to two pieces.
    ///
    /// # Errors
    /// Fails if the friction is not a number from 0 to 100, or there are more than [`MAX_PIECES`] pieces.
    pub fn new(pieces: Vec<Vec<Cell>>, friction: f64) -> Result<Self, StandError> {
        if !(0.0..=MAX_FRICTION).contains(&friction) {
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
            forces: Forces::new(pieces.iter().map(body).collect(), contacts(&pieces), friction),
            pieces,
            known: HashMap::new(),
        })
    }

    /// Returns true if all pieces together may stand.
    ///
    /// # Errors
    /// Fails if the forces cannot be computed accurately enough to decide.
    pub fn stands(&mut self) -> Result<bool, StandError> {
        self.subset_stands(self.all_pieces(), 0)
    }

    /// Proves that some of the pieces may stand, or that they fall. `some` gives their positions. The other pieces are
    /// left out.
    ///
    /// The tables stay where they are below all pieces.
    ///
    /// ```
    /// use somacat_counting::stand::{Assembly, StandProof};
    /// use somacat_geometry::lattice::Cell;
    ///
    /// // One cell on the table: the forces of the table add up to its weight.
    /// let assembly = Assembly::new(vec![vec![Cell::new(0, 0, 0)]], 0.5)?;
    /// let StandProof::Held(forces) = assembly.proof(&[0])? else { panic!("it stands") };
    /// let lift: f64 = forces.iter().map(|contact| contact.force[2]).sum();
    /// assert!((lift.abs() - 1.0).abs() < 1e-6);
    /// # Ok::<(), somacat_counting::stand::StandError>(())
    /// ```
    ///
    /// # Errors
    /// Fails like [`Self::stands`].
    pub fn proof(&self, some: &[usize]) -> Result<StandProof, StandError> {
        let there = (0..self.pieces.len()).filter(|piece| some.contains(piece));
        let there = there.fold(0, |there, piece| there | 1 << piece);
        self.forces.proof(there)
    }

    /// Returns the number of sets of pieces that have been tested.
    pub fn tested_sets(&self) -> usize {
        self.known.len()
    }

    /// Returns the set of all pieces.
    fn all_pieces(&self) -> u32 {
        u32::MAX.checked_shr((MAX_PIECES - self.pieces.len()) as u32).unwrap_or(0)
    }

    /// Returns true if a set of pieces stands. Bit n of `some` represents piece n. `before` is a subset that stands.
    fn subset_stands(&mut self, some: u32, before: u32) -> Result<bool, StandError> {
        if let Some(known) = self.known.get(&some) {
            return Ok(known.is_some());
        }
        let held = match self.forces.resting(some) {
            Some(forces) => Some(forces),
            None => {
                let start = self.known.get(&before).and_then(Option::as_deref).unwrap_or_default();
                let balance = self.forces.equilibrium(some, start)?;
                balance.is_held().then_some(balance.used)
            }
        };
        let stands = held.is_some();
        self.known.insert(some, held);
        Ok(stands)
    }

    /// Finds an order in which the pieces can be built from above.
    ///
    /// Each piece, a position in the list, can be lowered straight from above onto those before it. Every stage
    /// stands. `None` if there is no such order. Of several pieces that may come next, the deepest does. Tests at
    /// most `stages` sets of pieces.
    ///
    /// # Errors
    /// Fails if `stages` is not enough, or the forces cannot be computed accurately enough.
    pub fn building_order(&mut self, stages: usize) -> Result<Option<Vec<usize>>, StandError> {
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
        deepest.sort_by(|&a, &b| self.forces.depth(b).total_cmp(&self.forces.depth(a)));
        let (order, hopeless) = (Vec::new(), HashSet::new());
        let mut search = OrderSearch { assembly: self, stages, deepest, above, order, hopeless };
        // Mostly the first piece that stands leads to an order, whose forces make it easy to see that all pieces stand.
        if search.complete(0, false) == Ok(true) {
            return Ok(Some(search.order));
        }
        search.order.clear();
        let stands = search.assembly.stands()? && search.complete(0, true)?;
        Ok(stands.then_some(search.order))
    }
}

/// A depth-first search for a building order. A stage is a set of pieces in place.
struct OrderSearch<'a> {
    assembly: &'a mut Assembly,
    /// Maximum number of sets of pieces to test.
    stages: usize,
    /// The pieces, the deepest first.
    deepest: Vec<usize>,
    /// For each piece, the set of those above some of its cells. They must come later.
    above: Vec<u32>,
    /// The pieces in place, in order.
    order: Vec<usize>,
    /// Stages that cannot be completed. A stage that several orders reach is searched once.
    hopeless: HashSet<u32>,
}

impl OrderSearch<'_> {
    /// Adds the other pieces to a stage that stands. Returns false if no order completes it. With `every_way` it tries all
    /// pieces that may come next, otherwise only the first that stands.
    fn complete(&mut self, stage: u32, every_way: bool) -> Result<bool, StandError> {
        if stage == self.assembly.all_pieces() {
            return Ok(true);
        }
        if self.hopeless.contains(&stage) {
            return Ok(false);
        }
        for at in 0..self.deepest.len() {
            let piece = self.deepest[at];
            let next = stage | 1 << piece;
            if next == stage || self.above[piece] & stage != 0 {
                continue;
            }
            // All pieces together are always tested.
            let all = usize::from(!self.assembly.known.contains_key(&self.assembly.all_pieces()));
            if self.assembly.tested_sets() + all > self.stages {
                return Err(StandError::Stages(self.stages));
            }
            if !self.assembly.subset_stands(next, stage)? {
                continue;
            }
            self.order.push(piece);
            if self.complete(next, every_way)? {
                return Ok(true);
            }
            if !every_way {
                return Ok(false);
            }
            self.order.pop();
        }
        if every_way {
            self.hopeless.insert(stage);
        }
        Ok(false)
    }
}
