//! Two catalogs side by side, figure by figure and set by set.

use crate::catalog::words::Code;
use crate::catalog::{Catalog, CatalogError};
use crate::outcome::Verdict;
use rusqlite::types::ValueRef;
use rusqlite::{Row, Rows};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// One difference between two catalogs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// `figure` and `outcome` (in one catalog only), a column of the outcome, the figure or its packings, `names`,
    /// `pieces` of a set, or `enumeration`.
    pub what: &'static str,
    /// The figure, if it is about one.
    pub signature: Option<String>,
    /// Its name, or what else differs: a set, an enumeration.
    pub name: Option<String>,
    /// The piece set, if it is about an outcome.
    pub set: Option<String>,
    /// What the old catalog says.
    pub old: Option<String>,
    /// What the new one says.
    pub new: Option<String>,
}

/// How many figures and outcomes two catalogs share and do not share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Figures in both.
    pub in_both: u64,
    /// Figures only in the old catalog.
    pub only_old: u64,
    /// Figures only in the new one.
    pub only_new: u64,
    /// Outcomes in one of the two only, of figures that both have.
    pub one_sided: u64,
    /// Outcomes that differ.
    pub outcomes: u64,
    /// Of them those that cannot both be right: exact counts that differ, or a bound above a count.
    pub contradictions: u64,
    /// Figures with other names.
    pub names: u64,
    /// Anything else: columns of a figure, what was found out about its packings, pieces of a set, numbers of an
    /// enumeration.
    pub others: u64,
}

impl Comparison {
    /// Whether the catalogs say the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        *self == Self { in_both: self.in_both, ..Self::default() }
    }
}

