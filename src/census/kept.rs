//! Packings that a symmetry leaves as they are, tallied like all others.
//!
//! For Burnside's lemma: such a packing is a union of *rings*, a ring being a placement with its
//! images under the symmetry's powers. There are few rings, and for SOMA alone none will do: L keeps only
//! the mirror parallel to two of the box's axes, P only mirrors between two axes.

use super::placements::Placements;
use super::room::Symmetry;

/// Disjoint images of one placement.
#[derive(Clone, Debug)]
struct Ring {
    cells: u64,
    /// Copies used of each kind.
    uses: Vec<u32>,
}

/// The rings of one symmetry of a box.
#[derive(Debug)]
pub(super) struct Rings {
    /// T1…T48 of the symmetry.
    pub(super) symmetry: usize,
    rings: Vec<Ring>,
    copies: Vec<u32>,
}

impl Rings {
    /// The rings of the box's symmetry number `at`; nothing if no packing can be made of them.
    pub(super) fn new(placements: &Placements, symmetry: &Symmetry, at: usize) -> Option<Self> {
        let mut rings = Vec::new();
        for kind in 0..placements.kinds.len() {
            let all = placements.avoiding(0);
            let starts = placements.of_kind(kind, &all).map(|p| placements.masks[p]);
            rings.extend(starts.filter_map(|start| ring(placements, symmetry, kind, start)));
        }
        let copies: Vec<u32> = placements.kinds.iter().map(|kind| kind.copies).collect();
        let whole = (0..copies.len()).all(|kind| rings.iter().any(|ring| ring.uses[kind] > 0));
        whole.then_some(Self { symmetry: at, rings, copies })
    }

    /// Shows the cells of every packing made of rings that leave the cells `bare` free.
    pub(super) fn for_each(&self, bare: u64, visit: &mut impl FnMut(u64)) {
        let fit: Vec<&Ring> = self.rings.iter().filter(|ring| ring.cells & bare == 0).collect();
        cover(&fit, 0, &mut self.copies.clone(), visit);
    }
}

/// The images of a placement, if they are disjoint and within the copies there are, and none has a
/// lower mask.
fn ring(placements: &Placements, symmetry: &Symmetry, kind: usize, start: u64) -> Option<Ring> {
    let mut ring = Ring { cells: 0, uses: vec![0; placements.kinds.len()] };
    let (mut image, mut of) = (start, kind);
    loop {
        if image < start || image & ring.cells != 0 {
            return None;
        }
        ring.cells |= image;
        ring.uses[of] += 1;
        if ring.uses[of] > placements.kinds[of].copies {
            return None;
        }
        image = symmetry.apply(image);
        if !symmetry.transform.is_rotation() {
            of = placements.kinds[of].mirror?;
        }
        if image == start {
            return Some(ring);
        }
    }
}

/// Combines rings, in their order, for the first kind that is left.
fn cover(rings: &[&Ring], filled: u64, left: &mut [u32], visit: &mut impl FnMut(u64)) {
    let Some(kind) = left.iter().position(|&n| n > 0) else {
        visit(filled);
        return;
    };
    for (at, ring) in rings.iter().enumerate().filter(|(_, ring)| ring.uses[kind] > 0) {
        left.iter_mut().zip(&ring.uses).for_each(|(left, uses)| *left -= uses);
        // Rings before this one that hold other kinds are still to come; those with this kind not.
        let fits = |(other, r): &(usize, &&Ring)| {
            r.cells & ring.cells == 0
                && (*other > at || r.uses[kind] == 0)
                && r.uses.iter().zip(left.iter()).all(|(uses, left)| uses <= left)
        };
        let rest: Vec<&Ring> =
            rings.iter().enumerate().filter(fits).map(|(_, ring)| *ring).collect();
        cover(&rest, filled | ring.cells, left, visit);
        left.iter_mut().zip(&ring.uses).for_each(|(left, uses)| *left += uses);
    }
}
