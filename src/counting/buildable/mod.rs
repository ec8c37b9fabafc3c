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
//! The steps, by file: `board.rs` has the lattice about the median with its orbits, `placements.rs` the placements that
//! cover a cell, `search.rs` the search, `hash.rs` the hashes of figures and placements, `figure_owner.rs` the shard to
//! which a figure belongs, and `estimate.rs` numbers and times before a search.
//!
//! A hash of the first two placements cuts the search into [`SHARDS`], and those of the next three cut each shard into
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
mod search;
mod sizes;
mod way;

pub use estimate::{BuildableEstimate, ShardEstimate};
pub use sizes::{SHARDS, SLICES};

use crate::in_order::in_order;
use board::OrbitBoard;
use figure_owner::FigureOwner;
use placements::PlacementTrees;
use rustc_hash::FxHashMap;
use search::{BoardPlacement, FigureSearch};
use sizes::{MAX_BUILDABLE_CELLS, MAX_KINDS, MAX_PIECE, SLICE_BITS};
use somacat_geometry::figure::{Candidate, Equivalence, Figure};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::collections::hash_map::Entry;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use way::Way;

/// The most that is searched together: a shard, or as much of it as takes some seconds.
const MOST_TOGETHER: PartLimits = PartLimits { slices: SLICES, nodes: 1 << 24, figures: 1 << 15 };

/// Limits of a part of a search. A part that exceeds one is searched again in finer parts.
#[derive(Clone, Copy, Debug)]
struct PartLimits {
    /// The number of slices of a part.
    slices: u64,
    /// The most nodes of its search.
    nodes: u64,
    /// The most figures that it reaches.
    figures: usize,
}

impl PartLimits {
    const WHOLE: Self = Self { slices: SLICES, nodes: u64::MAX, figures: usize::MAX };
}

/// The reason why the search is not possible.
///
/// ```
/// use somacat_counting::buildable::{Buildable, BuildableError};
/// use somacat_geometry::pieces::PieceSet;
/// use somacat_geometry::symmetry::Class;
///
/// // The order of the group must be a power of two.
/// let third_turn = Class::matching("C3").unwrap()[0];
/// let error = Buildable::new(third_turn, false, &PieceSet::soma(1)).unwrap_err();
/// assert_eq!(error, BuildableError::Class { class: "C3", order: 3 });
/// ```
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
        "figures and packings are searched together for sets of up to {MAX_BUILDABLE_CELLS} cells and \
         {MAX_KINDS} kinds of pieces, of up to {MAX_PIECE} cells each; {0} is larger"
    )]
    Set(String),
}

