//! A session: one run that writes to a catalog.
//!
//! The list of the run's figures is in a temporary table, so it takes no memory. A session that is dropped before
//! its end, because of an error, is recorded as failed.

use super::codes::{Code, exact_verdicts};
use super::position_triggers::watch_positions;
use super::totals::Totals;
use super::{Catalog, CatalogError, EnumerationId, FigureId, RunId, SetId};
use rusqlite::{Row, params};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::Verdict;
use std::path::Path;

#[derive(Debug)]
pub struct Session {
    pub(super) catalog: Catalog,
    pub(super) run: RunId,
    ended: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd<'a> {
    Finished,
    /// The user requested a stop. The same command continues.
    Stopped,
    Failed(&'a str),
}

impl<'a> RunEnd<'a> {
    /// Returns the word for the end, and the error.
    pub const fn status(self) -> (&'static str, Option<&'a str>) {
        match self {
            Self::Finished => ("finished", None),
            Self::Stopped => ("stopped", None),
            Self::Failed(error) => ("failed", Some(error)),
        }
    }
}

/// A figure of a run without an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    pub figure: FigureId,
    pub set: SetId,
    pub signature: Signature,
}

impl Pending {
    /// Reads the columns figure, set and signature.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let signature = Signature::from_trusted(row.get(2)?);
        Ok(Self { figure: row.get(0)?, set: row.get(1)?, signature })
    }
}

/// The time in UTC. SQLite cannot format years after 9999, which a wrong clock may give.
const NOW: &str = "COALESCE(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '9999-12-31T23:59:59Z')";

/// The number of rows below which a catalog is always analyzed. Analyzing fewer rows takes no time.
const ALWAYS_ANALYZED_ROWS: u64 = 100_000;

/// Updates SQLite's statistics. Of the large indexes whose values are all different, or which no filter selects from, an
/// estimate is enough; the others are read whole, for their most frequent values.
const ANALYZE: &str = "
    PRAGMA analysis_limit = 1000;
    ANALYZE name;
    ANALYZE enumerated;
    ANALYZE figure;
    PRAGMA analysis_limit = 0;
    ANALYZE figure_by_class;
    ANALYZE figure_by_cells;
    ANALYZE figure_by_box;
    ANALYZE figure_by_parity;
    ANALYZE figure_in_parts;
    ANALYZE outcome;
";

/// Estimates the statistics in a moment, also of a large catalog.
const ESTIMATE: &str = "PRAGMA analysis_limit = 1000; ANALYZE; PRAGMA analysis_limit = 0;";

/// The run's figures with their outcomes so far.
const RUN_OUTCOMES: &str = "temp.run_figure r
    LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id";

/// Figures to be counted again. Figures without an outcome are always counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recount {
    /// The node limit for each figure. Counts that a lower limit ended are repeated. The same limit would give the
    /// same result.
    pub limit: Option<u64>,
    /// True to repeat failed counts.
    pub failed: bool,
}

