//! What a run has found.

use super::super::{Catalog, CatalogError};
use rusqlite::OptionalExtension;

/// The most remarkable of the figures that a run counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// The number of figures with one packing up to rotation and reflection.
    pub single: u64,
    /// The exactly counted figure with the most packings up to rotation and reflection, and their number.
    pub most: Option<(String, String)>,
    /// The figure whose count took the most nodes, and their number.
    pub longest: Option<(String, String)>,
}

impl Catalog {
    /// Returns the news of a run. It counted the figures with this run among their timings.
    pub fn news(&self, run: u64) -> Result<News, CatalogError> {
        self.snapshot(|| {
            let counted = format!(
                "FROM timing t JOIN outcome o ON o.figure_id = t.figure_id AND o.set_id = t.set_id
                 JOIN figure f ON f.id = o.figure_id
                 WHERE t.run_id = {run}"
            );
            // Counts above 2⁶³ − 1 are text. By digits, and among equally many by value, all counts are in order.
            let first = |column: &str| {
                let sql = format!(
                    "SELECT COALESCE((SELECT label FROM name n WHERE n.figure_id = f.id AND label IS NOT NULL
                         ORDER BY n.source_id, n.ordinal LIMIT 1), f.signature), CAST({column} AS TEXT)
                     {counted} AND {column} > 0
                     ORDER BY length({column}) DESC, {column} DESC, f.signature LIMIT 1"
                );
                self.read("read what a run found", |connection| {
                    let row = connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
                    row.optional()
                })
            };
            let single = format!("SELECT count(*) {counted} AND o.\"unique\" = 1");
            Ok(News {
                single: self.number("count what a run found", &single)?,
                most: first("o.\"unique\"")?,
                longest: first("o.nodes")?,
            })
        })
    }
}
