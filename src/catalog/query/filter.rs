//! Filters, which become SELECT statements on the view `figure_rows`.

use super::super::words::{Code, exact_verdicts};
use super::name::NamePattern;
use rusqlite::types::Value;
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::symmetry::Class;

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
    pub buildable: bool,
    /// Only figures proved to have none.
    pub unsolvable: bool,
    /// Only this verdict.
    pub verdict: Option<Verdict>,
    /// Only this reason.
    pub reason: Option<Reason>,
    /// Exact raw count at least.
    pub raw_min: Option<u64>,
    /// Exact raw count at most.
    pub raw_max: Option<u64>,
    /// Exact unique count at least.
    pub unique_min: Option<u64>,
    /// Exact unique count at most.
    pub unique_max: Option<u64>,
    /// Only figures of whose packings one may stand as loose pieces.
    pub stands: bool,
    /// Only figures of whose packings one can be built from above, every stage standing.
    pub by_hand: bool,
    /// Number of cells.
    pub cells: Option<usize>,
    /// The extents of the box it fills, in any order.
    pub bounds: Option<[u32; 3]>,
    /// Number of separate parts.
    pub parts: Option<usize>,
    /// |black − white|.
    pub parity: Option<u32>,
    /// A name or a title.
    pub name: Option<NamePattern>,
    /// A source or an enumeration it comes from, as a whole, with `*` and `?` as wildcards, in either case.
    pub source: Option<String>,
    /// Counted with the set of this name.
    pub set: Option<String>,
    /// Exactly this figure.
    pub signature: Option<Signature>,
    /// The order of the rows.
    pub sort: SortKey,
    /// At most so many rows.
    pub top: Option<usize>,
}

/// What leaves a great many rows.
#[derive(Clone, Copy)]
pub(super) struct Breadth {
    /// Every condition that an index could answer: none is to be the way to the rows.
    pub(super) all: bool,
    /// The source: its figures are not to be listed.
    pub(super) source: bool,
}

/// A condition on a column that has an index.
pub(super) struct Condition {
    column: &'static str,
    test: Test,
}

/// What a column is to be.
enum Test {
    Equal(Value),
    /// Equal, and greater than 1: in the words of an index that has such rows only.
    EqualAboveOne(Value),
    /// One of these numbers of rows.
    OneOf(Vec<i64>),
}

impl Condition {
    fn equal(column: &'static str, value: impl Into<Value>) -> Self {
        Self { column, test: Test::Equal(value.into()) }
    }

    /// The words, and the parameter if there is one. If the column's index is not to be the way to the rows,
    /// because it leads to a great part of the catalog and would have it sorted, the column is written with a
    /// plus, which keeps SQLite from taking the index.
    pub(super) fn sql(&self, by_index: bool) -> (String, Option<Value>) {
        let column = format!("{}{}", if by_index { "" } else { "+" }, self.column);
        match &self.test {
            Test::Equal(value) => (format!("{column} = ?"), Some(value.clone())),
            Test::EqualAboveOne(value) => {
                (format!("{column} > 1 AND {column} = ?"), Some(value.clone()))
            }
            Test::OneOf(numbers) => {
                let list: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                (format!("{column} IN ({})", list.join(", ")), None)
            }
        }
    }

    /// Whether the column has an index for the value asked for.
    pub(super) fn is_indexed(&self) -> bool {
        // Figures in one part, nearly all, have none of their own.
        self.column != "parts" || matches!(self.test, Test::EqualAboveOne(_))
    }
}

/// Figures of sources and enumerations: tables, each with a condition, whose column `figure_id` has them.
pub(super) struct Members {
    tables: [String; 2],
    pub(super) values: Vec<Value>,
}

impl Members {
    pub(super) fn query(&self) -> String {
        let tables = self.tables.each_ref().map(|some| format!("SELECT figure_id FROM {some}"));
        tables.join(" UNION ALL ")
    }

    /// That a figure is one of them: looked for in their list, or each figure in the tables.
    fn condition(&self, listed: bool) -> String {
        if listed {
            return format!("figure_id IN ({})", self.query());
        }
        let within = |some: &String| {
            format!("EXISTS (SELECT 1 FROM {some} AND m.figure_id = figure_rows.figure_id)")
        };
        format!("({})", self.tables.each_ref().map(within).join(" OR "))
    }
}

/// Conditions that all hold, with their parameters.
#[derive(Default)]
struct Where {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Where {
    fn add(&mut self, condition: impl Into<String>, values: impl IntoIterator<Item = Value>) {
        self.conditions.push(condition.into());
        self.values.extend(values);
    }

