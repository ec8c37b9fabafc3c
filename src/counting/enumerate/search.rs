//! What the methods have in common: a search that can be cut into shards.

use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Group;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The way from the root of a search tree to a node: the steps of the method. What lies at and
/// behind the node is a shard of the search.
pub(super) type Path = Box<[u32]>;

/// What a walk comes to.
pub(super) enum Node<'a> {
    /// A figure to be listed: all its symmetries as it lies, and its cells.
    Figure(Group, &'a dyn Cells),
    /// A node as deep as the cut, by its path. The walk does not go behind it.
    Cut(&'a [u32]),
}

/// The cells of a figure that a walk has come to, where it came to them.
pub(super) trait Cells {
    /// Appends them to a list, in no particular order.
    fn list(&self, to: &mut Vec<Cell>);

    /// Appends one at least of each orbit under the figure's symmetries.
    fn list_orbits(&self, to: &mut Vec<Cell>) {
        self.list(to);
    }
}

/// The stacks of one thread at work on a search.
pub(super) trait Walker: Send {
    /// Visits, in the order of the search, what lies at and behind the node at the end of a path,
    /// until `visit` or the stop flag breaks it off. With a cut every branch ends where it is so
    /// deep, and no figure is met; depth 0 is the root at most, `depth()` at least every leaf.
    fn walk(
        &mut self,
        from: &[u32],
        cut: Option<usize>,
        visit: &mut impl FnMut(Node<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The nodes walked so far.
    fn nodes(&self) -> u64;
}

/// A search that depends on the question alone, in all its steps.
pub(super) trait ShardedSearch: Sync {
    /// Its walker.
    type Walker<'a>: Walker
    where
        Self: 'a;

    /// A walker at the root; it looks at `stop` at least every few milliseconds.
    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> Self::Walker<'a>;

    /// The depth at which every branch has ended.
    fn depth(&self) -> usize;
}

/// The searches that a question comes down to, worked one after the other.
pub(super) trait Searches {
    /// One of them.
    type Search: ShardedSearch;

    /// Their number.
    fn len(&self) -> usize;

    /// Makes one ready; `None` if `stop` was set meanwhile.
    fn prepare(&self, at: usize, stop: &AtomicBool) -> Option<Self::Search>;
}
