//! The map of a figure's packings: a graph in which moves of two or three pieces join them.
//!
//! A vertex is a packing up to the figure's symmetries. Two vertices are joined if two of their packings, one of each,
//! differ in the places of exactly two or three pieces. Equal pieces are one kind: exchanging them is not a move. For
//! the cube with one set this is the map that Conway and Guy drew. See Berlekamp, Conway and Guy, *Winning Ways*,
//! chapter 24, and Peter-Orth, Discrete Mathematics 57, 1985.
//!
//! The map is built in three steps. `places.rs` numbers the places of pieces, so that a packing is a short list of
//! numbers. `exchanges.rs` removes two or three pieces of each packing in every way, refills the space, and looks up
//! the packings that result. `graph.rs` finds components and the diameter.

mod exchanges;
mod graph;
mod places;

use crate::solve::{Limits, Placement, Problem, SolveError, count, visit};
use exchanges::{Exchanges, Pairs};
use graph::Graph;
use places::Places;
use std::ops::ControlFlow;

/// Maximum number of packings up to symmetry of a map.
pub const MAX_MAP_PACKINGS: u64 = 100_000;

/// Maximum nodes of the count that comes first. It is to refuse a figure with too many packings before they are
/// visited, and takes a few seconds at most.
const EXACT_COUNT_NODES: u64 = 5_000_000;

/// An error that prevents a map.
///
/// ```
/// use somacat_counting::map::{MapError, SolutionMap};
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let (block, set) = (Figure::of_box([3, 3, 4])?, parse_set("V4 L6")?);
/// let map = SolutionMap::new(&Problem::new(&block, &set), Limits::default());
/// assert!(matches!(map, Err(MapError::TooMany(351_138))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum MapError {
    #[error("there are {0} packings up to symmetry; a map has at most {MAX_MAP_PACKINGS}")]
    TooMany(u128),
    #[error("there are at least {0} packings up to symmetry; a map has at most {MAX_MAP_PACKINGS}")]
    AtLeast(u128),
    #[error("the search for packings stopped at its limit, after {0}, images included")]
    Undecided(u128),
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// A step from one packing to another.
///
/// ```
/// use somacat_counting::map::SolutionMap;
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // The two ways to fill a cube of side 2 with dominoes differ by a move of two of them.
/// let (cube, dominoes) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?);
/// let map = SolutionMap::new(&Problem::new(&cube, &dominoes), Limits::default())?;
/// assert_eq!(map.edges_2(), [(0, 1)]);
/// assert!(map.exchanges(0).iter().all(|step| step.to == 1 && step.moving.len() == 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Exchange {
    /// The number of the packing it leads to.
    pub to: usize,
    /// The two or three pieces that move. They are positions in the packing before the step.
    pub moving: Vec<usize>,
}

/// The map of a figure's packings.
///
/// ```
/// use somacat_counting::map::SolutionMap;
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// // Conway and Guy: one of the cube's 240 packings is joined to no other.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let map = SolutionMap::new(&Problem::new(&cube, &soma), Limits::default())?;
/// assert_eq!((map.vertices(), map.components(), map.solitary()), (240, vec![239, 1], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SolutionMap {
    places: Places,
    /// The least packing of each class, as ascending numbers of places. A vertex is an index of this list.
    packings: Vec<Vec<u32>>,
    exchanges: Exchanges,
    /// The edges.
    pairs: Pairs,
    graph: Graph,
}

impl SolutionMap {
    /// Builds the map of a problem's packings, in the order of [`visit`].
    ///
    /// # Errors
    /// Fails if there are more than [`MAX_MAP_PACKINGS`] up to symmetry, a limit or a stop comes first, or the figure
    /// cannot be searched. The number of too many packings is exact if a count ends soon.
    pub fn new(problem: &Problem<'_>, limits: Limits<'_>) -> Result<Self, MapError> {
        let soon = Some(limits.nodes.map_or(EXACT_COUNT_NODES, |most| most.min(EXACT_COUNT_NODES)));
        let outcome = count(problem, Limits { nodes: soon, ..limits })?.outcome;
        if let Some(unique) = outcome.unique().filter(|&unique| unique > MAX_MAP_PACKINGS.into()) {
            return Err(MapError::TooMany(unique));
        }
        let (places, packings) = least_packings(problem, limits)?;
        let exchanges = Exchanges::new(&places, &packings);
        let pairs = exchanges.pairs(&places, &packings, limits);
        if limits.stopped() {
            return Err(MapError::Stopped);
        }
        let graph = Graph::new(packings.len(), pairs.two.iter().chain(&pairs.three).copied());
        Ok(Self { places, packings, exchanges, pairs, graph })
    }

