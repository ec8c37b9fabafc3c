//! Checksums of rows. They reveal an edited value and a row under another figure.
//!
//! A checksum covers every value of its row. In place of an id, which a damaged page may give to another row, it
//! covers the signature, set, source or question with this id.

use super::EnumerationId;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, params};
use std::hash::Hasher;
use twox_hash::XxHash64;

/// A table whose last column is the checksum of the others.
pub(super) struct Sealed {
    pub(super) table: &'static str,
    /// The columns before the checksum, in the order of the table.
    columns: &'static str,
}

pub(super) const SETS: Sealed = Sealed { table: "piece_set", columns: "name definition" };
pub(super) const NAMES: Sealed = Sealed {
    table: "name",
    columns: "source_id ordinal one_sided figure_id label variant line title commented_out transform set_id \
        credit packing note",
};
pub(super) const FAULTS: Sealed =
    Sealed { table: "fault", columns: "source_id ordinal line label refused kind message" };
pub(super) const OUTCOMES: Sealed = Sealed {
    table: "outcome",
    columns: "figure_id set_id verdict_id reason_id error raw rotation unique nodes engine_id",
};
pub(super) const STRUCTURES: Sealed = Sealed {
    table: "structure",
    columns: "figure_id set_id map_components map_solitary solid_stands friction set_up stand by_hand",
};
pub(super) const PROOFS: Sealed = Sealed { table: "proof", columns: "figure_id set_id kind body" };
pub(super) const MEMBERS: Sealed =
    Sealed { table: "enumerated", columns: "enumeration_id figure_id" };
pub(super) const PUBLISHED: Sealed =
    Sealed { table: "published_count", columns: "figure_id set_id kind source value" };

/// Every table with checksums. Rows refer only to earlier tables.
pub(super) static ALL: [Sealed; 8] =
    [SETS, NAMES, FAULTS, OUTCOMES, STRUCTURES, PROOFS, MEMBERS, PUBLISHED];

impl Sealed {
    fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.split(' ')
    }

    /// Returns the checksum of a row as SQL. `value` gives the SQL of a column by its position and name.
    fn sum(&self, value: impl Fn(usize, &str) -> String) -> String {
        let values: Vec<String> = self
            .columns()
            .enumerate()
            .map(|(at, column)| {
                let value = value(at, column);
                let of = |what, table| format!("(SELECT {what} FROM {table} WHERE id = {value})");
                match column {
                    "figure_id" => of("signature", "figure"),
                    "set_id" => of("checksum", "piece_set"),
                    "source_id" => of("label", "source"),
                    "enumeration_id" => of("question", "enumeration"),
                    _ => value,
                }
            })
            .collect();
        format!("row_checksum({})", values.join(", "))
    }

    /// Returns the checksum of a row given as parameters. They are in the order of the table.
    pub(super) fn of_parameters(&self) -> String {
        self.sum(|at, _| format!("?{}", at + 1))
    }

    /// Returns the checksum of a stored row. The row may also come from a subquery with the name and columns of the
    /// table.
    pub(super) fn of_columns(&self) -> String {
        self.of_columns_without(&[])
    }

    /// Returns the checksum of a stored row with the given columns cleared.
    pub(super) fn of_columns_without(&self, cleared: &[&str]) -> String {
        self.sum(|_, column| match cleared.contains(&column) {
            true => "NULL".to_owned(),
            false => format!("{}.\"{column}\"", self.table),
        })
    }

    pub(super) fn of_table(table: &str) -> Option<&'static Self> {
        ALL.iter().find(|sealed| sealed.table == table)
    }

    /// Returns a query whether a row matches its checksum. Its parameters are the row's values of `columns`; others
    /// are missing, and null.
    pub(super) fn matches(&self, columns: &[String]) -> String {
        let value = |name: &str| match columns.iter().position(|column| column == name) {
            Some(at) => format!("?{} AS \"{name}\"", at + 1),
            None => format!("NULL AS \"{name}\""),
        };
        let values: Vec<String> = self.columns().chain(["checksum"]).map(value).collect();
        let (row, table, sum) = (values.join(", "), self.table, self.of_columns());
        format!("SELECT {table}.checksum IS {sum} FROM (SELECT {row}) AS {table}")
    }

    /// Renews the checksums of the rows that match an SQL condition.
    pub(super) fn renew(
        &self,
        connection: &Connection,
        condition: &str,
        parameters: impl Params,
    ) -> rusqlite::Result<usize> {
        let sum = self.of_columns();
        let sql = format!("UPDATE {} SET checksum = {sum} WHERE {condition}", self.table);
        connection.prepare_cached(&sql)?.execute(parameters)
    }

    /// Calls `report` for each row with a wrong checksum. It gets the signature or name that the row is about.
    pub(super) fn for_each_damaged(
        &self,
        connection: &Connection,
        mut report: impl FnMut(String),
    ) -> rusqlite::Result<()> {
        let table = self.table;
        let what = match self.columns().next() {
            Some("source_id") => {
                "(SELECT label FROM source WHERE id = source_id) || ', entry ' || (ordinal + 1)"
            }
            Some("name") => "name",
            _ => "(SELECT signature FROM figure WHERE id = figure_id)",
        };
        let sql = format!(
            "SELECT COALESCE({what}, '') FROM {table} WHERE checksum IS NOT {}",
            self.of_columns()
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            report(String::from_utf8_lossy(row.get_ref(0)?.as_bytes()?).into_owned());
        }
        Ok(())
    }
}

