//! Opening of figure sources, with the same error messages for every command.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

/// The reason why a file or standard input yields no figure.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot find the figure file {0}")]
    Missing(String),
    #[error("{0} is a directory; name the files in it")]
    Directory(String),
    #[error("there are no files in the folder {0}")]
    EmptyFolder(String),
    #[error("cannot read {file}: {error}")]
    Io { file: String, error: io::Error },
    #[error(
        "{0} contains no figure; figures are written as SOMA text (/SOMA001 …), as cells \
         (x,y,z x,y,z …), as height maps (345 234 123) or as slices"
    )]
    NoFigure(String),
}

/// Returns the name of a file in messages: `standard input` for `-`.
pub fn source_label(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns `true` if a text looks like a path: it has an extension or folders.
pub fn looks_like_path(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some() || path.components().nth(1).is_some()
}

/// Returns the label of a figure without a name: its file name, without folders, and its number. The number counts
/// the entries of the file from 1, including faulty ones.
pub fn unnamed_label(source: &str, number: u64) -> String {
    let file = Path::new(source).file_name().map(std::ffi::OsStr::to_string_lossy);
    format!("{} {number}", file.as_deref().unwrap_or(source))
}

/// Opens a file, or standard input for `-`.
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
