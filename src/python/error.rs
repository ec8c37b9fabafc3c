//! Errors of the program as Python exceptions, with the program's sentences.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyFileNotFoundError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use somacat_counting::question::QuestionError;
use somacat_counting::solve::SolveError;
use std::fmt::Display;
use std::path::Path;

create_exception!(
    somacat,
    Error,
    PyException,
    "An error of the program that is not a wrong argument."
);

/// Returns the exception for a wrong argument.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception for any other error.
pub(crate) fn failed(error: impl Display) -> PyErr {
    Error::new_err(error.to_string())
}

/// The error of a reader of an answer; `None` if the caller needs no more of it.
pub(crate) struct ReaderError(pub(crate) Option<PyErr>);

impl From<QuestionError> for ReaderError {
    fn from(error: QuestionError) -> Self {
        Self(Some(failed(error)))
    }
}

impl From<PyErr> for ReaderError {
    fn from(error: PyErr) -> Self {
        Self(Some(error))
    }
}

/// Returns the exception for a figure that cannot be searched.
pub(crate) fn unsolved(error: &SolveError) -> PyErr {
    match error {
        SolveError::TooLarge { .. } => invalid(error),
        other => failed(other),
    }
}

/// Returns the exception for an argument of a wrong type. `expected` completes "expected".
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, not {found}"))
}

/// Refuses a file that does not exist as Python does.
pub(crate) fn require(path: &Path) -> PyResult<()> {
    match path.exists() {
        true => Ok(()),
        false => Err(PyFileNotFoundError::new_err(format!("{} does not exist", path.display()))),
    }
}
