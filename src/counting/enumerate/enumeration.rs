//! A question with the method that answers it.

use super::box_orbits::MAX_BOX_CELLS;
use super::burnside::touching_sets;
use super::cost::subsets_pay;
use super::counts::{ClassCounts, Sample};
use super::error::EnumerateError;
use super::found_figure::FoundFigure;
use super::growth::Growth;
use super::known::known_total;
use super::limits::{MAX_ENUMERATED_CELLS, MAX_TABLE_BYTES};
use super::search::Searches;
use super::shards::{self, Delivery, MAX_HELD_FIGURES, MIN_SHARDS, Place, ShardRange};
use super::spec::{BoxSpec, EnumerationSpec, FigureShape, SymmetricSpec};
use super::subsets::{SubsetRule, Subsets};
use super::towers::{TowerRule, Towers};
use somacat_geometry::boxes::boxes_within;
use somacat_geometry::figure::Candidate;
use somacat_geometry::symmetry::Class;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A source of figures, each listed once.
///
/// Figures count as equal up to translation and the transforms of the question's identity.
///
/// The order of figures depends on the question alone, for any number of threads. Methods that take a stop flag end
/// within a fraction of a second after it is set.
///
/// ```
/// use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
/// use somacat_geometry::symmetry::Class;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // The smallest connected figures that quarter turns, but no reflections, map to themselves have 12 cells.
/// let class = Class::matching("C4").unwrap()[0];
/// let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, 12))?;
/// let mut found = Vec::new();
/// let _ = figures.for_each(&AtomicBool::new(false), &mut |figure| {
///     found.push(figure.signature().to_string());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found.len(), 2);
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Enumeration {
    question: EnumerationSpec,
    classes: Arc<[Class]>,
    method: Arc<dyn Searches>,
}

impl Enumeration {
    /// Prepares to answer a question, without searching.
    ///
    /// # Errors
    /// If the question is empty, has infinitely many figures, or takes too much memory: see [`EnumerateError`].
    pub fn new(question: EnumerationSpec) -> Result<Self, EnumerateError> {
        let (classes, method) = match &question {
            EnumerationSpec::Symmetric(spec) => (spec.exact_classes(), symmetric(spec)?),
            EnumerationSpec::Box(spec) => (Class::iter().collect(), in_box(spec)?),
        };
        Ok(Self { question, classes: classes.into(), method })
    }

    /// Prepares to enumerate symmetric figures.
    ///
    /// # Errors
    /// If there are no classes, no or too many cells, or an impossible number of parts. Also if a required box is
    /// missing: for classes of order 1 and 2, and for several parts.
    pub fn symmetric(spec: SymmetricSpec) -> Result<Self, EnumerateError> {
        Self::new(EnumerationSpec::Symmetric(spec))
    }

    /// Prepares to enumerate figures in a box.
    ///
    /// # Errors
    /// If there are no or too many cells, or the box is empty or too small. Also if the box has more than 128
    /// cells, except for connected figures of few cells.
    pub fn in_box(spec: BoxSpec) -> Result<Self, EnumerateError> {
        Self::new(EnumerationSpec::Box(spec))
    }

    /// Restricts the enumeration to a random sample.
    ///
    /// The sample contains each figure with probability 1 / `one_in`. Figures of one sample are not independent, so the
    /// error of an estimate is the spread over several seeds. A sample depends on the question and the seed alone.
    /// Returns `None` if the method has no samples: for figures in boxes, and figures of several parts, which are not
    /// always grown. Also returns `None` if the enumeration has a clone, which would become a sample with it.
    ///
    /// ```
    /// use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
    /// use somacat_geometry::symmetry::Class;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let class = Class::matching("S4").unwrap()[0];
    /// let all = || Enumeration::symmetric(SymmetricSpec::exactly(class, 19));
    /// let count = |some: &Enumeration| some.count(&AtomicBool::new(false)).expect("no stop").total();
    /// let quarter = all()?.sampled(4, 7).expect("connected figures have samples");
    /// assert_eq!((count(&all()?), count(&quarter)), (124, 19));
    /// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
    /// ```
    pub fn sampled(mut self, one_in: u64, seed: u64) -> Option<Self> {
        Arc::get_mut(&mut self.method)?.sample(one_in, seed).then_some(self)
    }

