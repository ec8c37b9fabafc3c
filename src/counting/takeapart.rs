//! Taking the pieces of a packing apart by straight moves.
//!
//! A move translates a group of one or more pieces, as one rigid body, along an axis until it is clear of the pieces
//! that stay. Afterwards the group and the rest are two assemblies, far from each other, each taken apart by itself. An
//! assembly *comes apart* if moves end with every piece alone. Pieces are rigid unions of cells that move by whole
//! cells, and nothing else is in the way: no table, no hand, no gravity.
//!
//! **Which groups can move.** Let the assembly be the set T of pieces. Piece j *blocks* piece i in the direction d if
//! on some line along d a cell of j lies farther than a cell of i. A group S moves along d to infinity exactly if no
//! piece of T outside of S blocks a piece of S: the cell of i passes through all cells in front of it on its line. So
//! the movable groups are the sets closed under "is blocked by", and the smallest that contains a piece i is what can
//! be reached from i in the graph of d, its *closure*. If there is any movable group smaller than T, then there is one
//! of this form: the closure of a piece in it.
//!
//! **A move never hurts.** If T comes apart, so does every subset U of T: take the same moves, and leave out the pieces
//! that are not in U. If a group S is closed in T, then S ∩ U is closed in U, because U has no further blocker; where S ∩
//! U is empty or all of U, the move is skipped. In particular, after any move both the group and the rest, as subsets
//! of T, come apart if T does. So the search takes any move it finds, never goes back, and its answer is exact: n pieces
//! need n - 1 moves, each found by at most 6 n walks through a graph.
//!
//! **What stays together.** Call a set of two or more pieces interlocked if it has no move. Any move of an assembly
//! leaves an interlocked subset on one side, since it would otherwise give a move of that subset. So the assemblies left
//! at the end, interlocked themselves, are the largest interlocked sets, whichever moves were chosen.
//!
//! **One at a time.** A group of several pieces moves only if no single piece of its assembly can. By the same argument,
//! a subset of pieces that come out one at a time comes out one at a time. So if any move here is of several pieces,
//! there is no order in which all pieces come out singly.
//!
//! For example, two linked rings: on every axis one ring has a cell in front of the other, and one behind it. Either
//! closure is both rings, in all six directions, so they interlock.

use somacat_geometry::lattice::Cell;
use somacat_geometry::spelling::Spelling;

/// One of the six directions of a straight move. z points down, so `-z` is up.
///
/// ```
/// use somacat_counting::takeapart::Direction;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::spelling::{Spelling, parse_word};
///
/// let up: Direction = parse_word("-z").expect("a direction");
/// assert_eq!((up.step(), up.word()), (Cell::new(0, 0, -1), "-z"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Direction {
    /// 0, 1 or 2 for x, y or z.
    axis: usize,
    /// True for moves towards larger coordinates.
    forward: bool,
}

impl Direction {
    const fn new(axis: usize, forward: bool) -> Self {
        Self { axis, forward }
    }

    /// Returns the step of a move.
    pub fn step(self) -> Cell {
        let mut step = [0; 3];
        step[self.axis] = if self.forward { 1 } else { -1 };
        Cell::new(step[0], step[1], step[2])
    }
}

impl Spelling for Direction {
    const KIND: &'static str = "direction";
    // In the order of preference: pieces are lifted where possible, and not pushed through the table if avoidable.
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::new(2, false), "-z"),
        (Self::new(0, false), "-x"),
        (Self::new(0, true), "+x"),
        (Self::new(1, true), "+y"),
        (Self::new(1, false), "-y"),
        (Self::new(2, true), "+z"),
    ];
}

/// A move of one piece or a group, away from the pieces with which it still was together.
///
/// See [`TakenApart`] for an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The positions of the pieces that move, ascending.
    pub pieces: Vec<usize>,
    /// Where they go.
    pub direction: Direction,
}

/// The result of taking an assembly apart.
///
/// ```
/// use somacat_counting::takeapart::take_apart;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::spelling::Spelling;
///
/// // A cell between the arms of a U that lies on its side. Neither can be lifted, but the U slides off.
/// let u = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 2]].map(Cell::from).to_vec();
/// let taken = take_apart(&[u, vec![Cell::new(1, 0, 1)]]);
/// assert!(taken.is_one_at_a_time());
/// let moves: Vec<_> = taken.moves.iter().map(|one| (&one.pieces[..], one.direction.word())).collect();
/// assert_eq!(moves, [(&[0][..], "-x")]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenApart {
    /// The moves, in order. The pieces of each are together before it, and the last of n pieces does not move.
    pub moves: Vec<Move>,
    /// The groups of pieces that no move separates, as positions of the pieces; none if the assembly comes apart.
    pub interlocked: Vec<Vec<usize>>,
}

impl TakenApart {
    /// Returns true if the moves separate all pieces.
    pub fn comes_apart(&self) -> bool {
        self.interlocked.is_empty()
    }

