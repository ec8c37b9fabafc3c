//! The rows that a filter selects.

use super::super::codes::Code;
use super::super::outcomes::OutcomeColumns;
use super::super::{Catalog, CatalogError, Row, SetId, StoredProof, StructureNumbers};
use super::filter::{ClassSymbol, Filter, ScanChoice, SortKey};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params, params_from_iter};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::lattice::Transform;
use somacat_geometry::outcome::{Engine, ProofKind, Report};
use somacat_geometry::spelling::parse_word;
use somacat_geometry::symmetry::Class;
use std::collections::HashMap;
use std::sync::Arc;

/// A row that the program cannot have written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedRow {
    pub signature: Signature,
    pub problem: String,
}

/// The number of rows that takes too long to sort. The first row is shown only after sorting.
const MANY_ROWS: u64 = 50_000;

/// The figures of the first range of signatures, and of the largest. Each range is twice as large as the one before, so
/// that the first row is shown soon.
const FIRST_RANGE: u64 = 1 << 14;
const LARGEST_RANGE: u64 = 1 << 18;

/// The number of rows of a class that takes too long to sort. Fewer are sorted, unless the class is half of the catalog:
/// ranges of signatures have the figures of all classes.
const MANY_ROWS_OF_CLASS: u64 = 1 << 20;

