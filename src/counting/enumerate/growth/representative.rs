//! The choice of the one image of a figure to list. The figure's group must be exactly the setting's.
//!
//! Take two figures with exactly the setting's group, in its position. They are equal up to the 48 transforms if
//! and only if one of the setting's cosets and a translation map one to the other. Up to rotations, the coset must
//! contain rotations. The search visits each figure of such a family once, and the one with the smallest hash is
//! listed. The hash of an image is a sum over orbits, updated while the set of orbits grows, so comparing all
//! images costs a few additions. If hashes are equal, the sets themselves are compared.
//!
//! Figures with a larger group than the setting's are grown too and must be left out. They are detected in two ways. If
//! the larger group meets the normalizer outside the setting's group, a coset maps the figure to itself, and the hashes
//! agree. Otherwise the setting has an element of it, which is tested on the cells.

use super::hashes::ImageHash;
use super::heights::Height;
use super::orbits::Orbits;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Transform;
use std::cmp::Ordering;

/// Returns `true` if a set of orbits represents its images. Its group must be exactly the setting's, and no image
/// under a coset that `equates` marks may come before it. `image_hashes` contains the hash of each image.
pub(super) fn is_representative(
    orbits: &Orbits,
    equates: &[bool],
    chosen: &[u32],
    image_hashes: &[ImageHash],
) -> bool {
    let own = orbits.powers.normalize(image_hashes[0]);
    for (coset, image) in image_hashes.iter().enumerate().skip(1) {
        let hash = orbits.powers.normalize(*image);
        let order = match hash.cmp(&own) {
            Ordering::Equal => compare_image(orbits, chosen, coset),
            order => order,
        };
        if order == Ordering::Equal || (order == Ordering::Less && equates[coset]) {
            return false;
        }
    }
    let outsiders = &orbits.setting.outsiders;
    if outsiders.is_empty() {
        return true;
    }
    let mut cells = Vec::new();
    orbits.list_cells(chosen, &mut cells);
    !has_any_symmetry(&Figure::from_distinct(cells), outsiders)
}

/// Compares the image of a set under a coset with the set itself, both translated to height 0. Needed only if their
/// hashes are equal.
fn compare_image(orbits: &Orbits, chosen: &[u32], coset: usize) -> Ordering {
    let normalized = |coset: usize| {
        let mut set: Vec<(Height, u32)> = chosen.iter().map(|&o| orbits.image(o, coset)).collect();
        let lowest = set.iter().map(|(height, _)| *height).min();
        let lowest = lowest.expect("a figure has at least one orbit");
        set.iter_mut().for_each(|(height, _)| *height -= lowest);
        set.sort_unstable();
        set
    };
    normalized(coset).cmp(&normalized(0))
}

/// Returns `true` if a transform, with a translation, preserves a figure.
fn has_any_symmetry(figure: &Figure, transforms: &[Transform]) -> bool {
    let extents = figure.extents();
    let preserves =
        |t: &Transform| t.image_sides(extents) == extents && figure.transformed(*t) == *figure;
    transforms.iter().any(preserves)
}
