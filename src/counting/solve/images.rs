//! The symmetries of a problem, acting on its placements.

use super::placement_map::PlacementMap;
use super::{Placement, Problem};
use somacat_geometry::lattice::Transform;

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