    /// Returns the question.
    pub const fn question(&self) -> &EnumerationSpec {
        &self.question
    }

    /// Returns the exact number of figures, if it is known without listing them.
    ///
    /// In boxes it follows from Burnside's lemma, unless figures must be connected or towers. For connected figures of
    /// a symmetry without a box, it is known up to some number of cells, from earlier enumerations.
    ///
    /// ```
    /// use somacat_counting::enumerate::{BoxSpec, Enumeration};
    ///
    /// // The subsets of the cube with 13 of its 27 cells, up to rotation, reflection and translation.
    /// let cube = Enumeration::in_box(BoxSpec::new([3, 3, 3], 13))?;
    /// assert_eq!(cube.total(), Some(423_714));
    /// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
    /// ```
    pub fn total(&self) -> Option<u128> {
        match &self.question {
            EnumerationSpec::Box(BoxSpec {
                sides,
                cells,
                connected: false,
                shape: FigureShape::Any,
                equivalence,
            }) => {
                let touching = |own| touching_sets(own, *cells, *equivalence);
                Some(boxes_within(*sides).map(touching).sum())
            }
            EnumerationSpec::Box(_) => None,
            EnumerationSpec::Symmetric(spec) => known_total(spec),
        }
    }

    /// Returns the total if it is known, else an estimate. The result is meaningless if `stop` is set.
    pub fn size(&self, stop: &AtomicBool) -> u128 {
        let near = || self.estimate(stop).iter().map(|s| s.estimate.figures).sum::<f64>() as u128;
        self.total().unwrap_or_else(near)
    }

    /// Estimates the number of figures and the cost of listing them, for each search.
    ///
    /// A search is one setting of a symmetry class, or one box within the box. Searches not reached when `stop` is set
    /// are missing.
    ///
    /// ```
    /// use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
    /// use somacat_geometry::symmetry::Class;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// // So few figures are counted, without an error.
    /// let class = Class::matching("D3d").unwrap()[0];
    /// let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, 27))?;
    /// let samples = figures.estimate(&AtomicBool::new(false));
    /// let estimate: f64 = samples.iter().map(|sample| sample.estimate.figures).sum();
    /// assert!((estimate - 10.0).abs() < 0.5);
    /// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
    /// ```
    pub fn estimate(&self, stop: &AtomicBool) -> Vec<Sample> {
        shards::estimate(&*self.method, self.question.equivalence(), stop)
    }

    /// Counts the figures of each class. Returns `None` if `stop` is set.
    ///
    /// ```
    /// use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
    /// use somacat_geometry::symmetry::Class;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// // OEIS A376990: connected figures of exactly the class D3d.
    /// let class = Class::matching("D3d").unwrap()[0];
    /// let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, 14))?;
    /// assert_eq!(figures.count(&AtomicBool::new(false)).expect("no stop").total(), 2);
    /// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
    /// ```
    pub fn count(&self, stop: &AtomicBool) -> Option<ClassCounts> {
        let counts = shards::count(&*self.method, stop)?;
        let mut by_class: Vec<(Class, u64)> = self.classes.iter().map(|&c| (c, 0)).collect();
        for (group, figures) in counts {
            let at = self.classes.binary_search_by_key(&group.class().number(), |c| c.number());
            by_class[at.expect("only figures of the requested classes are met")].1 += figures;
        }
        Some(ClassCounts { by_class })
    }

    /// Passes on every figure until `emit` breaks or `stop` is set.
    pub fn for_each(
        &self,
        stop: &AtomicBool,
        emit: &mut dyn FnMut(Candidate) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_mapped(Place::default(), stop, Some, &mut |_, figure| emit(figure))
    }

