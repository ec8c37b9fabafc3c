//! Packings up to symmetry: the mean number of packings that a group element
//! leaves unchanged (Burnside's lemma).
//!
//! A packing fixed by `g` is an exact cover by orbits of placements under the
//! powers of `g`. Only few such orbits exist, so a plain search does.
use super::kit::Kit;
use super::orbits::{bit_map, usable};
use super::placements::Builder;
use super::sieve::{Plain, Sieve, fewest, padded};
use super::symmetries::Symmetry;
use super::word::Word;
use std::convert::Infallible;

/// Disjoint images of one placement.
pub(super) struct Ring<W> {
    pub(super) cells: W,
    /// Copies used of each type.
    pub(super) uses: Vec<u32>,
}

/// Numbers of packings up to rotations and up to all usable symmetries, for a
/// figure with `total` packings. An empty group means the identity alone.
pub(super) fn classes<W: Word>(
    kit: &Kit,
    builder: &Builder<W>,
    group: &[Symmetry],
    total: u128,
) -> (u128, u128) {
    let fixed = |symmetry: &Symmetry| Ok(unchanged(kit, builder, symmetry, total));
    let Ok(means) = mean::<Infallible>(kit, group, total, fixed);
    means
}

/// The same with any way to find the number of packings that a symmetry maps to themselves.
pub(super) fn mean<E>(
    kit: &Kit,
    group: &[Symmetry],
    total: u128,
    mut unchanged: impl FnMut(&Symmetry) -> Result<u128, E>,
) -> Result<(u128, u128), E> {
    let (mut rotation, mut all) = ((0, 0), (0, 0));
    for symmetry in usable(kit, group) {
        let fixed = if total == 0 { 0 } else { unchanged(symmetry)? };
        all = (all.0 + fixed, all.1 + 1);
        if !symmetry.improper {
            rotation = (rotation.0 + fixed, rotation.1 + 1);
        }
    }
    let mean = |(sum, size): (u128, u128)| sum.checked_div(size).unwrap_or(total);
    Ok((mean(rotation), mean(all)))
}

/// Whether the symmetry may leave a packing as it is, as far as the numbers of copies tell.
pub(super) fn may_keep(kit: &Kit, symmetry: &Symmetry) -> bool {
    let order = order(&symmetry.map);
    // A piece without rotation symmetry has only whole orbits of a rotation.
    let turns =
        if symmetry.improper { order / if order.is_multiple_of(2) { 2 } else { 1 } } else { order };
    !kit.kinds.iter().any(|k| k.orientations == 24 && !(k.count as usize).is_multiple_of(turns))
}

/// Number of packings that `symmetry` maps to themselves.
fn unchanged<W: Word>(kit: &Kit, builder: &Builder<W>, symmetry: &Symmetry, total: u128) -> u128 {
    if symmetry.map.iter().enumerate().all(|(i, &to)| i == to) {
        return total;
    }
    if !may_keep(kit, symmetry) {
        return 0;
    }
    let rings = rings(kit, builder, symmetry);
    let mut left: Vec<u32> = kit.kinds.iter().map(|k| k.count).collect();
    if rings.is_empty() {
        return 0;
    }
    let list: Vec<(W, &Ring<W>)> = rings.iter().map(|r| (r.cells, r)).collect();
    cover(&list, W::first(builder.layout.first_type), &mut left)
}

/// Smallest positive power of the permutation that is the identity.
fn order(map: &[usize]) -> usize {
    let mut power = map.to_vec();
    let mut order = 1;
    while power.iter().enumerate().any(|(i, &to)| i != to) {
        power.iter_mut().for_each(|to| *to = map[*to]);
        order += 1;
    }
    order
}

/// All orbits that may occur in a packing; none at once when a type has none.
pub(super) fn rings<W: Word>(kit: &Kit, builder: &Builder<W>, symmetry: &Symmetry) -> Vec<Ring<W>> {
    let layout = &builder.layout;
    let mut map = Vec::new();
    bit_map(layout, symmetry, &mut map);
    let cells = W::first(layout.first_type);
    let mut uses = vec![0; layout.types];
    let mut out: Vec<Ring<W>> = Vec::new();
    for kind in 0..layout.types {
        let of_kind = builder.masks().iter().filter(|m| m.has(layout.type_bit(kind)));
        for &mask in of_kind {
            uses.fill(0);
            let ring = ring(kit, kind, mask & cells, &map, symmetry.improper, &mut uses);
            out.extend(ring.map(|cells| Ring { cells, uses: uses.clone() }));
        }
        let partner = kit.kinds[kind].mirror.filter(|_| symmetry.improper).unwrap_or(kind);
        if partner <= kind && !out.iter().any(|r| r.uses[kind] > 0) {
            return Vec::new();
        }
    }
    out
}

/// The union of a placement's images, if they are disjoint, the kit has enough
/// pieces, and no image has a smaller mask.
fn ring<W: Word>(
    kit: &Kit,
    mut kind: usize,
    start: W,
    map: &[usize],
    improper: bool,
    uses: &mut [u32],
) -> Option<W> {
    let mut cells = W::ZERO;
    let mut image = start;
    loop {
        if image < start || image.has(cells) {
            return None;
        }
        cells = cells | image;
        uses[kind] += 1;
        if uses[kind] > kit.kinds[kind].count {
            return None;
        }
        image = image.ones().fold(W::ZERO, |w, i| w | W::bit(map[i]));
        if improper {
            kind = kit.kinds[kind].mirror?;
        }
        if image == start {
            return Some(cells);
        }
    }
}

/// Exact covers of `open` by rings within the pieces left.
fn cover<W: Word>(list: &[(W, &Ring<W>)], open: W, left: &mut [u32]) -> u128 {
    if open.is_zero() {
        return 1;
    }
    let mut masks: Vec<W> = list.iter().map(|r| r.0).collect();
    masks.resize(padded(masks.len()), W::ZERO);
    let item = fewest(&<Plain as Sieve<W>>::numbers(&masks), open).lowest();
    let mut total = 0;
    for &(cells, ring) in list.iter().filter(|r| r.0.has(item)) {
        left.iter_mut().zip(&ring.uses).for_each(|(left, uses)| *left -= uses);
        let fits = |r: &Ring<W>| r.uses.iter().zip(left.iter()).all(|(uses, left)| uses <= left);
        let rest: Vec<_> = list.iter().filter(|r| !r.0.has(cells) && fits(r.1)).copied().collect();
        total += cover(&rest, open.without(cells), left);
        left.iter_mut().zip(&ring.uses).for_each(|(left, uses)| *left += uses);
    }
    total
}
