//! A comparison of two catalogs, figure by figure and set by set.

use crate::{Catalog, CatalogError};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, Rows, Statement};
use somacat_geometry::outcome::Verdict;
use somacat_geometry::spelling::parse_word;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The kind of difference. `figure` and `outcome` mean a row in one catalog only. Others are `names`, `pieces`
    /// of a set, `enumeration`, `published`, and columns of the outcome, the figure or its packings.
    pub what: &'static str,
    /// The figure, if it is about one.
    pub signature: Option<String>,
    /// Its name, or the set or enumeration that differs.
    pub name: Option<String>,
    /// The piece set, if it is about an outcome.
    pub set: Option<String>,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// The numbers of shared and differing figures and outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    pub in_both: u64,
    pub only_old: u64,
    pub only_new: u64,
    /// Outcomes in one catalog only, of figures in both.
    pub one_sided: u64,
    pub outcomes: u64,
    /// Differing outcomes that cannot both be right: different exact counts, or a bound above a count.
    pub contradictions: u64,
    /// Figures with different names.
    pub names: u64,
    /// Other differences: columns of a figure, results about its packings, pieces of a set, numbers of an
    /// enumeration.
    pub others: u64,
}

impl Comparison {
    pub fn is_same(&self) -> bool {
        *self == Self { in_both: self.in_both, ..Self::default() }
    }
}

/// Calls `report` with every difference between two catalogs, by signature. Does not compare runs, times, paths, and
/// the work of counts.
pub fn diff_catalogs<E: From<CatalogError>>(
    old: &Catalog,
    new: &Catalog,
    report: impl FnMut(Difference) -> Result<(), E>,
) -> Result<Comparison, E> {
    let mut diff = Diff { old, new, report, sum: Comparison::default() };
    // Counts are comparable only with equal pieces.
    diff.named("pieces", "SELECT name, definition FROM piece_set", true)?;
    diff.figures()?;
    diff.named("enumeration", ENUMERATIONS, false)?;
    diff.named("published", PUBLISHED, false)?;
    Ok(diff.sum)
}

struct Diff<'a, F> {
    old: &'a Catalog,
    new: &'a Catalog,
    report: F,
    sum: Comparison,
}

