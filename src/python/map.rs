//! Solution maps.

use crate::error::{failed, invalid, unsolved};
use crate::figure::Figure;
use crate::packings::Packing;
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use somacat_counting::map::{self, MapError};
use somacat_counting::solve::{Limits, Placement, Problem};
use somacat_geometry::pieces;
use std::sync::Arc;

/// The graph of a figure's packings. Edges join packings that differ by moving two or three pieces.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct SolutionMap {
    figure: Arc<somacat_geometry::figure::Figure>,
    set: pieces::PieceSet,
    map: map::SolutionMap,
}

#[pymethods]
impl SolutionMap {
    /// The packings up to the figure's symmetries, by number.
    #[getter]
    fn packings(&self) -> Vec<Packing> {
        let packing = |vertex| {
            let placed: Vec<Placement> = self.map.packing(vertex).into_iter().cloned().collect();
            Packing::new(&self.figure, &self.set, &placed)
        };
        (0..self.map.vertices()).map(packing).collect()
    }

    /// The edges, ready for `networkx.Graph`: two numbers, and the number of pieces that move as `moved`.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Vec<(u32, u32, Bound<'py, PyDict>)>> {
        let mut edges = Vec::new();
        for (moved, pairs) in [(2, self.map.edges_2()), (3, self.map.edges_3())] {
            for &(a, b) in pairs {
                let attributes = PyDict::new(py);
                attributes.set_item("moved", moved)?;
                edges.push((a, b, attributes));
            }
        }
        Ok(edges)
    }

    /// The numbers of packings of the connected components, the largest first.
    #[getter]
    fn components(&self) -> Vec<usize> {
        self.map.components()
    }

    /// The largest distance between two packings of the largest component.
    #[getter]
    fn diameter(&self) -> usize {
        self.map.diameter()
    }

    /// The number of packings.
    fn __len__(&self) -> usize {
        self.map.vertices()
    }

    fn __repr__(&self) -> String {
        let edges = self.map.edges_2().len() + self.map.edges_3().len();
        format!("<SolutionMap of {} packings and {edges} edges>", self.map.vertices())
    }
}

/// Maps a figure's packings, connected by moves of two or three pieces.
///
/// Packings are counted up to the figure's symmetries; there may be up to 100,000.
///
/// >>> cube = solution_map(Figure.parse("333 333 333"))
/// >>> len(cube), cube.components
/// (240, [239, 1])
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, threads=None))]
pub(crate) fn solution_map(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    threads: Option<usize>,
) -> PyResult<SolutionMap> {
    let candidate = &figure.get().candidate;
    let set = Pieces::set_for(py, pieces, candidate.figure())?;
    let map = interruptible(py, threads, &|| (), |stop| {
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let problem = Problem::with_group(candidate.figure(), &set, candidate.group());
        map::SolutionMap::new(&problem, limits)
    })?;
    let map = map.map_err(|error| match error {
        MapError::Solve(error) => unsolved(&error),
        MapError::TooMany(_) | MapError::AtLeast(_) => invalid(error),
        MapError::Undecided(_) | MapError::Stopped => failed(error),
    })?;
    Ok(SolutionMap { figure: Arc::new(candidate.figure().clone()), set, map })
}
