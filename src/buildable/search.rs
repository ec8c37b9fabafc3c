//! The search for figures and packings together.
//!
//! A cell is undecided, in the figure and uncovered, in it and covered, or out of it. With every cell its orbit comes in,
//! so `room`, the number of cells that may still come in, shrinks by more than the cells that are covered, and the
//! uncovered cells have to be covered by the pieces left. Two kinds of steps:
//!
//! * Some cell is uncovered: the one with the fewest placements is covered in each of these ways.
//! * None is, but there is room: the orbits next to the figure come in by turns, each out of it afterwards.
//!
//! Either way the next step follows from the figure and its packing, so that each pair of them is reached once. A branch
//! is dead if more fixed cells lie on one side of the root than can come in on the other; if there is more of one color to
//! cover than the pieces left and the cells to come can make up for; if more cells that no piece could cover two of are
//! uncovered than there are pieces; or if a cell cannot be covered at all.

use super::board::{Board, CELLS, ROOT, cell, digits, number, step};
use super::placements::Placements;
use super::{MAX_CELLS, MAX_PIECE, UNITS};
use crate::figure::Figure;
use crate::lattice::Cell;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What is known of a cell. A placement takes cells up to [`UNCOVERED`].
const UNDECIDED: u8 = 0;
const UNCOVERED: u8 = 1;
const COVERED: u8 = 2;
const OUT: u8 = 3;

/// Placements after which the search is divided into units.
const UNIT_DEPTH: u8 = 2;

/// A stop is looked for after so many steps: some milliseconds.
const PATIENCE: u64 = 1 << 14;

/// The figures reached.
#[derive(Default)]
pub(super) struct Found {
    /// Keys of figures: the same for figures that a transform of the normalizer takes to each other.
    keys: FxHashSet<u128>,
    pub(super) figures: Vec<Figure>,
}

/// A placement that covers a cell.
#[derive(Clone, Copy)]
struct Placement {
    kind: u8,
    size: u8,
    cells: [u32; MAX_PIECE],
}

impl Placement {
    fn cells(&self) -> &[u32] {
        &self.cells[..self.size as usize]
    }
}

/// What is left to do: passed down, so that nothing has to be undone.
#[derive(Clone)]
struct Rest {
    uncovered: Vec<u32>,
    /// Cells that may come in.
    room: i32,
    /// Fixed cells after the root, less those before it.
    balance: i32,
}

