//! Opening a catalog: whose file it is, which version, and bringing it up to date.

use super::CatalogError;
use super::lock::WriterLock;
use super::maintain::{MIGRATIONS, beside, bring_up_to_date};
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// "SOMA" in the file's header, so that `file` names it and other databases are left alone.
pub(super) const APPLICATION_ID: i32 = 0x534F_4D41;

/// The schema this program writes.
pub const SCHEMA_VERSION: i64 = 2;

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

/// Retries, and their interval, while readers finish at the end of a writer.
const CLOSE_RETRIES: u32 = 20;
const CLOSE_INTERVAL: Duration = Duration::from_millis(50);

/// Pages of random access, the index of signatures above all, that are kept in memory: 256 MiB.
const CACHE_KIB: i64 = 256 * 1024;

/// Pages of the write-ahead log before they are moved to the database: 64 MiB. Moved late, a page
/// that changes in many transactions is written to the database once.
const LOG_PAGES: i64 = 16 * 1024;

impl Catalog {
    /// Opens a catalog for writing; makes it if there is none. One program at a time may.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a catalog, is newer than this program, or another program
    /// is writing to it.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let failed = |source| CatalogError::sql(path, "open it", source);
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
            ("cache_size", Value::Integer(-CACHE_KIB)),
            ("wal_autocheckpoint", Value::Integer(LOG_PAGES)),
            // A step of the schema may build a table anew that others refer to.
            ("foreign_keys", Value::Integer(0)),
        ] {
            connection.pragma_update(None, pragma, value).map_err(failed)?;
        }
        let backup = match version < SCHEMA_VERSION {
            true => bring_up_to_date(&mut connection, path, version, &MIGRATIONS)?,
            false => None,
        };
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        let identity = identity_of(path);
        Ok(Self { connection, path: path.to_owned(), lock: Some(lock), identity, backup })
    }

    /// Opens an existing catalog for reading only.
    ///
    /// # Errors
    /// If there is none, it cannot be opened, is not a catalog, or is of another version.
    pub fn open_read_only(path: &Path) -> Result<Self, CatalogError> {
        if !path.exists() {
            return Err(CatalogError::Missing(path.to_owned()));
        }
        if path.is_dir() {
            return Err(CatalogError::Foreign(path.to_owned()));
        }
        let failed = |source| CatalogError::sql(path, "open it", source);
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

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What SQLite says of a task, which follows "cannot".
    pub(super) fn failed(
        &self,
        task: &'static str,
    ) -> impl Fn(rusqlite::Error) -> CatalogError + '_ {
        move |source| CatalogError::sql(&self.path, task, source)
    }

    /// Reads; `task` follows "cannot" in an error.
    pub(super) fn read<T>(
        &self,
        task: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        work(&self.connection).map_err(self.failed(task))
    }

    /// Reads with several statements that all see the catalog as it is now, whatever is written
    /// meanwhile.
    pub(super) fn snapshot<T, E: From<CatalogError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // A writing connection is the only one that writes; within a snapshot there is one already.
        if self.lock.is_some() || !self.connection.is_autocommit() {
            return work();
        }
        let transaction =
            self.connection.unchecked_transaction().map_err(self.failed("begin to read"))?;
        let result = work()?;
        transaction.finish().map_err(self.failed("end reading"))?;
        Ok(result)
    }

    /// Writes, as a whole or not at all, unless the file is not there any more: on most systems a
    /// program may write on for hours to a file that somebody removed.
    pub(super) fn write<T>(
        &mut self,
        task: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        if identity_of(&self.path) != self.identity {
            return Err(CatalogError::Gone(self.path.clone()));
        }
        let path = &self.path;
        let written = self.connection.transaction().and_then(|transaction| {
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        });
        written.map_err(|source| CatalogError::sql(path, task, source))
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
        for _ in 0..CLOSE_RETRIES {
            if self.connection.pragma_update(None, "journal_mode", "DELETE").is_ok() {
                return;
            }
            std::thread::sleep(CLOSE_INTERVAL);
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
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if beside(path, "-wal").exists() => {
                CatalogError::Unmerged(path.to_owned())
            }
            _ => CatalogError::sql(path, "read its header", source),
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
