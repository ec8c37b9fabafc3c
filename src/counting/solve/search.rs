//! Visits packings depth first: Knuth's Algorithm X on bit masks.
//!
//! The items of the exact cover are the cells of the figure and the types of pieces. Each item is a bit, and a
//! placement is the mask of the items that it covers. A node of the search is the list of the placements that still
//! fit. It selects an item and has a child for each placement of its list that covers this item; the child's list has
//! those disjoint from this placement. The item is one with the fewest placements (Knuth's MRV heuristic, minimum
//! remaining values), so that a forced move is made at once, and a node has few children. A child whose list leaves an
//! open item uncovered is dropped before it becomes a node.
//!
//! Before the search, placements that would leave some item without a placement are removed, as in Knuth's
//! preprocessing, Algorithm P. Leaves come early: with one piece left every placement in the list completes a packing,
//! and with two different pieces left the second must be the complement of the first, which is looked up in the list.
//!
//! # Why it is right
//!
//! A packing covers the selected item by exactly one of its placements, so it lies below exactly one child. A child is
//! dropped, and a placement removed, only if some item could not be covered any more, so no packing is lost. Hence
//! every packing is visited exactly once. This includes sets with several equal pieces: a type with several copies left
//! is not an item that may be selected. It becomes one when a single copy is left, and all its placements are blocked
//! when none is. As copies are not distinguished, equal pieces do not multiply the packings. (Knuth's Algorithm M has
//! items with multiplicities instead.) It also includes pieces that a packing may leave out: a type whose copies left
//! are all optional is not an item at all, so it need not be covered (`choice_state.rs`). Every cell still is.
//!
//! # What it costs
//!
//! Each child costs one pass over its parent's list, whether it is dropped or not; `simd.rs` does this for several
//! masks at a time. The lists of a path are consecutive in one buffer, which is allocated before the search. The number
//! of nodes grows exponentially with the number of pieces, and what helps most is symmetry: all 11,520 packings of the
//! cube take 53,509 nodes, and 1,336 with the orbits of one piece (`orbits.rs`). Times are in docs/solver.md.
//!
//! # Example
//!
//! V, L and T in eleven cells have 14 items and 55 placements. Colors leave 39 (`color.rs`), pruning 18. Cell 1 has
//! two:
//!
//! ```text
//!  0  2  5  8    L 0125 -> V 347 -> T 689A, a packing
//!  1  3  6  9    V 013  -> T 2568 -> L 479A, a packing
//!     4  7  A           -> L 2589 -> T 467A, a packing
//! ```
//!
//! These are three nodes: the root and its two children, at which two pieces are left. Below them, each first placement
//! finds its complement by one lookup.

mod area;
mod narrowed;
mod root;
mod wide;

use super::Limits;
use super::choice_state::ChoiceState;
use super::limits::NodeBudget;
use super::mask_list_ops::{MaskListOps, padded};
use super::word::MaskWord;
use area::{is_wide, reserve};
pub(super) use narrowed::Narrowed;

/// A receiver of the packings that a search finds. Its constant is known at compile time, so a search that only counts
/// contains no code for paths and steps.
pub(super) trait PackingVisitor<W: MaskWord> {
    /// True if `packing` is called; otherwise packings are only counted.
    const SHOW_PACKINGS: bool;
    /// Receives a packing, with a mask for each piece. Returns false to end the search.
    fn packing(&mut self, path: &[W]) -> bool;
    /// Returns true if `step` is called; requires `SHOW_PACKINGS`.
    fn shows_steps(&self) -> bool {
        false
    }
    /// Receives a placement tried as number `depth` of the path. The flag is true if it completes a packing.
    /// Returns false to end the search.
    fn step(&mut self, _depth: usize, _mask: W, _complete: bool) -> bool {
        true
    }
    /// Searches a node with narrower masks, if its items fit into them (`search/narrowed.rs`). Returns false if the node
    /// is still to be searched.
    #[inline(always)]
    fn narrow<O: MaskListOps<W>, const COPIES: u8>(
        _search: &mut PackingSearch<'_, W, O, Self>,
        _list: &[W],
        _open: OpenItems<W>,
        _scarce_items: W,
    ) -> bool
    where
        Self: Sized,
    {
        false
    }
}

/// A visitor that ignores the packings.
pub(super) struct CountOnly;

impl<W: MaskWord> PackingVisitor<W> for CountOnly {
    const SHOW_PACKINGS: bool = false;
    fn packing(&mut self, _: &[W]) -> bool {
        true
    }
}

