//! Filters: what users may ask for, translated to SELECT statements on the view `figure_rows`.

use super::super::codes::{Code, exact_verdicts};
use super::name::{NamePattern, figures_named, label_condition};
use rusqlite::types::Value;
use somacat_formats::count_noun;
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{ProofKind, Reason, Verdict};
use somacat_geometry::pieces::parse_set;
use somacat_geometry::spelling::{Spelling, parse_word};
use somacat_geometry::symmetry::{Class, ElementKind, ParseClassError};
use std::error::Error;
use std::str::FromStr;

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

/// How a program offers a filter to its users.
#[derive(Clone, Copy, Debug)]
pub struct FilterOption {
    /// The field of [`Filter`] that the option sets.
    pub field: &'static str,
    /// The name of the option, without hyphens in front.
    pub name: &'static str,
    /// A second name.
    pub alias: Option<&'static str>,
    /// What the help calls the value. `None` if the option takes no value.
    pub value: Option<&'static str>,
    /// True if the option may be given several times. A figure then needs to match only one of the values.
    pub is_list: bool,
    /// The fields of filters that this one excludes.
    pub excludes: &'static [&'static str],
    /// Describes the figures that the filter selects.
    pub help: &'static str,
    /// Reads the value, and adds the condition to a filter. The text of an option without a value is ignored.
    pub read: fn(&mut Filter, &str) -> Result<(), ReadError>,
}

type ReadError = Box<dyn Error + Send + Sync>;

const fn switch(name: &'static str) -> FilterOption {
    let read = |_: &mut Filter, _: &str| Ok(());
    let (value, alias, excludes) = (None, None, &[]);
    FilterOption { field: "", name, alias, value, is_list: false, excludes, help: "", read }
}

const fn option(name: &'static str, value: &'static str) -> FilterOption {
    FilterOption { value: Some(value), ..switch(name) }
}

/// The value of a filter, which may be absent.
trait Given {
    type Value;

    fn given(&self) -> Option<&Self::Value>;
}

impl Given for bool {
    type Value = ();

    fn given(&self) -> Option<&()> {
        self.then_some(&())
    }
}

impl<T> Given for Option<T> {
    type Value = T;

