//! Opening a catalog: ownership, version and log recovery.

use super::CatalogError;
use super::checksum::add_checksum_function;
use super::collect::collect_rows;
use super::lock::{Watch, WriterLock};
use super::query::add_name_functions;
use super::schema::{APPLICATION_ID, SCHEMA_VERSION, create, foreign_objects, removal};
use super::temporary::with_suffix;
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row, TransactionBehavior};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Catalog {
    /// Closed before the fields below, which the locks require.
    pub(super) connection: Connection,
    path: PathBuf,
    /// Present while writing.
    lock: Option<WriterLock>,
    /// Lets readers detect a writer.
    pub(super) watch: Option<Watch>,
    /// When the transaction of [`Catalog::write_held`] began, if it is open, and its last task.
    held: Option<(Instant, &'static str)>,
    /// The log was merged into the file.
    merged: bool,
    /// Distinguishes the file from another of the same name.
    identity: Option<FileIdentity>,
}

/// Device and inode of a file, where the system has them.
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

/// Time for which a statement waits for another program's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Retries at the end of a writer, and their interval. Readers may finish meanwhile.
const CLOSE_RETRIES: u32 = 20;
const CLOSE_INTERVAL: Duration = Duration::from_millis(50);

/// Page cache of a writer, mostly for the index of signatures: 256 MiB.
const CACHE_KIB: i64 = 256 * 1024;

/// The time after which a held transaction is committed. Signatures are in random order, so each transaction writes most
/// pages of their index, to the log and again to the file. One of half a second would write a page for each row.
const HOLD_TIME: Duration = Duration::from_secs(5);

/// Page cache of a reader: 64 MiB. SQLite takes as much for each copy (`VACUUM INTO`) and each sort, and sorts more on
/// disk.
const READER_CACHE_KIB: i64 = 64 * 1024;

/// Pages of the write-ahead log before a checkpoint: 64 MiB. With a large log, a page that changes in many
/// transactions is written to the database once.
const LOG_PAGES: i64 = 16 * 1024;

const PAGE_BYTES: usize = 4096;

/// The part of a log with the first transaction, in bytes. This transaction creates the schema.
const LOG_START: u64 = 1 << 20;

impl Catalog {
    /// Opens a catalog for writing, and creates it if it is missing. Only one program at a time can write, under
    /// whatever name it opens the file.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a catalog, has another version, has several names, or is being written
    /// by another program.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let failed = |source| CatalogError::sql(path, "open it", source);
        let unlocked = |source| CatalogError::Lock { path: path.to_owned(), source };
        require_file_name(path)?;
        let lock = WriterLock::take(path).map_err(unlocked)?;
        let lock = lock.ok_or_else(|| CatalogError::InUse(path.to_owned()))?;
        let names = lock.names().map_err(unlocked)?;
        if names > 1 {
            return Err(CatalogError::SeveralNames { path: path.to_owned(), names });
        }
        refuse_foreign_log(path)?;
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
        // SQLite merges and deletes the log when it closes a catalog, even one that is refused.
        let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(keep_log, true).map_err(failed)?;
        let version = check(&connection, path)?;
        if let Some((kind, name)) = foreign_objects(&connection).map_err(failed)?.pop() {
            let removal = removal(path, &kind, &name);
            return Err(CatalogError::ForeignObject { path: path.to_owned(), kind, name, removal });
        }
        connection.set_db_config(keep_log, false).map_err(failed)?;
        // After a killed run, what this program cannot do at its end it refuses here, before any work.
        let mode =
            connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        if mode.map_err(failed)? == "wal" {
            merge_log(&connection).map_err(unmerged(path))?;
        }
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        connection.set_prepared_statement_cache_capacity(64);
        for (pragma, value) in [
            ("journal_mode", Value::Text("WAL".to_owned())),
            ("synchronous", Value::Text("NORMAL".to_owned())),
            ("cache_size", Value::Integer(-CACHE_KIB)),
            ("wal_autocheckpoint", Value::Integer(LOG_PAGES)),
            ("foreign_keys", Value::Integer(1)),
        ] {
            connection.pragma_update(None, pragma, value).map_err(failed)?;
        }
        if version == 0 {
            let failed = |source| CatalogError::Creation { path: path.to_owned(), source };
            create(&mut connection).map_err(failed)?;
        }
        add_name_functions(&connection).map_err(failed)?;
        add_checksum_function(&connection).map_err(failed)?;
        let identity = identity_of(path);
        let (path, lock) = (path.to_owned(), Some(lock));
        Ok(Self { connection, path, lock, watch: None, held: None, merged: false, identity })
    }

    /// Opens an existing catalog for reading. Recovers it first if a killed run left it unreadable.
    ///
    /// # Errors
    /// If the file is missing, cannot be opened, is not a catalog, or has another version.
    pub fn open_read_only(path: &Path) -> Result<Self, CatalogError> {
        require_file_name(path)?;
        if !path.exists() {
            return Err(CatalogError::Missing(path.to_owned()));
        }
        refuse_foreign_log(path)?;
        refuse_log_at_other_name(path)?;
        let watch = Watch::new(path);
        let failed = |source| CatalogError::sql(path, "open it", source);
        let open = || -> Result<(Connection, i64), CatalogError> {
            let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
            let version = check(&connection, path)?;
            connection.pragma_update(None, "cache_size", -READER_CACHE_KIB).map_err(failed)?;
            add_name_functions(&connection).map_err(failed)?;
            Ok((connection, version))
        };
        let (connection, version) = match open() {
            Err(CatalogError::Unmerged(_)) => {
                recover(path)?;
                open()?
            }
            other => other?,
        };
        if version == 0 {
            return Err(empty(path));
        }
        let (identity, path, watch) = (identity_of(path), path.to_owned(), Some(watch));
        Ok(Self { connection, path, lock: None, watch, held: None, merged: false, identity })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a function that interrupts the running statement from another thread. The statement then fails.
    pub fn interrupter(&self) -> impl Fn() + Send + Sync + use<> {
        let handle = self.connection.get_interrupt_handle();
        move || handle.interrupt()
    }

    /// Converts an SQLite error of a task; `task` follows "cannot".
    pub(super) fn failed(
        &self,
        task: &'static str,
    ) -> impl Fn(rusqlite::Error) -> CatalogError + '_ {
        move |source| CatalogError::sql(&self.path, task, source)
    }

    /// Runs a reading task; `task` follows "cannot" in an error.
    pub(super) fn read<T>(
        &self,
        task: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        work(&self.connection).map_err(self.failed(task))
    }

    /// Runs a query and collects its rows. `task` follows "cannot" in an error.
    pub(super) fn rows<T>(
        &self,
        task: &'static str,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, CatalogError> {
        self.read(task, |connection| collect_rows(connection, sql, parameters, read))
    }

    pub(super) fn number(&self, task: &'static str, sql: &str) -> Result<u64, CatalogError> {
        self.read(task, |connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Runs `work` in one snapshot: all its statements see the same state of the catalog.
    pub(super) fn snapshot<T, E: From<CatalogError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // A writing connection is the only writer. Within a snapshot there is one already.
        if self.lock.is_some() || !self.connection.is_autocommit() {
            return work();
        }
        let transaction =
            self.connection.unchecked_transaction().map_err(self.failed("begin to read"))?;
        let result = work()?;
        transaction.finish().map_err(self.failed("end reading"))?;
        Ok(result)
    }

    /// Runs `work` in one transaction, unless the file was removed, replaced or moved. On most systems a program could
    /// otherwise write for hours to a deleted file.
    pub(super) fn write<T>(
        &mut self,
        task: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        self.commit()?;
        self.require_name()?;
        let path = &self.path;
        let written = self.connection.transaction().and_then(|transaction| {
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        });
        written.map_err(|source| CatalogError::sql(path, task, source))
    }

    /// Runs `work` in a transaction that the next ones continue, for rows that arrive by the million. It is committed after
    /// [`HOLD_TIME`], by [`Self::commit`], and before any other write. If `work` fails, nothing of it is kept.
    pub(super) fn write_held<T>(
        &mut self,
        task: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        self.require_name()?;
        let since = match self.held {
            Some((since, _)) => since,
            None => {
                let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
                begun.map_err(self.failed(task))?;
                Instant::now()
            }
        };
        self.held = Some((since, task));
        match work(&self.connection) {
            Ok(result) if since.elapsed() < HOLD_TIME => Ok(result),
            Ok(result) => self.commit().map(|()| result),
            Err(source) => {
                self.held = None;
                self.roll_back();
                Err(CatalogError::sql(&self.path, task, source))
            }
        }
    }

    /// Commits the transaction of [`Self::write_held`], if it is open.
    pub(super) fn commit(&mut self) -> Result<(), CatalogError> {
        let Some((_, task)) = self.held.take() else { return Ok(()) };
        self.connection.execute_batch("COMMIT").map_err(|source| {
            self.roll_back();
            CatalogError::sql(&self.path, task, source)
        })
    }

    fn roll_back(&self) {
        // SQLite itself rolls back after some errors.
        if !self.connection.is_autocommit() {
            // If this fails too, readers ignore the incomplete transaction.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    /// Refuses to write to a file that was removed, replaced or moved.
    fn require_name(&self) -> Result<(), CatalogError> {
        if identity_of(&self.path) == self.identity {
            return Ok(());
        }
        // Without a name, the file ends with this program.
        let removed = self.lock.as_ref().is_none_or(|lock| !lock.names().is_ok_and(|n| n > 0));
        let gone = if removed { CatalogError::Gone } else { CatalogError::Moved };
        Err(gone(self.path.clone()))
    }

    pub(super) fn execute(
        &mut self,
        task: &'static str,
        sql: &str,
        parameters: impl Params,
    ) -> Result<(), CatalogError> {
        self.write(task, |transaction| transaction.execute(sql, parameters).map(|_| ()))
    }

    pub(super) fn skip_reference_checks(&self) -> Result<(), CatalogError> {
        self.read("change a setting", |connection| {
            connection.pragma_update(None, "foreign_keys", false)
        })
    }
}

impl Catalog {
    /// Merges the log into the catalog, which becomes one plain file. Such a file can be copied, and read from a
    /// read-only folder. If readers stay, the log remains part of the catalog until the next writer merges it.
    ///
    /// # Errors
    /// If the file cannot be written. Committed data stays in the log.
    pub(super) fn merge(&mut self) -> Result<(), CatalogError> {
        if self.lock.is_none() || self.merged {
            return Ok(());
        }
        self.merged = true;
        self.commit()?;
        let failed = self.failed("merge its log");
        self.connection.busy_timeout(Duration::ZERO).map_err(&failed)?;
        for _ in 0..CLOSE_RETRIES {
            match merge_log(&self.connection) {
                Ok(true) => return Ok(()),
                Ok(false) => std::thread::sleep(CLOSE_INTERVAL),
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }
}

impl Drop for Catalog {
    fn drop(&mut self) {
        // Callers that need the error call `merge`.
        let _ = self.merge();
    }
}

/// Merges the log into the file and turns logging off. Returns false while a reader is active.
pub(super) fn merge_log(connection: &Connection) -> rusqlite::Result<bool> {
    let merge = || -> rusqlite::Result<bool> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        if connection.query_row(checkpoint, [], |row| row.get::<_, i64>(0))? != 0 {
            return Ok(false);
        }
        let mode: String =
            connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
        Ok(mode == "delete")
    };
    match merge() {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(false),
        other => other,
    }
}

/// Opens a connection, which one thread uses. The name of a file is a URI only with a flag for that.
///
/// Plans are stable: SQLite prepares a statement once. With the samples of values that `ANALYZE` stores, it would
/// otherwise prepare it again after each bound text, in case this value is a rare one. For statements that run once for
/// each row, that takes more time than all else. Values that decide about an index are therefore part of the statement.
pub(super) fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Refuses folders, devices and pipes. Also refuses names with a special meaning here or to SQLite.
pub(super) fn require_file_name(path: &Path) -> Result<(), CatalogError> {
    let text = path.to_string_lossy();
    if text.is_empty() || text == "-" || text == ":memory:" || text.starts_with("file:") {
        return Err(CatalogError::NoFile(path.to_owned()));
    }
    if path.exists() && !path.is_file() {
        return Err(CatalogError::Foreign(path.to_owned()));
    }
    Ok(())
}

/// Returns whether a file is a SQLite database, by its first bytes.
pub fn is_database(path: &Path) -> bool {
    let mut magic = [0; 15];
    let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    // Opening a pipe could wait forever.
    path.is_file() && read().is_ok() && &magic == b"SQLite format 3"
}

/// Returns the database of a log, journal, shared memory or lock: `x.db` for `x.db-wal`.
pub fn database_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let endings = ["-wal", "-shm", "-journal", "-lock"];
    let base = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
    let database = path.with_file_name(base);
    // A new database is empty until its log is merged.
    let new = || database.metadata().is_ok_and(|found| found.is_file() && found.len() == 0);
    (is_database(&database) || new()).then_some(database)
}

/// Finds a log next to a catalog that belongs to another file. The header of a catalog states whether it uses a log;
/// merging the log clears that. SQLite would read any log with the right name as pages of the file.
pub(super) fn foreign_log(path: &Path) -> std::io::Result<Option<PathBuf>> {
    // Checked twice: a writer may start between the two files' checks.
    Ok(if look_for_foreign_log(path)?.is_some() { look_for_foreign_log(path)? } else { None })
}

fn look_for_foreign_log(path: &Path) -> std::io::Result<Option<PathBuf>> {
    let real = path.canonicalize()?;
    let log = with_suffix(&real, "-wal");
    if !log.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        return Ok(None);
    }
    match header_states_log(&real) {
        Ok(states_log) => Ok((states_log == Some(false)).then_some(log)),
        // SQLite deletes the log.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether the header of a database states a log. `None` if it is no database's.
fn header_states_log(path: &Path) -> std::io::Result<Option<bool>> {
    let mut header = [0; 20];
    File::open(path)?.read_exact(&mut header)?;
    let is_database = header.starts_with(b"SQLite format 3\0");
    Ok(match header[18..] {
        [1, 1] if is_database => Some(false),
        [2, 2] if is_database => Some(true),
        _ => None,
    })
}

fn refuse_foreign_log(path: &Path) -> Result<(), CatalogError> {
    match foreign_log(path) {
        Ok(Some(log)) => Err(CatalogError::ForeignLog { path: path.to_owned(), log }),
        // SQLite reports why it cannot be read.
        Ok(None) | Err(_) => Ok(()),
    }
}

/// Refuses a catalog whose log is next to another of its names. Its header states a log, none is here, and the file
/// has hard links.
#[cfg(unix)]
fn refuse_log_at_other_name(path: &Path) -> Result<(), CatalogError> {
    use std::os::unix::fs::MetadataExt;
    let names = path.metadata().map_or(1, |metadata| metadata.nlink());
    let elsewhere = names > 1 && !is_unmerged(path) && states_log(path);
    match elsewhere {
        true => Err(CatalogError::SeveralNames { path: path.to_owned(), names }),
        false => Ok(()),
    }
}

#[cfg(not(unix))]
fn refuse_log_at_other_name(_: &Path) -> Result<(), CatalogError> {
    Ok(())
}

/// Returns whether a header states a log. Merging the log clears that.
fn states_log(path: &Path) -> bool {
    matches!(header_states_log(path), Ok(Some(true)))
}

/// Returns whether a killed run left a log, which may be empty, or a journal.
pub(super) fn needs_recovery(path: &Path) -> bool {
    is_unmerged(path) || states_log(path)
}

/// Returns whether a killed run left a log or journal with contents.
pub(super) fn is_unmerged(path: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let left =
        |ending| with_suffix(&real, ending).metadata().is_ok_and(|metadata| metadata.len() > 0);
    left("-wal") || left("-journal")
}

pub(super) fn empty(path: &Path) -> CatalogError {
    match unreadable_log(path) {
        None => CatalogError::Empty(path.to_owned()),
        Some(log) => CatalogError::DamagedLog { path: path.to_owned(), log },
    }
}

/// Returns an empty database's log, if it has a finished transaction. SQLite reads a log up to its first damaged page,
/// so this one is damaged.
fn unreadable_log(path: &Path) -> Option<PathBuf> {
    let log = with_suffix(&path.canonicalize().ok()?, "-wal");
    let mut start = Vec::new();
    File::open(&log).ok()?.take(LOG_START).read_to_end(&mut start).ok()?;
    // After the header, each page has a header of its own. Its second number is 0 within a transaction. A kill may come
    // between the header of the last page and the page, which is then no whole chunk.
    let mut pages = start.get(32..)?.chunks_exact(24 + PAGE_BYTES);
    pages.any(|page| page[4..8] != [0; 4]).then_some(log)
}

/// Merges the log that a killed run left. Returns false if there is none, or while a reader is active.
pub fn merge_left_log(path: &Path) -> Result<bool, CatalogError> {
    if needs_recovery(path) { recover(path) } else { Ok(false) }
}

/// Repairs the state after a killed run: rolls back a partial transaction, or merges the log. Returns false if an active
/// reader keeps the log.
///
/// # Errors
/// If another program is writing, or the file or its folder cannot be written.
pub(super) fn recover(path: &Path) -> Result<bool, CatalogError> {
    let lock = WriterLock::take(path).map_err(|_| CatalogError::Unmerged(path.to_owned()))?;
    let _lock = lock.ok_or_else(|| CatalogError::InUse(path.to_owned()))?;
    let failed = unmerged(path);
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(&failed)?;
    let first = "SELECT count(*) FROM sqlite_schema";
    connection.query_row(first, [], |_| Ok(())).map_err(&failed)?;
    let merged = merge_log(&connection).map_err(&failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    Ok(merged)
}

/// Converts an error of a merge after a killed run.
fn unmerged(path: &Path) -> impl Fn(rusqlite::Error) -> CatalogError + '_ {
    |source| match source.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            CatalogError::Unmerged(path.to_owned())
        }
        _ => CatalogError::sql(path, "recover it after a killed run", source),
    }
}

pub(super) fn require_version(found: i64, path: &Path) -> Result<(), CatalogError> {
    match found {
        SCHEMA_VERSION => Ok(()),
        _ => Err(CatalogError::Version { path: path.to_owned(), found }),
    }
}

/// Returns the schema version, 0 for an empty database. Refuses files of other programs and
/// catalogs of other versions.
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
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if needs_recovery(path) => {
                CatalogError::Unmerged(path.to_owned())
            }
            _ => CatalogError::sql(path, "read its header", source),
        })?;
    if application == i64::from(APPLICATION_ID) {
        match (version, tables) {
            (..1, 1..) => return Err(CatalogError::Unversioned(path.to_owned())),
            (0, _) => {}
            _ => require_version(version, path)?,
        }
        Ok(version)
    } else if application == 0 && tables == 0 {
        match unreadable_log(path) {
            None => Ok(0),
            Some(log) => Err(CatalogError::DamagedLog { path: path.to_owned(), log }),
        }
    } else {
        Err(CatalogError::Foreign(path.to_owned()))
    }
}
