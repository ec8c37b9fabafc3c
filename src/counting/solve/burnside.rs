//! Counts packings up to symmetry, by Burnside's lemma.
//!
//! The number of classes is the mean number of packings that a group element fixes. A packing fixed by `g` is an
//! exact cover by orbits of placements under the powers of `g`. There are few such orbits, so a plain search for
//! covers is enough.
//!
//! For example, two V in 2×3 have two packings. The identity fixes both, and so does the half turn in the plane; the
//! half turns about the two axes in the plane exchange them. So there are (2 + 2 + 0 + 0) / 4 = 1 up to rotation.
use super::mask_list_ops::{MaskListOps, Portable};
use super::orbits::{bit_map, usable};
use super::placements::PlacementBuilder;
use super::prepared_set::PreparedSet;
use super::symmetries::CellSymmetry;
use super::word::MaskWord;
use std::convert::Infallible;

/// An orbit of placements under the powers of a symmetry. The placements are disjoint, so the orbit can be part of a
/// packing that the symmetry fixes.
pub(super) struct OrbitTile<W> {
    /// The cells of all of them, without the types.
    pub(super) cells: W,
    /// For each type, the number of its copies among them.
    pub(super) uses: Vec<u32>,
}

/// Counts packings up to rotations and up to all usable symmetries. The figure has `total` packings. An empty group
/// means the identity alone.
pub(super) fn classes<W: MaskWord>(
    prepared: &PreparedSet,
    builder: &PlacementBuilder<W>,
    group: &[CellSymmetry],
    total: u128,
) -> (u128, u128) {
    let fixed = |symmetry: &CellSymmetry| Ok(fixed_packings(prepared, builder, symmetry, total));
    let Ok(means) = mean::<Infallible>(prepared, group, total, fixed);
    means
}

/// Returns the same numbers as [`classes`], given a function that counts the packings that a symmetry fixes.
pub(super) fn mean<E>(
    prepared: &PreparedSet,
    group: &[CellSymmetry],
    total: u128,
    mut fixed: impl FnMut(&CellSymmetry) -> Result<u128, E>,
) -> Result<(u128, u128), E> {
    let symmetries = usable(prepared, group);
    let rotations = symmetries.iter().filter(|symmetry| !symmetry.improper).count() as u128;
    let order = symmetries.len() as u128;
    // The sum of counts near 2^128 would not fit. That of their quotients does, and so do the remainders.
    let add =
        |[whole, rest]: [u128; 2], count: u128, size| [whole + count / size, rest + count % size];
    let (mut rotation, mut all) = ([0; 2], [0; 2]);
    for symmetry in symmetries {
        let fixed = if total == 0 { 0 } else { fixed(symmetry)? };
        all = add(all, fixed, order);
        if !symmetry.improper {
            rotation = add(rotation, fixed, rotations);
        }
    }
    // The size is 0 if the group is empty, which means the identity alone.
    let mean = |[whole, rest]: [u128; 2], size: u128| {
        rest.checked_div(size).map_or(total, |rest| whole + rest)
    };
    Ok((mean(rotation, rotations), mean(all, order)))
}

/// Returns false if the numbers of copies rule out packings that the symmetry fixes.
pub(super) fn can_fix_packings(prepared: &PreparedSet, symmetry: &CellSymmetry) -> bool {
    let order = order(&symmetry.map);
    // A rotation permutes copies of a piece without rotation symmetry in full orbits only.
    let turns =
        if symmetry.improper { order / if order.is_multiple_of(2) { 2 } else { 1 } } else { order };
    let divides = |n: u32| (n as usize).is_multiple_of(turns);
    prepared.kinds.iter().all(|k| k.orientations < 24 || (k.least..=k.count).any(divides))
}

/// Counts the packings that `symmetry` fixes.
fn fixed_packings<W: MaskWord>(
    prepared: &PreparedSet,
    builder: &PlacementBuilder<W>,
    symmetry: &CellSymmetry,
    total: u128,
) -> u128 {
    if symmetry.map.iter().enumerate().all(|(i, &to)| i == to) {
        return total;
    }
    if !can_fix_packings(prepared, symmetry) {
        return 0;
    }
    let orbits = placement_orbits(prepared, builder, symmetry);
    if orbits.is_empty() {
        return 0;
    }
    let list: Vec<(W, &OrbitTile<W>)> = orbits.iter().map(|orbit| (orbit.cells, orbit)).collect();
    let left = prepared.kinds.iter().map(|k| k.count).collect();
    let mut covers = OrbitCovers { prepared, left };
    covers.count(&list, W::first(builder.layout.first_type))
}