/// Figures in the order of their signatures, which is the order of the index: nothing is sorted
/// and nothing is kept.
const FIGURES: &str = "
    SELECT f.id, f.signature, f.cells, c.name AS class, f.box, f.parity, f.parts,
        (SELECT group_concat(label, char(10)) FROM
            (SELECT DISTINCT COALESCE(n.label, substr(s.label, length(rtrim(s.label,
                replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS label
             FROM name n JOIN source s ON s.id = n.source_id
             WHERE n.figure_id = f.id ORDER BY label)) AS names
    FROM figure f JOIN symmetry_class c ON c.id = f.class_id ORDER BY f.signature";

const OUTCOMES: &str = "
    SELECT p.name AS \"set\", v.name AS verdict, COALESCE(r.name, o.error) AS reason,
        o.raw, o.rotation, o.\"unique\"
    FROM outcome o JOIN piece_set p ON p.id = o.set_id JOIN verdict v ON v.id = o.verdict_id
    LEFT JOIN reason r ON r.id = o.reason_id WHERE o.figure_id = ? ORDER BY p.name";

/// Columns that follow from the signature.
const FIGURE_COLUMNS: [&str; 5] = ["cells", "class", "box", "parity", "parts"];

/// Columns of an outcome. How much work it was, and by which engine, is no part of the result.
const OUTCOME_COLUMNS: [&str; 5] = ["verdict", "reason", "raw", "rotation", "unique"];

/// What was found out about the packings of a figure.
const STRUCTURES: &str = "
    SELECT p.name AS \"set\", u.* FROM structure u JOIN piece_set p ON p.id = u.set_id
    WHERE u.figure_id = ? ORDER BY p.name";

const STRUCTURE_COLUMNS: [&str; 7] =
    ["map_components", "map_solitary", "solid_stands", "friction", "set_up", "stand", "by_hand"];

/// A row as text: empty where nothing is known.
type Values<const N: usize = 5> = [Option<String>; N];

struct FigureRow {
    id: i64,
    signature: String,
    columns: Values,
    names: Option<String>,
}

impl FigureRow {
    fn name(&self) -> Option<String> {
        self.names.as_ref().and_then(|names| names.lines().next()).map(str::to_owned)
    }
}

fn text(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Integer(n) => Some(n.to_string()),
        ValueRef::Real(x) => Some(x.to_string()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Some(format!("({} bytes)", bytes.len())),
    })
}

fn texts<const N: usize>(row: &Row<'_>, columns: [&str; N]) -> rusqlite::Result<Values<N>> {
    let mut values = [const { None }; N];
    for (value, column) in values.iter_mut().zip(columns) {
        *value = text(row, column)?;
    }
    Ok(values)
}

fn next_figure(rows: &mut Rows<'_>) -> rusqlite::Result<Option<FigureRow>> {
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(FigureRow {
        id: row.get("id")?,
        signature: row.get("signature")?,
        columns: texts(row, FIGURE_COLUMNS)?,
        names: row.get("names")?,
    }))
}

/// Shows every difference between two catalogs to `tell`, in the order of the signatures; runs,
/// times, paths, and the work that a count took are not compared.
///
/// # Errors
/// If SQLite fails or `tell` does.
pub fn diff_catalogs<E: From<CatalogError>>(
    old: &Catalog,
    new: &Catalog,
    tell: impl FnMut(Difference) -> Result<(), E>,
) -> Result<Comparison, E> {
    let mut diff = Diff { old, new, tell, sum: Comparison::default() };
    diff.pieces()?;
    diff.figures()?;
    diff.enumerations()?;
    Ok(diff.sum)
}

struct Diff<'a, F> {
    old: &'a Catalog,
    new: &'a Catalog,
    tell: F,
    sum: Comparison,
}

impl<E: From<CatalogError>, F: FnMut(Difference) -> Result<(), E>> Diff<'_, F> {
    /// Counts mean nothing side by side if the pieces differ.
    fn pieces(&mut self) -> Result<(), E> {
        let sql = "SELECT name, definition FROM piece_set";
        let (old, new) = (named(self.old, sql)?, named(self.new, sql)?);
        for (name, definition) in &old {
            if let Some(other) = new.get(name).filter(|other| *other != definition) {
                self.sum.others += 1;
                self.other("pieces", name, Some(definition.clone()), Some(other.clone()))?;
            }
        }
        Ok(())
    }

    fn enumerations(&mut self) -> Result<(), E> {
        let sql = "SELECT enumeration || ', ' || \"set\" || ', ' || keep || ', ' || class,
                figures || ' figures, ' || solvable || ' solvable, ' || undecided || ' undecided'
                || CASE complete WHEN 'yes' THEN '' ELSE ', not complete' END
            FROM enumerations";
        let (old, new) = (named(self.old, sql)?, named(self.new, sql)?);
        let both: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for label in both {
            let (was, is) = (old.get(label), new.get(label));
            if was != is {
                self.sum.others += 1;
                self.other("enumeration", label, was.cloned(), is.cloned())?;
            }
        }
        Ok(())
    }

    fn other(
        &mut self,
        what: &'static str,
        name: &str,
        old: Option<String>,
        new: Option<String>,
    ) -> Result<(), E> {
        let name = Some(name.to_owned());
        (self.tell)(Difference { what, signature: None, name, set: None, old, new })
    }

    fn figures(&mut self) -> Result<(), E> {
        let (old, new) = (self.old, self.new);
        let of_old = old.failed("read its figures");
        let of_new = new.failed("read its figures");
        let mut left = old.connection.prepare(FIGURES).map_err(&of_old)?;
        let mut right = new.connection.prepare(FIGURES).map_err(&of_new)?;
        let mut left = left.query([]).map_err(&of_old)?;
        let mut right = right.query([]).map_err(&of_new)?;
        let mut a = next_figure(&mut left).map_err(&of_old)?;
        let mut b = next_figure(&mut right).map_err(&of_new)?;
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
                    self.about(figure, "figure", None, Some("known".to_owned()), None)?;
                }
                (Ordering::Greater, _, Some(figure)) => {
                    self.sum.only_new += 1;
                    self.about(figure, "figure", None, None, Some("known".to_owned()))?;
                }
                (_, Some(a), Some(b)) => self.both(a, b)?,
                _ => {}
            }
            if order != Ordering::Greater {
                a = next_figure(&mut left).map_err(&of_old)?;
            }
            if order != Ordering::Less {
                b = next_figure(&mut right).map_err(&of_new)?;
            }
        }
    }

    fn about(
        &mut self,
        figure: &FigureRow,
        what: &'static str,
        set: Option<&str>,
        old: Option<String>,
        new: Option<String>,
    ) -> Result<(), E> {
        let (signature, name) = (Some(figure.signature.clone()), figure.name());
        (self.tell)(Difference { what, signature, name, set: set.map(str::to_owned), old, new })
    }

    /// A figure that both have.
    fn both(&mut self, a: &FigureRow, b: &FigureRow) -> Result<(), E> {
        self.sum.in_both += 1;
        for ((column, old), new) in FIGURE_COLUMNS.into_iter().zip(&a.columns).zip(&b.columns) {
            if old != new {
                self.sum.others += 1;
                self.about(a, column, None, old.clone(), new.clone())?;
            }
        }
        if a.names != b.names {
            self.sum.names += 1;
            let joined = |figure: &FigureRow| figure.names.as_ref().map(|n| n.replace('\n', "; "));
            let shown = if a.names.is_some() { a } else { b };
            self.about(shown, "names", None, joined(a), joined(b))?;
        }
        self.structures(a, b)?;
        let (mut old, mut new) = (outcomes(self.old, a.id)?, outcomes(self.new, b.id)?);
        let sets: std::collections::BTreeSet<String> =
            old.keys().chain(new.keys()).cloned().collect();
        for set in sets {
            match (old.remove(&set), new.remove(&set)) {
                (Some(old), Some(new)) => self.outcome(a, &set, old, new)?,
                (old, new) => {
                    self.sum.one_sided += 1;
                    let verdict = |values: Option<Values>| values.and_then(|[verdict, ..]| verdict);
                    self.about(a, "outcome", Some(&set), verdict(old), verdict(new))?;
                }
            }
        }
        Ok(())
    }

    /// What was found out about the packings of a figure that both have.
    fn structures(&mut self, a: &FigureRow, b: &FigureRow) -> Result<(), E> {
        let known =
            |catalog: &Catalog, figure: i64| by_set(catalog, STRUCTURES, figure, STRUCTURE_COLUMNS);
        let (mut old, mut new) = (known(self.old, a.id)?, known(self.new, b.id)?);
        let sets: std::collections::BTreeSet<String> =
            old.keys().chain(new.keys()).cloned().collect();
        for set in sets {
            // Nothing is known where there is no row.
            let [old, new] =
                [&mut old, &mut new].map(|known| known.remove(&set).unwrap_or([const { None }; 7]));
            for ((column, old), new) in STRUCTURE_COLUMNS.into_iter().zip(old).zip(new) {
                if old != new {
                    self.sum.others += 1;
                    self.about(a, column, Some(&set), old, new)?;
                }
            }
        }
        Ok(())
    }

    fn outcome(
        &mut self,
        figure: &FigureRow,
        set: &str,
        old: Values,
        new: Values,
    ) -> Result<(), E> {
        if old == new {
            return Ok(());
        }
        self.sum.outcomes += 1;
        self.sum.contradictions += u64::from(contradict(&old, &new));
        for ((column, old), new) in OUTCOME_COLUMNS.into_iter().zip(old).zip(new) {
            if old != new {
                self.about(figure, column, Some(set), old, new)?;
            }
        }
        Ok(())
    }
}