    /// Returns the number of packings up to symmetry.
    pub fn vertices(&self) -> usize {
        self.packings.len()
    }

    /// Returns the vertex of a packing, which may be any of its images. `None` if it is not a packing of the figure.
    pub fn number_of(&self, packing: &[Placement]) -> Option<usize> {
        let mut places: Vec<u32> =
            packing.iter().map(|place| self.places.number(place)).collect::<Option<_>>()?;
        places.sort_unstable();
        let least = self.places.least(&places);
        self.packings.iter().position(|packing| *packing == least)
    }

    /// Returns the pieces of a vertex's packing, each with its cells.
    pub fn packing(&self, vertex: usize) -> Vec<&Placement> {
        self.packings[vertex].iter().map(|&place| self.places.place(place)).collect()
    }

    /// Returns the pairs of packings, ascending, that differ by two pieces.
    pub fn edges_2(&self) -> &[(u32, u32)] {
        &self.pairs.two
    }

    /// Returns the pairs, ascending, that differ by three pieces but not two.
    pub fn edges_3(&self) -> &[(u32, u32)] {
        &self.pairs.three
    }

    /// Returns the sizes of the connected components, the largest first.
    pub fn components(&self) -> Vec<usize> {
        self.graph.component_sizes()
    }

    /// Returns the number of packings without neighbors.
    pub fn solitary(&self) -> usize {
        (0..self.vertices()).filter(|&vertex| self.graph.neighbors(vertex).is_empty()).count()
    }

    /// Returns the largest distance between two packings of a component of the largest size, in moves. If several
    /// components have that size, it is the largest of all of them.
    ///
    /// ```
    /// use somacat_counting::map::SolutionMap;
    /// use somacat_counting::solve::{Limits, Problem};
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// // Of the cube's 240 packings, 239 are connected. Eight moves lead from any of them to any other.
    /// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
    /// let map = SolutionMap::new(&Problem::new(&cube, &soma), Limits::default())?;
    /// assert_eq!(map.diameter(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn diameter(&self) -> usize {
        self.graph.diameter()
    }

    /// Returns the packings joined to one, ascending.
    pub fn neighbors(&self, vertex: usize) -> &[u32] {
        self.graph.neighbors(vertex)
    }

    /// Returns the moves from a packing to others, by destination. A move of three pieces is left out if two are
    /// enough.
    pub fn exchanges(&self, vertex: usize) -> Vec<Exchange> {
        let mut exchanges = Vec::new();
        for (number, pairs) in [(2, &self.pairs.two), (3, &self.pairs.three)] {
            let mut steps = self.exchanges.from(&self.places, &self.packings[vertex], number);
            steps.retain(|(to, _)| pairs.binary_search(&ordered(vertex as u32, *to)).is_ok());
            exchanges
                .extend(steps.into_iter().map(|(to, moving)| Exchange { to: to as usize, moving }));
        }
        // Steps to the same packing are in the order of the choices of pieces. Each choice occurs once, however its
        // pieces are placed.
        exchanges.sort_by_key(|exchange| exchange.to);
        exchanges.dedup();
        exchanges
    }
}

/// Returns the least packing of each class, and all packings' places.
fn least_packings(
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<(Places, Vec<Vec<u32>>), MapError> {
    let (mut places, mut packings) = (Places::new(problem), Vec::new());
    let (mut raw, mut least) = (0, 0);
    let report = visit(problem, limits, &mut |packing| {
        let packing = places.packing(packing);
        raw += 1;
        if places.is_least(&packing) {
            packings.push(packing);
        }
        least = least_classes(raw, places.order()).max(packings.len() as u64);
        if least > MAX_MAP_PACKINGS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match report.outcome {
        _ if limits.stopped() => Err(MapError::Stopped),
        _ if least > MAX_MAP_PACKINGS => Err(MapError::AtLeast(least.into())),
        outcome if outcome.is_exact() => Ok((places, packings)),
        _ => Err(MapError::Undecided(raw.into())),
    }
}

/// Returns the least number of classes that `raw` packings can form: no class has more packings than there are
/// symmetries. A figure without any place has only the packing without pieces.
fn least_classes(raw: u64, symmetries: usize) -> u64 {
    raw.div_ceil(symmetries.max(1) as u64)
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
