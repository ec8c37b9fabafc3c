//! Piece sets.

use crate::error::{invalid, require, wrong_type};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use somacat_formats::{check_size, colored_piece_set_of, open_source};
use somacat_geometry::figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{
    self, GAP, ParseSetError, Piece, is_own_set_name, parse_colored_piece_lines,
    parse_set_with_ranges,
};
use somacat_rows::GivenFigure;
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
/// A piece may have a least and a greatest number of copies. `count`, `count_partial`, `packings`, `prove`, `marks` and
/// `verify` take such sets; `partial` makes one of any set:
///
/// >>> PieceSet("V0..2 L").ranges
/// [('V', 0, 2), ('L', 1, 1)]
/// >>> count(Figure.parse("1x3x5"), "V0..2 L0..2 T Z").raw
/// 16
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
        uncolored(parse_set_with_ranges(name).map_err(invalid)?)
    }

    /// Reads a set from lines `name: x,y,z x,y,z …`, one for each piece; `name*2: …` means two copies, `name*0..2: …` up
    /// to two.
    ///
    /// >>> two = PieceSet.parse("duo*2: 0,0,0 1,0,0", name="two duos")
    /// >>> two.cells
    /// 4
    #[staticmethod]
    #[pyo3(signature = (lines, name="pieces"))]
    fn parse(lines: &str, name: &str) -> PyResult<Self> {
        let set = parse_colored_piece_lines(name, lines).map_err(invalid)?;
        // A certificate is refused if its name stands for other pieces, or is not on one line.
        match is_own_set_name(name) || parse_set_with_ranges(name).is_ok_and(|known| known == set) {
            true => uncolored(set),
            false => Err(invalid(format!("{name:?} cannot be the name of these pieces"))),
        }
    }

    /// Reads a set from a file of pieces: a list of such lines, drawings, or a puzzle of BurrTools.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
    fn read(path: PathBuf) -> PyResult<Self> {
        require(&path)?;
        let file = open_source(&path).map_err(invalid)?;
        uncolored(colored_piece_set_of(&path, file).map_err(invalid)?)
    }

    /// The set of which a packing uses some pieces, each at most as often as this set has it. Ranges of copies remain as
    /// they are. With `number`, a packing uses this many pieces.
    ///
    /// >>> some = PieceSet("SOMA").partial(4)
    /// >>> some, some.ranges[0], some.number
    /// (<PieceSet 4 of SOMA>, ('V', 0, 1), 4)
    /// >>> next(packings(Figure.parse("1x3x5"), some))
    /// <Packing V L T Z>
    #[pyo3(signature = (number=None))]
    fn partial(&self, number: Option<usize>) -> PyResult<Self> {
        if number == Some(0) {
            return Err(PyValueError::new_err("a packing uses at least one piece, not 0"));
        }
        Ok(Self { set: self.set.partial(number) })
    }

    /// The lines of a file of these pieces, which `parse` reads.
    ///
    /// >>> print(PieceSet("V D2").lines)
    /// V*1: 0,0,0 0,1,0 1,0,0
    /// D*2: 0,0,0 1,0,0
    #[getter]
    fn lines(&self) -> String {
        let line = |(piece, [least, most]): (&Piece, [usize; 2])| {
            let cells: Vec<String> = piece.cells().iter().map(ToString::to_string).collect();
            let copies = if least == most { most.to_string() } else { format!("{least}..{most}") };
            format!("{}*{copies}: {}", piece.name(), cells.join(" "))
        };
        self.set.ranges().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The name of the set.
    #[getter]
    fn name(&self) -> &str {
        self.set.name()
    }

    /// The pieces: name, number of copies, cells. Of a range it is the greatest number.
    #[getter]
    fn pieces(&self) -> Vec<(&str, usize, Vec<Coordinates>)> {
        let pieces = self.set.pieces().iter();
        pieces.map(|(piece, copies)| (piece.name(), *copies, coordinates(piece.cells()))).collect()
    }

    /// The least and the greatest number of copies of each piece: name, least, greatest.
    #[getter]
    fn ranges(&self) -> Vec<(&str, usize, usize)> {
        self.set.ranges().map(|(piece, [least, most])| (piece.name(), least, most)).collect()
    }

    /// The number of pieces that a packing uses. `None` if the copies alone decide it.
    #[getter]
    fn number(&self) -> Option<usize> {
        self.set.number()
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
        if parse_set_with_ranges(set.name()).is_ok_and(|known| known == *set) {
            return Ok((class.into_any(), (set.name(),).into_pyobject(this.py())?));
        }
        let fields = (this.get().lines(), set.name(), set.number()).into_pyobject(this.py())?;
        Ok((class.getattr("_restore")?, fields))
    }

    /// Makes a set again from its pickled lines, its name, and the number of pieces that a packing uses.
    #[staticmethod]
    fn _restore(lines: &str, name: &str, number: Option<usize>) -> PyResult<Self> {
        let set = parse_colored_piece_lines(name, lines).map_err(invalid)?;
        Ok(Self { set: if number.is_some() { set.partial(number) } else { set } })
    }

    fn __repr__(&self) -> String {
        let (name, words) = (self.set.name(), self.set.in_words());
        if words == name { format!("PieceSet({name:?})") } else { format!("<PieceSet {words}>") }
    }
}

