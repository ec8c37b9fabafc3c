//! Questions to a catalog: filters that become one SELECT on the public views.

use super::{Called, Catalog, CatalogError, Record};
use crate::figure::Signature;
use crate::symmetry::Class;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, Statement, params_from_iter};

/// What rows are ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortKey {
    /// The canonical form, ascending: the order of every export.
    #[default]
    Signature,
    /// The first name.
    Name,
    /// Unique count, the largest first.
    Unique,
    /// Raw count, the largest first.
    Raw,
    /// Group order, the largest first.
    Order,
    /// Search nodes, the most first.
    Nodes,
}

/// Which rows are wanted. The default is all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these classes.
    pub classes: Option<Vec<Class>>,
    /// Only groups with an element of this order (Nungester's n-fold).
    pub fold: Option<usize>,
    /// Only groups of this order (Allen's n-fold).
    pub order: Option<usize>,
    /// Only figures with a packing.
    pub solvable: bool,
    /// Only figures proved to have none.
    pub unsolvable: bool,
    /// Only this verdict.
    pub verdict: Option<String>,
    /// Only this reason.
    pub reason: Option<String>,
    /// Unique count at least.
    pub unique_min: Option<u64>,
    /// Unique count at most.
    pub unique_max: Option<u64>,
    /// Number of cells.
    pub cells: Option<usize>,
    /// |black − white|.
    pub parity: Option<u32>,
    /// A name, with `*` and `?` as wildcards, in either case.
    pub name: Option<String>,
    /// Counted with this set.
    pub set: Option<String>,
    /// Exactly this figure.
    pub signature: Option<Signature>,
    /// The order of the rows.
    pub sort: SortKey,
    /// At most so many rows.
    pub top: Option<usize>,
}

/// How a catalog stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Status {
    /// Label and number, in the order to show them.
    pub numbers: Vec<(&'static str, u64)>,
    /// The last run: command, version, start, end, status, planned, done.
    pub last_run: Option<Vec<(&'static str, String)>>,
}

impl Filter {
    /// The WHERE and ORDER clauses and their parameters.
    fn clauses(&self) -> (String, Vec<Value>) {
        let mut conditions: Vec<String> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut add = |condition: &str, value: Value| {
            conditions.push(condition.to_owned());
            values.push(value);
        };
        let number = |n: u64| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
        if let Some(order) = self.order {
            add("\"order\" = ?", number(order as u64));
        }
        if let Some(cells) = self.cells {
            add("cells = ?", number(cells as u64));
        }
        if let Some(parity) = self.parity {
            add("parity = ?", number(u64::from(parity)));
        }
        if let Some(least) = self.unique_min {
            add("verdict IN ('counted', 'unsolvable') AND \"unique\" >= ?", number(least));
        }
        if let Some(most) = self.unique_max {
            add("verdict IN ('counted', 'unsolvable') AND \"unique\" <= ?", number(most));
        }
        if let Some(verdict) = &self.verdict {
            add("verdict = ?", Value::Text(verdict.clone()));
        }
        if let Some(reason) = &self.reason {
            add("reason = ?", Value::Text(reason.clone()));
        }
        if let Some(set) = &self.set {
            add("\"set\" = ?", Value::Text(set.clone()));
        }
        if let Some(signature) = &self.signature {
            add("signature = ?", Value::Text(signature.as_str().to_owned()));
        }
        if let Some(name) = &self.name {
            add(
                "signature IN (SELECT f.signature FROM name n JOIN figure f ON f.id = n.figure_id
                 WHERE n.label LIKE ? ESCAPE '\\')",
                Value::Text(like_pattern(name)),
            );
        }
        if self.solvable {
            conditions.push("verdict IN ('counted', 'solvable')".to_owned());
        }
        if self.unsolvable {
            conditions.push("verdict = 'unsolvable'".to_owned());
        }
        if let Some(names) = self.class_names() {
            let marks = vec!["?"; names.len()].join(", ");
            conditions.push(format!("class IN ({marks})"));
            values.extend(names.into_iter().map(|name| Value::Text(name.to_owned())));
        }
        let mut sql = String::new();
        if !conditions.is_empty() {
            sql = format!(" WHERE {}", conditions.join(" AND "));
        }
        sql += match self.sort {
            SortKey::Signature => " ORDER BY signature, \"set\"",
            SortKey::Name => " ORDER BY name, signature, \"set\"",
            SortKey::Unique => " ORDER BY \"unique\" DESC, signature, \"set\"",
            SortKey::Raw => " ORDER BY raw DESC, signature, \"set\"",
            SortKey::Order => " ORDER BY \"order\" DESC, signature, \"set\"",
            SortKey::Nodes => " ORDER BY nodes DESC, signature, \"set\"",
        };
        if let Some(top) = self.top {
            sql += " LIMIT ?";
            values.push(number(top as u64));
        }
        (sql, values)
    }

    /// The classes that `classes` and `fold` leave, if they leave out any.
    fn class_names(&self) -> Option<Vec<&'static str>> {
        if self.classes.is_none() && self.fold.is_none() {
            return None;
        }
        let wanted = |class: &Class| {
            self.classes.as_ref().is_none_or(|list| list.contains(class))
                && self.fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
        };
        Some(Class::all().filter(wanted).map(Class::name).collect())
    }
}

