//! The Python module `somacat`. `docs/python.md` describes it, `somacat.pyi` has its types.

mod arrow;
mod catalog;
mod census;
mod command;
mod enumerate;
mod error;
mod figure;
mod files;
mod map;
mod packings;
mod pieces;
mod proofs;
mod report;
mod runs;
mod stream;
mod structure;
mod work;

// The command of the wheel limits the memory of templates.
#[global_allocator]
static HEAP: somacat_output::LimitedHeap = somacat_output::LimitedHeap;

/// SOMA figures: recognize, classify, count every solution, enumerate, query catalogs.
///
/// >>> import somacat
/// >>> cube = somacat.Figure.parse("333 333 333")
/// >>> somacat.count(cube)
/// <Report counted, raw=11520, rotation=480, unique=240>
#[pyo3::pymodule]
mod somacat {
    #[pymodule_export]
    use super::arrow::ArrowTable;
    #[pymodule_export]
    use super::catalog::{Catalog, Verification};
    #[pymodule_export]
    use super::census::{Census, count_box};
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::enumerate::{Figures, buildable, enumerate_box, enumerate_symmetric};
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::figure::{Figure, View3d};
    #[pymodule_export]
    use super::files::{read_figures, write_figures};
    #[pymodule_export]
    use super::map::{SolutionMap, solution_map};
    #[pymodule_export]
    use super::packings::{Packing, Packings, packings};
    #[pymodule_export]
    use super::pieces::PieceSet;
    #[pymodule_export]
    use super::proofs::{Certificate, prove, verify};
    #[pymodule_export]
    use super::report::{Report, count, count_partial};
    #[pymodule_export]
    use super::runs::{import_figures, run};
    #[pymodule_export]
    use super::structure::{Marks, list_places, marks};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