/// Returns the set. Refuses pieces whose cells have colors.
fn uncolored(set: pieces::PieceSet) -> PyResult<PieceSet> {
    match set.without_colors() {
        Ok(set) => Ok(PieceSet { set }),
        Err(ParseSetError::Colored(piece)) => {
            let text = format!("piece {piece} has cells with colors; remove the colors");
            Err(PyValueError::new_err(text))
        }
        Err(error) => Err(invalid(error)),
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
    /// Returns the set, whose pieces may have ranges of copies; SOMA if there is no argument.
    pub(crate) fn with_ranges(argument: Option<Self>) -> PyResult<pieces::PieceSet> {
        match argument {
            None => Ok(pieces::PieceSet::soma(1)),
            Some(Self::Set(PieceSet { set })) => Ok(set),
            Some(Self::Name(name)) => parse_set_with_ranges(&name).map_err(invalid),
        }
    }

    /// Returns the set for a function of which every packing uses all pieces; SOMA if there is no argument.
    pub(crate) fn set(argument: Option<Self>) -> PyResult<pieces::PieceSet> {
        Self::with_ranges(argument)?.plain().map_err(|error| match error {
            ParseSetError::Range(piece, [least, most]) => PyValueError::new_err(format!(
                "piece {piece} may be used {least} to {most} times, which only count, count_partial, packings, prove, \
                 marks and verify take; give it one number of copies"
            )),
            other => invalid(other),
        })
    }

    /// Returns the set for a figure, like [`Self::set`]. Warns in the words of the command line if it does not fill it.
    pub(crate) fn set_for(
        py: Python<'_>,
        argument: Option<Self>,
        figure: &figure::Figure,
    ) -> PyResult<pieces::PieceSet> {
        let set = Self::set(argument)?;
        warn_of_size(py, figure, &set)?;
        Ok(set)
    }

    /// Returns the set for a figure, with ranges of copies and, if asked for, with gaps. Warns like [`Self::set_for`].
    pub(crate) fn choice_for(
        py: Python<'_>,
        argument: Option<Self>,
        figure: &figure::Figure,
        gaps: bool,
    ) -> PyResult<pieces::PieceSet> {
        let given = GivenFigure { figure, colors: None, placed: None, gaps };
        let set = given.with_gaps(Self::with_ranges(argument)?);
        warn_of_size(py, figure, &set)?;
        Ok(set)
    }
}

/// Warns if the pieces do not fill the figure.
fn warn_of_size(py: Python<'_>, figure: &figure::Figure, set: &pieces::PieceSet) -> PyResult<()> {
    if let Err(refusal) = check_size(figure.len(), set) {
        let message = CString::new(refusal.to_string()).map_err(invalid)?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(())
}

/// Returns the pieces of a choice, without the gaps that it leaves.
pub(crate) fn without_gaps(choice: &pieces::PieceSet) -> PieceSet {
    let pieces = choice.pieces().iter().filter(|(piece, _)| piece.letter() != GAP).cloned();
    PieceSet { set: pieces::PieceSet::new(choice.name(), pieces) }
}
