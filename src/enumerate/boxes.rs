//! All figures of N cells that fit in a box, however they are turned; each comes once.
//!
//! A figure's own box has sides a ≤ b ≤ c, and images with these sides differ by a symmetry of
//! that box. So the boxes that fit are taken one by one, and in each the sets that touch all its
//! faces are enumerated up to its symmetries (`subsets`). Connected figures that fill at most half
//! the box are grown instead, as the symmetric ones are; tower figures are maps of heights
//! (`towers`).

use super::burnside::touching_sets;
use super::error::EnumerateError;
use super::shards::{Estimate, Found, Place, Sampled, Tally, in_order, sample};
use super::subsets::{MOST, Reached, Search, SubBox};
use super::symmetric::{Symmetric, SymmetricSpec, check_box};
use super::towers::Ground;
use crate::figure::Figure;
use crate::symmetry::{Class, Group};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What figures in a box must look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Any.
    #[default]
    Any,
    /// Tower figures: every column is solid from the ground. The box stands as it is given, its
    /// third side upright; the ground may be turned.
    Towers,
}

/// The question: which figures in a box?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxSpec {
    /// The sides of the box, in cells.
    pub sides: [u32; 3],
    /// The number of cells of a figure.
    pub cells: usize,
    /// Only figures that hang together by faces.
    pub connected: bool,
    /// What they must look like.
    pub shape: Shape,
}

/// A source of figures in a box; each comes once up to the 48 transforms and translation.
#[derive(Debug)]
pub struct Boxes {
    spec: BoxSpec,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Subsets(Vec<SubBox>),
    Towers(Vec<Ground>),
    Grown(Box<Symmetric>),
}

/// Searches are cut into at least so many shards, if they are that large.
const SHARDS: usize = 20_000;

/// Shards that an estimate looks at, for each box within the box.
const SAMPLES: usize = 256;

/// The prefix of a set or of a map of heights, and the room it belongs to.
type Shard = (usize, Vec<u8>);

impl Boxes {
    /// Prepares the enumeration.
    ///
    /// # Errors
    /// If there are no or too many cells, or the box is empty, too small for them or, unless only
    /// connected figures of few cells are asked for, of more than 128 cells.
    pub fn new(spec: &BoxSpec) -> Result<Self, EnumerateError> {
        let BoxSpec { sides, cells, connected, shape } = *spec;
        if cells == 0 {
            return Err(EnumerateError::Cells(cells));
        }
        check_box(sides, cells)?;
        let volume: u128 = sides.into_iter().map(u128::from).product();
        if connected && shape == Shape::Any && 2 * cells as u128 <= volume {
            let everything = SymmetricSpec {
                classes: Class::all().collect(),
                exact: true,
                cells,
                bounds: Some(sides),
                parts: 1,
            };
            let source = Source::Grown(Box::new(Symmetric::new(&everything)?));
            return Ok(Self { spec: spec.clone(), source });
        }
        if volume > MOST as u128 {
            return Err(EnumerateError::BoxTooLarge { sides, most: MOST });
        }
        let source = match shape {
            Shape::Any => Source::Subsets(
                boxes_within(sides)
                    .filter(|own| own.iter().product::<i32>() as usize >= cells)
                    .map(|own| SubBox::new(own, cells, connected))
                    .collect(),
            ),
            Shape::Towers => {
                let [x, y, z] = sides.map(|s| s as usize);
                let most = [x.min(y), x.max(y)];
                let rectangles = (1..=most[0]).flat_map(|a| (a..=most[1]).map(move |b| [a, b]));
                Source::Towers(
                    rectangles
                        .filter(|[a, b]| a * b * z >= cells)
                        .map(|own| Ground::new(own, most, z, cells, connected))
                        .collect(),
                )
            }
        };
        Ok(Self { spec: spec.clone(), source })
    }

    /// The exact number of figures, known at once by Burnside's lemma; not if only connected or
    /// tower figures are asked for.
    #[must_use]
    pub fn total(&self) -> Option<u128> {
        let BoxSpec { sides, cells, connected, shape } = self.spec;
        let known = !connected && shape == Shape::Any;
        known.then(|| boxes_within(sides).map(|own| touching_sets(own, cells)).sum())
    }

    /// Hands on every figure, in an order that never changes, until `emit` or `stop` breaks it off.
    pub fn for_each(
        &self,
        stop: &AtomicBool,
        emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_mapped(Place::default(), stop, Some, &mut |_, found| emit(found))
    }

    /// The same from a place on, with work done on each figure in parallel before it is handed on:
    /// what `map` returns, if anything, reaches `emit` in the order of the figures.
    pub fn for_each_mapped<T: Send>(
        &self,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(Found) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Source::Grown(symmetric) = &self.source {
            return symmetric.for_each_mapped(from, stop, map, emit);
        }
        let work = |_: &mut (), shard: &Shard, out: &mut Vec<T>| {
            self.visit(shard, stop, &mut |group, figure| {
                out.extend(figure().and_then(|figure| map(Found { figure, group })));
            });
        };
        in_order((0, &self.shards()), from, stop, || (), work, emit)
    }

