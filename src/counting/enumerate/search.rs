//! The common interface of the methods: a search that can be cut into shards.
//!
//! A method walks through a tree of partial figures. A node is named by the steps from the root to it, numbers that
//! only the method understands. With this, `shards.rs` can cut the tree at some depth, and let several walkers visit
//! the subtrees, without knowing the method.

use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Group;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The path from the root of a search tree to a node: the steps of the method. The subtree of a node is a shard of
/// the search.
pub(super) type Path = Box<[u32]>;

/// The receiver of a walk's events. A walk ends early if it breaks.
pub(super) type Visit<'v> = dyn FnMut(WalkEvent<'_>) -> ControlFlow<()> + 'v;

/// What a walk meets.
pub(super) enum WalkEvent<'a> {
    /// A figure to list: all its symmetries in its position, and its cells.
    Figure(Group, &'a dyn Cells),
    /// A node at the depth of the cut, by its path. The walk does not enter its subtree.
    Cut(&'a [u32]),
}

/// The cells of a figure that a walk has found. The figure is in the position in which it was found.
pub(super) trait Cells {
    /// Appends the cells to a list, in no particular order.
    fn list(&self, to: &mut Vec<Cell>);

    /// Appends at least one cell of each orbit under the figure's symmetries.
    fn list_orbits(&self, to: &mut Vec<Cell>) {
        self.list(to);
    }
}

/// The state of one thread working on a search.
pub(super) trait Walker: Send {
    /// Visits the subtree of the node at the end of a path. The nodes are in the order of the search. Ends early if
    /// `visit` breaks or the stop flag is set. With a cut, every branch ends at that depth, and no figure is
    /// visited. Depth 0 visits at most the root, and `depth()` visits at least every leaf.
    fn walk(&mut self, from: &[u32], cut: Option<usize>, visit: &mut Visit<'_>) -> ControlFlow<()>;

    /// Returns the number of nodes visited so far.
    fn nodes(&self) -> u64;

    /// Ends each walk after about this many steps. After a walk that was ended by it, the walker must not be used
    /// again.
    fn limit(&mut self, steps: u32);
}

/// A search whose steps depend on the question alone.
pub(super) trait ShardedSearch: Sync {
    /// Creates a walker at the root. It checks `stop` at least every few milliseconds.
    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Walker + 'a>;

    /// Returns the greatest depth of a node.
    fn depth(&self) -> usize;
}

/// The searches that answer a question, executed one after the other.
pub(super) trait Searches: Debug + Send + Sync {
    /// Returns the number of searches.
    fn len(&self) -> usize;

    /// Prepares a search. Returns `None` if `stop` is set.
    fn prepare(&self, at: usize, stop: &AtomicBool) -> Option<Box<dyn ShardedSearch>>;

    /// Lists only a random sample from now on: each figure with the probability 1 / `one_in`. Returns `false` if the
    /// method has no samples.
    fn sample(&mut self, _one_in: u64, _seed: u64) -> bool {
        false
    }
}
