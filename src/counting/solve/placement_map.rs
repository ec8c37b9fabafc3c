//! A symmetry of a figure, acting on its placements.

use super::Placement;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;

/// A symmetry of a figure, acting on its placements.
#[derive(Clone, Debug)]
pub(super) struct PlacementMap {
    transform: Transform,
    /// The smallest coordinates of the figure's image, which the map moves back to the figure's own: the origin.
    corner: Cell,
    /// For each piece of the set, the piece that it becomes: itself, or its mirror image under a reflection.
    pieces: Vec<usize>,
}

impl PlacementMap {
    /// Builds the map. Returns `None` for a reflection if the set is not closed under reflection.
    pub(super) fn new(figure: &Figure, set: &PieceSet, transform: Transform) -> Option<Self> {
        let pieces = if transform.is_rotation() {
            (0..set.pieces().len()).collect()
        } else {
            set.mirror_map()?.to_vec()
        };
        let image: Vec<Cell> = figure.cells().iter().map(|&c| transform.apply(c)).collect();
        Some(Self { transform, corner: Cell::min_corner(&image), pieces })
    }

    /// Returns the image of a placement, in the figure's coordinates.
    pub(super) fn image(&self, placement: &Placement) -> Placement {
        let moved = |&c: &Cell| self.transform.apply(c) - self.corner;
        let mut cells: Vec<Cell> = placement.cells.iter().map(moved).collect();
        cells.sort_unstable();
        Placement { piece: self.pieces[placement.piece], cells }
    }

    /// Returns the images of some placements, sorted.
    pub(super) fn apply(&self, placements: &[Placement]) -> Vec<Placement> {
        let mut images: Vec<Placement> = placements.iter().map(|p| self.image(p)).collect();
        images.sort_unstable();
        images
    }
}
