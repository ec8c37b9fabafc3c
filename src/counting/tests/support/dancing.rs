//! A reference counter: the crate `dancing-links`.

use super::figures::placements;
use dancing_links::ExactCover;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;

struct Cover {
    rows: Vec<u128>,
    columns: Vec<usize>,
}

impl ExactCover for Cover {
    type Possibility = u128;
    type Constraint = usize;

    fn satisfies(&self, row: &u128, column: &usize) -> bool {
        row >> column & 1 == 1
    }

    fn is_optional(&self, _: &usize) -> bool {
        false
    }

    fn possibilities(&self) -> &[u128] {
        &self.rows
    }

    fn constraints(&self) -> &[usize] {
        &self.columns
    }
}

/// Counts with the crate `dancing-links`: cells and pieces as items. For sets with one of each piece.
pub fn dancing(figure: &Figure, set: &PieceSet) -> u128 {
    assert!(set.pieces().iter().all(|(_, count)| *count == 1));
    let n = figure.len();
    let row = |(piece, mask): (usize, u128)| mask | 1 << (n + piece);
    let rows = placements(figure, set).into_iter().map(row).collect();
    let cover = Cover { rows, columns: (0..n + set.pieces().len()).collect() };
    let mut solver = cover.solver();
    let mut total = 0;
    while solver.next_solution().is_some() {
        total += 1;
    }
    total
}
