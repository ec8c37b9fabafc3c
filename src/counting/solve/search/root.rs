//! What happens at the root of a search: its list without placements that are in no packing, its branches, and an estimate
//! of what is below.

use super::area::reserve;
use super::{OpenItems, PackingSearch, PackingVisitor, RANGES, SEVERAL};
use crate::solve::mask_list_ops::{MaskListOps, pad, padded, scarce};
use crate::solve::word::MaskWord;

/// Pruning watches items with fewer than `2^SCARCE_BITS` placements. Watching all items took up to half of the time.
/// Watching those with fewer than eight placements prunes nearly as much in a tenth of it.
const SCARCE_BITS: usize = 3;

impl<W: MaskWord, O: MaskListOps<W>, V: PackingVisitor<W>> PackingSearch<'_, W, O, V> {
    /// Returns the number of the root's branches, which can be searched independently. It is 0 if the root is so near
    /// the leaves that it has no branches.
    pub(in crate::solve) fn branches(
        &mut self,
        list: &[W],
        first: Option<W>,
        area: &mut Vec<W>,
        prune: bool,
    ) -> usize {
        reserve::<W, O>(area, list.len(), self.open.pieces);
        let (n, open) = self.root::<RANGES>(list, first, area, prune);
        if let Some(mask) = first {
            self.leave::<RANGES>(mask);
        }
        if open.pieces <= 2 {
            return 0;
        }
        let item = self.ops.fewest(&area[..padded::<W, O>(n)], open.once).lowest();
        area[..n].iter().filter(|mask| mask.has(item)).count()
    }

    /// Follows one random path from the root down, and returns an estimate of the number of nodes of the whole search,
    /// which is not one for choices.
    /// The estimate is that of a tree whose nodes at each depth all have as many children as the one on the path. Its
    /// mean over all paths is the number of nodes (Knuth 1975), but single estimates scatter widely. `draw` returns a
    /// random number below its argument.
    pub(in crate::solve) fn probe(
        &mut self,
        list: &[W],
        first: Option<W>,
        area: &mut Vec<W>,
        prune: bool,
        mut draw: impl FnMut(usize) -> usize,
    ) -> f64 {
        reserve::<W, O>(area, list.len(), self.open.pieces);
        let leaves = if self.open.more.is_zero() { 3 } else { 2 };
        let (mut n, mut open) = self.root::<SEVERAL>(list, first, area, prune);
        let mut area = &mut area[..];
        let (mut nodes, mut weight, mut path) = (1.0, 1.0, Vec::from_iter(first));
        while open.pieces >= leaves {
            let (list, rest) = area.split_at_mut(padded::<W, O>(n));
            let item = self.ops.fewest(list, open.once).lowest();
            let children = self.ops.select(list, n, item, rest);
            if children == 0 {
                break;
            }
            let mask = rest[draw(children)];
            weight *= children as f64;
            path.push(mask);
            let (block, next) = self.enter::<SEVERAL>(mask, open);
            let (len, coverage) = self.ops.filter(list, block, rest);
            if !(next.once | next.more).without(self.ops.covered(coverage)).is_zero() {
                break;
            }
            nodes += weight;
            (n, open, area) = (len, next, rest);
        }
        path.into_iter().for_each(|mask| self.leave::<SEVERAL>(mask));
        nodes
    }

    /// Writes the padded list of the root to `area`. Returns its length without padding, and the open items.
    pub(super) fn root<const COPIES: u8>(
        &mut self,
        list: &[W],
        first: Option<W>,
        area: &mut [W],
        prune: bool,
    ) -> (usize, OpenItems<W>) {
        let (mut block, mut open) = (W::ZERO, self.open);
        if COPIES == RANGES {
            block = self.closed_types();
        }
        if let Some(mask) = first {
            (block, open) = self.enter::<COPIES>(mask, open);
        }
        let mut n = 0;
        for &mask in list {
            area[n] = mask;
            n += usize::from(!mask.has(block));
        }
        pad::<W, O>(area, n);
        if prune && open.pieces > 2 {
            n = if COPIES == RANGES {
                // A type that needs one copy more is covered by any of its placements.
                let twice = |kind, left: u32| left > 1 && self.choice.needs(kind, left - 1);
                let watched = OpenItems { more: self.types(twice), ..open };
                self.prune(area, n, watched, self.types(|_, left| left > 1))
            } else {
                self.prune(area, n, open, open.more)
            };
        }
        (n, open)
    }

    /// Branches at the root on the item with the fewest placements, for a search that continues in another way
    /// (`breadth_first.rs`). All pieces must differ. Leaves the placements of `list`, or those that survive pruning, in
    /// `area`, and copies those of the item to `first`. Returns the length of the list in `area`.
    pub(in crate::solve) fn split(
        &mut self,
        list: &[W],
        area: &mut Vec<W>,
        first: &mut Vec<W>,
        prune: bool,
    ) -> usize {
        reserve::<W, O>(area, list.len(), 0);
        area[..list.len()].copy_from_slice(list);
        pad::<W, O>(area, list.len());
        let n = match prune {
            true => self.prune(area, list.len(), self.open, self.open.more),
            false => list.len(),
        };
        let item = self.ops.fewest(&area[..padded::<W, O>(n)], self.open.once).lowest();
        first.clear();
        first.extend(area[..n].iter().filter(|m| m.has(item)));
        n
    }

    /// Drops placements that leave some scarce item without a placement. Returns how many of the `n` are left. Dropping
    /// can make further items scarce, but a second round costs more than it saves. `several` are the types with two or
    /// more copies left.
    fn prune(&self, area: &mut [W], n: usize, open: OpenItems<W>, several: W) -> usize {
        let (list, rest) = area.split_at_mut(padded::<W, O>(n));
        list[n..].fill(W::ZERO);
        let scarce = scarce(&self.ops.numbers(list), open.once | open.more, SCARCE_BITS);
        list[n..].fill(W::FULL);
        if scarce.is_zero() {
            return n;
        }
        let (placements_of, out) = rest.split_at_mut(8 * scarce.count());
        let (placements_of, _) = placements_of.as_chunks_mut::<8>();
        placements_of.fill([W::FULL; 8]);
        for (of, item) in placements_of.iter_mut().zip(scarce.ones()) {
            of[0] = W::bit(item);
        }
        for &mask in list[..n].iter().filter(|mask| mask.has(scarce)) {
            for of in placements_of.iter_mut().filter(|of| mask.has(of[0])) {
                let end = of.iter().position(|&placement| placement == W::FULL);
                of[end.expect("a scarce item has fewer than eight placements")] = mask;
            }
        }
        // A type with several copies stays open, and does not block its other placements.
        let left = self.ops.survivors(list, n, placements_of, several, out);
        list[..left].copy_from_slice(&out[..left]);
        pad::<W, O>(area, left);
        left
    }
}
