//! All placements of pieces in a figure, and the symmetries of its packings.

use super::turns::{AxisMap, apply, image, orientations, reflections, rotations};
use rustc_hash::FxHashMap;
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

/// A piece by its number in the set, and its cells by number, ascending.
pub(super) type NumberedPlacement = (usize, Vec<usize>);

/// Lists for each cell the placements with this first cell.
pub(super) fn placements(figure: &Figure, set: &PieceSet) -> Vec<Vec<NumberedPlacement>> {
    let cells = figure.cells();
    let numbers: FxHashMap<Cell, usize> =
        cells.iter().enumerate().map(|(number, &cell)| (cell, number)).collect();
    let fits = |shape: &[Cell], corner: Cell| {
        shape.iter().all(|&c| numbers.contains_key(&(c - shape[0] + corner)))
    };
    let mut by_first = vec![Vec::new(); cells.len()];
    for (number, (piece, _)) in set.pieces().iter().enumerate() {
        for shape in orientations(piece.cells()) {
            for &corner in cells.iter().filter(|&&corner| fits(&shape, corner)) {
                let moved: Vec<usize> =
                    shape.iter().map(|&c| numbers[&(c - shape[0] + corner)]).collect();
                by_first[moved[0]].push((number, moved));
            }
        }
    }
    by_first
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
    let symmetry = |map: &AxisMap, proper: bool| -> Option<Symmetry> {
        let moved: Vec<Cell> = figure.cells().iter().map(|&c| apply(map, c)).collect();
        let corner = Cell::min_corner(&moved);
        let to = |&c: &Cell| figure.cells().binary_search(&(c - corner)).ok();
        let cells = moved.iter().map(to).collect::<Option<_>>()?;
        let pieces = match proper {
            true => (0..set.pieces().len()).collect(),
            false => mirror_images.clone()?,
        };
        Some(Symmetry { proper, cells, pieces })
    };
    let proper = rotations().iter().filter_map(|map| symmetry(map, true));
    proper.chain(reflections().iter().filter_map(|map| symmetry(map, false))).collect()
}