    fn clause(&self) -> String {
        match self.conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", self.conditions.join(" AND ")),
        }
    }
}

/// A number as SQLite keeps it; none of these comes near the greatest.
fn integer(n: u64) -> Value {
    Value::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

impl Filter {
    /// The statements that together give all rows in order, each with its parameters; columns and `LIMIT` are the
    /// caller's. Where the order is by a count there are three, for rows with packings, without, and not counted:
    /// the first can follow the index of counts.
    pub(super) fn statements(&self, columns: &str, breadth: Breadth) -> Vec<(String, Vec<Value>)> {
        let tie = "signature, \"set\"";
        let (order, counts) = match self.sort {
            SortKey::Signature => (tie.to_owned(), None),
            SortKey::Name => (format!("name, {tie}"), None),
            SortKey::Order => (format!("\"order\" DESC, {tie}"), None),
            SortKey::Unique => (format!("\"unique\" DESC, {tie}"), Some("\"unique\"")),
            SortKey::Raw => (format!("raw DESC, {tie}"), Some("raw")),
            SortKey::Nodes => (format!("nodes DESC, {tie}"), Some("nodes")),
        };
        let statement = |condition: Option<String>| {
            let mut rows = self.conditions(breadth);
            if let Some(condition) = condition {
                rows.add(condition, []);
            } else if breadth.all && self.sort == SortKey::Signature {
                // With a bound SQLite sees that the index of signatures gives the rows in order.
                rows.add("signature >= ''", []);
            }
            let clause = rows.clause();
            (format!("SELECT {columns} FROM figure_rows{clause} ORDER BY {order}"), rows.values)
        };
        match counts {
            None => vec![statement(None)],
            Some(column) => vec![
                statement(Some(format!("{column} > 0"))),
                statement(Some(format!("{column} = 0"))),
                statement(Some(format!("{column} IS NULL"))),
            ],
        }
    }

    /// The conditions on `figure_rows`. Words are given as the numbers behind them, so that SQLite can tell from
    /// its statistics how few rows have them.
    fn conditions(&self, breadth: Breadth) -> Where {
        let mut rows = Where::default();
        for condition in self.figure_conditions().into_iter().chain(self.outcome_conditions()) {
            let (sql, value) = condition.sql(!breadth.all);
            rows.add(sql, value);
        }
        let exact = format!("COALESCE(verdict_id, 0) IN ({})", exact_verdicts());
        for (column, least, most) in
            [("raw", self.raw_min, self.raw_max), ("\"unique\"", self.unique_min, self.unique_max)]
        {
            if let Some(least) = least {
                // The words that the index of counts has.
                let above = if least > 0 { format!(" AND {column} > 0") } else { String::new() };
                rows.add(format!("{exact} AND {column} >= ?{above}"), [integer(least)]);
            }
            if let Some(most) = most {
                rows.add(format!("{exact} AND {column} <= ?"), [integer(most)]);
            }
        }
        for (wanted, column) in [(self.stands, "stand"), (self.by_hand, "by_hand")] {
            if wanted {
                rows.add(format!("{column} > 0"), []);
            }
        }
        if let Some(set) = &self.set {
            rows.add("\"set\" = ?", [Value::Text(set.clone())]);
        }
        if let Some(signature) = &self.signature {
            rows.add("signature = ?", [Value::Text(signature.as_str().to_owned())]);
        }
        if let Some(name) = &self.name {
            let (figures, values) = figures_named(name);
            rows.add(format!("figure_id IN ({figures})"), values);
        }
        if let Some(members) = self.members() {
            rows.add(members.condition(!breadth.source), members.values);
        }
        rows
    }

    /// The conditions on columns of the table `figure` that have an index.
    pub(super) fn figure_conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        conditions.extend(self.cells.map(|cells| Condition::equal("cells", integer(cells as u64))));
        if let Some(mut sides) = self.bounds {
            sides.sort_unstable();
            let [x, y, z] = sides;
            conditions.push(Condition::equal("box", format!("{x}x{y}x{z}")));
        }
        if let Some(parts) = self.parts {
            let value = integer(parts as u64);
            let test = if parts > 1 { Test::EqualAboveOne(value) } else { Test::Equal(value) };
            conditions.push(Condition { column: "parts", test });
        }
        conditions.extend(self.parity.map(|n| Condition::equal("parity", i64::from(n))));
        if let Some(classes) = self.class_numbers() {
            conditions.push(Condition { column: "class_id", test: Test::OneOf(classes) });
        }
        conditions
    }

    /// The conditions on verdict and reason.
    pub(super) fn outcome_conditions(&self) -> Vec<Condition> {
        let verdicts = |some: &[Verdict]| Condition {
            column: "verdict_id",
            test: Test::OneOf(some.iter().map(|verdict| verdict.code()).collect()),
        };
        let mut conditions = Vec::new();
        conditions.extend(self.verdict.map(|verdict| verdicts(&[verdict])));
        if let Some(reason) = self.reason {
            conditions.push(verdicts(&[Verdict::Unsolvable]));
            conditions.push(Condition::equal("reason_id", reason.code()));
        }
        conditions.extend(self.buildable.then(|| verdicts(&[Verdict::Counted, Verdict::AtLeast])));
        conditions.extend(self.unsolvable.then(|| verdicts(&[Verdict::Unsolvable])));
        conditions
    }

    /// The figures of the sources and enumerations asked for, if any are.
    pub(super) fn members(&self) -> Option<Members> {
        let (condition, values) = label_condition(self.source.as_ref()?);
        let named = format!("name m WHERE source_id IN (SELECT id FROM source WHERE {condition})");
        let listed = format!(
            "enumerated m WHERE enumeration_id IN (SELECT id FROM enumeration WHERE {condition})"
        );
        Some(Members { tables: [named, listed], values: [values.clone(), values].concat() })
    }

    /// The classes that `classes`, `fold` and `order` leave, if they leave out any.
    fn class_numbers(&self) -> Option<Vec<i64>> {
        if self.classes.is_none() && self.fold.is_none() && self.order.is_none() {
            return None;
        }
        let wanted = |class: &Class| {
            self.classes.as_ref().is_none_or(|list| list.contains(class))
                && self.order.is_none_or(|n| class.order() == n)
                && self.fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
        };
        Some(Class::all().filter(wanted).map(|class| class.number() as i64).collect())
    }
}

