//! Taking pieces out through an opening: against every sequence of moves in small boxes.

use crate::support::random::Random;
use somacat_counting::opening::{OpenBox, TakenOut, WayOut};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use std::collections::{BTreeSet, HashSet};

const STEPS: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// Above this layer a piece is gone.
const SKY: i32 = -3;

struct World<'a> {
    figure: &'a Figure,
    opening: &'a [[i32; 2]],
    pieces: &'a [Vec<Cell>],
}

impl World<'_> {
    /// Returns whether a piece may be at a place, with the others where they are.
    fn fits(&self, at: &[Option<Cell>], piece: usize) -> bool {
        let cells = |piece: usize| {
            let moved = at[piece];
            self.pieces[piece].iter().filter_map(move |cell| moved.map(|moved| *cell + moved))
        };
        let others: HashSet<Cell> =
            (0..at.len()).filter(|other| *other != piece).flat_map(cells).collect();
        let is_free = |cell: Cell| match cell.z {
            -1 => self.opening.contains(&[cell.x, cell.y]),
            z if z < 0 => true,
            _ => self.figure.cells().binary_search(&cell).is_ok(),
        };
        cells(piece).all(|cell| is_free(cell) && !others.contains(&cell))
    }

    /// Returns whether all pieces come out, by trying every move in every arrangement, with pieces gone in any order.
    fn all_come_out(&self) -> bool {
        let start = vec![Some(Cell::new(0, 0, 0)); self.pieces.len()];
        let mut known = HashSet::from([start.clone()]);
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            if at.iter().all(Option::is_none) {
                return true;
            }
            for piece in 0..at.len() {
                let Some(old) = at[piece] else { continue };
                for step in STEPS.map(Cell::from) {
                    let mut next = at.clone();
                    next[piece] = Some(old + step);
                    if !self.fits(&next, piece) {
                        continue;
                    }
                    // Far from the box nothing can be gained.
                    let moved = |cell: &Cell| *cell + old + step;
                    let cells = || self.pieces[piece].iter().map(moved);
                    if cells().any(|cell| !(-1..4).contains(&cell.x) || !(-1..4).contains(&cell.y))
                    {
                        continue;
                    }
                    if cells().all(|cell| cell.z < SKY) {
                        next[piece] = None;
                    }
                    if known.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
        }
        false
    }

    /// Makes every move of a result, step by step. A piece that is out rises to the sky.
    fn replay(&self, taken: &TakenOut) {
        let mut at = vec![Some(Cell::new(0, 0, 0)); self.pieces.len()];
        for slide in &taken.slides {
            for _ in 0..slide.cells {
                at[slide.piece] = at[slide.piece].map(|cell| cell + slide.direction.step());
                assert!(self.fits(&at, slide.piece), "{taken:?}");
            }
            if slide.is_out {
                for _ in 0..9 {
                    at[slide.piece] = at[slide.piece].map(|cell| cell + Cell::new(0, 0, -1));
                    assert!(self.fits(&at, slide.piece), "{taken:?}");
                }
                at[slide.piece] = None;
            }
        }
        let left: Vec<usize> = (0..at.len()).filter(|&piece| at[piece].is_some()).collect();
        assert_eq!(left, taken.left);
    }
}

/// Puts some pieces of at most four cells each into a box.
fn random_pieces(number: usize, figure: &Figure, random: &mut Random) -> Vec<Vec<Cell>> {
    let mut free: BTreeSet<Cell> = figure.cells().iter().copied().collect();
    let mut pieces = Vec::new();
    for _ in 0..number {
        let Some(&first) = free.iter().nth(random.below(free.len().max(1))) else { break };
        free.remove(&first);
        let mut piece = vec![first];
        for _ in 0..random.below(4) {
            let near =
                |cell: &&Cell| piece.iter().any(|own| STEPS.contains(&(**cell - *own).to_array()));
            let near: Vec<Cell> = free.iter().filter(near).copied().collect();
            if !near.is_empty() {
                let next = near[random.below(near.len())];
                free.remove(&next);
                piece.push(next);
            }
        }
        piece.sort();
        pieces.push(piece);
    }
    pieces
}

#[test]
fn every_sequence_of_moves_in_small_boxes_agrees() {
    let (mut random, mut ends) = (Random::new(65), [0; 2]);
    for round in 0..120 {
        let sides = [[2, 2, 2], [3, 2, 2], [3, 3, 1], [2, 2, 3]][round % 4];
        let figure = Figure::of_box(sides).unwrap();
        let squares = (0..sides[0] as i32).flat_map(|x| (0..sides[1] as i32).map(move |y| [x, y]));
        let opening: Vec<[i32; 2]> = squares.filter(|_| random.below(3) > 0).collect();
        let pieces = random_pieces(2 + usize::from(round % 16 == 0), &figure, &mut random);
        let world = World { figure: &figure, opening: &opening, pieces: &pieces };
        let taken = OpenBox::new(&figure, opening.iter().copied()).take_out(&pieces, 1_000_000);
        world.replay(&taken);
        let all_out = taken.end == WayOut::Out;
        assert_eq!((all_out, taken.left.is_empty()), (world.all_come_out(), all_out), "{pieces:?}");
        ends[usize::from(all_out)] += 1;
    }
    assert!(ends.iter().all(|number| *number > 20), "{ends:?}");
}

/// The piece below the opening leaves first, the other one slides there.
#[test]
fn a_piece_makes_way_for_another() {
    let figure = Figure::of_box([3, 1, 1]).unwrap();
    let pieces = vec![vec![Cell::new(0, 0, 0), Cell::new(1, 0, 0)], vec![Cell::new(2, 0, 0)]];
    let narrow = OpenBox::new(&figure, [[0, 0], [1, 0]]);
    let taken = narrow.take_out(&pieces, 1000);
    assert_eq!((taken.end, taken.slides[0].piece), (WayOut::Out, 0));
    let end = OpenBox::new(&figure, [[2, 0], [1, 0]]);
    let taken = end.take_out(&pieces, 1000);
    assert_eq!((taken.end, taken.slides[0].piece), (WayOut::Out, 1));
    assert_eq!(end.take_out(&pieces, 1).end, WayOut::Undecided);
    let closed = OpenBox::new(&figure, []);
    assert_eq!(
        (closed.take_out(&pieces, 1000).end, closed.take_out(&[], 1).end),
        (WayOut::Stuck, WayOut::Out)
    );
}
