//! Errors of BurrTools puzzles.

use super::limits::{MAX_PUZZLE_BYTES, MAX_SHAPE_BYTES};
use somacat_geometry::pieces::ParseSetError;
use std::io::{Error, ErrorKind};

/// The reason why a puzzle cannot be read.
///
/// ```
/// use somacat_formats::{Format, Reader};
///
/// let error = |text: &'static str| {
///     Reader::new(text.as_bytes(), Some(Format::Xmpuzzle)).map(|_| ()).unwrap_err().to_string()
/// };
/// assert_eq!(error("<html></html>"), "not a BurrTools puzzle: its root is <html>, not <puzzle>");
/// let message = "the puzzle uses spheres (gridType 2); only puzzles of cubes (gridType 0) can be read";
/// assert_eq!(error("<puzzle><gridType type=\"2\"/></puzzle>"), message);
/// ```
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    #[error("cannot read the puzzle: {0}")]
    Io(Error),
    #[error("not a BurrTools puzzle: it cannot be unpacked: {0}")]
    Unpack(Error),
    #[error(
        "what is packed with gzip is not a BurrTools puzzle; unpack other files first, for example with gunzip"
    )]
    PackedOther,
    #[error("the puzzle unpacks to more than {} MiB", MAX_PUZZLE_BYTES >> 20)]
    TooLong,
    #[error("the shapes of the puzzle take more than {} MiB", MAX_SHAPE_BYTES >> 20)]
    TooManyShapes,
    #[error("not a BurrTools puzzle: line {line}: {reason}")]
    Xml { line: usize, reason: XmlFault },
    #[error("not a BurrTools puzzle: its root is <{0}>, not <puzzle>")]
    Root(String),
    #[error("the puzzle uses {}; only puzzles of cubes (gridType 0) can be read", grid(.0))]
    Grid(String),
}

/// Returns the name and number of a BurrTools grid.
fn grid(number: &str) -> String {
    let name = match number {
        "1" => "triangular prisms",
        "2" => "spheres",
        "3" => "the rhombic grid",
        "4" => "the tetra-octa grid",
        _ => "an unknown grid",
    };
    format!("{name} (gridType {number})")
}

impl PuzzleError {
    /// Creates an error of the input: of its contents if these are damaged, else of reading.
    pub(super) fn of_input(error: Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                Self::Unpack(error)
            }
            _ => Self::Io(error),
        }
    }
}

/// The reason why a text is not XML that the reader accepts.
///
/// ```
/// use somacat_formats::{Format, PuzzleError, ReadError, Reader, XmlFault};
///
/// let reader = Reader::new(&b"<puzzle>\n<shapes>\n</puzzle>"[..], Some(Format::Xmpuzzle));
/// let Err(ReadError::Puzzle(PuzzleError::Xml { line, reason })) = reader.map(|_| ()) else { panic!() };
/// assert_eq!((line, reason), (3, XmlFault::Unmatched("puzzle".to_owned())));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum XmlFault {
    #[error("it does not begin with a tag")]
    NoTag,
    #[error("the file ends before the root tag is closed")]
    Ended,
    #[error("a malformed tag")]
    Tag,
    #[error("</{0}> does not match the last opened tag")]
    Unmatched(String),
    #[error("&{0} is not a known entity")]
    Entity(String),
    #[error("a tag follows the end of the puzzle; write each puzzle into a file of its own")]
    Behind,
    #[error("a DOCTYPE is not allowed")]
    Doctype,
    #[error("a tag or text is too large, or tags are nested too deeply")]
    TooLarge,
}

/// The reason why a puzzle's pieces are not a piece set. Lines and shapes are counted from 1.
///
/// ```
/// use somacat_formats::{Item, Reader, choose_set};
///
/// // A square, to be built from at least two and at most one domino. The figure can be read all the same, for use with
/// // another set.
/// let text = r#"<puzzle><shapes>
/// <voxel x="2" y="1" z="1">##</voxel><voxel x="2" y="2" z="1">####</voxel></shapes>
/// <problems><problem><shapes>
/// <shape id="0" min="2" max="1"/></shapes><result id="1"/></problem></problems></puzzle>"#;
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// assert_eq!(entry.figure.extents(), [2, 2, 1]);
/// let message = "the file's own pieces are not a set: line 4: piece S1 may be used 2 to 1 times; the \
///     least number must not be above the greatest; choose a set with --set";
/// assert_eq!(choose_set(&entry).unwrap_err().to_string(), message);
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleSetError {
    #[error("the puzzle has no problem, so its pieces are unknown")]
    NoProblem,
    #[error("line {line}: the problem uses a shape that the puzzle does not have")]
    UnknownShape { line: usize },
    #[error(
        "line {line}: piece S{shape} may be used {least} to {most} times; the least number must not be \
         above the greatest"
    )]
    Range { line: usize, shape: usize, least: usize, most: usize },
    #[error("line {line}: piece S{shape} has no count")]
    NoCount { line: usize, shape: usize },
    #[error("line {line}: shape S{shape}: {reason}")]
    Shape { line: usize, shape: usize, reason: String },
    #[error("the pieces of the problem: {0}")]
    Set(ParseSetError),
}
