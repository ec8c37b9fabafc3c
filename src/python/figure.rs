//! Figures: form, symmetry, pictures.

use crate::error::invalid;
use crate::pieces::{Coordinates, cells_at, coordinates};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyIterator, PyList};
use somacat_counting::enumerate::{FigureNumber, NumberError};
use somacat_counting::stand::{Side, solid_stability};
use somacat_formats::{Format, Item, Reader, count_noun, soma_figure};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{self, Candidate, Equivalence, FigureError, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_output::draw::{Corner, Plans, View, ViewKind, figure_svg};
use somacat_output::export::{parse_word, view_frame};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A figure of unit cubes in its given position.
///
/// Two figures are equal if they have the same cells up to translation. They have the same signature if they are
/// equal up to rotation and reflection too.
///
/// >>> standing = Figure([(0, 0, 0), (0, 0, 1), (1, 0, 1)])
/// >>> lying = Figure([(0, 0, 0), (0, 1, 0), (1, 1, 0)])
/// >>> standing == lying
/// False
/// >>> standing.signature == lying.signature
/// True
///
/// It is a collection of its cells. Figures can be sorted, by signature and then by their cells, be elements of sets, be
/// copied and pickled.
///
/// >>> (1, 0, 1) in standing, sorted(standing)[0]
/// (True, (0, 0, 0))
#[pyclass(frozen, module = "somacat")]
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) candidate: Candidate,
}

impl From<figure::Figure> for Figure {
    fn from(figure: figure::Figure) -> Self {
        Self { candidate: Candidate::new(figure, Equivalence::Reflections) }
    }
}

impl Figure {
    pub(crate) fn shape(&self) -> &figure::Figure {
        self.candidate.figure()
    }
}

/// The function that makes a figure again, and its arguments: the cells, and whether its mirror image is another figure.
type PickledFigure<'py> = (Bound<'py, PyAny>, (Vec<Coordinates>, bool));

/// A figure or a packing in 3D, which a notebook shows. As text it is HTML.
#[pyclass(frozen, name = "View", module = "somacat")]
pub(crate) struct View3d {
    pub(crate) html: String,
}

#[pymethods]
impl View3d {
    fn _repr_html_(&self) -> &str {
        &self.html
    }

    fn __str__(&self) -> &str {
        &self.html
    }
}

/// Reads the cell of an iterable of three whole numbers.
fn cell(coordinates: &Bound<'_, PyAny>) -> PyResult<Cell> {
    let numbers: Vec<i64> =
        coordinates.try_iter()?.map(|number| number?.extract()).collect::<PyResult<_>>()?;
    let small =
        |n: i64| i32::try_from(n).map_err(|_| invalid(FigureError::CoordinateOutOfRange(n)));
    match numbers[..] {
        [x, y, z] => Ok(Cell::new(small(x)?, small(y)?, small(z)?)),
        _ => {
            let found = count_noun(numbers.len() as u64, "number");
            Err(PyValueError::new_err(format!("a cell has three coordinates x, y, z, not {found}")))
        }
    }
}

/// Returns the transforms up to which figures are equal.
pub(crate) const fn equivalence(one_sided: bool) -> Equivalence {
    if one_sided { Equivalence::Rotations } else { Equivalence::Reflections }
}

/// Reads the only figure of a text.
fn parsed(text: &str, format: Option<&str>) -> PyResult<figure::Figure> {
    let format: Option<Format> = format.map(str::parse).transpose().map_err(invalid)?;
    let mut figures = Vec::new();
    for item in Reader::new(text.as_bytes(), format).map_err(invalid)? {
        match item.map_err(invalid)? {
            Item::Entry(entry) => figures.push(entry.figure),
            Item::Fault(fault) => {
                return Err(PyValueError::new_err(format!(
                    "line {}: {}",
                    fault.line, fault.reason
                )));
            }
        }
    }
    let number = figures.len() as u64;
    figures.pop().filter(|_| number == 1).ok_or_else(|| {
        let found = count_noun(number, "figure");
        PyValueError::new_err(format!("the text contains {found}; parse reads one"))
    })
}

#[pymethods]
impl Figure {
    #[new]
    fn new(cells: &Bound<'_, PyAny>) -> PyResult<Self> {
        let cells = cells.try_iter()?.map(|coordinates| cell(&coordinates?));
        let cells = cells.collect::<PyResult<Vec<Cell>>>()?;
        Ok(figure::Figure::new(cells).map_err(invalid)?.into())
    }

