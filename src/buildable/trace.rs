//! The ways in which the search reaches a figure.
//!
//! A figure is reached once for each of its packings in each of its positions about the root in which the piece at the
//! root is one of those that the search begins with. What the search covers next then follows from that piece, and which
//! piece covers it from the packing: so each way has a first pair of placements, and with it a shard.
//!
//! So every figure has a shard of its own, the first from which it is reached, and what other shards find of it is left
//! out. And a figure reached in a random part of the search can be given its right weight.

use super::board::number;
use super::search::{Next, Placement, shard};
use crate::figure::{Candidate, Identity};
use crate::lattice::{Cell, Transform};
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, visit};
use crate::symmetry::Group;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// What the search does after each of the placements that it begins with, by their cells, ascending.
#[derive(Default, Debug)]
pub(super) struct Trace(FxHashMap<Vec<u32>, Next>);

/// A figure about the root: it has the symmetry of the board there, and the median of the cells that the whole group
/// fixes is the root.
struct Position {
    /// The cells, in the order of the figure's.
    numbers: Vec<u32>,
    /// Which of them is the root.
    root: usize,
}

impl Position {
    /// A figure turned and moved to the root.
    fn new(group: Group, cells: &[Cell], t: Transform) -> Self {
        let cells: Vec<Cell> = cells.iter().map(|&c| t.apply(c)).collect();
        let sum = |axis: usize| {
            let values = cells.iter().map(|c| c.to_array()[axis]);
            values.clone().min().unwrap_or_default() + values.max().unwrap_or_default()
        };
        // Twice the vector from the center of the figure.
        let center = Cell::new(sum(0), sum(1), sum(2));
        let from_center = |c: Cell| c + c - center;
        let is_fixed = |&at: &usize| {
            let c = from_center(cells[at]);
            group.iter().all(|g| g.apply(c) == c)
        };
        let mut fixed: Vec<usize> = (0..cells.len()).filter(is_fixed).collect();
        fixed.sort_unstable_by_key(|&at| cells[at]);
        let root =
            *fixed.get(fixed.len() / 2).expect("a 2-group fixes one of an odd number of cells");
        Self { numbers: cells.iter().map(|&c| number(c - cells[root])).collect(), root }
    }

    /// All positions of a figure.
    fn all(group: Group, candidate: &Candidate) -> Vec<Self> {
        let mut known = BTreeSet::new();
        let (identity, cells) = (candidate.identity(), candidate.figure().cells());
        let turns = Transform::all().filter(|t| {
            (identity == Identity::Reflections || t.is_rotation())
                && candidate.group().conjugate(*t).contains_group(group)
        });
        let positions = turns.map(|t| Self::new(group, cells, t)).filter(|position| {
            let mut numbers = position.numbers.clone();
            numbers.sort_unstable();
            known.insert(numbers)
        });
        positions.collect()
    }

    fn index(&self, number: u32) -> Option<usize> {
        self.numbers.iter().position(|&other| other == number)
    }
}

/// A packing: the pieces by the places of their cells among those of the figure, and which piece each cell belongs to.
struct Packing {
    pieces: Vec<Vec<usize>>,
    owners: Vec<usize>,
}

impl Trace {
    /// Adds a placement that the search begins with.
    pub(super) fn add(&mut self, first: &Placement, next: Next) {
        let mut cells = first.cells().to_vec();
        cells.sort_unstable();
        self.0.insert(cells, next);
    }

    /// The shard of each way in which the search for figures of a group reaches a figure; too few if `stop` was set.
    pub(super) fn shards(
        &self,
        group: Group,
        candidate: &Candidate,
        set: &PieceSet,
        stop: &AtomicBool,
    ) -> Vec<u64> {
        let cells = candidate.figure().cells();
        let mut packings = Vec::new();
        let problem = Problem::with_group(candidate.figure(), set, candidate.group());
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let report = visit(&problem, limits, &mut |packing| {
            let mut owners = vec![0; cells.len()];
            let index = |c: &Cell| cells.binary_search(c).expect("a packing covers the figure");
            let pieces =
                packing.iter().map(|placement| placement.cells.iter().map(index).collect());
            let pieces: Vec<Vec<usize>> = pieces.collect();
            for (piece, own) in pieces.iter().enumerate() {
                own.iter().for_each(|&at| owners[at] = piece);
            }
            packings.push(Packing { pieces, owners });
            ControlFlow::Continue(())
        });
        report.expect("a figure of so few cells can be searched");
        let mut shards = Vec::new();
        for position in Position::all(group, candidate) {
            shards.extend(packings.iter().filter_map(|packing| self.shard(&position, packing)));
        }
        shards
    }

    /// The shard that reaches a packing in a position, if the search does.
    fn shard(&self, position: &Position, packing: &Packing) -> Option<u64> {
        let covering = |at: usize| {
            let piece = &packing.pieces[packing.owners[at]];
            let mut cells: Vec<u32> = piece.iter().map(|&at| position.numbers[at]).collect();
            cells.sort_unstable();
            cells
        };
        let first = covering(position.root);
        let covered_next = match self.0.get(&first)? {
            Next::End => return Some(0),
            Next::Cover(cell) => *cell,
            Next::LetIn(orbits) => {
                orbits.iter().find(|(orbit, _)| position.index(*orbit).is_some())?.1
            }
        };
        let second = covering(position.index(covered_next?)?);
        Some(shard(&first, &second))
    }
}
