//! Questions to a catalog: filters that become one SELECT on the public views.

use super::words::{reason_id, verdict_id};
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
    /// Raw count at least.
    pub raw_min: Option<u64>,
    /// Raw count at most.
    pub raw_max: Option<u64>,
    /// Unique count at least.
    pub unique_min: Option<u64>,
    /// Unique count at most.
    pub unique_max: Option<u64>,
    /// Number of cells.
    pub cells: Option<usize>,
    /// The extents of the box it fills, in any order.
    pub bounds: Option<[u32; 3]>,
    /// Number of separate parts.
    pub parts: Option<usize>,
    /// |black − white|.
    pub parity: Option<u32>,
    /// A name, with `*` and `?` as wildcards, in either case.
    pub name: Option<String>,
    /// A source or an enumeration it comes from, with the same wildcards.
    pub source: Option<String>,
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
    /// The conditions on `figure_rows` and their parameters. Words are given as the numbers behind
    /// them, so that SQLite can tell from its statistics how few rows have them.
    fn conditions(&self, Broad { all: broad, source }: Broad) -> Conditions {
        let mut found = Conditions::default();
        let count = |n: u64| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
        for (column, condition, values) in self.figure_conditions() {
            found.add(&apart(column, &condition, broad), values);
        }
        let (counted, none) = (verdict_id("counted"), verdict_id("unsolvable"));
        let exact = format!("COALESCE(verdict_id, 0) IN ({counted}, {none})");
        for (column, least, most) in
            [("raw", self.raw_min, self.raw_max), ("\"unique\"", self.unique_min, self.unique_max)]
        {
            if let Some(least) = least {
                // The words that the index of counts has.
                let above = if least > 0 { format!(" AND {column} > 0") } else { String::new() };
                found.add(&format!("{exact} AND {column} >= ?{above}"), [count(least)]);
            }
            if let Some(most) = most {
                found.add(&format!("{exact} AND {column} <= ?"), [count(most)]);
            }
        }
        if let Some(verdicts) = self.verdict_condition() {
            found.add(&apart("reason_id", &apart("verdict_id", &verdicts, broad), broad), []);
        }
        if let Some(set) = &self.set {
            found.add("\"set\" = ?", [Value::Text(set.clone())]);
        }
        if let Some(signature) = &self.signature {
            found.add("signature = ?", [Value::Text(signature.as_str().to_owned())]);
        }
        if let Some(name) = &self.name {
            let (condition, values) = name_condition("label", name);
            let named = format!("figure_id IN (SELECT figure_id FROM name WHERE {condition})");
            found.add(&named, values);
        }
        if let Some((members, values)) = self.source_members() {
            found.add(&members.condition(source), values);
        }
        found
    }

    /// The conditions on columns of the table `figure` that have an index: the column, the condition,
    /// its parameter.
    fn figure_conditions(&self) -> Vec<(&'static str, String, Option<Value>)> {
        let number = |n: usize| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
        let equal = |column: &'static str, value| (column, format!("{column} = ?"), Some(value));
        let mut found = Vec::new();
        found.extend(self.cells.map(|cells| equal("cells", number(cells))));
        if let Some(mut sides) = self.bounds {
            sides.sort_unstable();
            let [x, y, z] = sides;
            found.push(equal("box", Value::Text(format!("{x}x{y}x{z}"))));
        }
        if let Some(parts) = self.parts {
            // The words that the index of figures in several parts has.
            let words = if parts > 1 { "parts > 1 AND parts = ?" } else { "parts = ?" };
            found.push(("parts", words.to_owned(), Some(number(parts))));
        }
        found.extend(self.parity.map(|n| equal("parity", Value::Integer(i64::from(n)))));
        if let Some(classes) = self.class_numbers() {
            let list: Vec<String> = classes.iter().map(usize::to_string).collect();
            found.push(("class_id", format!("class_id IN ({})", list.join(", ")), None));
        }
        found
    }

    /// The figures of the sources and enumerations asked for, if there is such a question, and its
    /// parameters.
    fn source_members(&self) -> Option<(Members, Vec<Value>)> {
        let (condition, values) = name_condition("label", self.source.as_ref()?);
        let named = format!("name m WHERE source_id IN (SELECT id FROM source WHERE {condition})");
        let listed = format!(
            "enumerated m WHERE enumeration_id IN (SELECT id FROM enumeration WHERE {condition})"
        );
        Some((Members([named, listed]), [values.clone(), values].concat()))
    }

    /// The condition on verdict and reason, if there is one.
    fn verdict_condition(&self) -> Option<String> {
        let mut conditions = Vec::new();
        if let Some(verdict) = &self.verdict {
            conditions.push(format!("verdict_id = {}", verdict_id(verdict)));
        }
        if let Some(reason) = &self.reason {
            let (verdict, reason) = (verdict_id("unsolvable"), reason_id(reason).unwrap_or(0));
            conditions.push(format!("verdict_id = {verdict} AND reason_id = {reason}"));
        }
        if self.solvable {
            let (counted, least) = (verdict_id("counted"), verdict_id("solvable"));
            conditions.push(format!("verdict_id IN ({counted}, {least})"));
        }
        if self.unsolvable {
            conditions.push(format!("verdict_id = {}", verdict_id("unsolvable")));
        }
        (!conditions.is_empty()).then(|| conditions.join(" AND "))
    }

    /// The statements that together give all rows in order, each with its parameters. Where the
    /// order is by a count there are three, for rows with packings, without, and not counted: the
    /// first can follow the index of counts.
    fn statements(&self, columns: &str, broad: Broad) -> Vec<(String, Vec<Value>)> {
        let tie = "signature, \"set\"";
        let (order, column) = match self.sort {
            SortKey::Signature => (tie.to_owned(), None),
            SortKey::Name => (format!("name, {tie}"), None),
            SortKey::Order => (format!("\"order\" DESC, {tie}"), None),
            SortKey::Unique => (format!("\"unique\" DESC, {tie}"), Some("\"unique\"")),
            SortKey::Raw => (format!("raw DESC, {tie}"), Some("raw")),
            SortKey::Nodes => (format!("nodes DESC, {tie}"), Some("nodes")),
        };
        let statement = |present: Option<String>| {
            let mut found = self.conditions(broad);
            if let Some(present) = present {
                found.add(&present, []);
            } else if broad.all && self.sort == SortKey::Signature {
                // With a bound SQLite sees that the index of signatures gives the rows in order.
                found.add("signature >= ''", []);
            }
            let Conditions { conditions, values } = found;
            let conditions = match conditions.is_empty() {
                true => String::new(),
                false => format!(" WHERE {}", conditions.join(" AND ")),
            };
            (format!("SELECT {columns} FROM figure_rows{conditions} ORDER BY {order}"), values)
        };
        match column {
            None => vec![statement(None)],
            Some(column) => vec![
                statement(Some(format!("{column} > 0"))),
                statement(Some(format!("{column} = 0"))),
                statement(Some(format!("{column} IS NULL"))),
            ],
        }
    }

    /// The classes that `classes`, `fold` and `order` leave, if they leave out any.
    fn class_numbers(&self) -> Option<Vec<usize>> {
        if self.classes.is_none() && self.fold.is_none() && self.order.is_none() {
            return None;
        }
        let wanted = |class: &Class| {
            self.classes.as_ref().is_none_or(|list| list.contains(class))
                && self.order.is_none_or(|n| class.order() == n)
                && self.fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
        };
        Some(Class::all().filter(wanted).map(Class::number).collect())
    }
}

