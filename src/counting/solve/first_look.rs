//! Rules out figures by their bare cells: by the colors, and by a cell that no piece can cover.
//!
//! Most symmetric figures fail here. So these tests run where figures are found, on the cells as they lie. They must be
//! as fast as finding figures: a tenth of a microsecond per figure. The cells are marked on a bit board. For each cell,
//! a program looks for a placement around it. The program is the tree of all placements that cover a given cell, each
//! as the list of its cells, the nearest first. An empty place skips a whole branch, so the dead end of an arm, the
//! usual reason, takes about ten steps.
//!
//! A short search, which also takes the cells as they lie, exhausts nearly all figures that remain.

use super::prepared_set::PreparedSet;
use super::solver::Solver;
use super::sweep::OrientedShape;
use super::{guard, with_solver};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Group;
use std::cell::RefCell;

/// The most cells and kinds of pieces together for which figures get a first look.
const MAX_FIRST_LOOK_ITEMS: usize = 191;

const BOARD_SIDE: i32 = 64;

const BOARD_WORDS: usize = (BOARD_SIDE * BOARD_SIDE * BOARD_SIDE) as usize / u64::BITS as usize;

/// Marks a step that completes no placement.
const INCOMPLETE: u8 = u8::MAX;

/// A step of a program that looks for placements around a cell: the cell in question.
#[derive(Clone, Copy, Debug)]
struct ProbeStep {
    /// The difference of the place to look at from that of the cell in question. If the place is empty, the program
    /// continues with step `otherwise`, else with the next step.
    at: i32,
    /// The number of the step after the branch of placements that contain this place; beyond the last step for the end.
    otherwise: u32,
    /// The number of places before this one on the way to a placement.
    depth: u8,
    /// The code of the placement that is complete here. It is twice its type's number, plus 1 if it has more white
    /// cells when the cell in question is black. At most one is complete: different placements have different
    /// cells.
    complete: u8,
}

impl ProbeStep {
    /// Returns true if an allowed placement is complete here.
    fn completes(&self, allowed: u128) -> bool {
        self.complete != INCOMPLETE && allowed >> self.complete & 1 == 1
    }
}

/// Prepared tests for figures to be built from a set.
///
/// ```
/// use somacat_counting::solve::FirstLook;
/// use somacat_geometry::boxes::box_cells;
/// use somacat_geometry::outcome::Reason;
/// use somacat_geometry::pieces::PieceSet;
/// use somacat_geometry::symmetry::Group;
///
/// let look = FirstLook::new(&PieceSet::soma(1));
/// let rule_out = |sides| {
///     let cells = box_cells(sides);
///     look.rule_out(&cells, &cells, Group::TRIVIAL)
/// };
/// assert_eq!(rule_out([1, 3, 9]), Some(Reason::NoFit));
/// assert_eq!(rule_out([3, 3, 3]), None);
/// ```
#[derive(Clone, Debug)]
pub struct FirstLook {
    set: PieceSet,
    /// The number of cells of the set.
    cells: usize,
    /// The possible placements around [black, white] cells, by number of black cells. They are sets of
    /// [`ProbeStep::complete`]; `None` if there is no packing.
    allowed: Vec<Option<[u128; 2]>>,
    /// Looks for a placement that covers a cell. Empty if the set is too large for the solver.
    cover: Vec<ProbeStep>,
    /// One program for each type. It looks for a placement with a busiest cell on a given cell. Types with few
    /// orientations come first, since they are the likeliest not to fit.
    fit: Vec<Vec<ProbeStep>>,
    /// The same for a type or its mirror image. `None` if reflection does not keep the set.
    fit_mirrored: Option<Vec<Vec<ProbeStep>>>,
    /// Looks for the placements whose first cell is a given cell. Empty if they do not fit masks of 64 bits.
    begin: Vec<ProbeStep>,
    /// Width of the empty margin around a figure on the board, in cells: no placement reaches farther.
    margin: i32,
}

/// A cell of a placement relative to another: its distance and its coordinates.
type CellOffset = (i32, [i32; 3]);

