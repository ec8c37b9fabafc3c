//! The shards to which a first placement leads, and whether a way to a figure leads to a slice before some other.
//!
//! The first two placements determine the shard. After a first placement, the next cell to cover is kept ([`Next`]), so
//! the shard of a way is known without a search. The third and later placements determine the slice. There are too many
//! to keep what follows each, so the search goes along the way, choosing the placements that the way has.

use super::{BoardPlacement, FigureSearch, Remaining, SHARD_DEPTH};
use crate::buildable::hash::shard;
use crate::buildable::way::{SortedCells, Way};
use std::collections::BTreeSet;

/// The next step after a first placement.
#[derive(Debug)]
pub(in crate::buildable) enum Next {
    /// The piece is the only one. It forms no pair, and the figure belongs to the first shard.
    End,
    /// The next cell to cover, which the second placement does. `None` if not all cells can be covered.
    Cover(Option<u32>),
    /// The orbits that come in one by one, each by a cell. When one comes in, those before it are out. Each has the
    /// next cell to cover.
    AddOrbit(Vec<(u32, Option<u32>)>),
}

impl FigureSearch<'_> {
    /// Returns the next step after a first placement, and the shards of all pairs that it begins.
    pub(in crate::buildable) fn next_after_first(
        &mut self,
        first: &BoardPlacement,
    ) -> (Next, BTreeSet<u64>) {
        let root = self.begin();
        let remaining = self.put(first, &root);
        let mut shards = BTreeSet::new();
        let next = match (remaining.is_covered(), remaining.room) {
            (false, _) => Next::Cover(self.cover_second(&remaining, &mut shards)),
            (true, 0) => {
                shards.insert(0);
                Next::End
            }
            (true, room) => {
                let orbits = self.next_orbits(room);
                let mut covered = Vec::new();
                for &at in &orbits {
                    let next = self.add_orbit(at, &remaining);
                    covered.push((at, self.cover_second(&next, &mut shards)));
                    self.shorten(&remaining);
                    self.exclude_orbit(at);
                }
                orbits.iter().for_each(|&at| self.reopen_orbit(at));
                Next::AddOrbit(covered)
            }
        };
        self.take_back(first, &root);
        self.shorten(&Remaining::NOTHING);
        (next, shards)
    }

    /// Returns the cell that the second placement covers, if possible. Adds the shards of the pairs.
    fn cover_second(&mut self, remaining: &Remaining, shards: &mut BTreeSet<u64>) -> Option<u32> {
        let cell = if self.is_off_balance(remaining) { None } else { self.scarcest(remaining) }?;
        let seconds = self.placements_at(cell, remaining.room);
        shards.extend(seconds.iter().map(|second| shard(self.first, second.cells())));
        Some(cell)
    }

    /// Returns `true` if a way leads to a slice before `slice`. Both are slices of the way's shard.
    pub(in crate::buildable) fn is_before(&mut self, slice: u64, way: &Way<'_>) -> bool {
        if self.slice_depth == SHARD_DEPTH || slice == 0 {
            return false;
        }
        let remaining = self.begin();
        let is_before = self.follow(way, slice, &remaining);
        self.shorten(&Remaining::NOTHING);
        is_before.expect("the search reaches the figure on each of its ways")
    }

    /// Follows a way until its slices can be compared with `slice`. Returns `true` if all are before it, `false` if
    /// none is.
    fn follow(&mut self, way: &Way<'_>, slice: u64, before: &Remaining) -> Option<bool> {
        if before.is_covered() {
            let orbits = self.next_orbits(before.room);
            let taken = orbits.iter().position(|&at| way.contains(at))?;
            orbits[..taken].iter().for_each(|&at| self.exclude_orbit(at));
            let next = self.add_orbit(orbits[taken], before);
            let is_before = self.follow(way, slice, &next);
            self.shorten(before);
            orbits[..taken].iter().for_each(|&at| self.reopen_orbit(at));
            return is_before;
        }
        let covered = self.scarcest(before)?;
        let wanted = way.covering(covered)?;
        if self.placed >= SHARD_DEPTH {
            let slices = self.slices_after(self.placed + 1, wanted.cells());
            if slices.end <= slice || slice <= slices.start {
                return Some(slices.end <= slice);
            }
            self.slice = slices.start;
        }
        // The search finds the cells of a placement in its own order, on which later steps depend.
        let mut placements = self.placements_at(covered, before.room).into_iter();
        let is_wanted = |p: &BoardPlacement| SortedCells::new(p.cells().iter().copied()) == wanted;
        let placement = placements.find(is_wanted)?;
        let next = self.put(&placement, before);
        let is_before = self.follow(way, slice, &next);
        self.take_back(&placement, before);
        is_before
    }
}
