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
//! A hash of the first two placements cuts the search into [`SHARDS`], and one of the third cuts each shard into
//! [`SLICES`]. A figure belongs to the first of the slices that reach it (`figure_owner.rs`). So they can be searched
//! in any order, on any machine, without knowledge of each other.
//!
//! ```
//! use somacat_counting::buildable::Buildable;
//! use somacat_geometry::pieces::parse_set;
//! use somacat_geometry::symmetry::Class;
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//!
//! let inversion = Class::matching("Ci").expect("a class")[0];
//! let search = Buildable::new(inversion, false, &parse_set("V L T").expect("a set"))?;
//! let (mut figures, stop) = (0, AtomicBool::new(false));
//! let flow = search.for_each_slice(Buildable::ALL, &stop, |some| Some(some.len()), &mut |_, number| {
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
use figure_owner::{FigureOwner, Way};
use placements::PlacementTrees;
use rustc_hash::FxHashMap;
use search::{BoardPlacement, FigureSearch};
use somacat_geometry::figure::{Candidate, Figure, Identity};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::collections::hash_map::Entry;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The most cells of a figure, which bounds the distance of a connected figure's cells from the root.
const MAX_CELLS: usize = 31;

/// The most kinds of pieces: there is a list of placements for every subset of kinds.
const MAX_KINDS: usize = 10;

const MAX_PIECE: usize = 8;

/// The number of shards of a search: about one for each pair of first placements of a large class.
pub const SHARDS: u64 = 1 << 14;

/// The number of slices of a shard. The largest shards of order 2 take minutes, their slices about a second.
pub const SLICES: u64 = 1 << 8;

/// The nodes and figures up to which a shard is searched as a whole: about five seconds each.
const WHOLE_NODES: u64 = 1 << 25;
const WHOLE_FIGURES: usize = 1 << 16;

