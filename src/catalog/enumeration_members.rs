//! Complete enumerations with their totals, for a second count.

use super::codes::{self, Code};
use super::plain::plain_class;
use super::{Catalog, CatalogError, EnumerationId};
use rusqlite::{Row, params};
use somacat_counting::question::Keep;
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::symmetry::Class;
use std::collections::BTreeMap;

/// A complete enumeration with its totals by class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumerationMembers {
    pub id: EnumerationId,
    pub label: String,
    pub question: String,
    pub set: String,
    pub keep: Keep,
    pub totals: BTreeMap<Class, i64>,
    /// The totals by class, verdict and reason.
    pub outcomes: BTreeMap<(Class, Verdict, Option<Reason>), i64>,
    /// The kept figures, by cells, parts and extents, ascending.
    pub figures: Vec<MemberFigures>,
}

impl EnumerationMembers {
    /// Returns the number of figures of a class with certain verdicts and reasons.
    pub fn number(&self, class: Class, has: impl Fn(Verdict, Option<Reason>) -> bool) -> i64 {
        let chosen = |((own, verdict, reason), _): &(&(Class, Verdict, Option<Reason>), &i64)| {
            *own == class && has(*verdict, *reason)
        };
        self.outcomes.iter().filter(chosen).map(|(_, figures)| figures).sum()
    }
}

/// Kept figures with packings that agree in these columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberPackings {
    pub class: Option<Class>,
    /// The extents in the format of the column `box`.
    pub bounds: String,
    pub raw: u128,
    pub figures: u64,
}

/// Kept figures that agree in these columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberFigures {
    /// The class of their groups; `None` if the stored number is invalid.
    pub class: Option<Class>,
    pub cells: i64,
    pub parts: i64,
    /// The extents in the format of the column `box`.
    pub bounds: String,
    pub figures: i64,
}

fn class(number: i64) -> Option<Class> {
    plain_class(usize::try_from(number).ok()?).ok()
}

impl Catalog {
    pub fn enumeration_members(&self) -> Result<Vec<EnumerationMembers>, CatalogError> {
        self.read("read its enumerations", |connection| {
            let mut enumerations = connection.prepare(
                "SELECT e.id, e.label, e.question, p.name, e.keep
                 FROM enumeration e JOIN piece_set p ON p.id = e.set_id
                 WHERE e.complete ORDER BY e.id",
            )?;
            let mut totals = connection.prepare(
                "SELECT class_id, verdict_id, reason_id, figures FROM enumeration_total
                 WHERE enumeration_id = ?",
            )?;
            let mut figures = connection.prepare(
                "SELECT f.class_id, f.cells, f.parts, f.box, count(*)
                 FROM enumerated x JOIN figure f ON f.id = x.figure_id
                 WHERE x.enumeration_id = ? GROUP BY f.class_id, f.cells, f.parts, f.box",
            )?;
            let mut listed = Vec::new();
            let mut rows = enumerations.query([])?;
            while let Some(row) = rows.next()? {
                let id: EnumerationId = row.get(0)?;
                let keep = codes::keep(row, 4)?;
                let (mut by_class, mut outcomes) = (BTreeMap::new(), BTreeMap::new());
                let mut of_id = totals.query([id])?;
                while let Some(row) = of_id.next()? {
                    let figures: i64 = row.get(3)?;
                    // `catalog check` reports a code that is not valid.
                    let Some(class) = class(row.get(0)?) else { continue };
                    *by_class.entry(class).or_default() += figures;
                    if let Some(verdict) = Verdict::of_code(row.get(1)?) {
                        outcomes.insert((class, verdict, Reason::of_code(row.get(2)?)), figures);
                    }
                }
                let alike = |row: &Row<'_>| {
                    Ok(MemberFigures {
                        class: class(row.get(0)?),
                        cells: row.get(1)?,
                        parts: row.get(2)?,
                        bounds: row.get(3)?,
                        figures: row.get(4)?,
                    })
                };
                let figures = figures.query_map([id], alike)?.collect::<rusqlite::Result<_>>()?;
                listed.push(EnumerationMembers {
                    id,
                    label: row.get(1)?,
                    question: row.get(2)?,
                    set: row.get(3)?,
                    keep,
                    totals: by_class,
                    outcomes,
                    figures,
                });
            }
            Ok(listed)
        })
    }

    /// Returns the raw packings of the kept figures of an enumeration.
    pub fn member_packings(
        &self,
        enumeration: EnumerationId,
    ) -> Result<Vec<MemberPackings>, CatalogError> {
        let sql = "SELECT f.class_id, f.box, CAST(o.raw AS TEXT), count(*)
                   FROM enumerated x JOIN enumeration e ON e.id = x.enumeration_id
                   JOIN figure f ON f.id = x.figure_id
                   JOIN outcome o ON o.figure_id = f.id AND o.set_id = e.set_id
                   WHERE x.enumeration_id = ? AND o.raw <> 0 GROUP BY 1, 2, 3";
        self.rows("add up packings", sql, [enumeration], |row| {
            let raw: String = row.get(2)?;
            Ok(MemberPackings {
                class: class(row.get(0)?),
                bounds: row.get(1)?,
                raw: raw.parse().unwrap_or(0),
                figures: row.get(3)?,
            })
        })
    }

    /// Returns whether an enumeration keeps the figure with this signature.
    pub fn is_member(
        &self,
        enumeration: EnumerationId,
        signature: &str,
    ) -> Result<bool, CatalogError> {
        self.read("look up a figure of an enumeration", |connection| {
            let sql =
                "SELECT EXISTS (SELECT 1 FROM figure f JOIN enumerated x ON x.figure_id = f.id
                       WHERE f.signature = ? AND x.enumeration_id = ?)";
            connection
                .prepare_cached(sql)?
                .query_row(params![signature, enumeration], |row| row.get(0))
        })
    }

    /// Calls `visit` for each kept figure of an enumeration. The class is `None` if invalid.
    pub fn for_each_member(
        &self,
        enumeration: EnumerationId,
        mut visit: impl FnMut(Option<Class>, &Signature),
    ) -> Result<(), CatalogError> {
        self.read("read the figures of an enumeration", |connection| {
            let mut figures = connection.prepare(
                "SELECT f.class_id, f.signature
                 FROM enumerated x JOIN figure f ON f.id = x.figure_id WHERE x.enumeration_id = ?",
            )?;
            let mut rows = figures.query([enumeration])?;
            while let Some(row) = rows.next()? {
                visit(class(row.get(0)?), &Signature::from_trusted(row.get(1)?));
            }
            Ok(())
        })
    }
}
