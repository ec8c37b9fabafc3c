//! Counts packings level by level, on 32-bit masks.
//!
//! Visits the nodes of `search.rs`, with the same rules for the next item and for dropping a child. But it expands
//! all nodes of a level before the next level, and no step branches on the contents of a list. It writes every
//! child; the next one overwrites a child that leaves an open item uncovered. The branch predictor cannot learn
//! which children survive: its misses took more than half of the time of a search that branched there. To bound the
//! memory, a level is expanded as soon as enough of its nodes wait.
//!
//! This is for sets of different pieces whose items fit 32 bits once a first piece is placed, such as SOMA. Each first
//! placement is a problem of its own, with masks moved into 32 bits (`narrow.rs`), so that a vector holds twice as
//! many. The problems are added, and then counted together.
use super::Limits;
use super::limits::{NodeBudget, SearchTotal};
use super::mask_list_ops::{NarrowOps, padded};

/// A node whose children have not been written.
#[derive(Clone, Copy, Debug, Default)]
struct WaitingNode {
    /// The index in the lists of its level where its list starts.
    start: usize,
    /// The number of entries of its list, without the padding.
    len: usize,
    /// The items still to be covered.
    open: u32,
    /// Open items with one placement, or else those with two, or else none.
    scarce_items: u32,
    /// The number of first placements that its first one represents: each packing below counts as often.
    weight: u64,
}

/// The waiting nodes with the same number of pieces left.
#[derive(Clone, Debug, Default)]
struct WaitingLevel {
    /// Buffer for nodes; the first `waiting` are in use.
    nodes: Vec<WaitingNode>,
    waiting: usize,
    /// Buffer for their lists; the first `used` entries are in use.
    lists: Vec<u32>,
    used: usize,
}

impl WaitingLevel {
    /// Grows the buffers for children of a padded list of `len` entries.
    #[inline(always)]
    fn reserve(&mut self, nodes: usize, len: usize, width: usize) {
        // Filling a list may overrun its length, and dropped lists are written too.
        let lists = self.used + (nodes + 1) * (len + width);
        if self.lists.len() < lists {
            self.lists.resize(lists, 0);
        }
        let nodes = self.waiting + nodes + 1;
        if self.nodes.len() < nodes {
            self.nodes.resize(nodes, WaitingNode::default());
        }
    }

    fn clear(&mut self) {
        (self.waiting, self.used) = (0, 0);
    }
}

/// Workspace, reused from figure to figure.
#[derive(Debug, Default)]
pub(super) struct WaitingLevels {
    /// By number of pieces left, the waiting nodes.
    levels: Vec<WaitingLevel>,
    /// Buffer for the placements of the item on which a node branches.
    children: Vec<u32>,
}

/// A count of added problems with the same number of pieces. The number is at least three.
pub(super) struct BreadthFirst<'a, O> {
    space: &'a mut WaitingLevels,
    /// The number of pieces of each problem.
    pieces: usize,
    budget: NodeBudget<'a>,
    /// The packings so far, each counted with the weight of its problem.
    total: u64,
    ops: O,
}

impl<'a, O: NarrowOps> BreadthFirst<'a, O> {
    pub(super) fn new(
        ops: O,
        space: &'a mut WaitingLevels,
        pieces: usize,
        limits: Limits<'a>,
    ) -> Self {
        if space.levels.len() <= pieces {
            space.levels.resize(pieces + 1, WaitingLevel::default());
        }
        space.levels.iter_mut().for_each(WaitingLevel::clear);
        Self { space, pieces, budget: NodeBudget::new(limits, u64::BITS as usize), total: 0, ops }
    }

