//! What the cells of a figure show before it is even made into one: the colors, and a cell that no piece can cover.
//!
//! Most symmetric figures fail here. So this is done where they are met, on the cells as they lie, and it has to be
//! as fast as meeting them: a tenth of a microsecond for a figure. The cells are marked on a board of bits, and for
//! each cell a program is run that looks for a placement around it. The program is the tree of all placements that
//! cover a given cell, each as the list of its cells, the nearest first. Near an empty place a whole branch is
//! skipped, so that the dead end of an arm, the usual reason, takes some ten looks.

use super::MAX_SEARCH_CELLS;
use super::kit::Kit;
use super::solver::MAX_KINDS;
use super::sweep::Shape;
use crate::lattice::Cell;
use crate::outcome::Reason;
use crate::pieces::PieceSet;
use std::cell::RefCell;

/// The side of the board.
const SIDE: i32 = 64;

/// Words of the board: a bit for each place.
const WORDS: usize = (SIDE * SIDE * SIDE) as usize / u64::BITS as usize;

/// No placement is complete here.
const INCOMPLETE: u8 = u8::MAX;

/// A step of the program.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The place to look at, from the cell in question. If it is empty, go on with step `otherwise`, else the next.
    at: i32,
    otherwise: u32,
    /// The placement that is complete here, by type and by which color it has more of if the cell in question is
    /// black: twice the type's number, and 1 more for white. There is one at most: different placements have different
    /// cells.
    complete: u8,
}

/// What a set is looked at with.
#[derive(Clone, Debug)]
pub struct FirstLook {
    /// The number of cells of a figure.
    cells: usize,
    /// For each color difference from −`cells` up, if it can be reached, the placements that can occur around
    /// [black, white] cells, as a set of [`Look::complete`].
    allowed: Vec<Option<[u128; 2]>>,
    /// Looks for a placement that covers a cell. Empty if the set is too large for the solver.
    cover: Vec<Look>,
    /// For each type, a program that looks for a placement with a certain one of its cells on a given cell. Those with
    /// few orientations, which are the likeliest to fit nowhere, come first.
    fit: Vec<Vec<Look>>,
    /// The largest coordinate difference within a piece.
    reach: i32,
}

/// A cell of a placement from another: its distance, and the coordinates.
type Step = (i32, [i32; 3]);

impl FirstLook {
    /// Prepares to look at figures that are to be built from a set.
    #[must_use]
    pub fn new(set: &PieceSet) -> Self {
        let kit = Kit::new(set);
        let cells = set.total_cells();
        let look = Self {
            cells,
            allowed: Vec::new(),
            cover: Vec::new(),
            fit: Vec::new(),
            reach: kit.reach,
        };
        if cells > MAX_SEARCH_CELLS || kit.kinds.len() > MAX_KINDS {
            return look;
        }
        let all = kit.shapes.iter();
        let cover = all.flat_map(|s| s.cells.iter().map(|&from| placement(s, from))).collect();
        let mut kinds: Vec<usize> = (0..kit.kinds.len()).collect();
        kinds.sort_by_key(|&kind| kit.kinds[kind].orientations);
        let fit = kinds.iter().map(|&kind| {
            let of_kind = kit.shapes.iter().filter(|shape| shape.kind == kind);
            compile(of_kind.map(|shape| placement(shape, busiest(&shape.cells))).collect())
        });
        let (cover, fit) = (compile(cover), fit.collect());
        let difference = |d: i32| {
            let forcing = kit.forcing(d)?;
            let bit = |kind: usize, white: bool| 1 << (2 * kind + usize::from(white));
            let around = |white: bool| {
                (0..kit.kinds.len()).fold(0, |mask, kind| {
                    let [black_surplus, white_surplus] = forcing.signs[kind];
                    let black = if black_surplus { bit(kind, white) } else { 0 };
                    let white = if white_surplus { bit(kind, !white) } else { 0 };
                    mask | black | white
                })
            };
            Some([around(false), around(true)])
        };
        let volume = cells as i32;
        Self { allowed: (-volume..=volume).map(difference).collect(), cover, fit, ..look }
    }

    /// Why there is no packing of the figure with these cells, in any order and anywhere, if the first look shows
    /// it; then [`super::count`] gives the same reason. If it shows nothing, there need not be a packing.
    #[must_use]
    pub fn rule_out(&self, cells: &[Cell]) -> Option<Reason> {
        if self.cover.is_empty() {
            return None;
        }
        if cells.len() != self.cells {
            return Some(Reason::Size);
        }
        let black = cells.iter().filter(|cell| cell.is_black()).count();
        let Some(allowed) = self.allowed[2 * black] else { return Some(Reason::Parity) };
        // Of a figure in several parts the parts come first.
        on_board(cells, self.reach, |board, places| {
            let fits = |program: &[Look], &(place, color): &(i32, usize)| {
                is_there(program, board, place, allowed[color])
            };
            let open = places.iter().all(|at| fits(&self.cover, at))
                && self.fit.iter().all(|program| places.iter().any(|at| fits(program, at)));
            (!open && is_connected(board, places)).then_some(Reason::NoFit)
        })?
    }
}

