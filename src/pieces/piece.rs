//! A piece: a small polycube that may be turned but not mirrored.

use crate::lattice::{Cell, Transform};
use std::collections::BTreeSet;

/// A piece with the one-character name it has in SOMA text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    name: char,
    cells: Vec<Cell>,
}

/// The image of a shape, moved so that its smallest coordinates are 0, cells ascending.
fn normalized(cells: &[Cell], t: Transform) -> Vec<Cell> {
    let image: Vec<Cell> = cells.iter().map(|&c| t.apply(c)).collect();
    let corner = Cell::min_corner(&image);
    let mut moved: Vec<Cell> = image.into_iter().map(|c| c - corner).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

impl Piece {
    /// A piece of these cells, wherever they lie. A cell given twice counts once.
    #[must_use]
    pub fn new(name: char, cells: &[Cell]) -> Self {
        Self { name, cells: normalized(cells, Transform::IDENTITY) }
    }

    /// The name: a letter, or any other single character.
    #[must_use]
    pub const fn name(&self) -> char {
        self.name
    }

    /// The cells, smallest coordinates 0, ascending.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of cells.
    #[must_use]
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The different shapes the piece takes under the 24 rotations: ascending, each ascending and
    /// with smallest coordinates 0.
    #[must_use]
    pub fn orientations(&self) -> Vec<Vec<Cell>> {
        let turned =
            Transform::all().filter(|t| t.is_rotation()).map(|t| normalized(&self.cells, t));
        turned.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The first of the orientations: equal exactly for pieces of equal shape.
    #[must_use]
    pub fn shape(&self) -> Vec<Cell> {
        self.orientations().swap_remove(0)
    }

    /// The shape of the piece's mirror image, comparable with [`Self::shape`].
    #[must_use]
    pub fn mirror_shape(&self) -> Vec<Cell> {
        let inversion = Transform::all().find(|t| !t.is_rotation()).unwrap_or(Transform::IDENTITY);
        Self::new(self.name, &normalized(&self.cells, inversion)).shape()
    }

    /// Whether cells, wherever they lie, have the shape of this piece.
    #[must_use]
    pub fn has_shape(&self, cells: &[Cell]) -> bool {
        cells.len() == self.size() && Self::new(self.name, cells).shape() == self.shape()
    }

    /// |black − white| cells when the lattice is checkered: what the piece adds to or takes from a
    /// figure's parity.
    #[must_use]
    pub fn color_difference(&self) -> u32 {
        let black = self.cells.iter().filter(|c| c.is_black()).count();
        let white = self.cells.len() - black;
        black.abs_diff(white) as u32
    }
}
