//! Tables in the memory format of Apache Arrow.

use crate::error::failed;
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice};
use somacat_catalog::SqlValue;
use somacat_output::export::{Column, Field as Value, FigureRow, Kind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rows of a batch. The text of a column of a batch must fit 2 GiB.
const BATCH_ROWS: usize = 1 << 17;

/// A table that pandas, Polars and pyarrow read through the Arrow interface. The numbers are not copied.
///
/// `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)` and `pyarrow.table(table)` read it. Without these, it is
/// a sequence of rows: dictionaries by column.
///
/// >>> table = census("2x2x3", "V L T").classes
/// >>> sorted(table[0]) == sorted(table.columns), len(table.to_pylist()) == len(table)
/// (True, True)
#[pyclass(frozen, name = "Table", module = "somacat")]
#[derive(Clone, Debug)]
pub(crate) struct ArrowTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl ArrowTable {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.len()
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.len(), self.columns().join(", "))
    }

    /// Returns the row with a number, negative from the end, the rows of a slice as a list, or the column with a name as a
    /// list.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: RowOrColumn<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match index {
            RowOrColumn::Row(number) => {
                let rows = self.len() as isize;
                let at = if number < 0 { number + rows } else { number };
                let at = usize::try_from(at).ok().filter(|at| *at < self.len());
                let out = || PyIndexError::new_err(format!("there is no row {number} of {rows}"));
                Ok(self.row(py, at.ok_or_else(out)?)?.into_any())
            }
            RowOrColumn::Slice(slice) => {
                let range = slice.indices(self.len() as isize)?;
                let rows = PyList::empty(py);
                for nth in 0..range.slicelength {
                    let at = range.start + nth as isize * range.step;
                    rows.append(self.row(py, at as usize)?)?;
                }
                Ok(rows.into_any())
            }
            RowOrColumn::Column(name) => {
                let missing = || PyKeyError::new_err(name.clone());
                let column = self.schema.index_of(&name).map_err(|_| missing())?;
                let values = PyList::empty(py);
                for batch in &self.batches {
                    let array = batch.column(column);
                    (0..array.len()).try_for_each(|at| values.append(value(py, array, at)?))?;
                }
                Ok(values.into_any())
            }
        }
    }

    fn __iter__(this: Bound<'_, Self>) -> Rows {
        Rows { table: this.unbind(), next: AtomicUsize::new(0) }
    }

    /// Returns all rows as dictionaries by column.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        (0..self.len()).try_for_each(|at| rows.append(self.row(py, at)?))?;
        Ok(rows)
    }

    /// Returns the table as a stream of the Arrow C data interface.
    ///
    /// Every consumer may read the columns in the types that they have, so the requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(reader)),
            c"arrow_array_stream",
        )
    }
}

/// The index of a table: a number of a row, a slice, or the name of a column.
#[derive(FromPyObject)]
enum RowOrColumn<'py> {
    Row(isize),
    Slice(Bound<'py, PySlice>),
    Column(String),
}

/// An iterator over the rows of a table.
#[pyclass(frozen, module = "somacat")]
struct Rows {
    table: Py<ArrowTable>,
    next: AtomicUsize,
}

#[pymethods]
impl Rows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (table, at) = (self.table.get(), self.next.fetch_add(1, Ordering::Relaxed));
        (at < table.len()).then(|| table.row(py, at)).transpose()
    }
}

/// Returns a value of a column.
fn value<'py>(py: Python<'py>, array: &ArrayRef, at: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(at) {
        return Ok(py.None().into_bound(py));
    }
    let any = array.as_any();
    if let Some(integers) = any.downcast_ref::<Int64Array>() {
        Ok(integers.value(at).into_pyobject(py)?.into_any())
    } else if let Some(reals) = any.downcast_ref::<Float64Array>() {
        Ok(reals.value(at).into_pyobject(py)?.into_any())
    } else {
        let texts = any.downcast_ref::<StringArray>().expect("columns have one of three types");
        Ok(texts.value(at).into_pyobject(py)?.into_any())
    }
}

impl ArrowTable {
    /// Returns a row, which exists, as a dictionary.
    fn row<'py>(&self, py: Python<'py>, mut at: usize) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for batch in &self.batches {
            if at >= batch.num_rows() {
                at -= batch.num_rows();
                continue;
            }
            for (name, array) in self.columns().into_iter().zip(batch.columns()) {
                fields.set_item(name, value(py, array, at)?)?;
            }
            break;
        }
        Ok(fields)
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnKind {
    Integer,
    Real,
    Text,
}