/// What receives packings, or also the steps to them. It is a trait object: a call for each packing costs little, and
/// the compiler builds the search once for all receivers.
pub(super) trait PackingReceiver<W> {
    /// Returns false to end the search.
    fn packing(&mut self, path: &[W]) -> bool;
    fn shows_steps(&self) -> bool {
        false
    }
    /// Returns false to end the search.
    fn step(&mut self, _depth: usize, _mask: W, _complete: bool) -> bool {
        true
    }
}

impl<W, F: FnMut(&[W]) -> bool> PackingReceiver<W> for F {
    fn packing(&mut self, path: &[W]) -> bool {
        self(path)
    }
}

impl<W: MaskWord> PackingVisitor<W> for &mut dyn PackingReceiver<W> {
    const SHOW_PACKINGS: bool = true;
    fn packing(&mut self, path: &[W]) -> bool {
        (**self).packing(path)
    }
    fn shows_steps(&self) -> bool {
        (**self).shows_steps()
    }
    fn step(&mut self, depth: usize, mask: W, complete: bool) -> bool {
        (**self).step(depth, mask, complete)
    }
}

// The numbers of copies for which a search is compiled: a parameter of its functions.

/// Every type has one copy.
const SINGLE: u8 = 0;
/// A packing uses all copies.
const SEVERAL: u8 = 1;
/// A packing may use some copies only. This is right for all sets, and slower.
const RANGES: u8 = 2;

/// The items and pieces left at a node.
#[derive(Clone, Copy)]
pub(super) struct OpenItems<W> {
    /// The items to be covered exactly once: uncovered cells, and types with one copy left. A node selects one of
    /// these.
    once: W,
    /// The types with two or more copies left, disjoint from `once`. Each still needs a placement, but it is not
    /// selected, because several of its placements belong to a packing. Types with optional copies only are neither
    /// here nor in `once`.
    more: W,
    /// The number of pieces left, in a search for choices the most that may follow. Their volume is the number of
    /// uncovered cells.
    pieces: usize,
}

/// The items at the root of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchItems<'a, W> {
    /// Items to be covered exactly once: cells, and types with one copy.
    pub(super) once: W,
    /// Types with two or more copies.
    pub(super) more: W,
    /// The number of pieces, each copy counted.
    pub(super) pieces: usize,
    /// The number of copies of each type. Used only if `more` is not empty, like `first_type`.
    pub(super) counts: &'a [u32],
    /// The index of the bit of the first type. The bits of the other types follow in order.
    pub(super) first_type: usize,
    /// True if packings may use different pieces.
    pub(super) is_choice: bool,
    /// Used only by a search for choices.
    pub(super) choice: ChoiceState<'a>,
}

/// A depth-first search, with its totals so far. `run` can be called several times, with different first placements.
pub(super) struct PackingSearch<'l, W, O, V> {
    pub(super) visitor: V,
    /// The number of packings found.
    pub(super) total: u64,
    pub(super) budget: NodeBudget<'l>,
    /// The share of the tree, from 0 to 1, that was finished when a limit ended the search. The children of a node
    /// count equally. It is 0 if no limit came.
    pub(super) share: f64,
    /// The number of copies left of each type. Kept up to date only if some type has several.
    left: Vec<u32>,
    /// The placements from the root to the present node. Empty unless the visitor wants packings.
    path: Vec<W>,
    /// The items at the root.
    open: OpenItems<W>,
    first_type: usize,
    type_bits: W,
    is_choice: bool,
    choice: ChoiceState<'l>,
    /// The placements of the root, in a search with wide masks.
    all: Vec<W>,
    ops: O,
}

impl<'l, W: MaskWord, O: MaskListOps<W>, V: PackingVisitor<W>> PackingSearch<'l, W, O, V> {
    pub(super) fn new(ops: O, items: SearchItems<'l, W>, limits: Limits<'l>, visitor: V) -> Self {
        let type_bits =
            (0..items.counts.len()).fold(W::ZERO, |w, k| w | W::bit(items.first_type + k));
        PackingSearch {
            visitor,
            total: 0,
            budget: NodeBudget::new(limits, W::BITS),
            share: 0.0,
            left: items.counts.to_vec(),
            path: Vec::new(),
            open: OpenItems { once: items.once, more: items.more, pieces: items.pieces },
            first_type: items.first_type,
            type_bits,
            is_choice: items.is_choice,
            choice: items.choice,
            all: Vec::new(),
            ops,
        }
    }

    /// Searches all packings from `list`. With `first`, searches only those that contain it. With `branch`, searches
    /// only this branch of the root.
    pub(super) fn run(
        &mut self,
        list: &[W],
        first: Option<W>,
        branch: Option<usize>,
        area: &mut Vec<W>,
        prune: bool,
    ) {
        reserve::<W, O>(area, list.len(), self.open.pieces);
        // The other branches are not compiled for wide masks.
        if const { is_wide::<W>() } {
            return self.start::<RANGES>(list, first, branch, area, prune);
        }
        if self.is_choice {
            self.start::<RANGES>(list, first, branch, area, prune);
        } else if self.open.more.is_zero() {
            self.start::<SINGLE>(list, first, branch, area, prune);
        } else {
            self.start::<SEVERAL>(list, first, branch, area, prune);
        }
    }

