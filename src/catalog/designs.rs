//! Counts of one figure with many sets of pieces.

use super::codes::exact_verdicts;
use super::enumerations::credit;
use super::outcomes::OutcomeColumns;
use super::rows::{FigureStore, OutcomeStore, StoredOutcome};
use super::sets::id_of_set;
use super::{Catalog, CatalogError, Session};
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::pieces::PieceSet;
use std::collections::HashMap;

/// The count of a figure with a set of pieces.
#[derive(Clone, Debug)]
pub struct DesignRow<'a> {
    pub figure: &'a Columns,
    pub set: PieceSet,
    pub report: Report,
    /// Wall-clock microseconds.
    pub micros: u64,
}

/// Exact outcomes by the name and the definition of the set.
#[derive(Clone, Debug, Default)]
pub struct KnownDesigns(HashMap<(String, String), Outcome>);

impl KnownDesigns {
    pub fn outcome(&self, set: &PieceSet) -> Option<&Outcome> {
        self.0.get(&(set.name().to_owned(), set.lines().join("\n")))
    }
}

impl Catalog {
    pub fn known_designs(&self, figure: &Signature) -> Result<KnownDesigns, CatalogError> {
        let sql = format!(
            "SELECT p.name AS name, p.definition AS definition, o.* FROM outcome o
             JOIN piece_set p ON p.id = o.set_id JOIN figure f ON f.id = o.figure_id
             WHERE f.signature = ? AND o.verdict_id IN ({})",
            exact_verdicts()
        );
        let rows = self.rows("read the counts of a figure", &sql, [figure.as_str()], |row| {
            Ok(((row.get("name")?, row.get("definition")?), OutcomeColumns::read(row)?))
        })?;
        // `catalog check` reports invalid outcomes; here they are counted again.
        let valid = |(set, columns): (_, Option<OutcomeColumns>)| {
            columns.and_then(|columns| columns.outcome().ok()).map(|outcome| (set, outcome))
        };
        Ok(KnownDesigns(rows.into_iter().filter_map(valid).collect()))
    }
}

impl Session {
    /// Stores counts in one transaction.
    ///
    /// # Errors
    /// If SQLite fails, or the catalog has other pieces under the name of a set. Nothing is stored then.
    pub fn keep_designs(&mut self, designs: &[DesignRow<'_>]) -> Result<(), CatalogError> {
        let run = self.run;
        let mut changed = None;
        let kept = self.catalog.write("keep counts", |transaction| {
            let mut figures = FigureStore::new(transaction)?;
            let mut outcomes = OutcomeStore::new(transaction, run)?;
            for DesignRow { figure, set, report, micros } in designs {
                let Some(set_id) = id_of_set(transaction, set)? else {
                    changed = Some(set.name().to_owned());
                    return Err(rusqlite::Error::QueryReturnedNoRows);
                };
                let (id, _) = figures.id(figure)?;
                outcomes.put(&StoredOutcome {
                    figure: id,
                    signature: &figure.signature,
                    set: set_id,
                    report,
                    micros: Some(*micros),
                })?;
            }
            outcomes.finish()?;
            credit(transaction, run, designs.len() as u64)
        });
        match changed {
            Some(name) => Err(CatalogError::SetChanged(name)),
            None => kept,
        }
    }
}
