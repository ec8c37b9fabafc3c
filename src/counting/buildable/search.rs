//! The search for figures together with their packings.
//!
//! A figure is a union of orbits of cells under the group about the root, a cell that the whole group fixes. The search
//! decides at the same time which orbits are in the figure and where the pieces lie. A cell is undecided, in the figure
//! and uncovered, in it and covered, or out of it. A placement may take undecided cells, and each brings in its whole
//! orbit: the images become uncovered cells, which the remaining pieces must cover. `room` is the number of cells that
//! may still come in. There are two kinds of steps:
//!
//! * If cells are uncovered, the one with the fewest placements is covered in each of these ways.
//! * If none is, but there is room, the orbits next to the figure come in one by one. Each is out of the figure
//!   afterwards.
//!
//! If one or two pieces are left, `search/last_pieces.rs` places them. `search/sampling.rs` takes only some steps.
//!
//! # Why it is right
//!
//! Figure and packing determine every step. The cell to cover follows from the state, and the packing has one piece
//! there. Of the orbits next to a covered figure, the first that is in the figure must come in, and those before it are
//! out. So each pair of a figure in its position and a packing is reached once, if the first placement is one of those
//! tried: they represent all placements at the root up to the transforms that keep the board and the root's role.
//!
//! A branch is dead in four cases:
//!
//! * More fixed cells lie on one side of the root than can come in on the other. The root is the median of the fixed
//!   cells.
//! * The remaining pieces and cells cannot balance the colors of the uncovered cells.
//! * More uncovered cells than pieces left are pairwise too far apart for one piece.
//! * A cell cannot be covered at all.
//!
//! # What it costs
//!
//! Nearly all time is spent on listing the placements that cover a cell, and on the last two pieces. `placements.rs`
//! has the placements as a tree, so that a cell that is covered, out or too costly excludes all placements that contain
//! it. The state is kept in arrays and taken back after each step; the lists of all steps in progress share stacks.
//! Figures are not stored here. The number of steps depends on the class above all, and `estimate.rs` predicts the
//! time.
//!
//! # Example
//!
//! V, L and T under the inversion. The root is uncovered, and there is room for 10 cells. It has 180 placements, of
//! which 9 are tried: the others are images under the 48 transforms. Behind one of them (all cells here have y = 0,
//! given as x z):
//!
//! ```text
//! T at  0 0   0 -1   0 1   1 0      brings in -1 0 besides              room 6, 1 cell uncovered
//! L at -1 0  -1 1   -1 2   0 2      brings in 1 -1, 1 -2 and 0 -2       room 0, 3 uncovered
//! V at  1 -1  1 -2   0 -2           covers them: a figure of 11 cells
//! ```
//!
//! In all, 1,224 steps reach a figure 40 times, which makes 21 figures.

mod last_pieces;
mod sampling;
mod shards;

pub(super) use sampling::{Third, ThirdSums, Thirds, ThirdsOfShard, add_thirds};
pub(super) use shards::Next;

use crate::costs;
use sampling::RandomChoices;

use super::board::{CELLS, MASK, OrbitBoard, ROOT, cell, number, step};
use super::hash::{digit, shard, sum};
use super::placements::PlacementTrees;
use super::sizes::{MAX_BUILDABLE_CELLS, MAX_PIECE, SLICE_BITS, SLICE_DIGITS, SLICES};
use rustc_hash::FxHashSet;
use somacat_geometry::lattice::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The state of a cell: the number of cells that come in with it, as one number to compare with the room. For an
/// undecided cell this is the size of its orbit. It is 0 for an uncovered cell of the figure, and more than any room
/// for a cell that no placement may take.
type CellState = u8;
const UNCOVERED: CellState = 0;
const COVERED: CellState = 254;
const OUT: CellState = 255;

const fn is_undecided(state: CellState) -> bool {
    state != UNCOVERED && state < COVERED
}

/// The number of placements that determine the shard.
const SHARD_DEPTH: u8 = 2;

/// The number of last pieces (`search/last_pieces.rs`). The search order does not fix their placements.
const LAST_PIECES: u8 = 2;

/// The number of steps between two checks of the stop flag: some milliseconds.
const STOP_CHECK_INTERVAL: u64 = 1 << 14;

