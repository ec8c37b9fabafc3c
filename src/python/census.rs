//! Censuses: all figures of a box.

use crate::arrow::{ArrowTable, ColumnKind, TableBuilder};
use crate::enumerate::Sides;
use crate::error::{ReaderError, failed, invalid};
use crate::pieces::Pieces;
use crate::work::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use somacat_catalog::SqlValue;
use somacat_counting::census;
use somacat_counting::enumerate::{Place, ShardRange};
use somacat_counting::question::{
    Batch, CensusQuestion, CensusReport, FigureSink, Keep, Wanted, answer,
};
use somacat_output::export::columns::{CLASS, Column, PARITY, RAW, ROTATION, SIGNATURE, UNIQUE};
use somacat_run::work_within;

/// The totals of a census.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct Census {
    report: CensusReport,
    table: Option<ArrowTable>,
}

#[pymethods]
impl Census {
    /// The number of figures, up to rotation and reflection.
    #[getter]
    fn figures(&self) -> u64 {
        self.report.totals.figures()
    }

    /// The number of figures with a packing.
    #[getter]
    fn solvable(&self) -> u64 {
        self.report.totals.solvable()
    }

    /// The packings inside the box, in every position.
    #[getter]
    fn packings(&self) -> u128 {
        self.report.totals.packings
    }

    /// The largest number of packings of a figure.
    #[getter]
    fn most(&self) -> u64 {
        self.report.totals.most()
    }

    /// A table of the numbers of figures and subsets per raw count. Subsets are those of the box.
    #[getter]
    fn histogram(&self) -> PyResult<ArrowTable> {
        let columns = ["raw", "figures", "subsets"].map(|name| (name, ColumnKind::Integer));
        let mut table = TableBuilder::new(columns);
        for (&raw, &(figures, subsets)) in &self.report.totals.histogram {
            table.row([integer(raw), integer(figures), integer(subsets)])?;
        }
        table.finish()
    }

    /// A table of the results of each symmetry class. It contains the numbers of figures, solvable figures and
    /// packings, and the largest number of packings.
    #[getter]
    fn classes(&self) -> PyResult<ArrowTable> {
        let numbers = ["order", "figures", "solvable", "raw", "most"];
        let numbers = numbers.map(|name| (name, ColumnKind::Integer));
        let mut table = TableBuilder::new([("class", ColumnKind::Text)].into_iter().chain(numbers));
        for (class, totals) in &self.report.totals.by_class {
            table.row([
                SqlValue::Text(class.name().to_owned()),
                integer(class.order() as u64),
                integer(totals.figures),
                integer(totals.solvable),
                integer(totals.raw),
                integer(totals.most),
            ])?;
        }
        table.finish()
    }

    /// The kept figures with their counts as a table. `None` if only totals were requested.
    #[getter]
    fn table(&self) -> Option<ArrowTable> {
        self.table.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Census of {} figures, {} solvable>", self.figures(), self.solvable())
    }
}

/// Returns a number of a table. A box has fewer subsets than such a column can hold.
fn integer(number: impl TryInto<i64>) -> SqlValue {
    number.try_into().map_or(SqlValue::Empty, SqlValue::Integer)
}

/// The columns of kept figures.
const COLUMNS: [Column; 6] = [SIGNATURE, CLASS, PARITY, RAW, ROTATION, UNIQUE];

/// Counts every figure that fits in a box, all at once.
///
/// `keep` selects the figures of the table: `none`, `solvable` or `all`. `memory` is a limit in bytes, by default
/// three quarters of the available memory.
///
/// >>> box = census("2x3x5")
/// >>> box.figures, box.solvable
/// (550, 549)
#[pyfunction]
#[pyo3(name = "census", signature = (sides, pieces=None, *, keep="none", memory=None, threads=None))]
pub(crate) fn count_box(
    py: Python<'_>,
    sides: Sides,
    pieces: Option<Pieces>,
    keep: &str,
    memory: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Census> {
    let (sides, set) = (sides.sides()?, Pieces::set(pieces)?);
    let keep = match keep {
        "none" => Keep::Totals,
        "solvable" => Keep::Buildable,
        "all" => Keep::All,
        other => {
            let text = format!("`{other}` is not a selection; choose none, solvable or all");
            return Err(PyValueError::new_err(text));
        }
    };
    interruptible(py, threads, &|| (), |stop| {
        let question =
            CensusQuestion { census: census::Census::new(sides, &set).map_err(invalid)?, keep };
        let mut sink = CensusTable(TableBuilder::of_figures(&COLUMNS));
        let work = work_within(None, memory, stop);
        let report = answer(&question, ShardRange::ALL, Place::default(), work, &mut sink);
        let report =
            report.map_err(|ReaderError(error)| error.expect("the table is always read"))?;
        let report = report.expect("a census has a report");
        if !report.agrees() {
            return Err(failed("internal error: the two sums of the census differ"));
        }
        let table = (keep != Keep::Totals).then(|| sink.0.finish()).transpose()?;
        Ok(Census { report, table })
    })?
}

/// The sink of kept figures.
struct CensusTable(TableBuilder);

impl FigureSink for CensusTable {
    type Error = ReaderError;

    fn wanted(&self) -> Wanted {
        Wanted::Rows
    }

    fn take(&mut self, batch: Batch) -> Result<(), ReaderError> {
        Ok(batch.rows.iter().try_for_each(|row| self.0.figure(&COLUMNS, row))?)
    }
}
