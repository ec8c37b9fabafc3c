//! The problem to solve: a figure, a set, and perhaps pieces already in place.

use super::placement_map::PlacementMap;
use super::{Placement, RemainderError};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Group;
use std::collections::BTreeSet;

/// A figure and the pieces to build it from.
///
/// ```
/// use somacat_counting::solve::Problem;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let problem = Problem::new(&cube, &soma);
/// assert_eq!(problem.group().order(), 48);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    pub(super) figure: &'a Figure,
    pub(super) set: &'a PieceSet,
    pub(super) colors: Option<&'a FigureColors>,
    group: Option<Group>,
}

impl<'a> Problem<'a> {
    /// Builds the problem of filling `figure` with all pieces of `set`, or with some of them if the set has ranges of
    /// copies ([`PieceSet::with_ranges`]).
    pub const fn new(figure: &'a Figure, set: &'a PieceSet) -> Self {
        Self { figure, set, colors: None, group: None }
    }

    /// Builds the problem with the figure's symmetry group or a subgroup.
    ///
    /// Packings are identified only under this group. Solving panics if an element does not map the figure to
    /// itself.
    ///
    /// ```
    /// use somacat_counting::solve::{Limits, Problem, count};
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::pieces::PieceSet;
    /// use somacat_geometry::symmetry::Group;
    ///
    /// // Without symmetries, all packings of the cube are different.
    /// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
    /// let problem = Problem::with_group(&cube, &soma, Group::TRIVIAL);
    /// assert_eq!(count(&problem, Limits::default())?.outcome.unique(), Some(11_520));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_group(figure: &'a Figure, set: &'a PieceSet, group: Group) -> Self {
        Self { figure, set, colors: None, group: Some(group) }
    }

    /// Adds the colors of the figure's cells. Only symmetries that keep them remain.
    ///
    /// ```
    /// use somacat_counting::solve::{Limits, Problem, count};
    /// use somacat_geometry::figure::{Figure, FigureColors};
    /// use somacat_geometry::pieces::parse_colored_piece_lines;
    ///
    /// // A domino with a red cell lies in a figure of two cells, one of them red, in one way.
    /// let domino = Figure::of_box([2, 1, 1])?;
    /// let set = parse_colored_piece_lines("mine", "D: 0,0,0=1 1,0,0=2")?;
    /// let colors = FigureColors::new(&[1, 2]);
    /// let problem = Problem::new(&domino, &set).with_colors(colors.as_ref());
    /// assert_eq!(count(&problem, Limits::default())?.outcome.raw(), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_colors(self, colors: Option<&'a FigureColors>) -> Self {
        let group = colors.map(|colors| colors.symmetries(self.figure, self.group()));
        Self { colors, group: group.or(self.group), ..self }
    }

    /// Returns the problem of filling the same figure with other pieces.
    pub(super) const fn with_set(self, set: &'a PieceSet) -> Self {
        Self { set, ..self }
    }

    /// Returns the figure to fill.
    pub const fn figure(&self) -> &'a Figure {
        self.figure
    }

    /// Returns the pieces to fill it with.
    pub const fn set(&self) -> &'a PieceSet {
        self.set
    }

    /// Returns the colors of the figure's cells, if they restrict the pieces.
    pub const fn colors(&self) -> Option<&'a FigureColors> {
        self.colors
    }

    /// Returns the symmetries up to which packings are identified.
    pub fn group(&self) -> Group {
        self.group.unwrap_or_else(|| self.figure.canonical().group)
    }
}

impl<'a> From<(&'a Figure, &'a PieceSet)> for Problem<'a> {
    fn from((figure, set): (&'a Figure, &'a PieceSet)) -> Self {
        Self::new(figure, set)
    }
}

impl<'a> From<&Problem<'a>> for Problem<'a> {
    fn from(problem: &Problem<'a>) -> Self {
        *problem
    }
}

/// The problem left when some pieces are in place.
///
/// ```
/// use somacat_counting::solve::{Limits, Placement, Problem, Remainder, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::PieceSet;
///
/// // With T along an edge of the cube: there are 24 such places, and every packing uses one.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let t = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0]].map(Cell::from);
/// let placed = [Placement { piece: 2, cells: t.to_vec() }];
/// let rest = Remainder::new(&cube, &soma, &placed)?;
/// assert_eq!(count(&rest.problem(), Limits::default())?.outcome.raw(), Some(11_520 / 24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remainder {
    /// The free cells, moved to the origin.
    figure: Figure,
    /// The pieces left.
    set: PieceSet,
    /// The symmetries of the whole figure that map the pieces in place to themselves.
    group: Group,
    /// The least coordinates of the free cells in the whole figure.
    corner: Cell,
    /// The colors of the free cells.
    colors: Option<FigureColors>,
}