    fn start<const COPIES: u8>(
        &mut self,
        list: &[W],
        first: Option<W>,
        branch: Option<usize>,
        area: &mut [W],
        prune: bool,
    ) {
        self.budget.nodes += u64::from(branch.is_none_or(|branch| branch == 0));
        let (n, open) = self.root::<COPIES>(list, first, area, prune);
        let uncovered = !open.once.without(self.type_bits).is_zero();
        if const { is_wide::<W>() } {
            match open.pieces {
                _ if uncovered => self.wide_root(area, n, open, branch),
                0 => self.add_packing(&[]),
                _ => self.add_choice(open),
            }
        } else {
            match open.pieces {
                _ if COPIES == RANGES && uncovered => {
                    self.node::<COPIES>(area, n, open, W::ZERO, branch);
                }
                0 => self.add_packing(&[]),
                _ if COPIES == RANGES => self.add_choice(open),
                1 => self.last_piece(&area[..n]),
                2 if COPIES == SINGLE => self.last_two(area, n, open.once),
                _ => self.node::<COPIES>(area, n, open, W::ZERO, branch),
            }
        }
        if let Some(mask) = first {
            self.leave::<COPIES>(mask);
        }
    }

    /// Puts a placement on the path. Returns the bits that it blocks, and the items that stay open. The placements of a
    /// type are blocked with its last copy.
    #[inline(always)]
    fn enter<const COPIES: u8>(&mut self, mask: W, open: OpenItems<W>) -> (W, OpenItems<W>) {
        if V::SHOW_PACKINGS {
            self.path.push(mask);
        }
        let pieces = open.pieces - 1;
        let once = open.once.without(mask);
        if COPIES == SINGLE {
            return (mask, OpenItems { once, more: open.more, pieces });
        }
        let kind = mask & self.type_bits;
        let cells = mask.without(kind);
        let left = &mut self.left[kind.index() - self.first_type];
        *left -= 1;
        if COPIES == RANGES {
            return self.enter_choice(kind, cells, OpenItems { once, more: open.more, pieces });
        }
        match *left {
            0 => (mask, OpenItems { once, more: open.more, pieces }),
            1 => (cells, OpenItems { once: once | kind, more: open.more.without(kind), pieces }),
            _ => (cells, OpenItems { once, more: open.more, pieces }),
        }
    }

    #[inline(always)]
    fn leave<const COPIES: u8>(&mut self, mask: W) {
        if V::SHOW_PACKINGS {
            self.path.pop();
        }
        if COPIES != SINGLE {
            let kind = (mask & self.type_bits).index() - self.first_type;
            if COPIES == RANGES {
                self.choice.take_back(kind, self.left[kind]);
            }
            self.left[kind] += 1;
        }
    }

    /// Completes [`Self::enter`] in a search for choices: the types that may not follow are blocked too.
    fn enter_choice(&mut self, bit: W, cells: W, open: OpenItems<W>) -> (W, OpenItems<W>) {
        let kind = bit.index() - self.first_type;
        let left = self.left[kind];
        self.choice.place(kind, left);
        let OpenItems { mut once, mut more, pieces } = open;
        more = more.without(bit);
        if self.choice.needs(kind, left) {
            let to = if left == 1 { &mut once } else { &mut more };
            *to = *to | bit;
        }
        (cells | self.closed_types(), OpenItems { once, more, pieces })
    }

    /// Returns the types of which no copy may follow.
    fn closed_types(&self) -> W {
        self.types(|kind, left| self.choice.is_closed(kind, left))
    }

    /// Returns the types for which a condition holds, given their numbers of copies left.
    fn types(&self, condition: impl Fn(usize, u32) -> bool) -> W {
        let types = self.left.iter().enumerate().filter(|&(kind, &left)| condition(kind, left));
        types.fold(W::ZERO, |types, (kind, _)| types | W::bit(self.first_type + kind))
    }

    /// Adds a packing if all cells are covered and the pieces are a choice.
    fn add_choice(&mut self, open: OpenItems<W>) {
        if (open.once | open.more).is_zero() && self.choice.can_be_filled(&self.left) {
            self.add_packing(&[]);
        }
    }

