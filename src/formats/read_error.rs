//! The errors that end the reading of a file.

use super::PuzzleError;

/// The reason why reading ended before the file.
///
/// ```
/// use somacat_formats::Reader;
///
/// let error = Reader::new(&b"No figures here.\n"[..], None).map(|_| ()).unwrap_err();
/// assert!(error.to_string().starts_with("cannot detect the format: line 1 is `No figures here.`"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read line {line}: {source}")]
    Io { line: usize, source: std::io::Error },
    #[error("line {line} contains binary data; a file of figures is text")]
    Binary { line: usize },
    #[error("the text is encoded in UTF-16; save it as UTF-8")]
    Utf16,
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    #[error(
        "cannot detect the format: line {line} is `{text}`, and the beginning has no figure in any format \
         ({formats}); if figures follow later, name the format"
    )]
    UnknownFormat { line: usize, text: String, formats: String },
    #[error("the file can be read {0}; choose one")]
    AmbiguousFormat(String),
    #[error(
        "the lines can be read as height maps (--format heightmap), or as rows of one figure whose \
         layers are side by side; for that write `/` between the layers"
    )]
    MissingSlashes,
    #[error(
        "the lines can be read as height maps (--format heightmap), or as cells with the number of their \
         piece (n,x,y,z or x,y,z,n); for that leave the numbers out (--format points), or write the \
         packing as rows with `/` between layers"
    )]
    NumberedCells,
}
