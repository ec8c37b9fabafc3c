//! The search for figures together with their packings.
//!
//! A cell is undecided, in the figure and uncovered, in it and covered, or out of it. A cell brings in its whole
//! orbit. So `room`, the number of cells that may still come in, decreases by more than the number of covered
//! cells. The remaining pieces must cover the uncovered cells. There are two kinds of steps:
//!
//! * If cells are uncovered, the one with the fewest placements is covered in each of these ways.
//! * If none is, but there is room, the orbits next to the figure come in one by one, and each is out of the figure
//!   afterwards.
//!
//! If one or two pieces are left, `search/last_pieces.rs` places them.
//!
//! The figure and its packing determine every step, so each such pair is reached once. A branch is dead in four
//! cases:
//!
//! * More fixed cells lie on one side of the root than can come in on the other.
//! * The remaining pieces and cells cannot balance the colors of the uncovered cells.
//! * More uncovered cells than pieces left are pairwise too far apart for one piece.
//! * A cell cannot be covered at all.

mod last_pieces;

use super::board::{Board, CELLS, MASK, ROOT, cell, digits, number, step};
use super::hash::shard;
use super::placements::Placements;
use super::random::SplitMix;
use super::{MAX_CELLS, MAX_PIECE};
use rustc_hash::FxHashSet;
use somacat_geometry::lattice::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The state of a cell, as the number of cells that come in with it. For an undecided cell this is the size of its
/// orbit. It is 0 for an uncovered cell of the figure, and too large for a cell that no placement may take.
type State = u8;
const UNCOVERED: State = 0;
const COVERED: State = 254;
const OUT: State = 255;

const fn is_undecided(state: State) -> bool {
    state != UNCOVERED && state < COVERED
}

/// The number of placements that determine the shard.
const SHARD_DEPTH: u8 = 2;

/// The number of steps between two checks of the stop flag: some milliseconds.
const PATIENCE: u64 = 1 << 14;

/// Called for every figure that is reached, with its cells and its weight in a sample. The search ends when it
/// returns `false`.
pub(super) type Reach<'r> = dyn FnMut(&[u32], f64) -> bool + 'r;

/// The next step after a first placement.
#[derive(Debug)]
pub(super) enum Next {
    /// The piece is the only one. There is no pair of placements, and the figure belongs to the first shard.
    End,
    /// The next cell to cover, or `None` if not all cells can be covered.
    Cover(Option<u32>),
    /// The orbits that come in one by one, each by a cell, those before it being out. Each has the next cell to
    /// cover.
    LetIn(Vec<(u32, Option<u32>)>),
}

/// The random choices of a sample.
struct Lots {
    random: SplitMix,
    /// The probability of taking an alternative.
    probability: f64,
}

/// A placement that covers a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    kind: u8,
    size: u8,
    cells: [u32; MAX_PIECE],
}

impl Placement {
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.size as usize]
    }
}

/// The remaining work, passed down so that nothing has to be undone.
#[derive(Clone, Copy)]
struct Rest {
    /// The number of cells of the figure.
    cells: usize,
    /// The range of the uncovered cells on the pile.
    uncovered: [usize; 2],
    /// The number of cells that may come in.
    room: i32,
    /// The number of fixed cells after the root minus the number before it.
    balance: i32,
}

impl Rest {
    /// The state before the search, without cells. Room is not yet counted.
    const NOTHING: Self = Self { cells: 0, uncovered: [0, 0], room: 0, balance: 0 };

    const fn number_uncovered(&self) -> usize {
        self.uncovered[1] - self.uncovered[0]
    }

    const fn is_covered(&self) -> bool {
        self.number_uncovered() == 0
    }
}

pub(super) struct Search<'a> {
    board: &'a Board,
    placements: &'a Placements,
    stop: &'a AtomicBool,
    /// The shard that is searched, or `None` for all.
    shard: Option<u64>,
    ended: bool,
    /// The distance from which one piece cannot cover two cells.
    far: i32,
    state: Box<[State; CELLS]>,
    /// The cells of the figure.
    figure: Vec<u32>,
    /// The uncovered cells of all steps in progress.
    pile: Vec<u32>,
    /// The number of pieces left, by kind.
    left: Vec<u8>,
    placed: u8,
    /// The number of nodes after which the search ends.
    most_steps: u64,
    /// The placement that covers the root.
    first: Option<Placement>,
    /// The placements still to be tried, of all steps in progress.
    options: Vec<Placement>,
    steps: u64,
    /// The random choices of a sample, or `None` for a full search.
    lots: Option<Lots>,
    /// The inverse of the probability with which the sample reached this point.
    weight: f64,
    weighted_steps: f64,
}

