//! The orbits of a box's cells under a group of its symmetries.

use somacat_geometry::boxes::{box_cells, box_symmetries, cell_image, cell_number};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};

/// The most cells of a box: the number of bits of a [`Mask`].
pub(super) const MAX_BOX_CELLS: usize = 128;

/// A set of cells or orbits, number i at bit 127 − i. Of two sets, the one that contains the lowest number in which
/// they differ is greater. So the set that comes first, comparing numbers in ascending order, has the greatest mask.
pub(super) type Mask = u128;

/// Returns the set of one cell or orbit.
pub(super) const fn bit(number: usize) -> Mask {
    1 << (MAX_BOX_CELLS - 1 - number)
}

/// The orbits of a box's cells under a group. They are numbered in the order of their lowest cells.
pub(super) struct BoxOrbits {
    /// For each orbit, its number of cells.
    pub(super) sizes: Vec<usize>,
    /// For each orbit, its cells.
    pub(super) cells: Vec<Mask>,
    /// For each cell of the box, its orbit.
    orbit_of: Vec<usize>,
    /// For each orbit, its lowest cell.
    lowest: Vec<Cell>,
}

impl BoxOrbits {
    /// Computes the orbits. The box has at most [`MAX_BOX_CELLS`] cells, and the group must keep its sides.
    pub(super) fn new(sides: [i32; 3], group: Group) -> Self {
        let list = box_cells(sides);
        let (mut cells, mut lowest) = (Vec::new(), Vec::new());
        let mut orbit_of = vec![usize::MAX; list.len()];
        for &cell in &list {
            if orbit_of[cell_number(cell, sides)] != usize::MAX {
                continue;
            }
            let mut mask = 0;
            for t in group.iter() {
                let at = cell_number(cell_image(t, cell, sides), sides);
                orbit_of[at] = cells.len();
                mask |= bit(at);
            }
            cells.push(mask);
            lowest.push(cell);
        }
        let sizes = cells.iter().map(|mask: &Mask| mask.count_ones() as usize).collect();
        Self { sizes, cells, orbit_of, lowest }
    }

    /// Returns the number of orbits.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the orbits with at least one of some cells.
    pub(super) fn meeting(&self, cells: Mask) -> Mask {
        let meet = (0..self.len()).filter(|&orbit| self.cells[orbit] & cells != 0);
        meet.fold(0, |orbits, orbit| orbits | bit(orbit))
    }

    /// Returns the image of an orbit under an element of the group's normalizer, which maps orbits to orbits.
    pub(super) fn image(&self, t: Transform, orbit: usize, sides: [i32; 3]) -> usize {
        self.orbit_of[cell_number(cell_image(t, self.lowest[orbit], sides), sides)]
    }
}

/// Returns the groups of a class that keep a box's sides. Groups that are equal up to the box's symmetries are
/// listed once.
pub(super) fn groups_in(sides: [i32; 3], class: Class) -> Vec<Group> {
    let all = box_symmetries(sides);
    let mut groups: Vec<Group> = Vec::new();
    for group in class.groups() {
        let inside = group.iter().all(|t| all.contains(&t));
        let known = |g: &Group| all.iter().any(|&t| g.conjugate(t) == group);
        if inside && !groups.iter().any(known) {
            groups.push(group);
        }
    }
    groups
}

/// Returns the box's symmetries in the normalizer of a group. There is one for each coset, T1 first.
pub(super) fn normalizer_cosets(sides: [i32; 3], group: Group) -> Vec<Transform> {
    let (mut cosets, mut covered) = (Vec::new(), 0_u64);
    for t in box_symmetries(sides) {
        if group.conjugate(t) == group && covered >> t.index() & 1 == 0 {
            covered |= group.coset_mask(t);
            cosets.push(t);
        }
    }
    cosets
}
