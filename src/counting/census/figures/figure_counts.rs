//! The counts of a figure, and the number of its positions in a box.

use somacat_geometry::symmetry::Group;

/// A figure of a census with its numbers of packings.
///
/// Counts mean the same as those of [`crate::solve`]: equal pieces are indistinguishable, and `rotation` counts
/// packings up to the figure's rotations. `unique` counts them up to its reflections too if the set is closed under
/// them.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_geometry::pieces::parse_set;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // Four V fill the box 2×2×3 in 44 ways. It is the only figure of 12 cells there.
/// let census = Census::new([2, 2, 3], &parse_set("V4").unwrap())?;
/// let (schedule, stop) = (census.schedule(1, 1 << 30)?, AtomicBool::new(false));
/// let read = |shard: usize, counts: &somacat_counting::census::ShardCounts<'_>| {
///     let mut found = Vec::new();
///     counts.for_each(|figure| found.push((census.figure(shard, &figure).len(), figure.raw)));
///     found
/// };
/// let mut all = Vec::new();
/// let _ = schedule.for_each_shard(0..census.shards(), &stop, read, &mut |_, mut some| {
///     all.append(&mut some);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(all, [(12, 44)]);
/// # Ok::<(), somacat_counting::census::CensusError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureCounts {
    /// Its cells, as a mask of their numbers in the figure's own box. [`Census::figure`](crate::census::Census::figure) converts it.
    pub(in crate::census) set: u64,
    /// Its symmetry group, among all 48 transforms, in its given orientation.
    pub group: Group,
    /// All packings.
    pub raw: u64,
    /// Packings up to rotation.
    pub rotation: u64,
    /// Packings up to rotation and reflection.
    pub unique: u64,
}

/// Returns the number of a figure's positions in a box: the number of subsets that are this figure.
///
/// `box_positions` is the number of positions of the figure's own box, summed over the six orders of the axes.
/// `mirrored` means that mirror images are one figure. Each order of the axes belongs to 8 of the 48 transforms, and to
/// 4 of the 24 rotations. So these products count the images of the figure in all positions, each as often as the
/// figure has symmetries.
pub(in crate::census) fn positions(group: Group, box_positions: u64, mirrored: bool) -> u64 {
    if mirrored {
        8 * box_positions / group.order() as u64
    } else {
        4 * box_positions / group.rotation_order() as u64
    }
}