impl FirstLook {
    /// Prepares the tests for a set.
    pub fn new(set: &PieceSet) -> Self {
        let prepared = PreparedSet::new(set);
        let (cells, margin) = (set.total_cells(), prepared.reach.max(1));
        if cells + prepared.kinds.len() > MAX_FIRST_LOOK_ITEMS {
            let (allowed, cover, fit, fit_mirrored) = (Vec::new(), Vec::new(), Vec::new(), None);
            let (set, begin) = (set.clone(), Vec::new());
            return Self { set, cells, allowed, cover, fit, fit_mirrored, begin, margin };
        }
        let all = prepared.shapes.iter();
        let cover = all.flat_map(|s| s.cells.iter().map(|&from| placement(s, from))).collect();
        let mut kinds: Vec<usize> = (0..prepared.kinds.len()).collect();
        kinds.sort_by_key(|&kind| prepared.kinds[kind].orientations);
        let fit_any_of = |kinds: [usize; 2]| {
            let shapes = prepared.shapes.iter().filter(|shape| kinds.contains(&shape.kind));
            let busiest = |s| busiest(s).into_iter().map(move |from| placement(s, from));
            compile(shapes.flat_map(busiest).collect())
        };
        let mirrored = |&kind: &usize| {
            let image = prepared.kinds[kind].mirror?;
            Some((kind <= image).then(|| fit_any_of([kind, image])))
        };
        let fit_mirrored = kinds.iter().map(mirrored).collect::<Option<Vec<_>>>();
        let fits_masks = cells + kinds.len() < u64::BITS as usize;
        let begin = prepared.shapes.iter().filter(|_| fits_masks).map(|s| placement(s, s.cells[0]));
        Self {
            set: set.clone(),
            cells,
            allowed: (0..=cells).map(|black| allowed(&prepared, black)).collect(),
            cover: compile(cover),
            fit: kinds.iter().map(|&kind| fit_any_of([kind, kind])).collect(),
            fit_mirrored: fit_mirrored.map(|programs| programs.into_iter().flatten().collect()),
            begin: compile(begin.collect()),
            margin,
        }
    }

    /// Returns the reason why these cells have no packing, if a quick test finds one. `None` does not imply a packing.
    ///
    /// The cells may be in any order and position. [`super::count`] gives the same reason. `group` contains some or all
    /// of the figure's symmetries, and `orbits` at least one cell of each of their orbits.
    pub fn rule_out(&self, cells: &[Cell], orbits: &[Cell], group: Group) -> Option<Reason> {
        self.probe(cells, orbits, group, false)
    }

    /// Extends [`Self::rule_out`] by a short search that ignores the figure's symmetry.
    ///
    /// Most remaining figures without a packing are exhausted after a few nodes. The search is skipped if counts
    /// have a limit of `nodes`, because such a count could give another verdict.
    pub fn rule_out_by_short_search(
        &self,
        cells: &[Cell],
        orbits: &[Cell],
        group: Group,
        nodes: Option<u64>,
    ) -> Option<Reason> {
        self.probe(cells, orbits, group, nodes.is_none())
    }

    /// Runs the tests, and with `search` the short search.
    fn probe(&self, cells: &[Cell], orbits: &[Cell], group: Group, search: bool) -> Option<Reason> {
        if self.cover.is_empty() {
            return None;
        }
        if cells.len() != self.cells {
            return Some(Reason::Size);
        }
        let black = cells.iter().filter(|cell| cell.is_black()).count();
        let Some(allowed) = self.allowed[black] else { return Some(Reason::Parity) };
        // If a symmetry maps packings to packings, one cell of each orbit is enough.
        let (probes, fit) = match &self.fit_mirrored {
            _ if group.is_chiral() => (orbits, &self.fit),
            Some(fit_mirrored) => (orbits, fit_mirrored),
            None => (cells, &self.fit),
        };
        on_board(cells, self.margin, |board| {
            let is_there = |program: &[ProbeStep], cell: Cell| {
                board.has_placement(program, cell, allowed[usize::from(!cell.is_black())])
            };
            let open = probes.iter().all(|&cell| is_there(&self.cover, cell))
                && fit.iter().all(|program| probes.iter().any(|&cell| is_there(program, cell)));
            let reason = match open {
                false => Reason::NoFit,
                true if search && self.is_exhausted_by_short_search(board, cells, allowed) => {
                    Reason::Exhausted
                }
                true => return None,
            };
            // For a figure in several parts, the reason `parts` has precedence.
            board.is_connected(cells).then_some(reason)
        })?
    }

