//! The checksum of an enumeration, which reveals an edited question, place, flag or total.

use super::EnumerationId;
use flate2::Crc;
use rusqlite::types::Value;
use rusqlite::{Connection, params};

/// Renews the stored checksum of an enumeration.
pub(super) fn seal(connection: &Connection, enumeration: EnumerationId) -> rusqlite::Result<()> {
    let sum = checksum(connection, enumeration)?;
    connection
        .prepare_cached("UPDATE enumeration SET checksum = ? WHERE id = ?")?
        .execute(params![sum, enumeration])
        .map(|_| ())
}

/// Computes the CRC-32 of an enumeration's question, place and totals.
pub(super) fn checksum(
    connection: &Connection,
    enumeration: EnumerationId,
) -> rusqlite::Result<u32> {
    let mut crc = Crc::new();
    for sql in [
        "SELECT e.question, p.definition, e.keep, e.limited, e.shard, e.listed, e.complete
         FROM enumeration e JOIN piece_set p ON p.id = e.set_id WHERE e.id = ?",
        "SELECT class_id, verdict_id, reason_id, figures FROM enumeration_total
         WHERE enumeration_id = ? ORDER BY class_id, verdict_id, reason_id",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([enumeration])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                let value: Value = row.get(column)?;
                crc.update(format!("{value:?} ").as_bytes());
            }
        }
    }
    Ok(crc.sum())
}