/// Returns the number of placements that determine the slice. It depends on the number of pieces.
fn slice_depth(pieces: usize) -> u8 {
    let most = SHARD_DEPTH + SLICE_DIGITS;
    u8::try_from(pieces).unwrap_or(most).saturating_sub(LAST_PIECES).clamp(SHARD_DEPTH, most)
}

/// A figure, together with the packing by which it was reached.
pub(super) struct Reached<'r> {
    /// The numbers of the figure's cells on the board, in the order in which they came in.
    pub(super) cells: &'r [u32],
    /// The inverse of the probability with which a sample reaches it; 1 in a full search.
    pub(super) weight: f64,
    /// The slice to which the packing's first placements lead.
    pub(super) slice: u64,
    /// The state after its third placement, in a sample.
    pub(super) third: Third,
}

/// Called for every figure that is reached. The search ends when it returns `false`.
pub(super) type OnFigure<'r> = dyn FnMut(Reached<'_>) -> bool + 'r;

/// A piece on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPlacement {
    /// The kind of piece: its index in the set.
    kind: u8,
    size: u8,
    /// The numbers of its cells; the first `size` are in use. The cell that was to be covered comes first, and the
    /// others are in the order in which the search finds them. Later steps depend on this order.
    cells: [u32; MAX_PIECE],
}

impl BoardPlacement {
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.size as usize]
    }
}

/// The remaining work at a step, passed down so that nothing has to be undone.
#[derive(Clone, Copy)]
struct Remaining {
    /// The number of cells of the figure so far.
    cells: usize,
    /// The range of the uncovered cells on the stack.
    uncovered: [usize; 2],
    /// The number of cells that may come in: those of a complete figure without those so far.
    room: i32,
    /// The number of fixed cells after the root minus those before, in the order of the lattice. It is 0 in a complete
    /// figure.
    balance: i32,
}

impl Remaining {
    /// The state before the search, without cells. Room is not yet counted.
    const NOTHING: Self = Self { cells: 0, uncovered: [0, 0], room: 0, balance: 0 };

    const fn number_uncovered(&self) -> usize {
        self.uncovered[1] - self.uncovered[0]
    }

    const fn is_covered(&self) -> bool {
        self.number_uncovered() == 0
    }
}

/// A search with its state. Between searches, the figure is empty and every cell undecided.
pub(super) struct FigureSearch<'a> {
    board: &'a OrbitBoard,
    placements: &'a PlacementTrees,
    stop: &'a AtomicBool,
    /// The shard that is searched, or `None` for all.
    shard: Option<u64>,
    slices: Range<u64>,
    /// The first slice of those that the placements so far lead to.
    slice: u64,
    /// The number of placements that determine the slice.
    slice_depth: u8,
    /// True if a limit, a stop or the receiver of figures has ended the search.
    ended: bool,
    /// The distance from which one piece cannot cover two cells.
    far: i32,
    state: Box<[CellState; CELLS]>,
    /// The cells of the figure, covered or not, in the order in which they came in.
    figure: Vec<u32>,
    /// The uncovered cells of all steps in progress.
    uncovered_stack: Vec<u32>,
    /// The number of pieces left of each kind.
    left: Vec<u8>,
    placed: u8,
    /// The number of nodes after which the search ends.
    most_steps: u64,
    /// The hash of the first placement's cells.
    first: u128,
    /// The placements still to be tried, of all steps in progress.
    options: Vec<BoardPlacement>,
    /// The number of nodes visited.
    steps: u64,
    /// The random choices of a sample, or `None` for a full search.
    choices: Option<RandomChoices>,
    /// The inverse of the probability with which the sample reached this point; 1 in a full search.
    weight: f64,
    /// The sum of the seconds of steps and lists so far, each times the weight at its point.
    weighted_seconds: f64,
}