impl<E: From<CatalogError>, F: FnMut(Difference) -> Result<(), E>> Diff<'_, F> {
    /// Compares values by name: all, or those that both catalogs have.
    fn named(&mut self, what: &'static str, sql: &str, only_shared: bool) -> Result<(), E> {
        let (old, new) = (named(self.old, sql)?, named(self.new, sql)?);
        for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            let (old, new) = (old.get(name).cloned(), new.get(name).cloned());
            if old == new || only_shared && (old.is_none() || new.is_none()) {
                continue;
            }
            self.sum.others += 1;
            let name = Some(name.clone());
            (self.report)(Difference { what, signature: None, name, set: None, old, new })?;
        }
        Ok(())
    }

    fn figures(&mut self) -> Result<(), E> {
        let (old, new) = (self.old, self.new);
        let (mut left, mut right) = (statement(old)?, statement(new)?);
        let (mut left, mut right) =
            (FigureRows::of(old, &mut left)?, FigureRows::of(new, &mut right)?);
        let (mut a, mut b) = (left.next()?, right.next()?);
        loop {
            let order = match (&a, &b) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.signature.cmp(&b.signature),
            };
            match (order, &a, &b) {
                (Ordering::Less, Some(figure), _) => {
                    self.sum.only_old += 1;
                    let known = Some("known".to_owned());
                    self.about((old, figure), "figure", None, known, None)?;
                }
                (Ordering::Greater, _, Some(figure)) => {
                    self.sum.only_new += 1;
                    let known = Some("known".to_owned());
                    self.about((new, figure), "figure", None, None, known)?;
                }
                (_, Some(a), Some(b)) => self.both(a, b)?,
                _ => {}
            }
            if order != Ordering::Greater {
                a = left.next()?;
            }
            if order != Ordering::Less {
                b = right.next()?;
            }
        }
    }

    fn about(
        &mut self,
        (catalog, figure): (&Catalog, &FigureRow),
        what: &'static str,
        set: Option<&str>,
        old: Option<String>,
        new: Option<String>,
    ) -> Result<(), E> {
        let names = names(catalog, figure)?;
        let name = names.as_ref().and_then(|names| names.lines().next()).map(str::to_owned);
        let (signature, set) = (Some(figure.signature.clone()), set.map(str::to_owned));
        (self.report)(Difference { what, signature, name, set, old, new })
    }

    fn columns<const N: usize>(
        &mut self,
        figure: &FigureRow,
        set: Option<&str>,
        columns: [&'static str; N],
        [old, new]: [&Values<N>; 2],
    ) -> Result<u64, E> {
        let mut differ = 0;
        for ((column, old), new) in columns.into_iter().zip(old).zip(new) {
            if old != new {
                differ += 1;
                self.about((self.old, figure), column, set, text(old), text(new))?;
            }
        }
        Ok(differ)
    }

    fn both(&mut self, a: &FigureRow, b: &FigureRow) -> Result<(), E> {
        self.sum.in_both += 1;
        self.sum.others += self.columns(a, None, FIGURE_COLUMNS, [&a.columns, &b.columns])?;
        let (old, new) = (names(self.old, a)?, names(self.new, b)?);
        if old != new {
            self.sum.names += 1;
            let named = if old.is_some() { (self.old, a) } else { (self.new, b) };
            let joined = |names: Option<String>| names.map(|names| names.replace('\n', "; "));
            self.about(named, "names", None, joined(old), joined(new))?;
        }
        self.structures(a, b)?;
        if a.outcomes != b.outcomes {
            self.outcomes(a, b)?;
        }
        Ok(())
    }

    /// Compares results about the packings of a figure that both have, and proofs that it has none.
    fn structures(&mut self, a: &FigureRow, b: &FigureRow) -> Result<(), E> {
        let (old, new) = (structures(self.old, a)?, structures(self.new, b)?);
        for set in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            // A missing row means no results.
            let nothing = [const { Value::Null }; STRUCTURE_COLUMNS.len()];
            let values = [&old, &new].map(|known| known.get(set).unwrap_or(&nothing));
            self.sum.others += self.columns(a, Some(set), STRUCTURE_COLUMNS, values)?;
        }
        Ok(())
    }

    fn outcomes(&mut self, a: &FigureRow, b: &FigureRow) -> Result<(), E> {
        let (old, new) = (&a.outcomes, &b.outcomes);
        for set in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            match (old.get(set), new.get(set)) {
                (Some(old), Some(new)) if old == new => {}
                (Some(old), Some(new)) => {
                    self.sum.outcomes += 1;
                    self.sum.contradictions += u64::from(contradict(old, new));
                    self.columns(a, Some(set), OUTCOME_COLUMNS, [old, new])?;
                }
                (old, new) => {
                    self.sum.one_sided += 1;
                    let verdict = |values: Option<&Values<5>>| values.and_then(|v| text(&v[0]));
                    self.about((self.old, a), "outcome", Some(set), verdict(old), verdict(new))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether two outcomes of one figure and set are contradictory.
fn contradict(old: &Values<5>, new: &Values<5>) -> bool {
    let verdict = |values: &Values<5>| parse_word::<Verdict>(&text(&values[0])?).ok();
    let exact = |values: &Values<5>| verdict(values).is_some_and(Verdict::is_exact);
    // An outcome without a count, such as a failure, is not a bound.
    let raw = |values: &Values<5>| text(&values[2]).and_then(|n| n.parse::<u128>().ok());
    match (exact(old), exact(new)) {
        (true, true) => old[0] != new[0] || old[2..] != new[2..],
        (true, false) => raw(new) > raw(old),
        (false, true) => raw(old) > raw(new),
        (false, false) => false,
    }
}

fn named(catalog: &Catalog, sql: &str) -> Result<BTreeMap<String, String>, CatalogError> {
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let rows = catalog.rows("read its sets and enumerations", sql, [], row)?;
    Ok(rows.into_iter().collect())
}

const ENUMERATIONS: &str = "
    SELECT enumeration || ', ' || \"set\" || ', ' || keep || ', ' || class,
        figures || IIF(figures = 1, ' figure, ', ' figures, ') || solvable || ' solvable, ' || undecided || ' undecided'
        || CASE complete WHEN 'yes' THEN '' ELSE ', not complete' END
    FROM enumerations";

const PUBLISHED: &str = "
    SELECT f.signature || ', ' || p.name || ', ' || k.kind || ', ' || k.source, CAST(k.value AS TEXT)
    FROM published_count k JOIN figure f ON f.id = k.figure_id JOIN piece_set p ON p.id = k.set_id";

/// Selects figures by signature, with a row for each outcome. This is the order of the index, so nothing is sorted
/// or stored. Most figures of a large catalog have neither a name nor such results, so these are queried only where
/// they exist.
const FIGURES: &str = "
    SELECT f.id, f.signature, f.cells, c.name, f.box, f.parity, f.parts,
        EXISTS (SELECT 1 FROM name n WHERE n.figure_id = f.id),
        EXISTS (SELECT 1 FROM structure u WHERE u.figure_id = f.id)
            OR EXISTS (SELECT 1 FROM proof x WHERE x.figure_id = f.id),
        p.name, v.name, COALESCE(r.name, o.error), o.raw, o.rotation, o.\"unique\"
    FROM figure f CROSS JOIN symmetry_class c ON c.id = f.class_id
    LEFT JOIN outcome o ON o.figure_id = f.id LEFT JOIN piece_set p ON p.id = o.set_id
    LEFT JOIN verdict v ON v.id = o.verdict_id LEFT JOIN reason r ON r.id = o.reason_id
    ORDER BY f.signature";

/// Page cache of each catalog during a comparison. Ids and signatures have different orders, so pages are read
/// repeatedly.
const CACHE_KIB: i64 = 128 * 1024;

const NAMES: &str = "
    SELECT group_concat(label, char(10)) FROM
        (SELECT DISTINCT COALESCE(n.label, substr(s.label, length(rtrim(s.label,
            replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS label
         FROM name n JOIN source s ON s.id = n.source_id
         WHERE n.figure_id = ? ORDER BY label)";

/// Of a proof, the kind and the sums: `marks 10 9`.
const STRUCTURES: &str = "
    SELECT p.name, u.map_components, u.map_solitary, u.solid_stands, u.friction, u.set_up, u.stand, u.by_hand,
        substr(x.body, 8, instr(x.body, char(10)) - 8)
    FROM piece_set p LEFT JOIN structure u ON u.figure_id = ?1 AND u.set_id = p.id
    LEFT JOIN proof x ON x.figure_id = ?1 AND x.set_id = p.id
    WHERE u.figure_id IS NOT NULL OR x.figure_id IS NOT NULL";

/// Columns that follow from the signature.
const FIGURE_COLUMNS: [&str; 5] = ["cells", "class", "box", "parity", "parts"];

/// Columns of an outcome. The work and the engine are not part of the result.
const OUTCOME_COLUMNS: [&str; 5] = ["verdict", "reason", "raw", "rotation", "unique"];

/// Columns of results about packings, and of the proof that there is none.
const STRUCTURE_COLUMNS: [&str; 8] = [
    "map_components",
    "map_solitary",
    "solid_stands",
    "friction",
    "set_up",
    "stand",
    "by_hand",
    "proof",
];

/// Columns of a row, null where unknown.
type Values<const N: usize> = [Value; N];

struct FigureRow {
    id: i64,
    signature: String,
    columns: Values<5>,
    has_names: bool,
    has_structures: bool,
    outcomes: BTreeMap<String, Values<5>>,
}

impl FigureRow {
    fn new(id: i64, row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id,
            signature: row.get(1)?,
            columns: values(row, 2)?,
            has_names: row.get(7)?,
            has_structures: row.get(8)?,
            outcomes: BTreeMap::new(),
        })
    }

    fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        if let Some(set) = row.get(9)? {
            self.outcomes.insert(set, values(row, 10)?);
        }
        Ok(())
    }
}

fn values<const N: usize>(row: &Row<'_>, from: usize) -> rusqlite::Result<Values<N>> {
    let mut values = [const { Value::Null }; N];
    for (at, value) in values.iter_mut().enumerate() {
        *value = match row.get_ref(from + at)? {
            // Replaces invalid UTF-8 in a damaged text.
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            other => other.try_into()?,
        };
    }
    Ok(values)
}

/// Formats a value; `None` for null.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Integer(n) => Some(n.to_string()),
        Value::Real(x) => Some(x.to_string()),
        Value::Text(text) => Some(text.clone()),
        Value::Blob(bytes) => Some(format!("({} bytes)", bytes.len())),
    }
}

/// Prepares the query for all figures of a catalog.
fn statement(catalog: &Catalog) -> Result<Statement<'_>, CatalogError> {
    let failed = catalog.failed("read its figures");
    catalog.connection.pragma_update(None, "cache_size", -CACHE_KIB).map_err(&failed)?;
    catalog.connection.prepare(FIGURES).map_err(&failed)
}

struct FigureRows<'a> {
    catalog: &'a Catalog,
    rows: Rows<'a>,
    /// The figure whose first row was already read.
    ahead: Option<FigureRow>,
}

