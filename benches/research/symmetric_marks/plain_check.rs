//! A plain check of marks: every orientation of every piece at every cell.

use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;

/// The side of the grid in which a figure lies, and the longest figure: four cells more on every side are empty.
const SIDE: i32 = 48;
const MAX_EXTENT: i32 = SIDE - 8;

/// The weight of a place outside the figure: no sum with it is positive.
const OUTSIDE: i32 = -1_000_000;

fn place(cell: Cell) -> i32 {
    let [x, y, z] = cell.to_array();
    x + SIDE * (y + SIDE * z)
}

/// Checks the marks of one figure after the other, for pieces of at most five cells.
#[derive(Debug)]
pub(crate) struct PlainCheck {
    /// For each piece, the places of its cells, relative to the first, in each orientation; and its copies.
    pieces: Vec<(Vec<Vec<i32>>, i64)>,
    grid: Vec<i32>,
}

impl PlainCheck {
    pub(crate) fn new(set: &PieceSet) -> Self {
        let places = |cells: Vec<Cell>| cells.iter().map(|&cell| place(cell - cells[0])).collect();
        let pieces = set.pieces().iter().map(|(piece, copies)| {
            (piece.orientations().into_iter().map(places).collect(), *copies as i64)
        });
        Self { pieces: pieces.collect(), grid: vec![OUTSIDE; (SIDE * SIDE * SIDE) as usize] }
    }

    /// Returns `true` if the pieces cannot cover as much as the weights of the cells add up to.
    pub(crate) fn holds(&mut self, cells: &[Cell], weights: &[i64]) -> bool {
        let corner = Cell::min_corner(cells) - Cell::new(4, 4, 4);
        let at = |cell: &Cell| place(*cell - corner);
        let longest = cells.iter().flat_map(|&cell| (cell - corner).to_array()).max();
        assert!(longest.is_some_and(|longest| longest < 4 + MAX_EXTENT), "the figure is too long");
        for (cell, &weight) in cells.iter().zip(weights) {
            self.grid[at(cell) as usize] = weight as i32;
        }
        let sum = |first: i32, others: &[i32]| -> i32 {
            others.iter().map(|other| self.grid[(first + other) as usize]).sum()
        };
        let covered = self.pieces.iter().map(|(orientations, copies)| {
            let sums = orientations
                .iter()
                .flat_map(|others| cells.iter().map(|cell| sum(at(cell), others)));
            copies * i64::from(sums.max().unwrap_or(0).max(0))
        });
        let covered: i64 = covered.sum();
        cells.iter().for_each(|cell| self.grid[at(cell) as usize] = OUTSIDE);
        covered < weights.iter().sum()
    }
}
