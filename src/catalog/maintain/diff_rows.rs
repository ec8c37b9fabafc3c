//! The rows that a comparison of two catalogs reads: figures in the order of signatures, with their results.

use crate::{Catalog, CatalogError};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, Rows, Statement};
use std::collections::BTreeMap;

/// Selects figures by signature, with a row for each outcome. This is the order of the index, so nothing is sorted
/// or stored. Most figures of a large catalog have neither a name nor a structure, so these are queried only where
/// they exist.
const FIGURES: &str = "
    SELECT f.id, f.signature, f.cells, c.name, f.box, f.parity, f.parts,
        EXISTS (SELECT 1 FROM name n WHERE n.figure_id = f.id),
        EXISTS (SELECT 1 FROM structure u WHERE u.figure_id = f.id),
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

const STRUCTURES: &str = "
    SELECT p.name, u.map_components, u.map_solitary, u.solid_stands, u.friction, u.set_up, u.stand, u.by_hand
    FROM structure u JOIN piece_set p ON p.id = u.set_id WHERE u.figure_id = ?";

/// Columns that follow from the signature.
pub(super) const FIGURE_COLUMNS: [&str; 5] = ["cells", "class", "box", "parity", "parts"];

/// Columns of an outcome. The work and the engine are not part of the result.
pub(super) const OUTCOME_COLUMNS: [&str; 5] = ["verdict", "reason", "raw", "rotation", "unique"];

/// Columns of results about packings.
pub(super) const STRUCTURE_COLUMNS: [&str; 7] =
    ["map_components", "map_solitary", "solid_stands", "friction", "set_up", "stand", "by_hand"];

/// Columns of a row, null where unknown.
pub(super) type Values<const N: usize> = [Value; N];

pub(super) struct FigureRow {
    id: i64,
    pub(super) signature: String,
    pub(super) columns: Values<5>,
    has_names: bool,
    has_structures: bool,
    /// The outcome with each set.
    pub(super) outcomes: BTreeMap<String, Values<5>>,
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

    /// Adds the outcome of a row, if it has one.
    fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        if let Some(set) = row.get(9)? {
            self.outcomes.insert(set, values(row, 10)?);
        }
        Ok(())
    }
}

/// Reads the columns of a row, starting at `from`.
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
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Integer(n) => Some(n.to_string()),
        Value::Real(x) => Some(x.to_string()),
        Value::Text(text) => Some(text.clone()),
        Value::Blob(bytes) => Some(format!("({} bytes)", bytes.len())),
    }
}

/// Prepares the query for all figures of a catalog.
pub(super) fn statement(catalog: &Catalog) -> Result<Statement<'_>, CatalogError> {
    let failed = catalog.failed("read its figures");
    catalog.connection.pragma_update(None, "cache_size", -CACHE_KIB).map_err(&failed)?;
    catalog.connection.prepare(FIGURES).map_err(&failed)
}

pub(super) struct FigureRows<'a> {
    catalog: &'a Catalog,
    rows: Rows<'a>,
    /// The figure whose first row was already read.
    ahead: Option<FigureRow>,
}

impl<'a> FigureRows<'a> {
    pub(super) fn of(
        catalog: &'a Catalog,
        statement: &'a mut Statement<'_>,
    ) -> Result<Self, CatalogError> {
        let rows = statement.query([]).map_err(catalog.failed("read its figures"))?;
        Ok(Self { catalog, rows, ahead: None })
    }

    /// Returns the next figure, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<FigureRow>, CatalogError> {
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
pub(super) fn names(catalog: &Catalog, figure: &FigureRow) -> Result<Option<String>, CatalogError> {
    if !figure.has_names {
        return Ok(None);
    }
    catalog.read("read the names of a figure", |connection| {
        connection.prepare_cached(NAMES)?.query_row([figure.id], |row| row.get(0))
    })
}

/// Returns the results about a figure's packings for each set.
pub(super) fn structures(
    catalog: &Catalog,
    figure: &FigureRow,
) -> Result<BTreeMap<String, Values<7>>, CatalogError> {
    if !figure.has_structures {
        return Ok(BTreeMap::new());
    }
    catalog.read("read its results about packings", |connection| {
        let mut statement = connection.prepare_cached(STRUCTURES)?;
        let rows = statement.query_map([figure.id], |row| Ok((row.get(0)?, values(row, 1)?)))?;
        rows.collect()
    })
}