impl<'a> FigureSearch<'a> {
    pub(super) fn new(
        board: &'a OrbitBoard,
        placements: &'a PlacementTrees,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            board,
            placements,
            stop,
            shard: None,
            slices: 0..SLICES,
            slice: 0,
            slice_depth: slice_depth(placements.pieces()),
            ended: false,
            far: placements.longest(),
            state: board.weight.clone(),
            figure: Vec::with_capacity(MAX_BUILDABLE_CELLS),
            uncovered_stack: Vec::new(),
            left: placements.kinds.iter().map(|kind| kind.count).collect(),
            placed: 0,
            most_steps: u64::MAX,
            first: 0,
            options: Vec::new(),
            steps: 0,
            choices: None,
            weight: 1.0,
            weighted_seconds: 0.0,
        }
    }

    /// Returns the placements that cover the root, one of each class under the board's normalizer.
    pub(super) fn first_placements(&mut self) -> Vec<BoardPlacement> {
        let remaining = self.begin();
        let mut known = FxHashSet::default();
        let mut firsts = self.placements_at(ROOT, remaining.room);
        firsts.retain(|first| {
            let cells: Vec<Cell> = first.cells().iter().map(|&at| cell(at)).collect();
            known.insert(self.least_image(&cells))
        });
        self.shorten(&Remaining::NOTHING);
        firsts
    }

    fn least_image(&self, cells: &[Cell]) -> Vec<u32> {
        let images = self.board.normalizer.iter().map(|t| {
            let mut image: Vec<u32> = cells.iter().map(|&c| number(t.apply(c))).collect();
            image.sort_unstable();
            image
        });
        images.min().unwrap_or_default()
    }

    /// Reaches every figure of some slices, once for each packing there. The slices belong to `shard`, and `firsts` are
    /// the first placements of the shard's pairs.
    pub(super) fn shard(
        &mut self,
        shard: u64,
        slices: Range<u64>,
        firsts: &[BoardPlacement],
        on_figure: &mut OnFigure<'_>,
    ) {
        if self.slice_depth == SHARD_DEPTH && slices.start > 0 {
            return;
        }
        (self.shard, self.slices, self.slice, self.ended) = (Some(shard), slices, 0, false);
        let remaining = self.begin();
        for first in firsts {
            self.place(first, &remaining, on_figure);
        }
        self.shorten(&Remaining::NOTHING);
        (self.shard, self.slices) = (None, 0..SLICES);
    }

    /// Begins with a figure of the root alone.
    fn begin(&mut self) -> Remaining {
        let room = self.placements.cells() as i32;
        self.add_orbit(ROOT, &Remaining { room, ..Remaining::NOTHING })
    }

    /// Visits every placement of a piece that is left, covers the cell `at`, and brings in at most `room` cells.
    /// `visit` receives the kind of piece, the cells with `at` first, and the number of cells brought in. It returns
    /// `false` to end.
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

    fn placements_at(&mut self, at: u32, room: i32) -> Vec<BoardPlacement> {
        let begin = self.options.len();
        self.add_options(at, room);
        self.options.split_off(begin)
    }

    /// Puts the placements that cover a cell on the stack of options.
    fn add_options(&mut self, at: u32, room: i32) {
        self.weighted_seconds += self.weight * costs::BUILDABLE_PLACEMENT;
        let mut options = std::mem::take(&mut self.options);
        // The last piece brings in all missing cells.
        let last = self.pieces_left() == 1;
        self.each_placement(at, room, |kind, some, need| {
            if !last || need == room {
                let mut cells = [0; MAX_PIECE];
                cells[..some.len()].copy_from_slice(some);
                options.push(BoardPlacement { kind, size: some.len() as u8, cells });
            }
            true
        });
        self.options = options;
    }

    /// Adds a cell and its images to the figure, uncovered. Images that are in it already stay as they are.
    fn insert_orbit(&mut self, at: u32, remaining: &mut Remaining) {
        let before = self.figure.len();
        let images = self.board.images.iter().map(|images| images[at as usize]);
        for image in std::iter::once(at).chain(images) {
            if is_undecided(self.state[image as usize]) {
                self.state[image as usize] = UNCOVERED;
                self.figure.push(image);
            }
        }
        remaining.room -= (self.figure.len() - before) as i32;
        remaining.balance += i32::from(self.board.side[at as usize]);
    }

    /// Adds a cell and its images to the figure, and returns the remaining work.
    fn add_orbit(&mut self, at: u32, before: &Remaining) -> Remaining {
        let mut remaining = *before;
        self.insert_orbit(at, &mut remaining);
        self.stack_uncovered(&mut remaining);
        remaining
    }

    fn uncovered(&self, remaining: &Remaining) -> &[u32] {
        &self.uncovered_stack[remaining.uncovered[0]..remaining.uncovered[1]]
    }

    /// Puts the uncovered cells on the stack: those of the step before that are still uncovered, and new ones.
    fn stack_uncovered(&mut self, remaining: &mut Remaining) {
        let begin = self.uncovered_stack.len();
        for place in remaining.uncovered[0]..remaining.uncovered[1] {
            let at = self.uncovered_stack[place];
            if self.state[at as usize] == UNCOVERED {
                self.uncovered_stack.push(at);
            }
        }
        let new = self.figure[remaining.cells..].iter();
        self.uncovered_stack.extend(new.filter(|&&at| self.state[at as usize] == UNCOVERED));
        (remaining.cells, remaining.uncovered) =
            (self.figure.len(), [begin, self.uncovered_stack.len()]);
    }

    /// Removes the cells that came in after `before` from the figure and the stack.
    fn shorten(&mut self, before: &Remaining) {
        self.uncovered_stack.truncate(before.uncovered[1]);
        for at in self.figure.drain(before.cells..) {
            self.state[at as usize] = self.board.weight[at as usize];
        }
    }

    /// Places a piece, searches from there, and takes the piece back.
    fn place(
        &mut self,
        placement: &BoardPlacement,
        before: &Remaining,
        on_figure: &mut OnFigure<'_>,
    ) {
        if !self.is_wanted(placement) {
            return;
        }
        let remaining = self.put(placement, before);
        if self.choices.is_some() {
            self.sample_step(placement, &remaining, on_figure);
        } else {
            self.step(&remaining, on_figure);
        }
        self.take_back(placement, before);
    }

    /// Places a piece and returns the remaining work.
    fn put(&mut self, placement: &BoardPlacement, before: &Remaining) -> Remaining {
        let mut remaining = *before;
        for &at in placement.cells() {
            if is_undecided(self.state[at as usize]) {
                self.insert_orbit(at, &mut remaining);
            }
        }
        for &at in placement.cells() {
            self.state[at as usize] = COVERED;
        }
        self.stack_uncovered(&mut remaining);
        self.left[placement.kind as usize] -= 1;
        if self.placed == 0 {
            self.first = sum(placement.cells());
        }
        self.placed += 1;
        remaining
    }

    fn take_back(&mut self, placement: &BoardPlacement, before: &Remaining) {
        self.placed -= 1;
        self.left[placement.kind as usize] += 1;
        for &at in placement.cells() {
            self.state[at as usize] = UNCOVERED;
        }
        self.shorten(before);
    }

    /// Returns `true` unless the next placement leads outside the shard or slices. Sets the slice to which it leads.
    fn is_wanted(&mut self, next: &BoardPlacement) -> bool {
        let placed = self.placed + 1;
        if placed == SHARD_DEPTH {
            return self.shard.is_none_or(|wanted| wanted == shard(self.first, next.cells()));
        }
        if placed < SHARD_DEPTH || placed > self.slice_depth {
            return true;
        }
        let slices = self.slices_after(placed, next.cells());
        self.slice = slices.start;
        slices.start < self.slices.end && self.slices.start < slices.end
    }

    /// Returns the slices to which a placement leads. It is the last of `placed` placements and determines a digit.
    fn slices_after(&self, placed: u8, last: &[u32]) -> Range<u64> {
        let number = SLICES >> (SLICE_BITS * u32::from(placed - SHARD_DEPTH));
        let before = self.slice - self.slice % (number << SLICE_BITS);
        let first = before + digit(last) * number;
        // The last of these placements leads to one slice.
        first..first + if placed == self.slice_depth { 1 } else { number }
    }

    /// Reaches every figure possible from here, until `on_figure` returns `false`.
    fn step(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        self.steps += 1;
        if self.steps.is_multiple_of(STOP_CHECK_INTERVAL) {
            self.ended |= self.stop.load(Relaxed) || self.steps >= self.most_steps;
        }
        if self.ended || self.is_off_balance(remaining) {
            return;
        }
        if remaining.is_covered() {
            if remaining.room == 0 {
                let (cells, weight, slice) = (&*self.figure, self.weight, self.slice);
                let third = self.third();
                self.ended |= !on_figure(Reached { cells, weight, slice, third });
            } else {
                self.extend(remaining, on_figure);
            }
            return;
        }
        let pieces_left = self.pieces_left();
        if pieces_left <= LAST_PIECES.into() {
            self.weighted_seconds += self.weight * costs::BUILDABLE_STEP;
        }
        match (pieces_left, remaining.number_uncovered()) {
            (1, 2..) => return self.place_last(remaining, on_figure),
            // The cells of the first two placements are fixed by the search order, because they determine the
            // shard.
            (2, 3..) if self.placed >= SHARD_DEPTH => {
                return self.place_last_two(remaining, on_figure);
            }
            _ => (),
        }
        if let Some(scarcest) = self.scarcest(remaining) {
            let begin = self.options.len();
            self.add_options(scarcest, remaining.room);
            for at in begin..self.options.len() {
                let placement = self.options[at];
                self.try_alternative(remaining, |search| {
                    search.place(&placement, remaining, on_figure);
                });
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

    /// Returns an estimate of the whole search's seconds. It is based on the steps of the last sample.
    pub(super) const fn weighted_seconds(&self) -> f64 {
        self.weighted_seconds
    }

    /// Returns the number of nodes visited so far.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns `true` if too few cells can come in for balance. Then more fixed cells lie on one side of the root
    /// than can come in on the other.
    const fn is_off_balance(&self, remaining: &Remaining) -> bool {
        remaining.balance.abs() > remaining.room
    }

    /// Returns the uncovered cell with the fewest placements. `None` if not all cells can be covered.
    fn scarcest(&mut self, remaining: &Remaining) -> Option<u32> {
        if self.is_dead(remaining) {
            return None;
        }
        let (mut fewest, mut scarcest) = (u32::MAX, ROOT);
        let mut listed = 0;
        for &at in self.uncovered(remaining) {
            let mut number = 0;
            listed += 1;
            self.each_placement(at, remaining.room, |_, _, _| {
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
        self.weighted_seconds += self.weight * costs::BUILDABLE_PLACEMENT * f64::from(listed);
        (fewest > 0).then_some(scarcest)
    }

    /// Returns `true` if colors or distances of the uncovered cells exclude packings.
    ///
    /// The remaining pieces cover the uncovered cells and all cells that still come in. Their colors differ by at most
    /// the sum of the pieces' differences, and each cell that comes in changes the difference by one.
    fn is_dead(&self, remaining: &Remaining) -> bool {
        let color = |&at: &u32| if cell(at).is_black() { 1 } else { -1 };
        let difference: i32 = self.uncovered(remaining).iter().map(color).sum();
        let kinds = self.placements.kinds.iter().zip(&self.left);
        let supply: i32 = kinds.map(|(k, left)| k.color_difference * i32::from(*left)).sum();
        if difference.abs() > remaining.room + supply {
            return true;
        }
        let pieces = self.pieces_left();
        let (mut apart, mut number) = ([Cell::default(); MAX_BUILDABLE_CELLS + 1], 0);
        for &at in self.uncovered(remaining) {
            let here = cell(at);
            if !apart[..number].iter().any(|other| here.distance(*other) < self.far) {
                apart[number] = here;
                number += 1;
                if number > pieces {
                    return true;
                }
            }
        }
        false
    }

    /// Brings in the orbits next to the figure, one by one. An orbit stays out while the later ones come in, so each
    /// figure has one of them as its first.
    fn extend(&mut self, remaining: &Remaining, on_figure: &mut OnFigure<'_>) {
        let orbits = self.next_orbits(remaining.room);
        for &at in &orbits {
            self.try_alternative(remaining, |search| {
                let next = search.add_orbit(at, remaining);
                search.step(&next, on_figure);
                search.shorten(remaining);
            });
            self.exclude_orbit(at);
        }
        orbits.iter().for_each(|&at| self.reopen_orbit(at));
    }

    /// Returns the orbits that may come in, by one cell of each. They are next to the figure.
    fn next_orbits(&self, room: i32) -> Vec<u32> {
        const NEXT: [Cell; 6] = Cell::new(0, 0, 0).neighbors();
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
    fn exclude_orbit(&mut self, at: u32) {
        self.set_orbit_state(at, OUT);
    }

    fn reopen_orbit(&mut self, at: u32) {
        self.set_orbit_state(at, self.board.weight[at as usize]);
    }

    fn set_orbit_state(&mut self, at: u32, state: CellState) {
        self.state[at as usize] = state;
        for images in &self.board.images {
            self.state[images[at as usize] as usize] = state;
        }
    }
}
