//! Migration of older catalogs: each step is one transaction, after a backup.

use super::questions;
use crate::{CatalogError, words};
use rusqlite::{Connection, Transaction, params};
use rusqlite_migration::{M, Migrations};
use somacat_geometry::symmetry::Class;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Step n leads from schema version n - 1 to n.
pub(crate) static MIGRATIONS: LazyLock<Migrations<'static>> =
    LazyLock::new(|| Migrations::new(steps()));

fn steps() -> Vec<M<'static>> {
    let first = |transaction: &Transaction<'_>| {
        words::fill(transaction)?;
        Ok(fill_classes(transaction)?)
    };
    let second = |transaction: &Transaction<'_>| Ok(questions::restate(transaction)?);
    vec![
        M::up_with_hook(include_str!("../schema/0001.sql"), first),
        // Rebuilds tables, so references are checked only at the end.
        M::up_with_hook(include_str!("../schema/0002.sql"), second).foreign_key_check(),
        M::up(include_str!("../schema/0003.sql")),
    ]
}

/// Migrates a database to the last version of `migrations`. Copies an older catalog first, and returns the path of
/// that copy.
///
/// # Errors
/// If the copy cannot be written or a step fails. A failed step leaves the file unchanged.
pub(crate) fn bring_up_to_date(
    connection: &mut Connection,
    path: &Path,
    version: i64,
    migrations: &Migrations<'_>,
) -> Result<Option<PathBuf>, CatalogError> {
    if version == 0 {
        let failed = |source: rusqlite_migration::Error| CatalogError::Creation {
            path: path.to_owned(),
            source: source.into(),
        };
        migrations.to_latest(connection).map_err(failed)?;
        return Ok(None);
    }
    let backup = back_up(connection, path, version)?;
    match migrations.to_latest(connection) {
        Ok(()) => Ok(Some(backup)),
        Err(source) => Err(migration(Some(backup), source)),
    }
}

fn migration(backup: Option<PathBuf>, source: rusqlite_migration::Error) -> CatalogError {
    CatalogError::Migration { backup, source: source.into() }
}

/// Copies a catalog to `somacat.db.v1-backup` next to it; the copy appears whole. Never overwrites an earlier copy:
/// the next one is called `somacat.db.v1-backup-2`.
fn back_up(connection: &Connection, path: &Path, version: i64) -> Result<PathBuf, CatalogError> {
    let named = |more: String| {
        let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
        name.push(more);
        path.with_file_name(name)
    };
    let mut backup = named(format!(".v{version}-backup"));
    let mut number = 2;
    while backup.exists() {
        backup = named(format!(".v{version}-backup-{number}"));
        number += 1;
    }
    let failed = |source| CatalogError::Backup { path: backup.clone(), source };
    super::publish::copy_whole(connection, &backup, |_| Ok(())).map_err(failed)?;
    Ok(backup)
}

/// Fills the table of the 33 classes, which the views need.
fn fill_classes(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for (id, class) in Class::all().enumerate() {
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

/// Creates a new catalog in memory, for comparison.
pub(super) fn in_memory() -> Result<Connection, CatalogError> {
    let path = Path::new(":memory:");
    let mut connection = Connection::open_in_memory()
        .map_err(|source| CatalogError::sql(path, "create an empty one", source))?;
    MIGRATIONS.to_latest(&mut connection).map_err(|source| migration(None, source))?;
    Ok(connection)
}

/// Creates an empty catalog of a schema version.
pub(super) fn create(path: &Path, version: i64) -> Result<(), CatalogError> {
    let failed = |source| CatalogError::sql(path, "create it", source);
    let mut connection = Connection::open(path).map_err(failed)?;
    let version = usize::try_from(version).unwrap_or_default();
    MIGRATIONS.to_version(&mut connection, version).map_err(|source| migration(None, source))
}

/// Returns the schema version of a database.
pub(super) fn version_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // Tests may panic.
mod tests {
    use super::*;
    use crate::{Catalog, RunEnd, SCHEMA_VERSION, Session};
    use std::fs;
    use tempfile::TempDir;

    fn catalog(folder: &TempDir) -> PathBuf {
        let path = folder.path().join("somacat.db");
        let mut session = Session::begin(&path, "a test").unwrap();
        session.source("a file", None).unwrap();
        session.end(RunEnd::Finished).unwrap();
        path
    }

    fn sources(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM source", [], |row| row.get(0)).unwrap()
    }

    /// Adds a step, for which the current catalog is an older one.
    #[test]
    fn an_older_catalog_is_copied_and_brought_up_to_date() {
        let folder = TempDir::new().unwrap();
        let path = catalog(&folder);
        let mut more = steps();
        more.push(M::up("ALTER TABLE source ADD COLUMN kind TEXT; UPDATE source SET kind = 'x'"));
        let newer = Migrations::new(more);
        let mut connection = Connection::open(&path).unwrap();
        let backup =
            bring_up_to_date(&mut connection, &path, SCHEMA_VERSION, &newer).unwrap().unwrap();
        assert_eq!(backup, folder.path().join(format!("somacat.db.v{SCHEMA_VERSION}-backup")));
        assert_eq!(version_of(&connection).unwrap(), SCHEMA_VERSION + 1);
        let kind: String =
            connection.query_row("SELECT kind FROM source", [], |row| row.get(0)).unwrap();
        assert_eq!(kind, "x");
        // The copy is a catalog of the old version, with its rows, and opens.
        assert_eq!(sources(&Catalog::open_read_only(&backup).unwrap().connection), 1);
        // This program, which is older now, does not change the file.
        drop(connection);
        let before = fs::read(&path).unwrap();
        for result in [Catalog::open(&path), Catalog::open_read_only(&path)] {
            assert!(
                matches!(result, Err(CatalogError::Newer { found, .. }) if found == SCHEMA_VERSION + 1)
            );
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_step_that_fails_leaves_the_catalog_and_a_backup() {
        let folder = TempDir::new().unwrap();
        let path = catalog(&folder);
        fs::write(folder.path().join(format!("somacat.db.v{SCHEMA_VERSION}-backup")), "kept")
            .unwrap();
        let mut more = steps();
        more.push(M::up("DELETE FROM source; INSERT INTO no_such_table VALUES (1)"));
        let mut connection = Connection::open(&path).unwrap();
        let failed =
            bring_up_to_date(&mut connection, &path, SCHEMA_VERSION, &Migrations::new(more));
        let Err(CatalogError::Migration { backup: Some(backup), .. }) = failed else {
            panic!("{failed:?}");
        };
        assert_eq!(backup, folder.path().join(format!("somacat.db.v{SCHEMA_VERSION}-backup-2")));
        assert_eq!(
            fs::read(folder.path().join(format!("somacat.db.v{SCHEMA_VERSION}-backup"))).unwrap(),
            b"kept"
        );
        assert_eq!(version_of(&connection).unwrap(), SCHEMA_VERSION);
        assert_eq!(sources(&connection), 1);
    }
}
