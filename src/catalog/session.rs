//! A session: one run that writes to a catalog, from its beginning to its end.
//!
//! A session knows which figures its run is about; the list is kept in a temporary table, so it takes no memory
//! of its own. A session that is dropped without an end, because the program met an error, is noted as failed.

use super::totals::Totals;
use super::words::Code;
use super::{Catalog, CatalogError, EnumerationId, FigureId, RunId, SetId};
use crate::figure::Signature;
use crate::outcome::Verdict;
use rusqlite::params;
use std::path::Path;

/// A run that is writing to a catalog.
#[derive(Debug)]
pub struct Session {
    pub(super) catalog: Catalog,
    pub(super) run: RunId,
    ended: bool,
}

/// How a run came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd<'a> {
    /// Everything is done.
    Finished,
    /// Somebody asked to stop; the same command continues.
    Stopped,
    /// An error, in words.
    Failed(&'a str),
}

/// A figure of a run that has no outcome yet.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Pending {
    /// Which figure.
    pub figure: FigureId,
    /// With which set.
    pub set: SetId,
    /// Its canonical form.
    pub signature: Signature,
}

/// The time in UTC. SQLite has none after the year 9999, which a clock gone wrong may show.
const NOW: &str = "COALESCE(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '9999-12-31T23:59:59Z')";

/// A catalog of fewer rows is always analyzed: it takes no time.
const SMALL: u64 = 100_000;

/// The run's figures with their outcomes so far.
const RUN_OUTCOMES: &str = "temp.run_figure r
    LEFT JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id";

/// Which figures of a run are counted, beside those that were never counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recount {
    /// The most nodes a figure; those whose count was broken off by a lower limit are counted again. A count under
    /// the same limit would come to the same.
    pub limit: Option<u64>,
    /// Those whose count failed are counted again too.
    pub failed: bool,
}

/// Triggers for the time of a session: what stands is known of a figure as it is shown, that is, as the first of its
/// names with a position has it. If that changes it is known no more, and a run that is to find out does so anew.
fn forget_what_stood() -> String {
    let forget = |figure: &str, unless: &str| {
        format!(
            "UPDATE structure SET solid_stands = NULL, friction = NULL, set_up = NULL, stand = NULL,
                 by_hand = NULL
             WHERE figure_id = {figure} AND friction IS NOT NULL {unless};"
        )
    };
    let unless_another_leads = |name: &str| {
        let earlier = format!("(n.source_id, n.ordinal) < ({name}.source_id, {name}.ordinal)");
        let another = format!(
            "AND NOT EXISTS (SELECT 1 FROM name n WHERE n.figure_id = {name}.figure_id
                 AND n.transform IS NOT NULL AND {earlier})"
        );
        forget(&format!("{name}.figure_id"), &another)
    };
    format!(
        "CREATE TEMP TRIGGER name_added AFTER INSERT ON main.name WHEN NEW.transform IS NOT NULL
         BEGIN {} END;
         CREATE TEMP TRIGGER name_changed AFTER UPDATE OF figure_id, transform ON main.name
         WHEN OLD.figure_id <> NEW.figure_id OR OLD.transform IS NOT NEW.transform
         BEGIN {} {} END;
         CREATE TEMP TRIGGER name_removed AFTER DELETE ON main.name WHEN OLD.transform IS NOT NULL
         BEGIN {} END;",
        unless_another_leads("NEW"),
        forget("OLD.figure_id", ""),
        forget("NEW.figure_id", ""),
        unless_another_leads("OLD"),
    )
}

impl Session {
    /// Opens a catalog for writing, or makes it, and notes that a run begins, with the command or plan that it
    /// carries out.
    ///
    /// # Errors
    /// As for [`Catalog::open`], and if SQLite fails.
    pub fn begin(path: &Path, command: &str) -> Result<Self, CatalogError> {
        let mut catalog = Catalog::open(path)?;
        // A published copy that is written to is none any more.
        let run = catalog.write("note the beginning of a run", |transaction| {
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
            transaction.execute_batch(&forget_what_stood())?;
            transaction.execute(
                &format!(
                    "INSERT INTO run (command, version, started, status)
                     VALUES (?, ?, {NOW}, 'running')"
                ),
                params![command, env!("CARGO_PKG_VERSION")],
            )?;
            Ok(RunId(transaction.last_insert_rowid()))
        })?;
        Ok(Self { catalog, run, ended: false })
    }

