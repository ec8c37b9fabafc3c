//! How a catalog stands.

use super::super::lock::Watch;
use super::super::{Catalog, CatalogError, Totals};
use rusqlite::OptionalExtension;

/// How a catalog stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// Figures.
    pub figures: u64,
    /// Names.
    pub names: u64,
    /// Sources.
    pub sources: u64,
    /// Entries that were refused.
    pub refused: u64,
    /// Figures that were never counted.
    pub uncounted: u64,
    /// Published counts that ours contradict.
    pub disagreements: u64,
    /// What the outcomes are.
    pub outcomes: Totals,
    /// The last run.
    pub last_run: Option<LastRun>,
}

/// What a catalog says of its last run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastRun {
    /// Its number, from 1.
    pub run: u64,
    /// The command or plan that it carried out.
    pub command: String,
    /// The version of the program.
    pub version: String,
    /// When it began, in UTC.
    pub started: String,
    /// When it ended.
    pub ended: Option<String>,
    /// running, finished, stopped or failed.
    pub status: String,
    /// Figures to look at, as far as known.
    pub planned: Option<u64>,
    /// Figures looked at.
    pub done: u64,
    /// Why it failed.
    pub error: Option<String>,
}

/// A run whose end is not noted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Underway {
    /// A program is writing; if none is, the run was killed.
    pub alive: bool,
    /// Seconds since it began, by the clock on the wall; negative if that was set back meanwhile, or
    /// shows no time at all.
    pub seconds: f64,
    /// Figures it is to look at, as far as it knows by now.
    pub planned: Option<u64>,
    /// Figures done.
    pub done: u64,
}

impl Catalog {
    /// How the catalog stands and what its last run did.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn status(&self) -> Result<Status, CatalogError> {
        self.snapshot(|| {
            let number = |sql: &str| {
                self.read("count its rows", |connection| connection.query_row(sql, [], |row| row.get(0)))
            };
            let outcomes = self.totals(
                "SELECT verdict_id, reason_id, count(*) FROM outcome GROUP BY verdict_id, reason_id",
                [],
            )?;
            Ok(Status {
                figures: number("SELECT count(*) FROM figure")?,
                names: number("SELECT count(*) FROM name")?,
                sources: number("SELECT count(*) FROM source")?,
                refused: number("SELECT count(*) FROM fault WHERE refused")?,
                uncounted: number(
                    "SELECT count(*) FROM figure f
                     WHERE NOT EXISTS (SELECT 1 FROM outcome o WHERE o.figure_id = f.id)",
                )?,
                disagreements: number("SELECT count(*) FROM disagreements")?,
                outcomes,
                last_run: self.last_run()?,
            })
        })
    }

    fn last_run(&self) -> Result<Option<LastRun>, CatalogError> {
        self.read("read its last run", |connection| {
            connection
                .query_row("SELECT * FROM progress ORDER BY run DESC LIMIT 1", [], |row| {
                    Ok(LastRun {
                        run: row.get("run")?,
                        command: row.get("command")?,
                        version: row.get("version")?,
                        started: row.get("started")?,
                        ended: row.get("ended")?,
                        status: row.get("status")?,
                        planned: row.get("planned")?,
                        done: row.get("done")?,
                        error: row.get("error")?,
                    })
                })
                .optional()
        })
    }

    /// The last run, if its end is not noted.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn underway(&self) -> Result<Option<Underway>, CatalogError> {
        let alive = self.watch.as_ref().is_some_and(Watch::is_held);
        let sql = "SELECT COALESCE((julianday('now') - julianday(started)) * 86400, -1),
                          planned, done FROM run
                   WHERE id = (SELECT max(id) FROM run) AND status = 'running'";
        self.read("read its last run", |connection| {
            connection
                .query_row(sql, [], |row| {
                    let (seconds, planned, done) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    Ok(Underway { alive, seconds, planned, done })
                })
                .optional()
        })
    }
}
