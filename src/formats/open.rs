//! Opening of figure sources, with the same error messages for every command.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The reason why a file or standard input yields no figure.
///
/// ```
/// use somacat_formats::open_source;
/// use std::path::Path;
///
/// let error = open_source(Path::new("nothing-there.soma")).map(|_| ()).unwrap_err();
/// assert_eq!(error.to_string(), "cannot find the figure file nothing-there.soma");
/// ```
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
///
/// ```
/// use somacat_formats::source_label;
/// use std::path::Path;
///
/// assert_eq!(source_label(Path::new("-")), "standard input");
/// ```
pub fn source_label(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns `true` if a text looks like a path: it has an extension or folders.
///
/// ```
/// use somacat_formats::looks_like_path;
///
/// assert!(looks_like_path("cube.soma") && looks_like_path("figures/cube"));
/// assert!(!looks_like_path("cube"));
/// ```
pub fn looks_like_path(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some() || path.components().nth(1).is_some()
}

/// Returns the label of a figure without a name: its file name, without folders, and its number. The number counts
/// the entries of the file from 1, including faulty ones.
///
/// ```
/// use somacat_formats::unnamed_label;
///
/// assert_eq!(unnamed_label("figures/crosses.txt", 3), "crosses.txt 3");
/// ```
pub fn unnamed_label(source: &str, number: u64) -> String {
    let file = Path::new(source).file_name().map(std::ffi::OsStr::to_string_lossy);
    format!("{} {number}", file.as_deref().unwrap_or(source))
}

/// A reader whose end is final. A terminal continues after Ctrl-D, and would have to be ended twice.
struct EndedOnce<R> {
    inner: R,
    ended: bool,
}

impl<R: Read> Read for EndedOnce<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let read = self.inner.read(buffer)?;
        self.ended = read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

/// Opens a file, or standard input for `-`.
pub fn open_source(path: &Path) -> Result<Box<dyn BufRead + Send>, OpenError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(EndedOnce { inner: io::stdin(), ended: false })));
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