/// The reason why the search is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum BuildableError {
    #[error(
        "figures and packings are searched together for groups of order 1, 2, 4, 8 and 16; {class} has \
         order {order}"
    )]
    Class { class: &'static str, order: usize },
    #[error(
        "figures and packings are searched together for an odd number of cells; {set} fills {cells}"
    )]
    EvenCells { set: String, cells: usize },
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
        Ok(Self { class, exact, set, identity, board, placements, shards, owner })
    }

    /// Returns the class.
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Returns the pieces.
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// All slices of all shards. Slice `s` of shard `n` has the number `n * SLICES + s`.
    pub const ALL: Range<u64> = 0..SHARDS * SLICES;

    /// Searches slices on all threads and applies `work` to their figures.
    ///
    /// The results reach `emit` on this thread, in order, each with the number of the next slice: for a shard at once
    /// or, if shards take long, for each slice. Each figure belongs to one slice. Figures are in the order of their
    /// slices, and ascending by signature in each.
    ///
    /// Ends early if `work` returns `None`, `emit` breaks, or `stop` is set (within a fraction of a second). The
    /// figures of a few shards or slices are in memory at a time, half a kilobyte each.
    pub fn for_each_slice<T: Send>(
        &self,
        slices: Range<u64>,
        stop: &AtomicBool,
        work: impl Fn(Vec<Candidate>) -> Option<T> + Sync,
        emit: &mut dyn FnMut(u64, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let threads = rayon::current_num_threads();
        let end = slices.end.min(Self::ALL.end);
        let shards = (slices.start / SLICES) as usize..end.div_ceil(SLICES) as usize;
        let of_shard = |shard: usize| {
            let first = shard as u64 * SLICES;
            slices.start.max(first)..end.min(first + SLICES)
        };
        // If one shard takes long, the others are not tried as a whole.
        let in_slices = AtomicBool::new(false);
        let whole = |shard: usize| {
            let is_whole = of_shard(shard).count() as u64 == SLICES;
            if !is_whole || in_slices.load(Relaxed) {
                return Some(None);
            }
            match self.figures(shard as u64, None, stop) {
                Some(figures) => work(figures).map(Some),
                None if stop.load(Relaxed) => None,
                None => {
                    in_slices.store(true, Relaxed);
                    Some(None)
                }
            }
        };
        in_order(shards, threads, whole, &mut |shard, result| match result {
            Some(result) => emit((shard as u64 + 1) * SLICES, result),
            None => {
                let Range { start, end } = of_shard(shard);
                let slice =
                    |at: usize| work(self.figures(shard as u64, Some(at as u64 % SLICES), stop)?);
                in_order(start as usize..end as usize, threads, slice, &mut |at, result| {
                    emit(at as u64 + 1, result)
                })
            }
        })
    }

    /// Returns the figures of a shard or of one of its slices. `None` if the shard takes long or `stop` is set.
    fn figures(&self, shard: u64, slice: Option<u64>, stop: &AtomicBool) -> Option<Vec<Candidate>> {
        let firsts = &self.shards[shard as usize];
        if firsts.is_empty() {
            return (!stop.load(Relaxed)).then(Vec::new);
        }
        let (mut known, mut figures) = (FxHashMap::default(), Vec::new());
        let mut search = FigureSearch::new(&self.board, &self.placements, stop);
        let (most_nodes, most_figures) =
            if slice.is_none() { (WHOLE_NODES, WHOLE_FIGURES) } else { (u64::MAX, usize::MAX) };
        search.limit(most_nodes);
        search.shard(shard, slice, firsts, &mut |reached| {
            let own = known.entry(hash::key(&self.board, reached.cells)).or_insert_with(|| {
                figures.push((self.figure(reached.cells), reached.slice));
                figures.len() - 1
            });
            let first_slice: &mut u64 = &mut figures[*own].1;
            *first_slice = reached.slice.min(*first_slice);
            figures.len() <= most_figures
        });
        if search.steps() >= most_nodes || figures.len() > most_figures {
            return None;
        }
        let mut candidates: Vec<(u64, Candidate)> = Vec::new();
        let mut signatures = FxHashMap::default();
        for (figure, first_slice) in figures {
            if stop.load(Relaxed) {
                return None;
            }
            let candidate = Candidate::new(figure, self.identity);
            if !self.is_wanted(&candidate) {
                continue;
            }
            // A figure may have several groups of the class.
            match signatures.entry(candidate.signature().clone()) {
                Entry::Occupied(known) => {
                    let own: &mut (u64, Candidate) = &mut candidates[*known.get()];
                    own.0 = first_slice.min(own.0);
                }
                Entry::Vacant(new) => {
                    new.insert(candidates.len());
                    candidates.push((first_slice, candidate));
                }
            }
        }
        let is_own = |(_, candidate): &(u64, Candidate)| {
            !stop.load(Relaxed)
                && !self.is_reached_before(shard, slice, candidate, &mut search, stop)
        };
        candidates.retain(is_own);
        candidates.sort_unstable_by(|(slice, a), (other, b)| {
            slice.cmp(other).then_with(|| a.signature().cmp(b.signature()))
        });
        let figures = candidates.into_iter().map(|(_, candidate)| candidate).collect();
        (!stop.load(Relaxed)).then_some(figures)
    }

    /// Returns `true` if an earlier shard, or an earlier slice than the given one, reaches the figure.
    fn is_reached_before(
        &self,
        shard: u64,
        slice: Option<u64>,
        candidate: &Candidate,
        search: &mut FigureSearch<'_>,
        stop: &AtomicBool,
    ) -> bool {
        let mut before = false;
        self.for_each_way(candidate, stop, &mut |way| {
            let mut is_in_earlier_slice = || slice.is_some_and(|own| search.slice_of(&way) < own);
            before = way.shard < shard || (way.shard == shard && is_in_earlier_slice());
            if before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        before
    }

    fn for_each_way(
        &self,
        candidate: &Candidate,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(Way<'_>) -> ControlFlow<()>,
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
