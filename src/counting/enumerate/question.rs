//! The questions: which symmetric figures, which figures in a box?

use super::error::ParseBoxError;
use somacat_geometry::figure::Identity;
use somacat_geometry::symmetry::{Class, ParseClassError};

/// Which figures are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Figures of a symmetry.
    Symmetric(SymmetricSpec),
    /// Figures in a box.
    Box(BoxSpec),
}

/// Which symmetric figures?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricSpec {
    /// Figures whose group contains a group of one of these classes …
    pub classes: ClassChoice,
    /// … or, if set, whose group is of one of them.
    pub exact: bool,
    /// The number of cells.
    pub cells: usize,
    /// A box the figure must fit in, however it is turned; sides in cells.
    pub bounds: Option<[u32; 3]>,
    /// The number of parts; 1 for connected figures. More parts need a box.
    pub parts: usize,
    /// Whether a figure and its mirror image are one.
    pub identity: Identity,
}

/// Which figures in a box?
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
    /// Whether a figure and its mirror image are one.
    pub identity: Identity,
}

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

/// A choice of symmetry classes, and how it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassChoice {
    classes: Vec<Class>,
    names: Vec<String>,
    fold: Option<usize>,
    order_at_least: Option<usize>,
}

impl ClassChoice {
    /// The classes with one of these names (all if there is none), with an element of order `fold`,
    /// of order `order_at_least` or more.
    ///
    /// # Errors
    /// If a name is none.
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
        let classes = Class::all().filter(is_wanted).collect();
        Ok(Self { classes, names: names.to_vec(), fold, order_at_least })
    }

    /// The classes, in order.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The choice in words, as it was made.
    fn words(&self) -> impl Iterator<Item = String> {
        let names = (!self.names.is_empty()).then(|| self.names.join(", "));
        let fold = self.fold.map(|n| format!("{n}-fold"));
        let order = self.order_at_least.map(|n| format!("of order {n} or more"));
        [fold, order, names].into_iter().flatten()
    }
}

impl FromIterator<Class> for ClassChoice {
    /// These classes, by their names.
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        let mut classes: Vec<Class> = classes.into_iter().collect();
        classes.sort_unstable_by_key(|class| class.number());
        classes.dedup();
        let names = classes.iter().map(|class| class.name().to_owned()).collect();
        Self { classes, names, fold: None, order_at_least: None }
    }
}

impl SymmetricSpec {
    /// Connected figures, wherever they extend, whose group contains one of a class; mirror images
    /// are one.
    #[must_use]
    pub fn containing(class: Class, cells: usize) -> Self {
        Self {
            classes: ClassChoice::from_iter([class]),
            exact: false,
            cells,
            bounds: None,
            parts: 1,
            identity: Identity::Reflections,
        }
    }

    /// Connected figures, wherever they extend, whose group is of a class; mirror images are one.
    #[must_use]
    pub fn exactly(class: Class, cells: usize) -> Self {
        Self { exact: true, ..Self::containing(class, cells) }
    }

    /// The exact classes the question comes down to, in order: the figures whose group contains one
    /// of a class are those whose group is exactly of a class above it.
    #[must_use]
    pub fn exact_classes(&self) -> Vec<Class> {
        let is_asked = |class: &Class| {
            self.classes.classes().iter().any(|&c| {
                let least = c.groups()[0];
                c == *class
                    || (!self.exact && class.groups().iter().any(|g| g.contains_group(least)))
            })
        };
        Class::all().filter(is_asked).collect()
    }

    /// The sides, ascending, of the box a figure must fit in. A connected figure is never longer
    /// than its number of cells, so it has a box even if none is asked for, and no larger one counts.
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
    /// All figures of so many cells in a box; mirror images are one.
    #[must_use]
    pub const fn new(sides: [u32; 3], cells: usize) -> Self {
        let (connected, shape, identity) = (false, Shape::Any, Identity::Reflections);
        Self { sides, cells, connected, shape, identity }
    }
}

impl Question {
    /// The number of cells of each figure.
    #[must_use]
    pub const fn cells(&self) -> usize {
        match self {
            Self::Symmetric(spec) => spec.cells,
            Self::Box(spec) => spec.cells,
        }
    }

    /// The same question with mirror images as one, or apart.
    #[must_use]
    pub fn with_identity(mut self, identity: Identity) -> Self {
        match &mut self {
            Self::Symmetric(spec) => spec.identity = identity,
            Self::Box(spec) => spec.identity = identity,
        }
        self
    }

    /// Whether a figure and its mirror image are one.
    #[must_use]
    pub const fn identity(&self) -> Identity {
        match self {
            Self::Symmetric(spec) => spec.identity,
            Self::Box(spec) => spec.identity,
        }
    }

    /// The question in words, for people; as they chose classes and wrote sides.
    #[must_use]
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
                    (false, Shape::Any) => "figures",
                    (true, Shape::Any) => "connected figures",
                    (false, Shape::Towers) => "tower figures",
                    (true, Shape::Towers) => "connected tower figures",
                };
                format!("{kind} of {} cells in {}", spec.cells, sides_text(spec.sides))
            }
        };
        if self.identity() == Identity::Rotations {
            label.push_str(", mirror images apart");
        }
        label
    }
}

pub(super) fn sides_text([a, b, c]: [u32; 3]) -> String {
    format!("{a}x{b}x{c}")
}

/// Reads the sides of a box, as in `3x3x4`.
///
/// # Errors
/// If the text is no three numbers.
pub fn parse_box(text: &str) -> Result<[u32; 3], ParseBoxError> {
    let sides: Result<Vec<u32>, _> =
        text.split(['x', 'X', '×']).map(|side| side.trim().parse()).collect();
    match sides.as_deref() {
        Ok(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(ParseBoxError(text.to_owned())),
    }
}
