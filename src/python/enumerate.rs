//! All figures of a symmetry or in a box.

use crate::error::invalid;
use crate::figure::Figure;
use crate::stream::Stream;
use pyo3::prelude::*;
use somacat_program::boxes::parse_box;
use somacat_program::enumerate::{
    BoxSpec, ClassChoice, Enumeration, EnumerationSpec, FigureShape, SymmetricSpec,
};
use somacat_program::figure::Identity;

/// An iterator over figures.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct Figures {
    stream: Stream<Figure>,
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
#[derive(FromPyObject)]
pub(crate) enum Sides {
    Text(String),
    Numbers([u32; 3]),
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
#[derive(FromPyObject)]
pub(crate) enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    pub(crate) fn list(names: Option<Self>) -> Vec<String> {
        match names {
            None => Vec::new(),
            Some(Self::One(name)) => vec![name],
            Some(Self::Several(names)) => names,
        }
    }
}

/// Returns the transforms up to which figures are listed.
pub(crate) const fn identity(one_sided: bool) -> Identity {
    if one_sided { Identity::Rotations } else { Identity::Reflections }
}

/// Starts an enumeration on a number of threads, by default one per core.
fn figures(question: EnumerationSpec, threads: Option<usize>) -> PyResult<Figures> {
    let enumeration = Enumeration::new(question).map_err(invalid)?;
    let stream = Stream::start(threads.unwrap_or(0), move |stop, emit| {
        // It ends early only if nobody wants more figures.
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
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn enumerate_symmetric(
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
    let names = Names::list(classes);
    if names.is_empty() && fold.is_none() && order_at_least.is_none() {
        return Err(invalid("name a symmetry: classes, fold or order_at_least"));
    }
    let classes = ClassChoice::new(&names, fold, order_at_least).map_err(invalid)?;
    let bounds = within.map(Sides::sides).transpose()?;
    let spec =
        SymmetricSpec { classes, exact, cells, bounds, parts, identity: identity(one_sided) };
    figures(EnumerationSpec::Symmetric(spec), threads)
}

/// Iterates over all figures with a number of cells that fit in a box.
///
/// With `towers`, every column is solid from the ground, and the third side is the height. Each figure is listed once
/// up to rotation and reflection, with `one_sided` up to rotation, always in the same order.
///
/// >>> sum(1 for _ in enumerate_box("2x2x3", 8))
/// 49
#[pyfunction]
#[pyo3(signature = (sides, cells, *, connected=false, towers=false, one_sided=false, threads=None))]
pub(crate) fn enumerate_box(
    sides: Sides,
    cells: usize,
    connected: bool,
    towers: bool,
    one_sided: bool,
    threads: Option<usize>,
) -> PyResult<Figures> {
    let shape = if towers { FigureShape::Towers } else { FigureShape::Any };
    let identity = identity(one_sided);
    let spec = BoxSpec { connected, shape, identity, ..BoxSpec::new(sides.sides()?, cells) };
    figures(EnumerationSpec::Box(spec), threads)
}
