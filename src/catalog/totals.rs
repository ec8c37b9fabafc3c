//! Totals of figures by outcome.

use super::codes::Code;
use super::{Catalog, CatalogError};
use somacat_geometry::outcome::{Reason, Verdict};
use std::collections::BTreeMap;

/// Numbers of figures by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Different figures; one that is counted with two sets counts twice.
    pub figures: u64,
    /// Figures ruled out by parity.
    pub parity_blocked: u64,
    /// Figures unsolvable for another reason.
    pub unsolvable: u64,
    /// Figures with at least one packing.
    pub buildable: u64,
    /// Of these, figures whose count reached a limit.
    pub bounded: u64,
    /// Figures left undecided by a limit.
    pub unknown: u64,
    /// Figures whose count failed.
    pub failed: u64,
    /// Figures not counted yet.
    pub pending: u64,
}

impl Totals {
    /// Adds `figures` figures with a verdict and a reason, if any.
    pub fn add(&mut self, verdict: Option<Verdict>, reason: Option<Reason>, figures: u64) {
        self.figures += figures;
        if verdict == Some(Verdict::AtLeast) {
            self.bounded += figures;
        }
        *match (verdict, reason) {
            (Some(Verdict::Unsolvable), Some(Reason::Parity)) => &mut self.parity_blocked,
            (Some(Verdict::Unsolvable), _) => &mut self.unsolvable,
            (Some(Verdict::Counted | Verdict::AtLeast), _) => &mut self.buildable,
            (Some(Verdict::Unknown), _) => &mut self.unknown,
            (Some(Verdict::Failed), _) => &mut self.failed,
            (None, _) => &mut self.pending,
        } += figures;
    }

    /// Adds other totals.
    pub const fn add_all(&mut self, other: &Self) {
        self.figures += other.figures;
        self.parity_blocked += other.parity_blocked;
        self.unsolvable += other.unsolvable;
        self.buildable += other.buildable;
        self.bounded += other.bounded;
        self.unknown += other.unknown;
        self.failed += other.failed;
        self.pending += other.pending;
    }
}

impl Catalog {
    /// Runs a query with the columns verdict, reason and number of figures.
    pub(super) fn totals(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Totals, CatalogError> {
        let rows: Vec<(Option<i64>, Option<i64>, u64)> =
            self.read("sum up outcomes", |connection| {
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map(parameters, |row| {
                    let (verdict, reason): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
                    Ok((verdict, reason, row.get::<_, u64>(2)?))
                })?;
                let mut sums: BTreeMap<(Option<i64>, Option<i64>), u64> = BTreeMap::new();
                for row in rows {
                    let (verdict, reason, figures) = row?;
                    *sums.entry((verdict, reason)).or_default() += figures;
                }
                Ok(sums.into_iter().map(|((verdict, reason), n)| (verdict, reason, n)).collect())
            })?;
        let mut totals = Totals::default();
        for (verdict, reason, figures) in rows {
            let damaged = |code| CatalogError::Damaged {
                path: self.path().to_owned(),
                what: "a total".to_owned(),
                problem: format!("unknown verdict {code}"),
            };
            let verdict = verdict.map(|code| Verdict::of_code(code).ok_or_else(|| damaged(code)));
            totals.add(verdict.transpose()?, reason.and_then(Reason::of_code), figures);
        }
        Ok(totals)
    }
}
