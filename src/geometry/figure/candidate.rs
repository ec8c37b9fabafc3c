//! A figure with its derived columns, each computed once.

use super::{Canonical, Equivalence, Figure, ParseSignatureError, Signature};
use crate::lattice::{Transform, part_count};
use crate::symmetry::{Class, Group};
use std::sync::OnceLock;

/// A figure with its symmetry group and its lazily computed [`Columns`]. These include the canonical form.
///
/// Readers use [`Candidate::new`]. Enumerators know the group of each figure they list and use
/// [`Candidate::with_group`]. The canonical form is then computed only for figures that reach a catalog or an
/// output.
///
/// ```
/// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
///
/// let candidate = Candidate::new(Figure::of_box([3, 3, 3])?, Equivalence::Reflections);
/// assert_eq!(candidate.signature().as_str(), "s1-3x3x3-zzzzz3");
/// assert_eq!(candidate.class().name(), "Oh");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Candidate {
    figure: Figure,
    group: Group,
    equivalence: Equivalence,
    /// The number of separate parts, if known.
    parts: Option<usize>,
    columns: OnceLock<Columns>,
}

/// Catalog columns that depend on the figure alone, not on the pieces.
///
/// ```
/// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
///
/// let columns = Candidate::new(Figure::of_box([4, 2, 1])?, Equivalence::Reflections).into_columns();
/// assert_eq!((columns.cells, columns.extents), (8, [1, 2, 4]));
/// assert_eq!((columns.parity, columns.parts), (0, 1));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The canonical form.
    pub signature: Signature,
    /// The lowest-numbered transform that takes the figure to its canonical form.
    pub to_canonical: Transform,
    /// The number of cells.
    pub cells: usize,
    /// The sides of its bounding box in cells, ascending.
    pub extents: [u32; 3],
    /// The symmetry class.
    pub class: Class,
    /// |black − white| in a checkerboard coloring.
    pub parity: u32,
    /// The number of separate parts.
    pub parts: usize,
}

impl Candidate {
    /// Creates a candidate that is identified up to the transforms of `equivalence`.
    pub fn new(figure: Figure, equivalence: Equivalence) -> Self {
        let full = figure.canonical();
        let group = full.group;
        let form = match equivalence {
            Equivalence::Reflections => full,
            Equivalence::Rotations => figure.canonical_up_to(equivalence),
        };
        let columns = OnceLock::from(Columns::new(&figure, group, form, None));
        Self { figure, group, equivalence, parts: None, columns }
    }

    /// Creates a candidate whose group is known.
    ///
    /// `group` contains all of the 48 transforms that map the figure, in its given orientation, to itself.
    ///
    /// ```
    /// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
    /// use somacat_geometry::symmetry::Group;
    ///
    /// let cube = Figure::of_box([3, 3, 3])?;
    /// let candidate = Candidate::with_group(cube, Group::FULL, Equivalence::Reflections);
    /// assert_eq!(candidate.columns().class.order(), 48);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn with_group(figure: Figure, group: Group, equivalence: Equivalence) -> Self {
        debug_assert_eq!(figure.canonical().group, group, "the group of {figure:?}");
        Self { figure, group, equivalence, parts: None, columns: OnceLock::new() }
    }

    /// Creates the candidate of columns that were computed before. The figure lies as it did then.
    ///
    /// # Errors
    /// If the signature is malformed, which is possible only after [`Signature::from_trusted`].
    pub fn from_columns(columns: Columns) -> Result<Self, ParseSignatureError> {
        let figure = columns.signature.figure()?.transformed(columns.to_canonical.inverse());
        let (group, equivalence) = (figure.canonical().group, columns.signature.equivalence());
        let columns = OnceLock::from(columns);
        Ok(Self { figure, group, equivalence, parts: None, columns })
    }

    /// Sets the number of separate parts, if it is known. It then need not be counted.
    pub fn with_parts(self, parts: Option<usize>) -> Self {
        debug_assert!(parts.is_none_or(|parts| parts == part_count(self.figure.cells())));
        Self { parts, ..self }
    }

    /// Returns the figure in its given orientation.
    pub const fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Returns the transforms up to which the figure is identified.
    pub const fn equivalence(&self) -> Equivalence {
        self.equivalence
    }

    /// Returns the symmetry group of the figure in its given orientation.
    pub const fn group(&self) -> Group {
        self.group
    }

    /// Returns the class of the group.
    pub fn class(&self) -> Class {
        self.group.class()
    }

    /// Returns the columns, computed at the first call.
    pub fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| {
            let form = self.figure.canonical_up_to(self.equivalence);
            Columns::new(&self.figure, self.group, form, self.parts)
        })
    }

    /// Returns the columns, without the figure.
    pub fn into_columns(self) -> Columns {
        self.columns();
        self.columns.into_inner().expect("the columns were computed just now")
    }

    /// Returns the figure in canonical position, with its group there.
    ///
    /// Counting it in this position takes the same number of nodes for every given orientation.
    ///
    /// ```
    /// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
    ///
    /// let standing = Candidate::new(Figure::of_box([1, 1, 5])?, Equivalence::Reflections);
    /// let lying = Candidate::new(Figure::of_box([5, 1, 1])?, Equivalence::Reflections);
    /// assert_ne!(standing.figure(), lying.figure());
    /// assert_eq!(standing.canonical(), lying.canonical());
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn canonical(&self) -> (Figure, Group) {
        let t = self.columns().to_canonical;
        (self.figure.transformed(t), self.group.conjugate(t))
    }

    /// Returns the canonical form.
    pub fn signature(&self) -> &Signature {
        &self.columns().signature
    }
}

impl Columns {
    fn new(figure: &Figure, group: Group, form: Canonical, parts: Option<usize>) -> Self {
        let mut extents = figure.extents();
        extents.sort_unstable();
        Self {
            signature: form.signature,
            to_canonical: form.to_canonical,
            cells: figure.len(),
            extents,
            class: group.class(),
            parity: figure.color_difference().unsigned_abs(),
            parts: parts.unwrap_or_else(|| part_count(figure.cells())),
        }
    }
}
