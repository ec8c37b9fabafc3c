//! The map of a figure's packings: which of them lead to each other by moving two or three pieces.
//!
//! A vertex is a packing up to the figure's symmetries. Two vertices are joined if some packing of the one and some
//! packing of the other differ in the places of exactly two pieces, or of exactly three. Equal pieces are one kind:
//! to exchange them is no move. For the cube with one set this is the map that Conway and Guy drew (Berlekamp,
//! Conway and Guy, *Winning Ways*, chapter 24; Peter-Orth, Discrete Mathematics 57, 1985).

mod exchanges;
mod graph;
mod places;

use crate::outcome::Outcome;
use crate::solve::{Limits, Placement, Problem, SolveError, count, visit};
use graph::Graph;
use places::Places;
use std::ops::ControlFlow;

/// The most packings up to symmetry of a map.
pub const MAX_PACKINGS: u64 = 100_000;

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// There are too many packings.
    #[error("there are {0} packings up to symmetry; a map has at most {MAX_PACKINGS}")]
    TooMany(u128),
    /// The packings could not be counted.
    #[error("the packings could not be counted{}", if *.0 == 0 { String::new() } else { format!("; there are at least {}", .0) })]
    Undecided(u128),
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// The figure cannot be searched.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// A step from one packing to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct Exchange {
    /// The packing it leads to, by number.
    pub to: usize,
    /// The pieces that move, as they lie before: positions in the packing, two or three of them.
    pub moving: Vec<usize>,
}

/// The map of a figure's packings.
#[derive(Debug)]
pub struct SolutionMap {
    places: Places,
    /// Each packing as numbers of places, ascending.
    packings: Vec<Vec<u32>>,
    two: Vec<(u32, u32)>,
    three: Vec<(u32, u32)>,
    graph: Graph,
}

impl SolutionMap {
    /// The map of a problem's packings, in the order in which [`visit`] meets them.
    ///
    /// # Errors
    /// If there are more than [`MAX_PACKINGS`] up to symmetry, a limit or a stop came first, or the figure cannot be
    /// searched.
    pub fn new(problem: &Problem<'_>, limits: Limits<'_>) -> Result<Self, MapError> {
        let outcome = count(problem, limits)?.outcome;
        match outcome {
            _ if limits.stopped() => return Err(MapError::Stopped),
            Outcome::Counted(counts) if counts.unique > MAX_PACKINGS.into() => {
                return Err(MapError::TooMany(counts.unique));
            }
            Outcome::Counted(_) | Outcome::Unsolvable(_) => {}
            other => return Err(MapError::Undecided(other.raw().unwrap_or(0))),
        }
        let (mut places, mut packings) = (Places::new(problem), Vec::new());
        visit(problem, limits, &mut |packing| {
            let packing = places.packing(packing);
            if places.least(&packing) == packing {
                packings.push(packing);
            }
            ControlFlow::Continue(())
        })?;
        if limits.stopped() {
            return Err(MapError::Stopped);
        }
        let two = exchanges::pairs(&places, &packings, 2);
        let mut three = exchanges::pairs(&places, &packings, 3);
        three.retain(|pair| two.binary_search(pair).is_err());
        let graph = Graph::new(packings.len(), two.iter().chain(&three).copied());
        Ok(Self { places, packings, two, three, graph })
    }

    /// The number of packings up to symmetry.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.packings.len()
    }

    /// The number of a packing, or of its image that the map has; none if the map has no such packing.
    #[must_use]
    pub fn number_of(&self, packing: &[Placement]) -> Option<usize> {
        let mut places: Vec<u32> =
            packing.iter().map(|place| self.places.number(place)).collect::<Option<_>>()?;
        places.sort_unstable();
        let least = self.places.least(&places);
        self.packings.iter().position(|packing| *packing == least)
    }

    /// A packing: its pieces, each as its position in the set and its cells.
    #[must_use]
    pub fn packing(&self, vertex: usize) -> Vec<&Placement> {
        self.packings[vertex].iter().map(|&place| self.places.place(place)).collect()
    }

    /// Pairs of packings, ascending, that differ by two pieces.
    #[must_use]
    pub fn edges_2(&self) -> &[(u32, u32)] {
        &self.two
    }

    /// Pairs of packings, ascending, that differ by three pieces and by no two.
    #[must_use]
    pub fn edges_3(&self) -> &[(u32, u32)] {
        &self.three
    }

    /// The numbers of packings that hang together, the largest first.
    #[must_use]
    pub fn components(&self) -> Vec<usize> {
        self.graph.component_sizes()
    }

    /// Packings from which none other is reached.
    #[must_use]
    pub fn solitary(&self) -> usize {
        (0..self.vertices()).filter(|&vertex| self.graph.neighbors(vertex).is_empty()).count()
    }

    /// The most steps that the way between two packings of the largest component takes.
    #[must_use]
    pub fn diameter(&self) -> usize {
        self.graph.diameter()
    }

    /// The packings joined to one, ascending.
    #[must_use]
    pub fn neighbors(&self, vertex: usize) -> &[u32] {
        self.graph.neighbors(vertex)
    }

    /// The steps that lead from a packing to others, in the order of these.
    #[must_use]
    pub fn exchanges(&self, vertex: usize) -> Vec<Exchange> {
        let mut exchanges = Vec::new();
        for &to in self.neighbors(vertex) {
            let number =
                if self.two.binary_search(&ordered(vertex as u32, to)).is_ok() { 2 } else { 3 };
            let other = &self.packings[to as usize];
            for moving in exchanges::moves(&self.places, &self.packings[vertex], other, number) {
                exchanges.push(Exchange { to: to as usize, moving });
            }
        }
        exchanges
    }
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
