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
//! ```
//! use somacat::buildable::Buildable;
//! use somacat::pieces::parse_set;
//! use somacat::symmetry::Class;
//! use std::sync::atomic::AtomicBool;
//!
//! let inversion = Class::matching("Ci").expect("a class")[0];
//! let search = Buildable::new(inversion, &parse_set("V L T").expect("a set"))?;
//! let figures = search.figures(&AtomicBool::new(false), &|| ()).expect("nothing stops it");
//! assert_eq!(figures.len(), 21);
//! # Ok::<(), somacat::buildable::BuildableError>(())
//! ```

mod board;
mod placements;
mod search;

use crate::figure::{Candidate, Identity, Signature};
use crate::pieces::PieceSet;
use crate::symmetry::Class;
use board::Board;
use placements::Placements;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::{Found, Search};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A connected figure reaches no further than this from one of its cells.
pub const MAX_CELLS: usize = 31;

/// The most kinds of pieces: placements are listed for every choice of kinds.
pub const MAX_KINDS: usize = 10;

/// The most cells of a piece.
pub const MAX_PIECE: usize = 8;

/// The search is cut into so many units, by the first two placements.
pub const UNITS: u64 = 256;

/// Why the figures of a class cannot be found with their packings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildableError {
    /// The order of the group is not a power of two, or it is 1.
    #[error(
        "figures and packings are searched together for groups of order 2, 4, 8 and 16; {class} has \
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
    identity: Identity,
    board: Board,
    placements: Placements,
}

impl Buildable {
    /// The search for figures whose group contains a group of `class`.
    ///
    /// # Errors
    /// If the order of the class is not 2, 4, 8 or 16, or the set fills an even number of cells or is too large.
    pub fn new(class: Class, set: &PieceSet) -> Result<Self, BuildableError> {
        let (order, cells) = (class.order(), set.total_cells());
        if order == 1 || !order.is_power_of_two() {
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
        Ok(Self { class, identity, board, placements: Placements::new(set) })
    }

    /// The class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Up to which transforms figures are identified.
    #[must_use]
    pub const fn identity(&self) -> Identity {
        self.identity
    }

    /// The signatures of all figures, ascending; nothing if it was stopped. `done` is called at the end of each of the
    /// [`UNITS`]. Takes some 150 bytes of memory for a figure.
    pub fn figures(&self, stop: &AtomicBool, done: &(dyn Fn() + Sync)) -> Option<Vec<Signature>> {
        let all: Mutex<FxHashSet<Signature>> = Mutex::default();
        (0..UNITS).into_par_iter().for_each(|unit| {
            let figures = self.unit(unit, stop);
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(figures);
            done();
        });
        if stop.load(Relaxed) {
            return None;
        }
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Signature> = all.into_iter().collect();
        all.par_sort_unstable();
        Some(all)
    }

    /// The different figures of a unit, in no order; some of them belong to other units, too. Those known so far if it
    /// is stopped.
    fn unit(&self, unit: u64, stop: &AtomicBool) -> Vec<Signature> {
        let mut found = Found::default();
        Search::new(&self.board, &self.placements, unit, stop).run(&mut found);
        let signature = |cells| Candidate::new(cells, self.identity).signature().clone();
        found.figures.into_iter().map(signature).collect()
    }
}
