//! Piece sets in the catalog.

use super::checksum::SETS;
use super::{Catalog, CatalogError, Session, SetId};
use rusqlite::{Connection, params};
use somacat_geometry::pieces::{PieceSet, parse_piece_lines};
use std::collections::HashMap;

impl Catalog {
    pub fn piece_sets(&self) -> Result<HashMap<SetId, PieceSet>, CatalogError> {
        let sql = "SELECT id, name, definition FROM piece_set ORDER BY id";
        let rows: Vec<(SetId, String, String)> = self
            .rows("read piece sets", sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let sets = rows.into_iter().map(|(id, name, definition)| {
            match parse_piece_lines(&name, &definition) {
                Ok(set) => Ok((id, set)),
                Err(error) => Err(CatalogError::SetUnreadable { name, error }),
            }
        });
        sets.collect()
    }

    pub fn sets_by_name(&self) -> Result<HashMap<String, PieceSet>, CatalogError> {
        let sets = self.piece_sets()?.into_values();
        Ok(sets.map(|set| (set.name().to_owned(), set)).collect())
    }
}

impl Session {
    pub fn set_id(&mut self, set: &PieceSet) -> Result<SetId, CatalogError> {
        let id =
            self.catalog.write("keep a piece set", |transaction| id_of_set(transaction, set))?;
        id.ok_or_else(|| CatalogError::SetChanged(set.name().to_owned()))
    }
}

/// Returns the id of a piece set, adding it if new. `None` if the catalog has other pieces under its name.
pub(super) fn id_of_set(
    transaction: &Connection,
    set: &PieceSet,
) -> rusqlite::Result<Option<SetId>> {
    let wanted = set.lines().join("\n");
    let checksum = SETS.of_parameters();
    transaction
        .prepare_cached(&format!(
            "INSERT OR IGNORE INTO piece_set (name, definition, checksum) VALUES (?1, ?2, {checksum})"
        ))?
        .execute(params![set.name(), wanted])?;
    transaction
        .prepare_cached("SELECT id, definition = ?2 FROM piece_set WHERE name = ?1")?
        .query_row(params![set.name(), wanted], |row| {
            let same: bool = row.get(1)?;
            Ok(same.then_some(row.get(0)?))
        })
}
