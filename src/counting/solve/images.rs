//! The symmetries of a problem, acting on its placements.

use super::{Placement, Problem};
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
    fn image(&self, placement: &Placement) -> Placement {
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

/// The symmetries of a problem that map packings to packings.
///
/// ```
/// use somacat_counting::solve::{Limits, PackingSymmetries, Problem, visit};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
/// use std::ops::ControlFlow;
///
/// // One packing of each class is the least of its 48 images.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let problem = Problem::new(&cube, &soma);
/// let symmetries = PackingSymmetries::of(&problem);
/// let mut least = 0;
/// visit(&problem, Limits::default(), &mut |packing| {
///     least += u32::from(symmetries.is_least(packing));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(least, 240);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackingSymmetries {
    maps: Vec<PlacementMap>,
}

impl PackingSymmetries {
    /// Returns the symmetries of the problem's figure.
    ///
    /// Reflections are included only if the set is closed under them.
    pub fn of(problem: &Problem<'_>) -> Self {
        let map = |t: Transform| PlacementMap::new(problem.figure, problem.set, t);
        Self { maps: problem.group().iter().filter_map(map).collect() }
    }

    /// Returns the images of a placement, by symmetry, in fixed order.
    pub fn images(&self, placement: &Placement) -> impl Iterator<Item = Placement> {
        self.maps.iter().map(|map| map.image(placement))
    }

    /// Returns true if a packing is the least of its images. Exactly one packing of each class is, so packings can be
    /// listed up to symmetry without keeping those listed before.
    pub fn is_least(&self, packing: &[Placement]) -> bool {
        let mut own = packing.to_vec();
        own.sort_unstable();
        self.maps.iter().all(|map| own <= map.apply(packing))
    }

    /// Returns the least of the images of a packing.
    pub fn least(&self, packing: &[Placement]) -> Vec<Placement> {
        let images = self.maps.iter().map(|map| map.apply(packing));
        images.min().expect("the identity is a symmetry")
    }

    /// Returns true if two packings are images of each other.
    pub fn are_images(&self, one: &[Placement], other: &[Placement]) -> bool {
        let mut own = other.to_vec();
        own.sort_unstable();
        self.maps.iter().any(|map| own == map.apply(one))
    }
}