impl Remainder {
    /// Removes pieces in place from figure and set.
    ///
    /// `placed` uses the coordinates of `figure`. Packings are then identified only under the symmetries that map
    /// the pieces in place to themselves (a reflection exchanges A and B).
    ///
    /// # Errors
    /// Fails if the pieces cannot lie as given, if they are more than a packing uses, or if none are left.
    pub fn new(
        figure: &Figure,
        set: &PieceSet,
        placed: &[Placement],
    ) -> Result<Self, RemainderError> {
        if let Some(number) = set.number().filter(|number| *number < placed.len()) {
            return Err(RemainderError::TooManyPieces { placed: placed.len(), number });
        }
        let mut free: BTreeSet<Cell> = figure.cells().iter().copied().collect();
        let mut left: Vec<usize> = set.pieces().iter().map(|(_, count)| *count).collect();
        for placement in placed {
            let piece = &set.pieces()[placement.piece].0;
            if !piece.has_shape(&placement.cells) {
                return Err(RemainderError::WrongShape(piece.letter()));
            }
            let count = &mut left[placement.piece];
            *count = count.checked_sub(1).ok_or(RemainderError::TooMany(piece.letter()))?;
            for &cell in &placement.cells {
                if !free.remove(&cell) {
                    return Err(RemainderError::NotFree(cell));
                }
            }
        }
        if left.iter().all(|&count| count == 0) {
            return Err(RemainderError::NothingLeft);
        }
        let rest = set.ranges().zip(&left).map(|((piece, [least, most]), &left)| {
            (piece.clone(), [least.saturating_sub(most - left), left])
        });
        let number = set.number().map(|number| number - placed.len());
        let image = |t| PlacementMap::new(figure, set, t).map(|map| map.apply(placed));
        let in_place = image(Transform::IDENTITY);
        let group = figure.canonical().group.iter().filter(|&t| image(t) == in_place);
        let cells: Vec<Cell> = free.into_iter().collect();
        Ok(Self {
            corner: Cell::min_corner(&cells),
            figure: Figure::new(cells)?,
            set: PieceSet::with_ranges(format!("rest of {}", set.name()), rest, number),
            group: Group::generated_by(group),
            colors: None,
        })
    }

    /// Adds the colors of the whole figure's cells, of which those of the free cells remain. Only symmetries that keep
    /// them remain, too.
    #[must_use]
    pub fn with_colors(mut self, whole: &Figure, colors: Option<&FigureColors>) -> Self {
        let Some(colors) = colors else { return self };
        let number = |cell: &Cell| whole.cells().binary_search(&(*cell + self.corner)).ok();
        self.colors = Some(colors.of_cells(self.figure.cells().iter().filter_map(number)));
        self.group = colors.symmetries(whole, self.group);
        self
    }

    /// Returns the remaining problem.
    pub const fn problem(&self) -> Problem<'_> {
        let (group, colors) = (Some(self.group), self.colors.as_ref());
        Problem { figure: &self.figure, set: &self.set, colors, group }
    }

    /// Converts placements of the remaining problem to the coordinates of the whole figure, each with its piece's
    /// letter.
    ///
    /// ```
    /// use somacat_counting::solve::{Limits, Placement, Remainder, first};
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::pieces::parse_set;
    ///
    /// // A domino lies at the left end of a bar. The other one can only lie at the right end.
    /// let (bar, set) = (Figure::of_box([4, 1, 1])?, parse_set("D2")?);
    /// let placed = [Placement { piece: 0, cells: vec![Cell::new(0, 0, 0), Cell::new(1, 0, 0)] }];
    /// let rest = Remainder::new(&bar, &set, &placed)?;
    /// let (packing, _) = first(&rest.problem(), Limits::default())?;
    /// let last = rest.in_whole(&packing.expect("a packing"));
    /// assert_eq!(last, [('D', vec![Cell::new(2, 0, 0), Cell::new(3, 0, 0)])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_whole(&self, packing: &[Placement]) -> Vec<(char, Vec<Cell>)> {
        let name = |p: &Placement| self.set.pieces()[p.piece].0.letter();
        let moved = |p: &Placement| p.cells.iter().map(|&c| c + self.corner).collect();
        packing.iter().map(|p| (name(p), moved(p))).collect()
    }
}