impl<'a> Search<'a> {
    pub(super) fn new(board: &'a Board, placements: &'a Placements, stop: &'a AtomicBool) -> Self {
        Self {
            board,
            placements,
            stop,
            shard: None,
            ended: false,
            far: placements.longest(),
            state: board.weight.clone(),
            figure: Vec::with_capacity(MAX_CELLS),
            pile: Vec::new(),
            left: placements.kinds.iter().map(|kind| kind.count).collect(),
            placed: 0,
            most_steps: u64::MAX,
            first: None,
            options: Vec::new(),
            steps: 0,
            lots: None,
            weight: 1.0,
            weighted_steps: 0.0,
        }
    }

    /// Returns the placements that cover the root, up to the normalizer.
    pub(super) fn first_placements(&mut self) -> Vec<Placement> {
        let rest = self.begin();
        let mut known = FxHashSet::default();
        let mut firsts = self.placements_at(ROOT, rest.room);
        firsts.retain(|first| {
            let cells: Vec<Cell> = first.cells().iter().map(|&at| cell(at)).collect();
            known.insert(self.least_image(&cells))
        });
        self.shorten(&Rest::NOTHING);
        firsts
    }

    /// Returns the next step after a first placement, and the pairs' shards.
    pub(super) fn opening(&mut self, first: &Placement) -> (Next, BTreeSet<u64>) {
        let root = self.begin();
        let rest = self.put(first, &root);
        let mut shards = BTreeSet::new();
        let next = match (rest.is_covered(), rest.room) {
            (false, _) => Next::Cover(self.cover_second(first, &rest, &mut shards)),
            (true, 0) => {
                shards.insert(0);
                Next::End
            }
            (true, room) => {
                let orbits = self.next_orbits(room);
                let mut covered = Vec::new();
                for &at in &orbits {
                    let next = self.let_in(at, &rest);
                    covered.push((at, self.cover_second(first, &next, &mut shards)));
                    self.shorten(&rest);
                    self.shut_out(at);
                }
                orbits.iter().for_each(|&at| self.let_back(at));
                Next::LetIn(covered)
            }
        };
        self.take_back(first, &root);
        self.shorten(&Rest::NOTHING);
        (next, shards)
    }

    /// Returns the cell that the second placement covers, if possible. Adds the shards of the pairs.
    fn cover_second(
        &mut self,
        first: &Placement,
        rest: &Rest,
        shards: &mut BTreeSet<u64>,
    ) -> Option<u32> {
        let cell = if self.is_off_balance(rest) { None } else { self.scarcest(rest) }?;
        let seconds = self.placements_at(cell, rest.room);
        shards.extend(seconds.iter().map(|second| shard(first.cells(), second.cells())));
        Some(cell)
    }

    fn least_image(&self, cells: &[Cell]) -> Vec<u32> {
        let images = self.board.normalizer.iter().map(|t| {
            let mut image: Vec<u32> = cells.iter().map(|&c| number(t.apply(c))).collect();
            image.sort_unstable();
            image
        });
        images.min().unwrap_or_default()
    }

    /// Reaches every figure of a shard, once for each packing there. `firsts` are the first placements of the
    /// shard's pairs.
    pub(super) fn shard(&mut self, shard: u64, firsts: &[Placement], reach: &mut Reach<'_>) {
        (self.shard, self.ended) = (Some(shard), false);
        let rest = self.begin();
        for first in firsts {
            self.place(first, &rest, reach);
        }
        self.shorten(&Rest::NOTHING);
        self.shard = None;
    }

