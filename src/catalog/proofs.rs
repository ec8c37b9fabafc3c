//! Short proofs that figures cannot be built: marks or cases, which a plan or a command requests.
//!
//! A figure whose number of cells, colors or parts rule it out needs no further proof, because they follow from the
//! figure. One that only a search rules out has a row once a short proof was looked for, even if none was found.

use super::checksum::PROOFS;
use super::codes::Code;
use super::query::Filter;
use super::{Catalog, CatalogError, Pending, Session};
use rusqlite::{params, params_from_iter};
use somacat_geometry::outcome::{ProofKind, Reason};
use somacat_geometry::spelling::Spelling;
use std::sync::Arc;

/// A proof that a catalog stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredProof {
    pub kind: ProofKind,
    /// The lines of its certificate from the reason to the end. They number the cells of the signature.
    pub body: Arc<str>,
}

/// The figures that a command selects to be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProofDemand {
    /// Figures and sets without a packing.
    pub impossible: u64,
    /// Of these, those that only a search ruled out, and for which no short proof was looked for yet.
    pub missing: u64,
}

/// Returns a condition that only a search ruled out a row of `table`.
pub(super) fn by_search(table: &str) -> String {
    let [no_fit, exhausted] = [Reason::NoFit, Reason::Exhausted].map(Code::code);
    format!("{table}.reason_id IN ({no_fit}, {exhausted})")
}

/// Returns a condition that no short proof was looked for, for a row of `table`.
fn no_proof(table: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM proof p
             WHERE p.figure_id = {table}.figure_id AND p.set_id = {table}.set_id)"
    )
}

impl Catalog {
    /// Counts the selected figures that cannot be built, and those of them that lack a proof.
    pub fn proof_demand(&self, filter: &Filter) -> Result<ProofDemand, CatalogError> {
        let mut demand = ProofDemand::default();
        let filter = Filter { unsolvable: true, ..filter.clone() };
        for (rows, values) in self.statements(&filter, "figure_id, set_id, reason_id")? {
            let missing = format!("{} AND {}", by_search("rows"), no_proof("rows"));
            let sql =
                format!("SELECT count(*), count(*) FILTER (WHERE {missing}) FROM ({rows}) AS rows");
            let [impossible, missing]: [u64; 2] =
                self.read("count figures to prove", |connection| {
                    let read = |row: &rusqlite::Row<'_>| Ok([row.get(0)?, row.get(1)?]);
                    connection.query_row(&sql, params_from_iter(values), read)
                })?;
            demand.impossible += impossible;
            demand.missing += missing;
        }
        Ok(demand)
    }
}

impl Session {
    /// Adds the selected figures that cannot be built to those of this run.
    pub fn add_impossible(&mut self, filter: &Filter) -> Result<(), CatalogError> {
        let filter = Filter { unsolvable: true, ..filter.clone() };
        for (rows, values) in self.catalog.statements(&filter, "figure_id, set_id")? {
            let sql = format!("INSERT OR IGNORE INTO temp.kept_figure {rows}");
            self.catalog.execute("list figures to prove", &sql, params_from_iter(values))?;
        }
        Ok(())
    }

    /// Lists the run's figures that lack a proof, for [`Session::unproved`], and returns their number.
    pub fn list_unproved(&mut self) -> Result<u64, CatalogError> {
        let sql = format!(
            "INSERT INTO temp.run_unproved SELECT r.figure_id, r.set_id
             FROM (SELECT * FROM temp.run_figure UNION SELECT * FROM temp.kept_figure) r
             JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
             WHERE {} AND {} ORDER BY r.figure_id, r.set_id",
            by_search("o"),
            no_proof("o")
        );
        self.catalog.write("list figures to prove", |transaction| {
            transaction.execute_batch(
                "DROP TABLE IF EXISTS temp.run_unproved;
                 CREATE TEMP TABLE run_unproved (figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL);",
            )?;
            Ok(transaction.execute(&sql, [])? as u64)
        })
    }

    /// Returns at most `most` figures that lack a proof. `from` is the first index in the list of
    /// [`Session::list_unproved`].
    pub fn unproved(&self, from: u64, most: usize) -> Result<Vec<Pending>, CatalogError> {
        let sql = "SELECT u.figure_id, u.set_id, f.signature FROM temp.run_unproved u
                   JOIN figure f ON f.id = u.figure_id
                   WHERE u.rowid > ? ORDER BY u.rowid LIMIT ?";
        let values = params![from.cast_signed(), most];
        self.catalog.rows("read the figures to prove", sql, values, Pending::read)
    }

    /// Stores proofs of figures that had none. `None` means that no short proof was found.
    ///
    /// # Errors
    /// If SQLite fails. Nothing of the batch is kept then.
    pub fn keep_proofs(
        &mut self,
        found: &[(Pending, Option<StoredProof>)],
    ) -> Result<(), CatalogError> {
        let sql = format!("INSERT INTO proof VALUES (?1, ?2, ?3, ?4, {})", PROOFS.of_parameters());
        self.catalog.write("keep proofs", |transaction| {
            let mut insert = transaction.prepare_cached(&sql)?;
            for (Pending { figure, set, .. }, proof) in found {
                let kind = proof.as_ref().map(|proof| proof.kind.word());
                let body = proof.as_ref().map(|proof| &*proof.body);
                insert.execute(params![figure, set, kind, body])?;
            }
            Ok(())
        })
    }
}
