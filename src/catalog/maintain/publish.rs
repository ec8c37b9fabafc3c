//! A copy of a catalog for others to read: one compact file, without what belongs to this machine.

use super::digest;
use crate::lock::WriterLock;
use crate::open::is_unmerged;
use crate::temporary::temporary_folder;
use crate::{Catalog, CatalogError};
use rusqlite::Connection;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Tables that tell of this machine and its hours: paths, runs, times. Published they are empty.
pub const LOCAL_TABLES: [&str; 3] = ["place", "run", "timing"];

/// Why no copy was made.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// There is a file already.
    #[error("{0} exists; choose another file, or replace it with --force")]
    Exists(PathBuf),
    /// The copy would replace its original.
    #[error("{0} is the catalog itself; choose another file")]
    Itself(PathBuf),
    /// A folder, or a catalog that is written or was left with a log of its own.
    #[error("{0} cannot be replaced: it is a folder, or a database in use")]
    Busy(PathBuf),
    /// The copy cannot be written.
    #[error("{path}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system or SQLite says.
        source: CopyError,
    },
}

/// Why a database cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The system's word.
    #[error("cannot be written")]
    Io(#[from] io::Error),
    /// SQLite's.
    #[error("cannot be copied")]
    Sql(#[from] rusqlite::Error),
}

/// What was published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Publication {
    /// Figures in it.
    pub figures: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Rows left out, by table.
    pub left_out: Vec<(&'static str, u64)>,
    /// The SHA-256 digest of its contents, as hexadecimal digits.
    pub digest: String,
    /// Sources that are named by an absolute path, which tells of this machine too.
    pub absolute: Vec<String>,
}

impl Catalog {
    /// Writes a copy for others to read: compact, analyzed, one file without a log, without the
    /// rows of [`LOCAL_TABLES`], and with a digest of every other table. It is written beside its place and appears whole.
    ///
    /// # Errors
    /// If there is a file of that name and `replace` is not set, it is this catalog or in use, or
    /// the copy cannot be written.
    pub fn publish(&self, target: &Path, replace: bool) -> Result<Publication, PublishError> {
        let original = self.path().canonicalize().ok();
        if original.is_some() && target.canonicalize().ok() == original {
            return Err(PublishError::Itself(target.to_owned()));
        }
        if target.exists() && !replace {
            return Err(PublishError::Exists(target.to_owned()));
        }
        let failed = |source| PublishError::Write { path: target.to_owned(), source };
        // A log beside the file would be taken for a log of the new one.
        if target.is_dir() || is_unmerged(target) {
            return Err(PublishError::Busy(target.to_owned()));
        }
        // Nobody is at work on a file that is not there; to take the lock would make it.
        let _lock = match target.exists() {
            true => {
                let lock = WriterLock::take(target).map_err(|error| failed(error.into()))?;
                Some(lock.ok_or_else(|| PublishError::Busy(target.to_owned()))?)
            }
            false => None,
        };
        let (mut left_out, mut digest) = (Vec::new(), String::new());
        copy_whole(&self.connection, target, |copy| {
            // The copy is nobody's yet: if this fails it is thrown away.
            copy.execute_batch(
                "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
            )?;
            for table in LOCAL_TABLES {
                let rows = copy.execute(&format!("DELETE FROM {table}"), [])?;
                left_out.push((table, rows as u64));
            }
            digest = digest::seal(copy)?;
            Ok(())
        })
        .map_err(failed)?;
        let sql = |source: rusqlite::Error| failed(source.into());
        let figures = self
            .connection
            .query_row("SELECT count(*) FROM figure", [], |row| row.get(0))
            .map_err(sql)?;
        let bytes = target.metadata().map_err(|error| failed(error.into()))?.len();
        let absolute = self.absolute_sources().map_err(sql)?;
        Ok(Publication { figures, bytes, left_out, digest, absolute })
    }

    fn absolute_sources(&self) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection.prepare("SELECT label FROM source ORDER BY id")?;
        let labels = statement.query_map([], |row| row.get::<_, String>(0))?;
        labels.filter(|l| l.as_ref().map_or(true, |l| Path::new(l).is_absolute())).collect()
    }

    /// Brings an older catalog up to date. Returns the copy of the old one, if it was older.
    ///
    /// # Errors
    /// If there is no catalog, or as [`Catalog::open`].
    pub fn migrate(path: &Path) -> Result<Option<PathBuf>, CatalogError> {
        match Self::open_read_only(path) {
            Ok(_) => return Ok(None),
            Err(CatalogError::Older { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(Self::open(path)?.backup.take())
    }
}

/// `FILE-wal` for `FILE`.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Copies a database, as it stands with its log, to a file that appears whole; `change` may change
/// the copy first. What `change` deletes is in no page of the file.
pub(super) fn copy_whole(
    from: &Connection,
    target: &Path,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), CopyError> {
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
    let (folder, _lock) = temporary_folder(folder.unwrap_or(Path::new(".")))?;
    let (first, second) = (folder.path().join("first.db"), folder.path().join("second.db"));
    vacuum_into(from, &first)?;
    let copy = Connection::open(&first)?;
    change(&copy)?;
    vacuum_into(&copy, &second)?;
    drop(copy);
    let copy = Connection::open(&second)?;
    copy.execute_batch("PRAGMA journal_mode = DELETE; ANALYZE")?;
    copy.close().map_err(|(_, error)| error)?;
    File::open(&second)?.sync_all()?;
    std::fs::rename(&second, target)?;
    Ok(())
}

fn vacuum_into(from: &Connection, target: &Path) -> Result<(), CopyError> {
    let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "the path is not UTF-8");
    let target = target.to_str().ok_or_else(unnamed)?;
    from.execute("VACUUM INTO ?", [target])?;
    Ok(())
}
