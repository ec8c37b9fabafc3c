//! A question made ready to be answered.

use super::box_orbits::MOST;
use super::boxes::boxes_within;
use super::burnside::touching_sets;
use super::counts::{ClassCounts, Sample};
use super::draft::Draft;
use super::effort::subsets_pay;
use super::error::EnumerateError;
use super::growth::Growth;
use super::limits::{MAX_CELLS, MOST_MEMORY};
use super::question::{BoxSpec, Question, Shape, SymmetricSpec};
use super::shards::{self, Delivery, MOST_HELD, Place, SHARDS, ShardRange};
use super::subsets::{SubsetRule, Subsets};
use super::towers::{TowerRule, Towers};
use somacat_geometry::figure::Candidate;
use somacat_geometry::symmetry::Class;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A source of figures: each comes once, up to translation and the transforms that the question's
/// identity names.
///
/// Figures come in an order that depends on the question alone, whatever the number of threads.
/// Methods that take a stop flag end within a fraction of a second after it was set.
#[derive(Clone, Debug)]
pub struct Enumeration {
    question: Question,
    classes: Arc<[Class]>,
    method: Arc<Method>,
}

/// How the figures are found.
#[derive(Debug)]
enum Method {
    Growth(Growth),
    Subsets(Subsets),
    Towers(Towers),
}

/// Does the same with whichever method it is.
macro_rules! with_method {
    ($method:expr, $searches:ident => $body:expr) => {
        match &*$method {
            Method::Growth($searches) => $body,
            Method::Subsets($searches) => $body,
            Method::Towers($searches) => $body,
        }
    };
}

impl Enumeration {
    /// Prepares to answer a question; nothing is searched yet.
    ///
    /// # Errors
    /// If the question makes no sense, would have no end, or would take too much memory: see
    /// [`EnumerateError`].
    pub fn new(question: Question) -> Result<Self, EnumerateError> {
        let (classes, method) = match &question {
            Question::Symmetric(spec) => (spec.exact_classes(), symmetric(spec)?),
            Question::Box(spec) => (Class::all().collect(), in_box(spec)?),
        };
        Ok(Self { question, classes: classes.into(), method: Arc::new(method) })
    }

    /// Prepares to enumerate symmetric figures.
    ///
    /// # Errors
    /// If there are no classes, no or too many cells, a number of parts that the cells cannot form,
    /// or no box where one is needed: for classes of order 1 and 2 and for several parts.
    pub fn symmetric(spec: SymmetricSpec) -> Result<Self, EnumerateError> {
        Self::new(Question::Symmetric(spec))
    }

    /// Prepares to enumerate figures in a box.
    ///
    /// # Errors
    /// If there are no or too many cells, or the box is empty, too small for them or, unless only
    /// connected figures of few cells are asked for, of more than 128 cells.
    pub fn in_box(spec: BoxSpec) -> Result<Self, EnumerateError> {
        Self::new(Question::Box(spec))
    }

    /// What is asked.
    #[must_use]
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// The exact classes that figures can have, in order.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The number of cells of each figure.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.question.cells()
    }

    /// The exact number of figures, where it is known without listing them: in boxes, by Burnside's
    /// lemma, unless only connected or tower figures are asked for.
    #[must_use]
    pub fn total(&self) -> Option<u128> {
        match &self.question {
            Question::Box(BoxSpec {
                sides,
                cells,
                connected: false,
                shape: Shape::Any,
                identity,
            }) => {
                let touching = |own| touching_sets(own, *cells, *identity);
                Some(boxes_within(*sides).map(touching).sum())
            }
            Question::Box(_) | Question::Symmetric(_) => None,
        }
    }

    /// The number of figures: the total where it is known, else an estimate. Means nothing if
    /// `stop` was set.
    #[must_use]
    pub fn size(&self, stop: &AtomicBool) -> u128 {
        let near = || self.estimate(stop).iter().map(|s| s.estimate.figures).sum::<f64>() as u128;
        self.total().unwrap_or_else(near)
    }

    /// What listing the figures is expected to give and to take, in independent parts: settings of
    /// symmetry classes, boxes within the box. Parts that were not looked at when `stop` was set are
    /// missing.
    #[must_use]
    pub fn estimate(&self, stop: &AtomicBool) -> Vec<Sample> {
        let identity = self.question.identity();
        with_method!(self.method, searches => shards::estimate(searches, identity, stop))
    }

    /// Counts the figures of each class; `None` if `stop` was set.
    #[must_use]
    pub fn count(&self, stop: &AtomicBool) -> Option<ClassCounts> {
        let counts = with_method!(self.method, searches => shards::count(searches, stop))?;
        let mut by_class: Vec<(Class, u64)> = self.classes.iter().map(|&c| (c, 0)).collect();
        for (group, figures) in counts {
            let at = self.classes.binary_search_by_key(&group.class().number(), |c| c.number());
            by_class[at.expect("only figures of the classes asked for are met")].1 += figures;
        }
        Some(ClassCounts { by_class })
    }

    /// Passes on every figure until `emit` or `stop` breaks it off.
    pub fn for_each(
        &self,
        stop: &AtomicBool,
        emit: &mut dyn FnMut(Candidate) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_mapped(Place::default(), stop, Some, &mut |_, figure| emit(figure))
    }

    /// The same from a place on, with work done on each figure in parallel before it is passed on:
    /// what `map` returns, if anything, reaches `emit` on the calling thread, in the order of the
    /// figures, each with the place after it. A place counts the figures for which `map` returned
    /// something; a later run that goes on from one must decide alike.
    pub fn for_each_mapped<T: Send>(
        &self,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(Candidate) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let map = |draft: Draft<'_>| map(draft.candidate());
        self.for_each_in(ShardRange::ALL, from, stop, map, emit)
    }

    /// The same for some shards only: what lies in them, behind the place. `map` makes the figures that it needs.
    pub fn for_each_in<T: Send>(
        &self,
        shards: ShardRange,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(Draft<'_>) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let identity = self.question.identity();
        let delivery = Delivery { identity, stop, map, shards: SHARDS, most_held: MOST_HELD };
        with_method!(self.method, searches => delivery.deliver(searches, shards, from, emit))
    }
}

