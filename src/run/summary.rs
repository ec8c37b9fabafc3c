//! What a run came to, in numbers.

use super::CensusReport;
use crate::catalog::{CatalogError, Session, Totals};
use std::time::Duration;

/// The result of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Sound entries read from the sources.
    pub entries: u64,
    /// Entries refused because of a fault.
    pub refused: u64,
    /// Entries imported with a warning.
    pub warnings: u64,
    /// Sources that could not be read (on).
    pub unreadable: u64,
    /// Different figures among the entries.
    pub figures: u64,
    /// Figures the catalog did not know before.
    pub new: u64,
    /// Names, of this run or older, that this run's figures have beyond their first: rows of the view `duplicates`.
    pub duplicates: u64,
    /// Published counts whose names mean no figure of the catalog, or several.
    pub published_faults: u64,
    /// Published counts that the catalog compares with its own.
    pub published_known: u64,
    /// Published counts of figures that the catalog does not have.
    pub published_unknown: u64,
    /// Figures counted in this run.
    pub counted: u64,
    /// What enumerations came to of which not every figure is kept.
    pub in_numbers: Totals,
    /// What this run's figures came to, whenever they were counted, with those kept in numbers.
    pub totals: Totals,
    /// Censuses, as far as this run counted them.
    pub censuses: Vec<CensusReport>,
    /// The run was asked to stop before it was done.
    pub stopped: bool,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl Summary {
    /// Adds up what the figures of a run came to, those kept in numbers included.
    pub(crate) fn add_up(&mut self, session: &Session) -> Result<(), CatalogError> {
        self.duplicates = session.duplicates()?;
        self.totals = session.totals()?;
        self.figures = session.figures()? + self.in_numbers.figures;
        self.totals.add_all(&self.in_numbers);
        Ok(())
    }

    /// Figures of this run that were already counted.
    #[must_use]
    pub const fn known(&self) -> u64 {
        (self.totals.figures - self.totals.pending).saturating_sub(self.counted)
    }

    /// Whether something was refused, unreadable or failed.
    #[must_use]
    pub const fn has_faults(&self) -> bool {
        self.refused > 0
            || self.unreadable > 0
            || self.published_faults > 0
            || self.totals.failed > 0
    }
}