    /// Returns true if a short search on `board` ends without packings.
    fn is_exhausted_by_short_search(
        &self,
        board: &mut BitBoard,
        cells: &[Cell],
        allowed: [u128; 2],
    ) -> bool {
        if self.begin.is_empty() {
            return false;
        }
        board.list_placements(&self.begin, cells, allowed);
        let search = |solver: &mut Solver| {
            solver.is_exhausted_by_short_search(cells.len(), &board.placements)
        };
        // A failure here recurs in the count, which reports it.
        guard(|| Ok::<_, ()>(with_solver(&self.set, search))) == Ok(true)
    }
}

/// Returns the possible placements around [black, white] cells, for `black` black cells.
fn allowed(prepared: &PreparedSet, black: usize) -> Option<[u128; 2]> {
    let constraints = prepared.constraints(2 * black as i32 - prepared.volume as i32)?;
    let numbers = |kind: usize, around_white: bool| {
        let surpluses = constraints.signs[kind].into_iter().zip([false, true]);
        let possible = surpluses.filter(|(possible, _)| *possible);
        possible.fold(0, |set, (_, white)| set | 1 << number(kind, white != around_white))
    };
    let around = |white| (0..prepared.kinds.len()).fold(0, |set, kind| set | numbers(kind, white));
    Some([around(false), around(true)])
}

/// Returns the code of a type's placements for [`ProbeStep::complete`]. `white`: more white cells if the cell in
/// question is black.
///
/// It is below 128: the cells of 64 different pieces would exceed [`MAX_FIRST_LOOK_ITEMS`].
const fn number(kind: usize, white: bool) -> u8 {
    2 * kind as u8 + white as u8
}

/// Returns a placement as steps from a cell, with its [`ProbeStep::complete`]. The nearest steps come first.
fn placement(shape: &OrientedShape, from: Cell) -> (Vec<CellOffset>, u8) {
    let step = |&cell: &Cell| {
        let [x, y, z] = (cell - from).to_array();
        (x.abs() + y.abs() + z.abs(), [x, y, z])
    };
    let mut steps: Vec<CellOffset> = shape.cells.iter().map(step).collect();
    steps.sort_unstable();
    // `surplus` is black minus white cells if the shape's first cell is black.
    let white = (shape.surplus < 0) == from.is_black();
    (steps, number(shape.kind, white))
}

/// Returns the cells with most neighbors within the shape: few cells of a figure have as many.
fn busiest(shape: &OrientedShape) -> Vec<Cell> {
    let neighbors =
        |cell: &Cell| cell.neighbors().iter().filter(|n| shape.cells.contains(n)).count();
    let most = shape.cells.iter().map(neighbors).max();
    shape.cells.iter().copied().filter(|cell| Some(neighbors(cell)) == most).collect()
}

/// Compiles a program that looks for these placements.
fn compile(mut placements: Vec<(Vec<CellOffset>, u8)>) -> Vec<ProbeStep> {
    placements.sort_unstable();
    let mut program = Vec::new();
    add_steps(&placements, 0, &mut program);
    program
}

/// Adds the steps for ascending placements that share their first `depth` cells.
fn add_steps(placements: &[(Vec<CellOffset>, u8)], depth: usize, program: &mut Vec<ProbeStep>) {
    for branch in placements.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
        let (first, number) = &branch[0];
        let (_, [x, y, z]) = first[depth];
        let complete = first.len() == depth + 1;
        let start = program.len();
        let at = x + BOARD_SIDE * (y + BOARD_SIDE * z);
        let complete_here = if complete { *number } else { INCOMPLETE };
        program.push(ProbeStep { at, otherwise: 0, depth: depth as u8, complete: complete_here });
        add_steps(&branch[usize::from(complete)..], depth + 1, program);
        program[start].otherwise = program.len() as u32;
    }
}

/// The places of a figure's cells in a cube of [`BOARD_SIDE`] places a side, empty between figures.
#[derive(Default)]
struct BitBoard {
    /// A bit for each place, set if it is occupied.
    words: Vec<u64>,
    /// By place, the number of the cell there. Meaningless where there is none.
    numbers: Vec<u8>,
    /// The cell at place 0.
    corner: Cell,
    /// Buffer for the placements of a short search.
    placements: Vec<u64>,
}

