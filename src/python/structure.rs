//! Where pieces can lie, and proofs by marks.

use crate::arrow::{ArrowTable, ColumnKind, TableBuilder};
use crate::error::{failed, unsolved};
use crate::figure::Figure;
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::prelude::*;
use somacat_catalog::SqlValue;
use somacat_counting::places;
use somacat_counting::prove::find_marks;
use somacat_counting::solve::{Limits, Problem};

/// Returns where each piece of a figure can lie, up to symmetry: a table of piece, orbit, placements, packings.
///
/// `packings` is the number of all packings that use one of the placements. Raises `Error` if the search takes more than
/// `nodes` nodes.
///
/// >>> [row["packings"] for row in places(Figure.parse("333 333 333")) if row["piece"] == "T"]
/// [11520, 0, 0, 0]
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, nodes=1_000_000_000, threads=None), name = "places")]
pub(crate) fn list_places(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    nodes: u64,
    threads: Option<usize>,
) -> PyResult<ArrowTable> {
    let candidate = &figure.get().candidate;
    let set = Pieces::set_for(py, pieces, candidate.figure())?;
    let found = interruptible(py, threads, &|| (), |stop| {
        let limits = Limits { nodes: Some(nodes), stop: Some(stop), ..Limits::default() };
        places::places(&Problem::with_group(candidate.figure(), &set, candidate.group()), limits)
    })?;
    let found = found.map_err(|error| unsolved(&error))?;
    if !found.report.outcome.is_exact() {
        return Err(failed(format_args!("there are more packings than {nodes} nodes find")));
    }
    let (text, integer) = (ColumnKind::Text, ColumnKind::Integer);
    let columns =
        [("piece", text), ("orbit", integer), ("placements", integer), ("packings", integer)];
    let mut table = TableBuilder::new(columns);
    for (number, orbit) in found.numbered() {
        let piece = &set.pieces()[orbit.first.piece].0;
        let integer = |n: u64| SqlValue::Integer(n.cast_signed());
        table.row([
            SqlValue::Text(piece.name().to_owned()),
            integer(number as u64),
            integer(orbit.placements as u64),
            integer(orbit.packings),
        ])?;
    }
    table.finish()
}

/// Marks on cells that prove that a figure cannot be built: it has more marks than the pieces cover at most.
#[pyclass(frozen, get_all, module = "somacat")]
pub(crate) struct Marks {
    /// The number of marks on each cell, in the order of the figure's cells.
    marks: Vec<i64>,
    /// The most marks that one copy of each piece covers: name and number.
    pieces: Vec<(String, i64)>,
    /// The marks in all.
    total: i64,
    /// The most marks that all pieces cover together.
    most: i64,
    /// The proof in words.
    text: String,
}

#[pymethods]
impl Marks {
    fn __repr__(&self) -> String {
        format!("<Marks: {} in all, the pieces cover {} at most>", self.total, self.most)
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

/// Looks for marks that prove that a figure cannot be built. `None` if there are none, which proves nothing.
///
/// >>> marks(Figure.parse("s1-5x5x5-000400cf402eee804y6004000"))
/// <Marks: 8 in all, the pieces cover 7 at most>
/// >>> marks(Figure.parse("333 333 333")) is None
/// True
#[pyfunction]
#[pyo3(signature = (figure, pieces=None))]
pub(crate) fn marks(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
) -> PyResult<Option<Marks>> {
    let (set, shape) = (Pieces::with_ranges(pieces)?, figure.get().shape());
    let found = interruptible(py, None, &|| (), |stop| {
        find_marks((shape, &set), Limits { stop: Some(stop), ..Limits::default() })
    })?;
    let names = set.pieces().iter().map(|(piece, _)| piece.name().to_owned());
    Ok(found.map(|found| Marks {
        total: found.total(),
        most: found.most,
        text: found.in_words(&set),
        pieces: names.zip(found.largest).collect(),
        marks: found.weights,
    }))
}
