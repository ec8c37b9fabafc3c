//! Output files: opened before any work begins, put in place whole at the end.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears under its name only when it is complete. Until then the rows go to a
/// temporary file beside it, so a path that cannot be written fails at once.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    writer: BufWriter<NamedTempFile>,
}

impl OutputFile {
    /// Prepares to write `path`.
    ///
    /// # Errors
    /// If the folder cannot be written, or `path` is a folder or a database: a catalog is easily
    /// named by mistake, and hard to make again.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        if is_database(path) {
            let text = "is a database and not overwritten; choose another file";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".somacat-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let folder = folder.unwrap_or(Path::new("."));
        let file = builder.tempfile_in(folder).map_err(without_path)?;
        Ok(Self { path: path.to_owned(), writer: BufWriter::new(file) })
    }

    /// Puts the file in place.
    ///
    /// # Errors
    /// If the rest cannot be written or the file not renamed.
    pub fn commit(self) -> io::Result<()> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Whether there is a SQLite database, by the first bytes of the file.
fn is_database(path: &Path) -> bool {
    let mut magic = [0; 15];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && &magic == b"SQLite format 3"
}

/// The system's words, without the name of the temporary file, which nobody knows.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((words, _)) => io::Error::new(error.kind(), words.to_owned()),
        None => error,
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