/// A name with `*` and `?` as a LIKE pattern with `\` as escape.
fn like_pattern(name: &str) -> String {
    let mut pattern = String::new();
    for c in name.chars() {
        match c {
            '*' => pattern.push('%'),
            '?' => pattern.push('_'),
            '%' | '_' | '\\' => pattern.extend(['\\', c]),
            _ => pattern.push(c),
        }
    }
    pattern
}

/// A count kept as integer or decimal text.
fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u128>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(n) => u128::try_from(n).ok(),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|t| t.parse().ok()),
        _ => None,
    })
}

fn called(row: &Row<'_>) -> rusqlite::Result<Called> {
    let names: Option<String> = row.get("names")?;
    Ok(Called {
        record: Record {
            name: row.get("name")?,
            cells: row.get("cells")?,
            signature: row.get("signature")?,
            class: row.get("class")?,
            order: row.get("order")?,
            parity: row.get("parity")?,
            verdict: row.get("verdict")?,
            reason: row.get("reason")?,
            raw: count(row, "raw")?,
            rotation: count(row, "rotation")?,
            unique: count(row, "unique")?,
            nodes: row.get("nodes")?,
            micros: row.get("micros")?,
        },
        names: names.map(|n| n.split("; ").map(str::to_owned).collect()).unwrap_or_default(),
        set: row.get("set")?,
    })
}

