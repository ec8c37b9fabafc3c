//! The buildable figures of a symmetry class, found together with their packings.
//!
//! Most symmetric figures are not buildable: the classes of order 2 have billions of figures with 27 cells, and at
//! most one in a thousand has a packing. So this search does not list figures. The placement of a piece adds its
//! images under the group to the figure, and further pieces must cover these. After a few pieces the figure is
//! complete. Every figure found has a packing. A figure is found once for each of its packings, of which there are
//! few.
//!
//! This requires groups whose order is a power of two (2-groups) and an odd number of cells. Orbits then have 1, 2,
//! 4 … cells, so the whole group fixes some cell of every figure. The group therefore acts about the center of a
//! cell, and the fixed cells have a *median* in some order of the lattice. The search begins there (`search.rs`).
//! It assumes nothing about other cells, except that equally many fixed cells come before and after the median.
//! Isometries that preserve or reverse the order keep the median, so the piece that covers it is placed once up to
//! them.
//!
//! A hash of the first two placements cuts the search into [`SHARDS`]. A figure belongs to the first of the shards
//! that reach it (`figure_owner.rs`). So shards can be searched in any order, on any machine, without knowledge of each
//! other.
//!
//! ```
//! use somacat_counting::buildable::{Buildable, SHARDS};
//! use somacat_geometry::pieces::parse_set;
//! use somacat_geometry::symmetry::Class;
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//!
//! let inversion = Class::matching("Ci").expect("a class")[0];
//! let search = Buildable::new(inversion, false, &parse_set("V L T").expect("a set"))?;
//! let (mut figures, stop) = (0, AtomicBool::new(false));
//! let flow = search.for_each_shard(0..SHARDS, &stop, |_, shard| Some(shard.len()), &mut |_, number| {
//!     figures += number;
//!     ControlFlow::Continue(())
//! });
//! assert_eq!((flow, figures), (ControlFlow::Continue(()), 21));
//! # Ok::<(), somacat_counting::buildable::BuildableError>(())
//! ```

mod board;
mod estimate;
mod figure_owner;
mod hash;
mod key;
mod placements;
mod random;
mod search;

pub use estimate::BuildableEstimate;

use crate::in_order::in_order;
use board::OrbitBoard;
use figure_owner::FigureOwner;
use placements::PlacementTrees;
use rustc_hash::FxHashSet;
use search::{BoardPlacement, FigureSearch};
use somacat_geometry::figure::{Candidate, Figure, Identity};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The most cells of a figure, which bounds the distance of a connected figure's cells from the root.
const MAX_CELLS: usize = 31;

/// The most kinds of pieces: there is a list of placements for every subset of kinds.
const MAX_KINDS: usize = 10;

/// The most cells of a piece.
const MAX_PIECE: usize = 8;

/// The number of shards of a search: about one for each pair of first placements of a large class.
pub const SHARDS: u64 = 1 << 14;

/// The reason why the search is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildableError {
    /// The order of the group is not a power of two.
    #[error(
        "figures and packings are searched together for groups of order 1, 2, 4, 8 and 16; {class} has \
         order {order}"
    )]
    Class {
        /// The class.
        class: &'static str,
        /// The order of its groups.
        order: usize,
    },
    /// The pieces fill an even number of cells.
    #[error(
        "figures and packings are searched together for an odd number of cells; {set} fills {cells}"
    )]
    EvenCells {
        /// The set.
        set: String,
        /// The number of cells that it fills.
        cells: usize,
    },
    /// The set is too large.
    #[error(
        "figures and packings are searched together for sets of up to {MAX_CELLS} cells and \
         {MAX_KINDS} kinds of pieces, of up to {MAX_PIECE} cells each; {0} is larger"
    )]
    Set(String),
}

/// The search for the figures of a class that a set builds.
#[derive(Debug)]
pub struct Buildable {
    class: Class,
    exact: bool,
    set: PieceSet,
    identity: Identity,
    board: OrbitBoard,
    placements: PlacementTrees,
    /// The first placements of the search.
    firsts: Vec<BoardPlacement>,
    /// The first placements of each shard.
    shards: Vec<Vec<BoardPlacement>>,
    owner: FigureOwner,
}

