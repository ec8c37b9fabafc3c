//! Catalogs.

use crate::arrow::{ArrowTable, ColumnKind, TableBuilder};
use crate::enumerate::{Figures, Names, Sides};
use crate::error::{failed, invalid};
use crate::figure::Figure;
use crate::stream::Stream;
use crate::work::interruptible;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use somacat_catalog::{
    CatalogError, ClassSymbol, Filter, NamePattern, Row, SqlValue, canonical_forms, proof_filter,
};
use somacat_geometry::figure::Signature;
use somacat_output::dossier::{LookupError, look_up_in};
use somacat_output::export::{TYPED_COLUMNS, parse_word};
use somacat_run::{Mismatch, Progress, RowChoice, Share, verify_catalog};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A catalog that `run` or `import_figures` wrote, or the command, opened for reading. It is a collection of figures, in
/// canonical position and in the order of their signatures. `catalog["cube"]` is the figure with a name, or the only one with
/// a name or title like it, as it was published.
#[pyclass(frozen, module = "somacat")]
pub(crate) struct Catalog {
    path: PathBuf,
    catalog: Mutex<somacat_catalog::Catalog>,
    /// Interrupts the running statement.
    interrupt: Box<dyn Fn() + Send + Sync>,
}

impl Catalog {
    fn lock(&self) -> MutexGuard<'_, somacat_catalog::Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error of SQLite or of a row; `None` if nobody reads further.
struct StreamError(Option<PyErr>);

impl From<CatalogError> for StreamError {
    fn from(error: CatalogError) -> Self {
        Self(Some(failed(error)))
    }
}

/// An error of SQLite, or of building a table.
enum QueryError {
    Catalog(CatalogError),
    Table(PyErr),
}

impl From<CatalogError> for QueryError {
    fn from(error: CatalogError) -> Self {
        Self::Catalog(error)
    }
}

impl From<QueryError> for PyErr {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Catalog(error @ CatalogError::NotReadOnly(_)) => invalid(error),
            QueryError::Catalog(error) => failed(error),
            QueryError::Table(error) => error,
        }
    }
}

