//! All figures of N cells of given symmetry classes.
//!
//! The figures whose group contains one of a class are those whose group is exactly of a class
//! above it, so a question becomes a list of exact classes, and each figure belongs to one of them.
//! For each class and each setting of it the sets of orbits are grown (`grow`), and among the
//! images of a figure one is listed (`listed`). Nothing is remembered: memory is that of the
//! settings' orbits and of the shards at work.

use super::error::EnumerateError;
use super::grow::{Grower, Reached};
use super::listed::{cells, is_listed};
use super::orbits::{Limits, Orbits};
use super::setting::Setting;
use super::shards::{Estimate, Found, Place, Sampled, Tally, in_order, sample, summed};
use crate::figure::Figure;
use crate::symmetry::{Class, Group};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The most cells of a figure to enumerate; the largest anyone could list are far below.
pub(super) const MAX_CELLS: usize = 150;

/// The question: which symmetric figures?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricSpec {
    /// Figures whose group contains a group of one of these classes …
    pub classes: Vec<Class>,
    /// … or, if set, whose group is of one of them.
    pub exact: bool,
    /// The number of cells.
    pub cells: usize,
    /// A box the figure must fit in, however it is turned; sides in cells.
    pub bounds: Option<[u32; 3]>,
    /// The number of parts; 1 for connected figures. More parts need a box.
    pub parts: usize,
}

impl SymmetricSpec {
    /// Connected figures, wherever they extend, whose group contains one of a class.
    #[must_use]
    pub fn containing(class: Class, cells: usize) -> Self {
        Self { classes: vec![class], exact: false, cells, bounds: None, parts: 1 }
    }

    /// Connected figures, wherever they extend, whose group is of a class.
    #[must_use]
    pub fn exactly(class: Class, cells: usize) -> Self {
        Self { exact: true, ..Self::containing(class, cells) }
    }

    /// The exact classes the question comes down to, in order.
    #[must_use]
    pub fn exact_classes(&self) -> Vec<Class> {
        let asked = |class: &Class| {
            self.classes.iter().any(|&c| {
                let least = c.groups()[0];
                c == *class
                    || (!self.exact && class.groups().iter().any(|g| g.contains_group(least)))
            })
        };
        Class::all().filter(asked).collect()
    }
}

/// A class, in one of its settings.
#[derive(Debug)]
struct Job {
    class: Class,
    orbits: Orbits,
}

/// A source of symmetric figures; each comes once up to the 48 transforms and translation.
#[derive(Debug)]
pub struct Symmetric {
    classes: Vec<Class>,
    settings: Vec<(Class, Setting)>,
    limits: Limits,
}

/// Searches are cut into at least so many shards, if they are that large.
const SHARDS: usize = 20_000;

/// Shards that an estimate looks at, for each setting.
const SAMPLES: usize = 256;

impl Symmetric {
    /// Prepares the enumeration.
    ///
    /// # Errors
    /// If there are no classes, no or too many cells, a number of parts that the cells cannot form,
    /// or no box where one is needed: for classes of order 1 and 2 and for several parts.
    pub fn new(spec: &SymmetricSpec) -> Result<Self, EnumerateError> {
        let SymmetricSpec { cells, bounds, parts, .. } = *spec;
        if cells == 0 || cells > MAX_CELLS {
            return Err(EnumerateError::Cells(cells));
        }
        if parts == 0 || parts > cells {
            return Err(EnumerateError::Parts { parts, cells });
        }
        let classes = spec.exact_classes();
        if classes.is_empty() {
            return Err(EnumerateError::NoClass);
        }
        match bounds {
            None if parts > 1 => return Err(EnumerateError::PartsNeedBox(parts)),
            None => {
                if let Some(&class) = classes.iter().find(|c| c.order() < 3) {
                    return Err(EnumerateError::BoxRequired { class });
                }
            }
            Some(sides) => check_box(sides, cells)?,
        }
        let bounds = bounds.map(|sides| {
            let mut sides = sides.map(|s| s.min(LONGEST) as i16);
            sides.sort_unstable();
            sides
        });
        let with_class = |class: &Class| {
            Setting::all(*class).into_iter().map(|s| (*class, s)).collect::<Vec<_>>()
        };
        Ok(Self {
            settings: classes.iter().flat_map(with_class).collect(),
            classes,
            limits: Limits { cells, parts, bounds },
        })
    }

