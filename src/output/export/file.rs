//! Output files: opened before any work, renamed into place at the end.

use super::TerminalWriter;
use somacat_catalog::{database_of, is_database, name_result, temporary_file};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// The largest number of links to follow, as in Linux.
const MAX_LINKS: usize = 40;

/// A file that appears under its name only when it is complete. Until then, rows go to a temporary file next to it,
/// so an unwritable path fails at once. The type of the file decides, never its path: a device, a pipe or the file
/// that is standard output is written directly.
#[derive(Debug)]
pub struct OutputFile(OutputWriter);

#[derive(Debug)]
enum OutputWriter {
    /// A device, a pipe, or standard output under another name.
    Stream(BufWriter<TerminalWriter<File>>),
    /// A file that replaces the old one, if any. Its errors do not name the temporary file.
    Replacement { path: PathBuf, temporary: TempPath, writer: BufWriter<File> },
}

/// The kind of file at the end of a path.
enum Destination {
    /// The file that is already open as standard output or standard error.
    Open(File),
    /// A device or a pipe.
    Stream,
    /// A file with its metadata, or none yet.
    File(Option<Metadata>),
}

impl OutputFile {
    /// Prepares to write `path`. Follows links. A new file takes the mode and the owner of the replaced file.
    /// Opening a named pipe waits for a reader.
    ///
    /// # Errors
    /// If the folder cannot be written, or `path` is a folder, a block device, a database or a file next to one. A
    /// catalog is easily named by mistake, and hard to rebuild.
    pub fn create(path: &Path) -> io::Result<Self> {
        let stream = |file| OutputWriter::Stream(BufWriter::new(TerminalWriter::new(file)));
        Ok(Self(match destination(path)? {
            Destination::Open(file) => stream(file),
            Destination::Stream => stream(File::options().write(true).open(path)?),
            Destination::File(old) => {
                let (path, file) = temporary(path, old.as_ref())?;
                let (file, temporary) = file.into_parts();
                OutputWriter::Replacement { path, temporary, writer: BufWriter::new(file) }
            }
        }))
    }

    /// Checks that `path` can be written, without changing it.
    pub fn check(path: &Path) -> io::Result<()> {
        if let Destination::File(old) = destination(path)? {
            temporary(path, old.as_ref())?;
        }
        Ok(())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            OutputWriter::Stream(writer) => writer,
            OutputWriter::Replacement { writer, .. } => writer,
        }
    }

    /// Renames the file into place.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            OutputWriter::Stream(mut writer) => writer.flush(),
            OutputWriter::Replacement { path, temporary, writer } => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.sync_all()?;
                name_result(&path, || temporary.persist(&path).map_err(|error| error.error))?;
                Ok(())
            }
        }
    }
}

/// Determines the kind of file that a path leads to, following links. Refuses those that cannot be written.
fn destination(path: &Path) -> io::Result<Destination> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Destination::File(None));
        }
        other => other?,
    };
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    if is_block_device(&found) {
        let text = "is a block device; write a file, and copy it there";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(match already_open(&found) {
        // A database is refused below, also as standard output.
        Some(file) if !is_database(path) => Destination::Open(file),
        _ if found.is_file() => Destination::File(Some(found)),
        _ => Destination::Stream,
    })
}

#[cfg(unix)]
fn is_block_device(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_block_device(_: &Metadata) -> bool {
    false
}

/// Returns standard output or standard error if it is this file. Opening `/dev/stdout` again would start at the
/// beginning of a file that a shell appends to, and fails for a socket.
#[cfg(unix)]
fn already_open(found: &Metadata) -> Option<File> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let handles = [stdout.as_fd(), stderr.as_fd()];
    let mut files =
        handles.iter().filter_map(|handle| handle.try_clone_to_owned().ok()).map(File::from);
    files.find(|file| {
        let same = |open: Metadata| (open.dev(), open.ino()) == (found.dev(), found.ino());
        file.metadata().is_ok_and(same)
    })
}

#[cfg(not(unix))]
fn already_open(_: &Metadata) -> Option<File> {
    None
}

/// Creates a temporary file next to the destination of `path`. Also returns the destination, which a link may lead
/// to.
fn temporary(path: &Path, old: Option<&Metadata>) -> io::Result<(PathBuf, NamedTempFile)> {
    let refused = |text: String| Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    if old.is_some() && is_database(path) {
        let text = "is a database, which an export never overwrites; choose another file";
        return refused(text.to_owned());
    }
    let path = match old {
        Some(_) => path.canonicalize()?,
        None => resolve_links(path)?,
    };
    if let Some(database) = database_of(&path) {
        let text = format!("belongs to the database {}; choose another file", database.display());
        return refused(text);
    }
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
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
