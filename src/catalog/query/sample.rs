//! Rows at chosen positions, for samples.

use super::super::{Catalog, CatalogError, Row};
use super::filter::Filter;
use super::rows::DamagedRow;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params};

impl Catalog {
    /// Returns whether each figure has one row. This is sure with one piece set, and figures are counted much faster
    /// than rows.
    pub fn has_single_rows(&self) -> Result<bool, CatalogError> {
        Ok(self.number("count piece sets", "SELECT count(*) FROM piece_set")? <= 1)
    }

    /// Calls `visit` with the rows of the figures at some positions in the order of signatures, from 0. The positions
    /// ascend. Reads the index of signatures up to the last position, and nothing else of the figures between.
    pub fn select_at<E: From<CatalogError>>(
        &self,
        filter: &Filter,
        positions: impl IntoIterator<Item = u64>,
        mut visit: impl FnMut(Result<Row, DamagedRow>) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = self.failed("find figures");
        self.snapshot(|| {
            let mut reader = self.row_reader(filter)?;
            let of_figure = format!("SELECT {} FROM figure_rows WHERE signature = ?", reader.columns);
            let next = "SELECT signature FROM figure WHERE signature > ? ORDER BY signature LIMIT 1 OFFSET ?";
            let (mut last, mut passed) = (String::new(), 0);
            for position in positions {
                let mut statement = self.connection.prepare_cached(next).map_err(&failed)?;
                let found = statement.query_row(params![last, position - passed], |row| row.get(0));
                let Some(signature) = found.optional().map_err(&failed)? else { break };
                (last, passed) = (signature, position + 1);
                let values = [Value::Text(last.clone())];
                self.read_rows(&of_figure, values, &mut reader, &mut visit)?;
            }
            Ok(())
        })
    }
}
