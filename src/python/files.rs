//! Files of figures.

use crate::error::{invalid, require, wrong_type};
use crate::figure::Figure;
use pyo3::exceptions::{PyOSError, PyUserWarning};
use pyo3::prelude::*;
use somacat_formats::{
    Format, Item, Reader, cells_line, entry_message, open_source, readable, soma_figure,
    source_label,
};
use somacat_geometry::pieces::PieceSet;
use std::ffi::CString;
use std::path::PathBuf;

/// Reads the figures of a file, each with its name; an unnamed figure has the name of the file and its number.
///
/// The format is detected, or as for `Figure.parse`. A faulty entry is left out with a warning that names its line. Pieces in
/// place are left out with a warning, too: the figure has all cells.
///
/// >>> write_figures("cubes.cells", [("one", Figure([(0, 0, 0)])), Figure.parse("2x2x2")])
/// >>> [(name, len(figure)) for name, figure in read_figures("cubes.cells")]
/// [('one', 1), ('cubes.cells 2', 8)]
#[pyfunction]
#[pyo3(signature = (path, format=None))]
#[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
pub(crate) fn read_figures(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
) -> PyResult<Vec<(String, Figure)>> {
    require(&path)?;
    let format: Option<Format> = format.map(str::parse).transpose().map_err(invalid)?;
    let label = source_label(&path);
    let mut figures = Vec::new();
    let warn = |line: usize, name: Option<&str>, text: &str| {
        let text = entry_message(&label, line as u64, name, text);
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text).map_err(invalid)?, 1)
    };
    let input = open_source(&path).map_err(invalid)?;
    for (number, item) in (1..).zip(Reader::new(input, format).map_err(invalid)?) {
        match item.map_err(|error| invalid(format_args!("{label}: {error}")))? {
            Item::Entry(entry) => {
                if let Some(placed) = entry.placed_with(&PieceSet::soma(1)) {
                    let marks: String = placed.iter().map(|(mark, _)| *mark).collect();
                    let text = format!("the pieces in place ({marks}) are not part of the figure");
                    warn(entry.line, entry.name.as_deref(), &text)?;
                }
                figures.push((entry.label(&label, number), entry.figure.into()));
            }
            Item::Fault(fault) => {
                warn(fault.line, fault.name.as_deref(), &fault.reason.to_string())?;
            }
        }
    }
    Ok(figures)
}

/// Writes figures to a file: as SOMA text, or as lines of cells if its name ends with `.cells`. An item is a figure, or a
/// name and a figure.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
pub(crate) fn write_figures(path: PathBuf, figures: &Bound<'_, PyAny>) -> PyResult<()> {
    let cells = path.extension().is_some_and(|ending| ending == "cells");
    let mut text = String::new();
    for item in figures.try_iter()? {
        let item = item?;
        let (name, figure): (Option<String>, Bound<'_, Figure>) = match item.cast::<Figure>() {
            Ok(figure) => (None, figure.clone()),
            Err(_) => item.extract().map_err(|_: PyErr| {
                wrong_type("figures, or pairs of a name and a figure", &item)
            })?,
        };
        let (name, shape) = (name.as_deref(), figure.get().shape());
        let written = if cells {
            readable(Format::Cells, name, None, |name, _| Ok(cells_line(name, shape)? + "\n"))
        } else {
            readable(Format::Soma, name, None, |name, _| soma_figure(name, None, shape))
        };
        text += &written.map_err(invalid)?;
    }
    std::fs::write(&path, text)
        .map_err(|error| PyOSError::new_err(format!("cannot write {}: {error}", path.display())))
}