impl Catalog {
    /// Calls `visit` with every row that passes the filter, in order. Returns the number of rows.
    pub fn select<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.select_any(filter, |row| visit(row.map_err(|row| self.damaged(row))?))
    }

    /// Returns the figures with rows that pass the filter, in the order of their first rows. Each has all such rows,
    /// one for each set. The filter's limit is here the number of figures.
    pub fn select_figures(&self, filter: &Filter) -> Result<Vec<Vec<Row>>, CatalogError> {
        let sets = self.number("count piece sets", "SELECT count(*) FROM piece_set")?;
        let most = filter.top.unwrap_or(usize::MAX);
        let mut limit = filter.top;
        loop {
            let mut figures: Vec<Vec<Row>> = Vec::new();
            let mut positions: HashMap<Signature, usize> = HashMap::new();
            let rows = Filter { top: limit, ..filter.clone() };
            let read = self.select::<CatalogError>(&rows, |row| {
                let next = figures.len();
                let at = *positions.entry(row.figure.signature.clone()).or_insert(next);
                if at == next {
                    figures.push(Vec::new());
                }
                figures[at].push(row);
                Ok(())
            })?;
            let complete = limit.is_none_or(|limit| read < limit as u64);
            if !complete && figures.len() < most {
                limit = limit.map(|limit| limit.saturating_mul(2));
                continue;
            }
            figures.truncate(most);
            // Rows of these figures may follow beyond the limit.
            if !complete && sets > 1 {
                for rows in &mut figures {
                    let signature = rows.first().map(|row| row.figure.signature.clone());
                    let of_figure = Filter { signature, top: None, ..filter.clone() };
                    rows.clear();
                    self.select::<CatalogError>(&of_figure, |row| {
                        rows.push(row);
                        Ok(())
                    })?;
                }
            }
            return Ok(figures);
        }
    }

    fn damaged(&self, DamagedRow { signature, problem }: DamagedRow) -> CatalogError {
        let (path, what) = (self.path().to_owned(), format!("the row of {signature}"));
        CatalogError::Damaged { path, what, problem }
    }

    /// Calls `visit` with every row that passes the filter, by class. Rows of a class are ordered by signature.
    /// Returns the number of rows. Classes come in the order of [`Class::sorted_by_name`]. Ignores the filter's own
    /// order and limit.
    pub fn select_by_class<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.snapshot(|| {
            let mut visited = 0;
            let many = (self.figure_count()? / 2).clamp(MANY_ROWS, MANY_ROWS_OF_CLASS);
            for class in Class::sorted_by_name() {
                if !filter.names_class(class) {
                    continue;
                }
                let classes = Some(vec![ClassSymbol::from(class)]);
                let (sort, top) = (SortKey::Signature, None);
                let of_class = Filter { classes, sort, top, ..filter.clone() };
                visited += self.select_sorting(&of_class, many, |row| {
                    visit(row.map_err(|row| self.damaged(row))?)
                })?;
            }
            Ok(visited)
        })
    }

    /// Does the same as [`Catalog::select`], but also visits damaged rows.
    pub fn select_any<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        visit: impl FnMut(Result<Row, DamagedRow>) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.select_sorting(filter, MANY_ROWS, visit)
    }

    /// Sorts fewer than `many` rows, and reads more in the requested order.
    fn select_sorting<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        many: u64,
        mut visit: impl FnMut(Result<Row, DamagedRow>) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.snapshot(|| {
            let mut visited = 0;
            let mut reader = self.row_reader(filter)?;
            let scan = self.scan_choice(filter, many)?;
            if scan.all && filter.sort == SortKey::Signature && filter.top.is_none() {
                let (sql, values) = filter.range_statement(&reader.columns, scan);
                return self.for_each_range(|range| {
                    let values = values.iter().cloned().chain(range);
                    self.read_rows(&sql, values, &mut reader, &mut visit)
                });
            }
            for (mut sql, mut values) in filter.statements(&reader.columns, scan) {
                // A limit makes SQLite sort in a tree, which takes longer.
                if let Some(top) = filter.top {
                    let left = (top as u64).saturating_sub(visited);
                    if left == 0 {
                        break;
                    }
                    sql += " LIMIT ?";
                    values.push(Value::Integer(left.cast_signed()));
                }
                visited += self.read_rows(&sql, values, &mut reader, &mut visit)?;
            }
            Ok(visited)
        })
    }

    /// Calls `visit` with every row of a statement. Returns their number.
    pub(super) fn read_rows<E: From<CatalogError>>(
        &self,
        sql: &str,
        values: impl IntoIterator<Item = Value>,
        reader: &mut RowReader,
        visit: &mut impl FnMut(Result<Row, DamagedRow>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = self.failed("read figures");
        let mut visited = 0;
        let mut statement = self.connection.prepare_cached(sql).map_err(&failed)?;
        let mut rows = statement.query(params_from_iter(values)).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            visit(reader.read(row).map_err(&failed)?)?;
            visited += 1;
        }
        Ok(visited)
    }

    /// Divides the signatures into ranges, in order, and adds up what `read` returns for each. A range is its first
    /// signature and a value above all of its others.
    ///
    /// Figures have their ids in the order of arrival, and all tables are in the order of ids. Rows looked up in the
    /// order of signatures are anywhere: in a catalog that is larger than the page cache, each costs a page of every
    /// table. The rows of a range are looked up in the order of ids, and then sorted. So a page is read once for each
    /// range, and a row takes nearly the same time in a small catalog and in one of ten million figures.
    fn for_each_range<E: From<CatalogError>>(
        &self,
        mut read: impl FnMut([Value; 2]) -> Result<u64, E>,
    ) -> Result<u64, E> {
        let failed = self.failed("divide the signatures");
        let sql =
            "SELECT signature FROM figure WHERE signature >= ? ORDER BY signature LIMIT 1 OFFSET ?";
        let (mut begin, mut figures, mut sum) = (String::new(), FIRST_RANGE, 0);
        loop {
            let mut statement = self.connection.prepare_cached(sql).map_err(&failed)?;
            let end: Option<String> = statement
                .query_row(params![begin, figures], |row| row.get(0))
                .optional()
                .map_err(&failed)?;
            // SQLite sorts every text before a blob.
            let bound = end.clone().map_or(Value::Blob(Vec::new()), Value::Text);
            sum += read([Value::Text(begin), bound])?;
            let Some(end) = end else { return Ok(sum) };
            (begin, figures) = (end, (2 * figures).min(LARGEST_RANGE));
        }
    }

    pub(super) fn row_reader(&self, filter: &Filter) -> Result<RowReader, CatalogError> {
        let exist =
            |table| self.number("look for rows", &format!("SELECT EXISTS (SELECT 1 FROM {table})"));
        let sets = "SELECT id, name FROM piece_set";
        let set = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Arc<str>>(1)?));
        let sets = self.rows("read piece sets", sets, [], set)?.into_iter().collect();
        let has_structures = exist("structure")? > 0;
        let has_proofs = exist("proof")? > 0;
        let columns = [
            COLUMNS,
            if filter.timings { "micros" } else { "NULL" },
            if exist("name")? > 0 { NAMES } else { "NULL" },
            if has_proofs { "proof" } else { "NULL" },
            if has_proofs && filter.stored_proofs { "proof_body" } else { "NULL" },
            if has_structures { STRUCTURE } else { "NULL" },
        ];
        let bounds = (String::new(), [0; 3]);
        Ok(RowReader { columns: columns.join(", "), has_structures, sets, bounds })
    }

    /// Returns the statements that together read the columns of all rows that pass the filter.
    pub(crate) fn statements(
        &self,
        filter: &Filter,
        columns: &str,
    ) -> Result<Vec<(String, Vec<Value>)>, CatalogError> {
        Ok(filter.statements(columns, self.scan_choice(filter, MANY_ROWS)?))
    }

    /// Finds the conditions that select very many rows. It is faster to scan these in the requested order than to
    /// find and sort them.
    fn scan_choice(&self, filter: &Filter, least: u64) -> Result<ScanChoice, CatalogError> {
        let many = |from: String, values: Vec<Value>| {
            let sql = format!("SELECT count(*) FROM ({from} LIMIT {least})");
            let rows = self.read("estimate the number of rows", |connection| {
                connection.query_row(&sql, params_from_iter(values), |row| row.get::<_, u64>(0))
            });
            rows.map(|rows| rows >= least)
        };
        let source = match filter.members() {
            Some(members) => many(members.query(), members.values)?,
            None => true,
        };
        let counts = filter.raw_min.or(filter.unique_min).is_some_and(|least| least > 0);
        let mut all = source && filter.name.is_none() && filter.signature.is_none() && !counts;
        let figures = filter.figure_conditions();
        for condition in figures.iter().filter(|condition| condition.is_indexed()) {
            let sql = condition.sql(true);
            all = all && many(format!("SELECT 1 FROM figure WHERE {sql}"), Vec::new())?;
        }
        let outcome: Vec<String> =
            filter.outcome_conditions().iter().map(|condition| condition.sql(true)).collect();
        if !outcome.is_empty() {
            let from = format!("SELECT 1 FROM outcome WHERE {}", outcome.join(" AND "));
            all = all && many(from, Vec::new())?;
        }
        Ok(ScanChoice { all, source, one_set: self.has_single_rows()? })
    }

    /// Returns SQLite's query plan for a filter, line by line. For an order by counts, it covers rows with packings,
    /// which come first.
    pub fn query_plan(&self, filter: &Filter) -> Result<Vec<String>, CatalogError> {
        let columns = self.row_reader(filter)?.columns;
        let statements = filter.statements(&columns, self.scan_choice(filter, MANY_ROWS)?);
        let (sql, values) = statements.into_iter().next().expect("every filter has a statement");
        let sql = format!("EXPLAIN QUERY PLAN {sql} LIMIT 20");
        self.rows("explain a query", &sql, params_from_iter(values), |row| row.get(3))
    }

    pub fn row_count(&self) -> Result<u64, CatalogError> {
        match self.has_single_rows()? {
            true => self.figure_count(),
            false => self.number("count rows", "SELECT count(*) FROM figures"),
        }
    }

    pub fn figure_count(&self) -> Result<u64, CatalogError> {
        self.number("count figures", "SELECT count(*) FROM figure")
    }
}

