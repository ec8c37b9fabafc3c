//! The state of a catalog.

use super::super::lock::Watch;
use super::super::{Catalog, CatalogError, Totals};
use rusqlite::OptionalExtension;
use somacat_geometry::figure::Signature;
use std::collections::{HashMap, HashSet};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    pub figures: u64,
    pub names: u64,
    pub sources: u64,
    pub refused: u64,
    /// Figures that were never counted.
    pub uncounted: u64,
    /// Published counts that contradict ours.
    pub disagreements: u64,
    pub outcomes: Totals,
    /// Totals of figures that enumerations count without keeping them.
    pub unkept: Totals,
    pub last_run: Option<LastRun>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct LastRun {
    /// Its number, from 1.
    pub run: u64,
    pub command: String,
    pub version: String,
    pub started: String,
    pub ended: Option<String>,
    /// running, finished, stopped or failed.
    pub status: String,
    /// The expected number of figures, as far as known.
    pub planned: Option<u64>,
    pub done: u64,
    pub error: Option<String>,
    /// Wall-clock seconds since it began. Negative if the clock was set back, or shows no valid time.
    pub seconds: f64,
    /// True if a program is writing. A running run is then alive, otherwise it was killed.
    pub is_written: bool,
}

impl Catalog {
    pub fn status(&self) -> Result<Status, CatalogError> {
        // A run may begin or end while this is read. So it counts as alive if it was before or is after.
        let is_written = || self.watch.as_ref().is_some_and(Watch::is_held);
        let before = is_written();
        self.snapshot(|| {
            let number = |sql: &str| self.number("count its rows", sql);
            let outcomes = self.totals(
                "SELECT verdict_id, reason_id, count(*) FROM outcome GROUP BY verdict_id, reason_id",
                [],
            )?;
            let of_enumerations = |keep: &str| {
                let sql = "SELECT t.verdict_id, NULLIF(t.reason_id, 0), sum(t.figures)
                           FROM enumeration_total t JOIN enumeration e ON e.id = t.enumeration_id
                           WHERE e.keep GLOB ? GROUP BY t.verdict_id, t.reason_id";
                self.totals(sql, [keep])
            };
            let mut unkept = of_enumerations("solvable")?;
            unkept.figures -= unkept.buildable;
            (unkept.buildable, unkept.bounded) = (0, 0);
            unkept.add_all(&of_enumerations("totals")?);
            let mut with_leaders = of_enumerations("top:*")?;
            let leaders = number(
                "SELECT count(*) FROM enumerated WHERE enumeration_id IN
                    (SELECT id FROM enumeration WHERE keep GLOB 'top:*')",
            )?;
            // Fewer than the leaders only if it was edited.
            for number in [&mut with_leaders.figures, &mut with_leaders.buildable] {
                *number = number.saturating_sub(leaders);
            }
            unkept.add_all(&with_leaders);
            let figures = self.figure_count()?;
            let uncounted = match self.has_single_rows()? {
                true => figures.saturating_sub(outcomes.figures),
                false => number(
                    "SELECT count(*) FROM figure f
                     WHERE NOT EXISTS (SELECT 1 FROM outcome o WHERE o.figure_id = f.id)",
                )?,
            };
            Ok(Status {
                figures,
                names: number("SELECT count(*) FROM name")?,
                sources: number("SELECT count(*) FROM source")?,
                refused: number("SELECT count(*) FROM fault WHERE refused")?,
                uncounted,
                // Without statistics, SQLite does not know that this table is small, or empty.
                disagreements: number(
                    "SELECT CASE WHEN EXISTS (SELECT 1 FROM published_count)
                     THEN (SELECT count(*) FROM disagreements) ELSE 0 END",
                )?,
                outcomes,
                unkept,
                last_run: self.last_run(&|| before || is_written())?,
            })
        })
    }

    /// Returns each figure's time of count: the last start of a run that counted it. Figures without known times are
    /// left out.
    pub fn times_of_counts(&self) -> Result<HashMap<Signature, String>, CatalogError> {
        let sql = "SELECT f.signature, max(r.started) FROM timing t JOIN run r ON r.id = t.run_id
                   JOIN figure f ON f.id = t.figure_id GROUP BY t.figure_id";
        let rows: Vec<(String, String)> =
            self.rows("read its times", sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.into_iter().filter_map(|(text, time)| Some((text.parse().ok()?, time))).collect())
    }

    /// Returns the running numbers of some figures: each one's position, from 1, among all figures of its class and size,
    /// in the order of their addition. Figures that are added later do not change them.
    pub fn running_numbers(
        &self,
        wanted: &HashSet<Signature>,
    ) -> Result<HashMap<Signature, u64>, CatalogError> {
        let mut found = HashMap::new();
        if wanted.is_empty() {
            return Ok(found);
        }
        let wanted: HashMap<&str, &Signature> =
            wanted.iter().map(|signature| (signature.as_str(), signature)).collect();
        let sql = "SELECT signature, class_id, cells FROM figure ORDER BY id";
        self.read("number its figures", |connection| {
            let mut numbers: HashMap<(u64, u64), u64> = HashMap::new();
            let mut statement = connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let number = numbers.entry((row.get(1)?, row.get(2)?)).or_default();
                *number += 1;
                let signature = row.get_ref(0)?.as_str()?;
                if let Some(&signature) = wanted.get(signature) {
                    found.insert(signature.clone(), *number);
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn last_run(&self, is_written: &dyn Fn() -> bool) -> Result<Option<LastRun>, CatalogError> {
        self.read("read its last run", |connection| {
            let sql =
                "SELECT *, COALESCE((julianday('now') - julianday(started)) * 86400, -1) AS seconds
                       FROM progress ORDER BY run DESC LIMIT 1";
            connection
                .query_row(sql, [], |row| {
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
                        seconds: row.get("seconds")?,
                        is_written: is_written(),
                    })
                })
                .optional()
        })
    }
}
