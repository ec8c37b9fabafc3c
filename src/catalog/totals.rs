//! Totals of figures by outcome.

use super::codes::{Code, InvalidCode};
use super::{Catalog, CatalogError};
use somacat_geometry::outcome::{Reason, Verdict};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Different figures; one that is counted with two sets counts twice.
    pub figures: u64,
    pub parity_blocked: u64,
    /// Figures unsolvable for another reason.
    pub unsolvable: u64,
    pub buildable: u64,
    /// Buildable figures whose count reached a limit.
    pub bounded: u64,
    /// Figures left undecided by a limit.
    pub unknown: u64,
    pub failed: u64,
    /// Figures not counted yet.
    pub pending: u64,
}

impl Totals {
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

    /// Returns what is left without a part of the figures.
    #[must_use]
    pub const fn without(self, part: &Self) -> Self {
        Self {
            figures: self.figures.saturating_sub(part.figures),
            parity_blocked: self.parity_blocked.saturating_sub(part.parity_blocked),
            unsolvable: self.unsolvable.saturating_sub(part.unsolvable),
            buildable: self.buildable.saturating_sub(part.buildable),
            bounded: self.bounded.saturating_sub(part.bounded),
            unknown: self.unknown.saturating_sub(part.unknown),
            failed: self.failed.saturating_sub(part.failed),
            pending: self.pending.saturating_sub(part.pending),
        }
    }
}

impl Catalog {
    /// Runs a query with the columns verdict, reason and number of figures.
    pub(super) fn totals(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Totals, CatalogError> {
        let mut sums: BTreeMap<(Option<i64>, Option<i64>), u64> = BTreeMap::new();
        self.read("sum up outcomes", |connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                *sums.entry((row.get(0)?, row.get(1)?)).or_default() += row.get::<_, u64>(2)?;
            }
            Ok(())
        })?;
        let mut totals = Totals::default();
        for ((verdict, reason), figures) in sums {
            let damaged = |error: InvalidCode| CatalogError::Damaged {
                path: self.path().to_owned(),
                what: "a total".to_owned(),
                problem: error.to_string(),
            };
            let verdict = verdict.map(Verdict::decode).transpose().map_err(damaged)?;
            totals.add(verdict, reason.and_then(Reason::of_code), figures);
        }
        Ok(totals)
    }
}