/// What an entry without a name is called: the name of its file, without the folders, and its number there.
const UNNAMED: &str = "substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)";

/// A query for the figures with a name or title that fits. A whole name leads to them by the index of names, or,
/// where the entry has none, by its file and number; for a part of one all names are looked at.
fn figures_named(wanted: &NamePattern) -> (String, Vec<Value>) {
    let join = "SELECT n.figure_id FROM name n JOIN source s ON s.id = n.source_id";
    let text = wanted.text().to_owned();
    if !wanted.is_exact() {
        let fits = format!("name_fits(COALESCE(n.label, {UNNAMED}), ?) OR name_fits(n.title, ?)");
        return (format!("{join} WHERE {fits}"), vec![Value::Text(text); 2]);
    }
    let mut sql = "SELECT figure_id FROM name WHERE label = ? COLLATE NOCASE".to_owned();
    let mut values = vec![Value::Text(text.clone())];
    if let Some(number) = text.rsplit_once(' ').and_then(|(_, n)| n.parse::<i64>().ok()) {
        sql += &format!(
            " UNION ALL {join} WHERE n.ordinal = ? AND n.label IS NULL AND {UNNAMED} = ? COLLATE NOCASE"
        );
        values.extend([Value::Integer(number.saturating_sub(1)), Value::Text(text)]);
    }
    (sql, values)
}

/// A condition that the column `label` fits a text with wildcards, in either case. What comes before the first
/// wildcard is put as a range, which an index can follow.
fn label_condition(wanted: &str) -> (String, Vec<Value>) {
    let (prefix, rest) = wanted.split_at(wanted.find(['*', '?']).unwrap_or(wanted.len()));
    if rest.is_empty() {
        return ("label = ? COLLATE NOCASE".to_owned(), vec![Value::Text(wanted.to_owned())]);
    }
    let pattern = Value::Text(like_pattern(wanted));
    if prefix.is_empty() {
        return ("label LIKE ? ESCAPE '\\'".to_owned(), vec![pattern]);
    }
    // The `+` keeps LIKE, which cannot use the index, from being taken for the way to the rows.
    let range =
        "label >= ? COLLATE NOCASE AND label < ? COLLATE NOCASE AND +label LIKE ? ESCAPE '\\'";
    let end = format!("{prefix}\u{10FFFF}");
    (range.to_owned(), vec![Value::Text(prefix.to_owned()), Value::Text(end), pattern])
}

/// A text with `*` and `?` as a LIKE pattern with `\` as escape.
fn like_pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        match c {
            '*' => pattern.push('%'),
            '?' => pattern.push('_'),
            '%' | '_' | '\\' => pattern.extend(['\\', c]),
            _ => pattern.push(c),
        }
    }
    pattern
}