    /// Reaches a random sample of the figures of all shards. While the figure is incomplete, every alternative is
    /// taken with this probability.
    pub(super) fn sample(
        &mut self,
        probability: f64,
        seed: u64,
        firsts: &[Placement],
        reach: &mut Reach<'_>,
    ) {
        self.lots = Some(Lots { random: SplitMix::new(seed), probability });
        let rest = self.begin();
        for first in firsts {
            self.take_chance(&rest, |search| search.place(first, &rest, reach));
        }
        self.shorten(&Rest::NOTHING);
        self.lots = None;
    }

    /// Takes an alternative. A sample takes it only with its probability.
    #[inline(always)]
    fn take_chance(&mut self, before: &Rest, take: impl FnOnce(&mut Self)) {
        let Some(lots) = self.lots.as_mut().filter(|_| before.room > 0) else { return take(self) };
        let probability = lots.probability;
        if lots.random.is_below(probability) {
            let weight = self.weight;
            self.weight /= probability;
            take(self);
            self.weight = weight;
        }
    }

    /// Begins with a figure of the root alone.
    fn begin(&mut self) -> Rest {
        let room = self.placements.cells() as i32;
        self.let_in(ROOT, &Rest { room, ..Rest::NOTHING })
    }

    /// Visits every placement that covers a cell and fits in `room`. It brings in at most `room` cells. `visit`
    /// gets the number of cells brought in and returns `false` to end.
    #[inline(always)]
    fn each_placement(&self, at: u32, room: i32, mut visit: impl FnMut(u8, &[u32], i32) -> bool) {
        let kinds = self.left.iter().enumerate().filter(|(_, left)| **left > 0);
        let kinds = kinds.fold(0, |kinds, (kind, _)| kinds | 1 << kind);
        if let Some(single) = self.placements.single(kinds)
            && !visit(single, &[at], 0)
        {
            return;
        }
        let tree = self.placements.tree(kinds);
        let (state, orbit) = (&*self.state, &*self.board.orbit);
        let mut cells = [at; MAX_PIECE];
        // The number of cells brought in by the first nodes of the branch.
        let mut needs = [0; MAX_PIECE + 1];
        let mut next = 0;
        while let Some(node) = tree.get(next) {
            let cell = at.wrapping_add_signed(node.step) & MASK;
            let depth = node.depth as usize % MAX_PIECE;
            let own = i32::from(state[cell as usize]);
            let mut need = needs[depth];
            if own > 0 {
                let one = orbit[cell as usize];
                // Only the first cell of an orbit brings in cells.
                let again =
                    || cells[1..=depth].iter().any(|&other| orbit[(other & MASK) as usize] == one);
                if own > room || need == 0 || !again() {
                    need += own;
                }
            }
            if need > room {
                next = node.skip as usize;
                continue;
            }
            cells[(depth + 1) % MAX_PIECE] = cell;
            if node.kind > 0 && !visit(node.kind - 1, &cells[..depth + 2], need) {
                return;
            }
            needs[depth + 1] = need;
            next += 1;
        }
    }

    fn placements_at(&mut self, at: u32, room: i32) -> Vec<Placement> {
        let begin = self.options.len();
        self.add_options(at, room);
        self.options.split_off(begin)
    }

    /// Puts the placements that cover a cell on the pile of options.
    fn add_options(&mut self, at: u32, room: i32) {
        let mut options = std::mem::take(&mut self.options);
        // The last piece brings in all missing cells.
        let last = self.pieces_left() == 1;
        self.each_placement(at, room, |kind, some, need| {
            if !last || need == room {
                let mut cells = [0; MAX_PIECE];
                cells[..some.len()].copy_from_slice(some);
                options.push(Placement { kind, size: some.len() as u8, cells });
            }
            true
        });
        self.options = options;
    }

    /// Adds a cell and its images to the figure.
    fn bring_in(&mut self, at: u32, rest: &mut Rest) {
        let before = self.figure.len();
        let images = self.board.images.iter().map(|images| images[at as usize]);
        for image in std::iter::once(at).chain(images) {
            if is_undecided(self.state[image as usize]) {
                self.state[image as usize] = UNCOVERED;
                self.figure.push(image);
            }
        }
        rest.room -= (self.figure.len() - before) as i32;
        rest.balance += i32::from(self.board.side[at as usize]);
    }

