//! New folders that appear whole.

use somacat_catalog::{parent_folder, temporary_folder};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[derive(Debug, thiserror::Error)]
pub enum NewFolderError {
    #[error("{0} exists; choose another folder, or remove it first")]
    Exists(PathBuf),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// A new folder under a temporary name next to its destination.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    temporary: TempDir,
    _lock: Option<File>,
}

impl NewFolder {
    /// Prepares the folder `target`.
    pub fn create(target: &Path) -> Result<Self, NewFolderError> {
        require_free(target)?;
        let parent = parent_folder(target);
        fs::create_dir_all(parent).map_err(failed(parent))?;
        let (temporary, lock) = temporary_folder(target).map_err(failed(parent))?;
        Ok(Self { target: target.to_owned(), temporary, _lock: lock })
    }

    /// Returns the temporary folder for its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    pub fn commit(self) -> Result<(), NewFolderError> {
        sync(self.temporary.path())?;
        require_free(&self.target)?;
        if self.target.exists() {
            fs::remove_dir(&self.target).map_err(failed(&self.target))?;
        }
        fs::rename(self.temporary.path(), &self.target).map_err(failed(&self.target))?;
        // It is no longer temporary.
        let _ = self.temporary.keep();
        Ok(())
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> NewFolderError {
    let path = path.to_owned();
    move |source| NewFolderError::Io { path: path.clone(), source }
}

/// Checks that a new folder at `target` would overwrite nothing.
fn require_free(target: &Path) -> Result<(), NewFolderError> {
    let taken = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(failed(target)(error)),
        Ok(found) if found.is_dir() => {
            fs::read_dir(target).map_err(failed(target))?.next().is_some()
        }
        Ok(_) => true,
    };
    if taken { Err(NewFolderError::Exists(target.to_owned())) } else { Ok(()) }
}

/// Syncs every file of a folder to disk.
fn sync(folder: &Path) -> Result<(), NewFolderError> {
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        match path.is_dir() {
            true => sync(&path)?,
            false => File::open(&path).and_then(|file| file.sync_all()).map_err(failed(&path))?,
        }
    }
    Ok(())
}
