//! Packings, one by one.

use crate::error::{failed, invalid, unsolved};
use crate::figure::{Figure, View3d, view, without_header};
use crate::pieces::{Coordinates, Pieces, cells_at, coordinates};
use crate::stream::Stream;
use crate::work::interruptible;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, Problem, visit};
use somacat_counting::stand::{DEFAULT_FRICTION, LoosePieces, StandError, analyze_stability};
use somacat_counting::takeapart;
use somacat_formats::{Marks, piece_marks, soma_packing};
use somacat_geometry::figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{GAP, PieceSet};
use somacat_geometry::spelling::Spelling;
use somacat_output::draw::{View, packing_svg};
use somacat_output::export::view_frame;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A move: the positions of the pieces that move, and the direction.
type NamedMove = (Vec<usize>, &'static str);

/// The cells of a packing's figure, and its pieces.
type PickledPacking = (Vec<Coordinates>, Vec<(char, Vec<Coordinates>)>);

/// A packing of a figure: a collection of its pieces, each with its cells. Packings can be compared, be elements of sets,
/// be copied and pickled.
///
/// >>> cube = Figure.parse("333 333 333")
/// >>> len(next(packings(cube))), len(set(packings(cube))), len(set(packings(cube, unique=True)))
/// (7, 11520, 240)
#[pyclass(frozen, eq, hash, module = "somacat")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packing {
    figure: Arc<figure::Figure>,
    pieces: Marks,
}

impl Packing {
    /// Names the pieces of a packing, in the order of the set. Cells of gaps stay empty.
    pub(crate) fn new(figure: &Arc<figure::Figure>, set: &PieceSet, placed: &[Placement]) -> Self {
        let mut placed: Vec<&Placement> = placed.iter().collect();
        placed.sort_unstable();
        let named = |p: &Placement| (set.pieces()[p.piece].0.letter(), p.cells.clone());
        let pieces = placed.into_iter().map(named).filter(|(name, _)| *name != GAP).collect();
        Self { figure: figure.clone(), pieces }
    }

    /// Returns the cells that no piece covers.
    fn gaps(&self) -> Vec<Cell> {
        let is_covered = |cell: &Cell| self.pieces.iter().any(|(_, cells)| cells.contains(cell));
        self.figure.cells().iter().filter(|cell| !is_covered(cell)).copied().collect()
    }
}

#[pymethods]
impl Packing {
    /// The pieces, each with its cells in the coordinates of the figure.
    #[getter]
    fn pieces(&self) -> Vec<(char, Vec<Coordinates>)> {
        self.pieces.iter().map(|(name, cells)| (*name, coordinates(cells))).collect()
    }

    /// The cells of the figure that stay empty.
    #[getter]
    fn empty(&self) -> Vec<Coordinates> {
        coordinates(&self.gaps())
    }

    /// The figure.
    #[getter]
    fn figure(&self) -> Figure {
        figure::Figure::clone(&self.figure).into()
    }