    /// Adds a problem: to cover the items `open`. Each of its packings counts `weight` times. `fill` writes its
    /// placements, at most `most`, and returns their number.
    pub(super) fn add(
        &mut self,
        open: u32,
        weight: u64,
        most: usize,
        fill: impl FnOnce(&mut [u32]) -> usize,
    ) {
        self.budget.nodes += 1;
        let level = &mut self.space.levels[self.pieces];
        level.reserve(1, padded::<u32, O>(most), O::WIDTH);
        let start = level.used;
        let len = fill(&mut level.lists[start..]);
        level.used = start + padded::<u32, O>(len);
        level.lists[start + len..level.used].fill(u32::MAX);
        level.nodes[level.waiting] = WaitingNode { start, len, open, scarce_items: 0, weight };
        level.waiting += 1;
    }

    /// Counts the packings of the added problems.
    pub(super) fn count(mut self) -> SearchTotal {
        self.expand_level(self.pieces);
        let NodeBudget { nodes, halted, .. } = self.budget;
        SearchTotal { total: self.total.into(), nodes, halted, share: None }
    }

    /// Returns the maximum number of waiting nodes in a level. It grows with the search, so that a search stopped
    /// early has reached packings. It depends on nothing else, so that all machines visit the same nodes.
    fn max_waiting(&self) -> usize {
        (self.budget.nodes / 4).clamp(16, 256) as usize
    }

    /// Expands the waiting nodes with `left` pieces left, and all below them.
    fn expand_level(&mut self, left: usize) {
        self.ops.call(
            #[inline(always)]
            || match left {
                2 => self.pairs(),
                3 => self.children::<true>(left),
                _ => self.children::<false>(left),
            },
        );
    }

    /// Counts the packings of the waiting nodes with two pieces left: a placement completes one with its complement.
    #[inline(always)]
    fn pairs(&mut self) {
        let level = &mut self.space.levels[2];
        for node in &level.nodes[..level.waiting] {
            let list = &level.lists[node.start..][..padded::<u32, O>(node.len)];
            self.total += self.ops.pairs(list, node.len, node.open) * node.weight;
        }
        level.clear();
    }

    /// Writes the children of all waiting nodes. `LAST`: the children have two pieces left.
    #[inline(always)]
    fn children<const LAST: bool>(&mut self, left: usize) {
        for at in 0..self.space.levels[left].waiting {
            if self.budget.is_spent() {
                break;
            }
            let WaitingLevels { levels, children } = &mut *self.space;
            let (below, level) = levels.split_at_mut(left);
            let (below, level) = (&mut below[left - 1], &level[0]);
            let node = level.nodes[at];
            let list = &level.lists[node.start..][..padded::<u32, O>(node.len)];
            let scarce_items = if node.scarce_items == 0 {
                self.ops.fewest(list, node.open)
            } else {
                node.scarce_items
            };
            if children.len() < list.len() + O::WIDTH {
                children.resize(list.len() + O::WIDTH, 0);
            }
            let n = self.ops.select(
                list,
                node.len,
                scarce_items & scarce_items.wrapping_neg(),
                children,
            );
            below.reserve(n, list.len(), O::WIDTH);
            let (mut waiting, mut start) = (below.waiting, below.used);
            let (nodes, lists) = (&mut below.nodes[..], &mut below.lists[..]);
            for &mask in &children[..n] {
                let (open, weight) = (node.open & !mask, node.weight);
                let out = &mut lists[start..];
                let (child, covered) = if LAST {
                    let (len, covered) = self.ops.filter_last(list, mask, out);
                    (WaitingNode { start, len, open, scarce_items: 0, weight }, covered)
                } else {
                    let (len, coverage) = self.ops.filter(list, mask, out);
                    let scarce_items = self.ops.scarcest(coverage, open);
                    (
                        WaitingNode { start, len, open, scarce_items, weight },
                        self.ops.covered(coverage),
                    )
                };
                nodes[waiting] = child;
                let lives = usize::from(open & !covered == 0);
                waiting += lives;
                start += padded::<u32, O>(child.len) & lives.wrapping_neg();
            }
            self.budget.nodes += (waiting - below.waiting) as u64;
            (below.waiting, below.used) = (waiting, start);
            if waiting >= self.max_waiting() {
                self.expand_level(left - 1);
            }
        }
        self.space.levels[left].clear();
        self.expand_level(left - 1);
    }
}