impl<'a> FigureRows<'a> {
    fn of(catalog: &'a Catalog, statement: &'a mut Statement<'_>) -> Result<Self, CatalogError> {
        let rows = statement.query([]).map_err(catalog.failed("read its figures"))?;
        Ok(Self { catalog, rows, ahead: None })
    }

    fn next(&mut self) -> Result<Option<FigureRow>, CatalogError> {
        self.read().map_err(self.catalog.failed("read its figures"))
    }

    fn read(&mut self) -> rusqlite::Result<Option<FigureRow>> {
        let mut figure = self.ahead.take();
        while let Some(row) = self.rows.next()? {
            let id = row.get(0)?;
            match &mut figure {
                Some(figure) if figure.id == id => figure.add(row)?,
                _ => {
                    let mut next = FigureRow::new(id, row)?;
                    next.add(row)?;
                    match figure {
                        None => figure = Some(next),
                        Some(whole) => {
                            self.ahead = Some(next);
                            return Ok(Some(whole));
                        }
                    }
                }
            }
        }
        Ok(figure)
    }
}

/// Returns the names of a figure, one a line, ascending.
fn names(catalog: &Catalog, figure: &FigureRow) -> Result<Option<String>, CatalogError> {
    if !figure.has_names {
        return Ok(None);
    }
    catalog.read("read the names of a figure", |connection| {
        connection.prepare_cached(NAMES)?.query_row([figure.id], |row| row.get(0))
    })
}

/// Returns the results about a figure's packings, and the proof that there is none, for each set.
fn structures(
    catalog: &Catalog,
    figure: &FigureRow,
) -> Result<BTreeMap<String, Values<8>>, CatalogError> {
    if !figure.has_structures {
        return Ok(BTreeMap::new());
    }
    catalog.read("read its results about packings", |connection| {
        let mut statement = connection.prepare_cached(STRUCTURES)?;
        let rows = statement.query_map([figure.id], |row| Ok((row.get(0)?, values(row, 1)?)))?;
        rows.collect()
    })
}