    /// Returns true if the pieces come out one at a time.
    pub fn is_one_at_a_time(&self) -> bool {
        self.comes_apart() && self.moves.iter().all(|one| one.pieces.len() == 1)
    }
}

/// Takes pieces apart, each given by its cells, as far as straight moves can.
///
/// No cell may belong to two pieces. Single pieces are preferred to groups, small groups to large ones, and moves
/// upwards (`-z`) to others.
///
/// A hook comes out of a ring, but two linked rings do not come apart:
///
/// ```
/// use somacat_counting::takeapart::take_apart;
/// use somacat_geometry::lattice::Cell;
///
/// let ring = |cell: &dyn Fn(i32, i32) -> Cell| -> Vec<Cell> {
///     let around = (0..9).map(|n| (n % 3, n / 3)).filter(|at| *at != (1, 1));
///     around.map(|(a, b)| cell(a, b)).collect()
/// };
/// let lying = ring(&|a, b| Cell::new(a, b, 1));
/// let upright = ring(&|a, b| Cell::new(a + 1, 1, b));
/// let hook = upright[..5].to_vec();
/// assert!(take_apart(&[lying.clone(), hook]).comes_apart());
/// assert_eq!(take_apart(&[lying, upright]).interlocked, [[0, 1]]);
/// ```
pub fn take_apart(pieces: &[Vec<Cell>]) -> TakenApart {
    let blockers = [0, 1, 2].map(|axis| blockers(pieces, axis));
    let mut taken = TakenApart { moves: Vec::new(), interlocked: Vec::new() };
    // The assemblies still to be taken apart.
    let mut waiting = vec![(0..pieces.len()).collect::<Vec<usize>>()];
    while let Some(mut assembly) = waiting.pop() {
        while assembly.len() > 1 {
            let Some(next) = find_move(&blockers, &assembly, pieces.len()) else {
                taken.interlocked.push(assembly);
                break;
            };
            assembly.retain(|piece| next.pieces.binary_search(piece).is_err());
            if next.pieces.len() > 1 {
                waiting.push(next.pieces.clone());
            }
            taken.moves.push(next);
        }
    }
    taken.interlocked.sort_unstable();
    taken
}

/// For each piece: the pieces that block it towards smaller coordinates, and those towards larger ones.
type Blockers = Vec<[Vec<usize>; 2]>;

/// Finds which pieces block which ones along an axis.
fn blockers(pieces: &[Vec<Cell>], axis: usize) -> Blockers {
    let mut cells = Vec::new();
    for (piece, of_piece) in pieces.iter().enumerate() {
        cells.extend(of_piece.iter().map(|cell| {
            let at = cell.to_array();
            ([at[(axis + 1) % 3], at[(axis + 2) % 3]], at[axis], piece)
        }));
    }
    cells.sort_unstable();
    let mut found: Blockers = vec![Default::default(); pieces.len()];
    for line in cells.chunk_by(|a, b| a.0 == b.0) {
        for (at, &(_, _, near)) in line.iter().enumerate() {
            for &(_, _, far) in line[at + 1..].iter().filter(|(_, _, far)| *far != near) {
                found[near][1].push(far);
                found[far][0].push(near);
            }
        }
    }
    for blocking in found.iter_mut().flatten() {
        blocking.sort_unstable();
        blocking.dedup();
    }
    found
}

/// Finds the smallest group that can leave an assembly; of several, the first in the order of directions and pieces.
fn find_move(blockers: &[Blockers; 3], assembly: &[usize], pieces: usize) -> Option<Move> {
    let mut is_here = vec![false; pieces];
    assembly.iter().for_each(|&piece| is_here[piece] = true);
    let mut best: Option<Move> = None;
    // A group has fewer pieces than this. Of two parts that separate, the smaller moves, in one of the directions.
    let mut most = assembly.len() / 2 + 1;
    for &(direction, _) in Direction::WORDS {
        let graph = &blockers[direction.axis];
        for &piece in assembly {
            let next = |at: usize| &graph[at][usize::from(direction.forward)];
            if let Some(mut group) = closure(piece, next, &is_here, most) {
                if group.len() == 1 {
                    return Some(Move { pieces: group, direction });
                }
                group.sort_unstable();
                most = group.len();
                best = Some(Move { pieces: group, direction });
            }
        }
    }
    best
}

/// Returns what can be reached from a piece inside of an assembly, or `None` if it is not fewer than `most` pieces.
fn closure<'a>(
    piece: usize,
    next: impl Fn(usize) -> &'a Vec<usize>,
    is_here: &[bool],
    most: usize,
) -> Option<Vec<usize>> {
    let mut reached = vec![piece];
    let mut done = 0;
    while done < reached.len() {
        if reached.len() >= most {
            return None;
        }
        for &blocker in next(reached[done]) {
            if is_here[blocker] && !reached.contains(&blocker) {
                reached.push(blocker);
            }
        }
        done += 1;
    }
    (reached.len() < most).then_some(reached)
}
