//! Parallel search by shards, with results in order.
//!
//! A search walks through a tree of partial figures. All nodes at one depth cut the tree into *shards*: the subtrees
//! below them, each given by the path to its root. The depth is the first with at least [`MIN_SHARDS`] nodes, or else
//! the last. Threads work on a batch of shards in any order, and then their figures are passed on shard by shard, in
//! the order of the search.
//!
//! A shard with more figures than may be held at once, or that takes long, is cut into finer ones when its turn comes.
//! The other shards of the batch that are not done yet are then cut likewise.
//!
//! # Why it is right
//!
//! The nodes at a depth, and their order, depend on the question alone: not on threads, time or memory. A walk below a
//! path visits the figures that the whole walk visits below this node, in the same order, and so do the walks through
//! its finer shards, one after the other. So figure k of shard s is the same in every run, and a [`Place`] says exactly
//! which figures were passed on. Whether a shard was cut does not show: places count the figures of the shard.
//!
//! # What it costs
//!
//! Cutting walks the top of the tree again for each depth. A batch is held until it is passed on, with at most
//! [`MAX_HELD_FIGURES`] figures of each of its shards; visited figures are not stored otherwise. Resuming from a place
//! costs the figures of its shard up to there, which are found again and dropped.
//!
//! An estimate visits only some shards, drawn evenly. Shards differ in size by orders of magnitude, so they are weighed
//! first, by their nodes down to a greater depth, and the figures for each unit of weight are extrapolated.
//!
//! # Example
//!
//! The connected figures of 20 cells with exactly the class `C2v(face,planar)` take three searches, one for each
//! setting:
//!
//! ```text
//! search  nodes at depth 12, 13, …                cut at   shards
//! 0       15,764  35,913                              13   0 … 35,912
//! 1       at depth 14: 8,598, at 15: 21,307           15   35,913 … 57,219
//! 2       at most 1,236, and 534 at depth 20          20   57,220 … 57,753
//! ```
//!
//! There are 341,410 figures, at most 172 of them in a shard. After the first thousand the place is shard 21, figure 1.
//! A run that resumes there begins with the second figure of shard 21, or the first of a later shard.

use super::counts::{Estimate, Sample, ShardGroup, ShardMeasure};
use super::found_figure::FoundFigure;
use super::search::{Path, Searches, ShardedSearch, WalkEvent, Walker};
use crate::parallel;
use crate::random::SplitMix;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::symmetry::Group;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The minimum number of shards of a search, unless it has fewer nodes at every depth. Another number would make other
/// shards, so it requires a new version of the key.
pub(super) const MIN_SHARDS: usize = 20_000;

/// The minimum number of finer shards that replace a shard with too many figures, unless it has fewer nodes at every
/// depth.
const FINER_SHARDS: usize = 64;

/// The most shards of a division. A depth with more nodes is not used, unless the depth before has a single node. Only
/// searches for figures of several parts come near this limit.
const MAX_SHARDS: usize = 1 << 20;

/// The most figures of a shard that are held at once.
pub(super) const MAX_HELD_FIGURES: usize = 1 << 15;

/// The most steps of a shard that is walked at once: about a second.
const MAX_STEPS: u32 = 1 << 22;

/// The number of shards for each thread in a batch. At the end of a batch threads wait for each other, which costs more
/// than working on a few small shards. So a batch has up to [`MAX_BATCH_FACTOR`] times as many shards: the factor
/// doubles while each shard has at most [`FEW_FIGURES`] figures and batches take less than [`LONG_BATCH`], and else
/// returns to 1.
const SHARDS_PER_THREAD: usize = 8;
const FEW_FIGURES: usize = 256;
const MAX_BATCH_FACTOR: usize = 16;
const LONG_BATCH: Duration = Duration::from_secs(1);

/// The number of consecutive shards that a walker counts or weighs.
const SHARDS_PER_TASK: usize = 8;

/// The most shards of a search that an estimate visits.
const SAMPLED_SHARDS: usize = 1024;