    /// The exact classes that are enumerated, in order.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn jobs(&self) -> impl Iterator<Item = Job> {
        self.settings.iter().map(|(class, setting)| Job {
            class: *class,
            orbits: Orbits::new(setting, self.limits.clone()),
        })
    }

    /// Hands on every figure, by class and in an order that never changes, until `emit` or `stop`
    /// breaks it off.
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
        let mut first = 0;
        for job in self.jobs() {
            let work = |grower: &mut Grower<'_>, shard: &Vec<u32>, out: &mut Vec<T>| {
                // A break is no loss: it comes from `stop`, which the caller looks at.
                let _ =
                    job.visit(grower, shard, stop, &mut |found| out.extend(found.and_then(&map)));
            };
            let shards = job.shards();
            let state = || Grower::new(&job.orbits);
            in_order((first, &shards), from, stop, state, work, emit)?;
            first += shards.len() as u64;
        }
        ControlFlow::Continue(())
    }

    /// Counts the figures of each exact class; nothing if `stop` was set.
    pub fn count(&self, stop: &AtomicBool) -> Option<Tally> {
        let mut tally = Tally { by_class: self.classes.iter().map(|c| (*c, 0)).collect() };
        for job in self.jobs() {
            let state = || Grower::new(&job.orbits);
            let count = |grower: &mut Grower<'_>, shard: &Vec<u32>| job.count(grower, shard, stop);
            let found = summed(&job.shards(), stop, state, count)?;
            for (class, sum) in &mut tally.by_class {
                *sum += if *class == job.class { found } else { 0 };
            }
        }
        Some(tally)
    }

    /// Estimates what a run gives from a sample of shards: for each setting of each class.
    pub fn estimate(&self, stop: &AtomicBool) -> impl Iterator<Item = (Class, Sampled)> {
        self.jobs().map(|job| (job.class, job.estimate(stop)))
    }
}

/// No side of a box counts beyond this.
const LONGEST: u32 = MAX_CELLS as u32;

pub(super) fn check_box(sides: [u32; 3], cells: usize) -> Result<(), EnumerateError> {
    if sides.contains(&0) {
        return Err(EnumerateError::EmptyBox(sides));
    }
    let volume: u128 = sides.into_iter().map(u128::from).product();
    if volume < cells as u128 {
        return Err(EnumerateError::BoxTooSmall { sides, cells });
    }
    Ok(())
}

impl Job {
    /// The ways to the sets of orbits at which the search is cut, in the order of the search.
    fn shards(&self) -> Vec<Vec<u32>> {
        let mut grower = Grower::new(&self.orbits);
        let mut shards = Vec::new();
        for cut in 1..=self.orbits.limits.cells as u32 {
            shards.clear();
            let enough = |shards: &[Vec<u32>]| shards.len() >= SHARDS;
            let _ = grower.run(cut, &mut |reached| {
                if let Reached::Cut(path) = reached {
                    shards.push(path.to_vec());
                }
                ControlFlow::Continue(())
            });
            if enough(&shards) {
                break;
            }
        }
        shards
    }

    /// Looks at every figure of a shard; `visit` gets those to be listed.
    fn listed(
        &self,
        grower: &mut Grower<'_>,
        shard: &[u32],
        stop: &AtomicBool,
        visit: &mut impl FnMut(&Grower<'_>),
    ) -> ControlFlow<()> {
        grower.resume(shard, &mut |reached| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if let Reached::Figure(grown) = reached
                && is_listed(&self.orbits, grown)
            {
                visit(grown);
            }
            ControlFlow::Continue(())
        })
    }

    fn visit(
        &self,
        grower: &mut Grower<'_>,
        shard: &[u32],
        stop: &AtomicBool,
        emit: &mut impl FnMut(Option<Found>),
    ) -> ControlFlow<()> {
        let group: Group = self.orbits.setting.group;
        self.listed(grower, shard, stop, &mut |grown| {
            let figure = Figure::new(cells(&self.orbits, grown.chosen())).ok();
            emit(figure.map(|figure| Found { figure, group }));
        })
    }

    fn count(&self, grower: &mut Grower<'_>, shard: &[u32], stop: &AtomicBool) -> u64 {
        let mut figures = 0;
        // As above: only `stop` breaks it off.
        let _ = self.listed(grower, shard, stop, &mut |_| figures += 1);
        figures
    }

    fn estimate(&self, stop: &AtomicBool) -> Sampled {
        let shards = self.shards();
        let mut grower = Grower::new(&self.orbits);
        let mut figures = Vec::new();
        let mut measure = |shard: &Vec<u32>| {
            let (started, before) = (Instant::now(), grower.nodes);
            let mut found = 0;
            // As above: only `stop` breaks it off.
            let _ = self.visit(&mut grower, shard, stop, &mut |figure| {
                found += 1;
                Sampled::keep(&mut figures, found, figure);
            });
            (found, grower.nodes - before, started.elapsed().as_secs_f64())
        };
        let samples: Vec<_> = sample(&shards, SAMPLES).into_iter().map(&mut measure).collect();
        Sampled { estimate: Estimate::extrapolate(&samples, shards.len()), figures }
    }
}
