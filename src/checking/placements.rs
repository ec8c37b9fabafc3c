//! All placements of pieces in a figure, and its packings' symmetries.

use super::turns::{image, orientations, reflections, rotations, self_maps};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::cell::LazyCell;

/// A symmetry of the figure: the images of the cells and of the pieces.
pub(super) struct Symmetry {
    pub(super) proper: bool,
    pub(super) cells: Vec<usize>,
    pub(super) pieces: Vec<usize>,
}

/// A piece's number in the set, and its ascending cell numbers.
pub(super) type NumberedPlacement = (usize, Vec<usize>);

/// Lists for each cell the placements with this first cell.
pub(super) fn placements(figure: &Figure, set: &PieceSet) -> Vec<Vec<NumberedPlacement>> {
    let numbers = CellNumbers::of(figure);
    let mut by_first = vec![Vec::new(); figure.len()];
    for (number, (piece, _)) in set.pieces().iter().enumerate() {
        for shape in orientations(piece.cells()) {
            for (first, &corner) in figure.cells().iter().enumerate() {
                let covered = || shape.iter().map(|&cell| numbers.get(cell - shape[0] + corner));
                if covered().all(|cell| cell.is_some()) {
                    by_first[first].push((number, covered().flatten().collect()));
                }
            }
        }
    }
    by_first
}

struct CellNumbers<'a> {
    figure: &'a Figure,
    extents: [usize; 3],
    /// The number of each cell of the figure's box, x fastest. Empty if the figure is thinly spread.
    grid: Vec<Option<usize>>,
}

/// The most box cells per cell of a figure with a grid.
const MAX_GRID_SHARE: usize = 64;

impl<'a> CellNumbers<'a> {
    fn of(figure: &'a Figure) -> Self {
        let extents = figure.extents().map(|extent| extent as usize);
        let volume = extents.into_iter().try_fold(1, usize::checked_mul);
        let volume = volume.filter(|volume| *volume <= MAX_GRID_SHARE * figure.len());
        let mut grid = vec![None; volume.unwrap_or(0)];
        if !grid.is_empty() {
            for (number, cell) in figure.cells().iter().enumerate() {
                grid[grid_index(extents, cell.to_array().map(|value| value as usize))] =
                    Some(number);
            }
        }
        Self { figure, extents, grid }
    }

    fn get(&self, cell: Cell) -> Option<usize> {
        if self.grid.is_empty() {
            return self.figure.cells().binary_search(&cell).ok();
        }
        // A negative number is too large as an unsigned one.
        let at = cell.to_array().map(|value| value as u32 as usize);
        let inside = at.iter().zip(&self.extents).all(|(at, extent)| at < extent);
        if inside { self.grid[grid_index(self.extents, at)] } else { None }
    }
}

fn grid_index([x, y, _]: [usize; 3], [cx, cy, cz]: [usize; 3]) -> usize {
    cx + x * (cy + y * cz)
}

/// Returns all symmetries of the figure that map packings to packings.
pub(super) fn symmetries(figure: &Figure, set: &PieceSet) -> Vec<Symmetry> {
    // The least of all rotated copies represents a shape, so a rotation maps every piece to itself.
    let shape = |cells: &[Cell]| orientations(cells).pop_first().expect("there are 24 rotations");
    let mirror_images = LazyCell::new(|| -> Option<Vec<usize>> {
        let pieces = set.pieces();
        let shapes: Vec<Vec<Cell>> = pieces.iter().map(|(piece, _)| shape(piece.cells())).collect();
        let partner = |(piece, copies): &(Piece, usize)| {
            let becomes = shape(&image(&reflections()[0], piece.cells()));
            let partner = shapes.iter().position(|shape| *shape == becomes)?;
            (pieces[partner].1 == *copies).then_some(partner)
        };
        pieces.iter().map(partner).collect()
    });
    let proper = self_maps(rotations(), figure).map(|(_, cells)| Symmetry {
        proper: true,
        cells,
        pieces: (0..set.pieces().len()).collect(),
    });
    let improper = self_maps(reflections(), figure).filter_map(|(_, cells)| {
        Some(Symmetry { proper: false, cells, pieces: mirror_images.clone()? })
    });
    proper.chain(improper).collect()
}
