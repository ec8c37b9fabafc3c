//! Symmetry reduction: one placement for each orbit of the placements of one type.
//!
//! A symmetry of the figure maps the packings with a placement to those with its image, so both are equally many. A
//! packing has `m` placements of a type with `m` copies. So the number of packings is the sum of |orbit| ·
//! N(representative) over the orbits of that type, divided by `m`. The search then runs once for each representative,
//! with this placement first.
//!
//! Each packing is found `m` times for each placement of its orbit, so the type is chosen whose orbits are largest in
//! relation to its number of copies. With Conway's 5×5×5, the thirteen bricks have the largest orbits, but a search that
//! begins with the only square has a third of the nodes. If there are reflections, the type must be its own mirror image,
//! because a reflection exchanges the types of other pieces.

use super::placements::{ItemLayout, PlacementBuilder};
use super::prepared_set::PreparedSet;
use super::symmetries::CellSymmetry;
use super::word::MaskWord;

/// A placement that represents its orbit of `weight` placements.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrbitPlacement<W> {
    pub(super) mask: W,
    pub(super) weight: u64,
}

/// Returns the group elements that map packings to packings: all rotations, and reflections if the set is closed under
/// them.
pub(super) fn usable<'g>(
    prepared: &PreparedSet,
    group: &'g [CellSymmetry],
) -> Vec<&'g CellSymmetry> {
    group.iter().filter(|s| prepared.mirror_closed || !s.improper).collect()
}

/// Writes the item bit of each cell bit's image to `out`.
pub(super) fn bit_map(layout: &ItemLayout, symmetry: &CellSymmetry, out: &mut Vec<usize>) {
    out.clear();
    out.extend(layout.cell_of_bit.iter().map(|&cell| layout.bit_of_cell[symmetry.map[cell]]));
}

/// Fills `out` with representatives of one type's orbits. Returns the number by which the total must be divided. `out`
/// stays empty, and the divisor is 1, if the group does not help.
pub(super) fn reduce<W: MaskWord>(
    prepared: &PreparedSet,
    group: &[CellSymmetry],
    builder: &PlacementBuilder<W>,
    out: &mut Vec<OrbitPlacement<W>>,
) -> u32 {
    out.clear();
    let layout = &builder.layout;
    let group = usable(prepared, group);
    if group.len() < 2 {
        return 1;
    }
    let mut maps = Vec::with_capacity(group.len());
    for symmetry in &group {
        let mut map = Vec::new();
        bit_map(layout, symmetry, &mut map);
        maps.push(map);
    }
    let improper = group.iter().any(|s| s.improper);
    let mut best: Option<(usize, usize, usize, usize, usize)> = None;
    for kind in 0..prepared.kinds.len() {
        let piece = &prepared.kinds[kind];
        // Every packing must use as many copies.
        if improper && piece.mirror != Some(kind) || piece.least < piece.count {
            continue;
        }
        let start = out.len();
        let placements = representatives(builder.masks(), layout.type_bit(kind), &maps, out);
        let orbits = out.len() - start;
        let found = orbits * piece.count as usize;
        if best.is_none_or(|(most, least, ..)| placements * least > most * found) {
            best = Some((placements, found, orbits, kind, start));
        }
    }
    let Some((.., orbits, kind, start)) = best else { return 1 };
    out.drain(..start);
    out.truncate(orbits);
    prepared.kinds[kind].count
}

/// Appends one placement of each orbit of the type with bit `bit`. Returns the number of all its placements.
fn representatives<W: MaskWord>(
    masks: &[W],
    bit: W,
    maps: &[Vec<usize>],
    out: &mut Vec<OrbitPlacement<W>>,
) -> usize {
    let mut placements = 0;
    'masks: for &mask in masks.iter().filter(|m| m.has(bit)) {
        placements += 1;
        let mut stabilizer = 0;
        for map in maps {
            let image = mask.without(bit).ones().fold(bit, |w, i| w | W::bit(map[i]));
            if image < mask {
                continue 'masks;
            }
            stabilizer += u64::from(image == mask);
        }
        out.push(OrbitPlacement { mask, weight: maps.len() as u64 / stabilizer });
    }
    placements
}
