//! The rows that a filter selects.

use super::super::codes::Code;
use super::super::outcomes::OutcomeColumns;
use super::super::{Catalog, CatalogError, Record, Row, StructureNumbers};
use super::filter::{Filter, ScanChoice, SortKey};
use rusqlite::params_from_iter;
use rusqlite::types::Value;
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Engine, Report};
use somacat_geometry::symmetry::Class;
use std::borrow::Cow;

/// A row that the program cannot have written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedRow {
    pub signature: Signature,
    pub problem: String,
}

/// The number of rows that takes too long to sort.
const MANY_ROWS: u64 = 50_000;

/// The columns of a [`Row`], which [`read`] gets by position: names take a quarter of an export. The list of
/// names, which few figures of an enumeration have, is made only where there is one.
const COLUMNS: &str = "signature, cells, class_id, parity, box, parts, \
    CASE WHEN EXISTS (SELECT 1 FROM name n WHERE n.figure_id = figure_rows.figure_id) THEN name_list END, \"set\", \
    verdict_id, reason_id, error, raw, rotation, \"unique\", nodes, engine_id, micros, \
    map_components, map_solitary, solid_stands, friction, set_up, stand, by_hand";

impl Catalog {
    /// Calls `visit` with every row that passes the filter, in order. Returns the number of rows.
    pub fn select<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.select_any(filter, |row| match row {
            Ok(row) => visit(row),
            Err(DamagedRow { signature, problem }) => Err(CatalogError::Damaged {
                path: self.path().to_owned(),
                what: format!("the row of {signature}"),
                problem,
            }
            .into()),
        })
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
            for class in Class::sorted_by_name() {
                if filter.classes.as_ref().is_some_and(|wanted| !wanted.contains(&class)) {
                    continue;
                }
                let classes = Some(vec![class]);
                let (sort, top) = (SortKey::Signature, None);
                let of_class = Filter { classes, sort, top, ..filter.clone() };
                visited += self.select(&of_class, &mut visit)?;
            }
            Ok(visited)
        })
    }

    /// Does the same as [`Catalog::select`], but also visits damaged rows.
    pub fn select_any<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Result<Row, DamagedRow>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = self.failed("read figures");
        self.snapshot(|| {
            let mut visited = 0;
            let columns = match filter.timings {
                true => Cow::Borrowed(COLUMNS),
                false => Cow::Owned(COLUMNS.replace("micros", "NULL")),
            };
            for (sql, mut values) in filter.statements(&columns, self.scan_choice(filter)?) {
                let left = filter.top.map_or(i64::MAX as u64, |top| top as u64 - visited);
                if left == 0 {
                    break;
                }
                values.push(Value::Integer(left.cast_signed()));
                let mut statement =
                    self.connection.prepare_cached(&format!("{sql} LIMIT ?")).map_err(&failed)?;
                let mut rows = statement.query(params_from_iter(values)).map_err(&failed)?;
                while let Some(row) = rows.next().map_err(&failed)? {
                    visit(read(row).map_err(&failed)?)?;
                    visited += 1;
                }
            }
            Ok(visited)
        })
    }

    /// Finds the conditions that select very many rows. It is faster to scan these in the requested order than to
    /// find and sort them.
    fn scan_choice(&self, filter: &Filter) -> Result<ScanChoice, CatalogError> {
        let many = |from: String, values: Vec<Value>| {
            let sql = format!("SELECT count(*) FROM ({from} LIMIT {MANY_ROWS})");
            let rows = self.read("estimate the number of rows", |connection| {
                connection.query_row(&sql, params_from_iter(values), |row| row.get::<_, u64>(0))
            });
            rows.map(|rows| rows >= MANY_ROWS)
        };
        let source = match filter.members() {
            Some(members) => many(members.query(), members.values)?,
            None => true,
        };
        let counts = filter.raw_min.or(filter.unique_min).is_some_and(|least| least > 0);
        let mut all = source && filter.name.is_none() && filter.signature.is_none() && !counts;
        let figures = filter.figure_conditions();
        for condition in figures.iter().filter(|condition| condition.is_indexed()) {
            let (sql, value) = condition.sql(true);
            all = all && many(format!("SELECT 1 FROM figure WHERE {sql}"), Vec::from_iter(value))?;
        }
        let outcome: Vec<_> =
            filter.outcome_conditions().iter().map(|condition| condition.sql(true)).collect();
        if !outcome.is_empty() {
            let (sql, values): (Vec<String>, Vec<Option<Value>>) = outcome.into_iter().unzip();
            let from = format!("SELECT 1 FROM outcome WHERE {}", sql.join(" AND "));
            all = all && many(from, values.into_iter().flatten().collect())?;
        }
        let sets = self.number("count piece sets", "SELECT count(*) FROM piece_set")?;
        Ok(ScanChoice { all, source, one_set: sets <= 1 })
    }

    /// Returns SQLite's query plan for a filter, line by line. For an order by counts, it covers rows with packings,
    /// which come first.
    pub fn query_plan(&self, filter: &Filter) -> Result<Vec<String>, CatalogError> {
        let statements = filter.statements(COLUMNS, self.scan_choice(filter)?);
        let (sql, values) = statements.into_iter().next().expect("every filter has a statement");
        let sql = format!("EXPLAIN QUERY PLAN {sql} LIMIT 20");
        self.rows("explain a query", &sql, params_from_iter(values), |row| row.get(3))
    }

    pub fn row_count(&self) -> Result<u64, CatalogError> {
        self.number("count rows", "SELECT count(*) FROM figures")
    }

    pub fn figure_count(&self) -> Result<u64, CatalogError> {
        self.number("count figures", "SELECT count(*) FROM figure")
    }
}

/// Reads a row with [`COLUMNS`].
fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<Row, DamagedRow>> {
    let signature = Signature::from_trusted(row.get(0)?);
    let damaged = |problem: String| Ok(Err(DamagedRow { signature: signature.clone(), problem }));
    let outcome = OutcomeColumns::read_at(row, [8, 9, 10, 11, 12, 13])?;
    let outcome = match outcome.map(OutcomeColumns::outcome).transpose() {
        Ok(outcome) => outcome,
        Err(fault) => return damaged(fault.to_string()),
    };
    let (nodes, engine) = (row.get(14)?, row.get::<_, Option<i64>>(15)?);
    let report =
        outcome.map(|outcome| Report { outcome, nodes, engine: engine.and_then(Engine::of_code) });
    let number: i64 = row.get(2)?;
    let class = usize::try_from(number).ok().and_then(|number| Class::all().nth(number));
    let Some(class) = class else { return damaged(format!("unknown symmetry class {number}")) };
    let names = row.get_ref(6)?.as_str_or_null()?.map_or(Ok(Vec::new()), serde_json::from_str);
    let Ok(names) = names else {
        return damaged("its names are not a list".to_owned());
    };
    let record = Record {
        name: names.first().cloned(),
        cells: row.get(1)?,
        signature,
        class,
        parity: row.get(3)?,
        report,
        micros: row.get(16)?,
    };
    let (set, bounds, parts) = (row.get(7)?, row.get(4)?, row.get(5)?);
    let structure = StructureNumbers::read(row, 17)?;
    Ok(Ok(Row { record, names, set, bounds, parts, structure }))
}