impl Buildable {
    /// Creates the search for buildable figures of a class.
    ///
    /// Their group contains a group of `class` or, with `exact`, is one.
    ///
    /// # Errors
    /// If the order of the class is not a power of two, or the set fills an even number of cells or is too large.
    pub fn new(class: Class, exact: bool, set: &PieceSet) -> Result<Self, BuildableError> {
        let (order, cells) = (class.order(), set.total_cells());
        if !order.is_power_of_two() {
            return Err(BuildableError::Class { class: class.name(), order });
        }
        if cells.is_multiple_of(2) {
            return Err(BuildableError::EvenCells { set: set.name().to_owned(), cells });
        }
        let large = set.pieces().iter().any(|(piece, _)| piece.size() > MAX_PIECE);
        if large || cells > MAX_CELLS || set.pieces().len() > MAX_KINDS {
            return Err(BuildableError::Set(set.name().to_owned()));
        }
        let identity = Identity::for_set(set);
        let board = OrbitBoard::new(class.groups()[0], identity);
        let placements = PlacementTrees::new(set);
        let go_on = AtomicBool::new(false);
        let mut search = FigureSearch::new(&board, &placements, &go_on);
        let firsts = search.first_placements();
        let (mut shards, mut owner) = (vec![Vec::new(); SHARDS as usize], FigureOwner::default());
        for first in &firsts {
            let (next, own) = search.next_after_first(first);
            own.into_iter().for_each(|shard| shards[shard as usize].push(*first));
            owner.add(first, next);
        }
        let set = set.clone();
        Ok(Self { class, exact, set, identity, board, placements, firsts, shards, owner })
    }

    /// Returns the class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Returns the pieces.
    #[must_use]
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// Searches shards on all threads and applies `work` to each shard's figures.
    ///
    /// The figures are ascending by signature.
    ///
    /// The results reach `emit` on this thread, in the order of the shards. Ends early if `work` returns `None`,
    /// `emit` breaks, or `stop` is set (within a fraction of a second). Each figure belongs to one shard. The
    /// figures of a few shards are in memory at a time, half a kilobyte each.
    pub fn for_each_shard<T: Send>(
        &self,
        shards: Range<u64>,
        stop: &AtomicBool,
        work: impl Fn(u64, Vec<Candidate>) -> Option<T> + Sync,
        emit: &mut dyn FnMut(u64, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let tasks = shards.start as usize..shards.end.min(SHARDS) as usize;
        let work = |shard: usize| {
            let figures = self.shard(shard as u64, stop)?;
            work(shard as u64, figures)
        };
        in_order(tasks, rayon::current_num_threads(), work, &mut |shard, result| {
            emit(shard as u64, result)
        })
    }

    /// Returns the figures of a shard, ascending. `None` if `stop` is set.
    fn shard(&self, shard: u64, stop: &AtomicBool) -> Option<Vec<Candidate>> {
        let firsts = &self.shards[shard as usize];
        if firsts.is_empty() {
            return (!stop.load(Relaxed)).then(Vec::new);
        }
        let (mut known, mut figures) = (FxHashSet::default(), Vec::new());
        let mut search = FigureSearch::new(&self.board, &self.placements, stop);
        search.shard(shard, firsts, &mut |figure, _| {
            if known.insert(hash::key(&self.board, figure)) {
                figures.push(self.figure(figure));
            }
            true
        });
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut signatures = FxHashSet::default();
        for figure in figures {
            if stop.load(Relaxed) {
                return None;
            }
            let candidate = Candidate::new(figure, self.identity);
            // A figure may have several groups of the class.
            if self.is_wanted(&candidate)
                && signatures.insert(candidate.signature().clone())
                && !self.is_reached_before(shard, &candidate, stop)
            {
                candidates.push(candidate);
            }
        }
        candidates.sort_unstable_by(|a, b| a.signature().cmp(b.signature()));
        (!stop.load(Relaxed)).then_some(candidates)
    }

    /// Searches about `most` nodes to measure the time of a node.
    ///
    /// Returns the number of nodes, which is smaller if the whole search is.
    #[must_use]
    pub fn search_nodes(&self, most: u64, stop: &AtomicBool) -> u64 {
        let mut search = FigureSearch::new(&self.board, &self.placements, stop);
        search.limit(most);
        for shard in 0..SHARDS {
            if search.steps() >= most || stop.load(Relaxed) {
                break;
            }
            search.shard(shard, &self.shards[shard as usize], &mut |_, _| true);
        }
        search.steps()
    }

    /// Returns `true` if an earlier shard reaches the figure.
    fn is_reached_before(&self, shard: u64, candidate: &Candidate, stop: &AtomicBool) -> bool {
        let mut before = false;
        self.for_each_way(candidate, stop, &mut |way| {
            before = way < shard;
            if before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        before
    }

    /// Visits the shard of each way to reach a figure.
    fn for_each_way(
        &self,
        candidate: &Candidate,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) {
        self.owner.for_each_way(self.class.groups()[0], candidate, &self.set, stop, visit);
    }

    fn is_wanted(&self, candidate: &Candidate) -> bool {
        !self.exact || candidate.class() == self.class
    }

    fn figure(&self, cells: &[u32]) -> Figure {
        let figure = Figure::new(cells.iter().map(|&at| board::cell(at)));
        figure.expect("a figure has cells, each once, near the root")
    }
}
