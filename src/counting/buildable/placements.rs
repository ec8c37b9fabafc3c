//! The placements that cover a cell, as a tree of steps. The steps lead from this cell to the others.
//!
//! The tree is an array of nodes in the order of a walk from the root, each parent before its children. To list the
//! placements that fit around a cell, the search goes through the array once. If the cell of a node cannot be taken, it
//! skips the node's subtree, that is, all placements that contain this cell together with those above.

use super::board::step;
use super::sizes::MAX_PIECE;
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{Piece, PieceSet};

/// A node of the tree: a further cell of a placement.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    /// The difference of the numbers of this cell and the covered one.
    pub(super) step: i32,
    /// The index of the next node outside the subtree.
    pub(super) skip: u32,
    /// The number of the placement's cells before this one, without the covered one.
    pub(super) depth: u8,
    /// The kind of piece that the cells so far form, plus 1. It is 0 if they form none.
    pub(super) kind: u8,
}

/// What the search needs to know about a kind of piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceTraits {
    /// The number of copies in the set.
    pub(super) count: u8,
    /// The difference between its numbers of black and white cells, without a sign.
    pub(super) color_difference: i32,
    /// The number of its cells.
    pub(super) size: usize,
}

/// All placements that cover a cell, for every subset of kinds. Placements with the same first cells share their nodes,
/// so a cell that cannot be taken excludes all placements that contain it. Nearer cells come first. The nodes are in
/// the order of a walk through the tree, and `skip` leads past a subtree.
#[derive(Debug)]
pub(super) struct PlacementTrees {
    /// The nodes by subsets of kinds: bit k is set if there is a piece of kind k. A tree contains the first of
    /// several kinds of equal shape.
    trees: Vec<Vec<TreeNode>>,
    /// By kind, and by the step from one cell to another: the placements that cover both, as steps from the first cell.
    pairs: Vec<FxHashMap<i32, Vec<Others>>>,
    pub(super) kinds: Vec<PieceTraits>,
    /// The kinds that consist of a single cell, as bits.
    singles: usize,
    /// The number of cells of the set.
    cells: usize,
    /// The number of cells of the largest piece.
    longest: i32,
}

/// The steps from a covered cell to the others. Unused entries are 0.
pub(super) type Others = [i32; MAX_PIECE - 1];

/// The steps to a placement's cells, and the kind of piece.
type PlacementSteps = (Vec<i32>, usize);

impl PlacementTrees {
    pub(super) fn new(set: &PieceSet) -> Self {
        let mut all: Vec<PlacementSteps> = Vec::new();
        for (kind, (piece, _)) in set.pieces().iter().enumerate() {
            for orientation in piece.orientations() {
                for &covered in &orientation {
                    let others = orientation.iter().filter(|&&c| c != covered);
                    let mut others: Vec<Cell> = others.map(|&c| c - covered).collect();
                    others.sort_by_key(|c| (c.distance(Cell::default()), *c));
                    all.push((others.into_iter().map(step).collect(), kind));
                }
            }
        }
        all.sort_unstable();
        let tree = |kinds: usize| {
            let of_kinds: Vec<&PlacementSteps> =
                all.iter().filter(|s| kinds >> s.1 & 1 == 1).collect();
            let mut nodes = Vec::new();
            grow(&of_kinds, 0, &mut nodes);
            nodes
        };
        let trees = (0..1 << set.pieces().len()).map(tree).collect();
        let mut pairs = vec![FxHashMap::<i32, Vec<Others>>::default(); set.pieces().len()];
        for (steps, kind) in &all {
            let mut others = [0; MAX_PIECE - 1];
            others[..steps.len()].copy_from_slice(steps);
            for &step in steps {
                pairs[*kind].entry(step).or_default().push(others);
            }
        }
        let kinds = set.pieces().iter().map(|(piece, count)| {
            let color_difference = piece.color_difference() as i32;
            PieceTraits { count: *count as u8, color_difference, size: piece.size() }
        });
        let kinds = kinds.collect();
        let longest = set.pieces().iter().map(|(piece, _)| piece.size() as i32).max();
        let single =
            |(kind, (piece, _)): (usize, &(Piece, usize))| usize::from(piece.size() == 1) << kind;
        let singles = set.pieces().iter().enumerate().map(single).sum();
        Self {
            trees,
            pairs,
            kinds,
            singles,
            cells: set.total_cells(),
            longest: longest.unwrap_or(0),
        }
    }

    /// Returns the kind that consists of a single cell, if there is one among some kinds. A tree has no node for it.
    pub(super) fn single(&self, kinds: usize) -> Option<u8> {
        let kinds = kinds & self.singles;
        (kinds != 0).then(|| kinds.trailing_zeros() as u8)
    }

    /// Returns the placements of a kind that cover two cells. They are steps from the first cell to all others.
    pub(super) fn covering(&self, kind: usize, one: u32, other: u32) -> &[Others] {
        let step = other as i32 - one as i32;
        self.pairs[kind].get(&step).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of pieces of the set.
    pub(super) fn pieces(&self) -> usize {
        self.kinds.iter().map(|kind| kind.count as usize).sum()
    }

    /// Returns the number of cells of the set.
    pub(super) const fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the number of cells of the largest piece. A piece cannot cover cells at this distance.
    pub(super) const fn longest(&self) -> i32 {
        self.longest
    }

    /// Returns the tree for a set of kinds, given as bits.
    pub(super) fn tree(&self, kinds: usize) -> &[TreeNode] {
        &self.trees[kinds]
    }
}

/// Adds the nodes of placements that agree in their first `depth` steps.
fn grow(placements: &[&PlacementSteps], depth: usize, nodes: &mut Vec<TreeNode>) {
    // Placements that end here are the node above.
    let longer = placements.iter().position(|(steps, _)| steps.len() > depth);
    let longer = &placements[longer.unwrap_or(placements.len())..];
    for same in longer.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
        let end = same.iter().find(|(steps, _)| steps.len() == depth + 1);
        let (at, kind) = (nodes.len(), end.map_or(0, |(_, kind)| *kind as u8 + 1));
        nodes.push(TreeNode { step: same[0].0[depth], skip: 0, depth: depth as u8, kind });
        grow(same, depth + 1, nodes);
        nodes[at].skip = nodes.len() as u32;
    }
}
