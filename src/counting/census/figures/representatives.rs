//! The sets of a shard that represent figures: those that are the least of their images and touch all faces of the box.
//!
//! Sets are tested in runs with the same upper half (`rank.rs`). The images of the upper half are computed once for a
//! run; those of the lower half, of at most 16 cells, take two table lookups each. A test ends at the first smaller
//! image.

use crate::census::boxes::grid::{BoxSymmetry, Grid, group};
use crate::census::boxes::pattern::PatternSymmetries;
use somacat_geometry::symmetry::Group;

/// Tests the sets of a shard, run by run.
pub(in crate::census) struct Representatives<'a> {
    pub(in crate::census) grid: &'a Grid,
    /// The pattern of the shard, as a mask of cells.
    pub(in crate::census) pattern: u64,
    /// The faces that the pattern does not touch.
    pub(in crate::census) faces: Vec<u64>,
    /// The group of nearly all sets, which have no symmetry.
    pub(in crate::census) asymmetric: Group,
    /// The symmetries under which sets are compared with their images. First come those that keep the pattern and map
    /// packings to packings, then others that map packings to packings, then the rest.
    pub(in crate::census) others: Vec<&'a BoxSymmetry>,
    /// The number of the first of these. They keep the pattern and map packings to packings.
    keeping: usize,
    /// The number of those that map packings to packings.
    pub(super) comparable: usize,
    /// The upper half of the current run, with the pattern.
    upper: u64,
    /// The images of `upper` under each of `others`.
    of_upper: Vec<u64>,
    /// The images of the set that was tested last, under each of `others`.
    images: Vec<u64>,
}

/// A set that represents a figure.
#[derive(Clone, Copy)]
pub(in crate::census) struct Representative {
    pub(in crate::census) set: u64,
    /// True if some symmetry other than the identity keeps the set.
    pub(in crate::census) is_symmetric: bool,
}

impl<'a> Representatives<'a> {
    pub(in crate::census) fn new(grid: &'a Grid, pattern: u64) -> Self {
        let PatternSymmetries { usable, all, crossing } = grid.pattern_symmetries(pattern);
        let mut others = usable[1..].to_vec();
        let keeping = others.len();
        others.extend(crossing.iter().filter(|s| s.usable));
        let comparable = others.len();
        others.extend(all.iter().chain(&crossing).filter(|s| !s.usable));
        Self {
            grid,
            pattern,
            faces: grid.faces_missed_by(pattern),
            asymmetric: group(grid.symmetries[..1].iter()),
            keeping,
            comparable,
            upper: pattern,
            of_upper: Vec::new(),
            images: vec![0; others.len()],
            others,
        }
    }

    /// Returns true if all sets represent figures without symmetry. This holds in most shards of large boxes.
    pub(in crate::census) const fn are_all(&self) -> bool {
        self.others.is_empty() && self.faces.is_empty()
    }

    /// Begins the run of sets with this upper half.
    pub(in crate::census) fn begin(&mut self, upper: u64) {
        self.upper = upper | self.pattern;
        self.of_upper.clear();
        self.of_upper.extend(self.others.iter().map(|symmetry| symmetry.apply(self.upper)));
    }

    /// Tests the set with this lower half. Returns `None` if it does not represent a figure.
    #[inline]
    pub(in crate::census) fn test(&mut self, lower: u16) -> Option<Representative> {
        let set = self.upper | u64::from(lower);
        let mut is_symmetric = false;
        let images = self.images.iter_mut().zip(&self.of_upper).zip(&self.others);
        for (at, ((image, upper), symmetry)) in images.enumerate() {
            *image = upper | symmetry.apply_low(lower);
            if *image < set && at < self.comparable {
                return None;
            }
            is_symmetric |= *image == set;
        }
        let touches_all_faces = self.faces.iter().all(|face| face & set != 0);
        touches_all_faces.then_some(Representative { set, is_symmetric })
    }

    /// Returns the images of the tested set's open cells. The symmetries are those, except the identity, that keep the
    /// pattern and map packings to packings.
    pub(in crate::census) fn images(&self) -> impl Iterator<Item = u64> {
        self.images[..self.keeping].iter().map(|image| image & self.grid.open_cells())
    }

    /// Returns the symmetry group of a figure, among all 48 transforms.
    pub(in crate::census) fn group(&self, of: Representative) -> Group {
        if !of.is_symmetric {
            return self.asymmetric;
        }
        let keep = |symmetry: &&BoxSymmetry| symmetry.apply(of.set) == of.set;
        self.group_of(self.others.iter().copied().filter(keep))
    }

    /// Returns the group of a set. `kept_by` are its symmetries other than the identity.
    pub(super) fn group_of(&self, kept_by: impl Iterator<Item = &'a BoxSymmetry>) -> Group {
        group(self.grid.symmetries[..1].iter().chain(kept_by))
    }
}