    /// Reads a figure: SOMA text, cells `x,y,z x,y,z …`, a height map, slices, a box, a signature, or a number.
    ///
    /// The format is detected, or `soma`, `cells`, `heightmap`, `slices`, `points`, `layers` or `json`. Pieces shown in
    /// the text are ignored.
    ///
    /// >>> Figure.parse("67 77").signature
    /// 's1-2x2x7-yzzzz7'
    /// >>> len(Figure.parse("s1-2x2x7-yzzzz7"))
    /// 27
    /// >>> Figure.parse("Oh-27.1").extents
    /// (3, 3, 3)
    /// >>> len(Figure.parse("3x3x4"))
    /// 36
    #[staticmethod]
    #[pyo3(signature = (text, format=None))]
    fn parse(text: &str, format: Option<&str>) -> PyResult<Self> {
        let signature = match text.trim().parse::<FigureNumber>() {
            _ if format.is_some() => None,
            Ok(number) => Some(number.signature().map_err(invalid)?),
            Err(error @ (NumberError::Spelling { .. } | NumberError::NoClass { .. })) => {
                return Err(invalid(error));
            }
            Err(_) => text.trim().parse().ok(),
        };
        if let (None, Ok(sides)) = (format, parse_box(text)) {
            return Ok(figure::Figure::of_box(sides).map_err(invalid)?.into());
        }
        match signature.map(|signature: Signature| signature.figure()) {
            Some(figure) => Ok(figure.map_err(invalid)?.into()),
            None => Ok(parsed(text, format)?.into()),
        }
    }

    /// The cells (x, y, z), ascending, with smallest coordinates 0. The z axis points down.
    #[getter]
    fn cells(&self) -> Vec<Coordinates> {
        coordinates(self.shape().cells())
    }

    /// The extents of the bounding box along x, y and z.
    #[getter]
    fn extents(&self) -> (u32, u32, u32) {
        self.shape().extents().into()
    }

    /// The versioned canonical form. Two figures have the same form if and only if they are equal up to rotation and
    /// reflection.
    #[getter]
    fn signature(&self) -> &str {
        self.candidate.signature().as_str()
    }

