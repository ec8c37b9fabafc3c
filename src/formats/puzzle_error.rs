//! Errors of BurrTools puzzles.

use super::limits::{MAX_PUZZLE_BYTES, MAX_SHAPE_BYTES};
use somacat_geometry::pieces::ParseSetError;
use std::io::{Error, ErrorKind};

/// The reason why a puzzle cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    #[error("cannot read the puzzle: {0}")]
    Io(Error),
    #[error("not a BurrTools puzzle: it cannot be unpacked: {0}")]
    Unpack(Error),
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
    #[error("text that is not UTF-8")]
    Encoding,
    #[error("a DOCTYPE is not allowed")]
    Doctype,
    #[error("a tag or text is too large, or tags are nested too deeply")]
    TooLarge,
}

/// The reason why a puzzle's pieces are not a piece set. Lines and shapes are counted from 1.
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