    fn given(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// Phrases the filter of an exact unique count.
fn exactly(count: &str) -> String {
    format!("an exact count of {count} up to rotation and reflection")
}

fn set(field: &mut bool, _: &str) -> Result<(), ReadError> {
    *field = true;
    Ok(())
}

fn parse<T: FromStr<Err: Into<ReadError>>>(
    field: &mut Option<T>,
    text: &str,
) -> Result<(), ReadError> {
    *field = Some(text.parse().map_err(Into::into)?);
    Ok(())
}

fn parse_spelling<T: Spelling>(field: &mut Option<T>, text: &str) -> Result<(), ReadError> {
    *field = Some(parse_word(text)?);
    Ok(())
}

fn proof(field: &mut Option<ProofKind>, text: &str) -> Result<(), ReadError> {
    *field = Some(proof_filter(text)?);
    Ok(())
}

/// Reads a kind of proof for which a filter may ask.
///
/// # Errors
/// If the word is none, or the kind is never stored.
pub fn proof_filter(text: &str) -> Result<ProofKind, ReadError> {
    match parse_word(text)? {
        ProofKind::Count => {
            Err("catalogs have no proofs of counts; `somacat prove FIGURE` writes one".into())
        }
        kind => Ok(kind),
    }
}

/// Declares the filters. Each has the description and the definition of its option, a function that reads the option's
/// value, and a phrase that completes "none has".
macro_rules! filters {
    ($(#[doc = $help:literal] $name:ident: $type:ty = $option:expr, $read:expr, $phrase:expr;)+) => {
        /// Conditions on rows, and the order of the rows. The default selects all.
        #[derive(Clone, Debug, Default)]
        pub struct Filter {
            $(#[doc = $help] pub $name: $type,)+
            pub signature: Option<Signature>,
            pub sort: SortKey,
            pub top: Option<usize>,
            /// Read the counting times, which takes a lookup for each row.
            pub timings: bool,
            /// Read the stored proofs, which takes a lookup for each row.
            pub stored_proofs: bool,
            /// Only figures with a name.
            pub named: bool,
        }

        impl Filter {
            /// The filters that users choose by options, in the order of the help.
            pub const OPTIONS: &[FilterOption] = &[$(FilterOption {
                field: stringify!($name),
                help: $help.trim_ascii(),
                read: |filter, text| {
                    let read: fn(&mut $type, &str) -> Result<(), ReadError> = $read;
                    read(&mut filter.$name, text)
                },
                ..$option
            }),+];

            /// Returns the filters as phrases that complete "none has".
            pub fn phrases(&self) -> Vec<String> {
                let mut phrases = Vec::new();
                $(if let Some(value) = self.$name.given() {
                    let phrase: fn(&<$type as Given>::Value) -> String = $phrase;
                    phrases.push(phrase(value));
                })+
                phrases
            }
        }
    };
}

filters! {
    /// Groups with an element of order N: Nungester's reading of "N-fold".
    fold: Option<usize> = option("fold", "N"), parse, |n| format!("an element of order {n}");
    /// Groups of order N: Allen's reading of "N-fold".
    order: Option<usize> = option("order", "N"), parse, |n| format!("a group of order {n}");
    /// Symmetry class: D3d, C2v (all classes of that symbol), C2v(edge), or Allen's letter.
    classes: Option<Vec<ClassSymbol>> = FilterOption { is_list: true, ..option("class", "CLASS") },
        |symbols, text| {
            symbols.get_or_insert_default().push(text.parse()?);
            Ok(())
        },
        |symbols| format!("the class {}", class_texts(symbols).join(" or "));
    /// Figures with any reflection: a mirror plane maps them to themselves.
    mirror: bool = switch("mirror"), set, |()| "a reflection in its group".to_owned();
    /// Figures with at least one packing.
    solvable: bool = FilterOption { excludes: &["unsolvable"], ..switch("solvable") }, set,
        |()| "a packing".to_owned();
    /// Figures proved to have no packing.
    unsolvable: bool = switch("unsolvable"), set, |()| "a proof that there is no packing".to_owned();
    /// counted, unsolvable, at-least, unknown or failed.
    verdict: Option<Verdict> = option("verdict", "VERDICT"), parse_spelling,
        |verdict| format!("the verdict {}", verdict.word());
    /// size, parity, parts, no-fit or exhausted.
    reason: Option<Reason> = option("reason", "REASON"), parse_spelling,
        |reason| format!("the reason {}", reason.word());
    /// size, parity, parts, no-fit, exhausted, or a stored proof: marks or cases. See `somacat catalog prove`.
    proof: Option<ProofKind> = option("proof", "PROOF"), proof,
        |proof| format!("a proof of the kind {}", proof.word());
    /// Exact raw count ≥ N.
    raw_min: Option<u128> = option("raw-min", "N"), parse,
        |n| format!("an exact count of at least {}", count_noun(n, "packing"));
    /// Exact raw count ≤ N.
    raw_max: Option<u128> = option("raw-max", "N"), parse,
        |n| format!("an exact count of at most {}", count_noun(n, "packing"));
    /// Exact unique count ≥ N: packings up to rotation and reflection.
    unique_min: Option<u128> = option("unique-min", "N"), parse,
        |n| exactly(&format!("at least {}", count_noun(n, "packing")));
    /// Exact unique count ≤ N.
    unique_max: Option<u128> = option("unique-max", "N"), parse,
        |n| exactly(&format!("at most {}", count_noun(n, "packing")));
    /// Exact unique count N: packings up to rotation and reflection.
    unique_count: Option<u128> = FilterOption {
            alias: Some("unique"),
            excludes: &["unique_min", "unique_max"],
            ..option("unique-count", "N")
        }, parse,
        |n| exactly(&count_noun(n, "packing"));
    /// Figures with a packing that may stand as loose pieces. Known only if a plan computed this.
    stands: bool = switch("stands"), set, |()| "a packing that is known to stand".to_owned();
    /// Figures with a packing buildable by hand, every stage standing. Known only if a plan computed this.
    buildable_by_hand: bool = switch("buildable-by-hand"), set,
        |()| "a packing that is known to be buildable by hand".to_owned();
    /// Number of cells.
    cells: Option<usize> = option("cells", "N"), parse, |n| format!("{n} cells");
    /// The bounding box of the figure, in any orientation: 3x3x4.
    bounds: Option<[u32; 3]> = option("box", "AxBxC"),
        |bounds, text| {
            *bounds = Some(parse_box(text)?);
            Ok(())
        },
        |bounds| format!("the box {}", sides_text(*bounds));
    /// Number of separate parts.
    parts: Option<usize> = option("parts", "N"), parse, |n| format!("{n} separate parts");
    /// |black - white| of the checkered figure.
    parity: Option<u32> = option("parity", "N"), parse, |n| format!("parity {n}");
    /// Name or title: a part of it, or all of it with * for any text and ? for any character.
    name: Option<NamePattern> = option("name", "NAME"),
        |name, text| {
            *name = Some(NamePattern::new(text));
            Ok(())
        },
        |name| format!("a name or title like `{}`", name.text());
    /// File or enumeration that contains it: the full name; * and ? as with names.
    source: Option<String> = option("source", "SOURCE"), parse, |source| format!("the source `{source}`");
    /// The piece set of the count, or of the import if nothing is counted yet.
    set: Option<String> = option("set", "SET"), parse, |set| format!("the set `{set}`");
}

/// A symbol of classes, with the classes that it names.
#[derive(Clone, Debug)]
pub struct ClassSymbol {
    text: String,
    classes: Vec<Class>,
}

impl FromStr for ClassSymbol {
    type Err = ParseClassError;

    fn from_str(text: &str) -> Result<Self, ParseClassError> {
        Ok(Self { text: text.to_owned(), classes: Class::matching(text)? })
    }
}

impl From<Class> for ClassSymbol {
    fn from(class: Class) -> Self {
        Self { text: class.name().to_owned(), classes: vec![class] }
    }
}

fn class_texts(symbols: &[ClassSymbol]) -> Vec<&str> {
    symbols.iter().map(|symbol| symbol.text.as_str()).collect()
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

impl ScanChoice {
    /// Returns the order of rows by signatures and sets.
    const fn order(self) -> &'static str {
        if self.one_set { "signature" } else { "signature, \"set\"" }
    }
}

/// A condition on an indexed column. Its values are part of the statement, so that SQLite's statistics show how rare
/// they are.
pub(super) struct Condition {
    column: &'static str,
    test: Test,
}

enum Test {
    Equal(i64),
    /// Equal, and greater than 1: the wording of an index with only these rows.
    EqualAboveOne(i64),
    OneOf(Vec<i64>),
    Box([u32; 3]),
}

impl Condition {
    fn equal(column: &'static str, value: i64) -> Self {
        Self { column, test: Test::Equal(value) }
    }

    /// Returns the condition in SQL. An index that selects much of the catalog would cause a sort. Without `by_index`,
    /// a plus before the column keeps SQLite from using it.
    pub(super) fn sql(&self, by_index: bool) -> String {
        let column = format!("{}{}", if by_index { "" } else { "+" }, self.column);
        match &self.test {
            Test::Equal(value) => format!("{column} = {value}"),
            Test::EqualAboveOne(value) => format!("{column} > 1 AND {column} = {value}"),
            Test::OneOf(numbers) => {
                let list: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                format!("{column} IN ({})", list.join(", "))
            }
            Test::Box(sides) => format!("{column} = '{}'", sides_text(*sides)),
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
fn integer(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Compares a count with a bound, by `>=` or `<=`. Counts above 2⁶³ − 1 are decimal text, which SQLite puts behind all
/// numbers. Of two counts with as many digits, the order of SQLite is right; with more, a count is larger.
fn compared(column: &str, sign: &str, bound: u128) -> String {
    match i64::try_from(bound) {
        // An index answers this.
        Ok(bound) => format!("{column} {sign} {bound}"),
        Err(_) => {
            let digits = bound.to_string();
            format!("(length({column}), {column}) {sign} ({}, '{digits}')", digits.len())
        }
    }
}

impl Filter {
    /// Returns statements with parameters that together select all rows in order. The caller adds columns and
    /// `LIMIT`. An order by counts takes several statements: rows with packings, without, and not counted. The first
    /// can use the index of counts. Before it come counts that are text, the longest first.
    pub(super) fn statements(&self, columns: &str, scan: ScanChoice) -> Vec<(String, Vec<Value>)> {
        let tie = scan.order();
        let (order, counts) = match self.sort {
            SortKey::Signature => (tie.to_owned(), None),
            SortKey::Name => (format!("name NULLS LAST, {tie}"), None),
            SortKey::Order => (format!("\"order\" DESC, {tie}"), None),
            SortKey::Unique => (format!("\"unique\" DESC, {tie}"), Some("\"unique\"")),
            SortKey::Raw => (format!("raw DESC, {tie}"), Some("raw")),
            SortKey::Nodes => (format!("nodes DESC, {tie}"), Some("nodes")),
            SortKey::Difficulty => {
                (format!("nodes * 1.0 / \"unique\" DESC, {tie}"), Some("\"unique\""))
            }
        };
        let statement = |condition: Option<String>, order: &str| {
            let mut rows = self.conditions(scan);
            rows.conditions.extend(condition);
            if scan.all && order == tie && (counts.is_none() || self.top.is_some()) {
                // With this bound SQLite sees that the index of signatures gives the order.
                rows.add("signature >= ''", []);
            }
            let clause = rows.clause();
            (format!("SELECT {columns} FROM figure_rows{clause} ORDER BY {order}"), rows.values)
        };
        match counts {
            None => vec![statement(None, &order)],
            // Rows without packings all have the same number.
            Some(column) => {
                let is_count = matches!(self.sort, SortKey::Unique | SortKey::Raw);
                let text = is_count.then(|| {
                    let order = format!("length({column}) DESC, {order}");
                    statement(Some(format!("{column} > 0 AND {column} >= ''")), &order)
                });
                let number = if is_count { format!(" AND {column} < ''") } else { String::new() };
                let others = [
                    statement(Some(format!("{column} > 0{number}")), &order),
                    statement(Some(format!("{column} = 0")), tie),
                    statement(Some(format!("{column} IS NULL")), tie),
                ];
                text.into_iter().chain(others).collect()
            }
        }
    }

    /// Returns the statement that selects the rows in a range of signatures, in order. Its last two values are the
    /// first signature of the range and a bound above the last one.
    pub(super) fn range_statement(&self, columns: &str, scan: ScanChoice) -> (String, Vec<Value>) {
        let mut rows = self.conditions(scan);
        rows.conditions.push(
            "figure_id IN (SELECT id FROM figure WHERE signature >= ? AND signature < ?)"
                .to_owned(),
        );
        let (clause, order) = (rows.clause(), scan.order());
        (format!("SELECT {columns} FROM figure_rows{clause} ORDER BY {order}"), rows.values)
    }

    /// Returns the conditions on `figure_rows`. They use codes instead of words, so that SQLite's statistics show
    /// how rare these are.
    fn conditions(&self, scan: ScanChoice) -> Where {
        let mut rows = Where::default();
        for condition in self.figure_conditions().into_iter().chain(self.outcome_conditions()) {
            rows.add(condition.sql(!scan.all), []);
        }
        let unique_min = self.unique_count.or(self.unique_min);
        let unique_max = self.unique_count.or(self.unique_max);
        let exact = format!("COALESCE(verdict_id, 0) IN ({})", exact_verdicts());
        for (column, least, most) in
            [("raw", self.raw_min, self.raw_max), ("\"unique\"", unique_min, unique_max)]
        {
            if let Some(least) = least {
                // The wording of the index of counts.
                let above = if least > 0 { format!(" AND {column} > 0") } else { String::new() };
                rows.add(format!("{exact} AND {}{above}", compared(column, ">=", least)), []);
            }
            if let Some(most) = most {
                rows.add(format!("{exact} AND {}", compared(column, "<=", most)), []);
            }
        }
        for (wanted, column) in [(self.stands, "stand"), (self.buildable_by_hand, "by_hand")] {
            if wanted {
                rows.add(format!("{column} > 0"), []);
            }
        }
        if let Some(set) = &self.set {
            let name = parse_set(set).map_or_else(|_| set.clone(), |set| set.name().to_owned());
            rows.add("\"set\" = ?", [Value::Text(name)]);
        }
        if let Some(proof) = self.proof {
            rows.add("proof = ?", [Value::Text(proof.word().to_owned())]);
        }
        if self.named {
            rows.add("name IS NOT NULL", []);
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
            conditions.push(Condition { column: "box", test: Test::Box(sides) });
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
        conditions.extend(self.solvable.then(|| verdicts(&[Verdict::Counted, Verdict::AtLeast])));
        let unsolvable = self.unsolvable || self.proof.is_some();
        conditions.extend(unsolvable.then(|| verdicts(&[Verdict::Unsolvable])));
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

    /// Returns whether the option `--class`, if given, names a class.
    pub(super) fn names_class(&self, class: Class) -> bool {
        let names = |symbol: &ClassSymbol| symbol.classes.contains(&class);
        self.classes.as_ref().is_none_or(|symbols| symbols.iter().any(names))
    }

    /// Returns the classes that `classes`, `fold`, `order` and `mirror` select. `None` if all.
    fn class_numbers(&self) -> Option<Vec<i64>> {
        let any = self.classes.is_some() || self.fold.is_some() || self.order.is_some();
        if !any && !self.mirror {
            return None;
        }
        let reflects = |t| {
            let kind = ElementKind::of(t);
            matches!(kind, ElementKind::PlanarReflection | ElementKind::DiagonalReflection)
        };
        let wanted = |class: &Class| {
            self.names_class(*class)
                && self.order.is_none_or(|n| class.order() == n)
                && self.fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
                && (!self.mirror || class.groups()[0].iter().any(reflects))
        };
        Some(Class::iter().filter(wanted).map(|class| class.number() as i64).collect())
    }
}