/// The number of consecutive sampled shards that are averaged.
const GROUP_SHARDS: usize = 16;

/// The most nodes that an estimate visits to weigh a search's shards, about.
const WEIGHING_NODES: u64 = 1 << 22;

/// The most figures of a shard that an estimate visits. Of a shard with more, it visits [`SAMPLED_FINER_SHARDS`] of the
/// finer shards instead.
const MAX_SAMPLED_FIGURES: u64 = 1 << 12;
const SAMPLED_FINER_SHARDS: usize = 2;

/// The minimum number of figures that an estimate keeps as examples of a group, if it visits as many. It keeps fewer
/// than twice this number.
const DRAWN_FIGURES: usize = 32;

/// A position in an enumeration: a number of figures of a shard, and all shards before it.
///
/// An enumeration can resume after a place without searching the shards before it again. Places are ordered like the
/// figures. Those of one question are valid while the version in its key ([`super::EnumerationSpec::key`]) is the same.
///
/// ```
/// use somacat_counting::enumerate::Place;
///
/// let (early, late) = (Place { shard: 2, figures: 900 }, Place { shard: 3, figures: 1 });
/// assert!(Place::default() < early && early < late);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The number of the shard, from 0.
    pub shard: u64,
    /// The number of the shard's figures that were passed on: after its first figure this is 1. In a search for
    /// buildable figures, the number of its slices.
    pub figures: u64,
}

/// A range of shards, with its position among the searches.
///
/// Shards are numbered through all searches of a question. So a search's first shard is known only after the searches
/// before it were cut, which takes time; the position saves that.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, ShardRange};
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // The figures of a range of shards, and those of the rest.
/// let (figures, stop) = (Enumeration::in_box(BoxSpec::new([2, 2, 3], 8))?, AtomicBool::new(false));
/// let count = |shards: ShardRange| {
///     let mut number = 0;
///     let each = &mut |_, ()| {
///         number += 1;
///         ControlFlow::Continue(())
///     };
///     let _ = figures.for_each_in(shards, shards.from(), &stop, |_| Some(()), each);
///     number
/// };
/// let half = ShardRange { end: 8, ..ShardRange::ALL };
/// let rest = ShardRange { start: 8, ..ShardRange::ALL };
/// assert_eq!(count(half) + count(rest), 49);
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardRange {
    /// The first shard.
    pub start: u64,
    /// The shard after the last. Beyond the end of the enumeration it means all shards.
    pub end: u64,
    /// The number of the first shard's search, from 0.
    pub search: usize,
    /// The number of that search's first shard.
    pub search_start: u64,
}

impl ShardRange {
    /// All shards of an enumeration.
    pub const ALL: Self = Self { start: 0, end: u64::MAX, search: 0, search_start: 0 };

    /// Returns the place where the range begins.
    pub const fn from(&self) -> Place {
        Place { shard: self.start, figures: 0 }
    }
}

/// A way to pass on figures: what is made of each, and how many are held.
pub(super) struct Delivery<'a, T> {
    /// The transforms up to which figures are listed.
    pub(super) equivalence: Equivalence,
    pub(super) stop: &'a AtomicBool,
    /// Applied to each figure in parallel. Only results other than `None` are passed on.
    pub(super) map: &'a (dyn Fn(FoundFigure<'_>) -> Option<T> + Sync),
    /// The minimum number of shards: [`MIN_SHARDS`], except in tests.
    pub(super) shards: usize,
    /// The most figures of a shard that are held at once: [`MAX_HELD_FIGURES`], except in tests.
    pub(super) max_held: usize,
}

/// The receiver of the figures, each with the place after it.
pub(super) type Emit<'e, T> = dyn FnMut(Place, T) -> ControlFlow<()> + 'e;

