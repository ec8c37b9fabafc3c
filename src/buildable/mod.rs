//! The figures of a symmetry class that can be built, found together with their packings.
//!
//! Most symmetric figures cannot be built: of the classes of order 2 there are thousands of millions with 27 cells, and
//! one in a thousand or fewer has a packing. So the figures are not listed here. A placement of a piece brings its
//! images under the group into the figure, these have to be covered by further pieces, and soon the figure has all its
//! cells. Whatever is reached is a figure with a packing; a figure comes once for each of its packings, and those are
//! few.
//!
//! This works for groups whose order is a power of two (2-groups) and an odd number of cells. Orbits have 1, 2, 4 …
//! cells then, so some cell of every figure is fixed by the whole group, which therefore acts about the center of a
//! cell, and the fixed cells have a *median* in some order of the lattice. The search begins there (`search.rs`):
//! nothing is said about other cells, only that as many fixed cells come to lie before it as after it. Isometries
//! that keep the order or turn it around keep the median, so the piece that covers it is placed once up to them.
//!
//! The search is cut into [`SHARDS`] by a hash of its first two placements. A figure is passed on with the first of the
//! shards that reach it (`trace.rs`), so shards can be searched in any order, anywhere, and none has to know what the
//! others found.
//!
//! ```
//! use somacat::buildable::{Buildable, SHARDS};
//! use somacat::pieces::parse_set;
//! use somacat::symmetry::Class;
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
//! # Ok::<(), somacat::buildable::BuildableError>(())
//! ```

mod board;
mod estimate;
mod hash;
mod key;
mod placements;
mod random;
mod search;
mod trace;

pub use estimate::Estimate;

use crate::figure::{Candidate, Figure, Identity};
use crate::in_order::in_order;
use crate::pieces::PieceSet;
use crate::symmetry::Class;
use board::Board;
use placements::Placements;
use rustc_hash::FxHashSet;
use search::{Placement, Search};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use trace::Trace;

/// A connected figure reaches no further than this from one of its cells.
pub const MAX_CELLS: usize = 31;

/// The most kinds of pieces: placements are listed for every choice of kinds.
pub const MAX_KINDS: usize = 10;

/// The most cells of a piece.
pub const MAX_PIECE: usize = 8;

/// The search is cut into so many shards.
pub const SHARDS: u64 = 1024;

/// Why the figures of a class cannot be found with their packings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildableError {
    /// The order of the group is not a power of two.
    #[error(
        "figures and packings are searched together for groups of order 1, 2, 4, 8 and 16; {class} has \
         order {order}"
    )]
    Class {
        /// The class.
        class: &'static str,
        /// Its order.
        order: usize,
    },
    /// The pieces fill an even number of cells.
    #[error(
        "figures and packings are searched together for an odd number of cells; {set} fills {cells}"
    )]
    EvenCells {
        /// The set.
        set: String,
        /// Cells that it fills.
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
    board: Board,
    placements: Placements,
    /// The placements that the search begins with.
    firsts: Vec<Placement>,
    /// Those of them that each shard begins with.
    shards: Vec<Vec<Placement>>,
    trace: Trace,
}

impl Buildable {
    /// The search for figures whose group contains a group of `class` or, with `exact`, is one.
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
        let board = Board::new(class.groups()[0], identity);
        let placements = Placements::new(set);
        let go_on = AtomicBool::new(false);
        let mut search = Search::new(&board, &placements, &go_on);
        let firsts = search.first_placements();
        let (mut shards, mut trace) = (vec![Vec::new(); SHARDS as usize], Trace::default());
        for first in &firsts {
            let (next, own) = search.opening(first);
            own.into_iter().for_each(|shard| shards[shard as usize].push(*first));
            trace.add(first, next);
        }
        let set = set.clone();
        Ok(Self { class, exact, set, identity, board, placements, firsts, shards, trace })
    }

    /// The class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Whether the group of the figures is of the class, and not larger.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// The pieces.
    #[must_use]
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// Up to which transforms figures are identified.
    #[must_use]
    pub const fn identity(&self) -> Identity {
        self.identity
    }

    /// Searches shards on all threads. What `work` makes of the figures of one, ascending by signature, reaches `emit` on
    /// this thread, in the order of the shards, until `work` returns nothing, `emit` breaks, or `stop` is set, which is
    /// obeyed within a fraction of a second. Each figure belongs to one shard. The figures of some shards are
    /// in memory at a time, half a kilobyte each.
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

    /// The figures of a shard, ascending; nothing if it was stopped.
    fn shard(&self, shard: u64, stop: &AtomicBool) -> Option<Vec<Candidate>> {
        let firsts = &self.shards[shard as usize];
        if firsts.is_empty() {
            return (!stop.load(Relaxed)).then(Vec::new);
        }
        let (mut known, mut figures) = (FxHashSet::default(), Vec::new());
        let mut search = Search::new(&self.board, &self.placements, stop);
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

    /// Searches for some time, to see how long a node takes; returns the nodes, about `most` or all that there are.
    #[must_use]
    pub fn try_nodes(&self, most: u64, stop: &AtomicBool) -> u64 {
        let mut search = Search::new(&self.board, &self.placements, stop);
        search.limit(most);
        for shard in 0..SHARDS {
            if search.steps() >= most || stop.load(Relaxed) {
                break;
            }
            search.shard(shard, &self.shards[shard as usize], &mut |_, _| true);
        }
        search.steps()
    }

    /// Whether a shard before this one reaches a figure.
    fn is_reached_before(&self, shard: u64, candidate: &Candidate, stop: &AtomicBool) -> bool {
        let mut before = false;
        self.for_each_way(candidate, stop, &mut |way| {
            before = way < shard;
            if before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        before
    }

    /// Shows the shard of each way in which the search reaches a figure.
    fn for_each_way(
        &self,
        candidate: &Candidate,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) {
        self.trace.for_each_way(self.class.groups()[0], candidate, &self.set, stop, visit);
    }

    fn is_wanted(&self, candidate: &Candidate) -> bool {
        !self.exact || candidate.class() == self.class
    }

    fn figure(&self, cells: &[u32]) -> Figure {
        let figure = Figure::new(cells.iter().map(|&at| board::cell(at)));
        figure.expect("a figure has cells, each once, near the root")
    }
}