    /// The number of pieces.
    fn __len__(&self) -> usize {
        self.pieces.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.pieces())?.try_iter()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickledPacking)> {
        let packing = this.get();
        let fields = (coordinates(packing.figure.cells()), packing.pieces());
        Ok((this.get_type().getattr("_restore")?, fields))
    }

    /// Makes a packing again from its pickled cells and pieces.
    #[staticmethod]
    fn _restore(cells: Vec<Coordinates>, pieces: Vec<(char, Vec<Coordinates>)>) -> PyResult<Self> {
        let figure = Arc::new(figure::Figure::new(cells_at(cells)).map_err(invalid)?);
        let pieces = pieces.into_iter().map(|(name, cells)| (name, cells_at(cells))).collect();
        Ok(Self { figure, pieces })
    }

    /// Takes the pieces apart by straight moves, as the command `takeapart` does.
    ///
    /// Returns the moves, each with the pieces that leave together and a direction such as `-z` (up), and the groups
    /// of pieces that no move separates. Pieces are positions in the list of pieces.
    ///
    /// >>> moves, interlocked = next(packings(Figure.parse("333 333 333"))).take_apart()
    /// >>> len(moves), moves[0][1], interlocked
    /// (6, '-z', [])
    fn take_apart(&self) -> (Vec<NamedMove>, Vec<Vec<usize>>) {
        let cells: Vec<Vec<Cell>> = self.pieces.iter().map(|(_, cells)| cells.clone()).collect();
        let taken = takeapart::take_apart(&cells);
        let moves = taken.moves.into_iter().map(|one| (one.pieces, one.direction.word()));
        (moves.collect(), taken.interlocked)
    }

    /// Returns whether the loose pieces may stand as the packing lies, and an order in which hands can build them from
    /// above, every stage standing. Pieces are positions in the list of pieces; the order is `None` if there is none.
    ///
    /// `friction` is the coefficient between pieces, and between them and the ground. Raises `Error` if a result is unknown.
    ///
    /// >>> stands, order = next(packings(Figure.parse("333 333 333"))).stand()
    /// >>> stands, len(order)
    /// (True, 7)
    #[pyo3(signature = (friction=DEFAULT_FRICTION))]
    fn stand(&self, py: Python<'_>, friction: f64) -> PyResult<(bool, Option<Vec<usize>>)> {
        let cells: Vec<Vec<Cell>> = self.pieces.iter().map(|(_, cells)| cells.clone()).collect();
        let loose = interruptible(py, None, &|| (), |_| analyze_stability(cells, friction))?;
        let unknown = |error| match error {
            StandError::Friction(_) => invalid(error),
            other => failed(other),
        };
        let LoosePieces { stands, order } = loose.map_err(unknown)?;
        Ok((stands, order.map_err(unknown)?))
    }

    /// Draws the packing as SVG, as `Figure.svg` does.
    #[pyo3(signature = (corner=None, kind="solid", size=None, plain=false))]
    fn svg(
        &self,
        corner: Option<&str>,
        kind: &str,
        size: Option<u32>,
        plain: bool,
    ) -> PyResult<String> {
        let view = view(corner, kind, size, plain)?;
        packing_svg(&self.figure, &self.pieces, &view).map_err(invalid)
    }

    /// Shows the packing in 3D, as `Figure.view` does.
    fn view(&self) -> View3d {
        View3d { html: view_frame(&self.pieces) }
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        packing_svg(&self.figure, &self.pieces, &View::default()).map_err(invalid)
    }

    /// Writes SOMA text, with `~` for cells that stay empty.
    fn __str__(&self) -> PyResult<String> {
        let gaps = Some((GAP, self.gaps())).filter(|(_, cells)| !cells.is_empty());
        let marked: Marks = self.pieces.iter().cloned().chain(gaps).collect();
        let marks = piece_marks(&marked).map_err(invalid)?;
        Ok(without_header(&soma_packing(None, None, &marks).map_err(invalid)?))
    }

    fn __repr__(&self) -> String {
        let pieces: Vec<String> = self.pieces.iter().map(|(name, _)| name.to_string()).collect();
        format!("<Packing {}>", pieces.join(" "))
    }
}

/// An iterator over packings.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct Packings {
    stream: Stream<Packing>,
}

#[pymethods]
impl Packings {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Packing>> {
        self.stream.next(py)
    }
}

/// Iterates over a figure's packings, or with `unique` one of each class.
///
/// The classes are those up to the figure's rotations and reflections. The set may have ranges of copies, or be some of
/// a set (`PieceSet.partial`): packings with different choices of pieces are found in one search. With `gaps`, cells may
/// stay empty, as many as the figure has more than the pieces fill.
///
/// >>> cube = Figure.parse("333 333 333")
/// >>> print(next(packings(cube)))
/// /772/752/552
/// /762/451/411
/// /466/436/333
/// >>> sum(1 for _ in packings(cube, unique=True))
/// 240
/// >>> packing = next(packings(Figure.parse("1x2x5"), "T Z", gaps=True))
/// >>> len(packing), len(packing.empty)
/// (2, 2)
#[expect(
    clippy::fn_params_excessive_bools,
    reason = "the arguments are those of the Python function"
)]
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, unique=false, *, gaps=false))]
pub(crate) fn packings(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    unique: bool,
    gaps: bool,
) -> PyResult<Packings> {
    let candidate = figure.get().candidate.clone();
    let set = Pieces::choice_for(py, pieces, candidate.figure(), gaps)?;
    let stream = Stream::start(1, move |stop, emit| {
        let figure = Arc::new(candidate.figure().clone());
        let problem = Problem::with_group(&figure, &set, candidate.group());
        let symmetries = unique.then(|| PackingSymmetries::of(&problem));
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let visited = visit(&problem, limits, &mut |placed| match symmetries
            .as_ref()
            .is_none_or(|all| all.is_least(placed))
        {
            true => emit(Packing::new(&figure, &set, placed)),
            false => ControlFlow::Continue(()),
        });
        visited.map(|_| ()).map_err(|error| unsolved(&error))
    })?;
    Ok(Packings { stream })
}
