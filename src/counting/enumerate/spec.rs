//! Questions for symmetric figures and for figures in a box.

use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::{Class, ParseClassError};

/// A question for figures.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, EnumerationSpec};
///
/// let question = EnumerationSpec::Box(BoxSpec::new([3, 4, 3], 27));
/// assert_eq!(question.label(), "figures of 27 cells in 3x4x3");
/// assert_eq!(
///     question.key(),
///     "box/1 cells=27 sides=3x3x4 connected=no shape=any up-to=reflections"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnumerationSpec {
    /// Figures of a symmetry.
    Symmetric(SymmetricSpec),
    /// Figures in a box.
    Box(BoxSpec),
}

/// A question for symmetric figures.
///
/// ```
/// use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
/// use somacat_geometry::symmetry::Class;
///
/// // Of the connected figures of 27 cells, eleven have at least the symmetry D3d: ten have exactly that, one is the cube.
/// let class = Class::matching("D3d").unwrap()[0];
/// let figures = Enumeration::symmetric(SymmetricSpec::containing(class, 27))?;
/// let exactly = Enumeration::symmetric(SymmetricSpec::exactly(class, 27))?;
/// assert_eq!((figures.total(), exactly.total()), (Some(11), Some(10)));
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricSpec {
    /// The figure's group must contain a group of one of these classes …
    pub classes: ClassChoice,
    /// … or, if set, be of one of these classes.
    pub exact: bool,
    /// The number of cells.
    pub cells: usize,
    /// The box that the figure must fit in, in any orientation. Sides in cells.
    pub bounds: Option<[u32; 3]>,
    /// The number of parts, 1 for connected figures. More parts require a box.
    pub parts: usize,
    /// The transforms up to which figures are identified.
    pub equivalence: Equivalence,
}

/// A question for figures in a box.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration, FigureShape};
/// use std::sync::atomic::AtomicBool;
///
/// let spec = BoxSpec { shape: FigureShape::Towers, ..BoxSpec::new([2, 2, 3], 8) };
/// let towers = Enumeration::in_box(spec)?.count(&AtomicBool::new(false)).expect("no stop");
/// let all = Enumeration::in_box(BoxSpec::new([2, 2, 3], 8))?;
/// assert_eq!((towers.total(), all.total()), (7, Some(49)));
/// # Ok::<(), somacat_counting::enumerate::EnumerateError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxSpec {
    /// The sides of the box, in cells.
    pub sides: [u32; 3],
    /// The number of cells of a figure.
    pub cells: usize,
    /// `true` for figures connected through faces only.
    pub connected: bool,
    /// The required shape.
    pub shape: FigureShape,
    /// The transforms up to which figures are identified.
    pub equivalence: Equivalence,
}

/// A required shape of figures in a box.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, EnumerationSpec, FigureShape};
///
/// let towers = BoxSpec { shape: FigureShape::Towers, ..BoxSpec::new([3, 3, 4], 27) };
/// assert_eq!(EnumerationSpec::Box(towers).label(), "tower figures of 27 cells in 3x3x4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FigureShape {
    /// Any shape.
    #[default]
    Any,
    /// Tower figures: every column is solid from the ground. The box keeps its third side upright, but the ground
    /// may be rotated.
    Towers,
}

/// A choice of symmetry classes, with the criteria by which it was made, for its label.
///
/// ```
/// use somacat_counting::enumerate::ClassChoice;
///
/// // The classes with an element of order six.
/// let sixfold = ClassChoice::new(&[], Some(6), None).expect("no name is wrong");
/// let names: Vec<&str> = sixfold.classes().iter().map(|class| class.name()).collect();
/// assert_eq!(names, ["C3i", "D3d", "Th", "Oh"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassChoice {
    /// The classes, in order.
    classes: Vec<Class>,
    /// The names given; empty if all classes qualify.
    names: Vec<String>,
    /// The order of an element that the groups must contain.
    fold: Option<usize>,
    /// The least order of the groups.
    order_at_least: Option<usize>,
}

impl ClassChoice {
    /// Chooses classes by name, by the order of an element, and by their own order.
    ///
    /// Without names, all classes qualify. A class must have an element of order `fold`, and order `order_at_least` or
    /// more, where these are given.
    ///
    /// # Errors
    /// If a name does not match a class.
    pub fn new(
        names: &[String],
        fold: Option<usize>,
        order_at_least: Option<usize>,
    ) -> Result<Self, ParseClassError> {
        let mut named = Vec::new();
        for name in names {
            named.extend(Class::matching(name)?);
        }
        let is_wanted = |class: &Class| {
            (names.is_empty() || named.contains(class))
                && fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
                && order_at_least.is_none_or(|n| class.order() >= n)
        };
        let classes = Class::iter().filter(is_wanted).collect();
        Ok(Self { classes, names: names.to_vec(), fold, order_at_least })
    }

    /// Returns the classes, in order.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Describes the choice in words, as the user made it.
    fn words(&self) -> impl Iterator<Item = String> {
        let names = (!self.names.is_empty()).then(|| self.names.join(", "));
        let fold = self.fold.map(|n| format!("{n}-fold"));
        let order = self.order_at_least.map(|n| format!("of order {n} or more"));
        [fold, order, names].into_iter().flatten()
    }
}

