//! What can go wrong with a catalog.

use super::SCHEMA_VERSION;
use super::maintain::CopyError;
use rusqlite::ErrorCode;
use somacat_geometry::figure::ParseSignatureError;
use somacat_geometry::pieces::ParseSetError;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What can go wrong with a catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// There is no such file, and the command only reads.
    #[error("there is no catalog {0}; `somacat run` or `somacat import FILE` makes one")]
    Missing(PathBuf),
    /// A file of another program, or no database at all.
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
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
    },
    /// An older catalog, which a reading command does not change.
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
        "catalog {0} was removed or replaced while it was being written; what had been written to it \
         is lost, and nothing more is written. Run the same command again"
    )]
    Gone(PathBuf),
    /// An enumeration moved on while this program was at work on it.
    #[error(
        "another program is working on the same enumeration in catalog {0}, though it should be locked; what this \
         one listed since its last note is left out. Run the same command again when the other is done"
    )]
    Overtaken(PathBuf),
    /// Not the name of a file, to SQLite.
    #[error(
        "`{0}` names no file: a catalog is a file, and names that SQLite gives another meaning \
         (`:memory:`, `file:...`) are refused; a file that is called so is meant by ./{0}"
    )]
    NoFile(PathBuf),
    /// A file with hard links: SQLite looks for the log of a catalog beside the name it was given.
    #[error(
        "catalog {path} has {names} names (hard links), and SQLite would look for its log beside each of \
         them alone; use the name it was made under, a copy of it (cp), or remove the other names"
    )]
    SeveralNames {
        /// The file.
        path: PathBuf,
        /// How many it has.
        names: u64,
    },
    /// A log that was left by a file which had the same name before.
    #[error(
        "beside catalog {path} lies {log}, the log of another file that had its name: SQLite would take it for \
         a part of the catalog. Move it away"
    )]
    ForeignLog {
        /// The catalog.
        path: PathBuf,
        /// The log.
        log: PathBuf,
    },
    /// An enumeration came to its end with another number of figures than there are.
    #[error(
        "{label}: {figures} figures were listed of {known}; what the catalog knew of its place was wrong, or the \
         program is. Its figures are kept; the same command lists them again"
    )]
    WrongTotal {
        /// The question in words.
        label: String,
        /// The figures listed.
        figures: u64,
        /// The figures there are, counted in another way.
        known: u128,
    },
    /// A run that was killed left its last rows in a file of its own, which cannot be merged here.
    #[error(
        "catalog {0} was left by a run that did not come to its end, and it or its folder cannot be \
         written; any command may read it once `somacat catalog check` has run where both can be written"
    )]
    Unmerged(PathBuf),
    /// A catalog by its header, but without a version.
    #[error(
        "catalog {0} has no schema version: its header is damaged; `somacat catalog check` says \
         what can be saved"
    )]
    Unversioned(PathBuf),
    /// A statement of the user's took longer than it may.
    #[error(
        "the statement took longer than {}; --time-limit allows more", humantime::format_duration(*.0)
    )]
    TimeLimit(Duration),
    /// A new catalog could not be written.
    #[error("catalog {path} cannot be made")]
    Creation {
        /// The file.
        path: PathBuf,
        /// Why.
        source: MigrationFault,
    },
    /// The migration failed; the file is as it was.
    #[error(
        "catalog cannot be brought up to date and is as it was{}",
        .backup.as_ref().map(|path| format!("; a copy is in {}", path.display())).unwrap_or_default()
    )]
    Migration {
        /// The copy that was made before.
        backup: Option<PathBuf>,
        /// What went wrong.
        source: MigrationFault,
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
    /// The disk is full, the file may not grow, or the disk fails.
    #[error(
        "the catalog cannot be written any further (a full disk, a limit on the size of files, or a \
         failing disk); what was kept up to then is safe. Make room and run the same command again"
    )]
    NoRoom(#[source] rusqlite::Error),
    /// SQLite reports something else.
    #[error("catalog {path}: cannot {task}")]
    Sql {
        /// The file.
        path: PathBuf,
        /// What was to be done.
        task: &'static str,
        /// SQLite's report.
        source: rusqlite::Error,
    },
    /// A row that the program cannot have written.
    #[error(
        "catalog {path}: {what} is damaged: {problem}; `somacat catalog check` looks at every row"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which row.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
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
    /// A signature in the catalog spells no figure.
    #[error("the catalog is damaged: {0}; `somacat catalog check` looks at every row")]
    Signature(#[from] ParseSignatureError),
    /// The statement given by the user is not one reading statement.
    #[error("--sql takes one reading statement: {0}")]
    NotReadOnly(String),
}

/// Why a step of the schema failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MigrationFault(String);

impl From<rusqlite_migration::Error> for MigrationFault {
    fn from(error: rusqlite_migration::Error) -> Self {
        // The text of the step itself, pages of SQL, helps nobody.
        Self(match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => err.to_string(),
            other => other.to_string(),
        })
    }
}

impl CatalogError {
    /// What SQLite says of a task on a catalog.
    pub(super) fn sql(path: &Path, task: &'static str, source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Self::NoRoom(source),
            _ => Self::Sql { path: path.to_owned(), task, source },
        }
    }
}