    /// Adds a cell and its images to the figure, uncovered.
    fn let_in(&mut self, at: u32, before: &Rest) -> Rest {
        let mut rest = *before;
        self.bring_in(at, &mut rest);
        self.pile_up(&mut rest);
        rest
    }

    fn uncovered(&self, rest: &Rest) -> &[u32] {
        &self.pile[rest.uncovered[0]..rest.uncovered[1]]
    }

    /// Puts the uncovered cells, old and new, on the pile.
    fn pile_up(&mut self, rest: &mut Rest) {
        let begin = self.pile.len();
        for place in rest.uncovered[0]..rest.uncovered[1] {
            let at = self.pile[place];
            if self.state[at as usize] == UNCOVERED {
                self.pile.push(at);
            }
        }
        let new = self.figure[rest.cells..].iter();
        self.pile.extend(new.filter(|&&at| self.state[at as usize] == UNCOVERED));
        (rest.cells, rest.uncovered) = (self.figure.len(), [begin, self.pile.len()]);
    }

    /// Removes later cells from the figure and the pile.
    fn shorten(&mut self, before: &Rest) {
        self.pile.truncate(before.uncovered[1]);
        for at in self.figure.drain(before.cells..) {
            self.state[at as usize] = self.board.weight[at as usize];
        }
    }

    fn place(&mut self, placement: &Placement, before: &Rest, reach: &mut Reach<'_>) {
        let rest = self.put(placement, before);
        if self.is_of_shard(placement) {
            self.step(&rest, reach);
        }
        self.take_back(placement, before);
    }

    /// Places a piece and returns the remaining work.
    fn put(&mut self, placement: &Placement, before: &Rest) -> Rest {
        let mut rest = *before;
        for &at in placement.cells() {
            if is_undecided(self.state[at as usize]) {
                self.bring_in(at, &mut rest);
            }
        }
        for &at in placement.cells() {
            self.state[at as usize] = COVERED;
        }
        self.pile_up(&mut rest);
        self.left[placement.kind as usize] -= 1;
        if self.placed == 0 {
            self.first = Some(*placement);
        }
        self.placed += 1;
        rest
    }

    fn take_back(&mut self, placement: &Placement, before: &Rest) {
        self.placed -= 1;
        self.left[placement.kind as usize] += 1;
        for &at in placement.cells() {
            self.state[at as usize] = UNCOVERED;
        }
        self.shorten(before);
    }

    /// Returns `true` unless the last placement completes a pair of another shard.
    fn is_of_shard(&self, last: &Placement) -> bool {
        let first = self.first.as_ref().map_or(&[][..], Placement::cells);
        let own = || shard(first, last.cells());
        self.placed != SHARD_DEPTH || self.shard.is_none_or(|shard| shard == own())
    }

    /// Reaches every figure possible from here, until `reach` returns `false`.
    fn step(&mut self, rest: &Rest, reach: &mut Reach<'_>) {
        self.steps += 1;
        self.weighted_steps += self.weight;
        if self.steps.is_multiple_of(PATIENCE) {
            self.ended |= self.stop.load(Relaxed) || self.steps >= self.most_steps;
        }
        if self.ended || self.is_off_balance(rest) {
            return;
        }
        if rest.is_covered() {
            if rest.room == 0 {
                self.ended |= !reach(&self.figure, self.weight);
            } else {
                self.extend(rest, reach);
            }
            return;
        }
        match (self.pieces_left(), rest.number_uncovered()) {
            (1, 2..) => return self.place_last(rest, reach),
            // The cells of the first two placements are fixed by the search order, because they determine the
            // shard.
            (2, 3..) if self.placed >= SHARD_DEPTH => return self.place_last_two(rest, reach),
            _ => (),
        }
        if let Some(scarcest) = self.scarcest(rest) {
            let begin = self.options.len();
            self.add_options(scarcest, rest.room);
            for at in begin..self.options.len() {
                let placement = self.options[at];
                self.take_chance(rest, |search| search.place(&placement, rest, reach));
            }
            self.options.truncate(begin);
        }
    }

    fn pieces_left(&self) -> usize {
        self.left.iter().map(|&left| left as usize).sum()
    }

    /// Ends the search after about this many nodes.
    pub(super) const fn limit(&mut self, nodes: u64) {
        self.most_steps = nodes;
    }

