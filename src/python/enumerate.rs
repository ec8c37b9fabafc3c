//! All figures of a symmetry or in a box. Also the buildable figures of a class.

use crate::error::{ReaderError, failed, invalid, wrong_type};
use crate::figure::{Figure, equivalence};
use crate::pieces::Pieces;
use crate::stream::Stream;
use pyo3::prelude::*;
use somacat_counting::enumerate::{
    BoxSpec, ClassChoice, Enumeration, EnumerationSpec, FigureShape, Place, ShardRange,
    SymmetricSpec,
};
use somacat_counting::question::{
    Batch, FigureSink, Keep, Wanted, Work, all_counted, answer, buildable_class, buildable_question,
};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::Candidate;
use std::ops::ControlFlow;

/// An iterator over figures.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct Figures {
    pub(crate) stream: Stream<Figure>,
}

#[pymethods]
impl Figures {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Figure>> {
        self.stream.next(py)
    }
}

/// A box as an argument: `3x3x4` or three numbers.
pub(crate) enum Sides {
    Text(String),
    Numbers([u32; 3]),
}

impl<'py> FromPyObject<'_, 'py> for Sides {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = argument.extract().map(Self::Text);
        text.or_else(|_: PyErr| argument.extract().map(Self::Numbers))
            .map_err(|_: PyErr| wrong_type("a box such as \"3x3x4\" or (3, 3, 4)", &argument))
    }
}

impl Sides {
    pub(crate) fn sides(self) -> PyResult<[u32; 3]> {
        match self {
            Self::Text(text) => parse_box(&text).map_err(invalid),
            Self::Numbers(sides) => Ok(sides),
        }
    }
}

/// Names of classes as an argument: one or several.
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let one = argument.extract().map(|name| Self(vec![name]));
        one.or_else(|_: PyErr| argument.extract().map(Self))
            .map_err(|_: PyErr| wrong_type("the name of a class or a list of names", &argument))
    }
}

/// Starts an enumeration on `threads` threads, by default one per core.
fn figures(py: Python<'_>, question: EnumerationSpec, threads: Option<usize>) -> PyResult<Figures> {
    let enumeration = py.detach(|| Enumeration::new(question)).map_err(invalid)?;
    let stream = Stream::start(threads.unwrap_or(0), move |stop, emit| {
        // It ends early only if the caller drops the iterator.
        let _ = enumeration.for_each(stop, &mut |candidate| emit(Figure { candidate }));
        Ok(())
    })?;
    Ok(Figures { stream })
}

/// Iterates over all connected figures whose symmetry group contains (with `exact`: is) a group of a class.
///
/// Choose classes by name, by the order of an element (`fold`), or by the order of the group. Without a box
/// (`within`) the list is complete, however far figures extend; groups of order 1 and 2 need a box. Each figure is
/// listed once up to rotation and reflection, with `one_sided` up to rotation, always in the same order.
///
/// >>> figures = list(enumerate_symmetric(12, fold=6))
/// >>> sorted({figure.symmetry_class for figure in figures})
/// ['C3i', 'D3d']
#[pyfunction]
#[pyo3(signature = (
    cells, *, classes=None, fold=None, order_at_least=None, within=None, exact=false, parts=1, one_sided=false,
    threads=None
))]
#[expect(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "keyword arguments of Python"
)]
pub(crate) fn enumerate_symmetric(
    py: Python<'_>,
    cells: usize,
    classes: Option<Names>,
    fold: Option<usize>,
    order_at_least: Option<usize>,
    within: Option<Sides>,
    exact: bool,
    parts: usize,
    one_sided: bool,
    threads: Option<usize>,
) -> PyResult<Figures> {
    let names = classes.map_or_else(Vec::new, |Names(names)| names);
    if names.is_empty() && fold.is_none() && order_at_least.is_none() {
        return Err(invalid("name a symmetry: classes, fold or order_at_least"));
    }
    let classes = ClassChoice::new(&names, fold, order_at_least).map_err(invalid)?;
    let bounds = within.map(Sides::sides).transpose()?;
    let spec =
        SymmetricSpec { classes, exact, cells, bounds, parts, equivalence: equivalence(one_sided) };
    figures(py, EnumerationSpec::Symmetric(spec), threads)
}

/// Iterates over all figures of `cells` cells that fit in a box.
///
/// With `towers`, every column is solid from the ground, and the third side is the height. Each figure is listed once
/// up to rotation and reflection, with `one_sided` up to rotation, always in the same order.
///
/// >>> sum(1 for _ in enumerate_box("2x2x3", 8))
/// 49
#[pyfunction]
#[pyo3(signature = (sides, cells, *, connected=false, towers=false, one_sided=false, threads=None))]
#[expect(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "keyword arguments of Python"
)]
pub(crate) fn enumerate_box(
    py: Python<'_>,
    sides: Sides,
    cells: usize,
    connected: bool,
    towers: bool,
    one_sided: bool,
    threads: Option<usize>,
) -> PyResult<Figures> {
    let shape = if towers { FigureShape::Towers } else { FigureShape::Any };
    let equivalence = equivalence(one_sided);
    let spec = BoxSpec { connected, shape, equivalence, ..BoxSpec::new(sides.sides()?, cells) };
    figures(py, EnumerationSpec::Box(spec), threads)
}

/// Iterates over the buildable connected figures whose symmetry group contains (with `exact`: is) a group of a class.
///
/// For groups of order 2, 4, 8 and 16 and an odd number of cells, figures and packings are searched together. For
/// other groups of order 3 or more, all figures are listed and counted.
///
/// >>> sum(1 for _ in buildable("Ci", "V L T"))
/// 21
#[pyfunction]
#[pyo3(signature = (symmetry_class, pieces=None, *, exact=false, threads=None))]
pub(crate) fn buildable(
    py: Python<'_>,
    symmetry_class: &str,
    pieces: Option<Pieces>,
    exact: bool,
    threads: Option<usize>,
) -> PyResult<Figures> {
    let set = Pieces::set(pieces)?;
    let class = buildable_class(symmetry_class).map_err(invalid)?;
    let question = py.detach(|| buildable_question(class, exact, &set, Keep::Buildable));
    let question = question.map_err(invalid)?;
    let stream = Stream::start(threads.unwrap_or(0), move |stop, emit| {
        let (work, mut sink) = (Work::until(stop), BuildableFigures { emit });
        match answer(&*question, ShardRange::ALL, Place::default(), work, &mut sink) {
            Err(ReaderError(Some(error))) => Err(error),
            // It ends early only if the caller drops the iterator.
            Ok(_) | Err(ReaderError(None)) => Ok(()),
        }
    })?;
    Ok(Figures { stream })
}

/// The sink of buildable figures. Breaks if the caller drops the iterator.
struct BuildableFigures<'a> {
    emit: &'a mut dyn FnMut(Figure) -> ControlFlow<()>,
}

impl FigureSink for BuildableFigures<'_> {
    type Error = ReaderError;

    fn wanted(&self) -> Wanted {
        Wanted::Figures
    }

    fn take(&mut self, batch: Batch) -> Result<(), ReaderError> {
        all_counted(&batch)?;
        for row in batch.rows {
            let candidate = Candidate::from_columns(row.columns).map_err(failed)?;
            if (self.emit)(Figure { candidate }).is_break() {
                return Err(ReaderError(None));
            }
        }
        Ok(())
    }
}
