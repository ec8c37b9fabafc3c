//! Errors of the catalog.

use super::SCHEMA_VERSION;
use super::maintain::CopyError;
use crate::figure::ParseSignatureError;
use crate::pieces::ParseSetError;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The file is missing, and the command only reads.
    #[error("there is no catalog {0}; `somacat run` or `somacat import FILE` makes one")]
    Missing(PathBuf),
    /// A file of another program, or not a database.
    #[error("{0} is not a somacat catalog; choose another file with --db")]
    Foreign(PathBuf),
    /// An empty file or a database without tables, and the command only reads.
    #[error("{0} is empty, not yet a catalog; `somacat run` or `somacat import FILE` fills it")]
    Empty(PathBuf),
    /// Written by a newer somacat.
    #[error(
        "catalog {path} has schema version {found}, this somacat reads up to {SCHEMA_VERSION}; \
         use a newer somacat"
    )]
    Newer {
        path: PathBuf,
        found: i64,
    },
    /// An older catalog, which a reading command does not change.
    #[error(
        "catalog {path} has schema version {found}, this somacat reads {SCHEMA_VERSION}; \
         `somacat catalog migrate` brings it up to date and keeps a copy of it as it is"
    )]
    Older {
        path: PathBuf,
        found: i64,
    },
    #[error(
        "another program is writing to catalog {0}; `somacat status` shows how far it is. Wait \
         until it is done, or choose another file with --db"
    )]
    InUse(PathBuf),
    /// The file was removed or replaced while it was open.
    #[error(
        "catalog {0} was removed or replaced while it was being written; what had been written to it \
         is lost, and nothing more is written. Run the same command again"
    )]
    Gone(PathBuf),
    /// Another program advanced an enumeration that this one was working on.
    #[error(
        "another program is working on the same enumeration in catalog {0}, though it should be locked; what this \
         one listed since its last note is left out. Run the same command again when the other is done"
    )]
    Overtaken(PathBuf),
    /// A name with a special meaning to SQLite.
    #[error(
        "`{0}` names no file: a catalog is a file, and names that SQLite gives another meaning \
         (`:memory:`, `file:...`) are refused; a file that is called so is meant by ./{0}"
    )]
    NoFile(PathBuf),
    /// A file with hard links: SQLite looks for the log next to the name it was given.
    #[error(
        "catalog {path} has {names} names (hard links), and SQLite would look for its log beside each of \
         them alone; use the name it was made under, a copy of it (cp), or remove the other names"
    )]
    SeveralNames {
        path: PathBuf,
        /// The number of hard links.
        names: u64,
    },
    /// A log left by an earlier file of the same name.
    #[error(
        "beside catalog {path} lies {log}, the log of another file that had its name: SQLite would take it for \
         a part of the catalog. Move it away"
    )]
    ForeignLog {
        path: PathBuf,
        log: PathBuf,
    },
    /// An enumeration was completed with a wrong number of figures.
    #[error(
        "{label}: {figures} figures were listed of {known}; what the catalog knew of its place was wrong, or the \
         program is. Its figures are kept; the same command lists them again"
    )]
    WrongTotal {
        label: String,
        /// The number of listed figures.
        figures: u64,
        /// The number of figures, counted by another method.
        known: u128,
    },
    /// A killed run left its last rows in a log, which cannot be merged here.
    #[error(
        "catalog {0} was left by a run that did not come to its end, and it or its folder cannot be \
         written; any command may read it once `somacat catalog check` has run where both can be written"
    )]
    Unmerged(PathBuf),
    /// A header with the application id, but without a schema version.
    #[error(
        "catalog {0} has no schema version: its header is damaged; `somacat catalog check` says \
         what can be saved"
    )]
    Unversioned(PathBuf),
    /// A user's statement exceeded its time limit.
    #[error(
        "the statement took longer than {}; --time-limit allows more", humantime::format_duration(*.0)
    )]
    TimeLimit(Duration),
    #[error("catalog {path} cannot be made")]
    Creation {
        path: PathBuf,
        source: MigrationFault,
    },
    /// The migration failed. The file is unchanged.
    #[error(
        "catalog cannot be brought up to date and is as it was{}",
        .backup.as_ref().map(|path| format!("; a copy is in {}", path.display())).unwrap_or_default()
    )]
    Migration {
        /// The copy made before the migration.
        backup: Option<PathBuf>,
        source: MigrationFault,
    },
    /// An older catalog cannot be copied, so it is not migrated.
    #[error(
        "the copy of the older catalog, {path}, cannot be made, so it is not brought up to date"
    )]
    Backup {
        path: PathBuf,
        source: CopyError,
    },
    /// The lock cannot be taken.
    #[error("catalog {path} cannot be written")]
    Lock {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The disk is full, the file may not grow, or the disk fails.
    #[error(
        "the catalog cannot be written any further (a full disk, a limit on the size of files, or a \
         failing disk); what was kept up to then is safe. Make room and run the same command again"
    )]
    NoRoom(#[source] rusqlite::Error),
    /// Any other error of SQLite.
    #[error("catalog {path}: cannot {task}")]
    Sql {
        path: PathBuf,
        /// The task, which follows "cannot".
        task: &'static str,
        source: rusqlite::Error,
    },
    /// A row that the program cannot have written.
    #[error(
        "catalog {path}: {what} is damaged: {problem}; `somacat catalog check` looks at every row"
    )]
    Damaged {
        path: PathBuf,
        /// The row.
        what: String,
        problem: String,
    },
    /// A piece set with the name of another one.
    #[error(
        "the catalog knows other pieces under the name `{0}`; rename the set's file, or start a \
         catalog of its own with --db"
    )]
    SetChanged(String),
    /// The definition of a piece set in the catalog is damaged.
    #[error("piece set {name} in the catalog: {error}")]
    SetUnreadable {
        name: String,
        error: ParseSetError,
    },
    /// A signature in the catalog is invalid.
    #[error("the catalog is damaged: {0}; `somacat catalog check` looks at every row")]
    Signature(#[from] ParseSignatureError),
    /// The user's statement is not a single reading statement.
    #[error("--sql takes one reading statement: {0}")]
    NotReadOnly(String),
}

/// The failure of a migration step.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MigrationFault(String);

impl From<rusqlite_migration::Error> for MigrationFault {
    fn from(error: rusqlite_migration::Error) -> Self {
        // The step's SQL is too long to be useful.
        Self(match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => err.to_string(),
            other => other.to_string(),
        })
    }
}

impl CatalogError {
    /// Converts an SQLite error of a task on a catalog.
    pub(super) fn sql(path: &Path, task: &'static str, source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Self::NoRoom(source),
            _ => Self::Sql { path: path.to_owned(), task, source },
        }
    }
}
