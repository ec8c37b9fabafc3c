//! The ways in which the search reaches a figure.
//!
//! A figure is reached once for each of its packings in each of its positions about the root in which the piece at the
//! root is one of those that the search begins with. These ways are found again by going through the search and
//! leaving out what lies outside the figure: down to the second placement with everything else undecided as in the
//! search, since what is undecided decides which cell is covered next; from there on only the number of packings
//! matters.
//!
//! So every figure has a shard of its own, the first from which it is reached, and what other shards find of it is left
//! out. And a figure reached in a random part of the search can be given its right weight.

use super::board::{CELLS, number};
use super::search::{Placement, Rest, Search};
use crate::figure::{Candidate, Identity};
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::collections::BTreeSet;

/// The positions of a figure about the root: it has the symmetry of the board there, and the median of the cells that
/// the whole group fixes is the root.
pub(super) fn positions(group: Group, candidate: &Candidate) -> BTreeSet<Vec<u32>> {
    let identity = candidate.identity();
    let turned = Transform::all().filter(|t| {
        (identity == Identity::Reflections || t.is_rotation())
            && candidate.group().conjugate(*t).contains_group(group)
    });
    turned.map(|t| about_root(group, candidate.figure().transformed(t).cells())).collect()
}

/// A figure with the symmetry of the board moved to the root.
fn about_root(group: Group, cells: &[Cell]) -> Vec<u32> {
    let sum = |axis: usize| {
        let values = cells.iter().map(|c| c.to_array()[axis]);
        values.clone().min().unwrap_or_default() + values.max().unwrap_or_default()
    };
    // Twice the vector from the center of the figure.
    let center = Cell::new(sum(0), sum(1), sum(2));
    let from_center = |c: Cell| c + c - center;
    let is_fixed = |c: &&Cell| group.iter().all(|t| t.apply(from_center(**c)) == from_center(**c));
    let mut fixed: Vec<Cell> = cells.iter().filter(is_fixed).copied().collect();
    fixed.sort_unstable();
    let median = fixed.get(fixed.len() / 2).copied();
    let median = median.expect("a 2-group fixes one of an odd number of cells");
    let mut numbers: Vec<u32> = cells.iter().map(|&c| number(c - median)).collect();
    numbers.sort_unstable();
    numbers
}

/// A pair of placements that the search for a figure begins with.
pub(super) struct Pair<'a> {
    /// Nothing if a single piece is all there is.
    second: Option<&'a Placement>,
    before: &'a Rest,
    figure: &'a [u32],
    /// The shard that it belongs to.
    pub(super) shard: u64,
}

/// What hears of such pairs; the search ends when it returns false.
type Visit<'v, 's> = dyn FnMut(&mut Search<'s>, &Pair<'_>) -> bool + 'v;

/// Follows the search to figures.
pub(super) struct Trace<'a, 's> {
    search: Search<'s>,
    firsts: &'a [Placement],
    /// The cells of the figure that is looked for.
    inside: Vec<bool>,
}

impl<'a, 's> Trace<'a, 's> {
    pub(super) fn new(search: Search<'s>, firsts: &'a [Placement]) -> Self {
        Self { search, firsts, inside: vec![false; CELLS] }
    }

    /// The first shard from which a figure in these positions is reached, if that is before `end`.
    pub(super) fn is_reached_before(&mut self, end: u64, positions: &BTreeSet<Vec<u32>>) -> bool {
        let mut earlier = false;
        self.pairs(positions, &mut |search, pair| {
            earlier = pair.shard < end && search.completions(pair, 1) > 0;
            !earlier
        });
        earlier
    }

    /// In how many ways the search reaches a figure in these positions.
    pub(super) fn ways(&mut self, positions: &BTreeSet<Vec<u32>>) -> u64 {
        let mut ways = 0;
        self.pairs(positions, &mut |search, pair| {
            ways += search.completions(pair, u64::MAX);
            true
        });
        ways
    }

    fn pairs(&mut self, positions: &BTreeSet<Vec<u32>>, visit: &mut Visit<'_, 's>) {
        for figure in positions {
            figure.iter().for_each(|&at| self.inside[at as usize] = true);
            let rest = self.search.begin();
            let go_on =
                self.firsts.iter().filter(|first| is_inside(&self.inside, first)).all(|first| {
                    let (rest, len) = self.search.put(first, &rest);
                    let go_on = follow(&mut self.search, &self.inside, figure, &rest, visit);
                    self.search.take_back(first, len);
                    go_on
                });
            self.search.shorten(0);
            figure.iter().for_each(|&at| self.inside[at as usize] = false);
            if !go_on {
                return;
            }
        }
    }
}

fn is_inside(inside: &[bool], placement: &Placement) -> bool {
    placement.cells().iter().all(|&at| inside[at as usize])
}

/// Goes on to the second placement.
fn follow<'s>(
    search: &mut Search<'s>,
    inside: &[bool],
    figure: &[u32],
    rest: &Rest,
    visit: &mut Visit<'_, 's>,
) -> bool {
    if search.is_off_balance(rest) {
        return true;
    }
    if rest.uncovered.is_empty() && rest.room == 0 {
        return visit(search, &Pair { second: None, before: rest, figure, shard: 0 });
    }
    if rest.uncovered.is_empty() {
        let orbits = search.next_orbits(rest.room);
        let Some(number) = orbits.iter().position(|&at| inside[at as usize]) else { return true };
        let (next, len) = search.let_in(&orbits[..number], orbits[number], rest);
        let go_on = follow(search, inside, figure, &next, visit);
        search.undecide(&orbits[..number], len);
        return go_on;
    }
    let Some(scarcest) = search.scarcest(rest) else { return true };
    let placements = search.placements_at(scarcest, rest.room);
    placements.iter().filter(|placement| is_inside(inside, placement)).all(|second| {
        let shard = search.shard_of(second);
        visit(search, &Pair { second: Some(second), before: rest, figure, shard })
    })
}

impl Search<'_> {
    /// The number of ways to cover the rest of a figure after a pair of placements, up to `most`.
    fn completions(&mut self, pair: &Pair<'_>, most: u64) -> u64 {
        let Some(second) = pair.second else { return 1 };
        let (mut rest, len) = self.put(second, pair.before);
        pair.figure.iter().for_each(|&at| self.bring_in_undecided(at, &mut rest));
        let mut number = 0;
        self.search_on(&rest, &mut |_, _| {
            number += 1;
            number < most
        });
        self.take_back(second, len);
        number
    }
}