    /// Searches a node, or one of its branches. `scarce_items` are the open items with one placement, or else those
    /// with two, or else empty. The filter that made the list has found them, which saves counting for most nodes.
    fn node<const COPIES: u8>(
        &mut self,
        area: &mut [W],
        n: usize,
        open: OpenItems<W>,
        scarce_items: W,
        branch: Option<usize>,
    ) {
        if self.budget.is_spent() {
            return;
        }
        if branch.is_none() && V::narrow::<O, COPIES>(self, &area[..n], open, scarce_items) {
            return;
        }
        self.ops.call(
            #[inline(always)]
            || self.children::<COPIES>(area, n, open, scarce_items, branch),
        );
    }

    #[inline(always)]
    fn children<const COPIES: u8>(
        &mut self,
        area: &mut [W],
        n: usize,
        open: OpenItems<W>,
        scarce_items: W,
        branch: Option<usize>,
    ) {
        let (list, rest) = area.split_at_mut(padded::<W, O>(n));
        let scarce_items =
            if scarce_items.is_zero() { self.ops.fewest(list, open.once) } else { scarce_items };
        let last = open.pieces == 3 && COPIES == SINGLE;
        let children = self.ops.select(list, n, scarce_items.lowest(), rest);
        let (children, rest) = rest.split_at_mut(children);
        let chosen = match branch {
            None => &children[..],
            Some(branch) => &children[branch..=branch],
        };
        for &mask in chosen {
            let (block, next) = self.enter::<COPIES>(mask, open);
            let must = next.once | next.more;
            let complete = COPIES == RANGES && must.is_zero();
            if self.shows_steps() && !self.visitor.step(self.path.len() - 1, mask, complete) {
                self.budget.halted = true;
            } else if complete {
                self.add_choice(next);
            } else if COPIES == RANGES && !self.choice.can_be_filled(&self.left) {
                // No pieces left have as many cells as are left.
            } else if last {
                let (len, covered) = self.ops.filter_last(list, block, rest);
                if must.without(covered).is_zero() {
                    self.budget.nodes += 1;
                    self.last_two(rest, len, next.once);
                }
            } else {
                let (len, coverage) = self.ops.filter(list, block, rest);
                if must.without(self.ops.covered(coverage)).is_zero() {
                    self.budget.nodes += 1;
                    if open.pieces == 2 && COPIES != RANGES {
                        self.last_piece(&rest[..len]);
                    } else {
                        self.node::<COPIES>(
                            rest,
                            len,
                            next,
                            self.ops.scarcest(coverage, next.once),
                            None,
                        );
                    }
                }
            }
            self.leave::<COPIES>(mask);
            if self.budget.halted {
                let before = children.iter().position(|child| *child == mask).unwrap_or_default();
                self.share = (before as f64 + self.share) / children.len() as f64;
                break;
            }
        }
    }

    /// Completes packings with one piece left. Every placement that fits completes one, because the piece has as many
    /// cells as are uncovered.
    fn last_piece(&mut self, list: &[W]) {
        if V::SHOW_PACKINGS {
            for &mask in list {
                self.step(0, mask, true);
                self.add_packing(&[mask]);
            }
        } else {
            self.total += list.len() as u64;
        }
    }

    /// Completes packings with two different pieces left. The second placement is the complement of the first, so it is
    /// looked up instead of searched for.
    #[inline(always)]
    fn last_two(&mut self, area: &mut [W], n: usize, once: W) {
        let (list, rest) = area.split_at_mut(padded::<W, O>(n));
        if !V::SHOW_PACKINGS {
            self.total += self.ops.pairs(list, n, once);
            return;
        }
        let children = self.ops.select(list, n, once.lowest(), rest);
        for &mask in &rest[..children] {
            let want = once.without(mask);
            let fits = self.ops.contains(list, want);
            self.step(0, mask, false);
            if fits {
                self.step(1, want, true);
                self.add_packing(&[mask, want]);
            }
        }
    }

    #[inline(always)]
    fn shows_steps(&self) -> bool {
        V::SHOW_PACKINGS && self.visitor.shows_steps()
    }

    /// Shows the visitor a placement of a leaf, which is not on the path. `above` is the number of such placements
    /// before it.
    #[inline(always)]
    fn step(&mut self, above: usize, mask: W, complete: bool) {
        if self.shows_steps() && !self.budget.halted {
            self.budget.halted = !self.visitor.step(self.path.len() + above, mask, complete);
        }
    }

    fn add_packing(&mut self, last: &[W]) {
        if self.budget.halted {
            return;
        }
        self.total += 1;
        if V::SHOW_PACKINGS {
            let len = self.path.len();
            self.path.extend_from_slice(last);
            self.budget.halted |= !self.visitor.packing(&self.path);
            self.path.truncate(len);
        }
        self.budget.check_packings(self.total);
    }
}
