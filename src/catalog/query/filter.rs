//! Filters, translated to SELECT statements on the view `figure_rows`.

use super::super::codes::{Code, exact_verdicts};
use super::name::NamePattern;
use rusqlite::types::Value;
use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::pieces::parse_set;
use somacat_geometry::spelling::Spelling;
use somacat_geometry::symmetry::Class;

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
    /// Search nodes for each unique packing, the most first.
    Difficulty,
}

impl Spelling for SortKey {
    const KIND: &'static str = "sort key";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Signature, "signature"),
        (Self::Name, "name"),
        (Self::Unique, "unique"),
        (Self::Raw, "raw"),
        (Self::Order, "order"),
        (Self::Nodes, "nodes"),
        (Self::Difficulty, "difficulty"),
    ];
}

/// The conditions on rows. The default selects all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub classes: Option<Vec<Class>>,
    /// Only groups with an element of this order (Nungester's n-fold).
    pub fold: Option<usize>,
    /// Only groups of this order (Allen's n-fold).
    pub order: Option<usize>,
    /// Only figures with a packing.
    pub buildable: bool,
    /// Only figures proved to have no packing.
    pub unsolvable: bool,
    pub verdict: Option<Verdict>,
    pub reason: Option<Reason>,
    pub raw_min: Option<u64>,
    pub raw_max: Option<u64>,
    pub unique_min: Option<u64>,
    /// Greatest exact unique count.
    pub unique_max: Option<u64>,
    /// Only figures with a packing that may be stable as loose pieces.
    pub stands: bool,
    /// Only figures with a packing that can be built by hand. Every piece is lowered from above, and every stage is
    /// stable.
    pub by_hand: bool,
    pub cells: Option<usize>,
    /// The extents of the figure's box, in any order.
    pub bounds: Option<[u32; 3]>,
    pub parts: Option<usize>,
    /// |black − white|.
    pub parity: Option<u32>,
    /// A name or a title.
    pub name: Option<NamePattern>,
    /// A source or an enumeration: the whole label, case-insensitive, with `*` and `?` as wildcards.
    pub source: Option<String>,
    /// The name of the set used for counting. A built-in set may have any of its spellings.
    pub set: Option<String>,
    pub signature: Option<Signature>,
    pub sort: SortKey,
    pub top: Option<usize>,
    /// Read the counting times, which takes a lookup for each row.
    pub timings: bool,
}

/// The conditions that select very many rows.
#[derive(Clone, Copy)]
pub(super) struct ScanChoice {
    /// True if every indexed condition selects many rows. No index on a condition is used then.
    pub(super) all: bool,
    /// True if the source has many figures. They are not listed then.
    pub(super) source: bool,
    /// True if there is one piece set at most. Figures have one row then, and need no order by sets.
    pub(super) one_set: bool,
}

pub(super) struct Condition {
    column: &'static str,
    test: Test,
}

enum Test {
    Equal(Value),
    /// Equal, and greater than 1: the wording of an index with only these rows.
    EqualAboveOne(Value),
    OneOf(Vec<i64>),
}

impl Condition {
    fn equal(column: &'static str, value: impl Into<Value>) -> Self {
        Self { column, test: Test::Equal(value.into()) }
    }

    /// Returns the condition and its parameter, if any. An index that selects much of the catalog would cause a
    /// sort. Without `by_index`, a plus before the column keeps SQLite from using it.
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

    pub(super) fn is_indexed(&self) -> bool {
        // Nearly all figures have one part, so the index leaves them out.
        self.column != "parts" || matches!(self.test, Test::EqualAboveOne(_))
    }
}

/// Figures of sources and enumerations: tables with conditions and a column `figure_id`.
pub(super) struct Members {
    tables: [String; 2],
    pub(super) values: Vec<Value>,
}

impl Members {
    pub(super) fn query(&self) -> String {
        let tables = self.tables.each_ref().map(|some| format!("SELECT figure_id FROM {some}"));
        tables.join(" UNION ALL ")
    }

