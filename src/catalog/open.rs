//! Opening a catalog: whose file it is, which version, and bringing it up to date.

use crate::pieces::ParseSetError;
use crate::symmetry::Class;
use rusqlite::{Connection, OpenFlags, Transaction, params};
use rusqlite_migration::{M, Migrations};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// "SOMA" in the file's header, so that `file` names it and other databases are left alone.
const APPLICATION_ID: i32 = 0x534F_4D41;

/// The schema this program writes.
pub const SCHEMA_VERSION: i64 = 1;

/// Each step is one transaction: the file is at one version or the other.
static MIGRATIONS: LazyLock<Migrations<'static>> = LazyLock::new(|| {
    Migrations::new(vec![M::up_with_hook(
        include_str!("schema/0001.sql"),
        |transaction: &Transaction<'_>| Ok(fill_classes(transaction)?),
    )])
});

/// What can go wrong with a catalog.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// There is no such file, and the command only reads.
    #[error("there is no catalog {0}; `somacat run` or `somacat import FILE` makes one")]
    Missing(PathBuf),
    /// A file of another program, or no database at all.
    #[error("{0} is not a somacat catalog; choose another file with --db")]
    Foreign(PathBuf),
    /// Written by a newer somacat.
    #[error(
        "catalog {path} has schema version {found}, this somacat reads up to {SCHEMA_VERSION}; \
         use a newer somacat"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
    },
    /// An older catalog that a reading command does not change.
    #[error(
        "catalog {path} has schema version {found}, this somacat reads {SCHEMA_VERSION}; \
         any writing command, such as `somacat run`, brings it up to date"
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
    },
    /// The migration failed; the file is as it was.
    #[error("catalog cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// SQLite reports something else.
    #[error("catalog {path}: {source}")]
    Open {
        /// The file.
        path: PathBuf,
        /// SQLite's report.
        source: rusqlite::Error,
    },
    /// SQLite reports something while a statement runs.
    #[error("catalog: {0}")]
    Sql(#[from] rusqlite::Error),
    /// A piece set's name with other pieces than before.
    #[error(
        "the catalog knows other pieces under the name `{0}`; rename the set's file, or start a \
         catalog of its own with --db"
    )]
    SetChanged(String),
    /// The definition of a piece set in the catalog is damaged.
    #[error("piece set {name} in the catalog: {error}")]
    SetUnreadable {
        /// Its name.
        name: String,
        /// What is wrong.
        error: ParseSetError,
    },
    /// The `--sql` given by the user is not one reading statement.
    #[error("--sql takes one reading statement: {0}")]
    NotReadOnly(String),
}

/// An open catalog.
#[derive(Debug)]
pub struct Catalog {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl Catalog {
    /// Opens a catalog for writing; makes it if there is none.
    ///
    /// # Errors
    /// If the file cannot be opened, is no catalog, or is newer than this program.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let failed = |source| CatalogError::Open { path: path.to_owned(), source };
        let flags = OpenFlags::default();
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(failed)?;
        let version = check(&connection, path)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        if version < SCHEMA_VERSION {
            MIGRATIONS.to_latest(&mut connection)?;
        }
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Opens an existing catalog for reading only.
    ///
    /// # Errors
    /// If there is none, it cannot be opened, is no catalog, or is of another version.
    pub fn open_read_only(path: &Path) -> Result<Self, CatalogError> {
        if !path.exists() {
            return Err(CatalogError::Missing(path.to_owned()));
        }
        let failed = |source| CatalogError::Open { path: path.to_owned(), source };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(failed)?;
        let version = check(&connection, path)?;
        if version == 0 {
            return Err(CatalogError::Foreign(path.to_owned()));
        }
        if version < SCHEMA_VERSION {
            return Err(CatalogError::Older { path: path.to_owned(), found: version });
        }
        Ok(Self { connection, path: path.to_owned() })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The schema version, 0 for an empty database; refuses other programs' and newer files.
fn check(connection: &Connection, path: &Path) -> Result<i64, CatalogError> {
    let number = |pragma: &str| -> rusqlite::Result<i64> {
        connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
    };
    let read = || -> rusqlite::Result<(i64, i64, i64)> {
        let tables =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok((number("application_id")?, number("user_version")?, tables))
    };
    let (application, version, tables) = read().map_err(|source| {
        if source.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
            CatalogError::Foreign(path.to_owned())
        } else {
            CatalogError::Open { path: path.to_owned(), source }
        }
    })?;
    if application == i64::from(APPLICATION_ID) {
        if version > SCHEMA_VERSION {
            return Err(CatalogError::Newer { path: path.to_owned(), found: version });
        }
        Ok(version)
    } else if application == 0 && tables == 0 {
        Ok(0)
    } else {
        Err(CatalogError::Foreign(path.to_owned()))
    }
}

/// The 33 classes, which the program knows and the views need.
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
