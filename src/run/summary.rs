//! The numbers of a run.

use somacat_catalog::{CatalogError, RunEnd, Session, Totals};
use somacat_counting::question::CensusReport;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Entries of sources, refused ones included.
    pub entries: u64,
    /// Lines of sources that belong to no entry and are not comments.
    pub skipped_lines: u64,
    pub refused: u64,
    /// Entries imported with a warning.
    pub warnings: u64,
    /// Sources that could not be read to their end.
    pub unreadable: u64,
    /// True if no source could be read to its end, and nothing else was to be done.
    pub read_nothing: bool,
    /// Different figures among the entries.
    pub figures: u64,
    pub new: u64,
    /// Further names of this run's figures: rows of the view `duplicates`.
    pub duplicates: u64,
    /// Published counts whose name matches no figure, or several.
    pub published_faults: u64,
    /// Published counts that are compared with the catalog's.
    pub published_known: u64,
    /// Published counts of figures not in the catalog.
    pub published_unknown: u64,
    pub counted: u64,
    /// True for a merge: the outcomes come from parts, whose units counted them.
    pub from_parts: bool,
    /// Totals of the figures that enumerations do not keep.
    pub unkept: Totals,
    /// Totals of this run's figures, whenever they were counted, kept or not.
    pub totals: Totals,
    /// The parts of censuses that this run counted.
    pub censuses: Vec<CensusReport>,
    pub stopped: bool,
    pub elapsed: Duration,
}

impl Summary {
    /// Adds up the totals of a run's figures, kept or not.
    pub fn add_up(&mut self, session: &Session) -> Result<(), CatalogError> {
        self.duplicates = session.duplicates()?;
        self.totals = session.totals()?;
        self.figures = session.figures()? + self.unkept.figures;
        self.totals.add_all(&self.unkept);
        Ok(())
    }

    /// Returns how the run ended, for the catalog and the log.
    pub const fn end(&self) -> RunEnd<'static> {
        if self.stopped {
            RunEnd::Stopped
        } else if self.read_nothing {
            RunEnd::Failed("no source could be read to its end")
        } else {
            RunEnd::Finished
        }
    }

    /// Returns the number of figures counted before this run.
    pub const fn known(&self) -> u64 {
        (self.totals.figures - self.totals.pending).saturating_sub(self.counted)
    }

    /// Returns whether anything was refused, unreadable or failed.
    pub const fn has_faults(&self) -> bool {
        self.refused > 0
            || self.unreadable > 0
            || self.published_faults > 0
            || self.totals.failed > 0
    }
}
