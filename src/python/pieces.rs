//! Piece sets.

use crate::error::{invalid, require, wrong_type};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use somacat_formats::{check_size, read_piece_set};
use somacat_geometry::figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{self, Piece, parse_piece_lines, parse_set};
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// The coordinates x, y, z of a cell.
pub(crate) type Coordinates = (i32, i32, i32);

/// Returns the coordinates of cells.
pub(crate) fn coordinates(cells: &[Cell]) -> Vec<Coordinates> {
    cells.iter().map(|cell| (cell.x, cell.y, cell.z)).collect()
}

/// Returns the cells at coordinates.
pub(crate) fn cells_at(coordinates: Vec<Coordinates>) -> Vec<Cell> {
    coordinates.into_iter().map(|(x, y, z)| Cell::new(x, y, z)).collect()
}

/// A multiset of pieces, by name: SOMA, 2xSOMA, SOMA+, a famous set such as bedlam, or letters.
///
/// >>> PieceSet("2xSOMA").cells
/// 54
/// >>> [(piece, copies) for piece, copies, cells in PieceSet("V L T2").pieces]
/// [('V', 1), ('L', 1), ('T', 2)]
///
/// It is a collection of these triples, in which a name is looked up:
///
/// >>> "T" in PieceSet("SOMA"), [name for name, copies, cells in PieceSet("SOMA")]
/// (True, ['V', 'L', 'T', 'Z', 'A', 'B', 'P'])
#[pyclass(frozen, eq, from_py_object, module = "somacat")]
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PieceSet {
    pub(crate) set: pieces::PieceSet,
}

#[pymethods]
impl PieceSet {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        Ok(Self { set: parse_set(name).map_err(invalid)? })
    }

    /// Reads a set from lines `name: x,y,z x,y,z …`, one for each piece; `name*2: …` means two copies.
    ///
    /// >>> two = PieceSet.parse("duo*2: 0,0,0 1,0,0", name="two duos")
    /// >>> two.cells
    /// 4
    #[staticmethod]
    #[pyo3(signature = (lines, name="pieces"))]
    fn parse(lines: &str, name: &str) -> PyResult<Self> {
        Ok(Self { set: parse_piece_lines(name, lines).map_err(invalid)? })
    }

    /// Reads a set from a file of pieces: a list of such lines, drawings, or a puzzle of BurrTools.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
    fn read(path: PathBuf) -> PyResult<Self> {
        require(&path)?;
        Ok(Self { set: read_piece_set(&path).map_err(invalid)? })
    }

    /// The lines of a file of these pieces, which `parse` reads.
    ///
    /// >>> print(PieceSet("V D2").lines)
    /// V*1: 0,0,0 0,1,0 1,0,0
    /// D*2: 0,0,0 1,0,0
    #[getter]
    fn lines(&self) -> String {
        let line = |(piece, copies): &(Piece, usize)| {
            let cells: Vec<String> = piece.cells().iter().map(ToString::to_string).collect();
            format!("{}*{copies}: {}", piece.name(), cells.join(" "))
        };
        self.set.pieces().iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The name of the set.
    #[getter]
    fn name(&self) -> &str {
        self.set.name()
    }

    /// The pieces: name, number of copies, cells.
    #[getter]
    fn pieces(&self) -> Vec<(&str, usize, Vec<Coordinates>)> {
        let pieces = self.set.pieces().iter();
        pieces.map(|(piece, copies)| (piece.name(), *copies, coordinates(piece.cells()))).collect()
    }

    /// The number of cells of all pieces.
    #[getter]
    fn cells(&self) -> usize {
        self.set.total_cells()
    }

    /// True if the set contains the mirror image of each piece.
    ///
    /// Only then a figure and its mirror image have equally many packings.
    #[getter]
    fn is_mirror_closed(&self) -> bool {
        self.set.is_mirror_closed()
    }

    /// The number of pieces.
    fn __len__(&self) -> usize {
        self.set.piece_count()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.pieces())?.try_iter()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.set.pieces().iter().any(|(piece, _)| piece.name() == name)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.set.name(), self.lines()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (set, class) = (&this.get().set, this.get_type());
        if parse_set(set.name()).is_ok_and(|known| known == *set) {
            return Ok((class.into_any(), (set.name(),).into_pyobject(this.py())?));
        }
        let fields = (this.get().lines(), set.name()).into_pyobject(this.py())?;
        Ok((class.getattr("parse")?, fields))
    }

    fn __repr__(&self) -> String {
        format!("PieceSet({:?})", self.set.name())
    }
}

/// Pieces as an argument: a set or its name.
pub(crate) enum Pieces {
    Set(PieceSet),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for Pieces {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let set = argument.extract().map(Self::Set);
        set.or_else(|_| argument.extract().map(Self::Name))
            .map_err(|_: PyErr| wrong_type("a PieceSet or the name of one", &argument))
    }
}

impl Pieces {
    /// Returns the set; SOMA if there is no argument.
    pub(crate) fn set(argument: Option<Self>) -> PyResult<pieces::PieceSet> {
        match argument {
            None => Ok(pieces::PieceSet::soma(1)),
            Some(Self::Set(PieceSet { set })) => Ok(set),
            Some(Self::Name(name)) => parse_set(&name).map_err(invalid),
        }
    }

    /// Returns the set for a figure. Warns in the words of the command line if the set does not fill it.
    pub(crate) fn set_for(
        py: Python<'_>,
        argument: Option<Self>,
        figure: &figure::Figure,
    ) -> PyResult<pieces::PieceSet> {
        let set = Self::set(argument)?;
        if let Err(refusal) = check_size(figure.len(), &set) {
            let message = CString::new(refusal.to_string()).map_err(invalid)?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
        }
        Ok(set)
    }
}
