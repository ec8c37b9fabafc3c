//! Shards of a search: worked in parallel, passed on in order.
//!
//! A search is cut into shards that depend on the question alone. Figures are passed on shard by
//! shard, in the order of the search within each, so they come in the same order whatever the
//! number of threads. At any time some thousands of figures a thread are held, and nothing else: a
//! shard that turns out to hold more is cut into finer ones, which give the same figures in the
//! same order.

use super::counts::{Estimate, Sample, ShardMeasure};
use super::draft::Draft;
use super::search::{Node, Path, Searches, ShardedSearch, Walker};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::{Candidate, Identity};
use somacat_geometry::symmetry::Group;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Searches are divided into at least this many shards, if they are large enough.
pub(super) const SHARDS: usize = 20_000;

/// Shards with too many figures are divided into at least this many finer ones.
const FINER: usize = 64;

/// A division into more shards than this is not made, unless there is only one so far. Only searches
/// for figures of several parts come near it.
const MOST_SHARDS: usize = 1 << 20;

/// Figures of a shard that are held at once.
pub(super) const MOST_HELD: usize = 1 << 15;

/// Shards that each thread works on before what they hold is passed on. To wait for the others takes longer than to
/// work on a few small shards: as long as each holds few figures at most, more are taken at a time.
const TURN: usize = 8;
const FEW: usize = 256;
const MOST_TURNS: usize = 16;

/// Shards of each search that an estimate looks at.
const SAMPLES: usize = 256;

/// Figures of a shard that an estimate goes through at most; of a larger one it looks at so many of the finer shards
/// that it consists of.
const MOST_SAMPLED: u64 = 1 << 14;
const FINER_SAMPLES: usize = 2;

/// A place in an enumeration: so many figures of a shard, and all shards before it. An enumeration
/// that is given such a place goes on after it, without searching the shards before it again.
///
/// Places of one question stay valid as long as the version in its key
/// ([`super::Question::key`]) is the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Number of the shard, from 0.
    pub shard: u64,
    /// Figures of it that were passed on.
    pub figures: u64,
}

/// Some shards of an enumeration, one after the other, and where they lie among its searches: so whoever begins in the
/// middle need not cut the searches before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardRange {
    /// The first shard.
    pub start: u64,
    /// The shard after the last; beyond the end of the enumeration all shards are meant.
    pub end: u64,
    /// The number of the search that the first shard belongs to, from 0.
    pub search: usize,
    /// The number of that search's first shard.
    pub search_start: u64,
}

impl ShardRange {
    /// All shards of an enumeration.
    pub const ALL: Self = Self { start: 0, end: u64::MAX, search: 0, search_start: 0 };

    /// The place where the range begins.
    #[must_use]
    pub const fn from(&self) -> Place {
        Place { shard: self.start, figures: 0 }
    }
}

/// How figures are passed on.
pub(super) struct Delivery<'a, F> {
    /// Up to which transforms figures are listed.
    pub(super) identity: Identity,
    pub(super) stop: &'a AtomicBool,
    /// What is done with each figure, in parallel; where it returns nothing, nothing is passed on.
    pub(super) map: F,
    /// How many shards at least: [`SHARDS`], but for tests.
    pub(super) shards: usize,
    /// Figures of a shard that are held at once: [`MOST_HELD`], but for tests.
    pub(super) most_held: usize,
}

/// What receives the figures, each with the place after it.
pub(super) type Emit<'e, T> = dyn FnMut(Place, T) -> ControlFlow<()> + 'e;

