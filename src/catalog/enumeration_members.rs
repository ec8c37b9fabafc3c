//! Complete enumerations with their totals, for a second count.

use super::keep::Keep;
use super::plain::plain_class;
use super::{Catalog, CatalogError, EnumerationId};
use rusqlite::Row;
use somacat_geometry::figure::Signature;
use somacat_geometry::symmetry::Class;
use std::collections::BTreeMap;

/// A complete enumeration with its totals by class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumerationMembers {
    pub id: EnumerationId,
    pub label: String,
    pub question: String,
    pub set: String,
    pub totals: BTreeMap<Class, i64>,
    /// The kept figures, by cells, parts and extents, ascending. `None` unless all are kept.
    pub figures: Option<Vec<MemberFigures>>,
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
                "SELECT class_id, sum(figures) FROM enumeration_total
                 WHERE enumeration_id = ? GROUP BY class_id",
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
                let keep: Keep = row.get(4)?;
                let of_class = |row: &Row<'_>| Ok((class(row.get(0)?), row.get(1)?));
                let totals: Vec<(Option<Class>, i64)> =
                    totals.query_map([id], of_class)?.collect::<rusqlite::Result<_>>()?;
                let alike = |row: &Row<'_>| {
                    Ok(MemberFigures {
                        class: class(row.get(0)?),
                        cells: row.get(1)?,
                        parts: row.get(2)?,
                        bounds: row.get(3)?,
                        figures: row.get(4)?,
                    })
                };
                let figures = (keep == Keep::All)
                    .then(|| figures.query_map([id], alike)?.collect::<rusqlite::Result<_>>());
                listed.push(EnumerationMembers {
                    id,
                    label: row.get(1)?,
                    question: row.get(2)?,
                    set: row.get(3)?,
                    totals: totals.into_iter().filter_map(|(c, n)| Some((c?, n))).collect(),
                    figures: figures.transpose()?,
                });
            }
            Ok(listed)
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