pub(super) struct Search<'a> {
    board: &'a Board,
    placements: &'a Placements,
    unit: u64,
    stop: &'a AtomicBool,
    stopped: bool,
    /// Cells so far apart are not covered by one piece.
    far: i32,
    state: Vec<u8>,
    /// The cells of the figure.
    figure: Vec<u32>,
    /// Pieces left, by kind.
    left: Vec<u8>,
    placed: u8,
    steps: u64,
    /// Pairs of placements met, to be shared out among the units.
    pairs: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        board: &'a Board,
        placements: &'a Placements,
        unit: u64,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            board,
            placements,
            unit,
            stop,
            stopped: false,
            far: placements.longest(),
            state: vec![UNDECIDED; CELLS],
            figure: Vec::with_capacity(MAX_CELLS),
            left: placements.kinds.iter().map(|kind| kind.count).collect(),
            placed: 0,
            steps: 0,
            pairs: 0,
        }
    }

    /// Finds the figures of the unit.
    pub(super) fn run(&mut self, found: &mut Found) {
        let room = self.placements.cells() as i32;
        let mut rest = Rest { uncovered: Vec::new(), room, balance: 0 };
        self.bring_in(ROOT, &mut rest);
        let mut known = FxHashSet::default();
        for first in self.placements_at(ROOT, rest.room) {
            let cells: Vec<Cell> = first.cells().iter().map(|&at| cell(at)).collect();
            if known.insert(self.least_image(&cells)) {
                self.place(&first, &rest, found);
            }
        }
    }

    fn least_image(&self, cells: &[Cell]) -> Vec<u32> {
        let images = self.board.normalizer.iter().map(|t| {
            let mut image: Vec<u32> = cells.iter().map(|&c| number(t.apply(c))).collect();
            image.sort_unstable();
            image
        });
        images.min().unwrap_or_default()
    }

    /// Shows every placement that covers a cell of the figure and brings in `room` cells at most, with the number of
    /// cells that it brings in, until `visit` has seen enough.
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
        let (orbit, weight) = (&self.board.orbit[..], &self.board.weight[..]);
        let mut cells = [at; MAX_PIECE];
        // Cells brought in by the first nodes of the branch.
        let mut needs = [0; MAX_PIECE];
        let mut next = 0;
        while let Some(node) = tree.get(next) {
            let (cell, depth) = (at.wrapping_add_signed(node.step), node.depth as usize);
            let state = self.state[cell as usize];
            let mut need = needs[depth];
            if state == UNDECIDED {
                let one = orbit[cell as usize];
                if !cells[1..=depth].iter().any(|&other| orbit[other as usize] == one) {
                    need += i32::from(weight[cell as usize]);
                }
            }
            if state > UNCOVERED || need > room {
                next = node.skip as usize;
                continue;
            }
            cells[depth + 1] = cell;
            if node.kind > 0 && !visit(node.kind - 1, &cells[..depth + 2], need) {
                return;
            }
            if depth + 1 < MAX_PIECE {
                needs[depth + 1] = need;
            }
            next += 1;
        }
    }

    fn placements_at(&self, at: u32, room: i32) -> Vec<Placement> {
        let mut list = Vec::new();
        // The last piece brings in all that is missing.
        let last = self.left.iter().sum::<u8>() == 1;
        self.each_placement(at, room, |kind, some, need| {
            if !last || need == room {
                let mut cells = [0; MAX_PIECE];
                cells[..some.len()].copy_from_slice(some);
                list.push(Placement { kind, size: some.len() as u8, cells });
            }
            true
        });
        list
    }

    /// Takes a cell and its images into the figure.
    fn bring_in(&mut self, at: u32, rest: &mut Rest) {
        let before = self.figure.len();
        let images = self.board.images.iter().map(|images| images[at as usize]);
        for image in std::iter::once(at).chain(images) {
            if self.state[image as usize] == UNDECIDED {
                self.state[image as usize] = UNCOVERED;
                self.figure.push(image);
                rest.uncovered.push(image);
            }
        }
        rest.room -= (self.figure.len() - before) as i32;
        rest.balance += i32::from(self.board.side[at as usize]);
    }

    /// Takes the last cells out of the figure again.
    fn shorten(&mut self, len: usize) {
        for at in self.figure.drain(len..) {
            self.state[at as usize] = UNDECIDED;
        }
    }

    fn place(&mut self, placement: &Placement, before: &Rest, found: &mut Found) {
        let len = self.figure.len();
        let mut rest = before.clone();
        for &at in placement.cells() {
            if self.state[at as usize] == UNDECIDED {
                self.bring_in(at, &mut rest);
            }
        }
        for &at in placement.cells() {
            self.state[at as usize] = COVERED;
        }
        rest.uncovered.retain(|&at| self.state[at as usize] == UNCOVERED);
        self.left[placement.kind as usize] -= 1;
        self.placed += 1;
        if self.is_of_unit() {
            self.step(&rest, found);
        }
        self.placed -= 1;
        self.left[placement.kind as usize] += 1;
        for &at in placement.cells() {
            self.state[at as usize] = UNCOVERED;
        }
        self.shorten(len);
    }

    /// Whether the unit goes on from here.
    fn is_of_unit(&mut self) -> bool {
        if self.placed != UNIT_DEPTH {
            return true;
        }
        self.pairs += 1;
        self.pairs % UNITS == self.unit
    }

    fn step(&mut self, rest: &Rest, found: &mut Found) {
        self.steps += 1;
        if self.steps.is_multiple_of(PATIENCE) {
            self.stopped |= self.stop.load(Relaxed);
        }
        if self.stopped || rest.balance.abs() > rest.room {
            return;
        }
        if rest.uncovered.is_empty() {
            if rest.room == 0 {
                self.reach(found);
            } else {
                self.extend(rest, found);
            }
            return;
        }
        if self.is_dead(rest) {
            return;
        }
        let (mut fewest, mut scarcest) = (u32::MAX, ROOT);
        for &at in &rest.uncovered {
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
        if fewest > 0 {
            for placement in self.placements_at(scarcest, rest.room) {
                self.place(&placement, rest, found);
            }
        }
    }

    /// Whether the colors of the uncovered cells, or their distances, leave no way to cover them.
    fn is_dead(&self, rest: &Rest) -> bool {
        let color = |&at: &u32| if digits(at).iter().sum::<i32>() & 1 == 0 { 1 } else { -1 };
        let difference: i32 = rest.uncovered.iter().map(color).sum();
        let kinds = self.placements.kinds.iter().zip(&self.left);
        let supply: i32 = kinds.map(|(k, left)| k.color_difference * i32::from(*left)).sum();
        if difference.abs() > rest.room + supply {
            return true;
        }
        let pieces: usize = self.left.iter().map(|&left| left as usize).sum();
        let (mut apart, mut number) = ([[0; 3]; MAX_CELLS + 1], 0);
        for &at in &rest.uncovered {
            let here = digits(at);
            let near = |other: &[i32; 3]| {
                let distance: i32 = (0..3).map(|axis| (here[axis] - other[axis]).abs()).sum();
                distance < self.far
            };
            if !apart[..number].iter().any(near) {
                apart[number] = here;
                number += 1;
                if number > pieces {
                    return true;
                }
            }
        }
        false
    }

    /// Lets orbits next to the figure come in, by turns.
    fn extend(&mut self, rest: &Rest, found: &mut Found) {
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
                let fits = i32::from(self.board.weight[at]) <= rest.room;
                if self.state[at] == UNDECIDED && fits && !orbits.contains(&self.board.orbit[at]) {
                    orbits.push(self.board.orbit[at]);
                }
            }
        }
        let len = self.figure.len();
        for &at in &orbits {
            let mut next = rest.clone();
            self.bring_in(at, &mut next);
            self.step(&next, found);
            self.shorten(len);
            self.set_orbit(at, OUT);
        }
        for &at in &orbits {
            self.set_orbit(at, UNDECIDED);
        }
    }

    fn set_orbit(&mut self, at: u32, state: u8) {
        self.state[at as usize] = state;
        for images in &self.board.images {
            self.state[images[at as usize] as usize] = state;
        }
    }

    /// A figure with a packing.
    fn reach(&self, found: &mut Found) {
        let cells: Vec<Cell> = self.figure.iter().map(|&at| cell(at)).collect();
        let key = |t: &crate::lattice::Transform| {
            cells.iter().fold(0_u128, |sum, &c| sum.wrapping_add(mix(number(t.apply(c)))))
        };
        let key = self.board.normalizer.iter().map(key).min().unwrap_or_default();
        if found.keys.insert(key) {
            let figure = Figure::new(cells).expect("a figure has cells, each once, near the root");
            found.figures.push(figure);
        }
    }
}

/// A random-looking number for a cell. Sums of them tell sets of cells apart: two of 10⁹ figures have the same by
/// accident with a probability of 10⁻²¹.
fn mix(number: u32) -> u128 {
    let mut state = u64::from(number) + 1;
    // SplitMix64 (Steele, Lea and Flood, 2014), twice.
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    };
    u128::from(next()) << 64 | u128::from(next())
}
