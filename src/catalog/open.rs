//! Opening a catalog: whose file it is, which version, and bringing it up to date.

use super::lock::WriterLock;
use super::migrate::{MIGRATIONS, bring_up_to_date};
use super::publish::{CopyError, beside};
use crate::pieces::ParseSetError;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// "SOMA" in the file's header, so that `file` names it and other databases are left alone.
pub(super) const APPLICATION_ID: i32 = 0x534F_4D41;

/// The schema this program writes.
pub const SCHEMA_VERSION: i64 = 1;

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
    /// An empty file or a database without tables, and the command only reads.
    #[error("{0} is empty, no catalog yet; `somacat run` or `somacat import FILE` fills it")]
    Empty(PathBuf),
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
         `somacat catalog migrate` brings it up to date and keeps a copy of it as it is"
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
    },
    /// Another program writes to it.
    #[error(
        "another program is writing to catalog {0}; `somacat status` shows how far it is. Wait \
         until it is done, or choose another file with --db"
    )]
    InUse(PathBuf),
    /// The file was removed or replaced while it was open.
    #[error(
        "catalog {0} was removed or replaced while it was written; what had been written to it is \
         lost, and nothing more is written. Run the same command again"
    )]
    Gone(PathBuf),
    /// A run that was killed left its last rows in a file of its own, which cannot be merged here.
    #[error(
        "catalog {0} was left by a run that did not come to its end, and its folder cannot be \
         written; any command may read it once `somacat catalog check` has run where the folder \
         can be written"
    )]
    Unmerged(PathBuf),
    /// A catalog by its header, but of no version.
    #[error(
        "catalog {0} has no schema version: its header is damaged; `somacat catalog check` says \
         what can be saved"
    )]
    Unversioned(PathBuf),
    /// The migration failed; the file is as it was.
    #[error(
        "catalog cannot be brought up to date and is as it was{}",
        .backup.as_ref().map(|path| format!("; a copy is in {}", path.display())).unwrap_or_default()
    )]
    Migration {
        /// The copy that was made before.
        backup: Option<PathBuf>,
        /// What went wrong.
        source: rusqlite_migration::Error,
    },
    /// An older catalog is not touched without a copy of it.
    #[error(
        "the copy of the older catalog, {path}, cannot be made, so it is not brought up to date"
    )]
    Backup {
        /// The copy.
        path: PathBuf,
        /// What went wrong.
        source: CopyError,
    },
    /// The file beside the catalog that keeps other writers out cannot be made.
    #[error("catalog {path} cannot be written")]
    Lock {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// SQLite reports something else.
    #[error("catalog {path}")]
    Open {
        /// The file.
        path: PathBuf,
        /// SQLite's report.
        source: rusqlite::Error,
    },
    /// The disk is full, the file may not grow, or the disk fails.
    #[error(
        "the catalog cannot be written any further (a full disk, a limit on the size of files, or a \
         failing disk); what was kept up to then is safe. Make room and run the same command again"
    )]
    NoRoom(#[source] rusqlite::Error),
    /// SQLite reports something while a statement runs.
    #[error("catalog")]
    Sql(#[source] rusqlite::Error),
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

impl From<rusqlite::Error> for CatalogError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Self::NoRoom(error),
            _ => Self::Sql(error),
        }
    }
}

/// An open catalog.
#[derive(Debug)]
pub struct Catalog {
    pub(super) connection: Connection,
    path: PathBuf,
    /// Held while writing.
    lock: Option<WriterLock>,
    /// What tells the file from another of the same name.
    identity: Option<FileIdentity>,
    /// The copy that was made of an older catalog when it was opened.
    pub(super) backup: Option<PathBuf>,
}

/// Device and number of a file, where the system has them.
type FileIdentity = (u64, u64);