/// Runs `test` on a board with these cells and a margin. Returns `None` if the cells are too far apart.
fn on_board<R>(cells: &[Cell], margin: i32, test: impl FnOnce(&mut BitBoard) -> R) -> Option<R> {
    thread_local! {
        static BOARD: RefCell<BitBoard> = RefCell::default();
    }
    let least = Cell::min_corner(cells);
    let room = BOARD_SIDE - 2 * margin;
    if cells.iter().any(|&cell| (cell - least).to_array().into_iter().any(|at| at >= room)) {
        return None;
    }
    BOARD.with_borrow_mut(|board| {
        board.words.resize(BOARD_WORDS, 0);
        board.corner = least - Cell::new(margin, margin, margin);
        for &cell in cells {
            let place = board.place(cell);
            board.words[place as usize / 64] |= 1 << (place % 64);
        }
        let result = test(board);
        for &cell in cells {
            let place = board.place(cell);
            board.words[place as usize / 64] = 0;
        }
        Some(result)
    })
}

impl BitBoard {
    fn place(&self, cell: Cell) -> i32 {
        let at = cell - self.corner;
        at.x + BOARD_SIDE * (at.y + BOARD_SIDE * at.z)
    }

    fn has(&self, place: i32) -> bool {
        self.words[place as usize / 64] >> (place % 64) & 1 == 1
    }

    /// Runs a program around a place. Passes each step that finds a cell to `visit`, until it returns false.
    #[inline(always)]
    fn run(&self, program: &[ProbeStep], place: i32, mut visit: impl FnMut(&ProbeStep) -> bool) {
        let mut at = 0;
        while let Some(step) = program.get(at) {
            if !self.has(place + step.at) {
                at = step.otherwise as usize;
                continue;
            }
            if !visit(step) {
                break;
            }
            at += 1;
        }
    }

    /// Returns true if the figure contains an allowed placement around a cell.
    fn has_placement(&self, program: &[ProbeStep], cell: Cell, allowed: u128) -> bool {
        let mut found = false;
        self.run(program, self.place(cell), |step| {
            found = step.completes(allowed);
            !found
        });
        found
    }

    /// Lists the allowed placements around every cell. A placement has a bit for each of its cells and one for its
    /// type.
    fn list_placements(&mut self, program: &[ProbeStep], cells: &[Cell], allowed: [u128; 2]) {
        self.numbers.resize(u64::BITS as usize * BOARD_WORDS, 0);
        for (number, &cell) in cells.iter().enumerate() {
            let place = self.place(cell);
            self.numbers[place as usize] = number as u8;
        }
        let mut placements = std::mem::take(&mut self.placements);
        placements.clear();
        // By depth, the cells on the way to a placement.
        let mut masks = [0_u64; u64::BITS as usize];
        for &cell in cells {
            let (place, allowed) = (self.place(cell), allowed[usize::from(!cell.is_black())]);
            self.run(program, place, |step| {
                let depth = usize::from(step.depth);
                let mask = masks[depth] | 1 << self.numbers[(place + step.at) as usize];
                masks[depth + 1] = mask;
                if step.completes(allowed) {
                    placements.push(mask | 1 << (cells.len() + usize::from(step.complete / 2)));
                }
                true
            });
        }
        self.placements = placements;
    }

    /// Returns true if the cells are connected. Removes the reached ones from the board.
    fn is_connected(&mut self, cells: &[Cell]) -> bool {
        const NEIGHBORS: [i32; 6] =
            [-1, 1, -BOARD_SIDE, BOARD_SIDE, -BOARD_SIDE * BOARD_SIDE, BOARD_SIDE * BOARD_SIDE];
        let first = self.place(cells[0]);
        let mut reached = Vec::with_capacity(cells.len());
        self.remove(first, &mut reached);
        let mut at = 0;
        while let Some(&place) = reached.get(at) {
            NEIGHBORS.iter().for_each(|step| self.remove(place + step, &mut reached));
            at += 1;
        }
        reached.len() == cells.len()
    }

    fn remove(&mut self, place: i32, to: &mut Vec<i32>) {
        if self.has(place) {
            self.words[place as usize / 64] &= !(1 << (place % 64));
            to.push(place);
        }
    }
}
