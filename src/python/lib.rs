//! The Python module `somacat`. `docs/python.md` describes it, `somacat.pyi` has its types.

mod arrow;
mod catalog;
mod command;
mod enumerate;
mod error;
mod figure;
mod packings;
mod pieces;
mod report;
mod stream;
mod work;

/// SOMA figures: recognize, classify, count every solution, enumerate, query catalogs.
///
/// >>> import somacat
/// >>> cube = somacat.Figure.parse("333 333 333")
/// >>> somacat.count(cube)
/// <Report counted, raw=11520, rotation=480, unique=240>
#[pyo3::pymodule]
mod somacat {
    #[pymodule_export]
    use super::arrow::Table;
    #[pymodule_export]
    use super::catalog::Catalog;
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::enumerate::{Figures, enumerate_box, enumerate_symmetric};
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::figure::Figure;
    #[pymodule_export]
    use super::packings::{Packing, Packings, packings};
    #[pymodule_export]
    use super::pieces::PieceSet;
    #[pymodule_export]
    use super::report::{Report, count};
}