/// So many rows take longer to sort than anyone wants to wait.
const MANY: u64 = 50_000;

/// A condition on a column; if it is to be kept apart, written so that SQLite does not take an index
/// of the column, which would lead to a great part of the catalog and have it sorted.
fn apart(column: &str, condition: &str, apart: bool) -> String {
    if apart { condition.replace(column, &format!("+{column}")) } else { condition.to_owned() }
}

/// What leaves a great many rows.
#[derive(Clone, Copy)]
struct Broad {
    /// Every condition that an index could answer: none is to be the way to the rows.
    all: bool,
    /// The source: its figures are not to be listed.
    source: bool,
}

/// Tables, each with a condition, whose column `figure_id` has the figures asked for.
struct Members([String; 2]);

impl Members {
    fn query(&self) -> String {
        self.0.each_ref().map(|some| format!("SELECT figure_id FROM {some}")).join(" UNION ALL ")
    }

    /// That a figure is one of them: looked for in their list, or each figure in the tables.
    fn condition(&self, broad: bool) -> String {
        if !broad {
            return format!("figure_id IN ({})", self.query());
        }
        let within = |some: &String| {
            format!("EXISTS (SELECT 1 FROM {some} AND m.figure_id = figure_rows.figure_id)")
        };
        format!("({})", self.0.each_ref().map(within).join(" OR "))
    }
}

#[derive(Default)]
struct Conditions {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.conditions.push(condition.to_owned());
        self.values.extend(values);
    }
}

