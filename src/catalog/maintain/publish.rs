//! Compact copies of a catalog for publication, without data of this machine.

use super::digest;
use crate::lock::WriterLock;
use crate::open::{connect, database_of, is_unmerged, require_file_name};
use crate::schema::LOCAL_TABLES;
use crate::temporary::{name_result, put_new_file, temporary_folder};
use crate::{Catalog, CatalogError};
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("{0} exists; choose another file, or replace it with --force")]
    Exists(PathBuf),
    #[error(transparent)]
    Name(#[from] CatalogError),
    #[error("{0} is a folder, a device or a pipe; name a file")]
    NotAFile(PathBuf),
    #[error("{path} belongs to the database {database}; choose another file")]
    BesideDatabase { path: PathBuf, database: PathBuf },
    #[error("{0} is the catalog itself; choose another file")]
    Itself(PathBuf),
    #[error("{0} cannot be replaced: it is a database in use")]
    Busy(PathBuf),
    #[error("{path}")]
    Write { path: PathBuf, source: CopyError },
}

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("cannot be written")]
    Io(#[from] io::Error),
    #[error("cannot be copied")]
    Sql(#[from] rusqlite::Error),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Publication {
    pub figures: u64,
    pub bytes: u64,
    pub left_out: Vec<(&'static str, u64)>,
    /// The SHA-256 digest of its contents in hexadecimal.
    pub digest: String,
    /// Sources whose label is an absolute path, which reveals a local path.
    pub absolute: Vec<String>,
}

impl Catalog {
    /// Writes a copy for others to read: compact, analyzed, one file without a log. It has no rows of
    /// `place`, `run` and `timing`, and a digest of every table. It is written next to its destination and appears whole.
    ///
    /// # Errors
    /// If the file exists and `replace` is not set, unless it is the same copy; if it is this catalog, in use or not a
    /// file; or if the copy cannot be written.
    pub fn publish(&self, target: &Path, replace: bool) -> Result<Publication, PublishError> {
        let original = self.path().canonicalize().ok();
        if original.is_some() && target.canonicalize().ok() == original {
            return Err(PublishError::Itself(target.to_owned()));
        }
        require_target(target)?;
        let exists = || PublishError::Exists(target.to_owned());
        if target.exists() && !replace && !is_published(target) {
            return Err(exists());
        }
        let failed = |source| PublishError::Write { path: target.to_owned(), source };
        // SQLite would apply an existing log to the new file.
        if is_unmerged(target) {
            return Err(PublishError::Busy(target.to_owned()));
        }
        // A missing file has no writer, and taking its lock would create it.
        let _lock = match replace && target.exists() {
            true => {
                let lock = WriterLock::take(target).map_err(|error| failed(error.into()))?;
                Some(lock.ok_or_else(|| PublishError::Busy(target.to_owned()))?)
            }
            false => None,
        };
        let (mut left_out, mut digest) = (Vec::new(), String::new());
        let written = copy_whole(&self.connection, target, replace, |copy| {
            // Only this function sees the copy, and discards it on failure.
            copy.execute_batch(
                "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
            )?;
            for table in LOCAL_TABLES {
                let rows = copy.execute(&format!("DELETE FROM {table}"), [])?;
                left_out.push((table, rows as u64));
            }
            digest = digest::seal(copy)?;
            Ok(())
        });
        if !written.map_err(failed)? {
            return Err(exists());
        }
        let figures = self.figure_count()?;
        let bytes = target.metadata().map_err(|error| failed(error.into()))?.len();
        let mut absolute = self.sources()?;
        absolute.retain(|label| Path::new(label).is_absolute());
        Ok(Publication { figures, bytes, left_out, digest, absolute })
    }
}

/// Returns whether a file is a published copy. Only such a file can be the same copy.
fn is_published(target: &Path) -> bool {
    let catalog = Catalog::open_read_only(target);
    catalog.is_ok_and(|catalog| digest::is_sealed(&catalog.connection).unwrap_or(false))
}

/// Refuses a path that no new catalog can take: a device or a pipe would be replaced, and SQLite would delete a file
/// next to a database.
pub(super) fn require_target(target: &Path) -> Result<(), PublishError> {
    if target.exists() && !target.is_file() {
        return Err(PublishError::NotAFile(target.to_owned()));
    }
    require_file_name(target)?;
    match database_of(target) {
        Some(database) => Err(PublishError::BesideDatabase { path: target.to_owned(), database }),
        None => Ok(()),
    }
}

/// Copies a database with its log to a file that appears whole. `change` may edit the copy first. No page of the
/// file contains the deleted rows. Returns false if another file is in its place, and `replace` is not set.
fn copy_whole(
    from: &Connection,
    target: &Path,
    replace: bool,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<bool, CopyError> {
    let (folder, _lock) = temporary_folder(target)?;
    let (first, second) = (folder.path().join("first.db"), folder.path().join("second.db"));
    vacuum_into(from, &first)?;
    let copy = connect(&first, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    change(&copy)?;
    // Rewritten in place, the pages of statistics would show their history.
    copy.execute_batch("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")?;
    vacuum_into(&copy, &second)?;
    drop(copy);
    let copy = connect(&second, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // SQLite counts the changes of a schema, also in copies of copies. The same contents are the same bytes.
    copy.execute_batch("PRAGMA journal_mode = DELETE; ANALYZE; PRAGMA schema_version = 1")?;
    copy.close().map_err(|(_, error)| error)?;
    File::open(&second)?.sync_all()?;
    if replace {
        name_result(target, || std::fs::rename(&second, target))?;
        return Ok(true);
    }
    Ok(put_new_file(&second, target)?)
}

fn vacuum_into(from: &Connection, target: &Path) -> Result<(), CopyError> {
    let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "the path is not UTF-8");
    let target = target.to_str().ok_or_else(unnamed)?;
    from.execute("VACUUM INTO ?", [target])?;
    Ok(())
}
