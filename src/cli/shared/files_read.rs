//! The files that the command has read, none of which its outputs replace.

use crate::cli::failure::{Failure, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Global, because whatever writes a file need not know who reads: a set of pieces is read far from the figures.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes that the command reads a file, if `path` is one.
pub(crate) fn note_read(path: &Path) {
    if !path.is_file() {
        return;
    }
    READ.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Refuses to replace a file that the command has read. Asked when an output begins, which saves work, and when it
/// would appear, because outputs are opened before figures are read.
pub(crate) fn require_not_read(path: &Path) -> Result<()> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    match read.iter().any(|input| is_same_file(path, input)) {
        true => Err(Failure::failed("is also an input of this command; choose another file")),
        false => Ok(()),
    }
}

/// Returns true if two paths lead to one file. It need not exist yet.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    let whole = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        folder.ok().map(|folder| folder.join(path.file_name().unwrap_or_default()))
    };
    whole(one).is_some_and(|path| Some(path) == whole(other))
}
