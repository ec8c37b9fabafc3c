//! Runs: how far they are, which figures they are about, and what these came to.

use super::lock::is_held;
use super::words::{reason_word, verdict_word};
use super::{Catalog, CatalogError};
use rusqlite::{OptionalExtension, params};

/// A figure of this run that has no outcome yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Which figure.
    pub figure_id: i64,
    /// With which set.
    pub set_id: i64,
    /// Its canonical form as text.
    pub signature: String,
}

/// What figures came to, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Different figures; one that is counted with two sets counts twice.
    pub figures: u64,
    /// Those that have a proof by parity against them.
    pub parity_blocked: u64,
    /// Those unsolvable for another reason.
    pub unsolvable: u64,
    /// Those with at least one packing.
    pub solvable: u64,
    /// Those left undecided by a limit.
    pub unknown: u64,
    /// Those whose search failed.
    pub failed: u64,
    /// Those not counted yet.
    pub pending: u64,
}

impl Totals {
    /// Adds so many figures with a verdict and a reason, if they have one.
    pub fn add(&mut self, verdict: Option<&str>, reason: Option<&str>, figures: u64) {
        self.figures += figures;
        *match (verdict, reason) {
            (Some("unsolvable"), Some("parity")) => &mut self.parity_blocked,
            (Some("unsolvable"), _) => &mut self.unsolvable,
            (Some("counted" | "solvable"), _) => &mut self.solvable,
            (Some("unknown"), _) => &mut self.unknown,
            (Some(_), _) => &mut self.failed,
            (None, _) => &mut self.pending,
        } += figures;
    }

    /// Adds other figures.
    pub const fn add_all(&mut self, other: &Self) {
        self.figures += other.figures;
        self.parity_blocked += other.parity_blocked;
        self.unsolvable += other.unsolvable;
        self.solvable += other.solvable;
        self.unknown += other.unknown;
        self.failed += other.failed;
        self.pending += other.pending;
    }
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
    /// The last run, if its end is not noted.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn underway(&self) -> Result<Option<Underway>, CatalogError> {
        let alive = is_held(self.path());
        let sql = "SELECT COALESCE((julianday('now') - julianday(started)) * 86400, -1),
                          planned, done FROM run
                   WHERE id = (SELECT max(id) FROM run) AND status = 'running'";
        let underway = |row: &rusqlite::Row<'_>| {
            let (seconds, planned, done) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Underway { alive, seconds, planned, done })
        };
        Ok(self.connection.query_row(sql, [], underway).optional()?)
    }

    /// Notes that a run begins and prepares the list of its figures.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn begin_run(&mut self, command: &str) -> Result<i64, CatalogError> {
        self.connection.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS run_figure (
                figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL,
                PRIMARY KEY (figure_id, set_id)) WITHOUT ROWID;
             DELETE FROM temp.run_figure;
             UPDATE run SET status = 'stopped' WHERE status = 'running';",
        )?;
        self.connection.execute(
            &format!(
                "INSERT INTO run (command, version, started, status)
                 VALUES (?, ?, {NOW}, 'running')"
            ),
            params![command, env!("CARGO_PKG_VERSION")],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Notes how many more figures a run is going to look at.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn plan_run(&mut self, run: i64, planned: u64) -> Result<(), CatalogError> {
        self.connection.execute(
            "UPDATE run SET planned = COALESCE(planned, 0) + ? WHERE id = ?",
            params![planned, run],
        )?;
        Ok(())
    }

    /// Notes how a run ended: `finished` or `stopped`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn end_run(&mut self, run: i64, status: &str) -> Result<(), CatalogError> {
        self.connection.execute(
            &format!("UPDATE run SET status = ?, ended = {NOW} WHERE id = ?"),
            params![status, run],
        )?;
        self.analyze()
    }

    /// Figures of this run without an outcome, after the given pair of ids, at most `most`. With
    /// `redo` those whose outcome is not exact count as without.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn pending(
        &self,
        after: (i64, i64),
        most: usize,
        redo: bool,
    ) -> Result<Vec<Pending>, CatalogError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT r.figure_id, r.set_id, f.signature FROM {RUN_OUTCOMES}
             JOIN figure f ON f.id = r.figure_id
             WHERE (r.figure_id, r.set_id) > (?, ?) AND {PENDING}
             ORDER BY r.figure_id, r.set_id LIMIT ?"
        ))?;
        let rows = statement.query_map(params![after.0, after.1, redo, most], |row| {
            Ok(Pending { figure_id: row.get(0)?, set_id: row.get(1)?, signature: row.get(2)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How many of them there are.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn pending_count(&self, redo: bool) -> Result<u64, CatalogError> {
        let sql = format!("SELECT count(*) FROM {RUN_OUTCOMES} WHERE {PENDING}");
        Ok(self.connection.query_row(&sql, [redo], |row| row.get(0))?)
    }

    /// What this run's figures came to so far.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn run_totals(&self) -> Result<Totals, CatalogError> {
        // Summed up here: SQLite would sort the rows first, in as much memory again as its cache.
        self.totals(&format!("SELECT o.verdict_id, o.reason_id, 1 FROM {RUN_OUTCOMES}"))
    }

    /// How many different figures this run has, each counted once whatever the sets.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn run_figures(&self) -> Result<u64, CatalogError> {
        // The rows are in the order of the figures: nothing has to be remembered to tell them apart.
        let sql = "SELECT count(*) FROM (SELECT 1 FROM temp.run_figure GROUP BY figure_id)";
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    /// What rows of verdict, reason and a number of figures come to.
    pub(super) fn totals(&self, sql: &str) -> Result<Totals, CatalogError> {
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut totals = Totals::default();
        while let Some(row) = rows.next()? {
            let (verdict, reason): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
            let (verdict, reason) = (verdict.and_then(verdict_word), reason.and_then(reason_word));
            totals.add(verdict, reason, row.get(2)?);
        }
        Ok(totals)
    }

    /// Brings SQLite's statistics up to date, if the catalog has grown by a tenth: with them rare
    /// verdicts and boxes are found through their indexes.
    fn analyze(&self) -> Result<(), CatalogError> {
        let stated = "SELECT stat FROM sqlite_stat1 WHERE tbl = 'outcome' LIMIT 1";
        let stated = self.connection.query_row(stated, [], |row| row.get::<_, String>(0));
        let stated = stated.ok().and_then(|stat| stat.split(' ').next()?.parse::<u64>().ok());
        let rows: u64 =
            self.connection.query_row("SELECT count(*) FROM outcome", [], |row| row.get(0))?;
        let stale = stated.is_none_or(|stated| stated.abs_diff(rows) > stated / 10);
        if rows < SMALL || stale {
            self.connection.execute_batch(
                "ANALYZE figure; ANALYZE outcome; ANALYZE name; ANALYZE enumerated;",
            )?;
        }
        Ok(())
    }
}

/// The time in UTC. SQLite has none after the year 9999, which a clock gone wrong may show.
const NOW: &str = "COALESCE(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '9999-12-31T23:59:59Z')";

/// A catalog of fewer rows is always analyzed: it takes no time.
const SMALL: u64 = 100_000;

/// The run's figures with their outcomes so far.
const RUN_OUTCOMES: &str = "temp.run_figure r
    LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
    LEFT JOIN verdict v ON v.id = o.verdict_id";

/// Of them, those to be counted; takes whether inexact counts are made again.
const PENDING: &str =
    "(o.figure_id IS NULL OR (? AND v.name IN ('solvable', 'unknown', 'failed')))";
