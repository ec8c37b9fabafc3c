//! Which of a figure's images is the one to be listed, and whether its group is exactly the
//! setting's.
//!
//! Two figures with exactly the setting's group, in its position, are equal up to the 48 transforms
//! if and only if one of the setting's cosets and a translation takes one to the other. Each figure
//! of such a family is met by the search, once; the one with the smallest hash is listed. The hash
//! of an image is a sum over orbits, kept up while the set of orbits grows, so that looking at all
//! images costs a few additions. Equal hashes are settled by comparing the sets themselves.
//!
//! A larger group shows in two ways. Either it meets the normalizer outside the group: then a coset
//! maps the figure to itself, and the hashes agree. Or it does not; then the setting knows an
//! element of it, which is tried on the cells.

use super::grow::Grower;
use super::orbits::{Height, Orbits};
use crate::lattice::{Cell, Transform};

/// Whether the set of orbits is to be listed: its group is exactly the setting's, and no image
/// comes before it.
pub(super) fn is_listed(orbits: &Orbits, grown: &Grower<'_>) -> bool {
    let images = grown.images();
    let own = orbits.settled(images[0]);
    for (coset, image) in images.iter().enumerate().skip(1) {
        let hash = orbits.settled(*image);
        if hash < own || (hash == own && !comes_before_image(orbits, grown.chosen(), coset)) {
            return false;
        }
    }
    let outsiders = &orbits.setting.outsiders;
    outsiders.is_empty() || !has_any_symmetry(&cells(orbits, grown.chosen()), outsiders)
}

/// The cells of a set of orbits, in the order of the orbits.
pub(super) fn cells(orbits: &Orbits, chosen: &[u32]) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(orbits.limits.cells);
    for &orbit in chosen {
        cells.extend(orbits.cells_of(orbit));
    }
    cells
}

/// Compares a set of orbits with its image under a coset: false also if they are equal.
fn comes_before_image(orbits: &Orbits, chosen: &[u32], coset: usize) -> bool {
    let settled = |coset: usize| {
        let mut set: Vec<(Height, u32)> = chosen.iter().map(|&o| orbits.place(o, coset)).collect();
        let lowest = set.iter().map(|(height, _)| *height).min().unwrap_or(0);
        set.iter_mut().for_each(|(height, _)| *height -= lowest);
        set.sort_unstable();
        set
    };
    settled(0) < settled(coset)
}

/// Whether one of the transforms, with a translation, maps the cells to themselves.
fn has_any_symmetry(cells: &[Cell], transforms: &[Transform]) -> bool {
    let settled = |mut list: Vec<Cell>| {
        let corner = Cell::min_corner(&list);
        list.iter_mut().for_each(|c| *c = *c - corner);
        list.sort_unstable();
        list
    };
    let own = settled(cells.to_vec());
    let most = |axis: usize| own.iter().map(|c| c.to_array()[axis]).max();
    let extents = [most(0), most(1), most(2)];
    transforms.iter().any(|t| {
        let keeps_extents =
            t.sources().iter().zip(extents).all(|((axis, _), e)| extents[*axis] == e);
        keeps_extents && settled(own.iter().map(|&c| t.apply(c)).collect()) == own
    })
}