/// A condition that a column fits a name with wildcards, in either case. What comes before the first
/// wildcard is put as a range, which an index can follow.
fn name_condition(column: &str, name: &str) -> (String, Vec<Value>) {
    let text = |text: String| Value::Text(text);
    let (prefix, rest) = name.split_at(name.find(['*', '?']).unwrap_or(name.len()));
    if rest.is_empty() {
        return (format!("{column} = ? COLLATE NOCASE"), vec![text(name.to_owned())]);
    }
    let like = format!("{column} LIKE ? ESCAPE '\\'");
    let pattern = text(like_pattern(name));
    if prefix.is_empty() {
        return (like, vec![pattern]);
    }
    // The `+` keeps LIKE, which cannot use the index, from being taken for the way to the rows.
    let range = format!("{column} >= ? COLLATE NOCASE AND {column} < ? COLLATE NOCASE AND +{like}");
    (range, vec![text(prefix.to_owned()), text(format!("{prefix}\u{10FFFF}")), pattern])
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
pub(super) fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u128>> {
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
            engine: row.get("engine")?,
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
        let mut shown = 0;
        let broad = self.breadth(filter)?;
        for (sql, values) in filter.statements("*", broad) {
            let left = filter.top.map_or(i64::MAX, |top| i64::try_from(top).unwrap_or(i64::MAX));
            let sql = format!("{sql} LIMIT ?");
            let left = left.saturating_sub_unsigned(shown);
            if left == 0 {
                break;
            }
            let left = Value::Integer(left);
            let mut statement = self.connection.prepare(&sql).map_err(CatalogError::from)?;
            let values = values.into_iter().chain([left]);
            let mut rows = statement.query(params_from_iter(values)).map_err(CatalogError::from)?;
            while let Some(row) = rows.next().map_err(CatalogError::from)? {
                visit(called(row).map_err(CatalogError::from)?)?;
                shown += 1;
            }
        }
        Ok(shown)
    }

    /// Which conditions of a filter leave a great many rows: these are better looked through in the
    /// order wanted than found and sorted.
    fn breadth(&self, filter: &Filter) -> Result<Broad, CatalogError> {
        let many = |from: String, values: Vec<Value>| -> Result<bool, CatalogError> {
            let sql = format!("SELECT count(*) FROM ({from} LIMIT {MANY})");
            let rows: u64 =
                self.connection.query_row(&sql, params_from_iter(values), |row| row.get(0))?;
            Ok(rows >= MANY)
        };
        let source = match filter.source_members() {
            Some((members, values)) => many(members.query(), values)?,
            None => true,
        };
        let counts = filter.raw_min.or(filter.unique_min).is_some_and(|least| least > 0);
        let mut all = source && filter.name.is_none() && filter.signature.is_none() && !counts;
        let verdict = filter.verdict_condition().map(|condition| ("outcome", condition, None));
        // Figures in one part have no index of their own.
        let figures = filter.figure_conditions().into_iter();
        let figures = figures.filter(|(column, ..)| *column != "parts" || filter.parts > Some(1));
        let figures = figures.map(|(_, condition, value)| ("figure", condition, value));
        for (table, condition, value) in figures.chain(verdict) {
            let from = format!("SELECT 1 FROM {table} WHERE {condition}");
            all = all && many(from, value.into_iter().collect())?;
        }
        Ok(Broad { all, source })
    }

    /// How SQLite finds the rows of a filter: the lines of its query plan. Of an order by counts it is
    /// the plan for rows with packings, which come first.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn query_plan(&self, filter: &Filter) -> Result<Vec<String>, CatalogError> {
        let mut statements = filter.statements("*", self.breadth(filter)?).into_iter();
        let Some((sql, values)) = statements.next() else { return Ok(Vec::new()) };
        let sql = format!("EXPLAIN QUERY PLAN {sql} LIMIT 20");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| row.get(3))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
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
            (
                "not counted yet",
                "SELECT count(*) FROM figure f
                 WHERE NOT EXISTS (SELECT 1 FROM outcome o WHERE o.figure_id = f.id)",
            ),
            ("disagreements", "SELECT count(*) FROM disagreements"),
        ];
        let mut numbers: Vec<(&str, u64)> = numbers
            .into_iter()
            .map(|(label, sql)| Ok((label, number(sql)?)))
            .collect::<rusqlite::Result<_>>()?;
        let outcomes = self.totals(
            "SELECT verdict_id, reason_id, count(*) FROM outcome GROUP BY verdict_id, reason_id",
        )?;
        numbers.extend([
            ("parity-blocked", outcomes.parity_blocked),
            ("unsolvable otherwise", outcomes.unsolvable),
            ("solvable", outcomes.solvable),
            ("undecided", outcomes.unknown),
            ("failed", outcomes.failed),
        ]);
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
