//! The schema of a catalog and its version.

use super::codes;
use super::collect::collect_rows;
use rusqlite::{Connection, params};
use somacat_formats::shell_command;
use somacat_geometry::symmetry::Class;
use std::path::Path;

/// "SOMA" in the file's header: `file` names it, and the program refuses other databases.
pub(super) const APPLICATION_ID: i32 = 0x534F_4D41;

/// The schema version of this program's catalogs. Versions 1 to 9 were never released.
pub const SCHEMA_VERSION: i64 = 11;

const SCHEMA: &str = include_str!("schema.sql");

/// The table of digests, present only in published copies.
pub(super) const DIGESTS: &str = "digest";

/// Tables about this machine: paths, runs, times. A published copy has them empty.
pub(super) const LOCAL_TABLES: [&str; 3] = ["place", "run", "timing"];

/// Creates the tables and views of a catalog in one transaction. The database must be empty.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    codes::fill(&transaction)?;
    fill_classes(&transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()
}

pub(super) fn create_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    create(&mut connection)?;
    Ok(connection)
}

pub(super) fn version_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Finds the tables, views, triggers and unique indexes of other programs. Returns each with its kind and name. They
/// may change or refuse the data that somacat writes. Other indexes and SQLite's statistics cannot.
pub(super) fn foreign_objects(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let sql = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'
               AND (type <> 'index' OR sql LIKE 'CREATE UNIQUE%') ORDER BY name";
    let mut found: Vec<(String, String)> =
        collect_rows(connection, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    found.retain(|(kind, name)| {
        name != DIGESTS && !SCHEMA.contains(&format!("CREATE {} {name} ", kind.to_uppercase()))
    });
    Ok(found)
}

/// Returns the command that removes an object of another program.
pub(super) fn removal(path: &Path, kind: &str, name: &str) -> String {
    let statement = format!("DROP {} \"{}\"", kind.to_uppercase(), name.replace('"', "\"\""));
    shell_command("sqlite3", [path.display().to_string(), statement])
}

/// Removes comments, whitespace and quotes from an SQL definition, for comparison.
pub(super) fn without_comments(sql: &str) -> String {
    let code = sql.lines().filter_map(|line| line.split("--").next());
    code.flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != '"').collect()
}

/// Fills the table of the 33 classes, which the views need.
fn fill_classes(transaction: &Connection) -> rusqlite::Result<()> {
    for (id, class) in Class::iter().enumerate() {
        let groups = class.groups();
        let orders: Vec<String> = groups[0].cyclic_orders().iter().map(usize::to_string).collect();
        transaction.execute(
            "INSERT INTO symmetry_class VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id,
                class.name(),
                class.schoenflies(),
                class.allen().map(String::from),
                class.order(),
                groups[0].rotation_order(),
                format!(" {} ", orders.join(" ")),
                groups.len(),
                class.description(),
            ],
        )?;
    }
    Ok(())
}