impl<T: Send, F: Fn(Draft<'_>) -> Option<T> + Sync> Delivery<'_, F> {
    /// Passes on what lies in `range` behind `from`, in order, until `emit` or the stop flag ends it.
    pub(super) fn deliver<S: Searches>(
        &self,
        searches: &S,
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
            let Some(shards) = cut(&search, &[], self.shards, self.stop) else {
                return ControlFlow::Break(());
            };
            let wanted = (range.end - first).min(shards.len() as u64);
            let skipped = from.shard.saturating_sub(first).min(wanted);
            let left = &shards[skipped as usize..wanted as usize];
            self.in_order(&search, left, &mut |at, figures| {
                let shard = first + skipped + at as u64;
                let known = if shard == from.shard { from.figures } else { 0 };
                let mut place = Place { shard, figures: 0 };
                self.hand_on(&search, &left[at], figures, &mut place, &mut |place, item| {
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

    /// Works on shards in parallel and passes on what they give, in their order: the shard's
    /// position, and nothing for one that holds too many figures.
    fn in_order<S: ShardedSearch>(
        &self,
        search: &S,
        shards: &[Path],
        pass: &mut dyn FnMut(usize, Option<Vec<T>>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let threads = rayon::current_num_threads().max(1);
        let (mut done, mut turns) = (0, 1);
        while done < shards.len() {
            let batch = (TURN * turns * threads).min(shards.len() - done);
            let worked: Vec<Option<Vec<T>>> = shards[done..done + batch]
                .par_iter()
                .with_max_len(turns)
                .map_init(|| search.walker(self.stop), |walker, shard| self.work(walker, shard))
                .collect();
            let few = worked.iter().all(|figures| figures.as_ref().is_some_and(|f| f.len() <= FEW));
            turns = if few { (2 * turns).min(MOST_TURNS) } else { 1 };
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

    /// The figures of a shard, unless they are too many.
    fn work(&self, walker: &mut impl Walker, shard: &Path) -> Option<Vec<T>> {
        let (mut items, mut too_many) = (Vec::new(), false);
        // Only the stop flag ends it otherwise, and the caller looks at that.
        let _ = walker.walk(shard, None, &mut |node| {
            if let Node::Figure(group, cells) = node {
                if items.len() == self.most_held {
                    too_many = true;
                    return ControlFlow::Break(());
                }
                items.extend((self.map)(Draft { group, identity: self.identity, cells }));
            }
            ControlFlow::Continue(())
        });
        (!too_many).then_some(items)
    }

    /// Passes on the figures of a shard, or of the finer shards that it consists of; `place` counts
    /// them.
    fn hand_on<S: ShardedSearch>(
        &self,
        search: &S,
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
        let Some(finer) = cut(search, shard, FINER, self.stop) else {
            return ControlFlow::Break(());
        };
        self.in_order(search, &finer, &mut |at, figures| {
            self.hand_on(search, &finer[at], figures, place, emit)
        })
    }
}

/// Cuts what lies behind a path into at least `wanted` shards, all at one depth, if it is that
/// large; `None` if `stop` was set.
fn cut<S: ShardedSearch>(
    search: &S,
    path: &[u32],
    wanted: usize,
    stop: &AtomicBool,
) -> Option<Vec<Path>> {
    let mut walker = search.walker(stop);
    let mut shards: Vec<Path> = vec![path.into()];
    for depth in 0..=search.depth() {
        let (mut deeper, limit) =
            (Vec::new(), if shards.len() > 1 { MOST_SHARDS } else { usize::MAX });
        let flow = walker.walk(path, Some(depth), &mut |node| {
            if let Node::Cut(path) = node {
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

/// The number of figures with each group.
pub(super) type GroupCounts = FxHashMap<Group, u64>;

fn merge(mut all: GroupCounts, some: GroupCounts) -> GroupCounts {
    some.into_iter().for_each(|(group, figures)| *all.entry(group).or_default() += figures);
    all
}

/// Counts figures by group; `None` if `stop` was set.
pub(super) fn count(searches: &impl Searches, stop: &AtomicBool) -> Option<GroupCounts> {
    let mut sum = GroupCounts::default();
    for at in 0..searches.len() {
        let search = searches.prepare(at, stop)?;
        let shards = cut(&search, &[], SHARDS, stop)?;
        let start = || (search.walker(stop), GroupCounts::default());
        let add = |(mut walker, mut counts): (_, GroupCounts), shard: &Path| {
            // Only the stop flag ends it.
            let _ = Walker::walk(&mut walker, shard, None, &mut |node| {
                if let Node::Figure(group, _) = node {
                    *counts.entry(group).or_default() += 1;
                }
                ControlFlow::Continue(())
            });
            (walker, counts)
        };
        let counts = shards.par_iter().with_max_len(8).fold(start, add);
        let counts = counts.map(|(_, counts)| counts).reduce(GroupCounts::default, merge);
        sum = merge(sum, counts);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(sum)
}

/// What each search is expected to give, from some of its shards; those made before `stop` was set.
pub(super) fn estimate(
    searches: &impl Searches,
    identity: Identity,
    stop: &AtomicBool,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for at in 0..searches.len() {
        let Some(search) = searches.prepare(at, stop) else { break };
        let Some(shards) = cut(&search, &[], SHARDS, stop) else { break };
        let mut sampling = Sampling {
            search: &search,
            walker: search.walker(stop),
            identity,
            stop,
            figures: Vec::new(),
        };
        let drawn = draw(&shards, SAMPLES);
        let measures: Vec<ShardMeasure> = drawn.into_iter().map(|s| sampling.measure(s)).collect();
        let figures = sampling.figures;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let estimate = Estimate::extrapolate(&measures, shards.len());
        samples.push(Sample { estimate, figures, shards: shards.len() as u64, measures });
    }
    samples
}

/// A look at some shards of a search.
struct Sampling<'a, S: ShardedSearch> {
    search: &'a S,
    walker: S::Walker<'a>,
    identity: Identity,
    stop: &'a AtomicBool,
    /// Some of the figures that were met.
    figures: Vec<Candidate>,
}

impl<S: ShardedSearch> Sampling<'_, S> {
    /// What is in a shard. One that turns out to be very large is cut finer, and some of that is looked at.
    fn measure(&mut self, shard: &[u32]) -> ShardMeasure {
        let (started, before, mut number) = (Instant::now(), self.walker.nodes(), 0_u64);
        let (identity, figures) = (self.identity, &mut self.figures);
        let flow = self.walker.walk(shard, None, &mut |node| {
            if let Node::Figure(group, cells) = node {
                if number == MOST_SAMPLED {
                    return ControlFlow::Break(());
                }
                number += 1;
                // Of figures found one after the other, which are much alike, the 1st, the 8th,
                // the 64th …
                if number.is_power_of_two() && number.trailing_zeros().is_multiple_of(3) {
                    figures.push(Draft { group, identity, cells }.candidate());
                }
            }
            ControlFlow::Continue(())
        });
        let finer = match flow {
            ControlFlow::Continue(()) => None,
            // Ended by the stop flag, it is not looked at any more.
            ControlFlow::Break(()) => cut(self.search, shard, FINER, self.stop),
        };
        let Some(finer) = finer.filter(|finer| finer.len() > FINER_SAMPLES) else {
            let (nodes, seconds) = (self.walker.nodes() - before, started.elapsed().as_secs_f64());
            return ShardMeasure { figures: number as f64, nodes: nodes as f64, seconds };
        };
        let mut sum = ShardMeasure::default();
        let share = finer.len() as f64 / FINER_SAMPLES as f64;
        for part in draw(&finer, FINER_SAMPLES) {
            let ShardMeasure { figures, nodes, seconds } = self.measure(part);
            sum.figures += share * figures;
            sum.nodes += share * nodes;
            sum.seconds += share * seconds;
        }
        sum
    }
}

/// Up to `most` of the shards, evenly drawn: one at a pseudo-random place of each stretch.
fn draw(shards: &[Path], most: usize) -> Vec<&Path> {
    if shards.len() <= most {
        return shards.iter().collect();
    }
    let mut random = 20_261_121_u64;
    (0..most)
        .map(|i| {
            let (from, to) = (i * shards.len() / most, (i + 1) * shards.len() / most);
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            &shards[from + (random >> 33) as usize % (to - from)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::growth::Growth;
    use crate::enumerate::subsets::{SubsetRule, Subsets};
    use crate::enumerate::towers::{TowerRule, Towers};
    use somacat_geometry::figure::Figure;

    fn list(searches: &impl Searches, from: Place, most_held: usize) -> Vec<(Place, Figure)> {
        let (stop, mut all) = (AtomicBool::new(false), Vec::new());
        let map = |draft: Draft<'_>| Some(draft.candidate().figure().clone());
        let (identity, shards) = (Identity::Reflections, 3);
        let delivery = Delivery { identity, stop: &stop, map, shards, most_held };
        let flow = delivery.deliver(searches, ShardRange::ALL, from, &mut |place, figure| {
            all.push((place, figure));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        all
    }

    /// Shards that hold too much are cut finer, and finer again: nothing may change.
    fn check(searches: &impl Searches) {
        let start = Place::default();
        let all = list(searches, start, usize::MAX);
        let largest = all.iter().map(|(place, _)| place.figures).max();
        assert!(largest > Some(30), "{largest:?}");
        for most_held in [1, 7] {
            assert!(list(searches, start, most_held) == all);
            let middle = all.len() / 2;
            assert!(list(searches, all[middle].0, most_held) == all[middle + 1..]);
        }
    }

    #[test]
    fn shards_that_hold_too_many_figures_give_the_same_ones() {
        let identity = Identity::Reflections;
        let class = "C2(face)".parse().unwrap();
        check(&Growth::new(&[class], 12, 1, None, identity));
        check(&Growth::new(&[class], 8, 2, Some([5; 3]), identity));
        let rule = SubsetRule { cells: 9, parts: None, identity };
        check(&Subsets::in_box([2, 3, 3], rule.clone()));
        check(&Subsets::of_classes(&[class], [3, 3, 3], SubsetRule { cells: 14, ..rule }));
        check(&Towers::new([3, 3], TowerRule { cells: 14, height: 4, connected: true, identity }));
    }
}
