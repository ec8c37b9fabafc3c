//! Counts the packings of every figure of a box at once.
//!
//! Instead of asking, figure by figure, in how many ways it can be built, all ways to place the
//! pieces inside the box are gone through and tallied by the set of cells they fill. The box's
//! subsets are split by the *pattern* they show on some of its cells; of patterns that are images of
//! each other under the box's symmetries one is looked at, and where symmetries keep the pattern
//! itself, one placement of a piece of each orbit. Each part needs a table of its own subsets only
//! and depends on nothing else. docs/census.md has the mathematics and measurements.
//!
//! A figure is counted in its own box: those with sides a ≤ b ≤ c that fit in the box are taken one
//! after the other, and in each the subsets that touch all its faces.

mod ends;
mod error;
mod kept;
mod layers;
mod ordered;
mod part;
mod placements;
mod rank;
mod room;
mod search;
mod sift;
mod split;
mod summary;
mod tally;

pub use error::{CensusError, bytes};
pub use part::Tallied;
pub use summary::{ClassTotals, Summary};

use crate::enumerate::boxes_within;
use crate::figure::{Figure, FigureError};
use crate::pieces::PieceSet;
use crate::symmetry::Group;
use layers::{Layers, Stock};
use part::Tables;
use rank::{binomial, orbits_at_most};
use room::MOST;
use split::Split;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use summary::Gathering;

/// A figure of a census with its numbers of packings.
///
/// Counts mean the same as those of [`crate::solve`]: equal pieces are indistinguishable, `rotation`
/// counts packings up to the figure's rotations, `unique` up to its reflections too if the set is
/// closed under them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Its cells, by the numbers they have in their box; see [`Census::figure`].
    set: u64,
    /// Its symmetry group as it lies.
    pub group: Group,
    /// All packings.
    pub raw: u64,
    /// Packings up to rotation.
    pub rotation: u64,
    /// Packings up to rotation and reflection.
    pub unique: u64,
}

/// A part: subsets of one box with one pattern.
#[derive(Clone, Copy, Debug)]
struct Part {
    tables: usize,
    pattern: u64,
    /// Patterns that are images of this one, itself included.
    images: u32,
}

/// The census of a box, ready to be made.
#[derive(Debug)]
pub struct Census {
    sides: [u32; 3],
    set: PieceSet,
    tables: Vec<Tables>,
    parts: Vec<Part>,
    threads: usize,
    memory: u64,
}

impl Census {
    /// Plans the census of all figures in a box that a set's pieces fill, on `threads` threads, with
    /// at most `allowed` bytes of memory.
    ///
    /// # Errors
    /// If the box has no cell or more than 56, is too small for the pieces, or `allowed` does not
    /// suffice however finely the box is split.
    pub fn new(
        sides: [u32; 3],
        set: &PieceSet,
        threads: usize,
        allowed: u64,
    ) -> Result<Self, CensusError> {
        let volume = sides.iter().map(|&s| u128::from(s)).product::<u128>();
        if volume == 0 || volume > MOST as u128 {
            return Err(CensusError::Box(sides));
        }
        let cells = set.total_cells();
        if cells == 0 || cells as u128 > volume {
            return Err(CensusError::TooSmall { sides, cells });
        }
        let split = Split { sides, set, threads: threads.max(1) };
        let mut own: Vec<[i32; 3]> = boxes_within(sides)
            .filter(|own| own.iter().product::<i32>() as usize >= cells)
            .collect();
        own.sort_by_key(|own| std::cmp::Reverse(own.iter().product::<i32>()));
        let (mut tables, mut parts, mut memory, mut kept) = (Vec::new(), Vec::new(), 0, 0);
        for (at, &sides) in own.iter().enumerate() {
            let (one, patterns, bytes) = split.within(sides, allowed - kept)?;
            // What one box keeps stays while others are worked on.
            memory = memory.max(kept + bytes);
            kept += one.layers.as_ref().map_or(0, Layers::kept_bytes);
            tables.push(one);
            parts.extend(patterns.into_iter().map(|(pattern, images)| Part {
                tables: at,
                pattern,
                images,
            }));
        }
        Ok(Self { sides, set: set.clone(), tables, parts, threads: split.threads, memory })
    }

    /// The sides of the box.
    #[must_use]
    pub const fn sides(&self) -> [u32; 3] {
        self.sides
    }

    /// The pieces.
    #[must_use]
    pub const fn set(&self) -> &PieceSet {
        &self.set
    }

    /// How many parts there are. They are independent of each other, and the same whenever the
    /// same census is planned with enough memory.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The most bytes that the work takes at any time, results not counted that the caller keeps.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// How many figures, about, wait at most to be handed on by [`Census::for_each_part`] if `each`
    /// part keeps at most so many.
    #[must_use]
    pub fn waiting_figures(&self, each: u64) -> u64 {
        let figures = |part: &Part| {
            let Tables { room, cells, .. } = &self.tables[part.tables];
            let own = binomial(room.open, cells - part.pattern.count_ones() as usize);
            let keeping = room.usable_keeping(part.pattern).len();
            (orbits_at_most(own, keeping) as u64).min(each)
        };
        let figures: Vec<u64> = self.parts.iter().map(figures).collect();
        // One more is being written.
        let windows =
            figures.windows((ordered::AHEAD * self.threads + 1).clamp(1, figures.len().max(1)));
        windows.map(|some| some.iter().sum()).max().unwrap_or(0)
    }