fn check_box(sides: [u32; 3], cells: usize) -> Result<(), EnumerateError> {
    if sides.contains(&0) {
        return Err(EnumerateError::EmptyBox(sides));
    }
    if volume(sides) < cells as u128 {
        return Err(EnumerateError::BoxTooSmall { sides, cells });
    }
    Ok(())
}

fn volume(sides: [u32; 3]) -> u128 {
    sides.into_iter().map(u128::from).product()
}

fn symmetric(spec: &SymmetricSpec) -> Result<Method, EnumerateError> {
    let SymmetricSpec { cells, bounds, parts, identity, .. } = *spec;
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
    if let Some(sides) = bounds
        && parts > 1
        && volume(sides) <= MOST as u128
        && subsets_pay(&classes, sides, cells, parts)
    {
        let rule = SubsetRule { cells, parts: Some(parts), identity };
        return Ok(Method::Subsets(Subsets::of_classes(&classes, sides, rule)));
    }
    grown(spec, &classes)
}

/// The figures grown, if the tables fit in memory.
fn grown(spec: &SymmetricSpec, classes: &[Class]) -> Result<Method, EnumerateError> {
    let SymmetricSpec { cells, parts, identity, .. } = *spec;
    // Bounds that bound nothing would only be looked at in vain.
    let bounds = spec.tight_bounds().filter(|b| parts > 1 || b[0] < cells as u32);
    if bounds.is_none_or(|b| b[2] <= MAX_CELLS as u32) {
        let growth = Growth::new(classes, cells, parts, bounds, identity);
        if growth.fits(MOST_MEMORY) {
            return Ok(Method::Growth(growth));
        }
    }
    let sides = spec.bounds.expect("the tables fit where no box is required");
    Err(EnumerateError::TooManyPlaces { sides, cells })
}

fn in_box(spec: &BoxSpec) -> Result<Method, EnumerateError> {
    let BoxSpec { sides, cells, connected, shape, identity } = *spec;
    if cells == 0 {
        return Err(EnumerateError::Cells(cells));
    }
    check_box(sides, cells)?;
    if connected && shape == Shape::Any && 2 * cells as u128 <= volume(sides) {
        if cells > MAX_CELLS {
            return Err(EnumerateError::Cells(cells));
        }
        let everything = SymmetricSpec {
            classes: Class::all().collect(),
            exact: true,
            cells,
            bounds: Some(sides),
            parts: 1,
            identity,
        };
        return symmetric(&everything);
    }
    if volume(sides) > MOST as u128 {
        return Err(EnumerateError::BoxTooLarge { sides, most: MOST });
    }
    Ok(match shape {
        Shape::Any => {
            let parts = connected.then_some(1);
            Method::Subsets(Subsets::in_box(sides, SubsetRule { cells, parts, identity }))
        }
        Shape::Towers => {
            let [x, y, height] = sides.map(|side| side as usize);
            Method::Towers(Towers::new([x, y], TowerRule { cells, height, connected, identity }))
        }
    })
}
