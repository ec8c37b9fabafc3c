//! Errors of the catalog.

use super::SCHEMA_VERSION;
use rusqlite::ErrorCode;
use somacat_geometry::figure::ParseSignatureError;
use somacat_geometry::pieces::ParseSetError;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    #[error("there is no catalog {0}; `somacat run` or `somacat import FILE` creates one")]
    Missing(PathBuf),
    #[error("{0} is not a somacat catalog; choose another file")]
    Foreign(PathBuf),
    #[error("{0} is empty, not yet a catalog; `somacat run` or `somacat import FILE` fills it")]
    Empty(PathBuf),
    #[error(
        "catalog {path} has schema version {found}, but this somacat reads version {SCHEMA_VERSION}; use the \
         somacat that wrote it, or choose another file"
    )]
    Version { path: PathBuf, found: i64 },
    #[error(
        "another program is writing to catalog {0}; `somacat status` shows its progress. Wait \
         until it finishes, or choose another file"
    )]
    InUse(PathBuf),
    #[error(
        "catalog {0} was removed or replaced while it was being written; everything written to it \
         is lost. Run the same command again"
    )]
    Gone(PathBuf),
    #[error(
        "catalog {0} is no longer found under this name: the file or a folder above it was moved, renamed or made \
         inaccessible while it was being written. Where it is now, it has everything written so far; put it back, with \
         the files next to it whose names begin with its name, and run the same command again"
    )]
    Moved(PathBuf),
    #[error(
        "another program is working on the same enumeration in catalog {0}, despite the lock; results of this \
         program since its last commit are discarded. Run the same command again when the other one has finished"
    )]
    Overtaken(PathBuf),
    #[error(
        "`{0}` cannot be a catalog, which is a file: `-` is standard output, and SQLite gives `:memory:` and `file:...` \
         a special meaning; for a file with this name write ./{0}"
    )]
    NoFile(PathBuf),
    #[error(
        "catalog {path} has {names} names (hard links), and SQLite looks for its log next to only \
         one of them; use the original name, copy the file (cp), or remove the other names"
    )]
    SeveralNames { path: PathBuf, names: u64 },
    #[error(
        "{log}, next to catalog {path}, is the log of another file that had the same name; SQLite would read it \
         as part of the catalog. Move it away"
    )]
    ForeignLog { path: PathBuf, log: PathBuf },
    #[error(
        "{log}, the log of catalog {path}, is damaged, and the catalog has no data without it; restore a copy of \
         both files, or remove both and run and import again"
    )]
    DamagedLog { path: PathBuf, log: PathBuf },
    #[error(
        "catalog {path} has a {kind} of another program, `{name}`, which may change what somacat writes; remove it \
         with {removal}"
    )]
    ForeignObject { path: PathBuf, kind: String, name: String, removal: String },
    #[error(
        "{label}: listed {figures} of {known} figures; the stored position was wrong, or the program has a bug. \
         The figures are kept; run the same command again to repeat the enumeration"
    )]
    WrongTotal { label: String, figures: u64, known: u128 },
    #[error(
        "catalog {0} was left by a killed run, and the catalog or its folder is not writable; run \
         `somacat catalog check` where both are writable, then any command can read the catalog"
    )]
    Unmerged(PathBuf),
    #[error(
        "catalog {0} has no schema version: its header is damaged; `somacat catalog check` reports \
         what can be saved"
    )]
    Unversioned(PathBuf),
    #[error(
        "the statement took longer than {}; allow more time", humantime::format_duration(*.0)
    )]
    TimeLimit(Duration),
    #[error("cannot create catalog {path}")]
    Creation { path: PathBuf, source: rusqlite::Error },
    #[error("catalog {path} cannot be written")]
    Lock { path: PathBuf, source: std::io::Error },
    #[error(
        "cannot write to the catalog (a full disk, a limit on the size of files, or a failing disk); \
         committed data is safe. Free disk space and run the same command again"
    )]
    NoRoom(#[source] rusqlite::Error),
    #[error(
        "catalog {path}: cannot {task}: the file is damaged; `somacat catalog check` reports what can be saved"
    )]
    Malformed { path: PathBuf, task: &'static str },
    #[error("catalog {path}: cannot {task}")]
    Sql { path: PathBuf, task: &'static str, source: rusqlite::Error },
    #[error(
        "catalog {path}: {what} is damaged: {problem}; `somacat catalog check` checks every row"
    )]
    Damaged { path: PathBuf, what: String, problem: String },
    #[error(
        "the catalog has different pieces under the name `{0}`; rename the set's file, or choose another \
         catalog"
    )]
    SetChanged(String),
    #[error("piece set {name} in the catalog: {error}")]
    SetUnreadable { name: String, error: ParseSetError },
    #[error("the catalog is damaged: {0}; `somacat catalog check` checks every row")]
    Signature(#[from] ParseSignatureError),
    #[error("a single read-only statement is needed: {0}")]
    NotReadOnly(String),
}

impl CatalogError {
    /// Converts an SQLite error of a task on a catalog.
    pub(super) fn sql(path: &Path, task: &'static str, source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Self::NoRoom(source),
            Some(ErrorCode::DatabaseCorrupt) => Self::Malformed { path: path.to_owned(), task },
            _ => Self::Sql { path: path.to_owned(), task, source },
        }
    }
}
