//! Digests of a published copy's tables, to show that it is unchanged.
//!
//! The digest is SHA-256, so that an author can publish it and a forged copy is detected. It covers values, neither
//! bytes of the file nor ids: it stays the same when SQLite rewrites the pages, and when rows arrive in another order.

use crate::checksum::feed;
use crate::collect::collect_rows;
use crate::schema::{DIGESTS, LOCAL_TABLES};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// The published tables: results, the requests that made them, and the words that rows share. Of those that depend on the
/// machine, the digests say that they are empty.
const TABLES: [&str; 20] = [
    "symmetry_class",
    "verdict",
    "reason",
    "engine",
    "figure",
    "source",
    "name",
    "fault",
    "piece_set",
    "outcome",
    "enumeration",
    "enumerated",
    "enumeration_total",
    "published_count",
    "structure",
    "proof",
    "request",
    LOCAL_TABLES[0],
    LOCAL_TABLES[1],
    LOCAL_TABLES[2],
];

/// Stores the digest of every table in a copy. Returns the digest of these digests in hexadecimal.
pub(super) fn seal(copy: &Connection) -> rusqlite::Result<String> {
    copy.execute_batch(
        "DROP TABLE IF EXISTS digest;
         CREATE TABLE digest (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID",
    )?;
    let mut whole = Sha256::new();
    for table in TABLES {
        let sum = of_table(copy, table)?;
        whole.update(&sum);
        copy.execute("INSERT INTO digest VALUES (?, ?)", params![table, sum])?;
    }
    Ok(hexadecimal(whole))
}

/// Returns whether a catalog has digests: whether it is a published copy.
pub(super) fn is_sealed(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = ?";
    Ok(connection.query_row(sql, [DIGESTS], |row| row.get::<_, i64>(0))? > 0)
}

/// Returns the tables of a published copy whose rows have changed. Returns none for a catalog without digests.
pub(super) fn changed(connection: &Connection) -> rusqlite::Result<Vec<&'static str>> {
    if !is_sealed(connection)? {
        return Ok(Vec::new());
    }
    let mut changed = Vec::new();
    for table in TABLES {
        let stored: Option<String> = connection
            .query_row("SELECT sha256 FROM digest WHERE name = ?", [table], |row| row.get(0))
            .optional()?;
        if stored.as_ref() != Some(&of_table(connection, table)?) {
            changed.push(table);
        }
    }
    Ok(changed)
}

/// Tables whose ids are in the order of arrival.
const ARRIVALS: [&str; 5] = ["figure", "source", "piece_set", "enumeration", "request"];

/// Computes the digest of a table's rows in key order. Values replace the ids of [`ARRIVALS`].
fn of_table(connection: &Connection, table: &str) -> rusqlite::Result<String> {
    let sql = "SELECT name, pk > 0 FROM pragma_table_info(?)";
    let columns: Vec<(String, bool)> =
        collect_rows(connection, sql, [table], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (mut values, mut key) = (Vec::new(), Vec::new());
    for (column, in_key) in &columns {
        let of = |what, table| {
            format!("(SELECT {what} FROM {table} r WHERE r.id = t.{column}) AS {column}")
        };
        values.push(match column.as_str() {
            "id" if ARRIVALS.contains(&table) => continue,
            // Whether a source had another content before changes nothing but numbers.
            "changed" => continue,
            "figure_id" => of("signature", "figure"),
            "source_id" => of("label", "source"),
            "set_id" => of("name", "piece_set"),
            "enumeration_id" => of(
                "question || ', ' || keep || ', ' || limited || ', ' ||
                    (SELECT name FROM piece_set s WHERE s.id = r.set_id)",
                "enumeration",
            ),
            _ => format!("t.\"{column}\""),
        });
        if *in_key {
            key.push(values.len().to_string());
        }
    }
    if key.is_empty() {
        key.extend((1..=values.len()).map(|at| at.to_string()));
    }
    let (values, key) = (values.join(", "), key.join(", "));
    let mut statement =
        connection.prepare(&format!("SELECT {values} FROM {table} t ORDER BY {key}"))?;
    let mut digest = Sha256::new();
    for name in statement.column_names() {
        feed(ValueRef::Text(name.as_bytes()), |bytes| digest.update(bytes));
    }
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            feed(row.get_ref(column)?, |bytes| digest.update(bytes));
        }
    }
    Ok(hexadecimal(digest))
}

/// Reads to the end. Returns the SHA-256 in hexadecimal digits, and the length.
pub fn sha256_of(input: &mut dyn Read) -> io::Result<(String, u64)> {
    let (mut hash, mut length, mut bytes) = (Sha256::new(), 0, vec![0; 1 << 14]);
    loop {
        match input.read(&mut bytes) {
            Ok(0) => return Ok((hexadecimal(hash), length)),
            Ok(read) => {
                hash.update(&bytes[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

pub fn hexadecimal(digest: Sha256) -> String {
    let digits = digest.finalize().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    // A text that grows is copied four times.
    let mut text = String::with_capacity(64);
    text.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
    text
}