    /// The number of subsets that a part stands for: its own and those of its pattern's images.
    #[must_use]
    pub fn subsets(&self, part: usize) -> u64 {
        let Part { tables, pattern, images } = self.parts[part];
        let Tables { room, cells, .. } = &self.tables[tables];
        let own = binomial(room.open, cells - pattern.count_ones() as usize) as u64;
        own * u64::from(images)
    }

    /// The packings of all subsets that a part of the whole box stands for; 0 for a part of a
    /// smaller box.
    #[must_use]
    pub fn packings(&self, part: usize, tallied: &Tallied<'_>) -> u128 {
        let Part { tables, images, .. } = self.parts[part];
        if tables == 0 { u128::from(tallied.packings()) * u128::from(images) } else { 0 }
    }

    /// The box of a part's figures, a ≤ b ≤ c.
    #[must_use]
    pub fn own_box(&self, part: usize) -> [u32; 3] {
        self.tables[self.parts[part].tables].room.sides.map(|s| s as u32)
    }

    /// A figure of a part.
    ///
    /// # Errors
    /// Never for a figure that this census counted in this part.
    pub fn figure(&self, part: usize, counted: &Counted) -> Result<Figure, FigureError> {
        self.tables[self.parts[part].tables].room.figure(counted.set)
    }

    /// |black − white| cells of a figure of a part.
    #[must_use]
    pub fn color_difference(&self, part: usize, counted: &Counted) -> u32 {
        self.tables[self.parts[part].tables].room.color_difference(counted.set)
    }

    /// In how many ways a figure of a part lies in the whole box: the number of subsets that are
    /// this figure (for a set that is not closed under reflection, not counting its mirror image).
    #[must_use]
    pub fn positions(&self, part: usize, counted: &Counted) -> u64 {
        self.positions_of(self.shifts(part), counted)
    }

    /// The ways to shift a part's own box inside the whole one, turned all ways.
    fn shifts(&self, part: usize) -> u64 {
        let own = self.own_box(part);
        let orders =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|order| {
                let room = |axis: usize| {
                    u64::from((self.sides[axis] + 1).saturating_sub(own[order[axis]]))
                };
                (0..3).map(room).product::<u64>()
            });
        orders.iter().sum()
    }

    #[inline]
    fn positions_of(&self, shifts: u64, counted: &Counted) -> u64 {
        if counted.group == Group::TRIVIAL {
            if self.set.is_mirror_closed() { 8 * shifts } else { 4 * shifts }
        } else if self.set.is_mirror_closed() {
            8 * shifts / counted.group.order() as u64
        } else {
            4 * shifts / counted.group.rotation_order() as u64
        }
    }

    /// The number of subsets of the box.
    #[must_use]
    pub fn total_subsets(&self) -> u128 {
        let volume: u32 = self.sides.iter().product();
        binomial(volume as usize, self.set.total_cells())
    }

    /// Makes `parts` of the census on all threads: `work` reads out what was tallied, in parallel;
    /// what it returns reaches `emit` in the order of the parts, until `stop` or `emit` breaks it
    /// off ([`ControlFlow::Break`]).
    pub fn for_each_part<T: Send>(
        &self,
        parts: Range<usize>,
        stop: &AtomicBool,
        work: impl Fn(usize, &Tallied<'_>) -> T + Sync,
        emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let wanted = |at: usize| self.parts[parts.clone()].iter().any(|part| part.tables == at);
        let stock = |(at, tables): (usize, &Tables)| {
            let layers = tables.layers.as_ref().filter(|_| wanted(at))?;
            layers.stock(&tables.room, self.threads, stop)
        };
        let stocks: Vec<Option<Stock>> = self.tables.iter().enumerate().map(stock).collect();
        let one = |part: usize| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let Part { tables, pattern, .. } = self.parts[part];
            let stock = stocks[tables].as_ref();
            let tallied = Tallied::new(&self.tables[tables], stock, pattern, stop)?;
            Some(work(part, &tallied))
        };
        ordered::in_order(parts, self.threads, one, emit)
    }

    /// Totals and histogram of `parts`; nothing if `stop` was set. `done` hears of each part.
    pub fn summary(
        &self,
        parts: Range<usize>,
        stop: &AtomicBool,
        done: &mut dyn FnMut(usize),
    ) -> Option<Summary> {
        let mut summary = Summary::default();
        let work = |part: usize, tallied: &Tallied<'_>| self.part_summary(part, tallied);
        let flow = self.for_each_part(parts, stop, work, &mut |part, one| {
            summary.add(&one);
            done(part);
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(summary)
    }

    /// Totals and histogram of one part.
    #[must_use]
    pub fn part_summary(&self, part: usize, tallied: &Tallied<'_>) -> Summary {
        let mut gathering = Gathering::new(self.packings(part, tallied));
        let shifts = self.shifts(part);
        tallied.for_each(|counted| gathering.count(&counted, self.positions_of(shifts, &counted)));
        gathering.finish()
    }
}
