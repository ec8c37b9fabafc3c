//! Packings that a symmetry fixes.
//!
//! By Burnside's lemma (Cauchy, Frobenius), the number of packings of a figure up to its symmetries is the mean
//! number that a symmetry fixes. Such a *fixed packing* is a union of orbits, an orbit being a placement with its
//! images under the symmetry's powers. There are few, and none for a single SOMA: L is fixed only by the mirror
//! parallel to two of the box's axes, P only by mirrors between two axes.

use crate::census::boxes::grid::BoxSymmetry;
use crate::census::boxes::placements::BoxPlacements;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A placement with its disjoint images under the powers of a symmetry.
#[derive(Clone, Debug)]
struct PlacementOrbit {
    cells: u64,
    /// For each kind, the number of copies that it uses. A reflection uses the mirror image's kind in turn.
    copies: Vec<u32>,
}

/// The packings that a symmetry of the box fixes, as combinations of orbits.
#[derive(Debug)]
pub(in crate::census) struct FixedPackings {
    /// The number of the symmetry among those of the box.
    pub(in crate::census) symmetry: usize,
    /// All orbits that such a packing can contain.
    orbits: Vec<PlacementOrbit>,
    /// For each kind, the number of its copies in the set.
    copies: Vec<u32>,
}

impl FixedPackings {
    /// Lists the orbits for the box's symmetry number `at`. Returns `None` if a kind of piece is in no orbit: then the
    /// symmetry fixes no packing.
    pub(in crate::census) fn new(
        placements: &BoxPlacements,
        symmetry: &BoxSymmetry,
        at: usize,
    ) -> Option<Self> {
        let mut orbits = Vec::new();
        for kind in 0..placements.kinds.len() {
            let orbit = |start| orbit(placements, symmetry, kind, start);
            orbits.extend(placements.masks_of(kind).filter_map(orbit));
        }
        let copies: Vec<u32> = placements.kinds.iter().map(|kind| kind.copies).collect();
        let all = (0..copies.len()).all(|kind| orbits.iter().any(|orbit| orbit.copies[kind] > 0));
        all.then_some(Self { symmetry: at, orbits, copies })
    }

    /// Visits the cells of each fixed packing that fills `pattern` and avoids `bare`, once for each packing. Breaks if
    /// `stop` is set.
    pub(in crate::census) fn for_each(
        &self,
        pattern: u64,
        bare: u64,
        stop: &AtomicBool,
        visit: &mut impl FnMut(u64),
    ) -> ControlFlow<()> {
        let fit = self.orbits.iter().filter(|orbit| orbit.cells & bare == 0).collect::<Vec<_>>();
        let mut search = OrbitSearch { stop, left: self.copies.clone(), visit };
        search.fill_pattern(&fit, 0, pattern)
    }
}

/// Returns a placement's orbit, if its images are disjoint and copies suffice. Returns `None` if an image has a lower
/// mask, so that each orbit is listed once.
fn orbit(
    placements: &BoxPlacements,
    symmetry: &BoxSymmetry,
    kind: usize,
    start: u64,
) -> Option<PlacementOrbit> {
    let mut orbit = PlacementOrbit { cells: 0, copies: vec![0; placements.kinds.len()] };
    let (mut image, mut of) = (start, kind);
    loop {
        if image < start || image & orbit.cells != 0 {
            return None;
        }
        orbit.cells |= image;
        orbit.copies[of] += 1;
        if orbit.copies[of] > placements.kinds[of].copies {
            return None;
        }
        image = symmetry.apply(image);
        if !symmetry.transform.is_rotation() {
            of = placements.kinds[of].mirror?;
        }
        if image == start {
            return Some(orbit);
        }
    }
}

/// A search for exact combinations of orbits: all copies of all kinds are used.
struct OrbitSearch<'a, V> {
    stop: &'a AtomicBool,
    left: Vec<u32>,
    visit: &'a mut V,
}

impl<V: FnMut(u64)> OrbitSearch<'_, V> {
    /// Fills the missing pattern cells, the lowest first, and then places the other pieces.
    fn fill_pattern(
        &mut self,
        orbits: &[&PlacementOrbit],
        filled: u64,
        missing: u64,
    ) -> ControlFlow<()> {
        if missing == 0 {
            return self.place_all(orbits, filled);
        }
        let lowest = missing & missing.wrapping_neg();
        for orbit in orbits.iter().filter(|orbit| orbit.cells & lowest != 0) {
            self.place(orbit, |search| {
                let rest = search.fitting(orbits, orbit);
                search.fill_pattern(&rest, filled | orbit.cells, missing & !orbit.cells)
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Combines orbits, in order, for the first kind that is left.
    fn place_all(&mut self, orbits: &[&PlacementOrbit], filled: u64) -> ControlFlow<()> {
        let Some(kind) = self.left.iter().position(|&n| n > 0) else {
            (self.visit)(filled);
            return ControlFlow::Continue(());
        };
        for (at, orbit) in orbits.iter().enumerate().filter(|(_, orbit)| orbit.copies[kind] > 0) {
            self.place(orbit, |search| {
                // Earlier orbits without this kind are still to come; those with this kind are done.
                let (before, after) = orbits.split_at(at);
                let before: Vec<&PlacementOrbit> =
                    before.iter().copied().filter(|other| other.copies[kind] == 0).collect();
                let rest = search.fitting(&[&before, after].concat(), orbit);
                search.place_all(&rest, filled | orbit.cells)
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Places an orbit, whose copies must be left, and removes it afterwards. Breaks if `stop` is set.
    fn place(
        &mut self,
        orbit: &PlacementOrbit,
        then: impl FnOnce(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        self.left.iter_mut().zip(&orbit.copies).for_each(|(left, copies)| *left -= copies);
        let flow = then(self);
        self.left.iter_mut().zip(&orbit.copies).for_each(|(left, copies)| *left += copies);
        flow
    }

    /// Returns the orbits that are disjoint from the one just placed, and for which enough copies are left.
    fn fitting<'o>(
        &self,
        orbits: &[&'o PlacementOrbit],
        placed: &PlacementOrbit,
    ) -> Vec<&'o PlacementOrbit> {
        let fits = |orbit: &&&PlacementOrbit| {
            orbit.cells & placed.cells == 0
                && orbit.copies.iter().zip(&self.left).all(|(copies, left)| copies <= left)
        };
        orbits.iter().filter(fits).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::boxes::grid::Grid;
    use somacat_geometry::pieces::parse_set;

    #[test]
    fn a_stop_ends_the_search_for_fixed_packings_at_once() {
        let set = parse_set("D8").unwrap();
        let grid = Grid::new([2, 4, 4], 8, true);
        let placements = BoxPlacements::new(&grid, &set);
        let (at, mirror) = grid.usable().nth(1).unwrap();
        let fixed = FixedPackings::new(&placements, mirror, at).unwrap();
        let (stop, mut visits) = (AtomicBool::new(false), 0);
        let corner = 1 << 31;
        let flow = fixed.for_each(corner, 0, &stop, &mut |set| {
            assert_eq!((mirror.apply(set), set & corner), (set, corner));
            visits += 1;
            stop.store(true, Ordering::Relaxed);
        });
        assert!(flow.is_break());
        assert_eq!(visits, 1);
    }
}