#[pymethods]
impl Catalog {
    #[new]
    pub(crate) fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let catalog =
            py.detach(|| somacat_catalog::Catalog::open_read_only(&path)).map_err(failed)?;
        let interrupt = Box::new(catalog.interrupter());
        Ok(Self { path, catalog: Mutex::new(catalog), interrupt })
    }

    /// Returns the rows that pass all filters. The filters are those of `somacat query`.
    ///
    /// `like` is a figure in any position: its rows answer whether it is new. The columns are those of exported Parquet files.
    #[pyo3(signature = (
        *, fold=None, order=None, classes=None, mirror=false, solvable=false, unsolvable=false, verdict=None, reason=None,
        proof=None, raw_min=None, raw_max=None, unique_min=None, unique_max=None, stands=false, buildable_by_hand=false,
        cells=None, bounds=None, parts=None, parity=None, name=None, source=None, pieces=None, sort="signature",
        top=None, like=None
    ))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "keyword arguments of Python"
    )]
    fn query(
        &self,
        py: Python<'_>,
        fold: Option<usize>,
        order: Option<usize>,
        classes: Option<Names>,
        mirror: bool,
        solvable: bool,
        unsolvable: bool,
        verdict: Option<&str>,
        reason: Option<&str>,
        proof: Option<&str>,
        raw_min: Option<u128>,
        raw_max: Option<u128>,
        unique_min: Option<u128>,
        unique_max: Option<u128>,
        stands: bool,
        buildable_by_hand: bool,
        cells: Option<usize>,
        bounds: Option<Sides>,
        parts: Option<usize>,
        parity: Option<u32>,
        name: Option<&str>,
        source: Option<String>,
        pieces: Option<String>,
        sort: &str,
        top: Option<usize>,
        like: Option<&Bound<'_, Figure>>,
    ) -> PyResult<ArrowTable> {
        let classes = classes.map(|Names(names)| {
            let symbols: Result<Vec<ClassSymbol>, _> =
                names.iter().map(|name| name.parse()).collect();
            symbols.map_err(invalid)
        });
        let filter = Filter {
            classes: classes.transpose()?,
            fold,
            order,
            mirror,
            solvable,
            unsolvable,
            verdict: verdict.map(parse_word).transpose().map_err(invalid)?,
            reason: reason.map(parse_word).transpose().map_err(invalid)?,
            proof: proof.map(proof_filter).transpose().map_err(invalid)?,
            raw_min,
            raw_max,
            unique_min,
            unique_max,
            unique_count: None,
            stands,
            buildable_by_hand,
            cells,
            bounds: bounds.map(Sides::sides).transpose()?,
            parts,
            parity,
            name: name.map(NamePattern::new),
            source,
            set: pieces,
            sort: parse_word(sort).map_err(invalid)?,
            top,
            ..Filter::default()
        };
        let signatures = like.map_or(vec![None], |figure| {
            let forms = canonical_forms(figure.get().shape()).into_iter();
            forms.map(|form| Some(form.signature)).collect()
        });
        self.read(py, |catalog| {
            let mut table = TableBuilder::of_figures(&TYPED_COLUMNS);
            for signature in signatures {
                let add = |row: Row| table.figure(&TYPED_COLUMNS, &row).map_err(QueryError::Table);
                catalog.select(&Filter { signature, ..filter.clone() }, add)?;
            }
            table.finish().map_err(QueryError::Table)
        })
    }

    /// Returns the result of one reading SQL statement. SQLite may spend `time_limit` seconds on it.
    #[pyo3(signature = (statement, time_limit=600.0))]
    fn sql(&self, py: Python<'_>, statement: &str, time_limit: f64) -> PyResult<ArrowTable> {
        let limit = Duration::try_from_secs_f64(time_limit).map_err(invalid)?;
        self.read(py, |catalog| {
            let names = catalog.sql_columns(statement)?;
            let mut rows: Vec<Vec<SqlValue>> = Vec::new();
            catalog.select_sql::<CatalogError>(statement, limit, |row| {
                rows.push(row);
                Ok(())
            })?;
            let kind = |at: usize| ColumnKind::of(rows.iter().filter_map(|row| row.get(at)));
            let columns = names.iter().enumerate().map(|(at, name)| (name.as_str(), kind(at)));
            let mut table = TableBuilder::new(columns);
            rows.into_iter().try_for_each(|row| table.row(row)).map_err(QueryError::Table)?;
            table.finish().map_err(QueryError::Table)
        })
    }

    /// Derives the rows again with independent code, as `somacat verify`: all, or a sample.
    ///
    /// A recount takes up to `nodes` placements of pieces.
    #[pyo3(signature = (sample=None, nodes=100_000_000, threads=None))]
    fn verify(
        &self,
        py: Python<'_>,
        sample: Option<u64>,
        nodes: u64,
        threads: Option<usize>,
    ) -> PyResult<Verification> {
        interruptible(py, threads, &|| (), |stop| {
            // A thread that held the lock while it helps others could wait for itself.
            let catalog = somacat_catalog::Catalog::open_read_only(&self.path).map_err(failed)?;
            let quiet = Progress::quiet();
            let rows = RowChoice::Spread { sample, share: Share::ALL };
            let done = verify_catalog(&catalog, &rows, nodes, stop, &quiet).map_err(failed)?;
            let columns =
                ["signature", "what", "catalog", "found"].map(|name| (name, ColumnKind::Text));
            let mut table = TableBuilder::new(columns);
            for Mismatch { signature, differences } in &done.mismatches {
                for fields in differences {
                    let text = |text: &str| SqlValue::Text(text.to_owned());
                    let values = fields.iter().map(|field| text(&field.as_text()));
                    table.row([text(signature)].into_iter().chain(values))?;
                }
            }
            let somacat_run::Verification { rows, recounted, too_large, uncounted, proofs, .. } =
                done;
            let mismatches = table.finish()?;
            Ok(Verification { rows, recounted, too_large, uncounted, proofs, mismatches })
        })?
    }

    fn __iter__(&self) -> PyResult<Figures> {
        let path = self.path.clone();
        let stream = Stream::start(1, move |_, emit| {
            let catalog = somacat_catalog::Catalog::open_read_only(&path).map_err(failed)?;
            let mut last = None;
            let ended = catalog.select::<StreamError>(&Filter::default(), |row| {
                let signature = row.figure.signature;
                // A figure has a row for each set.
                if last.as_ref() == Some(&signature) {
                    return Ok(());
                }
                let figure =
                    signature.figure().map_err(|error| StreamError(Some(failed(error))))?;
                last = Some(signature);
                match emit(figure.into()) {
                    ControlFlow::Continue(()) => Ok(()),
                    ControlFlow::Break(()) => Err(StreamError(None)),
                }
            });
            match ended {
                Err(StreamError(Some(error))) => Err(error),
                _ => Ok(()),
            }
        })?;
        Ok(Figures { stream })
    }

    /// The number of figures.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock().figure_count().map_err(failed)? as usize)
    }

    fn __getitem__(&self, name: &str) -> PyResult<Figure> {
        if let Ok(signature) = name.trim().parse::<Signature>()
            && self.lock().has_figure(&signature).map_err(failed)?
        {
            return Ok(signature.figure().map_err(failed)?.into());
        }
        match look_up_in(&self.lock(), name, None) {
            Ok(subject) => Ok(subject.figure.into()),
            Err(error @ (LookupError::Unknown { .. } | LookupError::Ambiguous { .. })) => {
                Err(PyKeyError::new_err(error.to_string()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Returns whether the catalog has a figure, up to rotation and reflection.
    fn __contains__(&self, figure: &Bound<'_, Figure>) -> PyResult<bool> {
        self.lock().has_figure(figure.get().candidate.signature()).map_err(failed)
    }

    fn __repr__(&self) -> String {
        format!("Catalog({:?})", self.path.display().to_string())
    }
}

/// The result of a verification.
#[pyclass(frozen, get_all, module = "somacat")]
pub(crate) struct Verification {
    /// The number of rows that were checked.
    rows: u64,
    /// The number of rows whose counts were repeated.
    recounted: u64,
    /// The number of rows whose count exceeds the memory or node limit.
    too_large: u64,
    /// The number of rows without a count to check.
    uncounted: u64,
    /// The number of stored proofs that were checked.
    proofs: u64,
    /// The values that differ, as a table: signature, what, catalog, found.
    mismatches: ArrowTable,
}

#[pymethods]
impl Verification {
    fn __repr__(&self) -> String {
        let Self { rows, recounted, .. } = self;
        let mismatches = self.mismatches.len();
        format!("<Verification of {rows} rows, {recounted} recounted, {mismatches} mismatches>")
    }
}

impl Catalog {
    /// Reads the catalog; a signal such as Ctrl-C interrupts SQLite.
    fn read(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&somacat_catalog::Catalog) -> Result<ArrowTable, QueryError> + Send,
    ) -> PyResult<ArrowTable> {
        interruptible(py, None, &*self.interrupt, |_| Ok(work(&self.lock())?))?
    }
}
