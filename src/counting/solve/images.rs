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
    ///
    /// ```
    /// use somacat_counting::solve::{PackingSymmetries, Placement, Problem};
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::pieces::PieceSet;
    /// use std::collections::BTreeSet;
    ///
    /// // T along an edge of the cube has 24 different places. A reflection keeps each of them.
    /// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
    /// let symmetries = PackingSymmetries::of(&Problem::new(&cube, &soma));
    /// let cells = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0]].map(Cell::from).to_vec();
    /// let images: BTreeSet<Placement> = symmetries.images(&Placement { piece: 2, cells }).collect();
    /// assert_eq!(images.len(), 48 / 2);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
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
    ///
    /// ```
    /// use somacat_counting::solve::{Limits, PackingSymmetries, Problem, visit};
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::pieces::parse_set;
    /// use std::ops::ControlFlow;
    ///
    /// // Two dominoes fill a square in two ways. A quarter turn makes one of the other, so both have the same least
    /// // image.
    /// let (square, dominoes) = (Figure::of_box([2, 2, 1])?, parse_set("D2")?);
    /// let (problem, mut packings) = (Problem::new(&square, &dominoes), Vec::new());
    /// visit(&problem, Limits::default(), &mut |packing| {
    ///     packings.push(packing.to_vec());
    ///     ControlFlow::Continue(())
    /// })?;
    /// let symmetries = PackingSymmetries::of(&problem);
    /// assert!(symmetries.are_images(&packings[0], &packings[1]));
    /// assert_eq!(symmetries.least(&packings[0]), symmetries.least(&packings[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn are_images(&self, one: &[Placement], other: &[Placement]) -> bool {
        let mut own = other.to_vec();
        own.sort_unstable();
        self.maps.iter().any(|map| own == map.apply(one))
    }
}