    /// The permanent number among the figures of its class and size. `None` if these are too many.
    ///
    /// >>> Figure.parse("333 333 333").number
    /// 'Oh-27.1'
    #[getter]
    fn number(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| FigureNumber::of(&self.candidate)).map(|number| number.to_string())
    }

    /// Returns the figure in canonical position.
    ///
    /// >>> Figure.parse("77 67").canonical() == Figure.parse("67 77").canonical()
    /// True
    fn canonical(&self) -> Self {
        let (figure, group) = self.candidate.canonical();
        Self { candidate: Candidate::with_group(figure, group, self.candidate.equivalence()) }
    }

    /// The class of the symmetry group, such as `D3d` or `C2v(edge)`.
    ///
    /// >>> Figure.parse("333 333 333").symmetry_class
    /// 'Oh'
    #[getter]
    fn symmetry_class(&self) -> &'static str {
        self.candidate.class().name()
    }

    /// The symmetry group: Bob Nungester's numbers of the transforms that map the figure to itself.
    ///
    /// >>> Figure.parse("3330000 0033300 0000333").group
    /// [1, 2, 7, 8]
    #[getter]
    fn group(&self) -> Vec<u32> {
        self.candidate.group().iter().map(|t| t.number().into()).collect()
    }

    /// True if no rotation leads to the mirror image.
    ///
    /// >>> Figure.parse("67 77").is_chiral, Figure([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)]).is_chiral
    /// (False, True)
    #[getter]
    fn is_chiral(&self) -> bool {
        self.candidate.group().is_chiral()
    }

    /// The orders of the group's elements. A figure with 6 among them has 6-fold symmetry.
    #[getter]
    fn cyclic_orders(&self) -> Vec<usize> {
        self.candidate.group().cyclic_orders()
    }

    /// The difference between the numbers of black and white checkerboard cells.
    #[getter]
    fn parity(&self) -> u32 {
        self.candidate.columns().parity
    }

    /// The number of separate parts; 1 for a connected figure.
    #[getter]
    fn parts(&self) -> usize {
        self.candidate.columns().parts
    }

    /// Returns the image under a transform, by its number 1 to 48.
    ///
    /// >>> figure = Figure.parse("67 77")
    /// >>> figure.transformed(1) == figure
    /// True
    fn transformed(&self, number: u8) -> PyResult<Self> {
        let transform = Transform::from_number(number).ok_or_else(|| {
            invalid(format_args!("{number} is not a transform; they are numbered 1 to 48"))
        })?;
        Ok(self.shape().transformed(transform).into())
    }

    /// Returns whether the figures are equal up to rotation and, unless `reflections` is false, reflection.
    ///
    /// >>> Figure.parse("77 67").is_congruent(Figure.parse("67 77"))
    /// True
    #[pyo3(signature = (other, reflections=true))]
    fn is_congruent(&self, other: &Self, reflections: bool) -> bool {
        let form =
            |figure: &Self| figure.shape().canonical_up_to(equivalence(!reflections)).signature;
        form(self) == form(other)
    }

    /// Returns the number of a transform that leads from this figure to the other, a rotation if there is one. `None` if
    /// the figures are not congruent.
    ///
    /// >>> figure = Figure.parse("67 77")
    /// >>> image = figure.transformed(30)
    /// >>> figure.transformed(figure.transform_to(image)) == image
    /// True
    fn transform_to(&self, other: &Self) -> Option<u8> {
        let leads = |t: &Transform| self.shape().transformed(*t) == *other.shape();
        let all = || Transform::iter().filter(leads);
        all().find(|t| t.is_rotation()).or_else(|| all().next()).map(Transform::number)
    }

    /// Returns whether the figure stands as one solid on a side: `bottom`, `top`, `left`, `right`, `front` or `back`.
    ///
    /// A center of mass exactly above the edge of the support does not count as standing.
    ///
    /// >>> Figure.parse("333 333 333").stands()
    /// True
    #[pyo3(signature = (side="bottom"))]
    fn stands(&self, side: &str) -> PyResult<bool> {
        let side: Side = parse_word(side).map_err(invalid)?;
        Ok(solid_stability(self.shape(), side).stands)
    }

    /// Draws the figure as SVG, seen from a corner such as `left-front-top`.
    ///
    /// The kind is `solid`, `exploded` (by layers) or `layers` (as plans). `size` is the longer side in pixels. `plain`
    /// leaves out caption and plans of the layers with hidden cells.
    ///
    /// >>> Figure.parse("333 333 333").svg(kind="layers")[:4]
    /// '<svg'
    #[pyo3(signature = (corner=None, kind="solid", size=None, plain=false))]
    fn svg(
        &self,
        corner: Option<&str>,
        kind: &str,
        size: Option<u32>,
        plain: bool,
    ) -> PyResult<String> {
        Ok(figure_svg(self.shape(), &view(corner, kind, size, plain)?))
    }

    /// Shows the figure in 3D in a notebook. Mouse, finger or keys turn it.
    ///
    /// >>> str(Figure.parse("333 333 333").view())[:7]
    /// '<iframe'
    fn view(&self) -> View3d {
        View3d { html: view_frame(&[(' ', self.shape().cells().to_vec())]) }
    }

    fn _repr_svg_(&self) -> String {
        figure_svg(self.shape(), &View::default())
    }

    fn __len__(&self) -> usize {
        self.shape().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.cells())?.try_iter()
    }

    fn __contains__(&self, coordinates: &Bound<'_, PyAny>) -> bool {
        cell(coordinates).is_ok_and(|cell| self.shape().cells().contains(&cell))
    }

    fn __richcmp__(&self, other: &Self, comparison: CompareOp) -> bool {
        match comparison {
            CompareOp::Eq => self.shape() == other.shape(),
            CompareOp::Ne => self.shape() != other.shape(),
            _ => {
                let key = |figure: &'_ Self| (figure.signature().to_owned(), figure.cells());
                comparison.matches(key(self).cmp(&key(other)))
            }
        }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<PickledFigure<'py>> {
        let figure = this.get();
        let one_sided = figure.candidate.equivalence() == Equivalence::Rotations;
        Ok((this.get_type().getattr("_restore")?, (figure.cells(), one_sided)))
    }

    /// Makes a figure again from its pickled cells.
    #[staticmethod]
    fn _restore(cells: Vec<Coordinates>, one_sided: bool) -> PyResult<Self> {
        let figure = figure::Figure::new(cells_at(cells)).map_err(invalid)?;
        Ok(Self { candidate: Candidate::new(figure, equivalence(one_sided)) })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.shape().hash(&mut hasher);
        hasher.finish()
    }

    /// Writes SOMA text.
    fn __str__(&self) -> PyResult<String> {
        Ok(without_header(&soma_figure(None, None, self.shape()).map_err(invalid)?))
    }

    fn __repr__(&self) -> String {
        format!("<Figure {}>", self.signature())
    }
}

/// Returns the rows of a figure or packing in SOMA text.
pub(crate) fn without_header(text: &str) -> String {
    text.split_once('\n').map_or(text, |(_, rows)| rows).trim_end().to_owned()
}

/// Returns the viewing options of a picture.
pub(crate) fn view(
    corner: Option<&str>,
    kind: &str,
    size: Option<u32>,
    plain: bool,
) -> PyResult<View> {
    let kind = match kind {
        "solid" => ViewKind::Solid,
        "exploded" => ViewKind::Exploded,
        "layers" => ViewKind::Layers,
        other => {
            let text =
                format!("`{other}` is not a kind of picture; choose solid, exploded or layers");
            return Err(PyValueError::new_err(text));
        }
    };
    let corner = corner.map(str::parse::<Corner>).transpose().map_err(invalid)?;
    let plans = if plain { Plans::Never } else { Plans::WhenNeeded };
    Ok(View { corner, kind, size, plans, caption: !plain, ..View::default() })
}
