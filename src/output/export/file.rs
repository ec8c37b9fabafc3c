//! Output files: opened before any work, renamed into place at the end.

use somacat_catalog::{is_database, temporary_file};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The largest number of links to follow, as in Linux.
const MAX_LINKS: usize = 40;

/// A file that appears under its name only when it is complete. Until then, rows go to a temporary file next to it,
/// so an unwritable path fails at once. A device or a named pipe is written directly.
#[derive(Debug)]
pub struct OutputFile(Target);

#[derive(Debug)]
enum Target {
    /// A device, a pipe, or an open file of a process.
    Stream(BufWriter<File>),
    /// A file that replaces the old one, if any.
    Replacement { path: PathBuf, writer: BufWriter<NamedTempFile> },
}

impl OutputFile {
    /// Prepares to write `path`. Follows links. A new file takes the mode and the owner of the replaced file.
    /// Opening a named pipe waits for a reader.
    ///
    /// # Errors
    /// If the folder cannot be written, or `path` is a folder or a database. A catalog is easily named by mistake,
    /// and hard to rebuild.
    pub fn create(path: &Path) -> io::Result<Self> {
        let old = metadata(path)?;
        if old.as_ref().is_some_and(|old| is_stream(path, old)) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self(Target::Stream(BufWriter::new(file))));
        }
        let (path, file) = temporary(path, old.as_ref())?;
        let writer = BufWriter::new(file);
        Ok(Self(Target::Replacement { path, writer }))
    }

    /// Checks that `path` can be written, without changing it.
    ///
    /// # Errors
    /// As for [`OutputFile::create`].
    pub fn check(path: &Path) -> io::Result<()> {
        let old = metadata(path)?;
        if old.as_ref().is_none_or(|old| !is_stream(path, old)) {
            temporary(path, old.as_ref())?;
        }
        Ok(())
    }

    /// Renames the file into place.
    ///
    /// # Errors
    /// If the remaining data cannot be written or the file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Target::Stream(mut writer) => writer.flush(),
            Target::Replacement { path, writer } => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(&path).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

/// Returns the metadata of a path, following links. `None` if nothing exists there.
fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"))
        }
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether a path cannot be replaced: a device, a pipe, or an open file of a process, such as `/dev/stdout`.
fn is_stream(path: &Path, metadata: &Metadata) -> bool {
    let of_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    !metadata.is_file() || of_system
}

/// Creates a temporary file next to the destination of `path`. Also returns the destination, which a link may lead
/// to.
fn temporary(path: &Path, old: Option<&Metadata>) -> io::Result<(PathBuf, NamedTempFile)> {
    if old.is_some() && is_database(path) {
        let text = "is a database, which an export never overwrites; choose another file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    let path = match old {
        Some(_) => path.canonicalize()?,
        None => resolve_links(path)?,
    };
    // Keeps the file private until its mode is set.
    let mode = if old.is_some() { 0o600 } else { 0o666 };
    let file = temporary_file(&path, mode)?;
    if let Some(old) = old {
        copy_permissions(file.as_file(), old)?;
    }
    Ok((path, file))
}

/// Follows a link whose end may not exist yet. Returns any other path unchanged.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Copies the mode of another file, and its owner where allowed.
fn copy_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only the superuser may change the owner. The content is right in any case.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Stream(writer) => writer.write(bytes),
            Target::Replacement { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Stream(writer) => writer.flush(),
            Target::Replacement { writer, .. } => writer.flush(),
        }
    }
}
