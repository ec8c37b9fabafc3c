//! Opening what figures are read from, and saying what is wrong with it: the same for every command.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

/// Why a file or standard input does not give a figure.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such file.
    #[error("there is no file of figures {0}")]
    Missing(String),
    /// A directory.
    #[error("{0} is a directory; name the files in it")]
    Directory(String),
    /// The system refuses.
    #[error("cannot read {file}: {error}")]
    Io {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// Neither a figure nor anything that was meant as one.
    #[error(
        "{0} holds no figure; figures are written as SOMA text (/SOMA001 …), as cells \
         (x,y,z x,y,z …), as height maps (345 234 123) or as slices"
    )]
    NoFigure(String),
}

/// How a file is called in messages: `standard input` for `-`.
#[must_use]
pub fn source_label(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Whether a text would be the path of a file, if there were one: it has an ending, or folders.
#[must_use]
pub fn looks_like_path(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some() || path.components().nth(1).is_some()
}

/// How a figure without a name is called: by the name of its file, without the folders, and its number among the
/// entries of the file, faulty ones included, from 1.
#[must_use]
pub fn unnamed_label(source: &str, number: u64) -> String {
    let file = Path::new(source).file_name().map(std::ffi::OsStr::to_string_lossy);
    format!("{} {number}", file.as_deref().unwrap_or(source))
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// If there is no such file, it is a directory, or it cannot be read.
pub fn open_source(path: &Path) -> Result<Box<dyn BufRead + Send>, OpenError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let label = || source_label(path);
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => OpenError::Missing(label()),
        _ => OpenError::Io { file: label(), error },
    };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(OpenError::Directory(label()));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}
