//! New folders that appear whole.

use somacat_catalog::{have_same_contents, name_result, parent_folder, temporary_folder};
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
    ///
    /// # Errors
    /// If it has contents that the same command cannot have written: `is_possible` looks at a folder. If it can, the
    /// contents are compared at the end.
    pub fn create(
        target: &Path,
        is_possible: impl FnOnce(&Path) -> bool,
    ) -> Result<Self, NewFolderError> {
        let is_folder = || fs::symlink_metadata(target).is_ok_and(|found| found.is_dir());
        if is_taken(target)? && !(is_folder() && is_possible(target)) {
            return Err(NewFolderError::Exists(target.to_owned()));
        }
        let parent = parent_folder(target);
        fs::create_dir_all(parent).map_err(failed(parent))?;
        let (temporary, lock) = temporary_folder(target).map_err(failed(target))?;
        Ok(Self { target: target.to_owned(), temporary, _lock: lock })
    }

    /// Returns the temporary folder for its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the folder into place. A folder with the same files stays: the same command completed it before.
    pub fn commit(self) -> Result<(), NewFolderError> {
        if is_taken(&self.target)? {
            let failed = failed(&self.target);
            return match have_same_contents(self.temporary.path(), &self.target).map_err(failed)? {
                true => Ok(()),
                false => Err(NewFolderError::Exists(self.target.clone())),
            };
        }
        sync(self.temporary.path())?;
        let put_in_place = || {
            if self.target.exists() {
                fs::remove_dir(&self.target)?;
            }
            fs::rename(self.temporary.path(), &self.target)
        };
        name_result(&self.target, put_in_place).map_err(failed(&self.target))?;
        // It is no longer temporary.
        let _ = self.temporary.keep();
        Ok(())
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> NewFolderError {
    let path = path.to_owned();
    move |source| NewFolderError::Io { path: path.clone(), source }
}

/// Returns whether a new folder at `target` would overwrite something.
fn is_taken(target: &Path) -> Result<bool, NewFolderError> {
    Ok(match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(failed(target)(error)),
        Ok(found) if found.is_dir() => {
            fs::read_dir(target).map_err(failed(target))?.next().is_some()
        }
        Ok(_) => true,
    })
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