    /// The catalog, to read from.
    #[must_use]
    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Leaves out that SQLite looks up, for every row, what the row refers to: 4 to 8 % of the time where figures are
    /// written by the million. What this session writes then refers to figures, sets and enumerations that it has
    /// looked up or added in the same transaction. A check of the catalog looks at all references.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn skip_reference_checks(&mut self) -> Result<(), CatalogError> {
        self.catalog.read("change a setting", |connection| {
            connection.pragma_update(None, "foreign_keys", false)
        })
    }

    /// Notes how the run came to its end, and leaves the catalog as one plain file.
    ///
    /// # Errors
    /// If SQLite fails; what was kept before stays.
    pub fn end(mut self, end: RunEnd<'_>) -> Result<(), CatalogError> {
        self.note_end(end)?;
        self.analyze()?;
        self.catalog.merge()
    }

    fn note_end(&mut self, end: RunEnd<'_>) -> Result<(), CatalogError> {
        let (status, error) = match end {
            RunEnd::Finished => ("finished", None),
            RunEnd::Stopped => ("stopped", None),
            RunEnd::Failed(error) => ("failed", Some(error)),
        };
        self.ended = true;
        let run = self.run;
        self.catalog.write("note the end of a run", |transaction| {
            let sql = format!("UPDATE run SET status = ?, error = ?, ended = {NOW} WHERE id = ?");
            transaction.execute(&sql, params![status, error, run]).map(|_| ())
        })
    }

    /// Adds to the number of figures that the run expects.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn add_expected(&mut self, figures: u64) -> Result<(), CatalogError> {
        let run = self.run;
        self.catalog.write("note the size of a run", |transaction| {
            transaction
                .execute(
                    "UPDATE run SET planned = COALESCE(planned, 0) + ? WHERE id = ?",
                    params![figures, run],
                )
                .map(|_| ())
        })
    }

    /// Makes the figures of an enumeration figures of this run.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn add_enumeration(
        &mut self,
        enumeration: EnumerationId,
        set: SetId,
    ) -> Result<(), CatalogError> {
        self.catalog.write("list the figures of an enumeration", |transaction| {
            transaction
                .execute(
                    "INSERT OR IGNORE INTO temp.run_figure
                     SELECT figure_id, ? FROM enumerated WHERE enumeration_id = ?",
                    params![set, enumeration],
                )
                .map(|_| ())
        })
    }

    /// Lists the figures of this run that are to be counted, for [`Session::pending`], and returns how many there
    /// are. Those never tried come first, then those whose last attempt is the longest ago: what was given up night
    /// after night keeps no other figure waiting.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn list_pending(&mut self, recount: Recount) -> Result<u64, CatalogError> {
        let Recount { limit, failed } = recount;
        let limit = limit.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let code = |verdict: Verdict| verdict.code();
        self.catalog.write("list what is to be counted", |transaction| {
            transaction.execute_batch(
                "DROP TABLE IF EXISTS temp.run_pending;
                 CREATE TEMP TABLE run_pending (figure_id INTEGER NOT NULL, set_id INTEGER NOT NULL)",
            )?;
            let columns = "INSERT INTO temp.run_pending SELECT r.figure_id, r.set_id FROM";
            let tried = "LEFT JOIN timing t ON t.figure_id = r.figure_id AND t.set_id = r.set_id";
            // In the order of the table: nothing is sorted.
            let never = transaction.execute(
                &format!(
                    "{columns} {RUN_OUTCOMES} {tried} WHERE o.figure_id IS NULL AND t.run_id IS NULL
                     ORDER BY r.figure_id, r.set_id"
                ),
                [],
            )?;
            let again = transaction.execute(
                &format!(
                    "{columns} {RUN_OUTCOMES} {tried} WHERE (o.figure_id IS NULL AND t.run_id IS NOT NULL)
                        OR (o.verdict_id IN ({}, {}) AND (?1 IS NULL OR o.nodes < ?1))
                        OR (o.verdict_id = {} AND ?2)
                     ORDER BY t.run_id, t.micros, r.figure_id, r.set_id",
                    code(Verdict::AtLeast),
                    code(Verdict::Unknown),
                    code(Verdict::Failed)
                ),
                params![limit, failed],
            )?;
            Ok((never + again) as u64)
        })
    }

    /// Figures to be counted, as [`Session::list_pending`] listed them, from number `from` on, counted from 0; at most
    /// `most`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn pending(&self, from: u64, most: usize) -> Result<Vec<Pending>, CatalogError> {
        self.catalog.read("read what is to be counted", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT p.figure_id, p.set_id, f.signature FROM temp.run_pending p
                 JOIN figure f ON f.id = p.figure_id
                 WHERE p.rowid > ? ORDER BY p.rowid LIMIT ?",
            )?;
            let rows = statement.query_map(params![from.cast_signed(), most], |row| {
                let signature = Signature::from_trusted(row.get(2)?);
                Ok(Pending { figure: row.get(0)?, set: row.get(1)?, signature })
            })?;
            rows.collect()
        })
    }

    /// What this run's figures came to so far.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn totals(&self) -> Result<Totals, CatalogError> {
        // Summed up here: SQLite would sort the rows first, in as much memory again as its cache.
        self.catalog.totals(&format!("SELECT o.verdict_id, o.reason_id, 1 FROM {RUN_OUTCOMES}"), [])
    }

    /// How many different figures this run has, each counted once whatever the sets.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn figures(&self) -> Result<u64, CatalogError> {
        // The rows are in the order of the figures: nothing has to be remembered to tell them apart.
        let sql = "SELECT count(*) FROM (SELECT 1 FROM temp.run_figure GROUP BY figure_id)";
        self.catalog.read("count the figures of a run", |connection| {
            connection.query_row(sql, [], |row| row.get(0))
        })
    }

    /// How many names the figures of this run have beyond their first, as the view `duplicates` lists them.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn duplicates(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT COALESCE(sum(names - 1), 0) FROM (
                       SELECT count(DISTINCT source_id || COALESCE('=' || label, '#' || ordinal)) AS names
                       FROM name n WHERE EXISTS
                           (SELECT 1 FROM temp.run_figure r WHERE r.figure_id = n.figure_id)
                       GROUP BY figure_id)";
        self.catalog.read("count the duplicates of a run", |connection| {
            connection.query_row(sql, [], |row| row.get(0))
        })
    }

    /// Brings SQLite's statistics up to date, if the catalog has grown by a tenth: with them rare
    /// verdicts and boxes are found through their indexes.
    fn analyze(&self) -> Result<(), CatalogError> {
        self.catalog.read("bring its statistics up to date", |connection| {
            let stat = "SELECT stat FROM sqlite_stat1 WHERE tbl = 'outcome' LIMIT 1";
            // There is no such table before the first time.
            let stat = connection.query_row(stat, [], |row| row.get::<_, String>(0)).ok();
            let known = stat.and_then(|stat| stat.split(' ').next()?.parse::<u64>().ok());
            let rows: u64 =
                connection.query_row("SELECT count(*) FROM outcome", [], |row| row.get(0))?;
            let stale = known.is_none_or(|known| known.abs_diff(rows) > known / 10);
            if rows < SMALL || stale {
                connection.execute_batch(
                    "ANALYZE figure; ANALYZE outcome; ANALYZE name; ANALYZE enumerated;",
                )?;
            }
            Ok(())
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.ended {
            // If that cannot be written either, the next run notes it.
            let _ = self.note_end(RunEnd::Failed("the program ended before the run did"));
        }
    }
}