    /// Counts the figures by exact class; nothing if `stop` was set.
    pub fn count(&self, stop: &AtomicBool) -> Option<Tally> {
        if let Source::Grown(symmetric) = &self.source {
            return symmetric.count(stop);
        }
        let counted = |mut counts: Counts, shard: &Shard| {
            self.visit(shard, stop, &mut |group, _| *counts.entry(group).or_default() += 1);
            counts
        };
        let merged = |mut all: Counts, some: Counts| {
            some.into_iter().for_each(|(group, n)| *all.entry(group).or_default() += n);
            all
        };
        let shards = self.shards();
        let parallel = shards.par_iter().with_max_len(8);
        let counts = parallel.fold(Counts::default, counted).reduce(Counts::default, merged);
        let of =
            |class: Class| counts.iter().filter(|(g, _)| g.class() == class).map(|(_, n)| n).sum();
        let by_class = Class::all().map(|class| (class, of(class))).collect();
        (!stop.load(Ordering::Relaxed)).then_some(Tally { by_class })
    }

    /// Estimates what a run gives from a sample of shards: for each box that figures fill.
    #[must_use]
    pub fn estimate(&self, stop: &AtomicBool) -> Vec<Sampled> {
        if let Source::Grown(symmetric) = &self.source {
            return symmetric.estimate(stop).map(|(_, sampled)| sampled).collect();
        }
        let shards = self.shards();
        let rooms = shards.chunk_by(|a, b| a.0 == b.0).map(|room| {
            let mut figures = Vec::new();
            let measure = |shard: &Shard| {
                let (started, mut found) = (Instant::now(), 0);
                let steps = self.visit(shard, stop, &mut |group, figure| {
                    found += 1;
                    let figure = figure().map(|figure| Found { figure, group });
                    Sampled::keep(&mut figures, found, figure);
                });
                (found, steps, started.elapsed().as_secs_f64())
            };
            let samples: Vec<_> = sample(room, SAMPLES).into_iter().map(measure).collect();
            Sampled { estimate: Estimate::extrapolate(&samples, room.len()), figures }
        });
        rooms.collect()
    }

    /// The shards of all rooms, in the order of the search.
    fn shards(&self) -> Vec<Shard> {
        let rooms = match &self.source {
            Source::Subsets(rooms) => rooms.len(),
            Source::Towers(grounds) => grounds.len(),
            Source::Grown(_) => 0,
        };
        (0..rooms)
            .flat_map(|room| self.room_shards(room).into_iter().map(move |p| (room, p)))
            .collect()
    }

    /// The prefixes at which the search of a room is cut.
    fn room_shards(&self, room: usize) -> Vec<Vec<u8>> {
        let most = match &self.source {
            Source::Subsets(rooms) => rooms[room].depth(),
            Source::Towers(grounds) => grounds[room].area(),
            Source::Grown(_) => 0,
        };
        let mut prefixes = Vec::new();
        for cut in 0..=most {
            prefixes.clear();
            let mut keep = |prefix: &[u8]| {
                prefixes.push(prefix.to_vec());
                ControlFlow::Continue(())
            };
            // Nothing breaks these off.
            let _ = match &self.source {
                Source::Subsets(rooms) => Search::new(&rooms[room]).run(cut, &mut |reached| {
                    if let Reached::Cut(prefix) = reached {
                        keep(prefix)
                    } else {
                        ControlFlow::Continue(())
                    }
                }),
                Source::Towers(grounds) => grounds[room].extend(&mut Vec::new(), 0, cut, &mut keep),
                Source::Grown(_) => ControlFlow::Continue(()),
            };
            if prefixes.len() >= SHARDS {
                break;
            }
        }
        prefixes
    }

    /// Visits the figures of a shard, unless it is stopped; returns the steps it took.
    fn visit(&self, (room, prefix): &Shard, stop: &AtomicBool, visit: &mut Visit<'_>) -> u64 {
        let flow = || match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut steps = 0;
        // Only `stop` breaks these off, and the caller looks at it.
        let _ = match &self.source {
            Source::Subsets(rooms) => {
                let room = &rooms[*room];
                let mut search = Search::new(room);
                let flow = search.resume(prefix, &mut |reached| {
                    if let Reached::Set(set, group) = reached {
                        visit(group, &|| Figure::new(room.cells(set)).ok());
                    }
                    flow()
                });
                steps = search.nodes;
                flow
            }
            Source::Towers(grounds) => {
                let sum = prefix.iter().map(|&h| usize::from(h)).sum();
                let mut heights = prefix.clone();
                grounds[*room].extend(&mut heights, sum, usize::MAX, &mut |map| {
                    steps += 1;
                    if let Some(Found { figure, group }) = grounds[*room].found(map) {
                        visit(group, &|| Some(figure.clone()));
                    }
                    flow()
                })
            }
            Source::Grown(_) => ControlFlow::Continue(()),
        };
        steps
    }
}

/// Takes the group of a figure, and the figure when asked for.
type Visit<'a> = dyn FnMut(Group, &dyn Fn() -> Option<Figure>) + 'a;

/// Figures by group.
type Counts = FxHashMap<Group, u64>;

/// The sides a ≤ b ≤ c of the boxes that fit in a box.
pub(crate) fn boxes_within(sides: [u32; 3]) -> impl Iterator<Item = [i32; 3]> {
    let mut most = sides.map(|s| s as i32);
    most.sort_unstable();
    let [x, y, z] = most;
    (1..=x).flat_map(move |a| (a..=y).flat_map(move |b| (b..=z).map(move |c| [a, b, c])))
}