/// The search for the figures of a class that a set builds.
///
/// ```
/// use somacat_counting::buildable::{Buildable, SHARDS, SLICES};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
///
/// let set = parse_set("V L T").unwrap();
/// let search = Buildable::new(Class::matching("D2(face)").unwrap()[0], true, &set)?;
/// assert_eq!(search.class().order(), 4);
/// // Every search is cut into equally many shards and slices, the same on every machine.
/// assert_eq!(Buildable::ALL, 0..SHARDS * SLICES);
/// # Ok::<(), somacat_counting::buildable::BuildableError>(())
/// ```
#[derive(Debug)]
pub struct Buildable {
    class: Class,
    /// True if figures with more symmetry are left out.
    exact: bool,
    set: PieceSet,
    /// The transforms up to which figures are listed.
    equivalence: Equivalence,
    board: OrbitBoard,
    placements: PlacementTrees,
    /// For each shard, the first placements of the pairs that lead to it.
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
        if large || cells > MAX_BUILDABLE_CELLS || set.pieces().len() > MAX_KINDS {
            return Err(BuildableError::Set(set.name().to_owned()));
        }
        let equivalence = Equivalence::for_set(set);
        let board = OrbitBoard::new(class.groups()[0], equivalence);
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
        Ok(Self { class, exact, set, equivalence, board, placements, shards, owner })
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
    /// The results reach `emit` on this thread, in order, each with the number of the next slice. A result covers a
    /// shard or, if shards take long, as many slices as take some seconds. Each figure belongs to one slice. Figures
    /// are in the order of their slices, and ascending by signature in each.
    ///
    /// Ends early if `work` returns `None`, `emit` breaks, or `stop` is set (within a fraction of a second). The
    /// figures of a few shards are in memory at a time, half a kilobyte each.
    pub fn for_each_slice<T: Send>(
        &self,
        slices: Range<u64>,
        stop: &AtomicBool,
        work: impl Fn(Vec<Candidate>) -> Option<T> + Sync,
        emit: &mut dyn FnMut(u64, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let slices = slices.start..slices.end.min(Self::ALL.end);
        self.for_each_part(slices, MOST_TOGETHER, stop, &work, emit)
    }

    /// Searches parts of `limits.slices` slices. Those that exceed the other limits are searched in finer parts.
    fn for_each_part<T: Send>(
        &self,
        slices: Range<u64>,
        limits: PartLimits,
        stop: &AtomicBool,
        work: &(impl Fn(Vec<Candidate>) -> Option<T> + Sync),
        emit: &mut dyn FnMut(u64, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let each = limits.slices;
        let part = |at: usize| {
            let first = at as u64 * each;
            slices.start.max(first)..slices.end.min(first + each)
        };
        let parts = (slices.start / each) as usize..slices.end.div_ceil(each) as usize;
        // If one shard takes long, the others are not tried as a whole; nor is one continued in its middle.
        let takes_long = AtomicBool::new(false);
        let limits_of_part = if each == 1 { PartLimits::WHOLE } else { limits };
        let finer = PartLimits { slices: each >> SLICE_BITS, ..limits };
        let try_part = |at: usize| {
            let part = part(at);
            let is_whole = part.end - part.start == SLICES;
            if each == SLICES && (!is_whole || takes_long.load(Relaxed)) {
                return Some(None);
            }
            match self.figures(part, limits_of_part, stop) {
                Some(figures) => work(figures).map(Some),
                None if stop.load(Relaxed) => None,
                None => {
                    takes_long.store(true, Relaxed);
                    Some(None)
                }
            }
        };
        let threads = rayon::current_num_threads();
        in_order(parts, threads, try_part, &mut |at, result| match result {
            Some(result) => emit(part(at).end, result),
            None => self.for_each_part(part(at), finer, stop, work, emit),
        })
    }

    fn search<'a>(&'a self, stop: &'a AtomicBool) -> FigureSearch<'a> {
        FigureSearch::new(&self.board, &self.placements, stop)
    }

    /// Returns the figures of slices of one shard. `None` if they exceed the limits or `stop` is set.
    fn figures(
        &self,
        slices: Range<u64>,
        limits: PartLimits,
        stop: &AtomicBool,
    ) -> Option<Vec<Candidate>> {
        let shard = slices.start / SLICES;
        let slices = slices.start - shard * SLICES..slices.end - shard * SLICES;
        let start = slices.start;
        let firsts = &self.shards[shard as usize];
        if firsts.is_empty() {
            return (!stop.load(Relaxed)).then(Vec::new);
        }
        let (mut known, mut figures) = (FxHashMap::default(), Vec::new());
        let mut search = self.search(stop);
        search.limit(limits.nodes);
        search.shard(shard, slices, firsts, &mut |reached| {
            let own = known.entry(hash::key(&self.board, reached.cells)).or_insert_with(|| {
                figures.push((self.figure(reached.cells), reached.slice));
                figures.len() - 1
            });
            let first_slice: &mut u64 = &mut figures[*own].1;
            *first_slice = reached.slice.min(*first_slice);
            figures.len() <= limits.figures
        });
        if search.steps() >= limits.nodes || figures.len() > limits.figures {
            return None;
        }
        let mut candidates: Vec<(u64, Candidate)> = Vec::new();
        let mut signatures = FxHashMap::default();
        for (figure, first_slice) in figures {
            if stop.load(Relaxed) {
                return None;
            }
            let candidate = Candidate::new(figure, self.equivalence);
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
                && !self.is_reached_before(shard, start, candidate, &mut search, stop)
        };
        candidates.retain(is_own);
        candidates.sort_unstable_by(|(slice, a), (other, b)| {
            slice.cmp(other).then_with(|| a.signature().cmp(b.signature()))
        });
        let figures = candidates.into_iter().map(|(_, candidate)| candidate).collect();
        (!stop.load(Relaxed)).then_some(figures)
    }

    /// Returns `true` if an earlier shard or slice reaches the figure. Earlier means before `shard`, or before `slice`
    /// of `shard`.
    fn is_reached_before(
        &self,
        shard: u64,
        slice: u64,
        candidate: &Candidate,
        search: &mut FigureSearch<'_>,
        stop: &AtomicBool,
    ) -> bool {
        let mut before = false;
        self.for_each_way(candidate, stop, &mut |way| {
            before = way.shard < shard || (way.shard == shard && search.is_before(slice, &way));
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

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::pieces::parse_set;

    #[test]
    fn small_parts_have_the_figures_of_whole_shards_in_order() {
        const FIGURES: usize = 12;
        let stop = AtomicBool::new(false);
        let mut parts = [0, 0];
        for (class, set) in [("C2(edge)", "V A L T Z"), ("C2v(edge)", "V L T Z A B P")] {
            let class = Class::matching(class).unwrap()[0];
            let search = Buildable::new(class, false, &parse_set(set).unwrap()).unwrap();
            for shard in (0..SHARDS).step_by(500) {
                let slices = shard * SLICES..(shard + 1) * SLICES;
                let figures = |limits: PartLimits, number: &mut usize| {
                    let (mut all, mut before) = (Vec::new(), slices.start);
                    let mut emit = |next, mut some: Vec<Candidate>| {
                        // Figures of one slice are not divided.
                        assert!(
                            next > before && (some.len() <= limits.figures || next == before + 1)
                        );
                        *number += usize::from(!some.is_empty());
                        before = next;
                        all.append(&mut some);
                        ControlFlow::Continue(())
                    };
                    let (part, end) = (slices.clone(), slices.end);
                    let flow = search.for_each_part(part, limits, &stop, &Some, &mut emit);
                    assert_eq!((flow, before), (ControlFlow::Continue(()), end));
                    all.iter().map(|one| one.signature().clone()).collect::<Vec<_>>()
                };
                let whole = figures(PartLimits::WHOLE, &mut parts[0]);
                let some = PartLimits { slices: SLICES, nodes: 1 << 14, figures: FIGURES };
                let some = figures(some, &mut parts[1]);
                assert!(whole == some, "{set} {shard}");
            }
        }
        assert!(parts[1] > 2 * parts[0], "{parts:?}: too weak a test");
    }
}