fn order(map: &[usize]) -> usize {
    let mut power = map.to_vec();
    let mut order = 1;
    while power.iter().enumerate().any(|(i, &to)| i != to) {
        power.iter_mut().for_each(|to| *to = map[*to]);
        order += 1;
    }
    order
}

/// Lists all orbits that can occur in a packing. The list is empty if some type has none.
pub(super) fn placement_orbits<W: MaskWord>(
    prepared: &PreparedSet,
    builder: &PlacementBuilder<W>,
    symmetry: &CellSymmetry,
) -> Vec<OrbitTile<W>> {
    let layout = &builder.layout;
    let mut map = Vec::new();
    bit_map(layout, symmetry, &mut map);
    let cells = W::first(layout.first_type);
    let mut uses = vec![0; layout.types];
    let mut orbits: Vec<OrbitTile<W>> = Vec::new();
    for kind in 0..layout.types {
        let of_kind = builder.masks().iter().filter(|m| m.has(layout.type_bit(kind)));
        for &mask in of_kind {
            uses.fill(0);
            let orbit =
                orbit_cells(prepared, kind, mask & cells, &map, symmetry.improper, &mut uses);
            orbits.extend(orbit.map(|cells| OrbitTile { cells, uses: uses.clone() }));
        }
        // A reflection maps the pieces of a type to those of its mirror type.
        let partner =
            if symmetry.improper { prepared.kinds[kind].mirror.unwrap_or(kind) } else { kind };
        let unused = || !orbits.iter().any(|orbit| orbit.uses[kind] > 0);
        if partner <= kind && prepared.kinds[kind].least > 0 && unused() {
            return Vec::new();
        }
    }
    orbits
}

/// Returns the union of a placement's images. They must be disjoint and within the set. Returns `None` if they are not,
/// or if an image has a smaller mask, so that each orbit is listed once.
fn orbit_cells<W: MaskWord>(
    prepared: &PreparedSet,
    mut kind: usize,
    start: W,
    map: &[usize],
    improper: bool,
    uses: &mut [u32],
) -> Option<W> {
    let (first, mut cells) = (kind, W::ZERO);
    let mut image = start;
    loop {
        if image < start || image.has(cells) {
            return None;
        }
        cells = cells | image;
        uses[kind] += 1;
        if uses[kind] > prepared.kinds[kind].count {
            return None;
        }
        image = image.ones().fold(W::ZERO, |w, i| w | W::bit(map[i]));
        if improper {
            kind = prepared.kinds[kind].mirror?;
        }
        if image == start {
            // Pieces that only their colors tell apart cover the same cells.
            return (kind == first).then_some(cells);
        }
    }
}

/// A search for the exact covers of a figure by orbits.
struct OrbitCovers<'a> {
    prepared: &'a PreparedSet,
    /// For each type, the number of copies left.
    left: Vec<u32>,
}

impl OrbitCovers<'_> {
    /// Counts the exact covers of `open` by orbits of `list`, with the pieces left.
    fn count<W: MaskWord>(&mut self, list: &[(W, &OrbitTile<W>)], open: W) -> u128 {
        if open.is_zero() {
            return u128::from(self.is_choice());
        }
        let mut masks: Vec<W> = list.iter().map(|r| r.0).collect();
        masks.resize(masks.len().next_multiple_of(<Portable as MaskListOps<W>>::WIDTH), W::ZERO);
        let item = Portable.fewest(&masks, open).lowest();
        let mut total = 0;
        for &(cells, orbit) in list.iter().filter(|r| r.0.has(item)) {
            self.left.iter_mut().zip(&orbit.uses).for_each(|(left, uses)| *left -= uses);
            let fits = |r: &OrbitTile<W>| r.uses.iter().zip(&self.left).all(|(u, left)| u <= left);
            let rest: Vec<_> =
                list.iter().filter(|r| !r.0.has(cells) && fits(r.1)).copied().collect();
            total += self.count(&rest, open.without(cells));
            self.left.iter_mut().zip(&orbit.uses).for_each(|(left, uses)| *left += uses);
        }
        total
    }

    /// Returns true if a packing may use the pieces that are no longer left. Without ranges, these are always all: they
    /// have as many cells as the figure.
    fn is_choice(&self) -> bool {
        let used =
            || self.prepared.kinds.iter().zip(&self.left).map(|(k, left)| (k, k.count - left));
        let pieces =
            || used().filter(|(kind, _)| !kind.is_gap).map(|(_, used)| used as usize).sum();
        used().all(|(kind, used)| used >= kind.least)
            && self.prepared.number.is_none_or(|number| number == pieces())
    }
}