/// Whether two outcomes of one figure and set cannot both be right.
fn contradict(old: &Values, new: &Values) -> bool {
    let exact = |values: &Values| {
        let words = Verdict::WORDS.iter().filter(|(verdict, _)| verdict.is_exact());
        words.into_iter().any(|(_, word)| values[0].as_deref() == Some(word))
    };
    // An outcome without a count, one that failed, bounds nothing.
    let raw = |values: &Values| values[2].as_ref().and_then(|n| n.parse::<u128>().ok());
    match (exact(old), exact(new)) {
        (true, true) => old[0] != new[0] || old[2..] != new[2..],
        (true, false) => raw(new) > raw(old),
        (false, true) => raw(old) > raw(new),
        (false, false) => false,
    }
}

fn outcomes(catalog: &Catalog, figure: i64) -> Result<BTreeMap<String, Values>, CatalogError> {
    by_set(catalog, OUTCOMES, figure, OUTCOME_COLUMNS)
}

/// Columns of a figure for each set.
fn by_set<const N: usize>(
    catalog: &Catalog,
    sql: &str,
    figure: i64,
    columns: [&str; N],
) -> Result<BTreeMap<String, Values<N>>, CatalogError> {
    catalog.read("read what it knows of a figure", |connection| {
        let mut statement = connection.prepare_cached(sql)?;
        let values = |row: &Row<'_>| Ok((row.get("set")?, texts(row, columns)?));
        let rows = statement.query_map([figure], values)?;
        rows.collect()
    })
}

fn named(catalog: &Catalog, sql: &str) -> Result<BTreeMap<String, String>, CatalogError> {
    catalog.read("read its sets and enumerations", |connection| {
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    })
}