    /// Applies `map` to the figures after a place, in parallel, and passes on the results in the order of the figures.
    ///
    /// A result of `map`, unless it is `None`, reaches `emit` on the calling thread, with the place after it. A
    /// place counts the figures for which `map` returned a result. So a later run that resumes from a place must use a
    /// `map` that returns `None` for the same figures.
    ///
    /// ```
    /// use somacat_counting::enumerate::{BoxSpec, Enumeration, Place};
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// // The first ten figures, then the rest of the 49.
    /// let (figures, stop) = (Enumeration::in_box(BoxSpec::new([2, 2, 3], 8))?, AtomicBool::new(false));
    /// let (mut first, mut rest, mut last) = (0, 0, Place::default());
    /// let _ = figures.for_each_mapped(Place::default(), &stop, Some, &mut |place, _| {
    ///     (first, last) = (first + 1, place);
    ///     if first < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// });
    /// let _ = figures.for_each_mapped(last, &stop, Some, &mut |_, _| {
    ///     rest += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((first, rest), (10, 39));
    /// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
    /// ```
    pub fn for_each_mapped<T: Send>(
        &self,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(Candidate) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let map = |found: FoundFigure<'_>| map(found.candidate());
        self.for_each_in(ShardRange::ALL, from, stop, map, emit)
    }

    /// Does the same as [`Self::for_each_mapped`] for some shards only. `map` receives figures that are not built yet,
    /// and builds those it needs.
    pub fn for_each_in<T: Send>(
        &self,
        shards: ShardRange,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(FoundFigure<'_>) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let equivalence = self.question.equivalence();
        let delivery = Delivery {
            equivalence,
            stop,
            map: &map,
            shards: MIN_SHARDS,
            max_held: MAX_HELD_FIGURES,
        };
        delivery.deliver(&*self.method, shards, from, emit)
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

/// Checks a question for symmetric figures and chooses its method.
fn symmetric(spec: &SymmetricSpec) -> Result<Arc<dyn Searches>, EnumerateError> {
    let SymmetricSpec { cells, bounds, parts, equivalence, .. } = *spec;
    if cells == 0 || cells > MAX_ENUMERATED_CELLS {
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
        && volume(sides) <= MAX_BOX_CELLS as u128
        && subsets_pay(&classes, sides, cells, parts)
    {
        let rule = SubsetRule { cells, parts: Some(parts), equivalence };
        return Ok(Arc::new(Subsets::of_classes(&classes, sides, rule)));
    }
    grown(spec, &classes)
}

/// Grows the figures, if the tables fit in memory.
fn grown(spec: &SymmetricSpec, classes: &[Class]) -> Result<Arc<dyn Searches>, EnumerateError> {
    let SymmetricSpec { cells, parts, equivalence, .. } = *spec;
    // Bounds that exclude nothing would only cost time.
    let bounds = spec.tight_bounds().filter(|b| parts > 1 || b[0] < cells as u32);
    if bounds.is_none_or(|b| b[2] <= MAX_ENUMERATED_CELLS as u32) {
        let growth = Growth::new(classes, cells, parts, bounds, equivalence);
        if growth.fits(MAX_TABLE_BYTES) {
            return Ok(Arc::new(growth));
        }
    }
    let sides = spec.bounds.expect("the tables fit where no box is required");
    Err(EnumerateError::TooManyPlaces { sides, cells })
}

/// Checks a question for figures in a box and chooses its method: growth for connected figures that fill at most half
/// of the box, heights for towers, and subsets for all others.
fn in_box(spec: &BoxSpec) -> Result<Arc<dyn Searches>, EnumerateError> {
    let BoxSpec { sides, cells, connected, shape, equivalence } = *spec;
    if cells == 0 {
        return Err(EnumerateError::Cells(cells));
    }
    check_box(sides, cells)?;
    if connected && shape == FigureShape::Any && 2 * cells as u128 <= volume(sides) {
        if cells > MAX_ENUMERATED_CELLS {
            return Err(EnumerateError::Cells(cells));
        }
        let everything = SymmetricSpec {
            classes: Class::iter().collect(),
            exact: true,
            cells,
            bounds: Some(sides),
            parts: 1,
            equivalence,
        };
        return symmetric(&everything);
    }
    if volume(sides) > MAX_BOX_CELLS as u128 {
        return Err(EnumerateError::BoxTooLarge { sides, most: MAX_BOX_CELLS });
    }
    Ok(match shape {
        FigureShape::Any => {
            let parts = connected.then_some(1);
            Arc::new(Subsets::in_box(sides, SubsetRule { cells, parts, equivalence }))
        }
        FigureShape::Towers => {
            let [x, y, height] = sides.map(|side| side as usize);
            Arc::new(Towers::new([x, y], TowerRule { cells, height, connected, equivalence }))
        }
    })
}