impl<T: Send> Delivery<'_, T> {
    /// Passes on the results for the figures of `range` after `from`, in order. Ends early if `emit` breaks or the stop
    /// flag is set. Places count the results that [`Delivery::map`] returns, so `from` must come from the same `map`.
    pub(super) fn deliver(
        &self,
        searches: &dyn Searches,
        range: ShardRange,
        from: Place,
        emit: &mut Emit<'_, T>,
    ) -> ControlFlow<()> {
        let (from, mut first) = (from.max(range.from()), range.search_start);
        for at in range.search..searches.len() {
            if first >= range.end {
                break;
            }
            let Some(search) = searches.prepare(at, self.stop) else {
                return ControlFlow::Break(());
            };
            let Some(shards) = cut(&*search, &[], self.shards, self.stop) else {
                return ControlFlow::Break(());
            };
            let wanted = (range.end - first).min(shards.len() as u64);
            let skipped = from.shard.saturating_sub(first).min(wanted);
            let left = &shards[skipped as usize..wanted as usize];
            self.in_order(&*search, left, &mut |at, figures| {
                let shard = first + skipped + at as u64;
                let known = if shard == from.shard { from.figures } else { 0 };
                let mut place = Place { shard, figures: 0 };
                self.emit_figures(&*search, &left[at], figures, &mut place, &mut |place, item| {
                    if place.figures > known {
                        emit(place, item)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            })?;
            first += shards.len() as u64;
        }
        ControlFlow::Continue(())
    }

    /// Works on shards in parallel, batch by batch, and passes on the results in order: the shard's index with its
    /// figures, or with `None` if the shard must be cut first.
    fn in_order(
        &self,
        search: &dyn ShardedSearch,
        shards: &[Path],
        pass: &mut dyn FnMut(usize, Option<Vec<T>>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let threads = rayon::current_num_threads().max(1);
        let (mut done, mut factor) = (0, 1);
        while done < shards.len() {
            let batch = (SHARDS_PER_THREAD * factor * threads).min(shards.len() - done);
            // If one shard is too large, the others of its batch are not tried as a whole. So a walker is not used
            // again after the limit of steps left it in the middle.
            let (begun, too_large) = (Instant::now(), AtomicBool::new(false));
            let worked = parallel::map_chunks(&shards[done..done + batch], factor, |some| {
                let mut walker = search.walker(self.stop);
                walker.limit(MAX_STEPS);
                let work = |shard: &Path| {
                    if too_large.load(Ordering::Relaxed) {
                        return None;
                    }
                    let figures = self.work(&mut *walker, shard);
                    if figures.is_none() {
                        too_large.store(true, Ordering::Relaxed);
                    }
                    figures
                };
                some.iter().map(work).collect::<Vec<_>>()
            });
            let worked: Vec<Option<Vec<T>>> = worked.into_iter().flatten().collect();
            let few = begun.elapsed() < LONG_BATCH
                && worked
                    .iter()
                    .all(|figures| figures.as_ref().is_some_and(|f| f.len() <= FEW_FIGURES));
            factor = if few { (2 * factor).min(MAX_BATCH_FACTOR) } else { 1 };
            for (at, figures) in worked.into_iter().enumerate() {
                if self.stop.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                pass(done + at, figures)?;
            }
            done += batch;
        }
        ControlFlow::Continue(())
    }

    /// Returns the figures of a shard. `None` if there are too many, if it takes too long, or after a stop.
    fn work(&self, walker: &mut (dyn Walker + '_), shard: &Path) -> Option<Vec<T>> {
        let mut items = Vec::new();
        let flow = walker.walk(shard, None, &mut |event| {
            if let WalkEvent::Figure(group, cells) = event {
                if items.len() == self.max_held {
                    return ControlFlow::Break(());
                }
                items.extend((self.map)(FoundFigure {
                    group,
                    equivalence: self.equivalence,
                    cells,
                }));
            }
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(items)
    }

    /// Passes on the figures of a shard, or of its finer shards. `place` counts them.
    fn emit_figures(
        &self,
        search: &dyn ShardedSearch,
        shard: &Path,
        figures: Option<Vec<T>>,
        place: &mut Place,
        emit: &mut Emit<'_, T>,
    ) -> ControlFlow<()> {
        if let Some(figures) = figures {
            for item in figures {
                if self.stop.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                place.figures += 1;
                emit(*place, item)?;
            }
            return ControlFlow::Continue(());
        }
        let Some(finer) = cut(search, shard, FINER_SHARDS, self.stop) else {
            return ControlFlow::Break(());
        };
        self.in_order(search, &finer, &mut |at, figures| {
            self.emit_figures(search, &finer[at], figures, place, emit)
        })
    }
}

/// Cuts the subtree of a path into shards at the first depth that has at least `wanted` nodes, or at the last depth.
/// The shards are in the order of the search. Returns `None` if `stop` is set.
fn cut(
    search: &dyn ShardedSearch,
    path: &[u32],
    wanted: usize,
    stop: &AtomicBool,
) -> Option<Vec<Path>> {
    let mut walker = search.walker(stop);
    let mut shards: Vec<Path> = vec![path.into()];
    for depth in 0..=search.depth() {
        let (mut deeper, limit) =
            (Vec::new(), if shards.len() > 1 { MAX_SHARDS } else { usize::MAX });
        let flow = walker.walk(path, Some(depth), &mut |event| {
            if let WalkEvent::Cut(path) = event {
                deeper.push(path.into());
            }
            if deeper.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if flow.is_break() {
            break;
        }
        shards = deeper;
        if shards.len() >= wanted {
            break;
        }
    }
    Some(shards)
}

pub(super) type GroupCounts = FxHashMap<Group, u64>;

fn merge(mut all: GroupCounts, some: GroupCounts) -> GroupCounts {
    some.into_iter().for_each(|(group, figures)| *all.entry(group).or_default() += figures);
    all
}

/// Counts figures by group. Returns `None` if `stop` is set.
pub(super) fn count(searches: &dyn Searches, stop: &AtomicBool) -> Option<GroupCounts> {
    let mut sum = GroupCounts::default();
    for at in 0..searches.len() {
        let search = searches.prepare(at, stop)?;
        let shards = cut(&*search, &[], MIN_SHARDS, stop)?;
        let count = |some: &[Path]| {
            let (mut walker, mut counts) = (search.walker(stop), GroupCounts::default());
            for shard in some {
                // Only the stop flag ends the walk early.
                let _ = walker.walk(shard, None, &mut |event| {
                    if let WalkEvent::Figure(group, _) = event {
                        *counts.entry(group).or_default() += 1;
                    }
                    ControlFlow::Continue(())
                });
            }
            counts
        };
        let counts = parallel::map_chunks(&shards, SHARDS_PER_TASK, count);
        sum = counts.into_iter().fold(sum, merge);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(sum)
}

/// Estimates each search from some of its shards. Searches not finished when `stop` is set are missing. The result
/// depends on the question alone.
pub(super) fn estimate(
    searches: &dyn Searches,
    equivalence: Equivalence,
    stop: &AtomicBool,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for at in 0..searches.len() {
        let Some(search) = searches.prepare(at, stop) else { break };
        let Some(shards) = cut(&*search, &[], MIN_SHARDS, stop) else { break };
        let drawn = draw(shards.len(), SAMPLED_SHARDS, &[at as u32]);
        let weights = weigh(&*search, &shards, &drawn, stop);
        let groups: Vec<&[usize]> = drawn.chunks(GROUP_SHARDS).collect();
        let group = |at: usize| {
            let group = groups[at];
            let mut sampling = GroupSampling {
                search: &*search,
                walker: search.walker(stop),
                equivalence,
                stop,
                drawn: Vec::new(),
                stride: 1,
                seen: 0,
            };
            let measure = |&at: &usize| (weights[at], sampling.measure(&shards[at]));
            let measures: Vec<(f64, ShardMeasure)> = group.iter().map(measure).collect();
            let start = if at == 0 { 0 } else { group[0] };
            let end = drawn.get((at + 1) * GROUP_SHARDS).copied().unwrap_or(shards.len());
            let figures = sampling.drawn.into_iter().map(|(_, figure)| figure).collect();
            let each = ShardMeasure::by_weight(&measures);
            (ShardGroup { shards: start..end, each, figures }, measures)
        };
        let (groups, measures): (Vec<_>, Vec<_>) =
            parallel::map(groups.len(), group).into_iter().unzip();
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let estimate = Estimate::extrapolate(&measures.concat(), &weights);
        samples.push(Sample { estimate, weights, groups });
    }
    samples
}

/// Weighs each shard by its nodes down to a common depth. This is the greatest depth to which all shards together have
/// at most [`WEIGHING_NODES`] nodes, by an extrapolation from the drawn shards.
fn weigh(
    search: &dyn ShardedSearch,
    shards: &[Path],
    drawn: &[usize],
    stop: &AtomicBool,
) -> Vec<f64> {
    let nodes = |walker: &mut (dyn Walker + '_), shard: &Path, depth: usize| {
        let (before, mut ends) = (walker.nodes(), 0);
        // A walk that ends early counts as far as it came.
        let _ = walker.walk(shard, Some(depth), &mut |_| {
            ends += 1;
            if ends < WEIGHING_NODES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        walker.nodes() - before
    };
    let (mut walker, mut depth) = (search.walker(stop), 0);
    while depth < search.depth() && !stop.load(Ordering::Relaxed) {
        let of_drawn = drawn.iter().map(|&at| nodes(&mut *walker, &shards[at], depth + 1));
        if of_drawn.sum::<u64>() * shards.len() as u64 > WEIGHING_NODES * drawn.len() as u64 {
            break;
        }
        depth += 1;
    }
    let weights = |some: &[Path]| {
        let mut walker = search.walker(stop);
        // A shard without nodes may be a figure.
        let weight = |shard: &Path| nodes(&mut *walker, shard, depth).max(1) as f64;
        some.iter().map(weight).collect::<Vec<f64>>()
    };
    parallel::map_chunks(shards, SHARDS_PER_TASK, weights).concat()
}

/// The visit of the drawn shards of one group.
struct GroupSampling<'a> {
    search: &'a dyn ShardedSearch,
    walker: Box<dyn Walker + 'a>,
    equivalence: Equivalence,
    stop: &'a AtomicBool,
    /// One in `stride` figures visited, each with its number among them. When there are twice as many as wanted, the
    /// stride doubles and every other one is dropped.
    drawn: Vec<(u64, Candidate)>,
    /// A power of two.
    stride: u64,
    /// The number of figures visited.
    seen: u64,
}

impl GroupSampling<'_> {
    /// Measures a shard. A very large one is cut into finer shards, of which some are measured and stand for all; these
    /// can be cut again.
    fn measure(&mut self, shard: &[u32]) -> ShardMeasure {
        let (before, mut number) = (self.walker.nodes(), 0_u64);
        let Self { equivalence, drawn, stride, seen, .. } = self;
        let flow = self.walker.walk(shard, None, &mut |event| {
            if let WalkEvent::Figure(group, cells) = event {
                if number == MAX_SAMPLED_FIGURES {
                    return ControlFlow::Break(());
                }
                number += 1;
                if seen.is_multiple_of(*stride) {
                    let equivalence = *equivalence;
                    drawn.push((*seen, FoundFigure { group, equivalence, cells }.candidate()));
                }
                *seen += 1;
                if drawn.len() >= 2 * DRAWN_FIGURES {
                    *stride *= 2;
                    drawn.retain(|(number, _)| number.is_multiple_of(*stride));
                }
            }
            ControlFlow::Continue(())
        });
        let finer = match flow {
            ControlFlow::Continue(()) => None,
            // A walk ended by the stop flag is not cut further.
            ControlFlow::Break(()) => cut(self.search, shard, FINER_SHARDS, self.stop),
        };
        let Some(finer) = finer.filter(|finer| finer.len() > SAMPLED_FINER_SHARDS) else {
            let nodes = self.walker.nodes() - before;
            return ShardMeasure { figures: number as f64, nodes: nodes as f64 };
        };
        let mut sum = ShardMeasure::default();
        let share = finer.len() as f64 / SAMPLED_FINER_SHARDS as f64;
        for part in draw(finer.len(), SAMPLED_FINER_SHARDS, shard) {
            let ShardMeasure { figures, nodes } = self.measure(&finer[part]);
            sum.figures += share * figures;
            sum.nodes += share * nodes;
        }
        sum
    }
}

/// Draws up to `most` of a number of shards evenly, ascending: one at a pseudo-random position in each of `most` ranges
/// of about equal length.
///
/// The positions depend on the path to the shards. With the same positions behind every path, an estimate would be low
/// or high as a whole: of the children of a node, those visited first have the larger subtrees.
fn draw(shards: usize, most: usize, path: &[u32]) -> Vec<usize> {
    if shards <= most {
        return (0..shards).collect();
    }
    let mix = |hash, step: &u32| SplitMix::new(hash ^ u64::from(*step)).next();
    let mut random = SplitMix::new(path.iter().fold(20_261_121, mix));
    let position = |i: usize| {
        let (from, to) = (i * shards / most, (i + 1) * shards / most);
        from + (random.next() % (to - from) as u64) as usize
    };
    (0..most).map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::growth::Growth;
    use crate::enumerate::subsets::{SubsetRule, Subsets};
    use crate::enumerate::towers::{TowerRule, Towers};
    use somacat_geometry::figure::Figure;
    use somacat_geometry::symmetry::Class;

    fn list(searches: &dyn Searches, from: Place, max_held: usize) -> Vec<(Place, Figure)> {
        let (stop, mut all) = (AtomicBool::new(false), Vec::new());
        let map = |found: FoundFigure<'_>| Some(found.candidate().figure().clone());
        let (equivalence, shards) = (Equivalence::Reflections, 3);
        let delivery = Delivery { equivalence, stop: &stop, map: &map, shards, max_held };
        let flow = delivery.deliver(searches, ShardRange::ALL, from, &mut |place, figure| {
            all.push((place, figure));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        all
    }

    /// Shards with too many figures are cut finer, repeatedly. The figures must not change.
    fn check(searches: &dyn Searches) {
        let start = Place::default();
        let all = list(searches, start, usize::MAX);
        let largest = all.iter().map(|(place, _)| place.figures).max();
        assert!(largest > Some(30), "{largest:?}");
        for max_held in [1, 7] {
            assert!(list(searches, start, max_held) == all);
            let middle = all.len() / 2;
            assert!(list(searches, all[middle].0, max_held) == all[middle + 1..]);
        }
    }

    /// Of 64 finer shards two are drawn, one of each half, with each position equally often.
    #[test]
    fn draws_behind_different_paths_are_independent() {
        let mut times = [0; 64];
        for path in 0..3200_u32 {
            let drawn = draw(64, 2, &[7, path]);
            assert!(drawn[0] < 32 && (32..64).contains(&drawn[1]), "{drawn:?}");
            drawn.into_iter().for_each(|at| times[at] += 1);
        }
        assert!(times.iter().all(|n| (60..140).contains(n)), "{times:?}");
    }

    #[test]
    fn shards_that_hold_too_many_figures_give_the_same_ones() {
        let equivalence = Equivalence::Reflections;
        let class = Class::matching("C2(face)").unwrap()[0];
        check(&Growth::new(&[class], 12, 1, None, equivalence));
        check(&Growth::new(&[class], 8, 2, Some([5; 3]), equivalence));
        let rule = SubsetRule { cells: 9, parts: None, equivalence };
        check(&Subsets::in_box([2, 3, 3], rule.clone()));
        check(&Subsets::of_classes(&[class], [3, 3, 3], SubsetRule { cells: 14, ..rule }));
        check(&Towers::new(
            [3, 3],
            TowerRule { cells: 14, height: 4, connected: true, equivalence },
        ));
    }
}
