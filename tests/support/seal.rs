//! Checksums of a catalog, as a careful editor would compute them.

use rusqlite::Connection;
use rusqlite::types::Value;
use std::hash::Hasher;
use twox_hash::XxHash64;

/// Reads the first row of a query.
fn values(connection: &Connection, sql: &str, id: i64) -> Vec<Value> {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([id]).unwrap();
    let mut values = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        values.extend((0..columns).map(|column| row.get::<_, Value>(column).unwrap()));
    }
    values
}

fn checksum(values: Vec<Value>) -> i64 {
    let mut hash = XxHash64::with_seed(0);
    for value in values {
        let (kind, bytes) = match value {
            Value::Null => (b'0', Vec::new()),
            Value::Integer(number) => (b'i', number.to_le_bytes().to_vec()),
            Value::Real(number) => (b'r', number.to_le_bytes().to_vec()),
            Value::Text(text) => (b't', text.into_bytes()),
            Value::Blob(bytes) => (b'b', bytes),
        };
        hash.write(&((bytes.len() as u64) << 8 | u64::from(kind)).to_le_bytes());
        hash.write(&bytes);
    }
    hash.finish().cast_signed()
}

fn ids(connection: &Connection, sql: &str) -> Vec<i64> {
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Writes the checksums of enumerations.
pub fn seal_enumerations(connection: &Connection) {
    for id in ids(connection, "SELECT id FROM enumeration") {
        let mut sealed = values(
            connection,
            "SELECT e.question, e.label, p.definition, e.keep, e.limited, e.shard, e.listed, e.complete
             FROM enumeration e JOIN piece_set p ON p.id = e.set_id WHERE e.id = ?",
            id,
        );
        sealed.extend(values(
            connection,
            "SELECT class_id, verdict_id, reason_id, figures FROM enumeration_total
             WHERE enumeration_id = ? ORDER BY class_id, verdict_id, reason_id",
            id,
        ));
        let sql = "UPDATE enumeration SET checksum = ? WHERE id = ?";
        connection.execute(sql, (checksum(sealed), id)).unwrap();
    }
}

/// Writes the checksums of outcomes, in a catalog with one set.
pub fn seal_outcomes(connection: &Connection) {
    for id in ids(connection, "SELECT figure_id FROM outcome") {
        let sealed = values(
            connection,
            "SELECT f.signature, p.checksum, o.verdict_id, o.reason_id, o.error, o.raw, o.rotation,
                o.\"unique\", o.nodes, o.engine_id FROM outcome o JOIN figure f ON f.id = o.figure_id
             JOIN piece_set p ON p.id = o.set_id WHERE o.figure_id = ?",
            id,
        );
        let sql = "UPDATE outcome SET checksum = ? WHERE figure_id = ?";
        connection.execute(sql, (checksum(sealed), id)).unwrap();
    }
}

/// Writes the checksums of proofs, in a catalog with one set.
pub fn seal_proofs(connection: &Connection) {
    for id in ids(connection, "SELECT figure_id FROM proof") {
        let sealed = values(
            connection,
            "SELECT f.signature, p.checksum, x.kind, x.body FROM proof x JOIN figure f ON f.id = x.figure_id
             JOIN piece_set p ON p.id = x.set_id WHERE x.figure_id = ?",
            id,
        );
        let sql = "UPDATE proof SET checksum = ? WHERE figure_id = ?";
        connection.execute(sql, (checksum(sealed), id)).unwrap();
    }
}
