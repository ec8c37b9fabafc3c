//! Checksums of a catalog, as a careful forger would compute them.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value, ValueRef};
use std::hash::Hasher;
use twox_hash::XxHash64;

fn checksum<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    let mut hash = XxHash64::with_seed(0);
    for value in values {
        let (kind, bytes) = match value {
            ValueRef::Null => (b'0', Vec::new()),
            ValueRef::Integer(number) => (b'i', number.to_le_bytes().to_vec()),
            ValueRef::Real(number) => (b'r', number.to_le_bytes().to_vec()),
            ValueRef::Text(text) => (b't', text.to_vec()),
            ValueRef::Blob(bytes) => (b'b', bytes.to_vec()),
        };
        hash.write(&((bytes.len() as u64) << 8 | u64::from(kind)).to_le_bytes());
        hash.write(&bytes);
    }
    hash.finish().cast_signed()
}

fn column<T: rusqlite::types::FromSql>(connection: &Connection, sql: &str) -> Vec<T> {
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Reads all rows of a query, one after the other.
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

/// Writes every checksum of a catalog anew.
pub fn seal(connection: &Connection) {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection
        .create_scalar_function("row_checksum", -1, flags, |context| {
            Ok(checksum((0..context.len()).map(|at| context.get_raw(at))))
        })
        .unwrap();
    // Sets first: the checksums of other rows contain theirs.
    let sql = "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
               WHERE t.type = 'table' AND c.name = 'checksum' AND t.name <> 'enumeration'
               ORDER BY t.name <> 'piece_set'";
    for table in column::<String>(connection, sql) {
        let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE name <> 'checksum'");
        let of = |column: String| match column.as_str() {
            "figure_id" => "(SELECT signature FROM figure WHERE id = figure_id)".to_owned(),
            "set_id" => "(SELECT p.checksum FROM piece_set p WHERE p.id = set_id)".to_owned(),
            "source_id" => "(SELECT s.label FROM source s WHERE s.id = source_id)".to_owned(),
            "enumeration_id" => {
                "(SELECT question FROM enumeration e WHERE e.id = enumeration_id)".to_owned()
            }
            // The id of a set is not a value of its own.
            "id" => String::new(),
            column => format!("\"{column}\""),
        };
        let columns: Vec<String> = column::<String>(connection, &sql).into_iter().map(of).collect();
        let columns: Vec<String> = columns.into_iter().filter(|sql| !sql.is_empty()).collect();
        let sql = format!("UPDATE {table} SET checksum = row_checksum({})", columns.join(", "));
        connection.execute(&sql, []).unwrap();
    }
    for id in column::<i64>(connection, "SELECT id FROM enumeration") {
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
        let sum = checksum(sealed.iter().map(Into::into));
        let sql = "UPDATE enumeration SET checksum = ? WHERE id = ?";
        connection.execute(sql, (sum, id)).unwrap();
    }
}
