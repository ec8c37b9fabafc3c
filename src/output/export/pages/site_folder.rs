//! Folders of pages, which appear whole and never overwrite other contents.

use minijinja::ErrorKind;
use somacat_catalog::{name_result, parent_folder, temporary_folder};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// The file that marks a folder as written by this program. Its first line names the export, the others list the
/// files.
pub const MARKER: &str = ".somacat-site";

#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is a file; choose a folder that is new, empty, or written by the same export", .0.display())]
    NotAFolder(PathBuf),
    #[error(
        "{} is not empty and was not written by `somacat export {kind}`; choose a new or an empty \
         folder",
        path.display()
    )]
    NotOurs { path: PathBuf, kind: &'static str },
    #[error(
        "{} contains `{name}`, which `somacat export {kind}` did not write and would delete; move it \
         away, or choose another folder",
        path.display()
    )]
    UnknownFile { path: PathBuf, name: String, kind: &'static str },
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(
        "{0}: the template needs more than 512 MiB of memory; choose fewer figures, or a template with shorter texts and lists"
    )]
    TemplateMemory(String),
    #[error(transparent)]
    Picture(#[from] crate::draw::PngError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// An error in a template: its file, the line, and the variable or the syntax.
#[derive(Debug)]
pub struct TemplateError(minijinja::Error);

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line)) = (self.0.name(), self.0.line()) {
            write!(f, "{file}:{line}: ")?;
        }
        match self.0.detail() {
            _ if self.0.kind() == ErrorKind::OutOfFuel => {
                f.write_str("the template takes too many steps; make its loops shorter")
            }
            Some(detail) => f.write_str(detail),
            None => write!(f, "{}", self.0.kind()),
        }
    }
}

impl std::error::Error for TemplateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl From<minijinja::Error> for SiteError {
    fn from(error: minijinja::Error) -> Self {
        TemplateError(error).into()
    }
}

/// A folder of pages under a temporary name.
#[derive(Debug)]
pub struct SiteFolder {
    target: PathBuf,
    kind: &'static str,
    temporary: TempDir,
    _lock: Option<File>,
    files: Mutex<BTreeSet<String>>,
}

impl SiteFolder {
    /// Prepares to write the folder `target` by `somacat export KIND`.
    ///
    /// # Errors
    /// If `target` is a file, has contents that the same export did not write, or its parent cannot be written.
    pub fn create(target: &Path, kind: &'static str) -> Result<Self, SiteError> {
        // Resolves links and `..`, so that the folder itself is replaced.
        let target = if target.exists() {
            target.canonicalize().map_err(io_error(target))?
        } else {
            target.to_owned()
        };
        require_replaceable(&target, kind)?;
        let parent = parent_folder(&target);
        fs::create_dir_all(parent).map_err(io_error(parent))?;
        let (temporary, lock) = temporary_folder(&target).map_err(io_error(&target))?;
        Ok(Self { target, kind, temporary, _lock: lock, files: Mutex::default() })
    }

    /// Writes one file. Its name is relative to the folder, with `/` as separator.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), SiteError> {
        let path = self.temporary.path().join(name);
        // Only folders inside: a stop may have deleted the whole one, which must not come back.
        for (slash, _) in name.match_indices('/') {
            let folder = self.temporary.path().join(&name[..slash]);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(io_error(&folder)(error));
                }
                _ => {}
            }
        }
        if !self.files().insert(name.to_owned()) {
            let twice = io::Error::new(io::ErrorKind::AlreadyExists, "written twice");
            return Err(io_error(&path)(twice));
        }
        fs::write(&path, content).map_err(io_error(&path))
    }

    /// Renames the folder into place, replacing earlier output of the same export.
    pub fn commit(self) -> Result<(), SiteError> {
        let mut marker = first_line(self.kind);
        for name in self.files().iter() {
            marker += &format!("\n{name}");
        }
        marker.push('\n');
        let path = self.temporary.path().join(MARKER);
        fs::write(&path, marker).map_err(io_error(&path))?;
        // Checked again: the folder may have changed meanwhile.
        require_replaceable(&self.target, self.kind)?;
        let failed = io_error(&self.target);
        let new = self.temporary.keep();
        match name_result(&self.target, || put_in_place(&new, &self.target)) {
            Ok(Some(old)) => fs::remove_dir_all(old).map_err(failed),
            Ok(None) => Ok(()),
            Err(error) => {
                // The first error is more informative than one about leftovers.
                let _ = fs::remove_dir_all(new);
                Err(failed(error))
            }
        }
    }

    fn files(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Replaces a folder with a new one, so that readers see either. Returns the new path of the old one.
fn put_in_place(new: &Path, target: &Path) -> io::Result<Option<PathBuf>> {
    if !target.exists() {
        fs::rename(new, target)?;
        return Ok(None);
    }
    if exchange(new, target)? {
        return Ok(Some(new.to_owned()));
    }
    let old = new.with_extension("old");
    fs::rename(target, &old)?;
    match fs::rename(new, target) {
        Ok(()) => Ok(Some(old)),
        Err(error) => {
            fs::rename(old, target)?;
            Err(error)
        }
    }
}

/// Exchanges two folders in one step. Returns false if the system or the file system cannot.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

fn first_line(kind: &str) -> String {
    format!("Written by `somacat export {kind}`, which replaces these files:")
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> SiteError {
    let path = path.to_owned();
    move |source| SiteError::Io { path: path.clone(), source }
}

/// Checks that replacing `target` would lose nothing.
fn require_replaceable(target: &Path, kind: &'static str) -> Result<(), SiteError> {
    if !target.exists() {
        return Ok(());
    }
    if !target.is_dir() {
        return Err(SiteError::NotAFolder(target.to_owned()));
    }
    let mut found = Vec::new();
    list_files(target, "", &mut found).map_err(io_error(target))?;
    if found.is_empty() {
        return Ok(());
    }
    let marker = fs::read_to_string(target.join(MARKER)).unwrap_or_default();
    let mut lines = marker.lines();
    if lines.next() != Some(first_line(kind).as_str()) {
        return Err(SiteError::NotOurs { path: target.to_owned(), kind });
    }
    let ours: BTreeSet<&str> = lines.chain([MARKER]).collect();
    match found.into_iter().find(|name| !ours.contains(name.as_str())) {
        Some(name) => Err(SiteError::UnknownFile { path: target.to_owned(), name, kind }),
        None => Ok(()),
    }
}

/// Lists every file below `folder`, with `/` as separator. Links count as files.
pub(in crate::export) fn list_files(
    folder: &Path,
    prefix: &str,
    found: &mut Vec<String>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list_files(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push(name);
        }
    }
    Ok(())
}