/// The columns of a [`Row`], which are read by position: names take a quarter of an export.
const COLUMNS: &str = "signature, cells, class_id, parity, box, parts, set_id, \
    verdict_id, reason_id, error, raw, rotation, \"unique\", nodes, engine_id";

/// The list of names, which few figures of an enumeration have.
const NAMES: &str = "CASE WHEN EXISTS (SELECT 1 FROM name n WHERE n.figure_id = figure_rows.figure_id) \
    THEN name_list END";

const STRUCTURE: &str =
    "map_components, map_solitary, solid_stands, friction, set_up, stand, by_hand";

/// A reader of rows. A table without rows, and the few names of sets, take no lookup for each row.
pub(super) struct RowReader {
    pub(super) columns: String,
    has_structures: bool,
    sets: HashMap<SetId, Arc<str>>,
    /// The last box that was read, as text and as sides. Most rows follow others with the same.
    bounds: (String, [u32; 3]),
}

impl RowReader {
    /// Reads a row. A number that is out of range damages only this row.
    fn read(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<Row, DamagedRow>> {
        let read = self.values(row);
        let Err(rusqlite::Error::IntegralValueOutOfRange(column, value)) = read else {
            return read;
        };
        let signature = Signature::from_trusted(row.get(0)?);
        let problem = format!("{} is {value}", row.as_ref().column_name(column)?);
        Ok(Err(DamagedRow { signature, problem }))
    }

    fn values(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<Row, DamagedRow>> {
        let signature = Signature::from_trusted(row.get(0)?);
        let damaged =
            |problem: String| Ok(Err(DamagedRow { signature: signature.clone(), problem }));
        let outcome = OutcomeColumns::read_at(row, [7, 8, 9, 10, 11, 12])?;
        let outcome = match outcome.map(OutcomeColumns::outcome).transpose() {
            Ok(outcome) => outcome,
            Err(fault) => return damaged(fault.to_string()),
        };
        let (nodes, engine) = (row.get(13)?, row.get::<_, Option<i64>>(14)?);
        let engine = engine.and_then(Engine::of_code);
        let report = outcome.map(|outcome| Report { outcome, nodes, engine });
        let number: i64 = row.get(2)?;
        let class = usize::try_from(number).ok().and_then(|number| Class::iter().nth(number));
        let Some(class) = class else { return damaged(format!("unknown symmetry class {number}")) };
        let names = row.get_ref(16)?.as_str_or_null()?;
        let names: Vec<String> = match names.map_or(Ok(Vec::new()), serde_json::from_str) {
            Ok(names) => names,
            Err(_) => return damaged("its names are not a list".to_owned()),
        };
        let bounds = row.get_ref(4)?.as_str()?;
        if self.bounds.0 != bounds {
            let Ok(sides) = parse_box(bounds) else {
                return damaged(format!("its box is {bounds}"));
            };
            self.bounds = (bounds.to_owned(), sides);
        }
        let set = row.get::<_, Option<SetId>>(6)?;
        let structure = match self.has_structures {
            true => StructureNumbers::read(row, 19)?,
            false => StructureNumbers::default(),
        };
        let why = report.as_ref().and_then(|report| report.outcome.reason());
        let proof = match row.get_ref(17)?.as_str_or_null()?.map(parse_word::<ProofKind>) {
            Some(Err(error)) => return damaged(error.to_string()),
            known => known.and_then(Result::ok).or(why.map(ProofKind::from)),
        };
        let stored_proof = match (proof, row.get(18)?) {
            (Some(kind), Some(body)) => Some(StoredProof { kind, body }),
            _ => None,
        };
        let figure = Columns {
            signature,
            to_canonical: Transform::IDENTITY,
            cells: row.get(1)?,
            extents: self.bounds.1,
            class,
            parity: row.get(3)?,
            parts: row.get(5)?,
        };
        Ok(Ok(Row {
            figure,
            names,
            set: set.and_then(|set| self.sets.get(&set).cloned()),
            report,
            micros: row.get(15)?,
            structure,
            proof,
            stored_proof,
        }))
    }
}