    /// Returns the membership condition: a search in the list of figures, or a lookup for each figure.
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

/// Converts a number for SQLite. None of these comes near the maximum.
fn integer(n: u64) -> Value {
    Value::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

impl Filter {
    /// Returns statements with parameters that together select all rows in order. The caller adds columns and
    /// `LIMIT`. An order by counts takes three statements: rows with packings, without, and not counted. The first
    /// can use the index of counts.
    pub(super) fn statements(&self, columns: &str, scan: ScanChoice) -> Vec<(String, Vec<Value>)> {
        let tie = if scan.one_set { "signature" } else { "signature, \"set\"" };
        let (order, counts) = match self.sort {
            SortKey::Signature => (tie.to_owned(), None),
            SortKey::Name => (format!("name, {tie}"), None),
            SortKey::Order => (format!("\"order\" DESC, {tie}"), None),
            SortKey::Unique => (format!("\"unique\" DESC, {tie}"), Some("\"unique\"")),
            SortKey::Raw => (format!("raw DESC, {tie}"), Some("raw")),
            SortKey::Nodes => (format!("nodes DESC, {tie}"), Some("nodes")),
            SortKey::Difficulty => {
                (format!("nodes * 1.0 / \"unique\" DESC, {tie}"), Some("\"unique\""))
            }
        };
        let statement = |condition: Option<String>| {
            let mut rows = self.conditions(scan);
            if let Some(condition) = condition {
                rows.add(condition, []);
            } else if scan.all && self.sort == SortKey::Signature {
                // With this bound SQLite sees that the index of signatures gives the order.
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

    /// Returns the conditions on `figure_rows`. They use codes instead of words, so that SQLite's statistics show
    /// how rare these are.
    fn conditions(&self, scan: ScanChoice) -> Where {
        let mut rows = Where::default();
        for condition in self.figure_conditions().into_iter().chain(self.outcome_conditions()) {
            let (sql, value) = condition.sql(!scan.all);
            rows.add(sql, value);
        }
        let exact = format!("COALESCE(verdict_id, 0) IN ({})", exact_verdicts());
        for (column, least, most) in
            [("raw", self.raw_min, self.raw_max), ("\"unique\"", self.unique_min, self.unique_max)]
        {
            if let Some(least) = least {
                // The wording of the index of counts.
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
            let name = parse_set(set).map_or_else(|_| set.clone(), |set| set.name().to_owned());
            rows.add("\"set\" = ?", [Value::Text(name)]);
        }
        if let Some(signature) = &self.signature {
            rows.add("signature = ?", [Value::Text(signature.as_str().to_owned())]);
        }
        if let Some(name) = &self.name {
            let (figures, values) = figures_named(name);
            rows.add(format!("figure_id IN ({figures})"), values);
        }
        if let Some(members) = self.members() {
            rows.add(members.condition(!scan.source), members.values);
        }
        rows
    }

    /// Returns the conditions on indexed columns of the table `figure`.
    pub(super) fn figure_conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        conditions.extend(self.cells.map(|cells| Condition::equal("cells", integer(cells as u64))));
        if let Some(mut sides) = self.bounds {
            sides.sort_unstable();
            conditions.push(Condition::equal("box", sides_text(sides)));
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

    /// Returns the figures of the requested sources and enumerations, if any.
    pub(super) fn members(&self) -> Option<Members> {
        let (condition, values) = label_condition(self.source.as_ref()?);
        let named = format!("name m WHERE source_id IN (SELECT id FROM source WHERE {condition})");
        let listed = format!(
            "enumerated m WHERE enumeration_id IN (SELECT id FROM enumeration WHERE {condition})"
        );
        Some(Members { tables: [named, listed], values: [values.clone(), values].concat() })
    }

    /// Returns the classes that `classes`, `fold` and `order` select. `None` if all.
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

/// The label of an entry without a name: its file's name without folders, and its number.
const UNNAMED: &str = "substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)";

/// Returns a query for the figures whose name or title matches. A whole name is found by the index of names, or by
/// file and number if the entry has none. A part of a name requires a scan of all names.
fn figures_named(wanted: &NamePattern) -> (String, Vec<Value>) {
    if let Some(signature) = wanted.numbered() {
        let sql = "SELECT id FROM figure WHERE signature = ?";
        return (sql.to_owned(), vec![Value::Text(signature.to_string())]);
    }
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

/// Returns a case-insensitive condition that the column `label` matches a pattern. The prefix before the first
/// wildcard becomes a range, which an index can use.
fn label_condition(wanted: &str) -> (String, Vec<Value>) {
    let (prefix, rest) = wanted.split_at(wanted.find(['*', '?']).unwrap_or(wanted.len()));
    if rest.is_empty() {
        return ("label = ? COLLATE NOCASE".to_owned(), vec![Value::Text(wanted.to_owned())]);
    }
    let pattern = Value::Text(like_pattern(wanted));
    if prefix.is_empty() {
        return ("label LIKE ? ESCAPE '\\'".to_owned(), vec![pattern]);
    }
    // The `+` keeps SQLite from choosing LIKE, which cannot use the index.
    let range =
        "label >= ? COLLATE NOCASE AND label < ? COLLATE NOCASE AND +label LIKE ? ESCAPE '\\'";
    let end = format!("{prefix}\u{10FFFF}");
    (range.to_owned(), vec![Value::Text(prefix.to_owned()), Value::Text(end), pattern])
}

/// Converts `*` and `?` to a LIKE pattern with `\` as escape.
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
