//! Errors of the program as Python exceptions, with the program's sentences.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use somacat_program::solve::SolveError;
use std::fmt::Display;

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

/// Returns the exception for a figure that cannot be searched.
pub(crate) fn unsolved(error: &SolveError) -> PyErr {
    match error {
        SolveError::TooLarge { .. } => invalid(error),
        other => failed(other),
    }
}