impl FromIterator<Class> for ClassChoice {
    /// Chooses these classes by their names.
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        let mut classes: Vec<Class> = classes.into_iter().collect();
        classes.sort_unstable_by_key(|class| class.number());
        classes.dedup();
        let names = classes.iter().map(|class| class.name().to_owned()).collect();
        Self { classes, names, fold: None, order_at_least: None }
    }
}

impl SymmetricSpec {
    /// Selects connected figures whose group contains a group of a class.
    ///
    /// The figures have any extent, and mirror images are one figure.
    pub fn containing(class: Class, cells: usize) -> Self {
        Self {
            classes: ClassChoice::from_iter([class]),
            exact: false,
            cells,
            bounds: None,
            parts: 1,
            equivalence: Equivalence::Reflections,
        }
    }

    /// Selects connected figures whose group is exactly of a class.
    ///
    /// The figures have any extent, and mirror images are one figure.
    pub fn exactly(class: Class, cells: usize) -> Self {
        Self { exact: true, ..Self::containing(class, cells) }
    }

    /// Returns the exact classes of the question's figures, in order.
    ///
    /// A group that contains one of a class is exactly of some class above it.
    ///
    /// ```
    /// use somacat_counting::enumerate::SymmetricSpec;
    /// use somacat_geometry::symmetry::Class;
    ///
    /// // A group that contains a quarter turn is of one of seven classes.
    /// let quarter_turn = Class::matching("C4").unwrap()[0];
    /// let classes = SymmetricSpec::containing(quarter_turn, 27).exact_classes();
    /// let names: Vec<&str> = classes.into_iter().map(Class::name).collect();
    /// assert_eq!(names, ["C4", "C4v", "C4h", "D4", "D4h", "O", "Oh"]);
    /// ```
    pub fn exact_classes(&self) -> Vec<Class> {
        let is_asked = |class: &Class| {
            self.classes.classes().iter().any(|&c| {
                let least = c.groups()[0];
                c == *class
                    || (!self.exact && class.groups().iter().any(|g| g.contains_group(least)))
            })
        };
        Class::iter().filter(is_asked).collect()
    }

    /// Returns the sides, ascending, of the box that bounds a figure. A connected figure is never longer than its
    /// number of cells. So it has a box even if the question has none, and a larger box has no effect.
    pub(super) fn tight_bounds(&self) -> Option<[u32; 3]> {
        let longest = u32::try_from(self.cells).ok().filter(|_| self.parts == 1);
        let mut sides = match (self.bounds, longest) {
            (bounds, Some(longest)) => bounds.unwrap_or([longest; 3]).map(|side| side.min(longest)),
            (bounds, None) => bounds?,
        };
        sides.sort_unstable();
        Some(sides)
    }
}

impl BoxSpec {
    /// Selects all figures of a number of cells in a box. Mirror images are one figure.
    pub const fn new(sides: [u32; 3], cells: usize) -> Self {
        let (connected, shape, equivalence) = (false, FigureShape::Any, Equivalence::Reflections);
        Self { sides, cells, connected, shape, equivalence }
    }
}

impl EnumerationSpec {
    /// Returns the number of cells of each figure.
    pub const fn cells(&self) -> usize {
        match self {
            Self::Symmetric(spec) => spec.cells,
            Self::Box(spec) => spec.cells,
        }
    }

    /// Returns the same question with another identity.
    pub fn with_equivalence(mut self, equivalence: Equivalence) -> Self {
        match &mut self {
            Self::Symmetric(spec) => spec.equivalence = equivalence,
            Self::Box(spec) => spec.equivalence = equivalence,
        }
        self
    }

    /// Returns the transforms up to which figures are identified.
    pub const fn equivalence(&self) -> Equivalence {
        match self {
            Self::Symmetric(spec) => spec.equivalence,
            Self::Box(spec) => spec.equivalence,
        }
    }

    /// Returns the number of parts of each figure, if it is fixed.
    pub fn parts(&self) -> Option<usize> {
        match self {
            Self::Symmetric(spec) => Some(spec.parts),
            Self::Box(spec) => spec.connected.then_some(1),
        }
    }

    /// Describes the question in words.
    ///
    /// Uses the user's spelling of classes and sides.
    pub fn label(&self) -> String {
        let mut label = match self {
            Self::Symmetric(spec) => {
                let words = spec.classes.words().chain(
                    [
                        spec.bounds.map(|sides| format!("within {}", sides_text(sides))),
                        spec.exact.then(|| "and no more symmetry".to_owned()),
                        (spec.parts != 1).then(|| format!("in {} parts", spec.parts)),
                    ]
                    .into_iter()
                    .flatten(),
                );
                let words: Vec<String> = words.collect();
                format!("symmetric figures of {} cells: {}", spec.cells, words.join(", "))
            }
            Self::Box(spec) => {
                let kind = match (spec.connected, spec.shape) {
                    (false, FigureShape::Any) => "figures",
                    (true, FigureShape::Any) => "connected figures",
                    (false, FigureShape::Towers) => "tower figures",
                    (true, FigureShape::Towers) => "connected tower figures",
                };
                format!("{kind} of {} cells in {}", spec.cells, sides_text(spec.sides))
            }
        };
        if self.equivalence() == Equivalence::Rotations {
            label.push_str(", mirror images apart");
        }
        label
    }
}
