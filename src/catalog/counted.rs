//! Figures that come with their counts: a census, which takes in and counts at once.

use super::store::{count_value, figure_id};
use super::{Catalog, CatalogError, EntryRow};
use rusqlite::params;

/// A figure with the outcome of its count.
#[derive(Clone, Debug)]
pub struct CountedRow {
    /// The figure and its set.
    pub entry: EntryRow,
    /// The verdict's word: `counted` or `unsolvable`.
    pub verdict: &'static str,
    /// The reason's word.
    pub reason: Option<&'static str>,
    /// All packings.
    pub raw: u128,
    /// Packings up to rotation.
    pub rotation: u128,
    /// Packings up to rotation and reflection.
    pub unique: u128,
}

impl Catalog {
    /// Takes in figures with exact counts in one transaction; returns how many figures were new. An
    /// exact outcome that the catalog has already stays as it is.
    ///
    /// # Errors
    /// If SQLite fails; nothing of the batch is kept then.
    pub fn take_counted(&mut self, run: i64, rows: &[CountedRow]) -> Result<u64, CatalogError> {
        let transaction = self.connection.transaction()?;
        let (mut new, mut done) = (0, 0);
        for row in rows {
            let (figure, added) = figure_id(&transaction, &row.entry)?;
            new += u64::from(added);
            done += transaction
                .prepare_cached(
                    "INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, 0)
                     ON CONFLICT (figure_id, set_id) DO UPDATE SET verdict = excluded.verdict,
                        reason = excluded.reason, raw = excluded.raw,
                        rotation = excluded.rotation, \"unique\" = excluded.\"unique\",
                        nodes = excluded.nodes
                     WHERE verdict IN ('solvable', 'unknown', 'failed')",
                )?
                .execute(params![
                    figure,
                    row.entry.set_id,
                    row.verdict,
                    row.reason,
                    count_value(Some(row.raw)),
                    count_value(Some(row.rotation)),
                    count_value(Some(row.unique))
                ])?;
        }
        transaction
            .prepare_cached("UPDATE run SET done = done + ? WHERE id = ?")?
            .execute(params![done, run])?;
        transaction.commit()?;
        Ok(new)
    }
}
