//! The ways in which the search reaches a figure, and the shard that owns it.
//!
//! The search reaches a figure several times, in different shards, and shards know nothing of each other: they may be
//! searched on different machines. A figure is to be listed by exactly one of them. So a shard that reaches a figure
//! asks in which shards the search reaches it, without searching these. It lists the figure if none of them is earlier.
//!
//! # Why it is right
//!
//! The search reaches a figure once for each *way*: a position about the root and a packing, of which the piece at the
//! root is one of the first placements. All positions and packings of the figure can be listed: positions are the
//! images under transforms that keep the board's group among the symmetries, moved so that the root is the median of
//! the cells that this group fixes, and the solver lists the packings. After the first placement the search covers one
//! certain cell next, which is looked up ([`FigureOwner`]), and the packing has one piece there. These two placements
//! are hashed to the shard. So the shards of all ways are known, and every machine computes the same owner, the least
//! of them.
//!
//! Within its shard, a figure belongs to the first slice that reaches it. The slice depends on the third and later
//! placements; for these, the search follows the way (`FigureSearch::is_before`). A figure reached in a random sample
//! of the search counts less the more ways it has, so that each figure has the same expected weight (`estimate.rs`).
//!
//! # What it costs
//!
//! A search for all packings of each figure that a shard reaches, and a few look-ups for each packing and position. It
//! ends at the first way that leads to an earlier shard. Memory is one entry for each first placement.
//!
//! # Example
//!
//! V, L and T under the inversion: the search begins with 9 first placements.
//!
//! ```text
//! s1-3x3x5-0c0je9060    24 positions, 2 packings; 4 of the 48 pairs have a first placement at the root
//! their shards          1456, 5139, 16110 and 14694, so shard 1456 lists the figure, and the others drop it
//! all 21 figures        together 40 ways, which is how often the search reaches a figure
//! ```

use super::hash::{shard, sum};
use super::search::{BoardPlacement, Next};
use super::way::{PackingIndex, Position, SortedCells, Way};
use crate::solve::{self, Limits, Problem};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Candidate;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Group;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The next step of the search after each of its first placements.
#[derive(Default, Debug)]
pub(super) struct FigureOwner(FxHashMap<SortedCells, Next>);

impl FigureOwner {
    pub(super) fn add(&mut self, first: &BoardPlacement, next: Next) {
        self.0.insert(SortedCells::new(first.cells().iter().copied()), next);
    }

    /// Visits each way to reach a figure. Ends early if `visit` breaks or `stop` is set.
    pub(super) fn for_each_way(
        &self,
        group: Group,
        candidate: &Candidate,
        set: &PieceSet,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(Way<'_>) -> ControlFlow<()>,
    ) {
        let cells = candidate.figure().cells();
        let positions = Position::all(group, candidate);
        let mut own = PackingIndex::default();
        let problem = Problem::with_group(candidate.figure(), set, candidate.group());
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let report = solve::visit(&problem, limits, &mut |packing| {
            own.set(cells, packing);
            let way = |position| {
                Some(Way { shard: self.shard(position, &own)?, position, packing: &own })
            };
            positions.iter().filter_map(way).try_for_each(&mut *visit)
        });
        report.expect("a figure of so few cells can be searched");
    }

    /// Returns the shard in which the search reaches a figure in a position with a packing. `None` if the piece at the
    /// root is not one of the first placements: then the search reaches an image of this way instead.
    fn shard(&self, position: &Position, packing: &PackingIndex) -> Option<u64> {
        let first = packing.covering(position.root, position);
        let covered_next = match self.0.get(&first)? {
            Next::End => return Some(0),
            Next::Cover(cell) => *cell,
            Next::AddOrbit(orbits) => {
                orbits.iter().find(|(orbit, _)| position.index(*orbit).is_some())?.1
            }
        };
        let second = packing.covering(position.index(covered_next?)?, position);
        Some(shard(sum(first.cells()), second.cells()))
    }
}