impl Session {
    /// Opens or creates a catalog for writing, and records a new run: its command or plan, and the version of the
    /// program.
    pub fn begin(path: &Path, command: &str, version: &str) -> Result<Self, CatalogError> {
        let mut catalog = Catalog::open(path)?;
        // Writing to a published copy invalidates it.
        let run = catalog.write("record the start of a run", |transaction| {
            transaction.execute_batch(
                "CREATE TEMP TABLE run_figure (
                    figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL,
                    PRIMARY KEY (figure_id, set_id)) WITHOUT ROWID;
                 CREATE TEMP TABLE kept_figure (
                    figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL,
                    PRIMARY KEY (figure_id, set_id)) WITHOUT ROWID;
                 UPDATE main.run SET status = 'stopped' WHERE status = 'running';
                 DROP TABLE IF EXISTS main.digest;",
            )?;
            let structures_exist = "SELECT EXISTS (SELECT 1 FROM structure)";
            // SQLite keeps a journal for each statement that a trigger follows, which slows down imports.
            if transaction.query_row(structures_exist, [], |row| row.get(0))? {
                watch_positions(transaction)?;
            }
            transaction.execute(
                &format!(
                    "INSERT INTO run (command, version, started, status)
                     VALUES (?, ?, {NOW}, 'running')"
                ),
                params![command, version],
            )?;
            Ok(RunId(transaction.last_insert_rowid()))
        })?;
        Ok(Self { catalog, run, ended: false })
    }

    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Turns off SQLite's reference checks. They take 4 to 8 % of the time when writing millions of figures. Callers
    /// write only references that they looked up or added in the same transaction. `catalog check` verifies all
    /// references.
    pub fn skip_reference_checks(&mut self) -> Result<(), CatalogError> {
        self.catalog.skip_reference_checks()
    }

    /// Commits entries, outcomes and positions, which otherwise wait for others, for some seconds at most while these
    /// arrive.
    pub fn commit(&mut self) -> Result<(), CatalogError> {
        self.catalog.commit()
    }

    /// Records the end of the run and merges the log.
    pub fn end(mut self, end: RunEnd<'_>) -> Result<(), CatalogError> {
        self.note_end(end)?;
        self.analyze(matches!(end, RunEnd::Stopped))?;
        self.catalog.merge()
    }

    fn note_end(&mut self, end: RunEnd<'_>) -> Result<(), CatalogError> {
        let (status, error) = end.status();
        self.ended = true;
        // What was planned may be an estimate, which the end corrects.
        let sql = format!(
            "UPDATE run SET status = ?1, error = ?2, ended = {NOW},
                    planned = CASE WHEN ?1 = 'finished' AND planned IS NOT NULL THEN done ELSE planned END
             WHERE id = ?3"
        );
        let values = params![status, error, self.run];
        self.catalog.execute("record the end of a run", &sql, values)
    }

    /// Returns whether any figure has an outcome.
    pub fn has_outcomes(&self) -> Result<bool, CatalogError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM outcome)";
        Ok(self.catalog.number("look for outcomes", sql)? > 0)
    }

    pub fn add_expected(&mut self, figures: u64) -> Result<(), CatalogError> {
        let sql = "UPDATE run SET planned = COALESCE(planned, 0) + ? WHERE id = ?";
        self.catalog.execute("record the size of a run", sql, params![figures, self.run])
    }

    /// Adds the figures of an enumeration that keeps only some, which need not be counted. Returns their totals.
    pub fn add_kept(
        &mut self,
        enumeration: EnumerationId,
        set: SetId,
    ) -> Result<Totals, CatalogError> {
        let sql = "INSERT OR IGNORE INTO temp.kept_figure
                   SELECT figure_id, ? FROM enumerated WHERE enumeration_id = ?";
        let values = params![set, enumeration];
        self.catalog.execute("list the figures that an enumeration keeps", sql, values)?;
        let sql = "SELECT o.verdict_id, o.reason_id, 1 FROM enumerated e
                   LEFT JOIN outcome o ON o.figure_id = e.figure_id AND o.set_id = ?
                   WHERE e.enumeration_id = ?";
        self.catalog.totals(sql, params![set, enumeration])
    }

    pub fn add_enumeration(
        &mut self,
        enumeration: EnumerationId,
        set: SetId,
    ) -> Result<(), CatalogError> {
        let sql = "INSERT OR IGNORE INTO temp.run_figure
                   SELECT figure_id, ? FROM enumerated WHERE enumeration_id = ?";
        let values = params![set, enumeration];
        self.catalog.execute("list the figures of an enumeration", sql, values)
    }

    /// Lists the figures to be counted, for [`Session::pending`], and returns their number. Untried figures come
    /// first, then those with the oldest last attempt. Figures abandoned every night therefore delay no others.
    pub fn list_pending(&mut self, recount: Recount) -> Result<u64, CatalogError> {
        let Recount { limit, failed } = recount;
        let limit = limit.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let (run, code) = (self.run, |verdict: Verdict| verdict.code());
        self.catalog.write("list the figures to be counted", |transaction| {
            // Exact outcomes, which nearly all figures may have, are looked up once, and their times not at all.
            transaction.execute_batch(&format!(
                "DROP TABLE IF EXISTS temp.run_pending;
                 CREATE TEMP TABLE run_pending (figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL);
                 CREATE TEMP TABLE run_open AS
                 SELECT r.figure_id, r.set_id, o.verdict_id, o.nodes, t.run_id, t.micros
                 FROM {RUN_OUTCOMES}
                 LEFT JOIN timing t ON t.figure_id = r.figure_id AND t.set_id = r.set_id
                 WHERE o.figure_id IS NULL OR o.verdict_id NOT IN ({})
                 ORDER BY r.figure_id, r.set_id",
                exact_verdicts()
            ))?;
            let columns = "INSERT INTO temp.run_pending SELECT figure_id, set_id FROM temp.run_open";
            // In the order of the table, so nothing is sorted.
            let never = transaction.execute(
                &format!("{columns} WHERE verdict_id IS NULL AND run_id IS NULL ORDER BY rowid"),
                [],
            )?;
            let again = transaction.execute(
                &format!(
                    "{columns} WHERE (verdict_id IS NULL AND run_id IS NOT NULL)
                        OR (verdict_id IN ({}, {}) AND (?1 IS NULL OR nodes < ?1))
                        OR (verdict_id = {} AND ?2 AND run_id IS NOT ?3)
                     ORDER BY run_id, micros, figure_id, set_id",
                    code(Verdict::AtLeast),
                    code(Verdict::Unknown),
                    code(Verdict::Failed)
                ),
                // A run tries a failed figure once.
                params![limit, failed, run],
            )?;
            transaction.execute_batch("DROP TABLE temp.run_open")?;
            Ok((never + again) as u64)
        })
    }

    /// Returns at most `most` figures to be counted. `from` is the first index in the list of
    /// [`Session::list_pending`].
    pub fn pending(&self, from: u64, most: usize) -> Result<Vec<Pending>, CatalogError> {
        let sql = "SELECT p.figure_id, p.set_id, f.signature FROM temp.run_pending p
                   JOIN figure f ON f.id = p.figure_id
                   WHERE p.rowid > ? ORDER BY p.rowid LIMIT ?";
        let values = params![from.cast_signed(), most];
        self.catalog.rows("read the figures to be counted", sql, values, Pending::read)
    }

    pub fn totals(&self) -> Result<Totals, CatalogError> {
        // Summed here: SQLite would sort the rows first, using as much memory again as its cache.
        let columns = "o.verdict_id, o.reason_id, 1";
        let sql = match self.has_outcomes()? {
            true => format!(
                "SELECT {columns} FROM {RUN_OUTCOMES} UNION ALL
                 SELECT {columns} FROM temp.kept_figure k
                 LEFT JOIN outcome o ON o.figure_id = k.figure_id AND o.set_id = k.set_id
                 WHERE NOT EXISTS (SELECT 1 FROM temp.run_figure r
                                   WHERE r.figure_id = k.figure_id AND r.set_id = k.set_id)"
            ),
            false => "SELECT NULL, NULL, count(*) FROM temp.run_figure".to_owned(),
        };
        self.catalog.totals(&sql, [])
    }

    /// Returns the number of different figures of this run. A figure with several sets counts once.
    pub fn figures(&self) -> Result<u64, CatalogError> {
        // The rows are in the order of the figures, so counting distinct ones needs no memory.
        let sql =
            "SELECT (SELECT count(*) FROM (SELECT 1 FROM temp.run_figure GROUP BY figure_id)) +
                       (SELECT count(*) FROM (SELECT 1 FROM temp.kept_figure k WHERE NOT EXISTS
                           (SELECT 1 FROM temp.run_figure r WHERE r.figure_id = k.figure_id)
                        GROUP BY figure_id))";
        self.catalog.number("count the figures of a run", sql)
    }

    /// Returns the number of additional names of this run's figures. The view `duplicates` lists such names.
    pub fn duplicates(&self) -> Result<u64, CatalogError> {
        // Nearly all figures have one name, and their names are not read.
        let sql = "SELECT COALESCE(sum(names - 1), 0) FROM (
                       SELECT (SELECT count(DISTINCT source_id || COALESCE('=' || label, '#' || ordinal))
                                FROM name WHERE figure_id = n.figure_id) AS names
                        FROM (SELECT figure_id FROM name INDEXED BY name_by_figure
                              GROUP BY figure_id HAVING count(*) > 1) n
                        WHERE EXISTS (SELECT 1 FROM temp.run_figure r WHERE r.figure_id = n.figure_id UNION ALL
                                      SELECT 1 FROM temp.kept_figure k WHERE k.figure_id = n.figure_id))";
        self.catalog.number("count the duplicates of a run", sql)
    }

    /// Updates SQLite's statistics if the catalog has grown by a tenth. They let SQLite use its indexes for rare
    /// verdicts and boxes. A stopped run only estimates those of a large catalog, for the next run to find out.
    fn analyze(&self, stopped: bool) -> Result<(), CatalogError> {
        self.catalog.read("update its statistics", |connection| {
            // The table does not exist before the first time.
            let sql = "SELECT CAST(stat AS INTEGER) FROM sqlite_stat1 WHERE idx = ?";
            let (mut all, mut stale) = (0, false);
            for (table, index) in [("figure", "figure_by_class"), ("outcome", "outcome_by_verdict")]
            {
                let known: u64 = connection.query_row(sql, [index], |row| row.get(0)).unwrap_or(0);
                let number = format!("SELECT count(*) FROM {table}");
                let rows: u64 = connection.query_row(&number, [], |row| row.get(0))?;
                all += rows;
                stale |= known.abs_diff(rows) > known / 10;
            }
            let before = "SELECT status FROM run WHERE id < ? ORDER BY id DESC LIMIT 1";
            let before = connection.query_row(before, [self.run], |row| row.get::<_, String>(0));
            let estimated = before.is_ok_and(|status| status == "stopped");
            match stopped {
                _ if all < ALWAYS_ANALYZED_ROWS => connection.execute_batch(ANALYZE),
                false if stale || estimated => connection.execute_batch(ANALYZE),
                true if stale => connection.execute_batch(ESTIMATE),
                _ => Ok(()),
            }
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.ended {
            // If this fails too, the next run records it.
            let _ = self.note_end(RunEnd::Failed("the program ended before the run did"));
        }
    }
}