impl ColumnKind {
    /// Returns the type that holds all values of a column. A column without values is text.
    pub(crate) fn of<'v>(values: impl Iterator<Item = &'v SqlValue>) -> Self {
        let kind = |value: &SqlValue| match value {
            SqlValue::Empty => None,
            SqlValue::Integer(_) => Some(Self::Integer),
            SqlValue::Real(_) => Some(Self::Real),
            SqlValue::Text(_) | SqlValue::Bytes(_) => Some(Self::Text),
        };
        let both = |a, b| match (a, b) {
            (Self::Text, _) | (_, Self::Text) => Self::Text,
            (Self::Real, _) | (_, Self::Real) => Self::Real,
            (Self::Integer, Self::Integer) => Self::Integer,
        };
        values.filter_map(kind).reduce(both).unwrap_or(Self::Text)
    }
}

/// A column in the making.
#[derive(Debug)]
enum ArrowColumn {
    Integers(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
}

impl ArrowColumn {
    fn new(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Integer => Self::Integers(Int64Builder::new()),
            ColumnKind::Real => Self::Reals(Float64Builder::new()),
            ColumnKind::Text => Self::Texts(StringBuilder::new()),
        }
    }

    const fn data_type(&self) -> DataType {
        match self {
            Self::Integers(_) => DataType::Int64,
            Self::Reals(_) => DataType::Float64,
            Self::Texts(_) => DataType::Utf8,
        }
    }

    /// Adds a value, which the type of the column holds.
    fn push(&mut self, value: SqlValue) {
        match (self, value) {
            (Self::Integers(column), SqlValue::Integer(n)) => column.append_value(n),
            (Self::Integers(column), _) => column.append_null(),
            (Self::Reals(column), SqlValue::Real(x)) => column.append_value(x),
            (Self::Reals(column), SqlValue::Integer(n)) => column.append_value(n as f64),
            (Self::Reals(column), _) => column.append_null(),
            (Self::Texts(column), SqlValue::Empty) => column.append_null(),
            (Self::Texts(column), SqlValue::Text(text)) => column.append_value(text),
            (Self::Texts(column), SqlValue::Integer(n)) => column.append_value(n.to_string()),
            (Self::Texts(column), SqlValue::Real(x)) => column.append_value(x.to_string()),
            (Self::Texts(column), SqlValue::Bytes(n)) => {
                column.append_value(format!("({n} bytes)"));
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Integers(column) => Arc::new(column.finish()),
            Self::Reals(column) => Arc::new(column.finish()),
            Self::Texts(column) => Arc::new(column.finish()),
        }
    }
}

/// A table in the making.
#[derive(Debug)]
pub(crate) struct TableBuilder {
    schema: SchemaRef,
    columns: Vec<ArrowColumn>,
    rows: usize,
    batches: Vec<RecordBatch>,
}

impl TableBuilder {
    /// Begins a table with these columns.
    pub(crate) fn new<'n>(columns: impl IntoIterator<Item = (&'n str, ColumnKind)>) -> Self {
        let (mut fields, mut builders) = (Vec::new(), Vec::new());
        for (name, kind) in columns {
            let column = ArrowColumn::new(kind);
            fields.push(Field::new(name, column.data_type(), true));
            builders.push(column);
        }
        let schema = Arc::new(Schema::new(fields));
        Self { schema, columns: builders, rows: 0, batches: Vec::new() }
    }

    /// Begins a table of figures.
    pub(crate) fn of_figures(columns: &[Column]) -> Self {
        let kind = |kind: Kind| match kind {
            Kind::Text | Kind::Word => ColumnKind::Text,
            Kind::Small | Kind::Whole | Kind::Count => ColumnKind::Integer,
        };
        Self::new(columns.iter().map(|column| (column.name, kind(column.kind))))
    }

    /// Adds the row of a figure.
    pub(crate) fn figure<'a>(
        &mut self,
        columns: &[Column],
        row: impl Into<FigureRow<'a>>,
    ) -> PyResult<()> {
        let row = row.into();
        let has_large_counts = row.has_large_counts();
        self.row(columns.iter().map(|column| match column.value(&row) {
            _ if column.kind == Kind::Count && has_large_counts => SqlValue::Empty,
            Value::Empty => SqlValue::Empty,
            Value::Number(n) => i64::try_from(n).map_or(SqlValue::Empty, SqlValue::Integer),
            Value::Integer(n) => SqlValue::Integer(n),
            Value::Real(x) => SqlValue::Real(x),
            Value::Text(text) => SqlValue::Text(text.into_owned()),
        }))
    }

    /// Adds a row, with a value for each column.
    pub(crate) fn row(&mut self, values: impl IntoIterator<Item = SqlValue>) -> PyResult<()> {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.end_batch() } else { Ok(()) }
    }

    /// Returns the table.
    pub(crate) fn finish(mut self) -> PyResult<ArrowTable> {
        self.end_batch()?;
        Ok(ArrowTable { schema: self.schema, batches: self.batches })
    }

    fn end_batch(&mut self) -> PyResult<()> {
        if self.rows > 0 {
            self.rows = 0;
            let columns = self.columns.iter_mut().map(ArrowColumn::finish).collect();
            let batch = RecordBatch::try_new(self.schema.clone(), columns);
            self.batches.push(batch.map_err(failed)?);
        }
        Ok(())
    }
}