    /// Returns an estimate of the whole search's nodes from those visited.
    pub(super) const fn weighted_steps(&self) -> f64 {
        self.weighted_steps
    }

    /// Returns the number of nodes visited so far.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns `true` if too few cells can come in for balance. Then more fixed cells lie on one side of the root
    /// than can come in on the other.
    const fn is_off_balance(&self, rest: &Rest) -> bool {
        rest.balance.abs() > rest.room
    }

    /// Returns the uncovered cell with the fewest placements. `None` if not all cells can be covered.
    fn scarcest(&self, rest: &Rest) -> Option<u32> {
        if self.is_dead(rest) {
            return None;
        }
        let (mut fewest, mut scarcest) = (u32::MAX, ROOT);
        for &at in self.uncovered(rest) {
            let mut number = 0;
            self.each_placement(at, rest.room, |_, _, _| {
                number += 1;
                number < fewest
            });
            if number < fewest {
                (fewest, scarcest) = (number, at);
            }
            if fewest <= 1 {
                break;
            }
        }
        (fewest > 0).then_some(scarcest)
    }

    /// Returns `true` if colors or distances of the uncovered cells exclude packings.
    fn is_dead(&self, rest: &Rest) -> bool {
        let color = |&at: &u32| if digits(at).iter().sum::<i32>() & 1 == 0 { 1 } else { -1 };
        let difference: i32 = self.uncovered(rest).iter().map(color).sum();
        let kinds = self.placements.kinds.iter().zip(&self.left);
        let supply: i32 = kinds.map(|(k, left)| k.color_difference * i32::from(*left)).sum();
        if difference.abs() > rest.room + supply {
            return true;
        }
        let pieces = self.pieces_left();
        let (mut apart, mut number) = ([[0; 3]; MAX_CELLS + 1], 0);
        for &at in self.uncovered(rest) {
            let here = digits(at);
            if !apart[..number].iter().any(|&other| distance(here, other) < self.far) {
                apart[number] = here;
                number += 1;
                if number > pieces {
                    return true;
                }
            }
        }
        false
    }

    /// Brings in the orbits next to the figure, one by one.
    fn extend(&mut self, rest: &Rest, reach: &mut Reach<'_>) {
        let orbits = self.next_orbits(rest.room);
        for &at in &orbits {
            self.take_chance(rest, |search| {
                let next = search.let_in(at, rest);
                search.step(&next, reach);
                search.shorten(rest);
            });
            self.shut_out(at);
        }
        orbits.iter().for_each(|&at| self.let_back(at));
    }

    /// Returns the orbits that may come in, by one cell of each. They are next to the figure.
    fn next_orbits(&self, room: i32) -> Vec<u32> {
        const NEXT: [Cell; 6] = [
            Cell::new(-1, 0, 0),
            Cell::new(1, 0, 0),
            Cell::new(0, -1, 0),
            Cell::new(0, 1, 0),
            Cell::new(0, 0, -1),
            Cell::new(0, 0, 1),
        ];
        let mut orbits: Vec<u32> = Vec::new();
        for &at in &self.figure {
            for by in NEXT {
                let at = at.wrapping_add_signed(step(by)) as usize;
                let fits = i32::from(self.board.weight[at]) <= room;
                if is_undecided(self.state[at]) && fits && !orbits.contains(&self.board.orbit[at]) {
                    orbits.push(self.board.orbit[at]);
                }
            }
        }
        orbits
    }

    /// Keeps an orbit out of the figure.
    fn shut_out(&mut self, at: u32) {
        self.set_orbit(at, OUT);
    }

    /// Makes an orbit undecided again.
    fn let_back(&mut self, at: u32) {
        self.set_orbit(at, self.board.weight[at as usize]);
    }

    fn set_orbit(&mut self, at: u32, state: State) {
        self.state[at as usize] = state;
        for images in &self.board.images {
            self.state[images[at as usize] as usize] = state;
        }
    }
}

/// Returns the number of steps between two positions, by their coordinates.
fn distance(one: [i32; 3], other: [i32; 3]) -> i32 {
    (0..3).map(|axis| (one[axis] - other[axis]).abs()).sum()
}
