//! The search of figures with so many items that masks are wide.
//!
//! A list of a thousand cells' placements takes megabytes, and a path may have a thousand nodes. So the lists of a path
//! are not all held: there is one list, that of the present node. Of the nodes above, only the positions of their
//! placements in the list of the root are held, of which each takes a thirtieth of a mask. After a child, its parent's
//! list is made again from them.

use super::area::{room, with_stack};
use super::{OpenItems, PackingSearch, PackingVisitor, RANGES};
use crate::solve::mask_list_ops::{MaskListOps, pad, padded};
use crate::solve::word::MaskWord;

impl<W: MaskWord, O: MaskListOps<W>, V: PackingVisitor<W>> PackingSearch<'_, W, O, V> {
    /// Searches from the root, whose `n` placements are in `area`, or one of its branches.
    pub(super) fn wide_root(
        &mut self,
        area: &mut [W],
        n: usize,
        open: OpenItems<W>,
        branch: Option<usize>,
    ) {
        self.all = area[..n].to_vec();
        let positions: Vec<u32> = (0..n as u32).collect();
        self.wide_node(area, &positions, open, branch);
        self.all = Vec::new();
    }

    /// Searches a node, or one of its branches. Its placements, at these positions of the root's, are in `area`.
    fn wide_node(
        &mut self,
        area: &mut [W],
        positions: &[u32],
        open: OpenItems<W>,
        branch: Option<usize>,
    ) {
        if self.budget.is_spent() {
            return;
        }
        // A thousand nodes above each other take more stack than threads usually have.
        with_stack(|| self.wide_children(area, positions, open, branch));
    }

    fn wide_children(
        &mut self,
        area: &mut [W],
        positions: &[u32],
        open: OpenItems<W>,
        branch: Option<usize>,
    ) {
        let n = positions.len();
        let (list, rest) = area.split_at_mut(padded::<W, O>(n));
        debug_assert!(rest.len() + list.len() >= room::<W, O>(n), "the area has room for the root");
        let item = self.ops.fewest(list, open.once).lowest();
        let number = self.ops.select(list, n, item, rest);
        let children = rest[..number].to_vec();
        let chosen = match branch {
            None => &children[..],
            Some(branch) => &children[branch..=branch],
        };
        let mut is_list = true;
        for &mask in chosen {
            if !is_list {
                for (to, &at) in area.iter_mut().zip(positions) {
                    *to = self.all[at as usize];
                }
                pad::<W, O>(area, n);
                is_list = true;
            }
            let (block, next) = self.enter::<RANGES>(mask, open);
            let must = next.once | next.more;
            let complete = must.is_zero();
            if self.shows_steps() && !self.visitor.step(self.path.len() - 1, mask, complete) {
                self.budget.halted = true;
            } else if complete {
                self.add_choice(next);
            } else if self.choice.can_be_filled(&self.left) {
                let (list, rest) = area.split_at_mut(padded::<W, O>(n));
                let (len, coverage) = self.ops.filter(list, block, rest);
                if must.without(self.ops.covered(coverage)).is_zero() {
                    self.budget.nodes += 1;
                    let stays = |at: &u32| !self.all[*at as usize].has(block);
                    let below: Vec<u32> = positions.iter().copied().filter(stays).collect();
                    debug_assert_eq!(below.len(), len, "the filter keeps what is not blocked");
                    area.copy_within(padded::<W, O>(n)..padded::<W, O>(n) + padded::<W, O>(len), 0);
                    is_list = false;
                    self.wide_node(area, &below, next, None);
                }
            }
            self.leave::<RANGES>(mask);
            if self.budget.halted {
                let before = children.iter().position(|child| *child == mask).unwrap_or_default();
                self.share = (before as f64 + self.share) / children.len() as f64;
                break;
            }
        }
    }
}