impl Catalog {
    /// Shows every row that passes the filter to `visit`, in order, one at a time.
    ///
    /// # Errors
    /// If SQLite fails or `visit` does.
    pub fn select<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Called) -> Result<(), E>,
    ) -> Result<u64, E> {
        let (clauses, values) = filter.clauses();
        let sql = format!("SELECT * FROM figures{clauses}");
        let mut statement = self.connection.prepare(&sql).map_err(CatalogError::from)?;
        let mut rows = statement.query(params_from_iter(values)).map_err(CatalogError::from)?;
        let mut shown = 0;
        while let Some(row) = rows.next().map_err(CatalogError::from)? {
            visit(called(row).map_err(CatalogError::from)?)?;
            shown += 1;
        }
        Ok(shown)
    }

    /// The number of rows of the view `figures`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn row_count(&self) -> Result<u64, CatalogError> {
        Ok(self.connection.query_row("SELECT count(*) FROM figures", [], |row| row.get(0))?)
    }

    /// Checks that a text is one reading statement and prepares it.
    fn prepare_reading(&self, sql: &str) -> Result<Statement<'_>, CatalogError> {
        let refused = |error: rusqlite::Error| CatalogError::NotReadOnly(error.to_string());
        let statement = self.connection.prepare(sql).map_err(refused)?;
        if statement.readonly() {
            Ok(statement)
        } else {
            Err(CatalogError::NotReadOnly("this one writes".to_owned()))
        }
    }

    /// The columns that one reading statement of the user's gives.
    ///
    /// # Errors
    /// If the statement writes, is not one, or SQLite refuses it.
    pub fn sql_columns(&self, sql: &str) -> Result<Vec<String>, CatalogError> {
        let statement = self.prepare_reading(sql)?;
        Ok(statement.column_names().into_iter().map(str::to_owned).collect())
    }

    /// Shows every row of one reading statement to `visit`, values as text.
    ///
    /// # Errors
    /// If the statement writes, is not one, SQLite fails, or `visit` does.
    pub fn select_sql<E: From<CatalogError>>(
        &self,
        sql: &str,
        mut visit: impl FnMut(Vec<Option<String>>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut statement = self.prepare_reading(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(CatalogError::from)?;
        let mut shown = 0;
        while let Some(row) = rows.next().map_err(CatalogError::from)? {
            let values = (0..columns).map(|at| {
                Ok(match row.get_ref(at)? {
                    ValueRef::Null => None,
                    ValueRef::Integer(n) => Some(n.to_string()),
                    ValueRef::Real(x) => Some(x.to_string()),
                    ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                    ValueRef::Blob(bytes) => Some(format!("({} bytes)", bytes.len())),
                })
            });
            let values: rusqlite::Result<Vec<_>> = values.collect();
            visit(values.map_err(CatalogError::from)?)?;
            shown += 1;
        }
        Ok(shown)
    }

    /// How the catalog stands and what its last run did.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn status(&self) -> Result<Status, CatalogError> {
        let number = |sql: &str| self.connection.query_row(sql, [], |row| row.get(0));
        let numbers = [
            ("figures", "SELECT count(*) FROM figure"),
            ("names", "SELECT count(*) FROM name"),
            ("sources", "SELECT count(*) FROM source"),
            ("refused entries", "SELECT count(*) FROM fault WHERE refused"),
            ("counted exactly", "SELECT count(*) FROM outcome WHERE verdict = 'counted'"),
            ("parity-blocked", "SELECT count(*) FROM parity_blocked"),
            (
                "unsolvable otherwise",
                "SELECT count(*) FROM outcome WHERE verdict = 'unsolvable' AND reason <> 'parity'",
            ),
            ("solvable, at least", "SELECT count(*) FROM outcome WHERE verdict = 'solvable'"),
            ("undecided", "SELECT count(*) FROM outcome WHERE verdict = 'unknown'"),
            ("failed", "SELECT count(*) FROM outcome WHERE verdict = 'failed'"),
            (
                "not counted yet",
                "SELECT count(*) FROM figure f
                 WHERE NOT EXISTS (SELECT 1 FROM outcome o WHERE o.figure_id = f.id)",
            ),
            ("disagreements", "SELECT count(*) FROM disagreements"),
        ];
        let numbers = numbers
            .into_iter()
            .map(|(label, sql)| Ok((label, number(sql)?)))
            .collect::<rusqlite::Result<_>>()?;
        let columns =
            ["run", "command", "version", "started", "ended", "status", "planned", "done"];
        let last = self.connection.query_row(
            "SELECT * FROM progress ORDER BY run DESC LIMIT 1",
            [],
            |row| {
                let text = |column: &'static str| {
                    let value: Value = row.get(column)?;
                    let text = match value {
                        Value::Text(text) => text,
                        Value::Integer(n) => n.to_string(),
                        _ => String::new(),
                    };
                    Ok((column, text))
                };
                columns.into_iter().map(text).collect::<rusqlite::Result<Vec<_>>>()
            },
        );
        let last_run = match last {
            Err(rusqlite::Error::QueryReturnedNoRows) => None,
            other => Some(other?),
        };
        Ok(Status { numbers, last_run })
    }
}