/// Whether there is an allowed placement around a cell of the figure.
fn is_there(program: &[Look], board: &[u64], place: i32, allowed: u128) -> bool {
    let mut at = 0;
    while let Some(look) = program.get(at) {
        if !has(board, place + look.at) {
            at = look.otherwise as usize;
            continue;
        }
        if look.complete != INCOMPLETE && allowed >> look.complete & 1 == 1 {
            return true;
        }
        at += 1;
    }
    false
}

/// A placement by the steps from one of its cells, the nearest first, and its number, see [`Look::complete`].
fn placement(shape: &Shape, from: Cell) -> (Vec<Step>, u8) {
    let step = |&cell: &Cell| {
        let [x, y, z] = (cell - from).to_array();
        (x.abs() + y.abs() + z.abs(), [x, y, z])
    };
    let mut steps: Vec<Step> = shape.cells.iter().map(step).collect();
    steps.sort_unstable();
    // The surplus is that of black cells when the shape's first cell is black.
    let white = (shape.surplus < 0) == from.is_black();
    (steps, 2 * shape.kind as u8 + u8::from(white))
}

/// The cell with most neighbors: few cells of a figure have as many.
fn busiest(cells: &[Cell]) -> Cell {
    let neighbors = |cell: &&Cell| cell.neighbors().iter().filter(|n| cells.contains(n)).count();
    *cells.iter().max_by_key(neighbors).expect("a piece has cells")
}

/// A program that looks for these placements.
fn compile(mut placements: Vec<(Vec<Step>, u8)>) -> Vec<Look> {
    placements.sort_unstable();
    let mut program = Vec::new();
    add_steps(&placements, 0, &mut program);
    program
}

/// Adds the steps for placements, ascending, that have their first `depth` cells in common.
fn add_steps(placements: &[(Vec<Step>, u8)], depth: usize, program: &mut Vec<Look>) {
    for branch in placements.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
        let (first, number) = &branch[0];
        let (_, [x, y, z]) = first[depth];
        let complete = first.len() == depth + 1;
        let start = program.len();
        let at = x + SIDE * (y + SIDE * z);
        let complete_here = if complete { *number } else { INCOMPLETE };
        program.push(Look { at, otherwise: 0, complete: complete_here });
        add_steps(&branch[usize::from(complete)..], depth + 1, program);
        program[start].otherwise = program.len() as u32;
    }
}

fn has(board: &[u64], place: i32) -> bool {
    board[place as usize / 64] >> (place % 64) & 1 == 1
}

/// A board, empty between two figures, and for each cell of a figure its place and color, 0 for black.
#[derive(Default)]
struct Board {
    words: Vec<u64>,
    places: Vec<(i32, usize)>,
}

/// Shows the cells on a board, with room for pieces all around; `None` if they are too far apart for it.
fn on_board<R>(
    cells: &[Cell],
    reach: i32,
    look: impl FnOnce(&mut [u64], &[(i32, usize)]) -> R,
) -> Option<R> {
    thread_local! {
        static BOARD: RefCell<Board> = RefCell::default();
    }
    let least = Cell::min_corner(cells);
    let room = SIDE - 2 * reach;
    if cells.iter().any(|&cell| (cell - least).to_array().into_iter().any(|at| at >= room)) {
        return None;
    }
    BOARD.with_borrow_mut(|Board { words, places }| {
        words.resize(WORDS, 0);
        let low = least - Cell::new(reach, reach, reach);
        places.clear();
        places.extend(cells.iter().map(|&cell| {
            let at = cell - low;
            (at.x + SIDE * (at.y + SIDE * at.z), usize::from(!cell.is_black()))
        }));
        for &(place, _) in &*places {
            words[place as usize / 64] |= 1 << (place % 64);
        }
        let seen = look(words, places);
        for &(place, _) in &*places {
            words[place as usize / 64] = 0;
        }
        Some(seen)
    })
}

/// Whether the cells on the board are one part. Takes cells off the board.
fn is_connected(board: &mut [u64], places: &[(i32, usize)]) -> bool {
    const NEIGHBORS: [i32; 6] = [-1, 1, -SIDE, SIDE, -SIDE * SIDE, SIDE * SIDE];
    let mut waiting: Vec<i32> = Vec::with_capacity(places.len());
    let mut reached = 0;
    let mut take = |place: i32, waiting: &mut Vec<i32>| {
        if has(board, place) {
            board[place as usize / 64] &= !(1 << (place % 64));
            waiting.push(place);
        }
    };
    take(places[0].0, &mut waiting);
    while let Some(place) = waiting.pop() {
        reached += 1;
        NEIGHBORS.iter().for_each(|step| take(place + step, &mut waiting));
    }
    reached == places.len()
}