pub(super) fn add_checksum_function(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_checksum", -1, flags, |context| {
        Ok(row_checksum((0..context.len()).map(|at| context.get_raw(at))))
    })
}

/// Computes the checksum of a row. In place of ids, `values` has the values that [`Sealed::sum`] looks up.
pub(super) fn row_checksum<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let mut hash = XxHash64::with_seed(0);
    values.into_iter().for_each(|value| feed(value, |bytes| hash.write(bytes)));
    hash.finish().cast_signed()
}

/// Feeds a value to a hash, with its kind and length. Different rows therefore feed different bytes.
pub(super) fn feed(value: ValueRef<'_>, mut hash: impl FnMut(&[u8])) {
    let mut put = |kind: u8, bytes: &[u8]| {
        hash(&((bytes.len() as u64) << 8 | u64::from(kind)).to_le_bytes());
        hash(bytes);
    };
    match value {
        ValueRef::Null => put(b'0', &[]),
        ValueRef::Integer(value) => put(b'i', &value.to_le_bytes()),
        ValueRef::Real(value) => put(b'r', &value.to_le_bytes()),
        ValueRef::Text(text) => put(b't', text),
        ValueRef::Blob(bytes) => put(b'b', bytes),
    }
}

/// Renews the stored checksum of an enumeration.
pub(super) fn seal(connection: &Connection, enumeration: EnumerationId) -> rusqlite::Result<()> {
    let sum = checksum(connection, enumeration)?;
    connection
        .prepare_cached("UPDATE enumeration SET checksum = ? WHERE id = ?")?
        .execute(params![sum, enumeration])
        .map(|_| ())
}

/// Computes the checksum of an enumeration's question, position and totals.
pub(super) fn checksum(
    connection: &Connection,
    enumeration: EnumerationId,
) -> rusqlite::Result<i64> {
    let mut hash = XxHash64::with_seed(0);
    for sql in [
        "SELECT e.question, e.label, p.definition, e.keep, e.limited, e.shard, e.listed, e.complete
         FROM enumeration e JOIN piece_set p ON p.id = e.set_id WHERE e.id = ?",
        "SELECT class_id, verdict_id, reason_id, figures FROM enumeration_total
         WHERE enumeration_id = ? ORDER BY class_id, verdict_id, reason_id",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([enumeration])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                feed(row.get_ref(column)?, |bytes| hash.write(bytes));
            }
        }
    }
    Ok(hash.finish().cast_signed())
}