#[cfg(unix)]
fn identity_of(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity_of(_: &Path) -> Option<FileIdentity> {
    None
}

/// How long a statement waits for another program's transaction to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// So often, so far apart, the end of a writer looks whether readers are through.
const GLANCES: u32 = 20;
const GLANCE: Duration = Duration::from_millis(50);

/// Pages of random access, the index of signatures above all, that are kept in memory: 256 MiB.
const CACHE_KIB: i64 = 256 * 1024;

/// Pages of the write-ahead log before they are moved to the database: 64 MiB. Moved late, a page
/// that changes in many transactions is written to the database once.
const LOG_PAGES: i64 = 16 * 1024;

impl Catalog {
    /// Opens a catalog for writing; makes it if there is none. One program at a time may.
    ///
    /// # Errors
    /// If the file cannot be opened, is no catalog, is newer than this program, or another program
    /// is writing to it.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let failed = |source| CatalogError::Open { path: path.to_owned(), source };
        let unlocked = |source| CatalogError::Lock { path: path.to_owned(), source };
        if path.is_dir() {
            return Err(CatalogError::Foreign(path.to_owned()));
        }
        let lock = WriterLock::take(path).map_err(unlocked)?;
        let lock = lock.ok_or_else(|| CatalogError::InUse(path.to_owned()))?;
        let flags = OpenFlags::default();
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        let version = check(&connection, path)?;
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        connection.set_prepared_statement_cache_capacity(64);
        for (pragma, value) in [
            ("journal_mode", Value::Text("WAL".to_owned())),
            ("synchronous", Value::Text("NORMAL".to_owned())),
            ("foreign_keys", Value::Integer(1)),
            ("cache_size", Value::Integer(-CACHE_KIB)),
            ("wal_autocheckpoint", Value::Integer(LOG_PAGES)),
        ] {
            connection.pragma_update(None, pragma, value).map_err(failed)?;
        }
        let backup = match version < SCHEMA_VERSION {
            true => bring_up_to_date(&mut connection, path, version, &MIGRATIONS)?,
            false => None,
        };
        let identity = identity_of(path);
        Ok(Self { connection, path: path.to_owned(), lock: Some(lock), identity, backup })
    }

    /// Opens an existing catalog for reading only.
    ///
    /// # Errors
    /// If there is none, it cannot be opened, is no catalog, or is of another version.
    pub fn open_read_only(path: &Path) -> Result<Self, CatalogError> {
        if !path.exists() {
            return Err(CatalogError::Missing(path.to_owned()));
        }
        if path.is_dir() {
            return Err(CatalogError::Foreign(path.to_owned()));
        }
        let failed = |source| CatalogError::Open { path: path.to_owned(), source };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        let version = check(&connection, path)?;
        if version == 0 {
            return Err(CatalogError::Empty(path.to_owned()));
        }
        if version < SCHEMA_VERSION {
            return Err(CatalogError::Older { path: path.to_owned(), found: version });
        }
        let identity = identity_of(path);
        Ok(Self { connection, path: path.to_owned(), lock: None, identity, backup: None })
    }

    /// Begins to write, unless the file is not there any more: on most systems a program may write
    /// on for hours to a file that somebody removed.
    pub(super) fn transaction(&mut self) -> Result<Transaction<'_>, CatalogError> {
        if identity_of(&self.path) != self.identity {
            return Err(CatalogError::Gone(self.path.clone()));
        }
        Ok(self.connection.transaction()?)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Catalog {
    /// A catalog that was written is left as one plain file, without a log beside it, so that it
    /// can be copied, and read from a folder that cannot be written. If somebody reads it for longer
    /// than a moment that is left to the next writer; the log is then part of the catalog.
    fn drop(&mut self) {
        if self.lock.is_none() {
            return;
        }
        let _ = self.connection.busy_timeout(Duration::ZERO);
        for _ in 0..GLANCES {
            if self.connection.pragma_update(None, "journal_mode", "DELETE").is_ok() {
                return;
            }
            std::thread::sleep(GLANCE);
        }
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
    let (application, version, tables) =
        read().map_err(|source| match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => CatalogError::Foreign(path.to_owned()),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if log_of(path).exists() => {
                CatalogError::Unmerged(path.to_owned())
            }
            _ => CatalogError::Open { path: path.to_owned(), source },
        })?;
    if application == i64::from(APPLICATION_ID) {
        if version > SCHEMA_VERSION {
            return Err(CatalogError::Newer { path: path.to_owned(), found: version });
        }
        if version < 1 && tables > 0 {
            return Err(CatalogError::Unversioned(path.to_owned()));
        }
        Ok(version)
    } else if application == 0 && tables == 0 {
        Ok(0)
    } else {
        Err(CatalogError::Foreign(path.to_owned()))
    }
}

/// The write-ahead log of a database.
fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}
